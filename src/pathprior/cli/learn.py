"""`pathprior learn`: a network from a data file and a belief file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathprior.cli.console import console, error_console
from pathprior.cli.fit_output import print_files, print_fit
from pathprior.cli.inputs import pose
from pathprior.cli.leftovers import OF_LEARN, say_left_over
from pathprior.cli.parameters import (
    BeliefFile,
    DataFile,
    Jobs,
    OutFolder,
    Progress,
    RepeatFile,
    offering,
    read_options,
)
from pathprior.cli.repetition import Asked, ask, print_repetition
from pathprior.errors import ReportError
from pathprior.posterior.settings import PosteriorSettings
from pathprior.problem.options import Group
from pathprior.search.record import LEARN
from pathprior.search.settings import LearnSettings

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior
    from pathprior.problem.run_record import RunInputs
    from pathprior.search.result import Fit


FIXED = PosteriorSettings.named("fixed")


@offering((*LearnSettings.declared(), *FIXED))
def learn(
    context: typer.Context,
    data: DataFile = None,
    beliefs: BeliefFile = None,
    out: OutFolder = Path("pathprior-results"),
    report: Annotated[
        bool,
        typer.Option(
            "--report",
            help="Write report.html too: one file for the browser.",
            rich_help_panel=str(Group.OUTPUT),
        ),
    ] = False,
    evidence: Annotated[
        bool,
        typer.Option(
            "--evidence",
            help="Search with and without each belief; write evidence.csv.",
            rich_help_panel=str(Group.OUTPUT),
        ),
    ] = False,
    posterior: Annotated[
        bool,
        typer.Option(
            "--posterior",
            help="Write how probable edges and paths are, to OUT/posterior.",
            rich_help_panel=str(Group.OUTPUT),
        ),
    ] = False,
    repeat: RepeatFile = None,
    jobs: Jobs = 1,
    progress: Progress = True,
    **given: Any,
) -> None:
    """Learn the network that fits data and beliefs best, and write it to a folder.

    Example: pathprior learn cohort.csv --beliefs beliefs.csv --out results --report

    Again, bit for bit: pathprior learn --from results/summary.json --out again
    """
    from pathprior.cli.progress import announce_compiling
    from pathprior.search.learn import learn_on

    announce_compiling(context)
    fixed = read_options(FIXED, given)["fixed"]
    if fixed is not None and not posterior:
        raise ReportError(
            "--fixed names what no experiment can set, which only --posterior asks: add that, or "
            "leave it out"
        )
    asked = ask(LEARN, context, given, repeat, data, beliefs)
    progress = progress and error_console.is_terminal
    problem = pose(asked.inputs, asked.settings, fixed=fixed, num_jobs=jobs, progress=progress)
    fit = learn_on(problem, asked.settings, num_jobs=jobs, progress=progress)
    written = _write(fit, out, asked, report=report)
    inputs = asked.inputs
    if evidence and fit.has_beliefs and _may_go_on(fit, "evidence"):
        written.append(_compare(fit, out, num_jobs=jobs, progress=progress))
    if posterior and _may_go_on(fit, "posterior"):
        written.append(out / "posterior")
        _go_on(fit, out, inputs, report=report, fixed=fixed, num_jobs=jobs, progress=progress)
    say_left_over(out, written, OF_LEARN, inputs)


def _compare(fit: "Fit", out: Path, *, num_jobs: int, progress: bool) -> Path:
    """Search with and without each belief, and write what that says; return where."""
    from pathprior.cli.console import print_paths
    from pathprior.cli.fit_output import print_evidence
    from pathprior.files import saving

    weighed = fit.evidence(seed=fit.settings.seed, num_jobs=num_jobs, progress=progress)
    path = out / "evidence.csv"
    with saving(path, ReportError) as temporary:
        weighed.to_csv(temporary, index=False)
    print_evidence(weighed)
    print_paths(path)
    return path


def _go_on(
    fit: "Fit",
    out: Path,
    inputs: "RunInputs",
    *,
    report: bool,
    fixed: tuple[str, ...] | None,
    num_jobs: int,
    progress: bool,
) -> None:
    """Weigh other graphs beside the learned one, and write what they say."""
    from pathprior.report.page import write_report

    folder = out / "posterior"
    found = _weigh(fit, folder, inputs, fixed=fixed, num_jobs=num_jobs, progress=progress)
    if report:
        write_report(fit, out / "report.html", inputs=inputs.describe(), posterior=found)


def _write(fit: "Fit", out: Path, asked: Asked[LearnSettings], *, report: bool) -> list[Path]:
    """Write the results, and say what they are; return their files."""
    from dataclasses import astuple

    from pathprior.report.write import write_fit

    files = write_fit(fit, out, inputs=asked.inputs, report=report)
    print_fit(fit)
    print_files(files)
    if asked.recorded is not None:
        print_repetition(asked.recorded, files.network, "network")
    return [path for path in astuple(files) if path is not None]


def _may_go_on(fit: "Fit", what: str) -> bool:
    """Say that Ctrl-C ends the command, not the search alone, if it came."""
    from pathprior.search.stop_reason import StopReason

    is_whole = fit.stopped_because is not StopReason.INTERRUPTED
    if not is_whole:
        console.print(f"The {what} is left out.", style="yellow", highlight=False)
    return is_whole


def _weigh(
    fit: "Fit",
    folder: Path,
    inputs: "RunInputs",
    *,
    fixed: tuple[str, ...] | None,
    num_jobs: int,
    progress: bool,
) -> "Posterior":
    """Go on to the posterior, as 'pathprior posterior' does on the same data and beliefs."""
    from pathprior.cli.posterior import CHECKPOINT, keep_posterior

    found = fit.posterior(
        seed=fit.settings.seed,
        fixed=fixed,
        num_jobs=num_jobs,
        progress=progress,
        checkpoint=folder / CHECKPOINT,
    )
    keep_posterior(found, folder, inputs=inputs)
    return found
