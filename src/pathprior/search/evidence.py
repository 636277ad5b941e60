"""How much better the best graph with a believed event is than the best without it."""

from dataclasses import dataclass, replace
from math import log, log1p
from typing import TYPE_CHECKING

import numpy as np

from pathprior.beliefs.event import Event
from pathprior.beliefs.evidence import NOT_KNOWN, SETTLED, Evidence, evidence_of
from pathprior.errors import SearchError
from pathprior.graph.tie import ALL_TIES, Tie
from pathprior.prior.belief_table import belief_probabilities, contradicted_first, speakers
from pathprior.prior.constraints import find_pair
from pathprior.problem.pair_codes import breaks_belief, graph_of
from pathprior.problem.problem import Problem
from pathprior.problem.start import UndecidedError, find_start
from pathprior.problem.unseen_edges import AUTO as UNSEEN_AUTO
from pathprior.problem.unseen_edges import allow_for_unseen, share_of
from pathprior.search.directions import score_data
from pathprior.search.interrupt import StopRequest
from pathprior.search.plan import make_plan
from pathprior.search.restarts import search_again
from pathprior.search.settings import LearnSettings, check_num_jobs

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.search.progress import OnProgress
    from pathprior.search.result import Fit


@dataclass(frozen=True, slots=True)
class _Side:
    """One search: the graphs in which some pair has one of these ties."""

    pair: int
    ties: frozenset[Tie]


def profile_evidence(
    fit: "Fit",
    *,
    restarts: int,
    seed: int,
    num_jobs: int,
    on_progress: "OnProgress | None" = None,
) -> "pd.DataFrame":
    """Search twice for each belief: among the graphs with its event, and among those without."""
    check_num_jobs(num_jobs)
    LearnSettings.take({"restarts": restarts, "seed": seed})
    # each side is one search and its restarts
    settings = replace(fit.settings, restarts=restarts, seed=seed, effort="quick", time_limit=None)
    table = belief_probabilities(fit.prior.table)
    sides = [
        side
        for row in zip(table["x"], table["event"], table["y"], strict=True)
        for side in _sides(fit, *map(str, row))
    ]
    scores: dict[_Side, float] = {}
    for side in sides:
        if side not in scores:
            scores[side] = _best_score(fit, side, settings, num_jobs)
            if on_progress is not None:
                on_progress(len(scores), scores[side], fit.dag.num_edges)
    best = np.array([scores[side] for side in sides]).reshape(-1, 2)
    table["with_event"], table["without_event"] = best.T
    probabilities = table[["fitted", "baseline"]].to_numpy(float)
    weighed = [_compare(*row) for row in np.hstack([best, probabilities]).tolist()]
    table["log_ratio"] = [evidence.log_factor for evidence in weighed]
    table["evidence"] = [evidence.words for evidence in weighed]
    given = list(zip(weighed, speakers(fit.prior.table), table["stated"], strict=True))
    table["is_contradicted"] = [found.agrees(stated) is False for found, _, stated in given]
    table["sentence"] = [_sentence(*row) for row in given]
    return contradicted_first(table, "log_ratio")


def _sides(fit: "Fit", x: str, event: str, y: str) -> tuple[_Side, _Side]:
    """The two halves into which an event cuts the graphs."""
    index = {name: v for v, name in enumerate(fit.prior.variables)}
    found = find_pair(fit.prior.pairs, index[x], index[y])
    assert found is not None  # every belief's pair is listed
    pair, is_reversed = found
    holds = Event.parse(event).ties
    ties = frozenset(tie.reverse for tie in holds) if is_reversed else holds
    return _Side(pair, ties), _Side(pair, ALL_TIES - ties)


def _best_score(fit: "Fit", side: _Side, settings: LearnSettings, num_jobs: int) -> float:
    """The best score on one side, −∞ if rules or hard beliefs leave no graph there.

    NaN if whether they do was not found out. The graph that is found is scored as a posterior does,
    where that allows for edges too weak to be seen.

    Starts at the learned graph where that is on this side.
    """
    try:
        problem = _restrict(fit, side)
    except UndecidedError:
        return np.nan
    except SearchError:
        return -np.inf
    plan, stop = make_plan(problem, settings), StopRequest()
    result = plan.run(problem, plan.options, stop, None)
    if settings.restarts:
        result = search_again(plan, problem, result, stop, num_jobs=num_jobs)
    share = share_of(UNSEEN_AUTO, problem)
    if share == 0.0:
        return float(result.data_score + result.prior_score)
    scored = score_data(allow_for_unseen(problem, share), result.adjacency)
    return float(scored + result.prior_score)


def _restrict(fit: "Fit", side: _Side) -> Problem:
    problem = fit.problem
    log_weights = problem.weights.log_weights.copy()
    log_weights[side.pair, sorted(ALL_TIES - side.ties)] = -np.inf
    weights = problem.weights._replace(log_weights=log_weights)
    learned = fit.dag.reorder(problem.rules.variables)
    if breaks_belief(weights, graph_of(learned)):
        learned = find_start(problem.rules, weights.pairs, weights.log_weights)
    return replace(problem, weights=weights, start=learned)


def _compare(best_with: float, best_without: float, fitted: float, baseline: float) -> Evidence:
    """What the scores say beyond what the beliefs have moved the log odds by already."""
    if np.isnan([best_with, best_without]).any():
        return Evidence(np.nan, NOT_KNOWN)
    if np.isneginf([best_with, best_without]).any():
        return Evidence(np.nan, SETTLED)
    believed = log(fitted) - log1p(-fitted) - log(baseline) + log1p(-baseline)
    return evidence_of(best_with - best_without - believed)


def _sentence(evidence: Evidence, speaker: str, stated: float) -> str:
    said = f"{speaker} said {stated:g}."
    if evidence.words == SETTLED:
        return f"{said} Rules and hard beliefs leave nothing to compare."
    if evidence.words == NOT_KNOWN:
        return f"{said} Whether a network is left with it and without it was not found out in time."
    size = f"{abs(evidence.log_factor):.1f}"
    if size == "0.0":
        return f"{said} To the data the best networks with it and without it are equally good."
    which = "with" if evidence.log_factor > 0 else "without"
    return f"{said} To the data the best network {which} it is better by {size}."
