"""Which ties the edge rules leave to a pair of variables, and which rules rule the others out."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag
from pathprior.graph.edge_rules import EdgeRules
from pathprior.graph.tie import Tie
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.prior.ties import NUM_TIES


class PossibleTies:
    """The ties that graphs within the rules can give a pair.

    With ``graph``, only those that contain it. A tie is left out only if no such graph has it.
    The converse is not promised: two paths may get in each other's way, and ``max_parents`` counts
    only where the given parents are too many already.
    """

    def __init__(self, rules: EdgeRules, graph: Graph | None = None) -> None:
        dag = Dag(rules.variables, rules.required)
        parents, ancestors = graph or (dag.parent_words, dag.ancestor_words)
        edges = _unpack(parents).T
        # forced[v, u]: u is v, or a path of these edges leads from u to v
        self._forced = _unpack(ancestors)
        may_be = ~rules.forbidden & ~self._forced
        is_full = edges.sum(axis=0) >= rules.max_parents
        may_be[:, is_full] = edges[:, is_full]
        self._may_be = may_be
        self._edges = edges

    @property
    def edges(self) -> NDArray[np.bool_]:
        """The edges u → v that such a graph can have, ``[u, v]``."""
        return self._may_be

    def of(self, x: int, y: int) -> NDArray[np.bool_]:
        """Say for each `Tie` whether x and y can have it; of one not told here, whether they can
        have the relation that goes with it."""
        forced = self._forced
        is_path = bool(forced[y, x] or forced[x, y])
        common = self._above(x, without=y) & self._above(y, without=x)
        found = {
            Tie.CAUSES: self._has_way(x, y) and not forced[x, y] and not self._edges[x, y],
            Tie.CAUSED_BY: self._has_way(y, x) and not forced[y, x] and not self._edges[y, x],
            Tie.CONFOUNDED: common.any() and not is_path,
            Tie.UNRELATED: not (forced[x] & forced[y]).any(),
            Tie.EDGE: self._may_be[x, y],
            Tie.EDGE_BACK: self._may_be[y, x],
        }
        return np.array([found.get(tie, found[Tie(tie.relation)]) for tie in Tie])

    def _has_way(self, x: int, y: int) -> bool:
        """Whether a path other than the edge can lead from x to y."""
        below = _spread(self._may_be.T, x, without=y)
        below[x] = False
        return bool((below & self._may_be[:, y]).any())

    def above(self, *nodes: int) -> NDArray[np.bool_]:
        """The nodes from which a path can lead to some of ``nodes``, these among them."""
        found = np.zeros(len(self._may_be), dtype=bool)
        for node in nodes:
            found |= self._above(node)
        return found

    def _above(self, node: int, *, without: int | None = None) -> NDArray[np.bool_]:
        """The nodes from which a path can lead to ``node``, itself among them."""
        return _spread(self._may_be, node, without=without)


def _spread(edges: NDArray[np.bool_], node: int, *, without: int | None) -> NDArray[np.bool_]:
    """The nodes from which a path of ``edges`` leads to ``node``, itself among them."""
    found = np.zeros(len(edges), dtype=bool)
    found[node] = True
    latest = found
    while latest.any():
        latest = edges[:, latest].any(axis=1) & ~found
        if without is not None:
            latest[without] = False
        found |= latest
    return found


def _unpack(rows: Words) -> NDArray[np.bool_]:
    return np.array([unpack_row(row, len(rows)) for row in rows])


def possible_ties(rules: EdgeRules, pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which ties the rules leave each pair, pairs × ⟨⇒, ⇐, ⇔, ⇎, →, ←⟩."""
    possible = PossibleTies(rules)
    rows = [possible.of(x, y) for x, y in pairs.tolist()]
    return np.array(rows, dtype=bool).reshape(-1, NUM_TIES)


def blame(rules: EdgeRules, x: int, y: int, ties: Collection[int]) -> str:
    """Name the options that rule the ties of x and y out: each by itself, or all together."""
    guilty = [
        option
        for option in rules.options
        if not PossibleTies(rules.only(option)).of(x, y)[list(ties)].any()
    ]
    return " and ".join(guilty) if guilty else f"{' and '.join(rules.options)} together"
