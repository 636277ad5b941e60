import warnings
from itertools import combinations

import numpy as np
import pytest

from pathprior.counting import solution, tally
from pathprior.counting.configurations import count_configurations
from pathprior.counting.sampling import stream_codes
from pathprior.counting.solution import SlowSampleWarning
from pathprior.counting.validity import valid_configurations
from pathprior.errors import CountingError
from tests.oracles.counting import configuration_counts

TRIANGLE = [("x", "y"), ("y", "z"), ("x", "z")]
CHAIN = [(i, i + 1) for i in range(5)]


def as_dict(counted, values):
    return dict(zip(map(tuple, counted.configurations.tolist()), values, strict=True))


SHAPES = [[(0, 1)], [(1, 0), (2, 1)], [(0, 1), (3, 2)], [(2, 0), (0, 1), (1, 2)]]


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("pairs", "num_nodes"), [(p, n) for p in SHAPES for n in (3, 4) if max(map(max, p)) < n]
)
def test_enumeration_matches_the_definition(pairs, num_nodes):
    counted = count_configurations(pairs, num_nodes, method="enumerate")
    assert as_dict(counted, counted.counts) == configuration_counts(pairs, num_nodes)


def test_enumeration_of_six_nodes():
    counted = count_configurations(list(combinations("abcdef", 2)), 6)
    assert counted.method == "enumerate"
    assert sum(counted.counts) == 3781503


def test_auto_takes_the_exact_joint_where_it_can():
    small = count_configurations(TRIANGLE, 5)
    assert (small.method, small.is_exact, small.num_samples) == ("enumerate", True, 0)
    large = count_configurations(TRIANGLE, 20)
    assert (large.method, large.is_exact, large.omitted_mass) == ("exact", True, 0.0)
    assert large.standard_errors is None
    assert large.components == (large,)
    two = count_configurations([("a", "b"), ("c", "d")], 9)
    assert (two.method, two.is_exact, len(two.components)) == ("exact", True, 2)
    assert [part.pairs for part in two.components] == [(("a", "b"),), (("c", "d"),)]
    assert all(part.is_exact for part in two.components)


def test_auto_counts_each_component_by_itself():
    pairs = [("a", "b"), *TRIANGLE]
    counted = count_configurations(pairs, 12)
    assert (counted.method, counted.is_exact, counted.counts) == ("exact", False, None)
    assert all(part.is_exact for part in counted.components)
    assert len(counted.probabilities) == 4 * 41
    assert counted.probabilities.sum() == pytest.approx(1)
    one, three = counted.components
    first = counted.configurations[0].tolist()
    expected = as_dict(one, one.probabilities)[tuple(first[:1])]
    expected *= as_dict(three, three.probabilities)[tuple(first[1:])]
    assert counted.probabilities[0] == pytest.approx(expected)


def test_auto_samples_the_rest():
    pairs = [("a", "b"), *CHAIN]
    counted = count_configurations(pairs, 12, num_samples=2000)
    assert (counted.method, counted.is_exact, counted.num_samples) == ("mixed", False, 2000)
    exact, sampled = counted.components
    assert (exact.method, exact.is_exact) == ("exact", True)
    assert (sampled.method, sampled.is_exact, sampled.num_samples) == ("full", False, 2000)
    assert sampled.omitted_mass is None
    assert len(sampled.probabilities) == 4**5
    assert sampled.probabilities.min() > 0
    assert counted.standard_errors is not None
    apart = count_configurations(
        [*CHAIN, *((x + 10, y + 10) for x, y in CHAIN)], 12, num_samples=99
    )
    assert apart.method == "fact"


def test_orientation_and_order_of_the_pairs():
    forward = count_configurations([("x", "y"), ("y", "z")], 8)
    backward = count_configurations([("z", "y"), ("x", "y")], 8)
    swap = {0: 1, 1: 0, 2: 2, 3: 3}
    counts = as_dict(backward, backward.counts)
    for (first, second), count in as_dict(forward, forward.counts).items():
        assert counts[swap[second], first] == count
    rows = forward.configurations.tolist()
    assert rows == sorted(rows)


@pytest.mark.parametrize("method", ["full", "fact"])
@pytest.mark.parametrize("placements", [1, 8])
def test_samples_agree_with_the_exact_joint(method, placements):
    pairs = [("y", "x"), ("y", "z")]
    exact = count_configurations(pairs, 10)
    sampled = count_configurations(
        pairs, 10, method=method, num_samples=20_000, placements=placements, seed=1
    )
    assert sampled.configurations.tolist() == exact.configurations.tolist()
    deviation = (sampled.probabilities - exact.probabilities) / sampled.standard_errors
    assert np.abs(deviation).max() < 4
    assert 0.5 < np.mean(deviation**2) < 2
    assert sampled.probabilities.sum() == pytest.approx(1)


def test_placements_sharpen_the_estimate():
    once = count_configurations(TRIANGLE, 20, method="full", num_samples=5000, placements=1)
    often = count_configurations(TRIANGLE, 20, method="full", num_samples=5000, placements=8)
    assert often.standard_errors.sum() < 0.6 * once.standard_errors.sum()


