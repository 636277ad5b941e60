"""Nodes as columns of numbers: one for a real node, one for each state of a discrete node."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.scatter import Scatter

Floats = NDArray[np.float64]

BLOCK_CELLS = 1 << 21
"""Numbers laid out at a time, so that memory stays small whatever the number of rows."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """Columns of some nodes in one matrix, centred; those of real nodes in their own spread.

    All states of a discrete node get a column, though one would do without: no state is special.
    """

    columns: Sequence[NDArray[Any]]
    sizes: Sequence[int]
    """Number of states; none if real."""
    means: Floats
    scales: Floats

    @classmethod
    def of(cls, columns: Sequence[NDArray[Any]], sizes: Sequence[int]) -> "Embedding":
        """Find means and spreads."""
        means: list[float] = []
        scales: list[float] = []
        for column, size in zip(columns, sizes, strict=True):
            if size:
                means += (np.bincount(column, minlength=size) / column.size).tolist()
                scales += [1.0] * size
            else:
                with np.errstate(over="ignore"):  # `check_scatter` finds what is too large
                    means.append(float(column.mean()))
                    scales.append(float(column.std()) or 1.0)
        return cls(columns, sizes, np.array(means), np.array(scales))

    @property
    def num_columns(self) -> int:
        """Number of columns of the matrix."""
        return self.means.size

    @property
    def num_free(self) -> int:
        """The same, less one for each discrete node: the columns of its states add up to one."""
        return self.num_columns - sum(size > 0 for size in self.sizes)

    def without_last(self) -> "Embedding":
        """Return the columns of all nodes but the last, which is real."""
        return Embedding(self.columns[:-1], self.sizes[:-1], self.means[:-1], self.scales[:-1])

    def blocks(self) -> Iterator[tuple[slice, Floats]]:
        """Rows and their part of the matrix, with a first column of ones."""
        num_rows = self.columns[0].size if self.columns else 0
        step = max(1, BLOCK_CELLS // (1 + self.num_columns))
        for start in range(0, num_rows, step):
            rows = slice(start, min(start + step, num_rows))
            raw = [
                column[rows, np.newaxis] == np.arange(size) if size else column[rows, np.newaxis]
                for column, size in zip(self.columns, self.sizes, strict=True)
            ]
            matrix = (np.concatenate(raw, axis=1) - self.means) / self.scales
            yield rows, np.concatenate([np.ones((len(matrix), 1)), matrix], axis=1)

    def scatter(self) -> Scatter:
        """Means and sums of products of all columns."""
        products = np.zeros((self.num_columns, self.num_columns))
        for _, matrix in self.blocks():
            products += matrix[:, 1:].T @ matrix[:, 1:]
        with np.errstate(invalid="ignore"):
            products *= np.outer(self.scales, self.scales)
        return Scatter(self.columns[0].size, self.means, products)

    def columns_of(self) -> list[range]:
        """The columns of the matrix that belong to each node."""
        ends = np.cumsum([max(size, 1) for size in self.sizes]).tolist()
        return [range(end - max(size, 1), end) for size, end in zip(self.sizes, ends, strict=True)]

    def split(self, coefficients: Floats) -> tuple[Floats, tuple[Floats, ...]]:
        """Intercepts and each node's weights, of the columns as they were.

        ``coefficients`` has a row for the ones and one for each column. A state that no row had
        adds what the others do on average. Of a discrete node the weights of its first state are
        made zero, and what they were goes into the intercepts.
        """
        slopes = coefficients[1:] / self.scales[:, np.newaxis]
        intercepts = coefficients[0]
        weights = []
        for size, columns in zip(self.sizes, self.columns_of(), strict=True):
            here = slice(columns.start, columns.stop)
            own, means = slopes[here], self.means[here]
            if size:
                own = np.where(means[:, np.newaxis] > 0, own - means @ own, 0.0)
                intercepts = intercepts + own[0]
                weights.append(own - own[0])
            else:
                intercepts = intercepts - means @ own
                weights.append(own[0])
        return intercepts, tuple(weights)
