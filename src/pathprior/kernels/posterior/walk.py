"""One step over one node's parent sets: add or remove a parent, or exchange one for another."""

from pathprior.kernels.data.columns import READY
from pathprior.kernels.graph.ancestors import Words, clear_bit, has_bit, set_bit, set_size
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


@inner
def walk(target: Target, families: Families, chain: Chain) -> int:
    """Draw a node v and, with even chances, toggle one candidate or exchange a parent for one.

    Candidates may be parents of v and need not be, and are not below v. They are the same before
    and after, because what is below v does not depend on v's parents. So toggling a uniform
    candidate is symmetric, and so is exchanging a uniform parent among them for a uniform one that
    is no parent: the number of parents stays. The ratio is

        exp(s_v(P′) − s_v(P)) · Π λ(G′) / Π λ(G).
    """
    parents, limits, scratch = chain.graph.parents, target.limits, chain.scratch
    row, candidates = chain.proposal.families[0], scratch.saved[0]
    v = draw_below(chain.random, parents.shape[0])
    find_below(chain, v, v, scratch.below[0])
    for w in range(parents.shape[1]):
        row[w] = parents[v, w]
        fixed = limits.forbidden[v, w] | limits.required[v, w] | scratch.below[0, w]
        candidates[w] = families.everyone[w] & ~fixed
    if draw_below(chain.random, 2) == 0:
        is_proposed = toggle(row, candidates, limits.max_parents, chain.random)
    else:
        is_proposed = exchange(row, candidates, scratch.saved[1], chain.random)
    if not is_proposed:
        return REJECTED
    score = score_family(families, chain.tally, v, row)
    if chain.tally.entry != READY:
        return WAITING
    chain.proposal.nodes[0] = v
    chain.proposal.scores[0] = score
    return decide(target, chain, 1, score - chain.local[v])


@inner
def toggle(row: Words, candidates: Words, max_parents: int, random: Words) -> bool:
    """Add or remove a uniform candidate; False if there is none, or no room for it."""
    size = set_size(candidates)
    if size == 0:
        return False
    p = draw_member(candidates, draw_below(random, size))
    if has_bit(row, p):
        clear_bit(row, p)
        return True
    if set_size(row) >= max_parents:
        return False
    set_bit(row, p)
    return True


@inner
def exchange(row: Words, candidates: Words, parents: Words, random: Words) -> bool:
    """Exchange a uniform candidate that is a parent for one that is not; False if one lacks."""
    for w in range(row.shape[0]):
        parents[w] = candidates[w] & row[w]
        candidates[w] &= ~row[w]
    num_parents, num_others = set_size(parents), set_size(candidates)
    if num_parents == 0 or num_others == 0:
        return False
    clear_bit(row, draw_member(parents, draw_below(random, num_parents)))
    set_bit(row, draw_member(candidates, draw_below(random, num_others)))
    return True
