"""Where the command line prints: results to standard output, everything else to standard error."""

from pathlib import Path

from rich.console import Console

console = Console()
error_console = Console(stderr=True)


def print_paths(*paths: Path | None) -> None:
    """Name the files of one folder that were written."""
    written = [path for path in paths if path is not None]
    console.print(f"Results in {written[0].parent}:", highlight=False, markup=False)
    for path in written:
        console.print(f"  {path.name}", highlight=False)
