"""Exact N_C for up to four belief nodes among hundreds of nodes: integers, or floats if many."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations
from math import fsum

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.floatsum import share_of_dags
from pathprior.counting.plan import plan_order
from pathprior.counting.progress import Progress
from pathprior.counting.reach_sum import complete, evaluate
from pathprior.counting.result import Table
from pathprior.counting.robinson import num_labelled_dags
from pathprior.counting.shape import Shape
from pathprior.counting.validity import list_valid_rows
from pathprior.graph.relation import Relation
from pathprior.kernels.graph.ancestors import NUM_RELATIONS

MAX_BELIEF_NODES = 4
"""Most belief nodes counted jointly."""

MAX_INTEGER_SECONDS = 15.0
"""Sums expected to take longer in integers are done in floats. Neither leaves anything out."""

MAX_SUMMED_NODES = {2: 250, 3: 250, 4: 120}
"""Nodes up to which sums over that many belief nodes take less than about half a minute."""

ROUNDING = 2e-14
"""Relative rounding error allowed for one sum of positive floats: ten times the largest seen
against integers."""

Structure = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]
"""The order on the belief nodes (as ``below`` masks) and the unrelated pairs."""


def exact_table(
    num_beliefs: int,
    num_nodes: int,
    progress: Progress,
    max_integer_seconds: float = MAX_INTEGER_SECONDS,
) -> Table:
    """N_C of every configuration of all pairs among ``num_beliefs`` belief nodes.

    In integers where that is expected to take ``max_integer_seconds`` at most (four belief nodes
    of 51, three of 150), else U_C alone in floats. A product of integers of about n²/2 bits takes
    0.5 µs and 0.25 ns · n², one of floats 40 ns.
    """
    seconds = num_exact_terms(num_beliefs, num_nodes) * (5e-7 + 2.5e-10 * num_nodes**2)
    if seconds <= max_integer_seconds:
        return _integer_table(num_beliefs, num_nodes, progress)
    return _float_table(num_beliefs, num_nodes, progress)


def _integer_table(num_beliefs: int, num_nodes: int, progress: Progress) -> Table:
    at_least = {
        structure: sum(
            part.sign * complete(evaluate(part.plan, num_nodes - num_beliefs), num_beliefs)
            for part in plan_order(*structure)
        )
        for structure in _reported(num_beliefs, progress)
    }
    counts = [
        sum(coefficient * at_least[structure] for structure, coefficient in row.items())
        for row in _inversion(num_beliefs)
    ]
    possible = [i for i, count in enumerate(counts) if count > 0]
    num_dags = num_labelled_dags(num_nodes)
    return Table(
        _all_configurations(num_beliefs)[possible],
        np.array([counts[i] / num_dags for i in possible]),
        counts=tuple(counts[i] for i in possible),
    )


def _float_table(num_beliefs: int, num_nodes: int, progress: Progress) -> Table:
    """U_C in floating point; every configuration is possible, so many are the nodes.

    The same sums without their signs bound what rounding can do to each U_C.
    """
    num_free = num_nodes - num_beliefs
    at_least: dict[Structure, float] = {}
    unsigned: dict[Structure, float] = {}
    for structure in _reported(num_beliefs, progress):
        shares = [part.sign * share_of_dags(part.plan, num_free) for part in plan_order(*structure)]
        at_least[structure] = sum(shares)
        unsigned[structure] = sum(abs(share) for share in shares)
    rows = _inversion(num_beliefs)
    probabilities = np.array([fsum(c * at_least[key] for key, c in row.items()) for row in rows])
    magnitudes = np.array([fsum(abs(c) * unsigned[key] for key, c in row.items()) for row in rows])
    return Table(
        _all_configurations(num_beliefs).copy(),
        probabilities / probabilities.sum(),
        relative_error=float(ROUNDING * (magnitudes / probabilities).max()),
    )


def _reported(num_beliefs: int, progress: Progress) -> Iterator[Structure]:
    """The representatives of all structures, reporting how many are done."""
    distinct = sorted(set(_structures(num_beliefs).values()))
    for done, structure in enumerate(distinct):
        progress(done, len(distinct))
        yield structure
    progress(len(distinct), len(distinct))


@cache
def _inversion(num_beliefs: int) -> tuple[dict[Structure, int], ...]:
    """Möbius inversion for each row of `_all_configurations`: coefficients of at-least counts.

    At least the pairs Q unrelated is the sum of exactly Q' over all Q' ⊇ Q with the same order.
    """
    representatives = _structures(num_beliefs)
    structures = [_structure(row, num_beliefs) for row in _all_configurations(num_beliefs)]
    exactly: dict[Structure, Counter[Structure]] = {}
    by_order: dict[tuple[int, ...], list[Structure]] = {}
    for structure in sorted(structures, key=lambda s: -len(s[1])):
        below, unrelated = structure
        coefficients = Counter({structure: 1})
        for more in by_order.setdefault(below, []):
            if set(more[1]) > set(unrelated):
                coefficients.subtract(exactly[more])
        exactly[structure] = coefficients
        by_order[below].append(structure)
    rows = []
    for structure in structures:
        merged: Counter[Structure] = Counter()
        for other, coefficient in exactly[structure].items():
            merged[representatives[other]] += coefficient
        rows.append({key: value for key, value in merged.items() if value != 0})
    return tuple(rows)


def num_exact_terms(num_beliefs: int, num_nodes: int) -> int:
    """Products that `exact_table` forms."""
    return sum(
        part.plan.num_terms(num_nodes - num_beliefs)
        for structure in set(_structures(num_beliefs).values())
        for part in plan_order(*structure)
    )


@cache
def _all_configurations(num_beliefs: int) -> NDArray[np.int8]:
    """The valid configurations of all pairs of the belief nodes, any number of nodes allowed."""
    shape = Shape(tuple(combinations(range(num_beliefs), 2)))
    rows = list_valid_rows(shape, num_beliefs + len(shape.edges), NUM_RELATIONS ** len(shape.edges))
    assert rows is not None
    return rows


def _structure(row: NDArray[np.int8], num_beliefs: int) -> Structure:
    below = [1 << t for t in range(num_beliefs)]
    unrelated = []
    for (x, y), code in zip(combinations(range(num_beliefs), 2), row.tolist(), strict=True):
        if code == Relation.CAUSES:
            below[x] |= 1 << y
        elif code == Relation.CAUSED_BY:
            below[y] |= 1 << x
        elif code == Relation.UNRELATED:
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
