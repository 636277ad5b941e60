"""Variables as columns of one matrix, and sums over their rows in one pass.

A real variable is one column, a variable of r observed states the indicators of r − 1 of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.row_sums import RowSums, units_of
from pathprior.data.scatter import Scatter
from pathprior.data.stream import RealStream
from pathprior.errors import DataError

Floats: TypeAlias = NDArray[np.float64]

CHUNK_CELLS = 1 << 21
"""Numbers that are laid out at a time; the data themselves are not copied."""

FEWEST_ROWS = 1 << 10
"""Rows that are summed up at a time at least, so that adding the sums up does not take longer."""

MAX_COLUMNS = 8192
"""Most columns of the matrix, which then takes half a gigabyte."""

MAX_CELLS = 1 << 27
"""Most cells of all matrices together, where rows from experiments need several: a gigabyte."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The columns of the matrix, in what follows as y = (x − origin)/unit.

    Attributes
    ----------
    states
        Of a variable of states those whose indicators are columns: all that were observed but the
        first. None of a real variable.
    first_column
        See `Moments`.
    origins, units
        Numbers near the middle of each real column and a power of two near its reach, so that no
        sum is too large, too small or the difference of large ones; 0 and 1 of indicators.
    """

    states: tuple[NDArray[np.int64] | None, ...]
    first_column: NDArray[np.int64]
    origins: Floats
    units: Floats

    @classmethod
    def of(cls, dataset: Dataset, num_matrices: int) -> "Columns":
        """Lay the columns out; an error if they are too many or too long."""
        codes = dict(zip(dataset.coded.variables, dataset.coded.codes, strict=True))
        states = tuple(
            np.flatnonzero(np.bincount(codes[name]))[1:] if name in codes else None
            for name in dataset.variables
        )
        sizes = [1 if own is None else len(own) for own in states]
        first_column = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        _require_room(dataset, sizes, num_matrices)
        d = int(first_column[-1])
        origins, units = np.zeros(d), np.ones(d)
        real = np.array([own is None for own in states], dtype=bool)
        places = first_column[:-1][real]
        origins[places], units[places] = _middles(dataset)
        return cls(states, first_column, origins, units)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of columns of each variable."""
        return np.diff(self.first_column)

    @property
    def real(self) -> list[int]:
        """The real variables."""
        return [v for v, own in enumerate(self.states) if own is None]

    @property
    def coded(self) -> list[int]:
        """The others."""
        return [v for v, own in enumerate(self.states) if own is not None]

    def laid_out(self, reals: Floats, codes: NDArray[Any]) -> Floats:
        """Some rows as columns of the matrix, given those of both tables."""
        d = int(self.first_column[-1])
        y = np.empty((d, reals.shape[1]))
        numbers, states = iter(reals), iter(codes)
        for own, first, last in zip(
            self.states, self.first_column[:-1], self.first_column[1:], strict=True
        ):
            if own is None:
                np.subtract(next(numbers), self.origins[first], out=y[first])
                y[first] /= self.units[first]
            else:
                y[first:last] = next(states) == own[:, None]
        return y


def _require_room(dataset: Dataset, sizes: list[int], num_matrices: int) -> None:
    """Raise if the matrices are too large."""
    num_columns = sum(sizes)
    if num_columns > MAX_COLUMNS:
        widest = dataset.variables[int(np.argmax(sizes))]
        raise DataError(
            f"the columns need a matrix of {num_columns} columns, at most {MAX_COLUMNS} are "
            f"possible: merge states, of {widest!r} first, or drop columns"
        )
    if num_matrices > 1 and num_matrices * num_columns**2 > MAX_CELLS:
        raise DataError(
            f"the experiments need {num_matrices} matrices of {num_columns} columns, one for "
            "each variable that was set, which is too much: drop columns or experiments"
        )


