"""The posterior over all DAGs on a few nodes, from its definition."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from tests.oracles.graph import BoolMatrix, all_dags


@dataclass(frozen=True)
class Everything:
    """Every DAG on some nodes, and the relation of every pair in it."""

    adjacencies: NDArray[np.bool_]
    relations: NDArray[np.int64]  # 0 for ⇒, 1 for ⇐, 2 for ⇔, 3 for ⇎, [dag, x, y]


@cache
def everything(num_nodes: int) -> Everything:
    """List all DAGs; a path is a chain of fewer than n edges."""
    adjacencies = np.array(all_dags(num_nodes))
    return Everything(adjacencies, relations(adjacencies))


def relations(adjacencies: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The paper's §3, for many graphs."""
    num_nodes = adjacencies.shape[-1]
    step = (adjacencies | np.eye(num_nodes, dtype=bool)).astype(np.int64)
    leads = step
    for _ in range(num_nodes):
        leads = np.minimum(leads @ step, 1)
    shared = np.swapaxes(leads, -1, -2) @ leads
    codes = np.where(shared > 0, 2, 3)
    codes = np.where(np.swapaxes(leads, -1, -2) > 0, 1, codes)
    return np.where(leads > 0, 0, codes)


def probabilities(
    num_nodes: int,
    local: Callable[[int, Sequence[int]], float],
    pairs: NDArray[np.int64],
    log_weights: NDArray[np.float64],
    log_edge_odds: float,
    required: BoolMatrix,
    forbidden: BoolMatrix,
    max_parents: int,
) -> NDArray[np.float64]:
    """P(G) ∝ exp(Σ_v local) · β^edges · Π λ within the rules, one for each DAG."""
    dags = everything(num_nodes)
    total = log_edge_odds * dags.adjacencies.sum(axis=(1, 2)).astype(float)
    for v in range(num_nodes):
        for chosen in product((False, True), repeat=num_nodes):
            has_family = (dags.adjacencies[:, :, v] == chosen).all(axis=1)
            if has_family.any():
                total[has_family] += local(v, np.flatnonzero(chosen).tolist())
    for (x, y), weights in zip(pairs, log_weights, strict=True):
        total += weights[dags.relations[:, x, y]]
    breaks = (required & ~dags.adjacencies).any(axis=(1, 2))
    breaks |= (forbidden & dags.adjacencies).any(axis=(1, 2))
    breaks |= dags.adjacencies.sum(axis=1).max(axis=1) > max_parents
    total[breaks] = -np.inf
    shares = np.exp(total - total.max())
    result: NDArray[np.float64] = shares / shares.sum()
    return result
