"""Markov equivalence classes as matrices: the CPDAG of a DAG, its extension, members and size.

In every matrix here ``[i, j]`` is i → j, and ``[i, j]`` with ``[j, i]`` is i − j. `Cpdag` wraps
them with names.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.graph.cpdag import (
    NEIGHBOURS,
    PARENTS,
    compelled_parents,
    consistent_extension,
)
from pathprior.kernels.graph.meek import apply_meek_rules, direct_edge, undo_edges

Matrix = NDArray[np.bool_]


def essential_matrix(dag: Dag) -> Matrix:
    """CPDAG of ``dag``: an edge is directed iff all Markov-equivalent DAGs direct it that way."""
    compelled = np.empty_like(dag.parent_words)
    compelled_parents(dag.parent_words, dag.order, compelled)
    reversible = dag.adjacency & ~_unpack(compelled).T
    return dag.adjacency | reversible.T


def extend(matrix: Matrix) -> Matrix | None:
    """Some DAG with the skeleton, directed edges and v-structures of ``matrix``, if there is one.

    Dor and Tarsi's algorithm takes sinks out in ascending order, so an edge that may point either
    way tends to point at the earlier node.
    """
    pdag = pack_pdag(matrix)
    parents = np.empty_like(pdag[PARENTS])
    return _unpack(parents).T if consistent_extension(pdag, parents) else None


def iterate_members(matrix: Matrix) -> Iterator[Matrix]:
    """Every DAG of the class, each once, lazily.

    Directs the first undirected edge i − j, i < j, as i → j, then as j → i, and closes under
    Meek's rules each time. A closed graph has no dead ends, so the delay between two members is
    polynomial: at most one closure per undirected edge.
    """
    pdag = pack_pdag(matrix)
    num_undirected = int((matrix & matrix.T).sum()) // 2
    trail = np.empty((max(1, num_undirected), 2), dtype=np.int64)
    length = 0
    untried: list[tuple[int, int, int]] = []  # trail length before, and the edge i → j taken

    def direct(i: int, j: int) -> int:
        return apply_meek_rules(pdag, trail, length, direct_edge(pdag, trail, length, i, j))

    while True:
        while length < num_undirected:
            i = int(np.flatnonzero(pdag[NEIGHBOURS].any(axis=1))[0])
            j = int(np.flatnonzero(unpack_row(pdag[NEIGHBOURS, i], len(matrix)))[0])
            untried.append((length, i, j))
            length = direct(i, j)
        yield _unpack(pdag[PARENTS]).T
        if not untried:
            return
        kept, i, j = untried.pop()
        undo_edges(pdag, trail, length, kept)
        length = kept
        length = direct(j, i)


def count_members(matrix: Matrix) -> int:
    """Size of the class, exact and in polynomial time (Wienöbst, Bannach and Liśkiewicz, 2023)."""
    from cliquepicking import mec_size

    return int(mec_size([(int(i), int(j)) for i, j in np.argwhere(matrix)]))


def pack_pdag(matrix: Matrix) -> NDArray[np.uint64]:
    """Bitsets ``pdag[4, n, words]`` of a partially directed graph, as the kernels want them."""
    directed, undirected = matrix & ~matrix.T, matrix & matrix.T
    sets = (directed.T, directed, undirected, matrix | matrix.T)
    return np.stack([pack_rows(rows) for rows in sets])


def _unpack(words: NDArray[np.uint64]) -> Matrix:
    bits = np.unpackbits(words.astype("<u8").view(np.uint8), axis=1, bitorder="little")
    return bits[:, : len(words)].astype(bool)
