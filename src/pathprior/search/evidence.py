"""How much better the best graph with a believed event is than the best without it."""

from dataclasses import replace
from math import log, log1p
from typing import TYPE_CHECKING

import numpy as np

from pathprior.beliefs.event import Event
from pathprior.beliefs.evidence import NOT_KNOWN, SETTLED, Evidence, evidence_of
from pathprior.errors import SearchError
from pathprior.graph.tie import ALL_TIES, Tie
from pathprior.prior.belief_table import belief_probabilities, contradicted_first, speakers
from pathprior.problem.start import UndecidedError
from pathprior.problem.unseen_edges import AUTO as UNSEEN_AUTO
from pathprior.problem.unseen_edges import allow_for_unseen, share_of
from pathprior.search.directions import score_data
from pathprior.search.interrupt import StopRequest
from pathprior.search.method import Watch
from pathprior.search.plan import make_plan
from pathprior.search.restarts import Restarts
from pathprior.search.settings import LearnSettings, check_num_jobs

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.search.progress import OnProgress
    from pathprior.search.result import Fit


Side = tuple[str, frozenset[Tie], str]
"""The graphs in which two variables have one of these ties."""


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
        for side in _sides(*map(str, row))
    ]
    scores: dict[Side, float] = {}
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


def _sides(x: str, event: str, y: str) -> tuple[Side, Side]:
    """The two halves into which an event cuts the graphs; the variables in the order of names."""
    holds = Event.parse(event).ties
    if x > y:
        x, y, holds = y, x, frozenset(tie.reverse for tie in holds)
    return (x, holds, y), (x, ALL_TIES - holds, y)


def _best_score(fit: "Fit", side: Side, settings: LearnSettings, num_jobs: int) -> float:
    """The best score on one side, −∞ if rules or hard beliefs leave no graph there.

    NaN if whether they do was not found out. The graph that is found is scored as a posterior does,
    where that allows for edges too weak to be seen.

    Starts at the learned graph where that is on this side.
    """
    try:
        problem = fit.problem.within(*side, start=fit.dag)
    except UndecidedError:
        return np.nan
    except SearchError:
        return -np.inf
    search = make_plan(problem, settings).search
    if settings.restarts:
        number, seed = settings.restarts, settings.seed
        search = Restarts(search, search.restarted(), number, seed, num_jobs)
    result = search.run(problem, Watch(StopRequest()))
    share = share_of(UNSEEN_AUTO, problem)
    if share == 0.0:
        return result.score
    scored = score_data(allow_for_unseen(problem, share), result.adjacency)
    return float(scored + result.prior_score)


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
