"""`pathprior learn`: a network from a data file and a belief file."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pathprior.cli import learn_options as options
from pathprior.cli.console import console, error_console
from pathprior.cli.fit_output import print_files, print_fit
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
from pathprior.cli.leftovers import OF_LEARN, say_left_over
from pathprior.cli.parents_option import ParentsOption, read_parents
from pathprior.cli.repetition import print_repetition, require_no_settings
from pathprior.errors import ReportError
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE

if TYPE_CHECKING:
    from pathprior.beliefs.statement import Statement
    from pathprior.data.dataset import Dataset
    from pathprior.posterior.posterior import Posterior
    from pathprior.search.record import RecordedRun, RunInputs
    from pathprior.search.result import Fit
    from pathprior.search.settings import LearnSettings


def learn(
    context: typer.Context,
    data: options.DataFile = None,
    beliefs: options.BeliefFile = None,
    reliability: options.Reliability = None,
    out: options.OutFolder = Path("pathprior-results"),
    report: options.WithReport = False,
    evidence: options.WithEvidence = False,
    posterior: options.WithPosterior = False,
    repeat: options.RepeatFile = None,
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
    search: options.SearchName = "auto",
    swap: options.Swap = True,
    repair: options.Repair = "soft",
    pool: options.Pool = "sources",
    max_parents: options.MaxParents = None,
    required: options.Required = None,
    forbidden: options.Forbidden = None,
    tier: options.Tier = None,
    fixed: options.Fixed = None,
    constant_columns: options.ConstantColumns = "isolate",
    tabu: options.Tabu = None,
    shakes: options.Shakes = None,
    restarts: options.Restarts = 0,
    effort: options.Effort = "default",
    time_limit: options.TimeLimit = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = 1,
    progress: options.Progress = True,
) -> None:
    """Learn the network that fits data and beliefs best, and write it to a folder.

    Example: pathprior learn cohort.csv --beliefs beliefs.csv --out results --report

    Again, bit for bit: pathprior learn --from results/summary.json --out again
    """
    from pathprior.cli.progress import announce_compiling
    from pathprior.search.record import InputFile, RunInputs, read_summary
    from pathprior.search.settings import LearnSettings

    announce_compiling(context)
    if fixed is not None and not posterior:
        raise ReportError(
            "--fixed names what no experiment can set, which only --posterior asks: add that, or "
            "leave it out"
        )
    recorded = None
    if repeat is not None:
        require_no_settings(context)
        recorded = read_summary(repeat, data=data, beliefs=beliefs)
        inputs, settings = recorded.inputs, recorded.settings
    elif data is None:
        raise ReportError("name a data file to learn from, or a summary with --from")
    else:
        stated = None if beliefs is None else InputFile.of(beliefs)
        inputs = RunInputs(InputFile.of(data), stated, repair, pool, parse_columns(columns))
        settings = LearnSettings(
            reliability=parse_reliability(reliability),
            kinds=parse_kinds(real, discrete),
            interventions=interventions,
            interventions_kind=interventions_kind,
            missing=missing,
            score=parse_score(score, penalty),
            equivalent_sample_size=equivalent_sample_size,
            expected_parents=read_parents(expected_parents),
            search=search,
            swap_equivalent=None if swap else False,
            max_parents=max_parents,
            required=parse_edges(required),
            forbidden=parse_edges(forbidden),
            tiers=parse_tiers(tier),
            constant_columns=constant_columns,
            start=None,
            tabu=tabu,
            shakes=shakes,
            restarts=restarts,
            effort=effort,
            time_limit=time_limit,
            seed=seed,
        )
    progress = progress and error_console.is_terminal
    names = parse_fixed(fixed)
    dataset = _read(inputs, settings, names)
    fit = _learn(dataset, inputs, settings, num_jobs=jobs, progress=progress)
    written = _write(fit, out, inputs, recorded, report=report)
    if evidence and fit.has_beliefs and _may_go_on(fit, "evidence"):
        written.append(_compare(fit, out, num_jobs=jobs, progress=progress))
    if posterior and _may_go_on(fit, "posterior"):
        written.append(out / "posterior")
        _go_on(fit, out, inputs, report=report, fixed=names, num_jobs=jobs, progress=progress)
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


def _write(
    fit: "Fit", out: Path, inputs: "RunInputs", recorded: "RecordedRun | None", *, report: bool
) -> list[Path]:
    """Write the results, and say what they are; return their files."""
    from dataclasses import astuple

    from pathprior.report.write import write_fit

    files = write_fit(fit, out, inputs=inputs, report=report)
    print_fit(fit)
    print_files(files)
    if recorded is not None:
        print_repetition(recorded, files.network)
    return [path for path in astuple(files) if path is not None]


def _read(
    inputs: "RunInputs", settings: "LearnSettings", fixed: tuple[str, ...] | None
) -> "Dataset":
    """Read the data; a name in ``fixed`` that they lack is refused before anything is written."""
    from pathprior.data.door import read_dataset
    from pathprior.posterior.settings import named_variables

    dataset = read_dataset(
        inputs.data.path,
        columns=inputs.columns,
        kinds=dict(settings.kinds),
        interventions=settings.interventions,
        interventions_kind=settings.interventions_kind,
        missing=settings.missing,
    )
    named_variables(dataset.variables, fixed or ())
    return dataset


def _learn(
    dataset: "Dataset",
    inputs: "RunInputs",
    settings: "LearnSettings",
    *,
    num_jobs: int,
    progress: bool,
) -> "Fit":
    from dataclasses import asdict

    from pathprior.graph.dag import Dag
    from pathprior.search.learn import learn as learn_network

    prior = None
    statements: tuple[Statement, ...] = ()
    if inputs.beliefs is not None:
        prior, statements = fit_beliefs(
            inputs.beliefs.path,
            dataset,
            expected_parents=settings.expected_parents,
            repair=inputs.repair,
            pool=inputs.pool,
            seed=settings.seed,
            num_jobs=num_jobs,
            progress=progress,
            **{name: getattr(settings, name) for name in RULES},
        )
    pairs = {"kinds": dict(settings.kinds), "reliability": dict(settings.reliability)}
    how = asdict(settings) | pairs
    if settings.start is not None:
        how["start"] = Dag.from_edges(dataset.variables, settings.start)
    return learn_network(
        dataset, prior, statements=statements, **how, num_jobs=num_jobs, progress=progress
    )


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
    from dataclasses import asdict

    from pathprior.cli.posterior import CHECKPOINT, keep_posterior
    from pathprior.posterior.settings import PosteriorSettings

    how = asdict(PosteriorSettings(seed=fit.settings.seed, fixed=fixed))
    found = fit.posterior(
        **how, num_jobs=num_jobs, progress=progress, checkpoint=folder / CHECKPOINT
    )
    keep_posterior(found, folder, inputs=inputs, settings=asdict(fit.settings) | how)
    return found
