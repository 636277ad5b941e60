"""A DAG of the class that a move leads to, and the class of a DAG as the search keeps it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import ONE, Words, clear_bit, copy_words, has_bit, set_bit
from pathprior.kernels.graph.cpdag import (
    NEIGHBOURS,
    PARENTS,
    compelled_parents,
    reversible_neighbours,
    topological_order,
)
from pathprior.kernels.graph.cut import complete_sets, direct_cut, is_cut
from pathprior.kernels.graph.meek import Trail, apply_meek_rules, direct_edge
from pathprior.kernels.inner import inner
from pathprior.kernels.steps import INSERT, REMOVE


@inner
def fill_class(
    parents: Words, order: NDArray[np.int64], cut: Words, trail: Trail, pdag: Words
) -> None:
    """Fill ``pdag`` with the class of a DAG, and ``order`` with a topological order of the DAG."""
    topological_order(parents, order)
    compelled_parents(parents, order, pdag[PARENTS])
    reversible_neighbours(parents, pdag[PARENTS], pdag[NEIGHBOURS])
    complete_sets(pdag)
    if is_cut(pdag[NEIGHBOURS], cut):
        direct_cut(parents, cut, trail, pdag)


@inner
def apply_class_move(
    pdag: Words,
    move: int,
    x: int,
    y: int,
    clique: Words,
    trail: Trail,
    parents: Words,
) -> int:
    """Carry out a valid move: replace the DAG ``parents`` of the class by one of the new class.

    Directs ``pdag`` so that C → y → ne(y) ∖ C and, for a Turn, y → x → ne(x) ∖ C, closes under
    Meek's rules, directs the other edges there as in the given DAG where that is still possible,
    and then changes the edge between x and y. Returns the length of the trail of directed edges, by
    which the caller may undo them; only nodes on it, x and y have got other parents.
    """
    head: Any = np.int64(0)  # not a literal, for which numba would compile the callees again
    length = _direct_from(pdag, trail, head, clique, y)
    if has_bit(pdag[NEIGHBOURS, y], x) and move == REMOVE:
        length = direct_edge(pdag, trail, length, x, y)
    length = _direct_to_rest(pdag, trail, length, y)
    if move != INSERT and move != REMOVE:
        length = _direct_from(pdag, trail, length, clique, x)
        length = _direct_to_rest(pdag, trail, length, x)
    length = apply_meek_rules(pdag, trail, head, length)
    # The edges directed so far touch all nodes of the components that may still change.
    at = 0
    while at < length:
        for end in range(2):
            length = _direct_as_given(pdag, trail, length, trail[at, end], parents)
        at += 1
    for at in range(length):
        for end in range(2):
            v = trail[at, end]
            for w in range(parents.shape[1]):
                parents[v, w] = pdag[PARENTS, v, w] | (pdag[NEIGHBOURS, v, w] & parents[v, w])
    if move == REMOVE:
        clear_bit(parents[y], x)
    else:
        clear_bit(parents[x], y)
        set_bit(parents[y], x)
    return length


@inner
def comply(pdag: Words, forbidden: Words, trail: Trail, parents: Words) -> bool:
    """Replace the DAG ``parents`` by one of its class without forbidden parents; False if none.

    Exact: a closed graph lets every undirected edge take either direction (Meek, 1995). Edges keep
    their direction where they can. ``pdag``, the class, is overwritten.
    """
    num_nodes, num_words = parents.shape
    length: Any = np.int64(0)
    for v in range(num_nodes):
        for block in range(num_words):
            word = pdag[NEIGHBOURS, v, block] & forbidden[v, block]
            while word != 0:
                u = (block << 6) + lowest_bit(word)
                word &= word - ONE
                if has_bit(pdag[NEIGHBOURS, v], u):
                    length = apply_meek_rules(
                        pdag, trail, length, direct_edge(pdag, trail, length, v, u)
                    )
    for v in range(num_nodes):
        for w in range(num_words):
            if pdag[PARENTS, v, w] & forbidden[v, w]:
                return False
    for v in range(num_nodes):
        length = _direct_as_given(pdag, trail, length, v, parents)
    copy_words(pdag[PARENTS], parents)
    return True


@inner
def _direct_from(pdag: Words, trail: Trail, length: int, members: Words, v: int) -> int:
    """Direct the undirected edges between ``members`` and v into v."""
    for block in range(members.shape[0]):
        word = members[block] & pdag[NEIGHBOURS, v, block]
        while word != 0:
            length = direct_edge(pdag, trail, length, (block << 6) + lowest_bit(word), v)
            word &= word - ONE
    return length


@inner
def _direct_to_rest(pdag: Words, trail: Trail, length: int, v: int) -> int:
    """Direct the remaining undirected edges of v out of v."""
    for block in range(pdag.shape[2]):
        word = pdag[NEIGHBOURS, v, block]
        while word != 0:
            length = direct_edge(pdag, trail, length, v, (block << 6) + lowest_bit(word))
            word &= word - ONE
    return length


@inner
def _direct_as_given(pdag: Words, trail: Trail, length: int, v: int, parents: Words) -> int:
    """Direct the undirected edges of v as in the DAG ``parents``, each with its consequences."""
    for block in range(pdag.shape[2]):
        while pdag[NEIGHBOURS, v, block] != 0:
            u = (block << 6) + lowest_bit(pdag[NEIGHBOURS, v, block])
            head = length
            if has_bit(parents[v], u):
                length = direct_edge(pdag, trail, length, u, v)
            else:
                length = direct_edge(pdag, trail, length, v, u)
            length = apply_meek_rules(pdag, trail, head, length)
    return length
