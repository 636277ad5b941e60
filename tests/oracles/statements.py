"""Statements from their definition: what a source of known reliability says of each graph."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import roots_jacobi

from tests.oracles.posterior import everything

HELD = {
    "causes": {0, 4},
    "caused-by": {1, 5},
    "not-causes": {1, 2, 3, 5},
    "associated": {0, 1, 2, 4, 5},
    "not-associated": {3},
    "confounded": {2},
    "direct": {4},
    "not-direct": {0, 1, 2, 3, 5},
}
"""By word the ties for which it holds: ⇒ ⇐ ⇔ ⇎ without an edge, →, ←."""

Said = tuple[int, str, int, float]
"""x, the event word, y and the strength of a statement."""


def ties(num_nodes: int) -> NDArray[np.int64]:
    """The tie of each ordered pair in each DAG."""
    every = everything(num_nodes)
    found = np.where(every.adjacencies, 4, every.relations)
    return np.where(np.swapaxes(every.adjacencies, 1, 2), 5, found)


def baseline(num_nodes: int, edge_odds: float) -> NDArray[np.float64]:
    """Probabilities of the ties of nodes 0 and 1 over all DAGs, by counting."""
    weights = edge_odds ** everything(num_nodes).adjacencies.sum(axis=(1, 2)).astype(float)
    found = np.zeros(6)
    np.add.at(found, ties(num_nodes)[:, 0, 1], weights)
    return found / float(found.sum())


def says_so(
    ties: Sequence[int], said: Sequence[Said], usual: NDArray[np.float64], reliability: float
) -> float:
    """P(all statements of one source | graph, reliability), ``ties`` those of their pairs."""
    product = 1.0
    for true, (_, word, _, strength) in zip(ties, said, strict=True):
        event = HELD[word]
        # whoever does not speak of edges does not tell them from longer paths
        is_about_edge = word.endswith("direct")
        same = {true} if is_about_edge else {true, {0: 4, 4: 0, 1: 5, 5: 1}.get(true, true)}
        if true in event:
            product *= reliability**strength
        else:
            drawn = sum(usual[r] for r in event) / sum(usual[r] for r in range(6) if r not in same)
            product *= ((1 - reliability) * drawn) ** strength
    return product


def averaged(
    ties: Sequence[int],
    said: Sequence[Said],
    usual: NDArray[np.float64],
    shape: tuple[float, float],
) -> float:
    """The same averaged over reliability ~ Beta(a, b), by Gauss–Jacobi quadrature.

    So many points, because strengths make roots of the reliability.
    """
    a, b = shape
    points, weights = roots_jacobi(200, b - 1, a - 1)
    terms = [says_so(ties, said, usual, (1 + x) / 2) for x in points]
    return float(weights @ np.array(terms) / weights.sum())


def all_averaged(
    num_nodes: int, said: Sequence[Said], edge_odds: float, shape: tuple[float, float]
) -> NDArray[np.float64]:
    """P(statements of one source | graph) of each DAG."""
    usual = baseline(num_nodes, edge_odds)
    codes = ties(num_nodes)[:, [s[0] for s in said], [s[2] for s in said]]
    distinct, group = np.unique(codes, axis=0, return_inverse=True)
    found = [averaged(row, said, usual, shape) for row in distinct.tolist()]
    return np.array(found)[group.ravel()]
