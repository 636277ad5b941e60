"""Which edges of a class are directed, brought up to date with another DAG of changed rows.

Whether an edge p → v is compelled depends on the parents of v, on those of its parents, and on
which edges into these are compelled. So the labels are drawn anew at the nodes whose parents have
changed and at their children, and further down only where a label has.
"""

import numpy as np

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.classes.state import BENT, CHANGED, MOVED, PENDING, TURNED, Place
from pathprior.kernels.graph.ancestors import ONE, Words, clear_bit, has_bit, set_bit
from pathprior.kernels.graph.cpdag import ADJACENT, CHILDREN, NEIGHBOURS, PARENTS
from pathprior.kernels.inner import inner


@inner
def label_edge(pdag: Words, sets: Words, u: int, v: int, is_compelled: bool) -> None:
    """Direct u − v, or make u → v undirected."""
    if is_compelled:
        clear_bit(pdag[NEIGHBOURS, u], v)
        clear_bit(pdag[NEIGHBOURS, v], u)
        set_bit(pdag[PARENTS, v], u)
        set_bit(pdag[CHILDREN, u], v)
    else:
        set_bit(pdag[NEIGHBOURS, u], v)
        set_bit(pdag[NEIGHBOURS, v], u)
        clear_bit(pdag[PARENTS, v], u)
        clear_bit(pdag[CHILDREN, u], v)
    set_bit(sets[TURNED], v)
    set_bit(sets[CHANGED], u)
    set_bit(sets[CHANGED], v)


@inner
def replace_edges(here: Place, parents: Words, sets: Words) -> None:
    """Replace the moved rows of the DAG; its new edges, and those turned round, are undirected."""
    pdag, moved = here.pdag, sets[MOVED]
    for block in range(moved.shape[0]):
        nodes = moved[block]
        while nodes != 0:
            v = (block << 6) + lowest_bit(nodes)
            nodes &= nodes - ONE
            for w in range(moved.shape[0]):
                word = here.parents[v, w] & ~parents[v, w]
                while word != 0:
                    u = (w << 6) + lowest_bit(word)
                    word &= word - ONE
                    if has_bit(pdag[PARENTS, v], u):
                        label_edge(pdag, sets, u, v, False)
                    if not has_bit(moved, u) or not has_bit(parents[u], v):
                        clear_bit(pdag[NEIGHBOURS, u], v)
                        clear_bit(pdag[NEIGHBOURS, v], u)
                        bend(pdag, sets, u, v)
    for block in range(moved.shape[0]):
        nodes = moved[block]
        while nodes != 0:
            v = (block << 6) + lowest_bit(nodes)
            nodes &= nodes - ONE
            for w in range(moved.shape[0]):
                word = parents[v, w] & ~here.parents[v, w] & ~pdag[ADJACENT, v, w]
                here.parents[v, w] = parents[v, w]
                while word != 0:
                    u = (w << 6) + lowest_bit(word)
                    word &= word - ONE
                    set_bit(pdag[NEIGHBOURS, u], v)
                    set_bit(pdag[NEIGHBOURS, v], u)
                    bend(pdag, sets, u, v)


@inner
def bend(pdag: Words, sets: Words, u: int, v: int) -> None:
    """Part two nodes, or join them."""
    pdag[ADJACENT, u, v >> 6] ^= ONE << np.uint64(v & 63)
    pdag[ADJACENT, v, u >> 6] ^= ONE << np.uint64(u & 63)
    for end in (u, v):
        set_bit(sets[CHANGED], end)
        set_bit(sets[BENT], end)


@inner
def list_children(here: Place, v: int, children: Words) -> None:
    """Add the children of v in the DAG to a set."""
    for block in range(children.shape[0]):
        word = here.pdag[ADJACENT, v, block]
        while word != 0:
            u = (block << 6) + lowest_bit(word)
            word &= word - ONE
            if has_bit(here.parents[u], v):
                set_bit(children, u)


@inner
def label_edges(here: Place, sets: Words) -> None:
    """Tell the compelled edges from the others again, from the moved nodes down."""
    moved, pending = sets[MOVED], sets[PENDING]
    for block in range(moved.shape[0]):
        word = moved[block]
        pending[block] |= word
        while word != 0:
            list_children(here, (block << 6) + lowest_bit(word), pending)
            word &= word - ONE
    is_left = True
    while is_left:  # a node may come to be labelled before its parents; then it is labelled again
        is_left = False
        for block in range(moved.shape[0]):
            while pending[block] != 0:
                v = (block << 6) + lowest_bit(pending[block])
                pending[block] &= pending[block] - ONE
                is_left = True
                if label_parents(here, sets, v):
                    list_children(here, v, pending)


@inner
def label_parents(here: Place, sets: Words, v: int) -> bool:
    """Label the edges into v as `compelled_parents` does; return whether a label has changed.

    The last parent, if the others are all its parents, is the one that comes after each of those
    it is compared with; if they are not, all edges are compelled whichever is taken.
    """
    pdag, parents = here.pdag, here.parents
    num_words = parents.shape[1]
    last = -1
    for block in range(num_words):
        word = parents[v, block]
        while word != 0:
            u = (block << 6) + lowest_bit(word)
            word &= word - ONE
            if last < 0 or has_bit(parents[u], last):
                last = u
    if last < 0:
        return False
    conflict = np.uint64(0)
    for w in range(num_words):
        others = parents[v, w]
        if w == last >> 6:
            others &= ~(ONE << np.uint64(last & 63))
        conflict |= (pdag[PARENTS, last, w] & ~parents[v, w]) | (others & ~parents[last, w])
    is_changed = False
    for w in range(num_words):
        compelled = pdag[PARENTS, last, w] if conflict == 0 else parents[v, w]
        word = compelled ^ pdag[PARENTS, v, w]
        while word != 0:
            bit = np.int64(lowest_bit(word))
            word &= word - ONE
            is_compelled = (compelled >> np.uint64(bit)) & ONE != 0
            label_edge(pdag, sets, (w << 6) + bit, v, is_compelled)
            is_changed = True
    return is_changed
