"""Draw the families of one node, or of both ends of an edge, from their lists."""

import numpy as np

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.data.column_cache import seek_column
from pathprior.kernels.data.columns import READY
from pathprior.kernels.graph.ancestors import ONE, Words, clear_bit, set_bit, set_size
from pathprior.kernels.inner import inner
from pathprior.kernels.posterior.lists import Lists, draw_entry, sum_weights
from pathprior.kernels.posterior.state import (
    REJECTED,
    WAITING,
    Chain,
    Families,
    Target,
    count_edges,
    decide,
    draw_edge,
    draw_member,
    find_below,
    find_candidates,
    score_family,
)
from pathprior.kernels.random import draw_below, draw_unit

EXTEND = 0.2
"""How often a listed set that is drawn for one node gets one more parent."""


@inner
def redraw(target: Target, families: Families, chain: Chain) -> int:
    """Draw a uniform node v, and its parents P′ from its list, now and then with one more.

    Q comes from the sets of the list with no node below v, with probability w(Q) / Z; of the a(Q)
    candidates that it lacks a uniform one is added with probability ε, if there is one and room for
    it. What is below v does not depend on its parents, so Z is the same both ways, and with

        q(P) = w(P) (1 − ε) + Σ over p ∈ P of w(P − p) ε / a(P − p),   w = 0 off the list,

    the ratio is exp(s_v(P′) − s_v(P)) · q(P) / q(P′) · Π λ(G′) / Π λ(G). So the chain leaves a set
    that only lies next to a listed one as soon as it can; from others, q = 0, the move is skipped.
    """
    lists, scratch, row = target.lists, chain.scratch, chain.proposal.families[0]
    v = draw_below(chain.random, chain.graph.parents.shape[0])
    find_below(chain, v, v, scratch.below[0])
    candidates, nobody = scratch.saved[0], scratch.saved[1]
    find_candidates(target.limits, families.everyone, scratch.below[0], v, candidates)
    num_candidates = set_size(candidates)
    for w in range(row.shape[0]):
        row[w] = chain.graph.parents[v, w]
        nobody[w] = np.uint64(0)
    before = weigh_set(target, v, row, candidates, num_candidates)
    if before == 0.0:
        return REJECTED
    total = sum_weights(lists, v, scratch.below[0], nobody)
    new = draw_entry(lists, v, scratch.below[0], nobody, draw_unit(chain.random) * total)
    for w in range(row.shape[0]):
        row[w] = lists.sets.parents[new, w]
        nobody[w] = candidates[w] & ~row[w]
    if draw_unit(chain.random) < EXTEND and may_extend(target, v, row, num_candidates):
        set_bit(row, draw_member(nobody, draw_below(chain.random, set_size(nobody))))
    after = weigh_set(target, v, row, candidates, num_candidates)
    score = score_family(families, chain.tally, v, row)
    if chain.tally.entry != READY:
        return WAITING
    chain.proposal.nodes[0] = v
    chain.proposal.scores[0] = score
    return decide(target, chain, 1, score - chain.local[v] + np.log(before) - np.log(after))


@inner
def may_extend(target: Target, v: int, row: Words, num_candidates: int) -> bool:
    """Whether a listed set of v can get one more parent."""
    return (
        set_size(row) < target.limits.max_parents
        and num_lacking(target, v, row, num_candidates) > 0
    )


@inner
def num_lacking(target: Target, v: int, row: Words, num_candidates: int) -> int:
    """a(Q): how many candidates a set lacks, which consists of required parents and candidates."""
    return num_candidates - set_size(row) + set_size(target.limits.required[v])


