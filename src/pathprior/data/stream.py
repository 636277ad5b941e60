"""`RealStream`: real numbers that are too many to hold, read anew whenever they are needed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pathprior.data.row_sums import RowSums
from pathprior.data.table import RealTable
from pathprior.errors import DataError

HELD_CELLS = 1 << 24
"""Most numbers of a file or an Arrow table that are held: 128 MB."""


class Source(Protocol):
    """Where the numbers are."""

    def blocks(self, names: Sequence[str]) -> Iterator[NDArray[np.float64]]:
        """The numbers of these columns, one column in each row, some rows at a time."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class RealStream:
    """Columns of real numbers that stay where they are; as `RealTable`, but for the memory.

    All were seen once, and found to be finite.

    Attributes
    ----------
    variables
        Column names.
    num_rows
        Number of rows.
    lowest, highest
        The smallest and the largest number of each variable.
    source
        Where the numbers are.
    sums
        Over all rows, where they could be taken along.
    """

    variables: tuple[str, ...]
    num_rows: int
    lowest: NDArray[np.float64]
    highest: NDArray[np.float64]
    source: Source
    sums: RowSums | None = None

    @property
    def num_variables(self) -> int:
        """Number of columns."""
        return len(self.variables)

    @property
    def values(self) -> NDArray[np.float64]:
        """All numbers as in `RealTable`, read now: 8 bytes a cell."""
        values = np.empty((self.num_variables, self.num_rows))
        start = 0
        for block in self.blocks():
            values[:, start : start + block.shape[1]] = block
            start += block.shape[1]
        return values

    def select(self, names: Sequence[str]) -> "Reals":
        """Return these columns, in this order; nothing is read."""
        if not names:
            return RealTable((), np.empty((0, self.num_rows)))
        place = {name: v for v, name in enumerate(self.variables)}
        places = [place[name] for name in names]
        return replace(
            self,
            variables=tuple(names),
            lowest=self.lowest[places],
            highest=self.highest[places],
            sums=None if self.sums is None else self.sums.select(places),
        )

    def blocks(self) -> Iterator[NDArray[np.float64]]:
        """The numbers, some rows of all columns at a time."""
        return self.source.blocks(self.variables)

    def held(self) -> RealTable:
        """Return the same as a table in memory."""
        return RealTable(self.variables, self.values)


Reals: TypeAlias = RealTable | RealStream
"""Columns of real numbers, wherever they are."""


@dataclass(frozen=True, slots=True)
class FileState:
    """A file as it was when it was first read."""

    path: Path
    size: int
    changed: int

    @classmethod
    def of(cls, path: Path) -> "FileState":
        """Look at a file."""
        state = path.stat()
        return cls(path, state.st_size, state.st_mtime_ns)

    def require_same(self) -> None:
        """Raise if the file was changed since."""
        if FileState.of(self.path) != self:
            raise DataError(f"{self.path} was changed after it was read: read it again")