def test_full_is_corrected_as_printed():
    pairs, size = [("a", "b"), ("c", "d")], 500
    raw = count_configurations(pairs, 8, method="full", num_samples=size, laplace=0, placements=1)
    corrected = count_configurations(
        pairs, 8, method="full", num_samples=size, laplace=1, placements=1
    )
    seen = raw.probabilities * size
    assert seen == pytest.approx(np.round(seen))
    assert corrected.probabilities == pytest.approx((seen + 1) / (size + 16))
    part = corrected.components[0]
    raw_part = raw.components[0].probabilities * size
    assert part.probabilities == pytest.approx((raw_part + 1) / (size + 4))
    joint = raw.probabilities.reshape(4, 4)
    assert raw.components[0].probabilities == pytest.approx(joint.sum(axis=1))


def test_fact_is_corrected_as_printed():
    pairs, size = [("a", "b"), ("c", "d")], 500
    raw = count_configurations(pairs, 8, method="fact", num_samples=size, laplace=0, placements=1)
    corrected = count_configurations(
        pairs, 8, method="fact", num_samples=size, laplace=1, placements=1
    )
    first, second = (part.probabilities for part in raw.components)
    assert not np.array_equal(first, second)
    independent = np.outer(first, second).reshape(-1)
    assert raw.probabilities == pytest.approx(independent)
    assert corrected.probabilities == pytest.approx((size * independent + 1) / (size + 16))


def test_no_valid_configuration_is_thought_impossible():
    pairs = list(combinations("abcde", 2))
    counted = count_configurations(pairs, 7, method="full", num_samples=1000)
    assert counted.configurations.tolist() == valid_configurations(pairs, 7).tolist()
    assert counted.probabilities.min() > 0
    assert (
        count_configurations(
            pairs, 7, method="full", num_samples=1000, laplace=0
        ).probabilities.min()
        == 0
    )


def test_unlistable_component_shows_what_was_seen():
    star = [("hub", i) for i in range(12)]
    counted = count_configurations(star, 30, method="full", num_samples=200, placements=1)
    assert len(counted.probabilities) <= 200
    assert counted.probabilities.sum() == pytest.approx(1)


def test_joint_of_many_components_is_refused_but_components_are_there():
    pairs = [(f"{c}{x}", f"{c}{y}") for c in range(4) for x, y in combinations("xyz", 2)]
    for method in ("auto", "full", "fact"):
        counted = count_configurations(pairs, 14, method=method, num_samples=100)
        with pytest.raises(CountingError, match=r"use \.components"):
            _ = counted.probabilities
        assert [len(part.probabilities) for part in counted.components] == [41] * 4


def test_seed_decides():
    options = {"method": "full", "num_samples": 300}
    first = count_configurations(CHAIN, 9, seed=1, **options)
    assert np.array_equal(
        first.probabilities, count_configurations(CHAIN, 9, seed=1, **options).probabilities
    )
    other = count_configurations(CHAIN, 9, seed=2, **options)
    assert not np.array_equal(first.probabilities, other.probabilities)


def test_arrays_are_read_only():
    counted = count_configurations(TRIANGLE, 5)
    with pytest.raises(ValueError, match="read-only"):
        counted.probabilities[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        counted.configurations[0] = 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "magic"}, "unknown method 'magic'"),
        ({"num_samples": 0}, "num_samples is 0"),
        ({"num_samples": 1e6}, "num_samples is 1000000.0"),
        ({"placements": 0}, "placements is 0"),
        ({"laplace": -1}, "laplace is -1"),
        ({"laplace": float("nan")}, "laplace is nan"),
        ({"seed": -1}, "seed is -1"),
        ({"method": "enumerate"}, "too many DAGs to enumerate"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(CountingError, match=message):
        count_configurations(TRIANGLE, 9, **options)


def test_enumeration_refuses_any_number_of_nodes():
    with pytest.raises(CountingError, match="100 nodes have too many DAGs"):
        count_configurations(TRIANGLE, 100, method="enumerate")


def test_exact_refuses_five_connected_nodes():
    with pytest.raises(CountingError, match="5 connected belief nodes"):
        count_configurations([(i, i + 1) for i in range(4)], 20, method="exact")


def test_progress_is_reported():
    reports = []
    count_configurations(
        CHAIN,
        9,
        method="full",
        num_samples=20_000,
        progress=lambda done, total: reports.append((done, total)),
    )
    assert reports[-1] == (20_000, 20_000)
    assert len(reports) == 2


@pytest.mark.parametrize(
    ("num_nodes", "time"), [(400, None), (2000, "about 8 minutes"), (10_000, "about 3 hours")]
)
def test_a_long_sample_is_announced(num_nodes, time, monkeypatch):
    def draw_two(layout, num_nodes, num_samples, placements, seed, edge_odds):
        return stream_codes(layout, 10, 2, placements, seed)

    monkeypatch.setattr(solution, "stream_codes", draw_two)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        count_configurations([(0, 1), (1, 2), (2, 3), (3, 4)], num_nodes)
    assert [w.category for w in said] == ([] if time is None else [SlowSampleWarning])
    assert time is None or time in str(said[0].message)


def test_codes_that_never_repeat_are_not_sorted_again_and_again(monkeypatch):
    sorted_codes = 0
    distinct = tally._distinct

    def count_codes(codes):
        nonlocal sorted_codes
        sorted_codes += len(codes)
        return distinct(codes)

    monkeypatch.setattr(tally, "_distinct", count_codes)
    filling = tally.Tally(1)
    for batch in np.arange(8000, dtype=np.uint64).reshape(80, 100, 1, 1):
        filling.add(batch)
    assert len(filling.table(32, None).probabilities) == 8000
    assert sorted_codes < 6 * 8000
