"""`Detection`: whether rows show that two variables depend on each other, and whether they could.

Two columns by themselves, the others left alone: that nothing shows is no sign of nothing where an
effect of some size would not have shown either.
"""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.evidence import SOME
from pathprior.data.dataset import Dataset
from pathprior.data.merged import MergedTable
from pathprior.data.table import RealTable

POINTS = 10
"""Difference, in percentage points, whose chance to show is told of two columns of two states."""
WEAK = 0.1
"""Correlation, and Cohen's w of an association, for other columns: what Cohen calls small."""
EVEN = 0.5
"""Chance to show below which rows cannot be said to speak against an effect of that size."""


@dataclass(frozen=True, slots=True)
class Detection:
    """What the rows that know both variables show of their dependence.

    Attributes
    ----------
    statistic
        Likelihood ratio statistic of dependence against independence.
    needed
        From where on it is some evidence: df · log n + 2, at which BIC prefers dependence by a nat.
    chance
        Probability that the statistic of as many rows reaches ``needed`` if there is an effect of
        the stated size.
    size
        That effect, in words.
    num_rows
        How many rows know both.
    """

    statistic: float
    needed: float
    chance: float
    size: str
    num_rows: int

    @property
    def is_seen(self) -> bool:
        """Whether the rows show dependence."""
        return self.statistic >= self.needed

    @property
    def is_possible(self) -> bool:
        """Whether they would rather have shown an effect of the stated size than not."""
        return self.is_seen or self.chance >= EVEN

    @property
    def sentence(self) -> str:
        """What the rows could have shown."""
        return (
            f"{self.size} would have shown in these {self.num_rows} rows with probability "
            f"{self.chance:.2f}."
        )


def detect(data: Dataset, x: str, y: str) -> Detection | None:
    """Look at two columns; None where they are of two kinds, constant, or partly set from outside.

    The chance is that of a noncentral χ² distribution, which the statistic comes to.
    """
    if data.intervened is not None:
        return None
    coded, reals = data.coded, data.reals
    if x in coded.variables and y in coded.variables:
        counts = _counts(data, x, y)
        return None if min(counts.shape) < 2 else _of_counts(counts, y)
    if isinstance(reals, RealTable) and x in reals.variables and y in reals.variables:
        columns = [reals.values[reals.variables.index(name)][_known(data, x, y)] for name in (x, y)]
        return _of_numbers(*columns)
    return None


def _of_counts(counts: NDArray[np.float64], y: str) -> Detection:
    total = counts.sum()
    rows, columns = counts.sum(axis=1) / total, counts.sum(axis=0) / total
    expected = total * np.outer(rows, columns)
    filled = counts > 0
    statistic = 2 * float((counts[filled] * np.log(counts[filled] / expected[filled])).sum())
    df = (len(rows) - 1) * (len(columns) - 1)
    if counts.shape == (2, 2):
        squared = (POINTS / 100) ** 2 * rows.prod() / columns.prod()
        size = f"A difference of {POINTS} points in the probability of {y}"
    else:
        squared, size = WEAK**2, f"A weak association (Cohen's w of {WEAK})"
    return _told(statistic, df, int(total), float(squared), size)


def _of_numbers(first: NDArray[np.float64], second: NDArray[np.float64]) -> Detection | None:
    if len(first) < 3 or not first.std() > 0 or not second.std() > 0:
        return None
    correlation = float(np.corrcoef(first, second)[0, 1])
    statistic = -len(first) * log(max(1 - correlation**2, 1e-300))
    squared = WEAK**2 / (1 - WEAK**2)
    return _told(statistic, 1, len(first), squared, f"A correlation of {WEAK}")


def _told(statistic: float, df: int, num_rows: int, squared: float, size: str) -> Detection:
    from scipy.stats import ncx2

    needed = df * log(num_rows) + 2 * SOME
    chance = float(ncx2.sf(needed, df, num_rows * squared))
    return Detection(statistic, needed, chance, size, num_rows)


def _counts(data: Dataset, x: str, y: str) -> NDArray[np.float64]:
    """How often each state of x meets each of y, of those that occur."""
    table = data.coded
    codes = table.held if isinstance(table, MergedTable) else table.codes
    times = table.times if isinstance(table, MergedTable) else np.ones(codes.shape[1])
    i, j = (table.variables.index(name) for name in (x, y))
    counts = np.zeros((len(table.states[i]), len(table.states[j])))
    known = _known(data, x, y)
    np.add.at(counts, (codes[i][known], codes[j][known]), times[known])
    return counts[counts.any(axis=1)][:, counts.any(axis=0)]


def _known(data: Dataset, x: str, y: str) -> "NDArray[np.bool_] | slice":
    """The rows in which both were observed."""
    i, j = (data.variables.index(name) for name in (x, y))
    known: NDArray[np.bool_] | slice = slice(None)
    if data.observed is not None:
        known = data.observed[i] & data.observed[j]
    elif data.imputed is not None:
        known = ~(data.imputed[i] | data.imputed[j])
    return known
