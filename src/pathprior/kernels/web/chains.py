"""Markov chains over partial orders, which sample a tilted measure over DAGs.

A DAG enters a belief only through its transitive closure P, so the chains walk over closures and
sum the DAGs out. With edge weight β the DAGs of closure P weigh β^c (1 + β)^(m − c) together, m
the number of ordered pairs of P and c the number of cover pairs (nothing between): a cover pair
must be an edge, any other may be one. The target of a chain is

    π(P) ∝ β^c (1 + β)^(m − c) · exp (Σ_k field[k, relation of pair k in P] + Σ bonus[cover pairs]).

Where a belief speaks of the edge x → y itself, weighing λ beside the μ of a path without it, a
cover pair weighs β λ and any other ordered pair μ + β λ: field is log (μ + β λ) / (1 + β) for ⇒,
and the bonus of the cover pair log λ less that. ``bonus[x, y]`` is 0 for all other pairs, and
without any row where there is no such belief; ``tied[x]`` are the nodes that x has one with.

A closure is two arrays of bitset rows, ``ancestors`` and ``descendants``, each node in its own.
``partners[v]`` is the set of nodes paired with v, and ``number[v, x]`` the pair of v and x.
"""

import numpy as np

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import ONE, Words, copy_words, relation_code
from pathprior.kernels.inner import allocating_entry, inner
from pathprior.kernels.web.moves import swap_labels, toggle_pairs
from pathprior.kernels.web.order import size_between
from pathprior.kernels.web.replant import replant_nodes
from pathprior.kernels.web.state import Closure, Codes, Ensemble, Ints, Learning, Passed, Tilting
from pathprior.kernels.web.within import Within, draw_parents, fill_room, make_room


@inner
def read_codes(ancestors: Words, pairs: Ints, codes: Codes) -> None:
    """Fill ``codes`` with the relation of every pair."""
    for k in range(pairs.shape[0]):
        codes[k] = relation_code(ancestors, pairs[k, 0], pairs[k, 1])


@inner
def count_pairs(ancestors: Words, descendants: Words, counts: Ints) -> None:
    """Fill ``counts`` with the numbers of cover pairs and of ordered pairs."""
    covers = 0
    ordered = 0
    num_nodes, num_words = ancestors.shape
    for b in range(num_nodes):
        for block in range(num_words):
            word = ancestors[b, block]
            while word != 0:
                a = (block << 6) + lowest_bit(word)
                word &= word - ONE
                if a != b:
                    ordered += 1
                    if size_between(ancestors, descendants, a, b) == 2:
                        covers += 1
    counts[0] = covers
    counts[1] = ordered


@inner
def read_covers(
    ancestors: Words, descendants: Words, pairs: Ints, direct: Ints, out: Codes
) -> None:
    """Say of each pair at ``direct`` whether one end covers the other."""
    for i in range(direct.shape[0]):
        x, y = pairs[direct[i], 0], pairs[direct[i], 1]
        is_cover = (
            size_between(ancestors, descendants, x, y) == 2
            or size_between(ancestors, descendants, y, x) == 2
        )
        out[i] = int(is_cover)


@allocating_entry
def run_chains(
    ensemble: Ensemble,
    tilting: Tilting,
    learning: Learning,
    within: Within,
    direct: Ints,
    passed: Passed,
    sweeps: int,
) -> None:
    """Advance each chain ``sweeps`` sweeps per record, and record where it is.

    One sweep is n²/4 tries at a pair, 4n at an exchange of labels and n/2 replantings. Covers are
    recorded of the pairs at ``direct``. Where parents are limited a DAG of the closure is drawn for
    each record, and its edges take the place of cover pairs.
    """
    num_records, num_chains, num_pairs = passed.codes.shape
    num_nodes = ensemble.ancestors.shape[1]
    codes = np.empty(num_pairs, np.int8)
    counts = np.empty(2, np.int64)
    room = make_room(within, num_nodes)
    sides = np.empty((2, *ensemble.ancestors.shape[1:]), np.uint64)
    for chain in range(num_chains):
        closure = Closure(sides, sides[0], sides[1], codes, counts, ensemble.random[chain])
        copy_words(ensemble.ancestors[chain], closure.above)
        copy_words(ensemble.descendants[chain], closure.below)
        read_codes(closure.above, tilting.pairs, codes)
        count_pairs(closure.above, closure.below, counts)
        if within.is_limited:
            fill_room(closure, within, room)
        for record in range(num_records):
            for _ in range(sweeps):
                toggle_pairs(closure, tilting, within, room, num_nodes * num_nodes // 4)
                swap_labels(closure, tilting, within, room, 4 * num_nodes)
                replant_nodes(closure, tilting, learning, within, room, num_nodes // 2)
            passed.codes[record, chain] = codes
            passed.counts[record, chain] = counts
            covers = passed.covers[record, chain]
            if within.is_limited:
                passed.counts[record, chain, 0] = draw_parents(
                    closure, within, tilting.pairs, direct, room, covers
                )
            else:
                read_covers(closure.above, closure.below, tilting.pairs, direct, covers)
        copy_words(closure.above, ensemble.ancestors[chain])
        copy_words(closure.below, ensemble.descendants[chain])
