"""The `pathprior` command: collects the subcommands and turns our errors into one line."""

import sys

import typer

from pathprior.cli.console import error_console
from pathprior.errors import PathPriorError

app = typer.Typer(
    name="pathprior",
    help="Learn Bayesian networks from data and from beliefs about causal and associative paths.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line; bad input exits with status 2 and one line that says what to do."""
    try:
        app()
    except PathPriorError as error:
        error_console.print(f"[red]error:[/] {error}", markup=True, highlight=False)
        sys.exit(2)
    except KeyboardInterrupt:
        error_console.print("interrupted")
        sys.exit(130)
