"""`Moments`: means, spreads and products of columns, all that the Gaussian scores read of the data.

A real column is one column of the matrix. A column of r observed states is a block of r − 1: their
indicators, standardised and made uncorrelated, so that which state is left out has no influence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.strata import RowStrata, target_sets
from pathprior.errors import DataError
from pathprior.score.sums import Columns, Floats, Sums, joined, sum_up


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Sums over some rows.

    Attributes
    ----------
    num_rows, num_all_rows
        How many these are, and how many there are in all.
    first_column
        The columns of variable v are ``first_column[v]`` … ``first_column[v + 1] − 1``.
    means, scales
        Mean and standard deviation, with denominator n, of each column in the data's units; the
        scale of a constant column is 1. Of indicators those of the uncorrelated columns: 0 and 1.
    centre
        Mean of the standardised columns z; zeros where ``means`` are those of the same rows.
    products
        Σ_rows (z − centre)(z − centre)ᵀ.
    log_scales
        For each variable the log of what its columns were divided by; of a block log|its factor|.
    is_constant
        Which columns are, in these rows.
    """

    variables: tuple[str, ...]
    num_rows: int
    num_all_rows: int
    first_column: NDArray[np.int64]
    means: Floats
    scales: Floats
    centre: Floats
    products: Floats
    log_scales: Floats
    is_constant: NDArray[np.bool_]

    @property
    def num_columns(self) -> int:
        """Columns of the matrix."""
        return len(self.means)


def find_moments(dataset: Dataset, strata: RowStrata) -> tuple[Moments, tuple[Moments, ...]]:
    """Sum up complete data, in one pass. O(rows · d²), and the memory of some rows.

    Returns the moments of all rows, and those of each stratum. All are in the same units: of a
    variable that was set in some rows, or drawn where it was missing, the mean and the scale are
    those of the others.
    """
    if dataset.num_rows < 2:
        raise DataError("one row says nothing about a spread: real columns need 2 rows or more")
    columns = Columns.of(dataset, len(strata.rows))
    sets = target_sets(dataset)
    summed = sum_up(dataset, columns, [rows for _, rows in sets])
    frame = _frame(dataset, columns, summed)
    whole = _moments(dataset, summed, frame)
    factors = _block_factors(whole, columns.coded)
    all_rows = _without_correlation(whole, factors)
    if dataset.intervened is None:
        return all_rows, (all_rows,)

    def among(rows: NDArray[np.bool_]) -> Moments:
        chosen = [part for (_, own), part in zip(sets, summed, strict=True) if rows[own.argmax()]]
        return _without_correlation(_moments(dataset, chosen, frame), factors)

    return all_rows, tuple(among(rows) for rows in strata.rows)


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """What columns are standardised by: z = (y − middle)/spread."""

    columns: Columns
    middles: Floats
    spreads: Floats


def _frame(dataset: Dataset, columns: Columns, summed: Sequence[Sums]) -> _Frame:
    """Means and standard deviations; of what was set or drawn those of the other rows."""
    scatter = joined(summed).scatter
    middles, squares = scatter.means.copy(), scatter.products.diagonal() / scatter.num_rows
    if dataset.intervened is not None or dataset.imputed is not None:
        for v, values in zip(columns.real, dataset.reals.values, strict=True):
            j = int(columns.first_column[v])
            usual = (_usual(dataset, v, values) - columns.origins[j]) / columns.units[j]
            middles[j], squares[j] = usual.mean(), usual.var()
    spreads = np.sqrt(squares)
    spreads[spreads == 0.0] = 1.0
    return _Frame(columns, middles, spreads)


def _usual(dataset: Dataset, v: int, values: Floats) -> Floats:
    """The values of a variable that were observed, and not set if those have a spread."""
    is_seen = np.ones(len(values), bool) if dataset.imputed is None else ~dataset.imputed[v]
    if dataset.intervened is not None:
        left: Floats = values[is_seen & ~dataset.intervened[v]]
        if len(left) and left.min() < left.max():
            return left
    seen: Floats = values[is_seen]
    return seen


def _moments(dataset: Dataset, parts: Sequence[Sums], frame: _Frame) -> Moments:
    """Put the sums over some sets of rows together."""
    columns, spreads = frame.columns, frame.spreads
    d = len(spreads)
    num_rows, centre, products = 0, np.zeros(d), np.zeros((d, d))
    is_constant = np.ones(d, dtype=bool)
    if parts:
        sums = joined(parts)
        num_rows = sums.scatter.num_rows
        products = sums.scatter.products / spreads / spreads[:, None]
        is_constant = ~(sums.lowest < sums.highest)
        products[is_constant], products[:, is_constant] = 0.0, 0.0
        if dataset.intervened is not None or dataset.imputed is not None:
            centre = (sums.scatter.means - frame.middles) / spreads
    scales = columns.units * spreads
    log_scales = np.add.reduceat(np.append(np.log(scales), 0.0), columns.first_column[:-1])
    log_scales[columns.sizes == 0] = 0.0
    return Moments(
        dataset.variables,
        num_rows,
        dataset.num_rows,
        columns.first_column,
        columns.origins + columns.units * frame.middles,
        scales,
        centre,
        products,
        log_scales,
        is_constant,
    )


def _block_factors(moments: Moments, coded: list[int]) -> dict[int, Floats]:
    """The Cholesky factor of the covariance of each block of indicators."""
    factors: dict[int, Floats] = {}
    for v in coded:
        block = slice(moments.first_column[v], moments.first_column[v + 1])
        if block.start < block.stop:
            covariance = moments.products[block, block] / moments.num_rows
            factors[v] = np.linalg.cholesky(covariance).astype(np.float64)
    return factors


def _without_correlation(moments: Moments, factors: dict[int, Floats]) -> Moments:
    """Change the columns of each block so that they do not correlate over all rows."""
    from scipy.linalg import solve_triangular

    products, log_scales = moments.products, moments.log_scales.copy()
    means, scales, centre = moments.means.copy(), moments.scales.copy(), moments.centre
    for v, factor in factors.items():
        block = slice(moments.first_column[v], moments.first_column[v + 1])
        products[block] = solve_triangular(factor, products[block], lower=True)
        products[:, block] = solve_triangular(factor, products[:, block].T, lower=True).T
        centre[block] = solve_triangular(factor, centre[block], lower=True)
        log_scales[v] += float(np.log(factor.diagonal()).sum())
        means[block], scales[block] = 0.0, 1.0
    return replace(
        moments, means=means, scales=scales, centre=centre, products=products, log_scales=log_scales
    )
