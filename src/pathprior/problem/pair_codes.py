"""What graphs say of the pairs of a prior, as Python asks: kernels read it by themselves."""

from collections.abc import Callable

import numpy as np

from pathprior.graph.dag import Dag
from pathprior.kernels.graph.ancestors import Words, remove_edge
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.prior.graph_prior import Codes, GraphPrior, read_pairs

Change = Callable[[Words, Words, int, int], None]
"""Inserts or removes an edge, given parents and ancestors."""


def graph_of(dag: Dag) -> Graph:
    """A DAG as kernels change and read it; its nodes come in the order of the pairs' positions."""
    return Graph(dag.parent_words.copy(), dag.ancestor_words.copy())


def read_codes(prior: GraphPrior, graph: Graph) -> Codes:
    """What the graph says of each pair."""
    codes = np.empty(len(prior.pairs), np.int64)
    read_pairs(prior, graph, codes)
    return codes


def weigh_pairs(prior: GraphPrior, graph: Graph) -> float:
    """What the pairs weigh in the graph: −∞ where it breaks a hard belief."""
    return float(read_pairs(prior, graph, np.empty(len(prior.pairs), np.int64)))


def breaks_belief(prior: GraphPrior, graph: Graph) -> bool:
    """Whether some pair has a tie of weight −∞."""
    return weigh_pairs(prior, graph) == -np.inf


def changed(graph: Graph, change: Change, edge: tuple[int, int]) -> Graph:
    """The graph with one edge more or less."""
    other = Graph(graph.parents.copy(), graph.ancestors.copy())
    change(other.parents, other.ancestors, *edge)
    return other


def removal_losses(prior: GraphPrior, dag: Dag) -> dict[tuple[int, int], float]:
    """What the pairs lose without each edge, all others kept."""
    edges = [(int(u), int(v)) for u, v in np.argwhere(dag.adjacency)]
    if not len(prior.pairs):
        return dict.fromkeys(edges, 0.0)
    graph, rows = graph_of(dag), np.arange(len(prior.pairs))

    def weigh(other: Graph) -> float:
        return float(prior.log_weights[rows, read_codes(prior, other)].sum())

    here = weigh(graph)
    return {edge: here - weigh(changed(graph, remove_edge, edge)) for edge in edges}
