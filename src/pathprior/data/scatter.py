"""`Scatter`: what means and products of real columns are over many rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scatter:
    """Number of rows, means, and sums of products of what deviates from them."""

    num_rows: int
    means: Floats
    products: Floats

    @classmethod
    def of(cls, values: Floats) -> "Scatter":
        """Of the rows of a matrix with one row for each variable; centred before it is squared."""
        with np.errstate(over="ignore", invalid="ignore"):  # who needs the products checks them
            means = values.mean(axis=1)
            centred = values - means[:, np.newaxis]
            return cls(values.shape[1], means, centred @ centred.T)

    @classmethod
    def merged(cls, parts: Iterable["Scatter"]) -> "Scatter":
        """Of all rows of several matrices, each summed up by itself (Chan and others, 1983).

        What is added to the products of the parts is that of their means about the mean of all, so
        nothing large is ever subtracted.
        """
        parts = iter(parts)
        first = next(parts)
        num_rows, means, products = first.num_rows, first.means, first.products
        for part in parts:
            total = num_rows + part.num_rows
            away = part.means - means
            share = part.num_rows / max(1, total)
            means = means + share * away
            products = products + part.products + num_rows * share * np.outer(away, away)
            num_rows = total
        return cls(num_rows, means, products)

    def select(self, places: Sequence[int]) -> "Scatter":
        """Of these variables, in this order."""
        return Scatter(self.num_rows, self.means[places], self.products[np.ix_(places, places)])
