"""Means with 95 % confidence intervals, and what they decide."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    import pandas as pd

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and the half width of its 95 % interval (Student's t); infinite for one value."""

    mean: float
    half_width: float

    @property
    def is_positive(self) -> bool | None:
        """Whether the mean is above zero, or None where the interval covers zero."""
        if abs(self.mean) <= self.half_width:
            return None
        return self.mean > 0

    def is_below(self, bound: float) -> bool | None:
        """Whether the mean is below the bound, or None where the interval covers the bound."""
        if abs(self.mean - bound) <= self.half_width:
            return None
        return self.mean < bound

    def is_within(self, tolerance: float) -> bool | None:
        """Whether the mean is within ±tolerance, or None where the interval covers an end."""
        if abs(self.mean) + self.half_width <= tolerance:
            return True
        return False if abs(self.mean) - self.half_width > tolerance else None

    def __str__(self) -> str:
        return f"{self.mean:.3g} ± {self.half_width:.2g}"


def mean_interval(values: ArrayLike) -> Interval:
    """Mean of independent values with its interval."""
    from scipy.stats import t

    sample = np.asarray(values, dtype=np.float64)
    if len(sample) < 2:
        return Interval(float(sample.mean()), np.inf)
    error = sample.std(ddof=1) / np.sqrt(len(sample))
    return Interval(float(sample.mean()), float(t.ppf((1 + LEVEL) / 2, len(sample) - 1) * error))


def paired_difference(a: "pd.Series[float]", b: "pd.Series[float]") -> Interval:
    """Mean of a − b over the repeats that index both."""
    difference = (a - b).dropna()
    return mean_interval(difference.to_numpy(np.float64))


def all_positive(intervals: Iterable[Interval]) -> bool | None:
    """Whether every mean is above zero: True or False where decided, None where one is not."""
    signs = [interval.is_positive for interval in intervals]
    if False in signs:
        return False
    return None if None in signs else True


def describe(intervals: Mapping[Any, Interval], digits: int = 2) -> str:
    """The intervals in one line, each with its key; those not above zero are marked."""
    marks = {True: "", False: " (!)", None: " (?)"}
    return ", ".join(
        f"{key}: {interval.mean:+.{digits}f} ± {interval.half_width:.{digits}f}"
        f"{marks[interval.is_positive]}"
        for key, interval in intervals.items()
    )
