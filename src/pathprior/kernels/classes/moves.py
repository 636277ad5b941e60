"""Chickering's Insert and Delete and Hauser and Bühlmann's Turn: which of them a CPDAG allows.

A move (x, y, C) stands for the DAGs of the class in which the parents of y, apart from x, are its
compelled parents and the clique C of its neighbours: insert x → y into one of them, remove it or
turn y → x into it. Chickering (2002) names the moves by T = C ∖ adj(x) or H = adj(x) ∖ C instead; C
makes the local scores of all moves on y functions of the same few families, pa(y) ∪ C.

The graph is ``pdag[4, n, words]`` of `pathprior.kernels.graph.cpdag`.
"""

import numpy as np

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import ONE, Words, clear_bit, has_bit, set_bit
from pathprior.kernels.graph.cpdag import ADJACENT, CHILDREN, NEIGHBOURS, PARENTS
from pathprior.kernels.graph.flood import flood
from pathprior.kernels.inner import allocating, inner
from pathprior.kernels.steps import INSERT, REMOVE


@allocating
def list_cliques(pdag: Words, y: int, cliques: Words) -> int:
    """List the cliques among the neighbours of y, the empty one first; −1 if there are too many.

    Breadth first: each clique is extended by the neighbours above its highest member.
    """
    num_words = pdag.shape[2]
    for w in range(num_words):
        cliques[0, w] = np.uint64(0)
    count, at = 1, 0
    common = np.empty(num_words, np.uint64)
    while at < count:
        for w in range(num_words):
            common[w] = pdag[NEIGHBOURS, y, w]
        for block in range(num_words):
            word = cliques[at, block]
            while word != 0:
                c = (block << 6) + lowest_bit(word)
                word &= word - ONE
                for w in range(num_words):
                    common[w] &= pdag[ADJACENT, c, w]
                    if w < block:
                        common[w] = np.uint64(0)
                common[block] &= ~((ONE << np.uint64(c & 63)) - ONE)
        for block in range(num_words):
            word = common[block]
            while word != 0:
                if count == cliques.shape[0]:
                    return -1
                for w in range(num_words):
                    cliques[count, w] = cliques[at, w]
                cliques[count, block] |= word & ~(word - ONE)
                count += 1
                word &= word - ONE
        at += 1
    return count


@inner
def list_candidates(pdag: Words, move: int, y: int, clique: Words, candidates: Words) -> None:
    """Fill ``candidates`` with the x whose move (x, y, C) meets the conditions around x and y.

    - Insert: x and y are not adjacent, and C contains every neighbour of y adjacent to x.
    - Delete: x → y or x − y, and x is adjacent to all of C. This is all a Delete needs.
    - Turn y → x: C contains every neighbour of y adjacent to x.
    - Turn x − y: C has a member not adjacent to x; otherwise the class would stay the same.
    """
    num_words = clique.shape[0]
    if move == INSERT:
        for w in range(num_words):
            candidates[w] = ~pdag[ADJACENT, y, w]
        clear_bit(candidates, y)
        tail = pdag.shape[1] & 63
        if tail:  # no bits beyond the last node
            candidates[num_words - 1] &= (ONE << np.uint64(tail)) - ONE
    elif move == REMOVE:
        for w in range(num_words):
            candidates[w] = (pdag[PARENTS, y, w] | pdag[NEIGHBOURS, y, w]) & ~clique[w]
    else:
        for w in range(num_words):
            candidates[w] = pdag[CHILDREN, y, w]
    if move != REMOVE:
        for block in range(num_words):
            word = pdag[NEIGHBOURS, y, block] & ~clique[block]
            while word != 0:
                z = (block << 6) + lowest_bit(word)
                word &= word - ONE
                for w in range(num_words):
                    candidates[w] &= ~pdag[ADJACENT, z, w]
        if move == INSERT:
            return
    for block in range(num_words):
        word = clique[block]
        while word != 0:
            c = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for w in range(num_words):
                if move == REMOVE:
                    candidates[w] &= pdag[ADJACENT, c, w]
                else:
                    rest = pdag[NEIGHBOURS, y, w] & ~clique[w]
                    candidates[w] |= rest & ~pdag[ADJACENT, c, w]


@allocating
def is_valid(pdag: Words, move: int, x: int, y: int, clique: Words) -> bool:
    """Whether a candidate move leads to a DAG of another class: the conditions on paths.

    - Insert (Chickering, 2002, Theorem 15): C meets every semi-directed path from y to x.
    - Turn y → x (Hauser and Bühlmann, 2012, Proposition 34): C ∪ ne(x) meets every such path other
      than the edge.
    - Turn x − y (their Proposition 31): C ∩ ne(x) separates C ∖ ne(x) from the other common
      neighbours of x and y, in the graph on ne(y).
    """
    if move == REMOVE:
        return True
    num_words = clique.shape[0]
    closed = clique.copy()
    start = np.zeros(num_words, np.uint64)
    target = np.zeros(num_words, np.uint64)
    is_undirected = has_bit(pdag[NEIGHBOURS, y], x)
    if is_undirected:
        for w in range(num_words):
            start[w] = clique[w] & ~pdag[NEIGHBOURS, x, w]
            target[w] = pdag[NEIGHBOURS, x, w] & pdag[NEIGHBOURS, y, w] & ~clique[w]
            closed[w] = (clique[w] & pdag[NEIGHBOURS, x, w]) | ~pdag[NEIGHBOURS, y, w]
        set_bit(closed, x)
    elif move == INSERT:
        set_bit(target, x)
        set_bit(start, y)
    else:
        set_bit(target, x)
        # leave y by another edge than y → x
        for w in range(num_words):
            start[w] = (pdag[CHILDREN, y, w] | pdag[NEIGHBOURS, y, w]) & ~target[w]
            closed[w] |= pdag[NEIGHBOURS, x, w]
            start[w] &= ~closed[w]
        set_bit(closed, y)
    for w in range(num_words):
        closed[w] |= start[w]
    onwards = NEIGHBOURS if is_undirected else CHILDREN
    return not flood(pdag, NEIGHBOURS, onwards, start, closed, target)
