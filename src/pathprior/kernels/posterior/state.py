"""What the chains are given, what they change, and how a proposal is decided.

The target of a chain is

    π(G) ∝ exp(Σ_v s_v(Pa_v)) · β^|E| · Π_k λ_k(relation of pair k in G)

over the DAGs within the rules. A move proposes new families for some nodes and hands
`decide` the ratio of Metropolis and Hastings without λ, which is read here, at the pairs with an
end at or below a changed node.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.apart import Bound
from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.data.column_cache import ColumnCache, find_column
from pathprior.kernels.data.columns import ASK, fill_column
from pathprior.kernels.graph.ancestors import (
    ONE,
    Words,
    clear_bit,
    has_bit,
    recompute_row,
    set_bit,
    set_size,
)
from pathprior.kernels.graph.flood import flood
from pathprior.kernels.graph.graph_state import Graph, Limits, list_parents
from pathprior.kernels.inner import allocating, inner
from pathprior.kernels.posterior.layers import BlockRoom
from pathprior.kernels.posterior.lists import Lists
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.kernels.prior.moves import reread_pairs
from pathprior.kernels.random import draw_below, draw_unit
from pathprior.kernels.records import Record

REJECTED, ACCEPTED, WAITING = 0, 1, 2
"""What became of a proposal; `WAITING` for the driver to score a family."""

TALLY = np.dtype(
    [
        ("num_moves", np.int64),  # since the last draw
        ("num_draws", np.int64),  # of the present call
        ("entry", np.int64),  # the family that the driver must score, or READY
    ],
    align=True,
)


class Target(NamedTuple):
    """What is fixed, and shared by the chains."""

    limits: Limits
    prior: GraphPrior
    lists: Lists
    pull: NDArray[np.float64]  # how much two nodes are drawn into one block


class Families(NamedTuple):
    """Scores of families, edge terms included, and those known so far.

    A family is always scored by itself, so that its score is the same to the last bit whatever was
    scored or forgotten before.
    """

    filler: Bound
    log_edge_odds: float
    cache: ColumnCache  # one score an entry
    everyone: Words  # all nodes: none is looked at as a further parent
    column: NDArray[np.float64]  # scratch


class Proposal(NamedTuple):
    """Families that some nodes are to get."""

    nodes: NDArray[np.int64]
    families: Words
    scores: NDArray[np.float64]


class Scratch(NamedTuple):
    """Room for one move."""

    saved: Words  # the families that the proposed ones replace
    below: Words  # rows of descendants
    pending: Words  # two rows
    ancestors: Words  # ancestors before the proposal
    codes: NDArray[np.int64]  # codes of pairs after the proposal
    random: Words  # the state of `random` before the proposal


class Chain(NamedTuple):
    """Everything that changes."""

    graph: Graph  # without pairs the ancestors are not kept up to date
    children: Words  # 1 × nodes × words, as `flood` takes them
    local: NDArray[np.float64]  # scores of the families
    codes: NDArray[np.int64]  # of pairs
    random: Words
    tally: Record
    proposal: Proposal
    block: BlockRoom
    scratch: Scratch


@allocating
def score_family(families: Families, tally: Record, child: int, parents: Words) -> float:
    """Score of (child, parents); NaN, and ``tally.entry`` set, if the driver must score it."""
    cache, column = families.cache, families.column
    number, is_known = find_column(cache, child, parents)
    if not is_known:
        members = np.empty(set_size(parents), np.int64)
        num_members = list_parents(parents, members)
        if fill_column(families.filler, child, members, families.everyone, column) == ASK:
            tally.entry = number
            return np.nan
        cache.scores[number, 0] = column[child] + families.log_edge_odds * num_members
    return cache.scores[number, 0]


@inner
def find_below(chain: Chain, v: int, apart: int, below: Words) -> None:
    """Fill ``below`` with v and its descendants when the parents of v and ``apart`` are gone.

    ``apart`` is v itself where no other family is cleared: a graph without cycles leads from v to
    no parent of v.
    """
    pending = chain.scratch.pending[0]
    for w in range(below.shape[0]):
        below[w] = np.uint64(0)
        pending[w] = np.uint64(0)
    set_bit(below, v)
    set_bit(below, apart)
    set_bit(pending, v)
    flood(chain.children, 0, 0, pending, below, below)
    if apart != v:
        clear_bit(below, apart)


@inner
def find_candidates(limits: Limits, everyone: Words, below: Words, v: int, row: Words) -> None:
    """Fill ``row`` with the nodes that may be parents of v, and need not be."""
    for w in range(row.shape[0]):
        row[w] = everyone[w] & ~(limits.forbidden[v, w] | limits.required[v, w] | below[w])


@inner
def count_edges(chain: Chain) -> int:
    """Number of edges."""
    total = 0
    for v in range(chain.graph.parents.shape[0]):
        total += set_size(chain.graph.parents[v])
    return total


@inner
def draw_edge(chain: Chain, num_edges: int) -> tuple[int, int]:
    """A uniform edge u → v of ``num_edges`` > 0."""
    rest = np.int64(draw_below(chain.random, num_edges))
    v = 0
    size = set_size(chain.graph.parents[0])
    while rest >= size:
        rest -= size
        v += 1
        size = set_size(chain.graph.parents[v])
    return draw_member(chain.graph.parents[v], rest), v


@inner
def draw_member(row: Words, rank: int) -> int:
    """The member of a set with ``rank`` smaller ones."""
    left = np.int64(rank)
    for block in range(row.shape[0]):
        word = row[block]
        while word != 0:
            if left == 0:
                return (block << 6) + lowest_bit(word)
            left -= 1
            word &= word - ONE
    return -1


@inner
def replace_family(chain: Chain, v: int, row: Words) -> None:
    """Give v the parents ``row``."""
    parents = chain.graph.parents[v]
    for block in range(row.shape[0]):
        word = parents[block] ^ row[block]
        while word != 0:
            p = (block << 6) + lowest_bit(word)
            word &= word - ONE
            if has_bit(row, p):
                set_bit(chain.children[0, p], v)
            else:
                clear_bit(chain.children[0, p], v)
        parents[block] = row[block]


@inner
def close_again(chain: Chain, below: Words) -> None:
    """Save and recompute the ancestors of the nodes ``below``, which hold all that change."""
    graph, rest = chain.graph, chain.scratch.pending[1]
    num_words = below.shape[0]
    is_left = False
    for block in range(num_words):
        word = below[block]
        rest[block] = word
        is_left |= word != 0
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for w in range(num_words):
                chain.scratch.ancestors[x, w] = graph.ancestors[x, w]
    while is_left:
        is_left = False
        for block in range(num_words):
            word = rest[block]
            while word != 0:
                x = (block << 6) + lowest_bit(word)
                word &= word - ONE
                met = np.uint64(0)
                for w in range(num_words):
                    met |= graph.parents[x, w] & rest[w]
                if met == 0:
                    recompute_row(graph.parents, x, graph.ancestors, num_words)
                    clear_bit(rest, x)
                else:
                    is_left = True


@inner
def restore_ancestors(chain: Chain, below: Words) -> None:
    """Undo `close_again`."""
    for block in range(below.shape[0]):
        word = below[block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for w in range(below.shape[0]):
                chain.graph.ancestors[x, w] = chain.scratch.ancestors[x, w]


@inner
def decide(target: Target, chain: Chain, num_changed: int, log_ratio: float) -> int:
    """Accept the proposed families with probability min(1, ratio), λ included.

    ``scratch.below[0]`` holds the nodes that get them and all that is below one of these, before or
    after; ``log_ratio`` is that of the proposals and the scores.
    """
    scratch, proposal, prior = chain.scratch, chain.proposal, target.prior
    threshold = np.log(1.0 - draw_unit(chain.random))
    num_pairs = prior.pairs.shape[0]
    if log_ratio == -np.inf or (num_pairs == 0 and threshold >= log_ratio):
        return REJECTED
    for i in range(num_changed):
        v = proposal.nodes[i]
        for w in range(scratch.below.shape[1]):
            scratch.saved[i, w] = chain.graph.parents[v, w]
        replace_family(chain, v, proposal.families[i])
    if num_pairs > 0:
        below = scratch.below[0]
        close_again(chain, below)
        gain = reread_pairs(prior, chain.graph, chain.codes, below, scratch.codes)
        if threshold >= log_ratio + gain:
            for i in range(num_changed):
                replace_family(chain, proposal.nodes[i], scratch.saved[i])
            restore_ancestors(chain, below)
            return REJECTED
        for k in range(num_pairs):
            chain.codes[k] = scratch.codes[k]
    for i in range(num_changed):
        chain.local[proposal.nodes[i]] = proposal.scores[i]
    return ACCEPTED
