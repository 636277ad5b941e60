"""`Moments`: means, spreads and products of columns, all that the Gaussian scores read of the data.

A real column is one column of the matrix. A column of r observed states is a block of r − 1: their
indicators, standardised and made uncorrelated, so that which state is left out has no influence.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.strata import RowStrata, target_sets
from pathprior.errors import DataError

Floats: TypeAlias = NDArray[np.float64]

CHUNK_CELLS = 1 << 21
"""Numbers that are centred at a time; the data themselves are not copied."""

MAX_COLUMNS = 8192
"""Most columns of the matrix, which then takes half a gigabyte."""

MAX_CELLS = 1 << 27
"""Most cells of all matrices together, where rows from experiments need several: a gigabyte."""


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
    """Sum up complete data, in two passes: means and spreads, then products. O(rows · d²).

    Returns the moments of all rows, and those of each stratum. All are in the same units: of a
    variable that was set in some rows, or drawn where it was missing, the mean and the scale are
    those of the others.
    """
    if dataset.num_rows < 2:
        raise DataError("one row says nothing about a spread: real columns need 2 rows or more")
    sources = list(_sources(dataset))
    first_column = _first_columns(dataset, sources, len(strata.rows))
    spreads = [_spread(source) for source in sources]
    means = np.concatenate([spread[0] for spread in spreads])
    scales = np.concatenate([spread[1] for spread in spreads])
    scales[scales == 0.0] = 1.0
    log_scales = np.add.reduceat(np.append(np.log(scales), 0.0), first_column[:-1])
    log_scales[np.diff(first_column) == 0] = 0.0
    parts = [(rows, _sum_up(sources, rows, means, scales)) for _, rows in target_sets(dataset)]

    def among(rows: NDArray[np.bool_]) -> Moments:
        chosen = [sums for part, sums in parts if rows[part.argmax()]]
        return _moments(dataset, chosen, first_column, means, scales, log_scales)

    whole = among(np.ones(dataset.num_rows, dtype=bool))
    factors = _block_factors(whole, [v for v, source in enumerate(sources) if source.is_coded])
    all_rows = _without_correlation(whole, factors)
    if dataset.intervened is None:
        return all_rows, (all_rows,)
    return all_rows, tuple(_without_correlation(among(rows), factors) for rows in strata.rows)


def _moments(
    dataset: Dataset,
    parts: "list[_Sums]",
    first_column: NDArray[np.int64],
    means: Floats,
    scales: Floats,
    log_scales: Floats,
) -> Moments:
    """Put the sums over some sets of rows together.

    What a mean is off by, which shows where the numbers are far from zero and close to each other,
    is taken out with the mean of the rows at hand.
    """
    d = len(means)
    num_rows = sum(part.num_rows for part in parts)
    totals = sum((part.totals for part in parts), np.zeros(d))
    products = sum((part.products for part in parts), np.zeros((d, d)))
    lowest = np.min([part.lowest for part in parts], axis=0, initial=np.inf)
    highest = np.max([part.highest for part in parts], axis=0, initial=-np.inf)
    centre = totals / max(1, num_rows)
    products = products - np.outer(totals, centre)
    is_constant = ~(lowest < highest) if parts else np.ones(d, dtype=bool)
    products[is_constant], products[:, is_constant] = 0.0, 0.0
    if dataset.intervened is None and dataset.imputed is None:
        centre = np.zeros(d)  # but for rounding
    return Moments(
        dataset.variables, num_rows, dataset.num_rows, first_column, means, scales, centre,
        products, log_scales, is_constant,
    )  # fmt: skip


def _first_columns(
    dataset: Dataset, sources: "list[_Source]", num_matrices: int
) -> NDArray[np.int64]:
    """Where the columns of each variable begin; an error if there are too many."""
    sizes = [len(source.states) for source in sources]
    first_column = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    if first_column[-1] > MAX_COLUMNS:
        widest = dataset.variables[int(np.argmax(sizes))]
        raise DataError(
            f"the columns need a matrix of {first_column[-1]} columns, at most {MAX_COLUMNS} are "
            f"possible: merge states, of {widest!r} first, or drop columns"
        )
    if num_matrices > 1 and num_matrices * int(first_column[-1]) ** 2 > MAX_CELLS:
        raise DataError(
            f"the experiments need {num_matrices} matrices of {first_column[-1]} columns, one for "
            "each variable that was set, which is too much: drop columns or experiments"
        )
    return first_column


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    """A variable's values; of codes the states whose indicators are columns.

    ``usual`` are the values by which columns are standardised.
    """

    name: str
    values: NDArray[Any]
    usual: NDArray[Any]
    states: NDArray[np.int64]
    is_coded: bool

    def columns(self, rows: "slice | NDArray[np.int64]") -> NDArray[Any]:
        """Some rows of the columns, one column in each row."""
        values = self.values[None, rows]
        return values == self.states[:, None] if self.is_coded else values


def _sources(dataset: Dataset) -> Iterator[_Source]:
    """The variables in order; the first observed state gets no column."""
    coded = set(dataset.coded.variables)
    for v, (name, values) in enumerate(dataset.known()):
        if name in coded:
            states = np.flatnonzero(np.bincount(values))
            yield _Source(name, values, values, states[1:], True)
            continue
        yield _Source(name, values, _usual(dataset, v, values), np.zeros(1, np.int64), False)


def _usual(dataset: Dataset, v: int, values: NDArray[Any]) -> NDArray[Any]:
    """The values of a variable that were observed, and not set if those have a spread."""
    if dataset.imputed is None and dataset.intervened is None:
        return values
    is_seen = np.ones(len(values), bool) if dataset.imputed is None else ~dataset.imputed[v]
    if dataset.intervened is not None:
        left: NDArray[Any] = values[is_seen & ~dataset.intervened[v]]
        if len(left) and left.min() < left.max():
            return left
    seen: NDArray[Any] = values[is_seen]
    return seen


def _spread(source: _Source) -> tuple[Floats, Floats]:
    """Means and standard deviations of a variable's columns; 0 where all values are the same."""
    if source.is_coded:
        shares = np.bincount(source.values)[source.states] / len(source.values)
        return shares, np.sqrt(shares * (1.0 - shares))
    values = source.usual
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.array([low]), np.zeros(1)
    with np.errstate(over="ignore"):
        reach = high - low
    if not np.isfinite(reach):
        raise DataError(
            f"the numbers of column {source.name!r} are too far apart, from {low} to {high}: "
            "divide them by a large number"
        )
    # from the lowest number in units of the reach, so that no sum is too large or too small
    total, squares = 0.0, 0.0
    for start in range(0, len(values), CHUNK_CELLS):
        total += float(((values[start : start + CHUNK_CELLS] - low) / reach).sum())
    mean = total / len(values)
    for start in range(0, len(values), CHUNK_CELLS):
        squares += float(
            np.square((values[start : start + CHUNK_CELLS] - low) / reach - mean).sum()
        )
    return np.array([low + mean * reach]), np.array([reach * np.sqrt(squares / len(values))])


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """Sums over some rows, of columns standardised by means and scales of all or of others."""

    num_rows: int
    totals: Floats
    products: Floats
    lowest: Floats
    highest: Floats


