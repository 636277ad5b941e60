"""Running what a summary recorded: `pathprior learn --from`."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pathprior.cli.console import console
from pathprior.errors import ReportError

if TYPE_CHECKING:
    from pathprior.search.record import RecordedRun


def require_no_settings(context: typer.Context) -> None:
    """Refuse options that would make another run of a repetition."""
    free = {
        "repeat",
        "data",
        "beliefs",
        "out",
        "report",
        "evidence",
        "posterior",
        "fixed",
        "jobs",
        "progress",
    }
    for name in context.params:
        source = context.get_parameter_source(name)
        if name not in free and source is not None and source.name == "COMMANDLINE":
            raise ReportError(
                f"--{name.replace('_', '-')} would make another run than the one of --from: "
                "leave one of the two out"
            )


def print_repetition(recorded: "RecordedRun", found: Path) -> None:
    """Say whether the run gave the same network again, to the last bit."""
    from pathprior.search.record import InputFile
    from pathprior.versions import versions

    if InputFile.of(found).sha256 == recorded.network_sha256:
        console.print("The same network as then, to the last bit.", highlight=False)
        return
    now = versions()
    changed = ", ".join(
        f"{name} {then} → {now.get(name)}"
        for name, then in recorded.versions.items()
        if now.get(name) != then
    )
    reason = f"versions changed: {changed}" if changed else "was the first run interrupted?"
    console.print(
        f"Not the same network as then; {reason}",
        style="yellow",
        highlight=False,
    )
