"""`pathprior posterior`: the probability of every edge, path and belief given the data."""

from collections.abc import Mapping
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathprior.cli import learn_options as options
from pathprior.cli.console import console, error_console, print_paths
from pathprior.cli.inputs import (
    RULES,
    fit_beliefs,
    parse_columns,
    parse_edges,
    parse_fixed,
    parse_kinds,
    parse_reliability,
    parse_score,
    parse_tiers,
)
from pathprior.cli.leftovers import OF_POSTERIOR, say_left_over
from pathprior.cli.parents_option import ParentsOption, read_parents
from pathprior.cli.posterior_output import print_posterior
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE

if TYPE_CHECKING:
    from pathprior.beliefs.statement import Statement
    from pathprior.posterior.posterior import Posterior
    from pathprior.search.record import RunInputs

CHECKPOINT = "chains.npz"
"""Where a run keeps its chains until they have settled, in the folder of the results."""
SOON = 2.0
"""Seconds in which all is written after Ctrl-C, if that can be."""
FITTING, WRITING = 0.3, 0.25
"""Shares of the time limit in which each web of beliefs is fitted, and in which all is written."""
LONGEST_WRITING = 60.0
SHORTEST = 1e-3
"""Seconds that are left for sampling if there are none."""


def posterior(
    context: typer.Context,
    data: Annotated[Path, typer.Argument(help="Data file: text, .parquet or Excel.")],
    beliefs: options.BeliefFile = None,
    reliability: options.Reliability = None,
    out: options.OutFolder = Path("pathprior-posterior"),
    report: Annotated[
        bool, typer.Option(help="Write report.html too: one file for the browser.")
    ] = True,
    method: Annotated[
        str,
        typer.Option(help="exact (up to five variables) or chains; auto takes exact if it can."),
    ] = "auto",
    chains: Annotated[int, typer.Option(help="Markov chains, each with its own start.")] = 4,
    precision: Annotated[
        float, typer.Option(help="Sampling ends when no standard error is above this.")
    ] = 0.02,
    time_limit: Annotated[
        float,
        typer.Option(help="Seconds in which it is to end, with results; says what they lack."),
    ] = 600.0,
    columns: options.Columns = None,
    real: options.RealColumns = None,
    discrete: options.DiscreteColumns = None,
    interventions: options.Interventions = None,
    interventions_kind: options.InterventionsKind = "hard",
    missing: options.Missing = "refuse",
    score: options.ScoreName = "auto",
    penalty: options.Penalty = None,
    equivalent_sample_size: options.EquivalentSampleSize = DEFAULT_SAMPLE_SIZE,
    expected_parents: ParentsOption = "auto",
    repair: options.Repair = "soft",
    pool: options.Pool = "sources",
    max_parents: options.MaxParents = None,
    required: options.Required = None,
    forbidden: options.Forbidden = None,
    tier: options.Tier = None,
    fixed: options.Fixed = None,
    constant_columns: options.ConstantColumns = "isolate",
    seed: options.Seed = 0,
    jobs: Annotated[int, typer.Option(help="Chains at a time; -1 for all cores.")] = 1,
    progress: options.Progress = True,
) -> None:
    """Say how probable edges, paths and beliefs are given the data, and write it to a folder.

    Fewer variables: pathprior prepare cohort.csv --drop age,sex,diet --out few.csv

    Example: pathprior posterior few.csv --beliefs beliefs.csv --out posterior

    At once: pathprior posterior cohort.csv --columns smoking,exercise,fracture

    The same command again goes on where Ctrl-C, a crash or the time limit cut it off.
    """
    from pathprior.cli.progress import announce_compiling
    from pathprior.posterior.settings import PosteriorSettings, check_posterior_settings
    from pathprior.search.record import InputFile, RunInputs

    begin = monotonic() if context.obj is None else context.obj
    check_posterior_settings(PosteriorSettings(method, chains, precision, time_limit, seed), jobs)
    compiling = announce_compiling(context)
    stated = None if beliefs is None else InputFile.of(beliefs)
    inputs = RunInputs(InputFile.of(data), stated, repair, pool, parse_columns(columns))
    settings: dict[str, Any] = {
        "reliability": dict(parse_reliability(reliability)),
        "expected_parents": read_parents(expected_parents),
        "kinds": dict(parse_kinds(real, discrete)),
        "interventions": interventions,
        "interventions_kind": interventions_kind,
        "missing": missing,
        "score": parse_score(score, penalty),
        "equivalent_sample_size": equivalent_sample_size,
        "max_parents": max_parents,
        "required": parse_edges(required),
        "forbidden": parse_edges(forbidden),
        "tiers": parse_tiers(tier),
        "constant_columns": constant_columns,
        "method": method,
        "num_chains": chains,
        "precision": precision,
        "time_limit": time_limit,
        "seed": seed,
        "fixed": parse_fixed(fixed),
    }
    found = _sample(
        inputs,
        settings,
        num_jobs=jobs,
        progress=progress and error_console.is_terminal,
        checkpoint=out / CHECKPOINT,
        end=begin + time_limit,
    )
    keep_posterior(
        found, out, inputs=inputs, settings=settings, report=report, end=begin + time_limit
    )
    say_seconds(compiling.seconds, monotonic() - begin, time_limit)


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
    settings: Mapping[str, Any],
    report: bool = True,
    end: float = inf,
) -> None:
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
    files = write_posterior(
        found, folder, inputs=inputs, settings=settings, report=report, pace=pace
    )
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


def _sample(
    inputs: "RunInputs",
    settings: dict[str, Any],
    *,
    num_jobs: int,
    progress: bool,
    checkpoint: Path,
    end: float,
) -> "Posterior":
    from pathprior.cli.fit_output import print_kinds
    from pathprior.data.door import read_dataset
    from pathprior.posterior.sample import sample_posterior
    from pathprior.score.named import pick_score

    how = ("kinds", "interventions", "interventions_kind", "missing")
    read = {name: settings[name] for name in how}
    dataset = read_dataset(inputs.data.path, columns=inputs.columns, **read)
    if dataset.reals.variables:
        print_kinds(dataset, str(pick_score(settings["score"], dataset)))
    prior = None
    statements: tuple[Statement, ...] = ()
    if inputs.beliefs is not None:
        prior, statements = fit_beliefs(
            inputs.beliefs.path,
            dataset,
            expected_parents=settings["expected_parents"],
            repair=inputs.repair,
            pool=inputs.pool,
            seed=settings["seed"],
            num_jobs=num_jobs,
            progress=progress,
            time_limit=FITTING * settings["time_limit"],
            **{name: settings[name] for name in RULES},
        )
    writing = min(WRITING * settings["time_limit"], LONGEST_WRITING)
    left = {"time_limit": max(end - writing - monotonic(), SHORTEST)}
    return sample_posterior(
        dataset,
        prior,
        statements=statements,
        **settings | left,
        num_jobs=num_jobs,
        progress=progress,
        checkpoint=checkpoint,
    )
