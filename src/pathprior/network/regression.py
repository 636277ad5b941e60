"""Linear regressions from sums of products: posterior means under BGe, or maximum likelihood."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import NetworkError

Floats = NDArray[np.float64]

# What is left of a variance, over all of it, that is taken for rounding.
NO_SPREAD = 1e-10


@dataclass(frozen=True, slots=True)
class Moments:
    """Number of rows, means, and sums of products of what deviates from them."""

    num_rows: int
    means: Floats
    scatter: Floats

    @classmethod
    def of(cls, values: Floats) -> "Moments":
        """Of the rows of a matrix with one row for each variable; centred before it is squared."""
        means = values.mean(axis=1)
        centred = values - means[:, np.newaxis]
        return cls(values.shape[1], means, centred @ centred.T)

    def check(self, names: Sequence[str]) -> None:
        """Refuse a single row, and numbers whose squares are no numbers."""
        if self.num_rows < 2:
            raise NetworkError(
                f"{self.num_rows} row says nothing about a spread: give at least two rows"
            )
        spread = np.isfinite(np.diag(self.scatter))
        if not spread.all():
            name = names[int(np.argmin(spread))]
            raise NetworkError(f"the values of {name!r} are too large to square: rescale it")


@dataclass(frozen=True, slots=True)
class Regression:
    """A variable as a linear function of others, with the variance that is left."""

    intercept: float
    weights: Floats
    variance: float


def regress(
    moments: Moments,
    child: int,
    parents: Sequence[int],
    *,
    equivalent_sample_size: float | None,
    num_free: int,
) -> Regression:
    """Regress a column on others.

    With α = ``equivalent_sample_size``, the posterior means under the BGe prior of α_μ = α and
    α_w = p + α + 1 (Geiger and Heckerman, 2002; Kuipers, Moffa and Heckerman, 2014), whose prior
    matrix is T = t diag(variances), t = α²/(α + 1), and whose prior mean is that of the data. Then
    with R = T + scatter and l parents,

        weights = R_P⁻¹ R_Pv,  variance = (R_vv − R_vP R_P⁻¹ R_Pv)/(n + α + l),

    so that a prior exists for any number of rows and any units. A column that is constant counts as
    one of variance 1. Without α the least squares solution, of several the shortest, and the
    variance with denominator n.

    Parameters
    ----------
    num_free
        l: the number of parents' columns, less one for each set of them that adds up to one.
    """
    family = [*parents, child]
    scatter, n = moments.scatter[np.ix_(family, family)], moments.num_rows
    scale = np.sqrt(np.diag(scatter) / n)
    scale[scale == 0.0] = 1.0
    matrix = scatter / np.outer(scale, scale)
    alpha = equivalent_sample_size
    if alpha is None:
        weights, *_ = np.linalg.lstsq(matrix[:-1, :-1], matrix[:-1, -1], rcond=NO_SPREAD)
        left = (matrix[-1, -1] - matrix[-1, :-1] @ weights) / n
    else:
        matrix[np.diag_indices_from(matrix)] += alpha * alpha / (alpha + 1)
        factor = np.linalg.cholesky(matrix)
        weights = np.linalg.solve(factor[:-1, :-1].T, factor[-1, :-1])
        left = factor[-1, -1] ** 2 / (n + alpha + num_free)
    weights = weights * scale[-1] / scale[:-1]
    return Regression(
        intercept=float(moments.means[child] - weights @ moments.means[list(parents)]),
        weights=weights,
        variance=float(left * scale[-1] ** 2) if left > NO_SPREAD or alpha is not None else 0.0,
    )
