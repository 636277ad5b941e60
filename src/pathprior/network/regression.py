"""Linear regressions from sums of products: posterior means under BGe, or maximum likelihood."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.data.scatter import Scatter
from pathprior.errors import NetworkError

Floats = NDArray[np.float64]

# What is left of a variance, over all of it, that is taken for rounding.
NOTHING = 1e-10


def check_scatter(scatter: Scatter, names: Sequence[str]) -> None:
    """Refuse a single row, and numbers whose squares are no numbers."""
    if scatter.num_rows < 2:
        raise NetworkError(
            f"{scatter.num_rows} row says nothing about a spread: give at least two rows"
        )
    spread = np.isfinite(np.diag(scatter.products))
    if not spread.all():
        name = names[int(np.argmin(spread))]
        raise NetworkError(f"the values of {name!r} are too large to square: rescale it")


@dataclass(frozen=True, slots=True)
class Regression:
    """A variable as a linear function of others, with the variance that is left."""

    intercept: float
    weights: Floats
    variance: float


@dataclass(frozen=True, slots=True)
class RegressionPosterior:
    """What data say of a regression on real columns: weights and the variance that is left.

    variance ~ ``left`` / χ² with ``freedom`` degrees, and weights | variance ~ N(``weights``,
    variance · ``spread`` ``spread``ᵀ).
    """

    weights: Floats
    spread: Floats
    left: float
    freedom: float

    def draw_weights(self, generator: np.random.Generator) -> Floats:
        """Weights drawn from it."""
        deviation = np.sqrt(self.left / generator.chisquare(self.freedom))
        noise = generator.standard_normal(len(self.weights))
        drawn: Floats = self.weights + deviation * (self.spread @ noise)
        return drawn


def regression_posterior(
    scatter: Scatter, child: int, parents: Sequence[int], alpha: float
) -> RegressionPosterior:
    """The posterior of one real column's regression on others, under the prior of `regress`.

    The covariance of the family, l parents and the child, is inverse Wishart with matrix R and
    n + α + l + 2 degrees of freedom; the weights and the variance follow from its blocks. Their
    means are those of `regress`.
    """
    family = [*parents, child]
    matrix, scale = _scaled(scatter, family)
    t = alpha * alpha / (alpha + 1)
    matrix[np.diag_indices(len(family))] += t
    inner, outer = matrix[:-1, :-1], matrix[:-1, -1]
    lower = np.linalg.cholesky(inner)
    weights = np.linalg.solve(inner, outer)
    # inner⁻¹ is spread spreadᵀ
    spread = np.linalg.inv(lower).T
    return RegressionPosterior(
        weights=weights * scale[-1] / scale[:-1],
        spread=spread * scale[-1] / scale[:-1, np.newaxis],
        left=max(float(matrix[-1, -1] - outer @ weights), t),
        freedom=scatter.num_rows + alpha + len(parents) + 2,
    )


def _scaled(scatter: Scatter, family: Sequence[int]) -> tuple[Floats, Floats]:
    """Sums of products in units of each column's deviation, and these; 1 of a constant column."""
    matrix = scatter.products[np.ix_(family, family)]
    scale = np.sqrt(np.diag(matrix) / scatter.num_rows)
    scale[scale == 0.0] = 1.0
    return matrix / np.outer(scale, scale), scale


def regress(
    scatter: Scatter,
    child: int,
    parents: Sequence[Sequence[int]],
    *,
    equivalent_sample_size: float | None,
    num_free: int,
) -> Regression:
    """Regress a column on others.

    With α = ``equivalent_sample_size``, the posterior means under the BGe prior of α_μ = α and
    α_w = p + α + 1 (Geiger and Heckerman, 2002; Kuipers, Moffa and Heckerman, 2014), whose prior
    matrix T is t = α²/(α + 1) times the covariance of each parent's own columns, and whose prior
    mean is that of the data. With S the products, R = T + S and l free columns,

        weights = R_P⁻¹ R_Pv,  variance = (R_vv − R_vP R_P⁻¹ R_Pv)/(n + α + l),

    whatever the units and however few the rows. A constant column counts as one of variance 1.
    Without α the least squares solution and the variance with denominator n. Where several weights
    do the same, as those of the states of one parent, the smallest.

    Parameters
    ----------
    parents
        The columns of each parent: one, or one for each state.
    num_free
        l: the number of parents' columns, less one for each parent that has states.
    """
    columns = [column for block in parents for column in block]
    family = [*columns, child]
    n, alpha = scatter.num_rows, equivalent_sample_size
    matrix, scale = _scaled(scatter, family)
    t = 0.0 if alpha is None else alpha * alpha / (alpha + 1)
    least = t * max(matrix[-1, -1] / n, 1.0)
    start = 0
    for block in (*parents, [child]):
        own = slice(start, start + len(block))
        spread = matrix[own, own] / n
        matrix[own, own] += t * (spread if len(block) > 1 or spread[0, 0] > 0 else 1.0)
        start = own.stop
    weights, *_ = np.linalg.lstsq(matrix[:-1, :-1], matrix[:-1, -1], rcond=NOTHING)
    left = max(float(matrix[-1, -1] - matrix[-1, :-1] @ weights), least)
    if alpha is None:
        variance = left / n if left > NOTHING * n else 0.0
    else:
        variance = left / (n + alpha + num_free)
    weights = weights * scale[-1] / scale[:-1]
    return Regression(
        intercept=float(scatter.means[child] - weights @ scatter.means[columns]),
        weights=weights,
        variance=variance * float(scale[-1] ** 2),
    )
