"""`pathprior posterior`: the probability of every edge, path and belief given the data."""

from dataclasses import replace
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathprior.cli.console import console, error_console, print_paths
from pathprior.cli.inputs import pose
from pathprior.cli.leftovers import OF_POSTERIOR, say_left_over
from pathprior.cli.parameters import (
    BeliefFile,
    DataFile,
    Jobs,
    OutFolder,
    Progress,
    RepeatFile,
    offering,
)
from pathprior.cli.posterior_output import print_posterior
from pathprior.cli.repetition import ask, print_repetition
from pathprior.posterior.settings import PosteriorSettings
from pathprior.problem.options import Group

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior
    from pathprior.problem.run_record import RunInputs
    from pathprior.report.write_posterior import PosteriorFiles

CHECKPOINT = "chains.npz"
"""Where a run keeps its chains until they have settled, in the folder of the results."""
SOON = 2.0
"""Seconds in which all is written after Ctrl-C, if that can be."""
FITTING, WRITING = 0.3, 0.25
"""Shares of the time limit in which each web of beliefs is fitted, and in which all is written."""
LONGEST_WRITING = 60.0
SHORTEST = 1e-3
"""Seconds that are left for sampling if there are none."""


@offering(PosteriorSettings.declared())
def posterior(
    context: typer.Context,
    data: DataFile = None,
    beliefs: BeliefFile = None,
    out: OutFolder = Path("pathprior-posterior"),
    report: Annotated[
        bool,
        typer.Option(
            help="Write report.html too: one file for the browser.",
            rich_help_panel=str(Group.OUTPUT),
        ),
    ] = True,
    repeat: RepeatFile = None,
    jobs: Jobs = 1,
    progress: Progress = True,
    **given: Any,
) -> None:
    """Say how probable edges, paths and beliefs are given the data, and write it to a folder.

    Fewer variables: pathprior prepare cohort.csv --drop age,sex,diet --out few.csv

    Example: pathprior posterior few.csv --beliefs beliefs.csv --out posterior

    At once: pathprior posterior cohort.csv --columns smoking,exercise,fracture

    Again: pathprior posterior --from posterior/summary.json --out again

    The same command again goes on where Ctrl-C, a crash or the time limit cut it off.
    """
    from pathprior.cli.progress import announce_compiling
    from pathprior.posterior.sample import sample_from
    from pathprior.report.write_posterior import POSTERIOR

    begin = monotonic() if context.obj is None else context.obj
    asked = ask(POSTERIOR, context, given, repeat, data, beliefs)
    settings, limit = asked.settings, asked.settings.time_limit
    compiling, end = announce_compiling(context), begin + limit
    progress = progress and error_console.is_terminal
    problem = pose(
        asked.inputs,
        settings,
        fixed=settings.fixed,
        num_jobs=jobs,
        progress=progress,
        time_limit=FITTING * limit,
    )
    left = end - min(WRITING * limit, LONGEST_WRITING) - monotonic()
    found = sample_from(
        problem,
        replace(settings, time_limit=max(left, SHORTEST)),
        num_jobs=jobs,
        progress=progress,
        checkpoint=out / CHECKPOINT,
    )
    found = replace(found, settings=settings)
    files = keep_posterior(found, out, inputs=asked.inputs, report=report, end=end)
    if asked.recorded is not None:
        print_repetition(asked.recorded, files.edges, "probabilities")
    say_seconds(compiling.seconds, monotonic() - begin, limit)


def say_seconds(compiling: float, whole: float, time_limit: float) -> None:
    """Say what became of the time where it was not enough."""
    if whole > time_limit:
        console.print(
            f"It took {whole:.0f} s, more than the {time_limit:g} s that were given; compiling "
            f"took {compiling:.0f} s of them.",
            style="yellow",
            highlight=False,
        )


def keep_posterior(
    found: "Posterior",
    folder: Path,
    *,
    inputs: "RunInputs",
    report: bool = True,
    end: float = inf,
) -> "PosteriorFiles":
    """Write a posterior to a folder, maybe with its report, and print the gist of it.

    The checkpoint there goes once everything is written, unless there is more to draw. After
    ``end``, a reading of `monotonic`, no more is written than must be; after Ctrl-C soon.
    """
    from pathprior.posterior.settling import PosteriorStop
    from pathprior.report.pace import Pace
    from pathprior.report.write_posterior import write_posterior

    if found.stopped_because is PosteriorStop.INTERRUPTED:
        end = min(end, monotonic() + SOON)
    if end < inf:
        found = found.judged_by((monotonic() + end) / 2)
    pace = Pace(end)
    files = write_posterior(found, folder, inputs=inputs, report=report, pace=pace)
    print_posterior(found)
    if pace.left_out:
        console.print(" ".join(["Left out:", *pace.left_out]), style="yellow", highlight=False)
    print_paths(*files)
    say_left_over(folder, files, OF_POSTERIOR, inputs)
    checkpoint = folder / CHECKPOINT
    if found.stopped_because in (PosteriorStop.EXACT, PosteriorStop.SETTLED):
        checkpoint.unlink(missing_ok=True)
    elif checkpoint.exists():
        console.print(
            f"The chains are kept in {checkpoint}: the same command goes on from there.",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
    return files
