"""Exact U among many nodes from exact counts among few.

In a uniform DAG two nodes are ordered unless they are near each other or near the sources, and the
layers in between look alike everywhere; what contradicts this has a share of order 2^−distance. So
the mean number of ways to place the m belief nodes with configuration C,

  P_C(n) = n (n − 1) … (n − m + 1) · U_C(n),

adds up the ways to split them into groups and to place each group anywhere along the layers: up to
about 2^−n it is a polynomial in n, and its degree is the number of groups that C leaves free.
Integers for a few n give the polynomial, and with it every larger n.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import perm

import numpy as np

from pathprior.counting.result import Table
from pathprior.counting.robinson import num_labelled_dags
from pathprior.graph.relation import Relation

POINTS = {2: (80, 84, 88, 92), 3: (60, 64, 68, 72, 76), 4: (38, 40, 42, 44, 46, 48)}
"""Numbers of nodes to count for, by the number of belief nodes: one more than the degree needs."""


ROUNDING = 1e-15
"""Least relative error: probabilities are floats that were divided by their sum."""


def extrapolate(tables: Sequence[Table], num_beliefs: int, num_nodes: int) -> Table:
    """U of all pairs of the belief nodes among ``num_nodes``; ``tables`` are those of `POINTS`.

    The error falls with the points, so that the answer from one set of points less misses this one
    by more than this one misses the truth: that difference is the bound given.
    """
    points = POINTS[num_beliefs]
    placements = [
        _placements(table, num_beliefs, n) for n, table in zip(points, tables, strict=True)
    ]
    configurations = tables[0].configurations
    values, errors = [], []
    for row, codes in enumerate(configurations.tolist()):
        degree = _degree(codes, num_beliefs)
        known = [(n, of_row[row]) for n, of_row in zip(points, placements, strict=True)]
        value = _at(known[-degree - 1 :], num_nodes)
        values.append(float(value / perm(num_nodes, num_beliefs)))
        errors.append(float(abs(_at(known[-degree - 2 : -1], num_nodes) / value - 1)))
    probabilities = np.array(values)
    return Table(
        configurations.copy(),
        probabilities / probabilities.sum(),
        relative_error=max(ROUNDING, *errors),
    )


def _placements(table: Table, num_beliefs: int, num_nodes: int) -> list[Fraction]:
    """P_C of every row."""
    assert table.counts is not None  # so few nodes are counted in integers
    ways, num_dags = perm(num_nodes, num_beliefs), num_labelled_dags(num_nodes)
    return [Fraction(count * ways, num_dags) for count in table.counts]


def _at(known: Sequence[tuple[int, Fraction]], num_nodes: int) -> Fraction:
    """The polynomial through the points ``known``, at ``num_nodes`` (Lagrange)."""
    total = Fraction(0)
    for n, value in known:
        for other, _ in known:
            if other != n:
                value *= Fraction(num_nodes - other, n - other)
        total += value
    return total


def _degree(codes: Sequence[int], num_beliefs: int) -> int:
    """The number of groups of belief nodes that may lie anywhere.

    With an arc for each ⇒, two for each ⇔ (its nodes lie near each other) and each ⇎ (its nodes lie
    near the sources, which come before all), the groups are the strongly connected components, less
    that of the sources.
    """
    sources = num_beliefs
    reach = np.eye(num_beliefs + 1, dtype=bool)
    reach[sources] = True
    for (x, y), code in zip(combinations(range(num_beliefs), 2), codes, strict=True):
        if code in (Relation.CAUSES, Relation.CONFOUNDED):
            reach[x, y] = True
        if code in (Relation.CAUSED_BY, Relation.CONFOUNDED):
            reach[y, x] = True
        if code == Relation.UNRELATED:
            reach[[x, y], sources] = True
    for v in range(num_beliefs + 1):
        reach |= np.outer(reach[:, v], reach[v])
    return len(np.unique(reach & reach.T, axis=0)) - 1