@inner
def weigh_set(target: Target, v: int, row: Words, candidates: Words, num_candidates: int) -> float:
    """q of `redraw`; ``row`` comes back as it was."""
    lists, weight = target.lists, 0.0
    number, _ = seek_column(lists.sets, v, row)
    if number >= 0:
        share = EXTEND if may_extend(target, v, row, num_candidates) else 0.0
        weight += lists.weights[number] * (1.0 - share)
    for block in range(row.shape[0]):
        word = row[block] & candidates[block]
        while word != 0:
            p = (block << 6) + lowest_bit(word)
            word &= word - ONE
            clear_bit(row, p)
            number, _ = seek_column(lists.sets, v, row)
            if number >= 0:
                lacking = num_lacking(target, v, row, num_candidates)
                weight += lists.weights[number] * EXTEND / lacking
            set_bit(row, p)
    return weight


@inner
def reverse_redraw(target: Target, chain: Chain) -> int:
    """Turn an edge and redraw both ends (Grzegorczyk and Husmeier, 2008).

    Take a uniform edge u → v of G and clear the families of both; let D_u and D_v be the nodes at
    or below u and v in what is left. Draw u's parents among the listed sets that hold v and none
    of D_u, which sum to Z_u|v; then v's among those that hold none of D_u ∪ D_v, because u is now
    below v, which sum to Z_v. The way back clears the same families and draws v's parents first:
    among sets with u and none of D_v, then u's among those with none of D_u ∪ D_v. The ratio is

        |E| / |E′| · (Z_u|v Z_v) / (Z_v|u Z_u) · Π λ(G′) / Π λ(G)
            · Π over both of exp(s(P′) − s(P)) · w(P) / w(P′).

    Both present sets must be on their lists; if not the move is skipped.
    """
    lists, scratch, parents = target.lists, chain.scratch, chain.graph.parents
    num_edges = count_edges(chain)
    if num_edges == 0:
        return REJECTED
    u, v = draw_edge(chain, num_edges)
    old_u, _ = seek_column(lists.sets, u, parents[u])
    old_v, _ = seek_column(lists.sets, v, parents[v])
    if old_u < 0 or old_v < 0:
        return REJECTED
    below_both, below_u, below_v = scratch.below[0], scratch.below[1], scratch.below[2]
    find_below(chain, u, v, below_u)
    find_below(chain, v, u, below_v)
    for w in range(below_u.shape[0]):
        below_both[w] = below_u[w] | below_v[w]
    nobody, only_u, only_v = scratch.saved[0], scratch.saved[1], scratch.saved[2]
    for w in range(below_u.shape[0]):
        nobody[w] = only_u[w] = only_v[w] = np.uint64(0)
    set_bit(only_u, u)
    set_bit(only_v, v)
    sum_u_first = sum_weights(lists, u, below_u, only_v)
    sum_v = sum_weights(lists, v, below_both, nobody)
    if sum_u_first == 0.0 or sum_v == 0.0:
        return REJECTED
    new_u = draw_entry(lists, u, below_u, only_v, draw_unit(chain.random) * sum_u_first)
    new_v = draw_entry(lists, v, below_both, nobody, draw_unit(chain.random) * sum_v)
    sum_v_first = sum_weights(lists, v, below_v, only_u)
    sum_u = sum_weights(lists, u, below_both, nobody)
    log_ratio = np.log(sum_u_first) + np.log(sum_v) - np.log(sum_v_first) - np.log(sum_u)
    log_ratio += propose_entry(lists, chain, 0, v, old_v, new_v)
    log_ratio += propose_entry(lists, chain, 1, u, old_u, new_u)
    num_after = num_edges - set_size(parents[u]) - set_size(parents[v])
    num_after += set_size(chain.proposal.families[0]) + set_size(chain.proposal.families[1])
    return decide(target, chain, 2, log_ratio + np.log(num_edges / num_after))


@inner
def propose_entry(lists: Lists, chain: Chain, i: int, v: int, old: int, new: int) -> float:
    """Write a listed family as the i-th proposed one; return log exp(s′ − s) · w / w′."""
    proposal = chain.proposal
    for w in range(proposal.families.shape[1]):
        proposal.families[i, w] = lists.sets.parents[new, w]
    proposal.nodes[i] = v
    proposal.scores[i] = lists.sets.scores[new, 0]
    gain = proposal.scores[i] - chain.local[v]
    return gain + lists.log_weights[old] - lists.log_weights[new]
