"""Which nodes of a partially directed graph can be reached from some of them."""

import numpy as np

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import ONE, Words, set_bit
from pathprior.kernels.inner import allocating, inner


@inner
def flood(
    pdag: Words, first: int, second: int, pending: Words, reached: Words, target: Words
) -> bool:
    """Grow ``reached`` from ``pending`` until a new node is in ``target``; whether one was.

    Along the edges in two of the sets of `pathprior.kernels.graph.cpdag`, which may be the same.
    The nodes of ``pending`` are in ``reached`` from the start; others there are not entered.
    ``pending`` is used up if there is no such node, as when ``target`` is ``reached`` itself.
    """
    num_words = len(reached)
    block = 0
    while block < num_words:
        word = pending[block]
        if word == 0:
            block += 1
            continue
        pending[block] = word & (word - ONE)
        v = (block << 6) + lowest_bit(word)
        for w in range(num_words):
            new = (pdag[first, v, w] | pdag[second, v, w]) & ~reached[w]
            if new & target[w]:
                return True
            if new != 0:
                reached[w] |= new
                pending[w] |= new
                block = min(block, w)
    return False


@allocating
def spread(pdag: Words, first: int, second: int, reached: Words) -> None:
    """Grow ``reached`` to all that its nodes lead to, along two kinds of edges as in `flood`."""
    pending = np.empty(len(reached), np.uint64)
    for w in range(len(reached)):
        pending[w] = reached[w]
    flood(pdag, first, second, pending, reached, reached)


@inner
def fill_above(parents: Words, y: int, pending: Words, above: Words) -> None:
    """Fill ``above`` with y and its ancestors in a DAG; ``pending`` is scratch."""
    num_words = above.shape[0]
    for w in range(num_words):
        above[w] = np.uint64(0)
        pending[w] = np.uint64(0)
    set_bit(above, y)
    set_bit(pending, y)
    block = 0
    while block < num_words:
        word = pending[block]
        if word == 0:
            block += 1
            continue
        pending[block] = word & (word - ONE)
        x = (block << 6) + lowest_bit(word)
        for w in range(num_words):
            new = parents[x, w] & ~above[w]
            if new != 0:
                above[w] |= new
                pending[w] |= new
                block = min(block, w)
