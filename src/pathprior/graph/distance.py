"""How far apart two graphs are: the structural Hamming distance, precision and recall."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.cpdag import Cpdag
from pathprior.graph.dag import Dag, require_same_nodes
from pathprior.graph.equivalence import essential_matrix


def shd(a: Dag | Cpdag, b: Dag | Cpdag) -> int:
    """Structural Hamming distance of the two graphs' CPDAGs (Tsamardinos et al., 2006).

    One unit for every pair of nodes whose edge must be added, removed, or changed in orientation
    (reversed, made directed or made undirected). Markov-equivalent DAGs are at distance 0. A DAG is
    compared with a CPDAG that experiments made more directed under the same experiments.

    Parameters
    ----------
    a, b
        Graphs on the same nodes, listed in any order.

    Raises
    ------
    GraphError
        If the graphs have different nodes.
    """
    require_same_nodes(a.nodes, b.nodes)
    return _hamming(*_class_matrices(a, b))


def sums_of_distances(classes: Sequence[Cpdag]) -> NDArray[np.int64]:
    """For each of some CPDAGs the sum of its `shd` to all of them; nodes in the same order."""
    stack = np.array([one.adjacency for one in classes])
    totals = []
    for adjacency in stack:
        differs = stack != adjacency
        totals.append(int((differs | differs.transpose(0, 2, 1)).sum()) // 2)
    return np.array(totals)


@dataclass(frozen=True, slots=True)
class GraphComparison:
    """An estimated graph against the true one, edge by edge.

    Precision is the share of the estimate's edges that are right, recall the share of the true
    edges that were found; NaN where there is no edge to take a share of.

    Attributes
    ----------
    shd
        Structural Hamming distance of the CPDAGs.
    dag_shd
        Structural Hamming distance of the DAGs themselves; None unless both graphs are DAGs.
    skeleton_precision, skeleton_recall
        Over adjacent pairs, directions ignored.
    orientation_precision, orientation_recall
        Over the directed edges of the CPDAGs; right means directed the same way.
    """

    shd: int
    dag_shd: int | None
    skeleton_precision: float
    skeleton_recall: float
    orientation_precision: float
    orientation_recall: float


def compare(estimate: Dag | Cpdag, truth: Dag | Cpdag) -> GraphComparison:
    """Compare an estimated graph with the true one on the same nodes, listed in any order."""
    require_same_nodes(estimate.nodes, truth.nodes)
    found, true = _class_matrices(estimate, truth)
    skeleton_found, skeleton_true = np.triu(found | found.T), np.triu(true | true.T)
    directed_found, directed_true = found & ~found.T, true & ~true.T
    are_dags = isinstance(estimate, Dag) and isinstance(truth, Dag)
    return GraphComparison(
        shd=_hamming(found, true),
        dag_shd=_hamming(estimate.adjacency, truth.reorder(estimate.nodes).adjacency)
        if are_dags
        else None,
        skeleton_precision=_share(skeleton_found & skeleton_true, skeleton_found),
        skeleton_recall=_share(skeleton_found & skeleton_true, skeleton_true),
        orientation_precision=_share(directed_found & directed_true, directed_found),
        orientation_recall=_share(directed_found & directed_true, directed_true),
    )


def _class_matrices(a: Dag | Cpdag, b: Dag | Cpdag) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Adjacencies of the graphs' CPDAGs, rows and columns in the order of the first one's nodes.

    A DAG is looked at under the experiments of the other graph's class.
    """
    ordered = (a, b.reorder(a.nodes))
    cut = next((g.cut for g in ordered if isinstance(g, Cpdag) and g.cut is not None), None)
    first, second = (
        g.adjacency if isinstance(g, Cpdag) else essential_matrix(g, cut) for g in ordered
    )
    return first, second


def _hamming(a: NDArray[np.bool_], b: NDArray[np.bool_]) -> int:
    differs = a != b
    return int(np.triu(differs | differs.T).sum())


def _share(part: NDArray[np.bool_], whole: NDArray[np.bool_]) -> float:
    return float(part.sum() / whole.sum()) if whole.any() else float("nan")
