"""`sample_posterior`: graphs weighed by how probable data and beliefs make them."""

from collections.abc import Iterable
from contextlib import nullcontext
from time import monotonic
from typing import Any

import numpy as np

from pathprior import onward
from pathprior.beliefs.belief import Belief
from pathprior.counting.expected_parents import AUTO, ExpectedParents
from pathprior.data.door import Tabular, read_dataset
from pathprior.data.interventions import HARD, Interventions
from pathprior.data.kinds import Kinds
from pathprior.graph.dag import Dag
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.graph.pairs import read_pairs
from pathprior.posterior.chains import sample_chains
from pathprior.posterior.draws import Draws
from pathprior.posterior.exact import enumerate_posterior
from pathprior.posterior.kept import KeptDraws
from pathprior.posterior.posterior import Posterior
from pathprior.posterior.settings import EXACT, PosteriorSettings, check_posterior_settings
from pathprior.posterior.settling import PosteriorStop, unsettled_rows, warn_of_unsettled
from pathprior.prior.path_prior import PathPrior
from pathprior.score.named import AUTO as AUTO_SCORE
from pathprior.score.named import make_score, pick_score
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE
from pathprior.score.score import Score
from pathprior.search.interrupt import StopRequest, stop_on_interrupt
from pathprior.search.learn import learn
from pathprior.search.progress import progress_line
from pathprior.search.result import Fit
from pathprior.task.edge_rules import Edge
from pathprior.task.task import Task, make_task

ROUNDING = 1e-9
"""What sums of the same scores may differ by."""


def sample_posterior(
    data: Tabular,
    beliefs: "Iterable[Belief] | PathPrior | None" = None,
    *,
    expected_parents: ExpectedParents = AUTO,
    kinds: Kinds | None = None,
    interventions: "Interventions | None" = None,
    interventions_kind: str = HARD,
    score: str | Score = AUTO_SCORE,
    equivalent_sample_size: float = DEFAULT_SAMPLE_SIZE,
    max_parents: int | None = None,
    required: Iterable[Edge] = (),
    forbidden: Iterable[Edge] = (),
    tiers: Iterable[Iterable[str]] | None = None,
    constant_columns: str = "isolate",
    method: str = "auto",
    num_chains: int = 4,
    precision: float = 0.02,
    time_limit: float = 600.0,
    num_jobs: int = 1,
    seed: int = 0,
    progress: bool = False,
) -> Posterior:
    """Weigh graphs by P(G | data, beliefs) ∝ exp(data score) · β^edges · Π_k λ_k(relation of k).

    Where `learn` gives the best graph, this gives the probability of every edge and path. The
    order of the columns has no influence.

    Parameters
    ----------
    data, beliefs, expected_parents, kinds, interventions, interventions_kind, score, \
    equivalent_sample_size
        As in `learn`. Every score is read as a log marginal likelihood, which BDeu, BDe, K2 and BGe
        are; BIC is close to one.
    max_parents, required, forbidden, tiers, constant_columns
        As in `learn`: graphs that break a rule have probability 0, all others count.
    method
        ``"exact"`` weighs every graph, for up to five variables; ``"chains"`` draws graphs by
        Markov chains; ``"auto"`` is the former where it can be.
    num_chains
        Chains, each with a start of its own.
    precision
        Sampling ends when every edge, path and belief has a Monte Carlo standard error of at most
        this, and an R-hat of at most 1.01.
    time_limit
        Seconds after which it ends in any case, with a warning of what has not settled.
    num_jobs
        Chains at a time; −1 for as many as there are processors. It does not change the result.
    seed
        For the chains and for fitting the beliefs.
    progress
        Show a live line on standard error.

    Raises
    ------
    PosteriorError
        If an option cannot have its value, or there are too many variables for the method.
    SearchError
        If rules contradict each other, or a hard belief cannot be kept.

    Notes
    -----
    Ctrl-C ends sampling at the next safe point and returns what there is.

    Examples
    --------
    >>> import pathprior as pp
    >>> data = pp.load_network("asia").sample(500, seed=0)[["smoke", "lung", "bronc"]]
    >>> posterior = pp.sample_posterior(data, [pp.causes("smoke", "lung", 0.9)])
    >>> round(posterior.probability("smoke", "causes", "lung"), 3)
    0.961
    """
    settings = PosteriorSettings(method, num_chains, precision, time_limit, seed)
    check_posterior_settings(settings, num_jobs)
    dataset = read_dataset(
        data, kinds=kinds, interventions=interventions, interventions_kind=interventions_kind
    )
    shared: dict[str, Any] = {
        "expected_parents": expected_parents,
        "max_parents": max_parents,
        "required": required,
        "forbidden": forbidden,
        "constant_columns": constant_columns,
        "seed": seed,
    }
    if settings.method_for(len(dataset.variables)) == EXACT:
        picked = pick_score(score, dataset)
        made = make_score(picked, equivalent_sample_size=equivalent_sample_size)
        task = make_task(dataset, beliefs, made, tiers=tiers or (), **shared)
        start = task.start
    else:
        fit = learn(
            dataset,
            beliefs,
            score=score,
            equivalent_sample_size=equivalent_sample_size,
            tiers=tiers,
            progress=progress,
            **shared,
        )
        task, start = fit.task, fit.dag
    return sample_task(task, start, settings, num_jobs=num_jobs, progress=progress)


