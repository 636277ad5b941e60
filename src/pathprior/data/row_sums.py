"""`RowSums`: sums over rows that are taken along when these are first seen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.data.scatter import Scatter

FARTHEST = 2.0**200
"""How many units numbers may lie apart, or units hold such distances, so that squares are exact."""


@dataclass(frozen=True, slots=True, eq=False)
class RowSums:
    """Sums over all rows, taken along when they were first seen, of y = (x − origin)/unit."""

    origins: NDArray[np.float64]
    units: NDArray[np.float64]
    scatter: Scatter

    def select(self, places: Sequence[int]) -> "RowSums":
        """Of these variables, in this order."""
        return RowSums(self.origins[places], self.units[places], self.scatter.select(places))


class Summing:
    """Sums that grow block by block; origins and units are those of the first."""

    def __init__(self) -> None:
        self._origins: NDArray[np.float64] | None = None
        self._units = np.empty(0)
        self._scatter: Scatter | None = None

    def see(self, block: NDArray[np.float64]) -> None:
        """Add some rows, one column in each row of the block."""
        with np.errstate(all="ignore"):  # what went wrong shows in the end
            if self._origins is None:
                self._origins = block.mean(axis=1)
                self._units = units_of(block.max(axis=1) - block.min(axis=1))
            y = (block - self._origins[:, None]) / self._units[:, None]
            parts = [self._scatter] if self._scatter is not None else []
            self._scatter = Scatter.merged([*parts, Scatter.of(y)])

    def sums(self, reach: NDArray[np.float64]) -> RowSums | None:
        """The sums, given how far each column reaches; None if that is no measure for squares."""
        if self._origins is None or self._scatter is None:
            return None
        relative = np.where(reach == 0.0, 1.0, reach / self._units)
        is_exact = (relative <= FARTHEST) & (relative >= 1 / FARTHEST)
        if not is_exact.all() or not np.isfinite(self._scatter.products).all():
            return None
        return RowSums(self._origins, self._units, self._scatter)


def units_of(reach: NDArray[np.float64]) -> NDArray[np.float64]:
    """A power of two near each reach; 1 where there is none."""
    _, exponents = np.frexp(np.where(reach > 0.0, reach, 1.0))
    units: NDArray[np.float64] = np.ldexp(1.0, exponents - 1)
    return units
