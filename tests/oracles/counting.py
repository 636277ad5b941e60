"""Counting from the definitions: every DAG, every configuration, one at a time."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations, product
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from tests.oracles.graph import all_dags, is_acyclic, relation

Pairs = Sequence[tuple[int, int]]


@cache
def num_dags_by_layers(num_nodes: int, num_sources: int, num_layers: int) -> int:
    """Kuipers and Moffa's recursion, with the number of layers kept."""
    rest = num_nodes - num_sources
    if rest == 0 or num_layers == 1:
        return int(rest == 0 and num_layers == 1)
    return comb(num_nodes, num_sources) * sum(
        int(((1 << num_sources) - 1) ** s)
        * (1 << (num_sources * (rest - s)))
        * num_dags_by_layers(rest, s, num_layers - 1)
        for s in range(1, rest + 1)
    )


@cache
def num_dags_by_sources(num_nodes: int, num_sources: int) -> int:
    """DAGs with exactly ``num_sources`` sources."""
    return sum(
        num_dags_by_layers(num_nodes, num_sources, layers) for layers in range(1, num_nodes + 1)
    )


def configuration(adjacency: NDArray[np.bool_], pairs: Pairs) -> tuple[int, ...]:
    """The relations of ``pairs`` in one DAG."""
    return tuple(relation(adjacency, x, y) for x, y in pairs)


def configuration_counts(pairs: Pairs, num_nodes: int) -> Counter[tuple[int, ...]]:
    """N_C by looking at every DAG on ``num_nodes`` ≤ 5 nodes."""
    return Counter(configuration(adjacency, pairs) for adjacency in all_dags(num_nodes))


def reach_sum_counts(num_beliefs: int, num_nodes: int) -> Counter[tuple[int, ...]]:
    """N_C of all pairs of the belief nodes by the unlumped reach sum, term by term.

    Sums over the orders on the belief nodes and over all compositions of the other nodes into
    reach classes; the factor of each is written as the number of DAGs inside it by sinks.
    """
    counts: Counter[tuple[int, ...]] = Counter()
    pairs = list(combinations(range(num_beliefs), 2))
    num_free = num_nodes - num_beliefs
    for below in _orders(num_beliefs):
        ideals = [
            set(ideal)
            for size in range(num_beliefs + 1)
            for ideal in combinations(range(num_beliefs), size)
            if all(below[t] <= set(ideal) for t in ideal)
        ]
        home = [ideals.index(below[t]) for t in range(num_beliefs)]
        for free in _compositions(num_free, len(ideals)):
            sizes = [free[i] + (i in home) for i in range(len(ideals))]
            weight = factorial(num_free) // prod(factorial(f) for f in free)
            for i, ideal in enumerate(ideals):
                lower = [j for j in range(len(ideals)) if ideals[j] < ideal]
                num_lower = sum(sizes[j] for j in lower)
                if i in home:
                    t = home.index(i)
                    weight *= num_dags_by_sources(sizes[i], 1) // sizes[i]
                    weight *= 2 ** (num_lower * free[i])
                    weight *= _child_sets(ideal - {t}, lower, ideals, sizes)
                elif sizes[i]:
                    covers = _child_sets(ideal, lower, ideals, sizes) if ideal else 1
                    weight *= sum(
                        num_dags_by_sources(sizes[i], s)
                        * covers**s
                        * 2 ** (num_lower * (sizes[i] - s))
                        for s in range(1, sizes[i] + 1)
                    )
            if weight:
                occupied = [ideal for i, ideal in enumerate(ideals) if sizes[i]]
                counts[_read_off(pairs, below, occupied)] += weight
    return counts


