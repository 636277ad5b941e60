"""U among many nodes from counts among few, against sums over as many as can be summed."""

from itertools import combinations

import numpy as np
import pytest

from pathprior.counting import extrapolation
from pathprior.counting.configurations import count_configurations
from pathprior.counting.exact import exact_table
from pathprior.counting.extrapolation import POINTS, extrapolate
from pathprior.counting.progress import silent


def complete(num_beliefs):
    return list(combinations(range(num_beliefs), 2))


@pytest.mark.parametrize(
    ("num_beliefs", "points", "num_nodes", "bound"),
    [
        (2, POINTS[2], 130, 1e-15),
        (3, POINTS[3], 90, 1e-15),
        (2, (30, 34, 38, 42), 130, 1e-9),
        (3, (20, 24, 28, 32, 36), 90, 1e-5),
        (4, (22, 24, 26, 28, 30, 32), 38, 1e-4),
        pytest.param(4, POINTS[4], 52, 1e-9, marks=pytest.mark.slow),
    ],
)
def test_it_is_the_sum_within_its_bound(num_beliefs, points, num_nodes, bound, monkeypatch):
    """With fewer nodes at the points the bound is wider, and still holds."""
    monkeypatch.setitem(extrapolation.POINTS, num_beliefs, points)
    tables = [exact_table(num_beliefs, n, silent) for n in points]
    found = extrapolate(tables, num_beliefs, num_nodes)
    expected = exact_table(num_beliefs, num_nodes, silent, max_integer_seconds=60)
    assert found.configurations.tolist() == expected.configurations.tolist()
    errors = np.abs(found.probabilities / expected.probabilities - 1)
    assert errors.max() <= found.relative_error <= bound


@pytest.mark.parametrize("num_nodes", [251, 2000, 10_000])
def test_thousands_of_nodes_are_counted_at_once(num_nodes):
    counted = count_configurations(complete(3), num_nodes)
    assert (counted.method, counted.is_exact, counted.counts) == ("exact", True, None)
    assert counted.omitted_mass < 1e-14
    assert len(counted.probabilities) == 41
    single = count_configurations([(0, 1)], num_nodes)
    for code, expected in enumerate(single.probabilities):
        found = counted.probabilities[counted.configurations[:, 0] == code].sum()
        assert found == pytest.approx(expected, rel=1e-12)


def test_progress_reaches_its_end():
    reports = []
    count_configurations(complete(3), 500, progress=lambda *done: reports.append(done))
    assert reports == sorted(reports)
    assert reports[-1][0] == reports[-1][1]