def _middles(dataset: Dataset) -> tuple[Floats, Floats]:
    """Means of the first rows of the real columns, where they were not set; and their reaches."""
    if (known := _known_sums(dataset)) is not None:
        return known.origins, known.units
    reals = dataset.reals
    low, high = reals.lowest, reals.highest
    with np.errstate(over="ignore"):
        reach = high - low
    if not np.isfinite(reach).all():
        v = int(np.argmin(np.isfinite(reach)))
        raise DataError(
            f"the numbers of column {reals.variables[v]!r} are too far apart, from {low[v]} to "
            f"{high[v]}: divide them by a large number"
        )
    reach[reach == 0.0] = 1.0
    first = next(reals.blocks())
    first = first[:, : max(1, CHUNK_CELLS // max(1, len(first)))]
    counted = np.ones(first.shape, dtype=bool)
    if dataset.intervened is not None:
        places = [dataset.variables.index(name) for name in reals.variables]
        counted = ~dataset.intervened[places, : first.shape[1]]
        counted[~counted.any(axis=1)] = True
    share = np.mean((first - low[:, None]) / reach[:, None], axis=1, where=counted)
    origins = np.clip(low + share * reach, low, high)
    return origins, units_of(reach)


def _known_sums(dataset: Dataset) -> RowSums | None:
    """Sums over all rows of real columns alone, where they were taken along with reading."""
    is_plain = dataset.intervened is None and dataset.imputed is None
    if isinstance(dataset.reals, RealStream) and is_plain and not dataset.coded.variables:
        return dataset.reals.sums
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Sums of y over some rows, and the smallest and largest of each column, on any scale."""

    scatter: Scatter
    lowest: Floats
    highest: Floats


def sum_up(dataset: Dataset, columns: Columns, sets: list[NDArray[np.bool_]]) -> list[Sums]:
    """Sum up each set of rows, in one pass over all, or in none if that was done."""
    if (known := _known_sums(dataset)) is not None:
        lowest, highest = (
            (bound - known.origins) / known.units
            for bound in (dataset.reals.lowest, dataset.reals.highest)
        )
        return [Sums(known.scatter, lowest, highest)]
    summed: list[Sums | None] = [None] * len(sets)
    is_indicator = np.repeat([own is not None for own in columns.states], columns.sizes)
    d, codes = int(columns.first_column[-1]), dataset.coded.codes
    step, start = max(FEWEST_ROWS, CHUNK_CELLS // max(1, d)), 0
    for block in dataset.reals.blocks():
        for begin in range(0, block.shape[1], step):
            some = block[:, begin : begin + step]
            here = slice(start, start + some.shape[1])
            y = columns.laid_out(some, codes[:, here])
            for k, rows in enumerate(sets):
                own = y if len(sets) == 1 else y[:, rows[here]]
                if own.shape[1]:
                    summed[k] = joined([summed[k], _sums_of(own, is_indicator)])
            start = here.stop
    return [sums for sums in summed if sums is not None]


def _sums_of(y: Floats, is_indicator: NDArray[np.bool_]) -> Sums:
    """Sum up; numbers are centred first, zeros and ones counted without any rounding."""
    n, means = y.shape[1], y.mean(axis=1)
    lowest, highest = y.min(axis=1), y.max(axis=1)
    counts = y[is_indicator].sum(axis=1)
    y = y - np.where(is_indicator, 0.0, means)[:, None]
    products = y @ y.T
    both = np.ix_(is_indicator, is_indicator)
    products[both] = (n * products[both] - np.outer(counts, counts)) / n
    return Sums(Scatter(n, means, products), lowest, highest)


def joined(parts: Sequence[Sums | None]) -> Sums:
    """Sums over the rows of all parts that have any."""
    known = [part for part in parts if part is not None]
    return Sums(
        Scatter.merged(part.scatter for part in known),
        np.min([part.lowest for part in known], axis=0),
        np.max([part.highest for part in known], axis=0),
    )