def _orders(num_nodes: int) -> list[list[set[int]]]:
    """All partial orders, as the set each node reaches (itself included)."""
    found = []
    for bits in product((False, True), repeat=num_nodes * num_nodes):
        matrix = np.array(bits).reshape(num_nodes, num_nodes)
        if matrix.diagonal().any() or not is_acyclic(matrix):
            continue
        if np.any((matrix.astype(int) @ matrix.astype(int) > 0) & ~matrix):
            continue
        found.append([{t, *np.flatnonzero(matrix[t]).tolist()} for t in range(num_nodes)])
    return found


def _compositions(total: int, parts: int) -> list[tuple[int, ...]]:
    if parts == 1:
        return [(total,)]
    return [
        (first, *rest)
        for first in range(total + 1)
        for rest in _compositions(total - first, parts - 1)
    ]


def _child_sets(
    target: set[int], lower: list[int], ideals: list[set[int]], sizes: list[int]
) -> int:
    """Sets of nodes in the classes ``lower`` that together reach exactly ``target``."""
    usable = [j for j in lower if ideals[j] <= target]
    return sum(
        prod(2 ** sizes[j] - 1 for j in touched)
        for size in range(len(usable) + 1)
        for touched in combinations(usable, size)
        if set().union(*(ideals[j] for j in touched)) == target
    )


def _read_off(pairs: Pairs, below: list[set[int]], occupied: list[set[int]]) -> tuple[int, ...]:
    codes = []
    for x, y in pairs:
        if y in below[x]:
            codes.append(0)
        elif x in below[y]:
            codes.append(1)
        else:
            codes.append(2 if any({x, y} <= ideal for ideal in occupied) else 3)
    return tuple(codes)


def layer_sizes(adjacency: NDArray[np.bool_]) -> tuple[int, ...]:
    """Sizes of the layers of sources, the sources of the rest, and so on."""
    rest = list(range(len(adjacency)))
    sizes = []
    while rest:
        sources = [v for v in rest if not adjacency[np.ix_(rest, [v])].any()]
        sizes.append(len(sources))
        rest = [v for v in rest if v not in sources]
    return tuple(sizes)


def num_dags_by_edges(num_nodes: int) -> list[int]:
    """Labelled DAGs by number of edges: Robinson's inclusion–exclusion with (1 + z)^{k(n−k)}."""
    table: list[np.ndarray] = [np.array([1], dtype=object)]
    for n in range(1, num_nodes + 1):
        total = np.zeros(n * (n - 1) // 2 + 1, dtype=object)
        for k in range(1, n + 1):
            free = k * (n - k)
            links = np.array([comb(free, e) for e in range(free + 1)], dtype=object)
            term = np.convolve(links, table[n - k]) * (comb(n, k) * (-1) ** (k + 1))
            total[: len(term)] += term
        table.append(total)
    return [int(count) for count in table[num_nodes]]


def is_valid(codes: Sequence[int], pairs: Pairs, num_nodes: int) -> bool:
    """Whether some DAG has the configuration, by growing common ancestors in all ways.

    Any witness contains the stated ⇒ and, for every ⇔ pair, paths from one common ancestor; edges
    from that ancestor to both ends add no relation the witness lacks.
    """
    confounded = [pair for pair, code in zip(pairs, codes, strict=True) if code == 2]
    for ancestors in product(range(num_nodes), repeat=len(confounded)):
        adjacency = np.zeros((num_nodes, num_nodes), dtype=bool)
        for (x, y), code in zip(pairs, codes, strict=True):
            if code == 0:
                adjacency[x, y] = True
            elif code == 1:
                adjacency[y, x] = True
        for (x, y), source in zip(confounded, ancestors, strict=True):
            adjacency[source, [x, y]] = True
        if is_acyclic(adjacency) and configuration(adjacency, pairs) == tuple(codes):
            return True
    return False


def same_shape(first: Pairs, second: Pairs, num_nodes: int) -> bool:
    """Whether some renaming of nodes turns one set of unordered pairs into the other."""
    target = {frozenset(pair) for pair in second}
    return any(
        {frozenset((names[x], names[y])) for x, y in first} == target
        for names in permutations(range(num_nodes))
    )
