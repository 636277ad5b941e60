"""Exact N_C for up to four belief nodes among hundreds of nodes: integers, or floats if many.

Weighted DAGs in floats, or in decimals where floats lose too much.
"""

from collections import Counter
from collections.abc import Iterator
from decimal import localcontext
from functools import cache
from itertools import combinations, permutations
from math import comb, fsum

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.base import UNIFORM
from pathprior.counting.floatsum import share_of_dags
from pathprior.counting.plan import plan_order
from pathprior.counting.progress import Progress
from pathprior.counting.reach_sum import complete, evaluate
from pathprior.counting.result import Table
from pathprior.counting.robinson import num_labelled_dags
from pathprior.counting.shape import Shape
from pathprior.counting.validity import list_valid_rows
from pathprior.counting.weighted_sum import Weights, num_digits, share_of_weight
from pathprior.graph.relation import Relation
from pathprior.kernels.graph.ancestors import NUM_RELATIONS

MAX_BELIEF_NODES = 4
"""Most belief nodes counted jointly."""

MAX_INTEGER_SECONDS = 15.0
"""Sums expected to take longer in integers are done in floats. Neither leaves anything out."""

MAX_SUMMED_NODES = {2: 250, 3: 250, 4: 120}
"""Nodes up to which sums over that many belief nodes take less than about half a minute."""

MAX_WEIGHTED_NODES = {2: 1000, 3: 400, 4: 120}
"""The same for weighted DAGs, whose sums are in floats."""

MAX_DECIMAL_TERMS, MAX_DECIMAL_NODES = 2 * 10**7, 250
"""Longest sums in decimals, and most nodes: half a minute."""

MAX_ROUNDING = 1e-6
"""Sums of floats that may have lost more to rounding are done again in decimals, if short."""

ROUNDING = 2e-14
"""Relative rounding error allowed for one sum of positive floats: ten times the largest seen
against integers; of weights on more than 100 nodes, in proportion to the nodes (ten times the
largest seen against decimals)."""

DECIMAL = 1e-15
"""Relative error of a number rounded to a float, and divided by a sum of such."""

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
    0.5 µs and 0.25 ns · n², one of floats 10 to 20 ns.
    """
    seconds = num_exact_terms(num_beliefs, num_nodes) * (5e-7 + 2.5e-10 * num_nodes**2)
    if seconds <= max_integer_seconds:
        return _integer_table(num_beliefs, num_nodes, progress)
    return _float_table(num_beliefs, num_nodes, progress)


def is_summable(num_beliefs: int, num_nodes: int, edge_odds: float) -> bool:
    """Whether exact counts of so many belief nodes are to be had.

    Uniform DAGs always: what is too long to sum is extrapolated. Long sums over weighted DAGs are
    to be had where floats are enough: differences lose too many digits where hardly any pair is
    related, or hardly any is not.
    """
    if edge_odds == UNIFORM:
        return True
    if num_nodes > MAX_WEIGHTED_NODES[num_beliefs]:
        return False
    is_moderate = 0.25 / num_nodes <= edge_odds <= 4
    return is_moderate or num_beliefs == 2 or _is_short(num_beliefs, num_nodes)


def _is_short(num_beliefs: int, num_nodes: int) -> bool:
    num_terms = num_exact_terms(num_beliefs, num_nodes)
    return num_nodes <= MAX_DECIMAL_NODES and num_terms <= MAX_DECIMAL_TERMS


def weighted_table(num_beliefs: int, num_nodes: int, edge_odds: float, progress: Progress) -> Table:
    """U_C under the base measure: in floats, or in decimals where these lose too much.

    With so few nodes that not every configuration is possible, differences may have to be 0.
    """
    is_short = _is_short(num_beliefs, num_nodes)
    if num_nodes >= num_beliefs + comb(num_beliefs, 2) or not is_short:
        table = _float_table(num_beliefs, num_nodes, progress, edge_odds)
        if table.relative_error <= MAX_ROUNDING or not is_short:
            return table
    return _decimal_table(num_beliefs, num_nodes, edge_odds, progress)


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


def _float_table(
    num_beliefs: int, num_nodes: int, progress: Progress, edge_odds: float = UNIFORM
) -> Table:
    """U_C in floating point; every configuration is possible, so many are the nodes.

    The same sums without their signs bound what rounding can do to each U_C.
    """
    num_free = num_nodes - num_beliefs
    at_least: dict[Structure, float] = {}
    unsigned: dict[Structure, float] = {}
    for structure in _reported(num_beliefs, progress):
        shares = [
            part.sign * share_of_dags(part.plan, num_free, edge_odds)
            for part in plan_order(*structure)
        ]
        at_least[structure] = sum(shares)
        unsigned[structure] = sum(abs(share) for share in shares)
    rows = _inversion(num_beliefs)
    probabilities = np.array([fsum(c * at_least[key] for key, c in row.items()) for row in rows])
    magnitudes = np.array([fsum(abs(c) * unsigned[key] for key, c in row.items()) for row in rows])
    rounding = ROUNDING if edge_odds == UNIFORM else ROUNDING * max(1.0, num_nodes / 100)
    with np.errstate(divide="ignore"):  # where nothing is left, anything may have been lost
        losses = rounding * (magnitudes / np.maximum(probabilities, 0.0))
    return Table(
        _all_configurations(num_beliefs).copy(),
        probabilities / probabilities.sum(),
        relative_error=float(losses.max()),
    )


def _decimal_table(num_beliefs: int, num_nodes: int, edge_odds: float, progress: Progress) -> Table:
    """U_C in decimals, whose digits outlast the subtractions."""
    num_free = num_nodes - num_beliefs
    with localcontext() as context:
        context.prec = num_digits(edge_odds)
        weights = Weights(num_nodes, edge_odds)
        at_least = {
            structure: sum(
                part.sign * share_of_weight(part.plan, num_free, weights)
                for part in plan_order(*structure)
            )
            for structure in _reported(num_beliefs, progress)
        }
        probabilities = [
            float(sum(coefficient * at_least[structure] for structure, coefficient in row.items()))
            for row in _inversion(num_beliefs)
        ]
    possible = _all_configurations(num_beliefs, num_nodes).tolist()
    rows = _all_configurations(num_beliefs)
    kept = [i for i, row in enumerate(rows.tolist()) if row in possible]
    return Table(rows[kept], np.array(probabilities)[kept], relative_error=DECIMAL)


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
def _all_configurations(num_beliefs: int, num_nodes: int | None = None) -> NDArray[np.int8]:
    """The valid configurations of all pairs of the belief nodes; None: any number of nodes."""
    shape = Shape(tuple(combinations(range(num_beliefs), 2)))
    enough = num_beliefs + len(shape.edges)
    rows = list_valid_rows(shape, num_nodes or enough, NUM_RELATIONS ** len(shape.edges))
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
