"""One step over one node's parent sets: add or remove a parent, or exchange one for another."""

import numpy as np

from pathprior.kernels.data.columns import READY
from pathprior.kernels.graph.ancestors import clear_bit, set_bit, set_size
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
    find_candidates,
    score_family,
)
from pathprior.kernels.random import draw_below

ADD, REMOVE = 0, 1
"""Two of the three kinds of steps; the third does both."""


@inner
def walk(target: Target, families: Families, chain: Chain) -> int:
    """Draw a node v and, with even chances, add, remove or exchange a parent.

    Candidates may be parents of v and need not be, and are not below v; they are the same before
    and after, because what is below v does not depend on v's parents. One of the a
    that are no parents is added, one of the r that are is removed, or both, each drawn uniformly.
    The ratio is

        exp(s_v(P′) − s_v(P)) · Π λ(G′) / Π λ(G) · {a / (r + 1), r / (a + 1), 1}.
    """
    parents, scratch, row = chain.graph.parents, chain.scratch, chain.proposal.families[0]
    inside, outside = scratch.saved[0], scratch.saved[1]
    v = draw_below(chain.random, parents.shape[0])
    kind = draw_below(chain.random, 3)
    find_below(chain, v, v, scratch.below[0])
    find_candidates(target.limits, families.everyone, scratch.below[0], v, outside)
    for w in range(parents.shape[1]):
        row[w] = parents[v, w]
        inside[w] = outside[w] & row[w]
        outside[w] &= ~row[w]
    num_inside, num_outside = set_size(inside), set_size(outside)
    log_ratio = 0.0
    if kind != ADD:
        if num_inside == 0:
            return REJECTED
        clear_bit(row, draw_member(inside, draw_below(chain.random, num_inside)))
    if kind != REMOVE:
        if num_outside == 0 or set_size(row) >= target.limits.max_parents:
            return REJECTED
        set_bit(row, draw_member(outside, draw_below(chain.random, num_outside)))
    if kind == ADD:
        log_ratio = np.log(num_outside / (num_inside + 1))
    elif kind == REMOVE:
        log_ratio = np.log(num_inside / (num_outside + 1))
    score = score_family(families, chain.tally, v, row)
    if chain.tally.entry != READY:
        return WAITING
    chain.proposal.nodes[0] = v
    chain.proposal.scores[0] = score
    return decide(target, chain, 1, log_ratio + score - chain.local[v])
