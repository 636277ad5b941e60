"""Edges told from longer paths: configurations of ties out of configurations of relations.

A DAG with the edge x → y is one without it, and without a path y ⇒ x, plus that edge. So with C + e
the configuration of all pairs of the belief nodes after the edge e is added to a DAG with C,

    N(C′, e) = β Σ_{C : C + e = C′} N(C, no e),

and where C has no path x ⇒ y, N(C, no e) = N(C). Solved for the edge, with the sum over C ≠ C′:

    N(C′, e) = β / (1 + β) · (N(C′) + Σ N(C)).

Adding e leaves all other edges as they are, so edges are told apart one after the other.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.base import UNIFORM, expected_edges
from pathprior.counting.result import Table
from pathprior.graph.tie import Tie
from pathprior.kernels.graph.ancestors import CAUSED_BY, CAUSES, CONFOUNDED, UNRELATED

Rows = NDArray[np.int8]

LEAST_SHARE = 1e-12
"""What is left without an edge counts as nothing below this share of a configuration."""


def tell_edges_apart(
    table: Table,
    num_beliefs: int,
    ends: Sequence[tuple[int, int]],
    edge_odds: float,
    *,
    may_be: Callable[[int, int], bool] = lambda tail, head: True,
) -> Table:
    """Ties of the pairs ``ends``, relations of the others, from relations of all pairs.

    Edges that ``may_be`` denies there are none: then there must be no paths either.

    The columns of ``table`` are all pairs (a, b), a < b, of the belief nodes in order. Exact:
    integers stay integers.
    """
    columns = {pair: k for k, pair in enumerate(combinations(range(num_beliefs), 2))}
    rows = table.configurations
    num_relations = rows.shape[1]
    counts = None if table.counts is None else np.array(table.counts, dtype=object)
    weights = table.probabilities if counts is None else counts
    error = max(table.relative_error, np.finfo(float).eps)
    for x, y in ends:
        for tail, head in ((x, y), (y, x)):
            if not may_be(tail, head):
                rows = np.column_stack([rows, np.zeros(len(rows), np.int8)])
                continue
            grown, target = _add_edge(rows, num_relations, num_beliefs, tail, head)
            with_edge = np.zeros_like(weights)
            np.add.at(with_edge, target, weights[grown])
            if counts is None:
                with_edge = edge_odds / (1 + edge_odds) * with_edge
            else:
                with_edge = with_edge // 2
            without = weights - with_edge
            if counts is None:
                lost = error * np.maximum(weights, with_edge)
                without[without <= np.maximum(LEAST_SHARE * weights, 10 * lost)] = 0.0
            is_there = np.concatenate([np.zeros(len(rows)), np.ones(len(rows))])
            weights = np.concatenate([without, with_edge])
            rows = np.column_stack([np.vstack([rows, rows]), is_there.astype(np.int8)])
            kept = weights > 0
            rows, weights = rows[kept], weights[kept]
            if counts is None:
                share = (without + with_edge)[without > 0] / without[without > 0]
                error *= float(share.max(initial=1.0))
    ties = rows[:, :num_relations].copy()
    for k, (x, y) in enumerate(ends):
        column = columns[(x, y) if x < y else (y, x)]
        forward, back = (rows[:, num_relations + 2 * k + i] == 1 for i in range(2))
        if x > y:
            forward, back = back, forward
        ties[forward, column], ties[back, column] = Tie.EDGE, Tie.EDGE_BACK
    order = np.lexsort(ties.T[::-1])
    if counts is None:
        return Table(ties[order], _shares(weights[order]), relative_error=float(error))
    total = sum(weights.tolist())
    return Table(
        ties[order],
        np.array([count / total for count in weights[order]]),
        counts=tuple(int(count) for count in weights[order]),
    )


def _shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def _add_edge(
    rows: Rows, num_relations: int, num_beliefs: int, x: int, y: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows to which x → y can be added, and the row that each then becomes."""
    reaches = np.zeros((len(rows), num_beliefs, num_beliefs), dtype=bool)
    shares = np.zeros_like(reaches)
    reaches[:, range(num_beliefs), range(num_beliefs)] = True
    for k, (a, b) in enumerate(combinations(range(num_beliefs), 2)):
        reaches[:, a, b], reaches[:, b, a] = rows[:, k] == CAUSES, rows[:, k] == CAUSED_BY
        shares[:, a, b] = shares[:, b, a] = rows[:, k] != UNRELATED
    shares |= reaches
    grown = np.flatnonzero(~reaches[:, y, x])
    reaches, shares = reaches[grown], shares[grown]
    below = reaches[:, y, :]  # gain x and all above it as ancestors
    meets = shares[:, x, :]  # have a common ancestor with x
    longer = reaches | (reaches[:, :, x, None] & below[:, None, :])
    common = shares | (below[:, :, None] & meets[:, None, :]) | (meets[:, :, None] & below[:, None])
    common |= below[:, :, None] & below[:, None, :]
    after = rows[grown].copy()
    for k, (a, b) in enumerate(combinations(range(num_beliefs), 2)):
        after[:, k] = np.select(
            [longer[:, a, b], longer[:, b, a], common[:, a, b]],
            [CAUSES, CAUSED_BY, CONFOUNDED],
            UNRELATED,
        )
    # two bits a pair, one a possible edge: at most 60 for six belief nodes
    shifts = np.concatenate(
        [2 * np.arange(num_relations), 2 * num_relations + np.arange(rows.shape[1] - num_relations)]
    )
    keys, new_keys = (some.astype(np.int64) @ (1 << shifts) for some in (rows, after))
    order = np.argsort(keys)
    return grown, order[np.searchsorted(keys, new_keys, sorter=order)]


