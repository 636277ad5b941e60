"""Draw the families of a few nodes together from their lists.

Clear the families of a block B. Let D_c be the nodes at or below c in what is left; a listed set P
of b, without nodes of D_b, has the type T(P) = {c ∈ B : P meets D_c}: the members of B that it puts
above b. The graph has no cycle iff the types, read as edges c → b, form none. Every such choice of
sets falls into layers in one way: the first are the members of empty type, and a member of a later
one has its type among the earlier layers and meets the last of them. So with

    A_b(U, L) = Σ w(P) over the sets of b with T(P) ⊆ U that meets L, or is empty where U is,
    F(U, L) = Σ over layers ∅ ≠ M ⊆ B ∖ U of Π_{b ∈ M} A_b(U, L) · F(U ∪ M, M),   F(B, ·) = 1,

F(∅, ∅) is the sum over all choices of Π w, and layers drawn one after the other by their terms in
it, then a set for each member, are a draw from exactly Π w. It takes 4^|B| steps.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.data.column_cache import seek_column
from pathprior.kernels.graph.ancestors import ONE, Words, set_bit
from pathprior.kernels.graph.flood import flood
from pathprior.kernels.inner import inner
from pathprior.kernels.posterior.layers import (
    MAX_BLOCK,
    MIN_BLOCK,
    multiply_members,
    sum_layers,
    sum_meeting,
)
from pathprior.kernels.posterior.lists import Lists
from pathprior.kernels.posterior.redraw import propose_entry
from pathprior.kernels.posterior.state import REJECTED, Chain, Target, decide
from pathprior.kernels.random import draw_below, draw_unit


@inner
def redraw_block(target: Target, chain: Chain) -> int:
    """Draw a block without regard to the graph, and the families of its members as above.

    What is left when they are cleared is the same before and after, and so is F(∅, ∅). The ratio is

        Π over the block of exp(s(P′) − s(P)) · w(P) / w(P′) · Π λ(G′) / Π λ(G).

    All present sets must be on their lists; if not the move is skipped.
    """
    lists, room, nodes = target.lists, chain.block, chain.proposal.nodes
    more = np.int64(draw_below(chain.random, MAX_BLOCK - MIN_BLOCK + 1))
    size = min(chain.graph.parents.shape[0], MIN_BLOCK + more)
    draw_block(target.pull, chain, size)
    for i in range(size):
        room.old[i], _ = seek_column(lists.sets, nodes[i], chain.graph.parents[nodes[i]])
        if room.old[i] < 0:
            return REJECTED
    find_below_members(chain, size)
    find_kinds(chain, size)
    for i in range(size):
        sort_by_type(lists, chain, size, i)
        sum_meeting(room, size, i)
    sum_layers(room, size)
    if room.rest[0, 0] == 0.0:
        return REJECTED  # all too small for a float, before and after
    return decide(target, chain, size, draw_layers(lists, chain, size))


@inner
def draw_block(pull: NDArray[np.float64], chain: Chain, size: int) -> None:
    """Draw a uniform node, then others by their pull to those drawn before."""
    room, nodes = chain.block, chain.proposal.nodes
    num_nodes = pull.shape[0]
    room.is_member[:] = False
    room.pull[:] = 0.0
    v: Any = np.int64(draw_below(chain.random, num_nodes))
    for i in range(size):
        nodes[i] = v
        room.is_member[v] = True
        total = 0.0
        for x in range(num_nodes):
            room.pull[x] += pull[v, x]
            if not room.is_member[x]:
                total += room.pull[x]
        mark = draw_unit(chain.random) * total
        for x in range(num_nodes):
            if not room.is_member[x]:
                v = x
                mark -= room.pull[x]
                if mark < 0.0:
                    break


@inner
def find_below_members(chain: Chain, size: int) -> None:
    """Fill row 1 + i of ``scratch.below`` with D of member i, and row 0 with all of them."""
    below, pending, nodes = chain.scratch.below, chain.scratch.pending[0], chain.proposal.nodes
    num_words = below.shape[1]
    for i in range(1 + size):
        below[i, :] = np.uint64(0)
    members = chain.scratch.saved[0]
    members[:] = np.uint64(0)
    for i in range(size):
        set_bit(members, nodes[i])
    for i in range(size):
        row = below[1 + i]
        for w in range(num_words):
            row[w] = members[w]  # members are not entered
            pending[w] = np.uint64(0)
        set_bit(pending, nodes[i])
        flood(chain.children, 0, 0, pending, row, row)
        for w in range(num_words):
            row[w] &= ~members[w]
        set_bit(row, nodes[i])
        for w in range(num_words):
            below[0, w] |= row[w]


@inner
def find_kinds(chain: Chain, size: int) -> None:
    """For each node, the members that it is at or below, as bits."""
    kinds, below = chain.block.kinds, chain.scratch.below
    kinds[:] = 0
    for c in range(size):
        for block in range(below.shape[1]):
            word = below[1 + c, block]
            while word != 0:
                kinds[(block << 6) + lowest_bit(word)] |= 1 << c
                word &= word - ONE


@inner
def type_of(row: Words, kinds: NDArray[np.int64]) -> int:
    """T of a set."""
    kind: Any = np.int64(0)
    for block in range(row.shape[0]):
        word = row[block]
        while word != 0:
            kind |= kinds[(block << 6) + lowest_bit(word)]
            word &= word - ONE
    return kind


@inner
def sort_by_type(lists: Lists, chain: Chain, size: int, i: int) -> None:
    """Sum the weights of member i's sets by type, and scale them to a sum of 1."""
    by_type, v = chain.block.by_type[i], chain.proposal.nodes[i]
    for kind in range(1 << size):
        by_type[kind] = 0.0
    total = 0.0
    for number in range(lists.first[v], lists.first[v + 1]):
        kind = type_of(lists.sets.parents[number], chain.block.kinds)
        if (kind >> i) & 1 == 0:
            by_type[kind] += lists.weights[number]
            total += lists.weights[number]
    chain.block.totals[i] = total
    for kind in range(1 << size):
        by_type[kind] /= total


