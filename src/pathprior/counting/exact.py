"""Exact N_C for up to four belief nodes at any number of nodes, in integer arithmetic."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.classsum import complete, evaluate
from pathprior.counting.plan import plan_order
from pathprior.counting.progress import Progress
from pathprior.counting.result import Table
from pathprior.counting.robinson import num_labelled_dags
from pathprior.counting.shape import Shape
from pathprior.counting.validity import list_valid_rows

MAX_BELIEF_NODES = 4
"""Most belief nodes counted jointly."""

Structure = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]
"""The order on the belief nodes (as ``below`` masks) and the unrelated pairs."""


def exact_table(num_beliefs: int, num_nodes: int, progress: Progress) -> Table:
    """N_C of every configuration of all pairs among ``num_beliefs`` belief nodes, exactly."""
    rows = _all_configurations(num_beliefs)
    counts = _all_counts(num_beliefs, num_nodes, progress)
    possible = [i for i, count in enumerate(counts) if count > 0]
    num_dags = num_labelled_dags(num_nodes)
    return Table(
        rows[possible],
        np.array([counts[i] / num_dags for i in possible]),
        counts=tuple(counts[i] for i in possible),
    )


def num_exact_terms(num_beliefs: int, num_nodes: int) -> int:
    """Products of big integers that `exact_table` forms; each takes a microsecond or a few."""
    return sum(
        part.plan.num_terms(num_nodes - num_beliefs)
        for structure in set(_structures(num_beliefs).values())
        for part in plan_order(*structure)
    )


@cache
def _all_configurations(num_beliefs: int) -> NDArray[np.int8]:
    """The valid configurations of all pairs of the belief nodes, any number of nodes allowed."""
    shape = Shape(tuple(combinations(range(num_beliefs), 2)))
    rows = list_valid_rows(shape, num_beliefs + len(shape.edges), 4 ** len(shape.edges))
    assert rows is not None
    return rows


def _all_counts(num_beliefs: int, num_nodes: int, progress: Progress) -> tuple[int, ...]:
    """N_C of each row of `_all_configurations`.

    G(P, Q), the DAGs with order P in which *at least* the pairs Q are unrelated, comes from the
    class sum, once for all relabellings. Möbius inversion over Q leaves exactly Q.
    """
    representatives = _structures(num_beliefs)
    distinct = sorted(set(representatives.values()))
    at_least: dict[Structure, int] = {}
    for done, structure in enumerate(distinct):
        progress(done, len(distinct))
        at_least[structure] = sum(
            part.sign * complete(evaluate(part.plan, num_nodes - num_beliefs), num_beliefs)
            for part in plan_order(*structure)
        )
    progress(len(distinct), len(distinct))
    structures = [_structure(row, num_beliefs) for row in _all_configurations(num_beliefs)]
    exactly: dict[Structure, int] = {}
    for below, unrelated in sorted(structures, key=lambda s: -len(s[1])):
        more = sum(
            count
            for (order, pairs), count in exactly.items()
            if order == below and set(pairs) > set(unrelated)
        )
        exactly[below, unrelated] = at_least[representatives[below, unrelated]] - more
    return tuple(exactly[structure] for structure in structures)


def _structure(row: NDArray[np.int8], num_beliefs: int) -> Structure:
    below = [1 << t for t in range(num_beliefs)]
    unrelated = []
    for (x, y), code in zip(combinations(range(num_beliefs), 2), row.tolist(), strict=True):
        if code == 0:
            below[x] |= 1 << y
        elif code == 1:
            below[y] |= 1 << x
        elif code == 3:
            unrelated.append((x, y))
    return tuple(below), tuple(unrelated)


@cache
def _structures(num_beliefs: int) -> dict[Structure, Structure]:
    """Each structure of `_all_configurations` and the representative of its relabellings."""
    representatives: dict[Structure, Structure] = {}
    for row in _all_configurations(num_beliefs):
        structure = _structure(row, num_beliefs)
        if structure not in representatives:
            relabelled = list(_relabellings(structure))
            representatives |= dict.fromkeys(relabelled, min(relabelled))
    return representatives


def _relabellings(structure: Structure) -> Iterator[Structure]:
    below, unrelated = structure
    nodes = range(len(below))
    for names in permutations(nodes):
        renamed = [0] * len(below)
        for t in nodes:
            renamed[names[t]] = sum(1 << names[x] for x in nodes if below[t] >> x & 1)
        pairs = sorted((min(names[x], names[y]), max(names[x], names[y])) for x, y in unrelated)
        yield tuple(renamed), tuple(pairs)
