"""What a command was asked: by its options, or by what a summary recorded."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

import typer

from pathprior.cli.console import console
from pathprior.cli.parameters import read_options, words_of
from pathprior.errors import ReportError
from pathprior.problem.run_record import (
    Command,
    InputFile,
    RecordedRun,
    RunInputs,
    Settings,
    read_record,
)
from pathprior.versions import versions


@dataclass(frozen=True, slots=True)
class Asked(Generic[Settings]):
    """Files, settings, and the run that is repeated, if one is."""

    inputs: RunInputs
    settings: Settings
    recorded: RecordedRun[Settings] | None = None


def ask(
    command: Command[Settings],
    context: typer.Context,
    given: Mapping[str, Any],
    repeat: Path | None,
    data: Path | None,
    beliefs: Path | None,
) -> Asked[Settings]:
    """Read the options that were ``given``, or the summary that is to be repeated."""
    if repeat is not None:
        _require_no_settings(context, words_of(command.settings.declared()))
        recorded = read_record(command, repeat, data=data, beliefs=beliefs)
        return Asked(recorded.inputs, recorded.settings, recorded)
    if data is None:
        raise ReportError("name a data file to learn from, or a summary with --from")
    values = read_options(command.settings.declared(), given)
    settings = command.settings.of_values(values)
    return Asked(RunInputs.of(data, beliefs), settings)


def _require_no_settings(context: typer.Context, names: set[str]) -> None:
    """Refuse options that would make another run of a repetition."""
    for name in context.params:
        source = context.get_parameter_source(name)
        if name in names and source is not None and source.name == "COMMANDLINE":
            raise ReportError(
                f"--{name.replace('_', '-')} would make another run than the one of --from: "
                "leave one of the two out"
            )


def print_repetition(recorded: RecordedRun[Any], found: Path, what: str) -> None:
    """Say whether the run gave the same again, to the last bit."""
    if InputFile.of(found).sha256 == recorded.sha256:
        console.print(f"The same {what} as then, to the last bit.", highlight=False)
        return
    now = versions()
    changed = ", ".join(
        f"{name} {then} → {now.get(name)}"
        for name, then in recorded.versions.items()
        if now.get(name) != then
    )
    reason = f"versions changed: {changed}" if changed else "was the first run interrupted?"
    console.print(
        f"Not the same {what} as then; {reason}",
        style="yellow",
        highlight=False,
    )
