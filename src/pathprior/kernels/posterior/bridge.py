"""Lay, remove or move an edge on the way from one end of a belief to the other.

A belief may ask for a path that the data do not need. Then some weak edge is there for its sake
alone, one of many that would do, and blind steps rarely find another.
"""

from typing import Any

import numpy as np

from pathprior.kernels.bits import lowest_bit, popcount
from pathprior.kernels.data.columns import READY
from pathprior.kernels.graph.ancestors import ONE, Words, clear_bit, has_bit, set_bit, set_size
from pathprior.kernels.graph.flood import fill_above
from pathprior.kernels.graph.graph_state import Limits
from pathprior.kernels.inner import inner
from pathprior.kernels.posterior.state import (
    REJECTED,
    WAITING,
    Chain,
    Families,
    Target,
    decide,
    draw_member,
    find_below,
    score_family,
)
from pathprior.kernels.random import draw_below

LAY, REMOVE = 0, 1
"""Two of the three kinds of moves; the third does both."""
NOBODY = np.int64(-1)


@inner
def bridge(target: Target, families: Families, chain: Chain) -> int:
    """Draw a pair with a belief, which end is x and which y, and lay, remove or move an edge.

    Of a graph G let D be x and all below it, A be y and all above it, m(G) the number of edges from
    D to A, which are those on paths x ⇒ y. To lay an edge, p is drawn from D and q from A, each
    uniformly; p → q must be new, legal and close no cycle. To remove one, it is drawn from those
    m(G). To move one, it is removed, which gives H, and another is laid in H. With D and A of the
    smaller one of G and G′, where an edge is laid or removed, the ratio is

        {|D| |A| / m(G′), m(G) / (|D| |A|), m(G) / m(G′)}
            · Π over changed nodes of exp(s(P′) − s(P)) · Π λ(G′) / Π λ(G).
    """
    pairs, below = target.prior.pairs, chain.scratch.below
    if pairs.shape[0] == 0:
        return REJECTED
    k, side = draw_below(chain.random, pairs.shape[0]), draw_below(chain.random, 2)
    x, y = pairs[k, side], pairs[k, 1 - side]
    kind = draw_below(chain.random, 3)
    u, v, p, q = NOBODY, NOBODY, NOBODY, NOBODY
    before, after = 1, 1
    if kind != LAY:
        before = find_way(chain, x, y)
        if before == 0:
            return REJECTED
        u, v = draw_on_way(chain, draw_below(chain.random, before))
        if has_bit(target.limits.required[v], u):
            return REJECTED
        cut(chain, u, v)
    find_way(chain, x, y)
    size = set_size(below[1]) * set_size(below[2])
    if kind == LAY:
        before = size
    if kind == REMOVE:
        after = size
    else:
        p = np.int64(draw_member(below[1], draw_below(chain.random, set_size(below[1]))))
        q = np.int64(draw_member(below[2], draw_below(chain.random, set_size(below[2]))))
        after = count_after(target.limits, chain, p, q)
    if u != NOBODY:
        set_bit(chain.graph.parents[v], u)
        set_bit(chain.children[0, u], v)
    if after == 0 or (p == u and q == v):
        return REJECTED
    return propose(target, families, chain, u, v, p, q, np.log(before / after))


@inner
def cut(chain: Chain, u: int, v: int) -> None:
    """Take u → v away for a while."""
    clear_bit(chain.graph.parents[v], u)
    clear_bit(chain.children[0, u], v)


@inner
def find_way(chain: Chain, x: int, y: int) -> int:
    """Fill rows 1 and 2 of ``scratch.below`` with D and A; count the edges from D to A."""
    below = chain.scratch.below
    find_below(chain, x, x, below[1])
    fill_above(chain.graph.parents, y, chain.scratch.pending[0], below[2])
    return count_edges_between(chain.graph.parents, below[1], below[2])


@inner
def count_edges_between(parents: Words, tails: Words, heads: Words) -> int:
    """Number of edges from ``tails`` to ``heads``."""
    total = 0
    for block in range(heads.shape[0]):
        word = heads[block]
        while word != 0:
            v = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for w in range(tails.shape[0]):
                total += popcount(parents[v, w] & tails[w])
    return total


@inner
def draw_on_way(chain: Chain, rank: int) -> tuple[Any, Any]:
    """The edge u → v from D to A with ``rank`` before it."""
    parents, tails, heads = chain.graph.parents, chain.scratch.below[1], chain.scratch.below[2]
    inside = chain.scratch.saved[0]
    left = np.int64(rank)
    for block in range(heads.shape[0]):
        word = heads[block]
        while word != 0:
            v = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for w in range(tails.shape[0]):
                inside[w] = parents[v, w] & tails[w]
            size = set_size(inside)
            if left < size:
                return np.int64(draw_member(inside, left)), np.int64(v)
            left -= size
    return NOBODY, NOBODY


@inner
def count_after(limits: Limits, chain: Chain, p: int, q: int) -> int:
    """m once p → q is laid; 0 if it must not be."""
    parents, below = chain.graph.parents, chain.scratch.below
    if (
        p == q
        or has_bit(parents[q], p)
        or has_bit(limits.forbidden[q], p)
        or set_size(parents[q]) >= limits.max_parents
    ):
        return 0
    find_below(chain, q, q, below[3])
    if has_bit(below[3], p):
        return 0
    fill_above(chain.graph.parents, p, chain.scratch.pending[0], below[4])
    for w in range(below.shape[1]):
        below[3, w] |= below[1, w]
        below[4, w] |= below[2, w]
    return 1 + count_edges_between(parents, below[3], below[4])


@inner
def propose(
    target: Target,
    families: Families,
    chain: Chain,
    u: int,
    v: int,
    p: int,
    q: int,
    log_ratio: float,
) -> int:
    """Propose p → q in place of u → v, either of which may be nobody's."""
    parents, proposal, below = chain.graph.parents, chain.proposal, chain.scratch.below
    num_words, num_changed = parents.shape[1], 0
    if u != NOBODY:
        for w in range(num_words):
            proposal.families[0, w] = parents[v, w]
        clear_bit(proposal.families[0], u)
        proposal.nodes[0] = v
        num_changed = 1
    if p != NOBODY:
        if q != v:
            for w in range(num_words):
                proposal.families[num_changed, w] = parents[q, w]
            proposal.nodes[num_changed] = q
            num_changed += 1
        set_bit(proposal.families[num_changed - 1], p)
    for w in range(num_words):
        below[0, w] = np.uint64(0)
    for i in range(num_changed):
        node = proposal.nodes[i]
        proposal.scores[i] = score_family(families, chain.tally, node, proposal.families[i])
        if chain.tally.entry != READY:
            return WAITING
        log_ratio += proposal.scores[i] - chain.local[node]
        find_below(chain, node, node, below[1])
        for w in range(num_words):
            below[0, w] |= below[1, w]
    return decide(target, chain, num_changed, log_ratio)
