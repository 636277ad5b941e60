"""`Moments`: means, spreads and products of columns, all that the Gaussian scores read of the data.

A real column is one column of the matrix. A column of r observed states is a block of r − 1: their
indicators, standardised and made uncorrelated, so that which state is left out has no influence.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.errors import DataError

Floats: TypeAlias = NDArray[np.float64]

CHUNK_CELLS = 1 << 21
"""Numbers that are centred at a time; the data themselves are not copied."""

MAX_COLUMNS = 8192
"""Most columns of the matrix, which then takes half a gigabyte."""


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Sums over the rows.

    Attributes
    ----------
    first_column
        The columns of variable v are ``first_column[v]`` … ``first_column[v + 1] − 1``.
    means, scales
        Mean and standard deviation, with denominator n, of each column in the data's units; the
        scale of a constant column is 1. Of indicators those of the uncorrelated columns: 0 and 1.
    products
        Σ_rows z zᵀ of the standardised columns z.
    log_scales
        For each variable the log of what its columns were divided by; of a block log|its factor|.
    is_constant
        Which columns are.
    """

    variables: tuple[str, ...]
    num_rows: int
    first_column: NDArray[np.int64]
    means: Floats
    scales: Floats
    products: Floats
    log_scales: Floats
    is_constant: NDArray[np.bool_]

    @property
    def num_columns(self) -> int:
        """Columns of the matrix."""
        return len(self.means)


def find_moments(dataset: Dataset) -> Moments:
    """Sum up complete data, in two passes: means and spreads, then products. O(rows · d²)."""
    if dataset.num_rows < 2:
        raise DataError("one row says nothing about a spread: real columns need 2 rows or more")
    sources = list(_sources(dataset))
    sizes = [len(source.states) for source in sources]
    first_column = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    if first_column[-1] > MAX_COLUMNS:
        widest = dataset.variables[int(np.argmax(sizes))]
        raise DataError(
            f"the columns need a matrix of {first_column[-1]} columns, at most {MAX_COLUMNS} are "
            f"possible: merge states, of {widest!r} first, or drop columns"
        )
    spreads = [_spread(dataset.variables[v], source) for v, source in enumerate(sources)]
    means = np.concatenate([spread[0] for spread in spreads])
    scales = np.concatenate([spread[1] for spread in spreads])
    is_constant = scales == 0.0
    scales[is_constant] = 1.0
    products = _products(sources, means, scales)
    log_scales = np.add.reduceat(np.append(np.log(scales), 0.0), first_column[:-1])
    log_scales[np.diff(first_column) == 0] = 0.0
    moments = Moments(
        dataset.variables, dataset.num_rows, first_column, means, scales, products, log_scales,
        is_constant,
    )  # fmt: skip
    return _without_correlation(moments, [v for v, source in enumerate(sources) if source.is_coded])


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    """A variable's values; of codes the states whose indicators are columns."""

    values: NDArray[Any]
    states: NDArray[np.int64]
    is_coded: bool

    def columns(self, start: int, stop: int) -> NDArray[Any]:
        """Some rows of the columns, one column in each row."""
        rows = self.values[None, start:stop]
        return rows == self.states[:, None] if self.is_coded else rows


def _sources(dataset: Dataset) -> Iterator[_Source]:
    """The variables in order; the first observed state gets no column."""
    coded = set(dataset.coded.variables)
    for name, values in dataset.known():
        if name in coded:
            states = np.flatnonzero(np.bincount(values))
            yield _Source(values, states[1:], True)
        else:
            yield _Source(values, np.zeros(1, np.int64), False)


def _spread(name: str, source: _Source) -> tuple[Floats, Floats]:
    """Means and standard deviations of a variable's columns; 0 where all values are the same."""
    if source.is_coded:
        shares = np.bincount(source.values)[source.states] / len(source.values)
        return shares, np.sqrt(shares * (1.0 - shares))
    values = source.values
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.array([low]), np.zeros(1)
    with np.errstate(over="ignore"):
        reach = high - low
    if not np.isfinite(reach):
        raise DataError(
            f"the numbers of column {name!r} are too far apart, from {low} to {high}: divide them "
            "by a large number"
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


def _products(sources: list[_Source], means: Floats, scales: Floats) -> Floats:
    """Sum the products of the standardised columns, some rows at a time.

    What a mean is off by, which shows where the numbers are far from zero and close to each other,
    is taken out at the end.
    """
    num_rows, num_columns = len(sources[0].values), len(means)
    products, totals = np.zeros((num_columns, num_columns)), np.zeros(num_columns)
    step = max(1, CHUNK_CELLS // max(1, num_columns))
    for start in range(0, num_rows, step):
        stop = min(start + step, num_rows)
        standardised = np.empty((num_columns, stop - start))
        at = 0
        for source in sources:
            size = len(source.states)
            np.subtract(
                source.columns(start, stop),
                means[at : at + size, None],
                out=standardised[at : at + size],
            )
            at += size
        standardised /= scales[:, None]
        products += standardised @ standardised.T
        totals += standardised.sum(axis=1)
    return products - np.outer(totals, totals / num_rows)


def _without_correlation(moments: Moments, coded: list[int]) -> Moments:
    """Change the columns of each block so that they do not correlate, by its Cholesky factor."""
    from scipy.linalg import solve_triangular

    products, log_scales = moments.products, moments.log_scales
    means, scales = moments.means.copy(), moments.scales.copy()
    for v in coded:
        block = slice(moments.first_column[v], moments.first_column[v + 1])
        if block.start == block.stop:
            continue
        factor = np.linalg.cholesky(products[block, block] / moments.num_rows)
        products[block] = solve_triangular(factor, products[block], lower=True)
        products[:, block] = solve_triangular(factor, products[:, block].T, lower=True).T
        log_scales[v] += float(np.log(factor.diagonal()).sum())
        means[block], scales[block] = 0.0, 1.0
    return Moments(
        moments.variables, moments.num_rows, moments.first_column, means, scales, products,
        log_scales, moments.is_constant,
    )  # fmt: skip
