"""Exact sums over DAGs in tiers, where every edge but those back may be.

Tiers are added one after the other, the last one first. What the nodes so far reach of the belief
nodes is a state, with the weight of all DAGs that have it; states that are alike are put together.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.base import source_shares
from pathprior.counting.result import Table
from pathprior.counting.ties import tell_edges_apart
from pathprior.graph.edge_rules import EdgeRules
from pathprior.graph.possible_ties import PossibleTies
from pathprior.kernels.counting.tiers import add_tier
from pathprior.kernels.graph.ancestors import CAUSED_BY, CAUSES, CONFOUNDED, UNRELATED

MAX_BELIEF_NODES = 5
"""Belief nodes of one sum: each of n others may reach any of 2^5 sets of them."""
MAX_TIER = 40
"""Nodes of one tier; more have sums that leave the range of floats."""
MAX_STATES = 2_000_000
"""States after a tier, beyond which a sum takes too long: a second or two."""
ROUNDING = 1e-12
"""Bound on the relative error of a sum: all terms are positive."""


def find_tiers(rules: EdgeRules) -> NDArray[np.int64] | None:
    """The tier of each node, if the rules say no more than that edges do not go back; else None."""
    may_be = PossibleTies(rules).edges
    if rules.required.any() or (may_be.sum(axis=0) > rules.max_parents).any():
        return None
    # of two nodes in different tiers the earlier one has more that may be below it
    num_below = may_be.sum(axis=1)
    _, tier = np.unique(-num_below, return_inverse=True)
    forward = tier[:, None] <= tier[None, :]
    np.fill_diagonal(forward, val=False)
    return tier if bool((may_be == forward).all()) else None


def sum_over_tiers(
    tier: NDArray[np.int64],
    nodes: Sequence[int],
    edge_odds: float,
    ends: Sequence[tuple[int, int]] = (),
) -> Table | None:
    """Ties of all pairs of ``nodes``, told from paths at ``ends``; None where it takes too long.

    The columns are the pairs in order; ``ends`` are places among the nodes.
    """
    sizes = np.bincount(tier)
    if not 2 <= len(nodes) <= MAX_BELIEF_NODES or sizes.max() > MAX_TIER:
        return None
    own = tuple(int(tier[node]) for node in nodes)
    table = _relations(tuple(sizes.tolist()), own, edge_odds)
    if table is None or not ends:
        return table

    def may_be(tail: int, head: int) -> bool:
        return own[tail] <= own[head]

    return tell_edges_apart(table, len(nodes), ends, edge_odds, may_be=may_be)


@lru_cache(maxsize=256)
def _relations(sizes: tuple[int, ...], own: tuple[int, ...], edge_odds: float) -> Table | None:
    """Relations of all pairs of the belief nodes, which are in the tiers ``own``."""
    num_beliefs = len(own)
    num_sets = 1 << num_beliefs
    sets = np.array(sorted(range(num_sets), key=lambda s: (s.bit_count(), s)), np.int64)
    by_sinks = _by_sinks(max(sizes), edge_odds)
    reached = np.zeros((1, num_beliefs), np.uint8)
    counts, weights = np.zeros((1, num_sets), np.uint8), np.ones(1)
    for number in range(len(sizes) - 1, -1, -1):
        members = np.array([t for t, k in enumerate(own) if k == number], np.int64)
        room = (
            np.empty((MAX_STATES, num_beliefs), np.uint8),
            np.empty((MAX_STATES, num_sets), np.uint8),
            np.empty(MAX_STATES),
        )
        num_states = add_tier(
            reached, counts, weights, members, sizes[number] - len(members), sets, by_sinks,
            float(np.log1p(edge_odds)), *room,
        )  # fmt: skip
        if num_states < 0:
            return None
        reached, counts = room[0][:num_states], room[1][:num_states]
        weights = room[2][:num_states]
        if number:
            reached, counts, weights = _put_together(reached, counts, weights)
    return _table(reached, counts, weights)


def _by_sinks(num_nodes: int, edge_odds: float) -> NDArray[np.float64]:
    """``[u, s]``: weight of the DAGs on u nodes with s sinks."""
    found = source_shares(num_nodes, edge_odds)
    total = np.ldexp(found.sums, found.exponents)
    return np.asarray(found.shares * total[:, None])


def _put_together(
    reached: NDArray[np.uint8], counts: NDArray[np.uint8], weights: NDArray[np.float64]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.float64]]:
    """States that are alike as one."""
    rows = np.ascontiguousarray(np.hstack([reached, counts]))
    keys = rows.view(np.dtype((np.void, rows.shape[1]))).ravel()
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    summed = np.bincount(group, weights=weights, minlength=len(first))
    return reached[first].copy(), counts[first].copy(), summed / summed.max()


def _table(
    reached: NDArray[np.uint8], counts: NDArray[np.uint8], weights: NDArray[np.float64]
) -> Table:
    """The relations that states come to."""
    num_beliefs, num_sets = reached.shape[1], counts.shape[1]
    pairs = list(combinations(range(num_beliefs), 2))
    code = np.zeros(len(weights), np.int64)
    for a, b in pairs:
        both = [s for s in range(num_sets) if s >> a & 1 and s >> b & 1]
        relation = np.select(
            [
                (reached[:, a] >> b) & 1 == 1,
                (reached[:, b] >> a) & 1 == 1,
                (counts[:, both] > 0).any(axis=1),
            ],
            [CAUSES, CAUSED_BY, CONFOUNDED],
            UNRELATED,
        )
        code = 4 * code + relation
    distinct, group = np.unique(code, return_inverse=True)
    shares = np.bincount(group, weights=weights, minlength=len(distinct))
    shifts = 2 * np.arange(len(pairs) - 1, -1, -1)
    rows = ((distinct[:, None] >> shifts) & 3).astype(np.int8)
    return Table(rows, shares / shares.sum(), relative_error=ROUNDING)