def link_columns(configurations: Rows, direct: Sequence[int]) -> Rows:
    """Relation codes with a further column per pair of ``direct``: 1 for x → y, 2 for x ← y."""
    ties = configurations[:, list(direct)]
    links = np.where(ties == Tie.EDGE, 1, np.where(ties == Tie.EDGE_BACK, 2, 0)).astype(np.int8)
    relations = configurations.copy()
    relations[relations == Tie.EDGE] = CAUSES
    relations[relations == Tie.EDGE_BACK] = CAUSED_BY
    return np.column_stack([relations, links])


def merge_links(rows: Rows, num_pairs: int, direct: Sequence[int]) -> Rows:
    """The inverse of `link_columns`."""
    ties: Rows = rows[:, :num_pairs].copy()
    for k, column in enumerate(direct):
        links = rows[:, num_pairs + k]
        ties[links == 1, column] = Tie.EDGE
        ties[links == 2, column] = Tie.EDGE_BACK
    return ties


def num_spread(relations: Rows, direct: Collection[int]) -> int:
    """How many rows `spread_edges` makes, room aside."""
    is_path = relations[:, sorted(direct)] <= CAUSED_BY
    return int((2 ** is_path.sum(axis=1)).sum())


def spread_edges(relations: Rows, direct: Collection[int], num_hidden: int) -> Rows:
    """Valid configurations of ties, from those of relations, in lexicographic order.

    A path may always run along an edge. Without one it needs a node in between; left out are the
    rows with more such paths than hidden nodes are sure to be left beside common causes, of which
    some may be valid.
    """
    ties = relations
    needed = (relations == CONFOUNDED).sum(axis=1)
    for column in sorted(direct):
        is_path = ties[:, column] <= CAUSED_BY
        edged = ties[is_path].copy()
        edged[:, column] += Tie.EDGE - Tie.CAUSES
        needed = np.concatenate([needed + is_path, needed[is_path]])
        ties = np.vstack([ties, edged])
    kept = ties[(needed <= num_hidden) | ~_lacks_edge(ties, direct)]
    order = np.lexsort(kept.T[::-1])
    spread: Rows = kept[order]
    return spread


def _lacks_edge(ties: Rows, direct: Collection[int]) -> NDArray[np.bool_]:
    """Whether a path of ``direct`` has no edge."""
    return np.asarray((ties[:, sorted(direct)] <= CAUSED_BY).any(axis=1))


def edge_probability(num_nodes: int, edge_odds: float = UNIFORM) -> float:
    """Probability of one directed edge under the base measure: mean edges / ordered pairs."""
    return expected_edges(num_nodes, edge_odds) / (num_nodes * (num_nodes - 1))
