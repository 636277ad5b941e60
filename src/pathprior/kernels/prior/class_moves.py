"""How much a move can add to the best prior of a class.

Why a move leaves many beliefs alone. A move (x, y, C) changes the parents of y, or of y and x where
it turns an edge, in some DAG G of the class. Which edges into a node are compelled depends on the
subgraph on its ancestors alone (Chickering, 1995, Label-Edges), so nothing changes at nodes that
are not below y in G. Let A be those nodes and take a pair in A: a path between its ends, or their
compelled ancestors, without chords and colliders runs through ancestors of the ends, so inside A.
So the relations that the members of the new class give to pairs in A are those that the members
of the present one give to them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.classes.state import (
    NUM_MOVES,
    Reach,
    spread_below,
)
from pathprior.kernels.graph.ancestors import UNRELATED, Words, has_bit
from pathprior.kernels.inner import inner
from pathprior.kernels.prior.graph_prior import GraphPrior, most_of, tells_edges
from pathprior.kernels.prior.ties import COMMON, JOINED_WITHOUT_EDGE, WITH_EDGE, has_edge
from pathprior.kernels.steps import INSERT, REMOVE

ANY = -1
"""Stands for every parent."""


@inner
def is_associated(ancestors: Words, a: int, b: int) -> bool:
    """Whether the nodes have a common ancestor: in one DAG of a class iff in all."""
    common = np.uint64(0)
    for w in range(ancestors.shape[1]):
        common |= ancestors[a, w] & ancestors[b, w]
    return common != 0


@inner
def bound_prior_gain(
    prior: GraphPrior, ancestors: Words, reach: Reach, move: int, x: int, y: int
) -> float:
    """Bound what a move (x, y, C) adds to the prior, whatever the clique; x may be `ANY`.

    A pair counts with

    - nothing, if it keeps its relation: neither end is below y, and the class leaves no choice,
      because of a compelled path or because no path can be had, or because the ends are
      independent (x ⇎ y);
    - the best of ⇒, ⇐ and ⇔ otherwise; and of ⇎ where a path between the ends, one of them below y
      and the other associated with x, comes or goes. An insertion never makes a pair independent, a
      removal never associates one.

    Where edges are told from longer paths, → and ← stand for ⇒ and ⇐ if the ends are adjacent. They
    stay so, or not, but for x and y themselves: that pair counts with the best of → and ←, or after
    a removal of all others. With `ANY` the pair of y that has most to gain by that counts so.
    """
    pairs, log_weights = prior.pairs, prior.log_weights
    certain, below = reach.certain, reach.below
    total, most = 0.0, 0.0
    for k in range(pairs.shape[0]):
        a, b, relation = pairs[k, 0], pairs[k, 1], reach.codes[k]
        weights, now = log_weights[k], log_weights[k, relation]
        path, edge = most_of(weights, JOINED_WITHOUT_EDGE) - now, most_of(weights, WITH_EDGE) - now
        related = path
        if has_edge(relation):
            related = max(edge, most_of(weights, COMMON) - now)
        own, is_own = 0.0, False
        if tells_edges(weights):
            own = max(path, weights[UNRELATED] - now) if move == REMOVE else edge
            is_own = (a == y and (b == x or x == ANY)) or (b == y and (a == x or x == ANY))
        if is_own and x != ANY:
            total += own
            continue
        before = total
        is_a_below, is_b_below = has_bit(below[y], a), has_bit(below[y], b)
        if not is_a_below and not is_b_below:
            if (
                relation != UNRELATED
                and not has_bit(certain[b], a)
                and not has_bit(certain[a], b)
                and (has_bit(below[a], b) or has_bit(below[b], a))
            ):
                total += related
            continue
        is_b_joined = is_a_below and (x == ANY or is_associated(ancestors, b, x))
        is_a_joined = is_b_below and (x == ANY or is_associated(ancestors, a, x))
        may_change = is_a_joined or is_b_joined or (move != INSERT and move != REMOVE)
        if relation == UNRELATED:
            if move != REMOVE and may_change:
                is_certain = (
                    move == INSERT
                    and x != ANY
                    and (
                        (is_b_joined and has_bit(certain[a], y))
                        or (is_a_joined and has_bit(certain[b], y))
                    )
                )
                total += related if is_certain else max(0.0, related)
        elif move != INSERT and may_change:
            total += max(related, weights[UNRELATED] - now)
        else:
            total += related
        if is_own:
            most = max(most, own - (total - before))
    return total + most


@inner
def bound_prior_gains(
    prior: GraphPrior, pdag: Words, ancestors: Words, reach: Reach, slack: NDArray[np.float64]
) -> None:
    """Fill the slack of all moves and what the bounds of single moves rest on."""
    any_parent: Any = np.int64(ANY)  # not a literal: the callee would be compiled again
    num_nodes = slack.shape[1]
    for y in range(num_nodes):
        spread_below(pdag, reach.below[y], y)
    for move in range(NUM_MOVES):
        for y in range(num_nodes):
            slack[move, y] = bound_prior_gain(prior, ancestors, reach, move, any_parent, y)
