"""Draw the families of one node, or of both ends of an edge, from their lists."""

import numpy as np

from pathprior.kernels.data.column_cache import seek_column
from pathprior.kernels.graph.ancestors import set_bit, set_size
from pathprior.kernels.inner import inner
from pathprior.kernels.posterior.lists import Lists, draw_entry, sum_weights
from pathprior.kernels.posterior.state import (
    REJECTED,
    Chain,
    Target,
    count_edges,
    decide,
    draw_edge,
    find_below,
)
from pathprior.kernels.random import draw_below, draw_unit


@inner
def redraw(target: Target, chain: Chain) -> int:
    """Draw a uniform node v, and its parents P′ from the sets of its list with no node below v.

    What is below v does not depend on its parents, so the sum of the weights w is the same both
    ways. The ratio is

        exp(s_v(P′) − s_v(P)) · w(P) / w(P′) · Π λ(G′) / Π λ(G),

    which is the ratio of λ alone where w ∝ exp(s). The present set must be on the list, or the way
    back would be closed; if not the move is skipped.
    """
    lists, scratch = target.lists, chain.scratch
    v = draw_below(chain.random, chain.graph.parents.shape[0])
    old, _ = seek_column(lists.sets, v, chain.graph.parents[v])
    if old < 0:
        return REJECTED
    find_below(chain, v, v, scratch.below[0])
    nobody = scratch.saved[0]
    for w in range(nobody.shape[0]):
        nobody[w] = np.uint64(0)
    total = sum_weights(lists, v, scratch.below[0], nobody)
    new = draw_entry(lists, v, scratch.below[0], nobody, draw_unit(chain.random) * total)
    if new == old:
        return REJECTED
    return decide(target, chain, 1, propose_entry(lists, chain, 0, v, old, new))


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
