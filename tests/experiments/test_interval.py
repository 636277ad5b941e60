import numpy as np
import pandas as pd
import pytest

from pathprior.experiments.interval import (
    Interval,
    all_positive,
    describe,
    mean_interval,
    paired_difference,
)


def test_student_interval():
    # t(0.975, 3) = 3.18245, s = sqrt(5/3)
    interval = mean_interval([1, 2, 3, 4])
    assert interval.mean == 2.5
    assert interval.half_width == pytest.approx(3.182446 * np.sqrt(5 / 3) / 2, rel=1e-6)


def test_one_value_decides_nothing():
    assert mean_interval([3.0]).is_positive is None


def test_pairs_are_matched_by_repeat():
    a = pd.Series([3.0, 5.0, 9.0], index=[0, 1, 2])
    b = pd.Series([8.0, 4.0, 2.0], index=[2, 1, 0])
    assert paired_difference(a, b) == Interval(1.0, 0.0)


@pytest.mark.parametrize(
    ("means", "verdict"),
    [([1, 2], True), ([1, 0.1], None), ([1, -2], False), ([0.1, -2], False)],
)
def test_verdicts(means, verdict):
    assert all_positive(Interval(mean, 0.5) for mean in means) is verdict


def test_bounds():
    assert [Interval(mean, 0.5).is_below(1) for mean in (0.4, 0.6, 1.6)] == [True, None, False]
    assert [Interval(mean, 0.5).is_within(1) for mean in (-0.4, 0.6, -1.6)] == [True, None, False]


def test_description_marks_what_is_not_above_zero():
    intervals = {100: Interval(1, 0.5), 200: Interval(0.1, 0.5), 500: Interval(-1, 0.5)}
    assert describe(intervals, 1) == "100: +1.0 ± 0.5, 200: +0.1 ± 0.5 (?), 500: -1.0 ± 0.5 (!)"
