"""Priors from the definition: every DAG listed, every sum written out. For n ≤ 5."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.dag import Dag
from pathprior.prior.path_prior import PathPrior
from tests.oracles.counting import Pairs, configuration_counts
from tests.oracles.graph import BoolMatrix
from tests.oracles.ties import tie


def count_table(pairs: Pairs, num_nodes: int) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """All configurations that occur, in lexicographic order, and how many DAGs have each."""
    rows = sorted(_counted(tuple(pairs), num_nodes).items())
    return np.array([row for row, _ in rows], np.int8), np.array([n for _, n in rows], np.int64)


_counted = cache(configuration_counts)


def log_prior(adjacency: BoolMatrix, pairs: Pairs, log_weights: NDArray[np.float64]) -> float:
    """Σ_k log_weights[k, tie of pair k]."""
    return float(sum(log_weights[k, tie(adjacency, x, y)] for k, (x, y) in enumerate(pairs)))


def event_rows(
    configurations: NDArray[np.int8], column: int, event: frozenset[int]
) -> NDArray[np.bool_]:
    """Which configurations have the event."""
    return np.isin(configurations[:, column], list(event))


Belief = tuple[int, Sequence[frozenset[int]], Sequence[float]]
"""(column, events, probabilities)"""


def _scale(
    joint: NDArray[np.float64],
    configurations: NDArray[np.int8],
    belief: Belief,
    goal: Sequence[float],
) -> NDArray[np.float64]:
    """Scale ``joint`` so that the events of one belief have the probabilities ``goal``."""
    column, events, _ = belief
    scaled = joint.copy()
    for event, p in zip(events, goal, strict=True):
        rows = event_rows(configurations, column, event)
        mass = joint[rows].sum()
        if mass > 0:
            scaled[rows] *= p / mass
    return scaled


def _marginals(
    joint: NDArray[np.float64], configurations: NDArray[np.int8], belief: Belief
) -> list[float]:
    column, events, _ = belief
    return [float(joint[event_rows(configurations, column, e)].sum()) for e in events]


def ipfp(
    configurations: NDArray[np.int8],
    uninformative: NDArray[np.float64],
    beliefs: Sequence[Belief],
    *,
    tolerance: float = 1e-14,
) -> NDArray[np.float64]:
    """Iterative proportional fitting: scale to each belief in turn until nothing moves."""
    joint = uninformative.copy()
    for _ in range(100_000):
        before = joint
        for belief in beliefs:
            joint = _scale(joint, configurations, belief, belief[2])
        if np.abs(joint - before).max() < tolerance:
            return joint
    raise AssertionError("IPFP did not converge")


def gema(
    configurations: NDArray[np.int8],
    uninformative: NDArray[np.float64],
    beliefs: Sequence[Belief],
) -> NDArray[np.float64]:
    """GEMA as stated in the paper's words: average of the scaled joints, then one IPFP sweep."""
    joint = uninformative.copy()
    while True:
        averaged = sum(_scale(joint, configurations, b, b[2]) for b in beliefs) / len(beliefs)
        following = joint
        for belief in beliefs:
            goal = _marginals(np.asarray(averaged), configurations, belief)
            following = _scale(following, configurations, belief, goal)
        if np.abs(following - joint).max() < 1e-6:
            return following
        joint = following


def soft_objective(
    joint: NDArray[np.float64],
    configurations: NDArray[np.int8],
    uninformative: NDArray[np.float64],
    beliefs: Sequence[Belief],
    strengths: Sequence[float],
) -> float:
    """KL(J ‖ U) + Σ_k s_k KL(π_k ‖ J_k)."""
    held = joint > 0
    value = float(np.sum(joint[held] * np.log(joint[held] / uninformative[held])))
    for belief, strength in zip(beliefs, strengths, strict=True):
        fitted = _marginals(joint, configurations, belief)
        value += strength * sum(
            p * np.log(p / q) for p, q in zip(belief[2], fitted, strict=True) if p > 0
        )
    return value


def pooled_log_probs(
    dags: Sequence[Dag], edge_odds: float, alone: Sequence[PathPrior]
) -> NDArray[np.float64]:
    """log P(G) ∝ log P₀(G) + Σ_s Σ_p log λ_sp(r_p(G)), normalised over all ``dags``.

    ``alone`` are priors fitted to the beliefs of one source each.
    """
    scores = np.array(
        [
            dag.num_edges * np.log(edge_odds)
            + sum(
                prior.log_weights[p, code]
                for prior in alone
                for p, code in enumerate(prior.configuration(dag))
            )
            for dag in dags
        ]
    )
    log_probs: NDArray[np.float64] = scores - np.logaddexp.reduce(scores)
    return log_probs
