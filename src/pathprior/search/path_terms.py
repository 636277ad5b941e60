"""`PathTerms`: what paths add to families in fractions, as fractions of the ties of each pair.

Of each pair one tie is claimed. That of an edge comes to as much as the families with that edge;
of the others nothing is said at first but what they weigh, so that the best are claimed for
nothing. What a graph then has otherwise is cut off: a path that is claimed must enter each set of
nodes that has its end and not its beginning; one that is denied lacks an edge; of two nodes that
are claimed to have a common ancestor one must have a parent outside the ancestors that they have.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow, shortest_path

from pathprior.kernels.graph.ancestors import CAUSED_BY, CAUSES, CONFOUNDED, UNRELATED
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.kernels.prior.ties import EDGE, EDGE_BACK, NUM_TIES
from pathprior.search.parent_sets import ParentSets

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Edges = frozenset[tuple[int, int]]
LEAST_VIOLATION = 1e-3
"""By how much fractions must break a cut that they are to keep."""
UNITS = 10**6
"""Parts of one that flows come in."""


@dataclass(frozen=True, slots=True)
class PathCut:
    """What all graphs keep, as a sum that is ``least`` or more.

    Of the families of nodes in a set that have a parent outside, for each set ``entered``; less
    those with an edge, for each of ``edges``; and of the ``ties`` of a pair, ``sign`` times.
    """

    entered: frozenset[int]
    edges: Edges
    pair: int
    ties: tuple[int, ...]
    sign: float
    least: float


@dataclass(slots=True, eq=False)
class PathTerms:
    """The pairs, what their ties weigh, and the cuts known so far."""

    prior: GraphPrior
    num_nodes: int
    cuts: list[PathCut] = field(default_factory=list)

    @property
    def num_pairs(self) -> int:
        """How many there are."""
        return len(self.prior.pairs)

    @property
    def is_allowed(self) -> NDArray[np.bool_]:
        """By tie of the pairs, one pair after the other: whether it may be."""
        return np.isfinite(self.prior.log_weights).ravel()

    @property
    def weights(self) -> Floats:
        """What the ties weigh; those that may not be nothing."""
        return np.where(self.is_allowed, self.prior.log_weights.ravel(), 0.0)

    # -- as rows of a programme -------------------------------------------------------------------

    def links(self, families: ParentSets) -> csr_array:
        """Rows that are zero: the tie of an edge less the families with the edge."""
        families_part = np.zeros((2 * self.num_pairs, len(families.scores)))
        ties_part = np.zeros((2 * self.num_pairs, NUM_TIES * self.num_pairs))
        for k, (x, y) in enumerate(self.prior.pairs.tolist()):
            for i, (tie, u, v) in enumerate([(EDGE, x, y), (EDGE_BACK, y, x)]):
                families_part[2 * k + i] = -_with_edge(families, u, v).astype(float)
                ties_part[2 * k + i, NUM_TIES * k + tie] = 1.0
        return csr_array(np.hstack([families_part, ties_part]))

    def rows(self, families: ParentSets) -> tuple[csr_array, Floats]:
        """Rows of the cuts, and what they come to at least."""
        families_part = np.zeros((len(self.cuts), len(families.scores)))
        ties_part = np.zeros((len(self.cuts), NUM_TIES * self.num_pairs))
        for row, cut in enumerate(self.cuts):
            for nodes in cut.entered:
                families_part[row] += _entering(families, nodes)
            for u, v in cut.edges:
                families_part[row] -= _with_edge(families, u, v)
            for tie in cut.ties:
                ties_part[row, NUM_TIES * cut.pair + tie] = cut.sign
        least = np.array([cut.least for cut in self.cuts])
        return csr_array(np.hstack([families_part, ties_part])), least

    def _add(self, cuts: list[PathCut]) -> int:
        known = set(self.cuts)
        new = [cut for cut in dict.fromkeys(cuts) if cut not in known]
        self.cuts += new
        return len(new)

    # -- what fractions break ---------------------------------------------------------------------

    def find(self, families: ParentSets, fractions: Floats, ties: Floats) -> int:
        """Add cuts that the fractions break; return how many. There may be others."""
        if self.num_pairs == 0:
            return 0
        n = self.num_nodes
        members = (families.sets[:, None] >> np.arange(n) & 1) * fractions[:, None]
        edges = np.minimum(np.add.reduceat(members, families.first[:-1], axis=0).T, 1.0)
        # lengths of no length at all would be no edges
        lengths = np.where(edges > 0.0, np.maximum(1.0 - edges, 1e-12), np.inf)
        lengths[~np.isfinite(lengths)] = 0.0
        distances, before = shortest_path(csr_array(lengths), return_predecessors=True)
        cuts = []
        for k, x, y, direct in self._directions():
            claimed = ties[k, list(direct)].sum()
            if distances[x, y] < 1.0 - claimed - LEAST_VIOLATION:
                cuts.append(_denied(k, direct, _path(before, x, y)))
            if claimed > LEAST_VIOLATION:
                nodes = _narrowest(edges, x, y)
                if fractions @ _entering(families, nodes) < claimed - LEAST_VIOLATION:
                    cuts.append(_claimed(k, direct, nodes))
        for k, (x, y) in enumerate(self.prior.pairs.tolist()):
            both = distances[:, x] + distances[:, y]
            both[[x, y]] = inf
            z = int(both.argmin())
            if both[z] < ties[k, UNRELATED] - LEAST_VIOLATION:
                cuts.append(_unrelated(k, _path(before, z, x) | _path(before, z, y)))
        return self._add(cuts)

    def _directions(self) -> Iterator[tuple[int, int, int, tuple[int, int]]]:
        """Both directions of each pair: its number, the ends, and the ties that say x ⇒ y."""
        for k, (x, y) in enumerate(self.prior.pairs.tolist()):
            yield k, x, y, (CAUSES, EDGE)
            yield k, y, x, (CAUSED_BY, EDGE_BACK)

    # -- what a graph has otherwise ---------------------------------------------------------------

    def correct(self, parents: list[int], ties: Ints) -> int:
        """Add cuts that a graph with other ties than claimed breaks; return how many."""
        if self.num_pairs == 0:
            return 0
        n = self.num_nodes
        adjacency = np.array([[bool(nodes >> u & 1) for nodes in parents] for u in range(n)])
        distances, before = shortest_path(
            csr_array(adjacency.astype(float)), unweighted=True, return_predecessors=True
        )
        above = [sum(1 << u for u in range(n) if distances[u, v] < inf) for v in range(n)]
        cuts = []
        for k, x, y, direct in self._directions():
            is_claimed, is_so = bool(ties[k] in direct), bool(above[y] >> x & 1)
            if is_claimed and not is_so:
                nodes = sum(1 << v for v in range(n) if not above[v] >> x & 1)
                cuts.append(_claimed(k, direct, nodes))
            if is_so and not is_claimed:
                cuts.append(_denied(k, direct, _path(before, x, y)))
        for k, (x, y) in enumerate(self.prior.pairs.tolist()):
            if ties[k] == CONFOUNDED and not above[x] & above[y]:
                entered = frozenset([above[x], above[y]])
                cuts.append(PathCut(entered, frozenset(), k, (UNRELATED,), 1.0, 1.0))
            if ties[k] == UNRELATED and above[x] & above[y]:
                both = distances[:, x] + distances[:, y]
                z = int(both.argmin())
                edges = _path(before, z, x) | _path(before, z, y)
                cuts.append(_unrelated(k, edges))
        return self._add(cuts)


def _claimed(pair: int, direct: tuple[int, int], nodes: int) -> PathCut:
    """The path x ⇒ y enters nodes that have y and not x."""
    return PathCut(frozenset([nodes]), frozenset(), pair, direct, -1.0, 0.0)


def _denied(pair: int, direct: tuple[int, int], edges: Edges) -> PathCut:
    """Without x ⇒ y an edge of each path is missing."""
    return PathCut(frozenset(), edges, pair, direct, 1.0, 1.0 - len(edges))


def _unrelated(pair: int, edges: Edges) -> PathCut:
    """Between x and y that are not associated an edge of each fork is missing."""
    return PathCut(frozenset(), edges, pair, (UNRELATED,), -1.0, -float(len(edges)))


def _with_edge(families: ParentSets, u: int, v: int) -> NDArray[np.bool_]:
    """Families of v with u as a parent."""
    found: NDArray[np.bool_] = (families.children == v) & (families.sets >> u & 1 == 1)
    return found


def _entering(families: ParentSets, nodes: int) -> NDArray[np.bool_]:
    """Families of these nodes with a parent that is none of them."""
    found: NDArray[np.bool_] = (nodes >> families.children & 1 == 1) & (
        families.sets & ~np.int64(nodes) != 0
    )
    return found


def _path(before: NDArray[np.int32], x: int, y: int) -> Edges:
    """The edges of the shortest path."""
    edges = set()
    while y != x:
        u = int(before[x, y])
        edges.add((u, y))
        y = u
    return frozenset(edges)


def _narrowest(edges: Floats, x: int, y: int) -> int:
    """Nodes with y and without x that the least comes into from outside."""
    capacities = csr_array((edges * UNITS).astype(np.int32))
    flow = maximum_flow(capacities, x, y).flow
    left = csr_array(((capacities - flow) > 0).astype(np.int8))
    reached = breadth_first_order(left, x, return_predecessors=False)
    return sum(1 << v for v in range(len(edges)) if v not in set(reached.tolist()))