def sample_task(
    task: Task, start: Dag, settings: PosteriorSettings, *, num_jobs: int, progress: bool
) -> Posterior:
    """Weigh the graphs of a task; ``start`` is the best of them that is known."""
    check_posterior_settings(settings, num_jobs)
    start = start.reorder(task.rules.variables)
    if settings.method_for(start.num_nodes) == EXACT:
        return _make(task, start, enumerate_posterior(task), PosteriorStop.EXACT)
    with stop_on_interrupt() as stop:
        draws = _sample_chains(task, start, settings, stop, num_jobs=num_jobs, progress=progress)
    reason = PosteriorStop.INTERRUPTED if stop.is_set else PosteriorStop.TIME_LIMIT
    posterior = _make(task, start, draws, reason)
    unsettled = unsettled_rows(posterior.errors, settings.precision)
    if len(unsettled) == 0:
        return _make(task, start, draws, PosteriorStop.SETTLED)
    warn_of_unsettled(unsettled, settings.precision)
    return posterior


@onward.posterior.register
def _(fit: Fit, *, num_jobs: int, progress: bool, **options: Any) -> Posterior:
    """Weigh other graphs by the data, beliefs, score and rules of a learned one."""
    settings = PosteriorSettings(**options)
    return sample_task(fit.task, fit.dag, settings, num_jobs=num_jobs, progress=progress)


def _sample_chains(
    task: Task,
    start: Dag,
    settings: PosteriorSettings,
    stop: StopRequest,
    *,
    num_jobs: int,
    progress: bool,
) -> Draws:
    """Draw graphs until every probability has settled, time is up or Ctrl-C; then what there is.

    Whether they have is read from all graphs so far each time that these have doubled, so that a
    run that settles is a function of the seed, however long it took.
    """
    end = monotonic() + settings.time_limit
    sampler = sample_chains(
        task, start=start, num_chains=settings.num_chains, seed=settings.seed, num_jobs=num_jobs
    )
    kept = KeptDraws(sampler)
    kept.add()
    with progress_line() if progress else nullcontext() as on_progress:
        while True:
            draws = kept.draws(task.rules.variables)
            errors = _make(task, start, draws, PosteriorStop.TIME_LIMIT).errors
            if on_progress is not None:
                num_edges = int(np.bitwise_count(draws.parents[0, -1]).sum())
                on_progress(draws.scores.shape[1], float(draws.scores.max()), num_edges)
            if len(unsettled_rows(errors, settings.precision)) == 0:
                return draws
            for _ in range(kept.num_additions):
                if stop.is_set or monotonic() > end:
                    return kept.draws(task.rules.variables)
                kept.add()


def _make(task: Task, start: Dag, draws: Draws, reason: PosteriorStop) -> Posterior:
    variables = task.data.variables
    position = int(draws.scores.argmax())
    best, best_score = draws.dag(position, variables), float(draws.scores.flat[position])
    known = _score(task, start)
    # chains may have left the start before their first draw; of equals it is the one
    if known >= best_score - ROUNDING:
        best, best_score = start.reorder(variables), known
    return Posterior(variables, draws, task.prior, best, best_score, reason)


def _score(task: Task, dag: Dag) -> float:
    """Data score plus prior score, the nodes in the order of the task."""
    families = (np.flatnonzero(column).tolist() for column in dag.adjacency.T)
    data_score = sum(task.scorer.local(v, parents) for v, parents in enumerate(families))
    codes = np.empty(len(task.weights.pairs), np.int64)
    graph = Graph(dag.parent_words.copy(), dag.ancestor_words.copy())
    paths = float(read_pairs(task.weights, graph, codes))
    return data_score + paths + dag.num_edges * task.weights.log_edge_odds
