"""Draws graphs for a problem until what they say has settled."""

import warnings
from collections.abc import Iterable
from dataclasses import replace
from os import PathLike
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior import onward
from pathprior.errors import PathPriorWarning, PosteriorError
from pathprior.graph.dag import Dag
from pathprior.posterior.before import (
    MAX_SECONDS,
    has_other,
    name_rules,
    needs_drawing,
    without_data,
)
from pathprior.posterior.doubts import Doubts, doubt
from pathprior.posterior.drawing import Chains, Enumerate, Sample
from pathprior.posterior.draws import Draws
from pathprior.posterior.judge import make_judge
from pathprior.posterior.posterior import Posterior
from pathprior.posterior.questions import ask_either
from pathprior.posterior.settings import EXACT, PosteriorSettings
from pathprior.posterior.settling import PosteriorStop, warn_of_unsettled
from pathprior.problem.pair_codes import graph_of, read_codes
from pathprior.problem.problem import Problem
from pathprior.problem.unseen_edges import allow_for_unseen, share_of
from pathprior.score.averaged_bdeu import AveragedBdeu
from pathprior.score.named import AUTO as AUTO_SCORE
from pathprior.score.named import AVERAGED
from pathprior.search.choice import EQUIVALENT, on_score
from pathprior.search.interrupt import StopRequest, ending_by, stop_on_interrupt
from pathprior.search.method import Method, Watch
from pathprior.search.progress import OnProgress, watching
from pathprior.search.result import Fit
from pathprior.search.settings import check_num_jobs

ROUNDING = 1e-9
"""What sums of the same scores may differ by."""
JUDGING = 0.1
"""Share of the time limit that is left for the errors of what was drawn."""
BEFORE = 0.15
"""Share of it for the beliefs within the rules, where they are drawn."""
NO_BEFORE = (
    "How probable the beliefs are within the rules, before the data, was not drawn: there is no "
    "evidence."
)


def sample_problem(
    problem: Problem,
    start: Dag,
    settings: PosteriorSettings,
    *,
    method: Method[Sample] | None = None,
    num_jobs: int = 1,
    progress: bool | OnProgress = False,
    checkpoint: str | PathLike[str] | None = None,
    is_interrupted: bool = False,
    left_out: tuple[str, ...] = (),
) -> Posterior:
    """Weigh the graphs of a problem; ``start`` is the best of them that is known.

    ``method`` does so in place of what the settings say; ``is_interrupted`` says that Ctrl-C came
    before, ``left_out`` what there was no time for. The time limit counts from now on, unless
    `ending_by` says less.
    """
    check_num_jobs(num_jobs, PosteriorError)
    fixed = settings.fixed_among(problem.data.variables, problem.rules.first_tier)
    problem = replace(problem, start=start.reorder(problem.rules.variables))
    problem = average_sizes(problem, settings)
    unseen = share_of(settings.unseen, problem)
    problem = allow_for_unseen(problem, unseen)
    # from a start that was cut off they would not come again
    kept_in = None if left_out else checkpoint
    if method is None:
        method = method_for(problem, settings, num_jobs=num_jobs, checkpoint=kept_in)
    limit, omitted = settings.time_limit, list(left_out)
    with (
        ending_by(monotonic() + limit),
        stop_on_interrupt() as stop,
        watching(progress) as on_progress,
    ):
        if is_interrupted:
            stop.interrupt()
        share = JUDGING + (BEFORE if needs_drawing(problem) else 0.0)
        found = method.run(problem, Watch(stop.by(stop.end - share * limit), on_progress))
        omitted += found.left_out
        until = Watch(stop.by(stop.end - JUDGING * limit), on_progress)
        before = _draw_before(problem, settings, until, omitted, num_jobs=num_jobs)
        # where all graphs were weighed, there is no hurry
        unhurried = StopRequest() if found.draws.is_exact else stop
        posterior = replace(
            _make(problem, settings, method, fixed, found),
            before=before,
            ruled_out_by=name_rules(problem, before),
            left_out=tuple(omitted),
            unseen=unseen,
            doubts=_doubt(problem, found.draws, before, unhurried),
        )
        if found.reason not in (PosteriorStop.SETTLED, PosteriorStop.EXACT):
            posterior = posterior.judged_by(stop.end)
            warn_of_unsettled(posterior.errors, settings.precision)
    return posterior


def method_for(
    problem: Problem,
    settings: PosteriorSettings,
    *,
    num_jobs: int,
    checkpoint: str | PathLike[str] | None = None,
) -> Method[Sample]:
    """What draws or weighs the graphs of a problem."""
    has_gaps = problem.data.imputed is not None
    if settings.method_for(problem.start.num_nodes, has_gaps=has_gaps) == EXACT:
        return Enumerate()
    return Chains(settings.num_chains, settings.seed, settings.precision, num_jobs, checkpoint)


