"""`pathprior studio`: state beliefs in the browser, and see at once what they imply."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from pathprior.cli.console import console


def studio(
    data: Annotated[Path | None, typer.Argument(help="Data file: text, .parquet or Excel.")] = None,
    beliefs: Annotated[
        Path | None,
        typer.Option(help="Belief file that is read, and saved after each change; beliefs.csv."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            help="Port on this machine, by default the folder's own; 0 finds a free one.",
            show_default=False,
        ),
    ] = None,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Print the address, and open no browser.")
    ] = False,
) -> None:
    """State beliefs in the browser, see what follows from them, and learn from the data.

    The page is served on this machine alone, until Ctrl-C. It needs the extra named studio.

    Example: pathprior studio cohort.csv --beliefs beliefs.csv
    """
    from pathprior.errors import StudioError

    try:
        from pathprior.studio.serve import serve
    except ModuleNotFoundError as error:
        if error.name not in ("starlette", "uvicorn"):
            raise
        raise StudioError(
            f"the studio needs {error.name}: pip install 'pathprior[studio]'"
        ) from error

    def announce(address: str, remarks: Sequence[str]) -> None:
        console.print(f"The studio is at {address}", highlight=False, markup=False, soft_wrap=True)
        for remark in remarks:
            console.print(remark, highlight=False, markup=False)
        console.print("Ctrl-C ends it; every change is saved.", style="dim", highlight=False)

    def browse(address: str) -> None:
        import webbrowser

        webbrowser.open(address)

    serve(data, beliefs, port=port, announce=announce, browse=None if no_open else browse)
