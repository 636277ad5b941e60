"""The `pathprior` command: collects the subcommands and turns our errors into one line."""

import sys
import warnings
from functools import partial
from io import TextIOWrapper
from typing import Annotated, TextIO

import typer
from rich.markup import escape

from pathprior import __version__
from pathprior.cli.asking import answers, questions
from pathprior.cli.baseline import baseline
from pathprior.cli.cache import cache
from pathprior.cli.check import check
from pathprior.cli.compare import compare
from pathprior.cli.console import console, error_console
from pathprior.cli.count import count
from pathprior.cli.demo import demo
from pathprior.cli.interruption import interruptible
from pathprior.cli.learn import learn
from pathprior.cli.posterior import posterior
from pathprior.cli.prepare import prepare
from pathprior.cli.reproduce import reproduce
from pathprior.cli.sample import sample
from pathprior.cli.studio import studio
from pathprior.errors import PathPriorError, PathPriorWarning, ResumedWarning

app = typer.Typer(
    name="pathprior",
    help=(
        "Learn Bayesian networks from data and from beliefs about causal and associative paths.\n\n"
        "Example: pathprior demo, then pathprior learn cohort.csv --beliefs beliefs.csv --report"
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (
    demo,
    prepare,
    learn,
    posterior,
    questions,
    answers,
    check,
    compare,
    baseline,
    count,
    sample,
    studio,
    reproduce,
    cache,
):
    app.command()(command)


def main(begun: float | None = None) -> None:
    """Run the command line; bad input exits with status 2 and one line that says what to do.

    ``begun``, a reading of `monotonic`, is when the command was given; limits of time count it.
    """
    warnings.showwarning = _Shown().show
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # an arrow or a file name that the terminal cannot show must not end the run
            stream.reconfigure(errors="backslashreplace")
    with interruptible(partial(_say, "yellow", "interrupted")):
        _run(begun)


def _run(begun: float | None) -> None:
    try:
        app(obj=begun)
    except PathPriorError as error:
        _say("red", "error", str(error))
        sys.exit(2)
    except MemoryError as error:
        _say("red", "error", f"not enough memory: {error}" if str(error) else "not enough memory")
        sys.exit(2)
    except OSError as error:  # a full disk, a folder without the right to write
        parts = [str(part) for part in (error.filename, error.strerror) if part is not None]
        _say("red", "error", ": ".join(parts) or repr(error))
        sys.exit(2)


def _print_version(wanted: bool) -> None:
    if wanted:
        console.print(f"pathprior {__version__}", highlight=False)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    pass


class _Shown:
    """Shows our own warnings as one line, each once; others as Python does."""

    def __init__(self) -> None:
        self._texts: set[str] = set()

    def show(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        """What Python calls for each warning, one text maybe from several places."""
        if not issubclass(category, PathPriorWarning):
            text = warnings.formatwarning(message, category, filename, lineno, line)
            error_console.print(text, markup=False, highlight=False)
        elif str(message) not in self._texts:
            self._texts.add(str(message))
            is_resumed = issubclass(category, ResumedWarning)
            _say(*(("green", "resuming") if is_resumed else ("yellow", "warning")), str(message))


def _say(colour: str, kind: str, text: str) -> None:
    error_console.print(f"[{colour}]{kind}:[/] {escape(text)}", highlight=False, soft_wrap=True)
