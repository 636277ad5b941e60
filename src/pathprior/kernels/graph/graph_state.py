"""What a climb changes and what it must respect, as arrays."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import (
    Words,
    has_bit,
    insert_edge,
    remove_edge,
    reverse_edge,
    set_size,
)
from pathprior.kernels.inner import entry, inner
from pathprior.kernels.steps import INSERT, REMOVE


class Graph(NamedTuple):
    """A DAG under way: parent and ancestor bitsets."""

    parents: Words
    ancestors: Words


class Limits(NamedTuple):
    """What every graph of the search must respect.

    A variable is a forbidden parent of itself, and the child of a required edge one of its parent.
    """

    forbidden: Words  # forbidden[v]: who may not be a parent of v
    required: Words  # required[v]: who must be
    max_parents: int


@inner
def list_parents(row: Words, members: NDArray[np.int64]) -> int:
    """Write the nodes of the set ``row`` in ascending order; return how many."""
    count = 0
    for block in range(row.shape[0]):
        word = row[block]
        while word != 0:
            members[count] = (block << 6) + lowest_bit(word)
            count += 1
            word &= word - np.uint64(1)
    return count


@entry
def can_insert(graph: Graph, limits: Limits, u: int, v: int) -> bool:
    """Whether u → v may be inserted: allowed, room for a parent, no directed path v ⇒ u."""
    return (
        not has_bit(limits.forbidden[v], u)
        and not has_bit(graph.parents[v], u)
        and not has_bit(graph.ancestors[u], v)
        and set_size(graph.parents[v]) < limits.max_parents
    )


@entry
def can_reverse(graph: Graph, limits: Limits, u: int, v: int) -> bool:
    """Whether u → v may become v → u: allowed, room, and no other directed path u ⇒ v."""
    if (
        has_bit(limits.required[v], u)
        or has_bit(limits.forbidden[u], v)
        or set_size(graph.parents[u]) >= limits.max_parents
    ):
        return False
    for block in range(graph.parents.shape[1]):
        word = graph.parents[v, block]
        while word != 0:
            p = (block << 6) + lowest_bit(word)
            if p != u and has_bit(graph.ancestors[p], u):
                return False
            word &= word - np.uint64(1)
    return True


@inner
def apply_move(graph: Graph, move: int, u: int, v: int) -> None:
    """Insert, remove or reverse u → v and update the ancestors."""
    if move == INSERT:
        insert_edge(graph.parents, graph.ancestors, u, v)
    elif move == REMOVE:
        remove_edge(graph.parents, graph.ancestors, u, v)
    else:
        reverse_edge(graph.parents, graph.ancestors, u, v)