@inner
def draw_layers(lists: Lists, chain: Chain, size: int) -> float:
    """Draw layer after layer and a set for each member; return the ratio of the proposal."""
    room, full = chain.block, (1 << size) - 1
    used, last, log_ratio = 0, 0, 0.0
    while used != full:
        mark = draw_unit(chain.random) * room.rest[used, last]
        layer, taken = 0, 0
        while layer != full ^ used:
            layer = (layer - (full ^ used)) & (full ^ used)
            product = multiply_members(room, used, last, layer)
            weight = product * room.rest[used | layer, layer]
            if weight > 0.0:
                taken = layer
                mark -= weight
                if mark < 0.0:
                    break
        for i in range(size):
            if (taken >> i) & 1:
                new = draw_typed(lists, chain, size, i, used, last)
                v = chain.proposal.nodes[i]
                log_ratio += propose_entry(lists, chain, i, v, room.old[i], new)
        used |= taken
        last = taken
    return log_ratio


@inner
def draw_typed(lists: Lists, chain: Chain, size: int, i: int, used: int, last: int) -> int:
    """Draw a set of member i with its type within ``used`` that meets ``last``, or empty."""
    below, barred, wanted = chain.scratch.below, chain.scratch.saved[0], chain.scratch.saved[1]
    for w in range(barred.shape[0]):
        barred[w] = wanted[w] = np.uint64(0)
        for c in range(size):
            if (used >> c) & 1 == 0:
                barred[w] |= below[1 + c, w]
            if (last >> c) & 1:
                wanted[w] |= below[1 + c, w]
    v = chain.proposal.nodes[i]
    mark = draw_unit(chain.random) * chain.block.meeting[i, used, last] * chain.block.totals[i]
    taken = chain.block.old[i]
    for number in range(lists.first[v], lists.first[v + 1]):
        row = lists.sets.parents[number]
        met, found = np.uint64(0), np.uint64(0)
        for w in range(row.shape[0]):
            met |= row[w] & barred[w]
            found |= row[w] & wanted[w]
        if met == 0 and (last == 0 or found != 0):
            taken = number
            mark -= lists.weights[number]
            if mark < 0.0:
                break
    return taken
