"""Turn one edge: any one, or one that is covered."""

import numpy as np

from pathprior.kernels.bits import lowest_bit, popcount
from pathprior.kernels.data.columns import READY
from pathprior.kernels.graph.ancestors import ONE, Words, clear_bit, has_bit, set_bit, set_size
from pathprior.kernels.graph.graph_state import Limits
from pathprior.kernels.inner import inner
from pathprior.kernels.posterior.state import (
    REJECTED,
    WAITING,
    Chain,
    Families,
    Target,
    count_edges,
    decide,
    draw_edge,
    find_below,
    score_family,
)
from pathprior.kernels.random import draw_below

ALL = np.int64(-1)
"""In place of a rank: count them all."""


@inner
def reverse(target: Target, families: Families, chain: Chain) -> int:
    """Turn a uniform edge u → v where the rules and acyclicity allow it.

    The number of edges stays and turning back is legal, so the proposal is symmetric. The ratio is

        exp(s_u(P_u + v) + s_v(P_v − u) − s_u(P_u) − s_v(P_v)) · Π λ(G′) / Π λ(G).
    """
    num_edges = count_edges(chain)
    if num_edges == 0:
        return REJECTED
    u, v = draw_edge(chain, num_edges)
    if not may_turn(target.limits, chain.graph.parents, u, v):
        return REJECTED
    parents, below = chain.graph.parents, chain.scratch.below[0]
    find_below(chain, u, u, below)  # holds what is below v too
    num_met = 0
    for w in range(below.shape[0]):
        num_met += popcount(parents[v, w] & below[w])
    if num_met > 1:
        return REJECTED  # another path u ⇒ v, by a parent of v below u
    return propose_turn(target, families, chain, u, v, 0.0)


@inner
def turn(target: Target, families: Families, chain: Chain) -> int:
    """Turn a uniform covered edge u → v, P_v = P_u + u, which keeps the Markov class.

    A covered edge is covered when turned, and closes no cycle. With c the number of covered edges
    that the rules let turn, the ratio is

        c(G) / c(G′) · exp(s_u(P_u + v) + s_v(P_v − u) − s_u(P_u) − s_v(P_v)) · Π λ(G′) / Π λ(G),

    and a score that is equal for equivalent graphs cancels, but for edges that experiments cut.
    """
    parents, limits, below = chain.graph.parents, target.limits, chain.scratch.below[0]
    num_turnable, _, _ = find_turnable(limits, parents, ALL)
    if num_turnable == 0:
        return REJECTED
    _, u, v = find_turnable(limits, parents, draw_below(chain.random, num_turnable))
    clear_bit(parents[v], u)
    set_bit(parents[u], v)
    num_after, _, _ = find_turnable(limits, parents, ALL)
    clear_bit(parents[u], v)
    set_bit(parents[v], u)
    find_below(chain, u, u, below)
    return propose_turn(target, families, chain, u, v, np.log(num_turnable / num_after))


@inner
def find_turnable(limits: Limits, parents: Words, rank: int) -> tuple[int, int, int]:
    """Count covered edges that may be turned, up to the one with ``rank`` before it: u → v."""
    count = 0
    for v in range(parents.shape[0]):
        for block in range(parents.shape[1]):
            word = parents[v, block]
            while word != 0:
                u = (block << 6) + lowest_bit(word)
                word &= word - ONE
                differing = 0
                for w in range(parents.shape[1]):
                    differing += popcount(parents[v, w] ^ parents[u, w])
                # u is no parent of itself, so that one difference is u
                if differing == 1 and may_turn(limits, parents, u, v):
                    if count == rank:
                        return count, u, v
                    count += 1
    return count, 0, 0


@inner
def propose_turn(
    target: Target, families: Families, chain: Chain, u: int, v: int, log_ratio: float
) -> int:
    """Propose v → u in place of u → v; ``log_ratio`` is that of the proposals."""
    parents, proposal = chain.graph.parents, chain.proposal
    for w in range(parents.shape[1]):
        proposal.families[0, w] = parents[v, w]
        proposal.families[1, w] = parents[u, w]
    clear_bit(proposal.families[0], u)
    set_bit(proposal.families[1], v)
    proposal.nodes[0] = v
    proposal.nodes[1] = u
    for i in range(2):
        x = proposal.nodes[i]
        proposal.scores[i] = score_family(families, chain.tally, x, proposal.families[i])
        if chain.tally.entry != READY:
            return WAITING
        log_ratio += proposal.scores[i] - chain.local[x]
    return decide(target, chain, 2, log_ratio)


@inner
def may_turn(limits: Limits, parents: Words, u: int, v: int) -> bool:
    """Whether the rules let u → v be turned; cycles are another matter."""
    return (
        not has_bit(limits.required[v], u)
        and not has_bit(limits.forbidden[u], v)
        and set_size(parents[u]) < limits.max_parents
    )
