"""Equivalence classes as matrices: the CPDAG of a DAG, its extension, members and size.

In every matrix here ``[i, j]`` is i → j, and ``[i, j]`` with ``[j, i]`` is i − j. `Cpdag` wraps
them with names. Pairs that experiments cut, see `kernels.graph.cut`, make classes smaller.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import GraphError
from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.graph.dag import Dag, node_index
from pathprior.kernels.graph.cpdag import (
    NEIGHBOURS,
    PARENTS,
    compelled_parents,
    consistent_extension,
)
from pathprior.kernels.graph.cut import direct_cut
from pathprior.kernels.graph.meek import apply_meek_rules, direct_edge, undo_edges

Matrix = NDArray[np.bool_]


def essential_matrix(dag: Dag, cut: Matrix | None = None) -> Matrix:
    """CPDAG of ``dag``: an edge is directed iff all equivalent DAGs direct it that way."""
    compelled = np.empty_like(dag.parent_words)
    compelled_parents(dag.parent_words, dag.order, compelled)
    reversible = dag.adjacency & ~_unpack(compelled).T
    matrix: Matrix = dag.adjacency | reversible.T
    if cut is not None and (reversible & cut).any():
        pdag = pack_pdag(matrix)
        trail = np.empty((int(reversible.sum()), 2), dtype=np.int64)
        direct_cut(dag.parent_words, pack_rows(cut), trail, pdag)
        matrix = _unpack(pdag[PARENTS] | pdag[NEIGHBOURS]).T
    return matrix


def rule_out(matrix: Matrix, forbidden: Matrix) -> Matrix:
    """Direct each i − j of a class of which ``forbidden`` has j → i, and all that follows.

    What the members without a forbidden edge share, of which there must be one (Meek, 1995).
    """
    pdag = pack_pdag(matrix)
    undirected = matrix & matrix.T
    trail = np.empty((max(1, int(undirected.sum()) // 2), 2), dtype=np.int64)
    length = 0
    for i, j in np.argwhere(undirected & forbidden.T).tolist():
        length = direct_edge(pdag, trail, length, i, j)
    apply_meek_rules(pdag, trail, 0, length)
    return _unpack(pdag[PARENTS] | pdag[NEIGHBOURS]).T


def cut_matrix(nodes: Sequence[str], targets: Iterable[Collection[str]]) -> Matrix:
    """Say for each two nodes whether some set of targets holds exactly one of them."""
    index = {name: i for i, name in enumerate(nodes)}
    cut = np.zeros((len(nodes), len(nodes)), dtype=bool)
    for names in targets:
        is_target = np.zeros(len(nodes), dtype=bool)
        if isinstance(names, str):
            raise GraphError(f"targets is a list of sets of nodes; {names!r} is a text")
        for name in names:
            is_target[node_index(index, name)] = True
        cut |= is_target[:, None] != is_target[None, :]
    return cut


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
