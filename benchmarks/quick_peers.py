"""The peers of `slow_peers.py` with their slowest functions computed faster, to the same values.

`hurry_causal_learn` and `hurry_ges` swap the functions in the imported packages; the searches
themselves stay the peers'. causal-learn's local score is summed in causal-learn's own order, so it
is the same float and ties fall the same way.
"""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import pathprior as pp

if TYPE_CHECKING:
    from causallearn.graph.Edge import Edge
    from causallearn.graph.GeneralGraph import GeneralGraph

Matrix = NDArray[np.float64]


def hurry_causal_learn(codes: NDArray[np.integer]) -> None:
    from causallearn.graph.GeneralGraph import GeneralGraph
    from causallearn.search.ScoreBased import GES

    GES.local_score_BDeu = bdeu_from_counts(codes)
    GES.insert_vc2_fast = is_blocked
    GES.dag2cpdag = complete
    GES.find_subset_include = including
    GeneralGraph.get_graph_edges = edges


def bdeu_from_counts(codes: NDArray[np.integer]) -> Callable[..., float]:
    """causal-learn's ``local_score_BDeu`` of these rows, counting without pandas.

    The groups come in the order of ``groupby``, the counts of a group largest first as from
    ``value_counts``, those of a node without parents in the order of ``np.unique``.
    """
    columns = [np.unique(column, return_inverse=True)[1] for column in codes]
    num_states = [int(column.max()) + 1 for column in columns]
    most = len(columns) - 1

    def local_score(data: Matrix, node: int, parents: Sequence[int], _: None = None) -> float:
        num_groups = math.prod(num_states[parent] for parent in parents)
        size, bound = num_states[node], 1
        group = np.zeros(len(data), dtype=np.int64)
        for parent in parents:
            group = group * num_states[parent] + columns[parent]
            bound *= num_states[parent]
            if bound > len(data):
                group = np.unique(group, return_inverse=True)[1]
                bound = int(group.max()) + 1
        counts = np.bincount(group * size + columns[node], minlength=size * bound)
        counts = counts.reshape(-1, size)
        counts = counts[counts.any(axis=1)]
        if parents:
            counts = -np.sort(-counts, axis=1)
        group_prior, cell_prior = 1 / num_groups, 1 / (size * num_groups)
        log_group, log_cell = math.lgamma(group_prior), math.lgamma(cell_prior)
        k = len(parents)
        score = 0 + (k * np.log(1 / most) + (most - k) * np.log(1 - 1 / most))
        for row in counts.tolist():
            cells = 0.0
            for count in row:
                if count:
                    cells += math.lgamma(count + cell_prior) - log_cell
            score += log_group - math.lgamma(sum(row) + group_prior) + cells
        return score

    return local_score


def is_blocked(start: int, end: int, blocking: set[int], after: dict[int, set[int]]) -> int:
    """Whether each semi-directed path meets ``blocking``: reachability instead of all paths."""
    seen = {start}
    stack = [start]
    while stack:
        fresh = after[stack.pop()] - seen - blocking
        if end in fresh:
            return 0
        seen |= fresh
        stack.extend(fresh)
    return 1


@cache
def ones(length: int) -> Matrix:
    return np.ones(length)


def including(subset: Sequence[int], subsets: Sequence[Sequence[int]]) -> Matrix:
    """One for each of ``subsets`` that includes ``subset``; the search only reads it."""
    if len(subset) == 0:
        return ones(len(subsets))
    return np.array([float(set(subset) <= set(other)) for other in subsets])


def edges(graph: "GeneralGraph") -> list["Edge"]:
    """The edges of a graph of tails and arrowheads, without looking at each pair of nodes."""
    nodes = graph.nodes
    pairs = np.argwhere(np.triu(graph.graph.T != 0, 1)).tolist()
    return [graph.get_edge(nodes[i], nodes[j]) for i, j in pairs]


def complete(dag: "GeneralGraph") -> "GeneralGraph":
    """causal-learn's ``dag2cpdag``, but for a table of paths that its search does not read."""
    nodes = dag.get_nodes()
    names = tuple(node.get_name() for node in nodes)
    cpdag = pp.Cpdag.from_dag(pp.Dag(names, (dag.graph == 1).T)).adjacency
    marks = -(cpdag | cpdag.T).astype(int)
    marks[(cpdag & ~cpdag.T).T] = 1
    completed = type(dag)(nodes)
    completed.graph = marks
    return completed


def hurry_ges() -> None:
    from ges import main, utils

    utils.semi_directed_paths = Paths()
    # An operator's matrix is built only if the operator is chosen.
    for name in ("insert", "delete", "turn"):
        setattr(main, name, partial(partial, getattr(main, name)))
    to_cpdag = utils.pdag_to_cpdag
    utils.pdag_to_cpdag = lambda chosen: to_cpdag(chosen())


class Paths:
    """The semi-directed paths without a shortcut, in place of all.

    ``ges`` asks whether all paths, or all but the edge itself, meet a set. A path with a shortcut
    meets each set that the shorter path meets, so it need not be looked at. ``ges`` never changes a
    matrix that it has searched, so what follows from the last one is kept.
    """

    def __init__(self) -> None:
        self.matrix: Matrix | None = None
        self.after: list[set[int]] = []
        self.before: list[set[int]] = []
        self.above: dict[int, set[int]] = {}

    def __call__(self, start: int, end: int, matrix: Matrix) -> Iterator[list[int]]:
        if matrix is not self.matrix:
            self.matrix = matrix
            self.after = [set(np.flatnonzero(row).tolist()) for row in matrix]
            self.before = [set(np.flatnonzero(column).tolist()) for column in matrix.T]
            self.above = {}
        start, end = int(start), int(end)
        if end not in self.above:
            self.above[end] = closure(end, self.before)
        if start not in self.above[end]:
            return iter(())
        return self.paths(start, end)

    def paths(self, start: int, end: int) -> Iterator[list[int]]:
        if end in self.after[start]:
            yield [start, end]
        useful = self.above[end]
        # the path so far; the nodes that may not follow: on it, or next to an earlier node
        stack = [([start, v], self.after[start] | {start}) for v in self.after[start] - {end}]
        while stack:
            path, closed = stack.pop()
            following = self.after[path[-1]]
            if end in following:
                yield [*path, end]
            else:
                closed_now = closed | following
                stack += [([*path, v], closed_now) for v in (following & useful) - closed]


def closure(node: int, links: Sequence[Collection[int]]) -> set[int]:
    seen = {node}
    stack = [node]
    while stack:
        fresh = set(links[stack.pop()]) - seen
        seen |= fresh
        stack.extend(fresh)
    return seen