def _sum_up(
    sources: list[_Source], rows: NDArray[np.bool_], means: Floats, scales: Floats
) -> _Sums:
    """Sum the products of the standardised columns, some rows at a time."""
    num_columns = len(means)
    products, totals = np.zeros((num_columns, num_columns)), np.zeros(num_columns)
    lowest, highest = np.full(num_columns, np.inf), np.full(num_columns, -np.inf)
    listed = None if rows.all() else np.flatnonzero(rows)
    num_rows = len(rows) if listed is None else len(listed)
    step = max(1, CHUNK_CELLS // max(1, num_columns))
    for start in range(0, num_rows, step):
        some = slice(start, min(start + step, num_rows))
        standardised = np.empty((num_columns, some.stop - some.start))
        at = 0
        for source in sources:
            size = len(source.states)
            np.subtract(
                source.columns(some if listed is None else listed[some]),
                means[at : at + size, None],
                out=standardised[at : at + size],
            )
            at += size
        standardised /= scales[:, None]
        products += standardised @ standardised.T
        totals += standardised.sum(axis=1)
        np.minimum(lowest, standardised.min(axis=1), out=lowest)
        np.maximum(highest, standardised.max(axis=1), out=highest)
    return _Sums(num_rows, totals, products, lowest, highest)


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
