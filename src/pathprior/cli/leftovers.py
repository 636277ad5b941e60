"""What lies in a folder of results without being of the run that was written there."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pathprior.cli.console import console

if TYPE_CHECKING:
    from pathprior.problem.run_record import RunInputs

OF_EITHER = ("report.html", "beliefs.csv", "sources.csv", "statements.csv")
OF_LEARN = (*OF_EITHER, "network.bif", "network.json", "evidence.csv", "posterior")
OF_POSTERIOR = (*OF_EITHER, "paths.png", "beliefs.png")
"""What some runs write and others do not."""


def say_left_over(
    folder: Path, written: Iterable[Path | None], names: Iterable[str], inputs: "RunInputs"
) -> None:
    """Name those of ``names`` that are in the folder, but neither ``written`` nor read."""
    own = {path for path in written if path is not None}
    own |= {file.path for file in (inputs.data, inputs.beliefs) if file is not None}
    resolved = {path.resolve() for path in own}
    found = [
        name
        for name in names
        if (folder / name).exists() and (folder / name).resolve() not in resolved
    ]
    if found:
        console.print(
            f"Also in {folder}, but not of this run: {', '.join(found)}. Take away what is "
            "out of date, or write to another folder with --out.",
            style="yellow",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
