"""The ties of pairs in many graphs at once, and what their relations weigh."""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.graph.ancestors import Words, has_bit, recompute_row, relation_code, set_bit
from pathprior.kernels.inner import allocating_entry, inner
from pathprior.kernels.prior.ties import tie_code


@allocating_entry
def fill_ties(
    graphs: NDArray[np.uint64], pairs: NDArray[np.int64], codes: NDArray[np.uint8]
) -> int:
    """Write the tie of each pair in each graph into ``codes``, one row per graph.

    ``graphs`` are packed parent sets, one matrix of words per graph. Returns the number of graphs
    before the first with a cycle, which ends the pass; all of them if there is none.
    O(graphs · (nodes · depth + edges + pairs) · words).
    """
    num_graphs, num_nodes, num_words = graphs.shape
    ancestors = np.zeros((num_nodes, num_words), np.uint64)
    done = np.zeros(num_words, np.uint64)
    for g in range(num_graphs):
        if not _close(graphs[g], ancestors, done):
            return g
        for k in range(pairs.shape[0]):
            codes[g, k] = tie_code(graphs[g], ancestors, pairs[k, 0], pairs[k, 1])
    return num_graphs


@allocating_entry
def add_relations(
    graphs: NDArray[np.uint64],
    weights: NDArray[np.float64],
    pairs: NDArray[np.int64],
    sums: NDArray[np.float64],
) -> None:
    """Add the weight of each graph to the relation that it gives each pair; no graph has a cycle.

    ``sums`` has a row per pair and a column per relation. The cost is that of `fill_ties`.
    """
    num_graphs, num_nodes, num_words = graphs.shape
    ancestors = np.zeros((num_nodes, num_words), np.uint64)
    done = np.zeros(num_words, np.uint64)
    for g in range(num_graphs):
        _close(graphs[g], ancestors, done)
        for k in range(pairs.shape[0]):
            sums[k, relation_code(ancestors, pairs[k, 0], pairs[k, 1])] += weights[g]


@inner
def _close(parents: Words, ancestors: Words, done: Words) -> bool:
    """Fill ``ancestors``, parents before children; False if a cycle leaves no such order."""
    num_nodes, num_words = parents.shape
    for w in range(num_words):
        done[w] = np.uint64(0)
    num_done = 0
    while num_done < num_nodes:
        before = num_done
        for v in range(num_nodes):
            if not has_bit(done, v) and _is_subset(parents[v], done):
                recompute_row(parents, v, ancestors, num_words)
                set_bit(done, v)
                num_done += 1
        if num_done == before:
            return False
    return True


@inner
def _is_subset(row: Words, other: Words) -> bool:
    outside = np.uint64(0)
    for w in range(row.shape[0]):
        outside |= row[w] & ~other[w]
    return outside == 0