def average_sizes(problem: Problem, settings: PosteriorSettings) -> Problem:
    """The same problem by the score that "auto" is where graphs of states are weighed.

    What `learn` takes by itself finds the best graph as well; of its probabilities more are wrong.
    """
    if settings.score != AUTO_SCORE or problem.data.reals.variables:
        return problem
    if problem.data.imputed is not None:
        return problem
    score = AveragedBdeu(settings.equivalent_sample_size)
    with warnings.catch_warnings():
        # what there is to say of the columns was said when the problem was made
        warnings.simplefilter("ignore", PathPriorWarning)
        scorer = score.bind(problem.data.select(problem.rules.variables))
    return replace(problem, score=score, scorer=scorer, score_name=AVERAGED)


def _doubt(
    problem: Problem, draws: Draws, before: NDArray[np.float64] | None, stop: StopRequest
) -> Doubts | None:
    """What other models say of the beliefs; None where there are none."""
    table = problem.prior.table
    if not len(table):
        return None
    known = table["fitted"].to_numpy(float) if before is None else before
    return doubt(problem, draws, known, stop)


@onward.posterior.register
def _(
    fit: Fit,
    *,
    num_jobs: int,
    progress: bool | OnProgress,
    checkpoint: str | PathLike[str] | None,
    fixed: Iterable[str] | None,
    **options: Any,
) -> Posterior:
    """Weigh other graphs by the data, beliefs, score and rules of a learned one."""
    given = {**options, "fixed": fixed}
    taken = PosteriorSettings.take(given)
    asked = {name: getattr(taken, name) for name in given}
    problem = of_classes(fit)
    posterior = sample_problem(
        problem,
        fit.dag,
        fit.settings.shared_with(PosteriorSettings, **asked),
        num_jobs=num_jobs,
        progress=progress,
        checkpoint=checkpoint,
    )
    if problem is fit.problem:
        return posterior
    said = (
        f"Graphs are weighed by {problem.score_name}: by {fit.problem.score_name}, which found the "
        "network, directions would be certain that shapes alone tell."
    )
    return replace(posterior, left_out=(*posterior.left_out, said))


def of_classes(fit: Fit) -> Problem:
    """The problem of a fit, with a score that is equal for equivalent graphs if one was chosen.

    Where ``"auto"`` chose one that is not, it is the best of the others: nobody asked for
    directions by shape.
    """
    if not fit.weighed or fit.problem.scorer.is_score_equivalent:
        return fit.problem
    name = next(one.name for one in fit.weighed if one.name in EQUIVALENT)
    return on_score(fit.problem, name, fit.settings)


def _draw_before(
    problem: Problem,
    settings: PosteriorSettings,
    watch: Watch,
    omitted: list[str],
    *,
    num_jobs: int,
) -> NDArray[np.float64] | None:
    """Probability of each belief's event within the rules; NaN where there is no time to ask."""
    if not needs_drawing(problem):
        return None
    table = problem.prior.table
    prior = without_data(problem)
    method = method_for(prior, settings, num_jobs=num_jobs)
    if watch.stop.is_set and not isinstance(method, Enumerate):
        omitted.append(NO_BEFORE)
        return np.full(len(table), np.nan)
    found = method.run(prior, replace(watch, stop=watch.stop.by(monotonic() + MAX_SECONDS)))
    omitted += [f"Before the data: {sentence}" for sentence in found.left_out]
    draws = found.draws
    judge = make_judge(draws)
    before = []
    for x, event, y in zip(table["x"], table["event"], table["y"], strict=True):
        holds, otherwise = ask_either(judge, x, event, y)
        # rounding would leave a doubt where there is none
        probability = min(float(holds.mean[0]), 1.0) if otherwise > 0 else 1.0
        if not draws.is_exact and probability in (0.0, 1.0) and has_other(prior, x, event, y):
            probability += float(holds.error[0]) * (1.0 - 2.0 * probability)
        before.append(probability)
    return np.array(before)


def _make(
    problem: Problem,
    settings: PosteriorSettings,
    method: Method[Sample],
    fixed: tuple[str, ...],
    found: Sample,
) -> Posterior:
    start, draws = problem.start, found.draws
    variables = problem.data.variables
    position = int(draws.scores.argmax())
    best, best_score = draws.dag(position, variables), float(draws.scores.flat[position])
    known = _score(problem, start)
    # chains may have left the start before their first draw; of equals it is the one, and scores on
    # different draws of missing cells do not compare
    if known >= best_score - ROUNDING or problem.data.imputed is not None:
        best, best_score = start.reorder(variables), known
    testimony = problem.statements.testimony if problem.has_statements else None
    return Posterior(
        variables,
        draws,
        problem.prior,
        best,
        best_score,
        found.reason,
        settings,
        problem.prior_rows,
        problem=problem,
        method=method,
        completions=found.completions,
        testimony=testimony,
        fixed=fixed,
        tables=problem.scorer.tables,
    )


def _score(problem: Problem, dag: Dag) -> float:
    """Data score plus prior score, the nodes in the order of the problem."""
    families = (np.flatnonzero(column).tolist() for column in dag.adjacency.T)
    data_score = sum(problem.scorer.local(v, parents) for v, parents in enumerate(families))
    codes = read_codes(problem.weights, graph_of(dag))
    return (
        data_score
        + float(problem.statements.log_prior(codes))
        + dag.num_edges * problem.weights.log_edge_odds
    )
