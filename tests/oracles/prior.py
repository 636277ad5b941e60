"""Priors from the definition: every DAG listed, every sum written out. For n ≤ 5."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray


@cache
def all_dags(num_nodes: int) -> NDArray[np.bool_]:
    """All labelled DAGs as adjacency matrices, [d, i, j] is i → j."""
    pairs = [(i, j) for i in range(num_nodes) for j in range(i + 1, num_nodes)]
    choices = np.array(list(product(range(3), repeat=len(pairs))), dtype=np.int8)
    graphs = np.zeros((len(choices), num_nodes, num_nodes), dtype=bool)
    for k, (i, j) in enumerate(pairs):
        graphs[:, i, j] = choices[:, k] == 1
        graphs[:, j, i] = choices[:, k] == 2
    reach = ancestors(graphs) & ~np.eye(num_nodes, dtype=bool)
    # i reaches j and j reaches i for some i ≠ j iff there is a cycle
    cyclic = (reach & reach.transpose(0, 2, 1)).any(axis=(1, 2))
    return graphs[~cyclic]


def ancestors(graphs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """[d, i, j]: i is an ancestor of j in graph d, every node its own ancestor."""
    reach = graphs | np.eye(graphs.shape[1], dtype=bool)
    for _ in range(graphs.shape[1]):
        reach = (reach.astype(np.int64) @ reach.astype(np.int64)) > 0
    return reach


def relations(graphs: NDArray[np.bool_], i: int, j: int) -> NDArray[np.int8]:
    """Relation code of (i, j) in every graph."""
    anc = ancestors(graphs)
    share = (anc[:, :, i] & anc[:, :, j]).any(axis=1)
    codes = np.where(anc[:, i, j], 0, np.where(anc[:, j, i], 1, np.where(share, 2, 3)))
    return codes.astype(np.int8)


def count_table(
    pairs: Sequence[tuple[int, int]], num_nodes: int
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """All configurations that occur, in lexicographic order, and how many DAGs have each."""
    graphs = all_dags(num_nodes)
    codes = np.stack([relations(graphs, i, j) for i, j in pairs], axis=1)
    configurations, counts = np.unique(codes, axis=0, return_counts=True)
    return configurations.astype(np.int8), counts.astype(np.int64)


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


def dags_with(codes: dict[tuple[int, int], int], num_nodes: int) -> Iterator[NDArray[np.bool_]]:
    """Yield the DAGs in which every pair has the given relation code."""
    graphs = all_dags(num_nodes)
    held = np.ones(len(graphs), dtype=bool)
    for (i, j), code in codes.items():
        held &= relations(graphs, i, j) == code
    yield from graphs[held]
