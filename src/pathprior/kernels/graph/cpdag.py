"""From a DAG to its CPDAG, and from a partially directed graph back to a DAG, on bitsets.

A partially directed graph is one array ``pdag[4, n, words]``: four sets per node, its parents and
children by directed edges, its neighbours by undirected edges, and all adjacent nodes.
"""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import ONE, Words, clear_bit, has_bit, set_bit
from pathprior.kernels.inner import allocating, allocating_entry, inner

# Not literals, for each of which numba would compile the kernels that take it again.
PARENTS, CHILDREN, NEIGHBOURS, ADJACENT = np.arange(4, dtype=np.int64)


@allocating
def topological_order(parents: Words, order: NDArray[np.int64]) -> None:
    """Fill ``order`` with the nodes, parents before children, depth first from node 0 up.

    O(edges + n · words); needs no child lists, because it walks from each node up to its parents.
    """
    unseen = np.zeros(parents.shape[1], np.uint64)
    for v in range(parents.shape[0]):
        set_bit(unseen, v)
    order_within(parents, unseen, order)


@inner
def order_within(parents: Words, unseen: Words, order: NDArray[np.int64]) -> int:
    """Write the nodes of the set ``unseen``, which is used up, in such an order; return how many.

    The stack of nodes under way is kept at the end of ``order``.
    """
    num_words, end = parents.shape[1], order.shape[0]
    count, depth = 0, 0
    for block in range(num_words):
        while depth > 0 or unseen[block] != 0:
            above = (block << 6) + lowest_bit(unseen[block]) if depth == 0 else -1
            w = 0
            while depth > 0 and above < 0 and w < num_words:
                word = parents[order[end - depth], w] & unseen[w]
                if word != 0:
                    above = (w << 6) + lowest_bit(word)
                w += 1
            if above >= 0:
                clear_bit(unseen, above)
                depth += 1
                order[end - depth] = above
            else:
                v = order[end - depth]
                depth -= 1
                order[count] = v
                count += 1
    return count


@allocating_entry
def compelled_parents(parents: Words, order: NDArray[np.int64], compelled: Words) -> None:
    """Fill ``compelled[v]`` with the parents of v in every Markov-equivalent DAG.

    Chickering (1995), Order-Edges and Label-Edges. His first edge into y is the one from y's last
    parent x in topological order, and labelling it labels all others into y:

    - a compelled parent of x that is no parent of y, or a parent of y other than x that is no
      parent of x, compels every edge into y;
    - otherwise the compelled parents of x are those of y, and the rest is reversible.

    O(edges + n · words).
    """
    num_nodes, num_words = parents.shape
    position = np.empty(num_nodes, np.int64)
    for k in range(num_nodes):
        position[order[k]] = k
    for y in order:
        x = -1
        for block in range(num_words):
            word = parents[y, block]
            while word != 0:
                p = (block << 6) + lowest_bit(word)
                if x < 0 or position[p] > position[x]:
                    x = p
                word &= word - ONE
        conflict = np.uint64(0)
        if x >= 0:
            for w in range(num_words):
                conflict |= compelled[x, w] & ~parents[y, w]
                others = parents[y, w]
                if w == x >> 6:
                    others &= ~(ONE << np.uint64(x & 63))
                conflict |= others & ~parents[x, w]
        for w in range(num_words):
            compelled[y, w] = compelled[x, w] if x >= 0 and conflict == 0 else parents[y, w]


@inner
def reversible_neighbours(parents: Words, compelled: Words, neighbours: Words) -> None:
    """Fill ``neighbours`` with the CPDAG's undirected edges, the ones that are not compelled."""
    num_nodes, num_words = parents.shape
    for v in range(num_nodes):
        for w in range(num_words):
            neighbours[v, w] = 0
    for v in range(num_nodes):
        for block in range(num_words):
            word = parents[v, block] & ~compelled[v, block]
            neighbours[v, block] |= word
            while word != 0:
                set_bit(neighbours[(block << 6) + lowest_bit(word)], v)
                word &= word - ONE


@allocating_entry
def consistent_extension(pdag: Words, parents: Words) -> bool:
    """Direct all undirected edges without a cycle or a new v-structure (Dor and Tarsi, 1992).

    Repeatedly takes out a node without children whose neighbours are adjacent to all its other
    adjacent nodes; what is left around it become its parents. Returns False, with ``parents``
    half filled, iff no extension exists. Nodes are tried in ascending order, round after round.
    """
    num_nodes, num_words = parents.shape
    left = np.zeros(num_words, np.uint64)
    for v in range(num_nodes):
        set_bit(left, v)
    remaining = num_nodes
    while remaining > 0:
        before = remaining
        for v in range(num_nodes):
            if has_bit(left, v) and _is_removable_sink(pdag, left, v):
                for w in range(num_words):
                    parents[v, w] = (pdag[PARENTS, v, w] | pdag[NEIGHBOURS, v, w]) & left[w]
                clear_bit(left, v)
                remaining -= 1
        if remaining == before:
            return False
    return True


@inner
def _is_removable_sink(pdag: Words, left: Words, v: int) -> bool:
    num_words = left.shape[0]
    for w in range(num_words):
        if pdag[CHILDREN, v, w] & left[w] != 0:
            return False
    for block in range(num_words):
        word = pdag[NEIGHBOURS, v, block] & left[block]
        while word != 0:
            bit = lowest_bit(word)
            y = (block << 6) + bit
            for w in range(num_words):
                missing = pdag[ADJACENT, v, w] & left[w] & ~pdag[ADJACENT, y, w]
                if w == block:
                    missing &= ~(ONE << np.uint64(bit))
                if missing != 0:
                    return False
            word &= word - ONE
    return True
