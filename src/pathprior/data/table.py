"""`DataTable` and `RealTable`: columns of one kind as one matrix, the form the scores work on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

BLOCK_CELLS = 1 << 21
"""Numbers that are looked at together."""


@dataclass(frozen=True, slots=True)
class DataTable:
    """Complete discrete data, coded once at the door and immutable after.

    Attributes
    ----------
    variables
        Column names.
    codes
        ``codes[v, row]`` is the state of variable v, 0 … num_states[v] − 1; one contiguous run of
        ``uint8`` (``uint16`` where a variable has more than 256 states) per variable. Read-only.
    states
        ``states[v]``: the labels behind the codes. States that never occur count too.
    """

    variables: tuple[str, ...]
    codes: NDArray[np.uint8] | NDArray[np.uint16]
    states: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        # one array type for all tables: numba compiles a kernel anew for each layout or mutability
        codes = np.ascontiguousarray(self.codes)
        codes.flags.writeable = False
        object.__setattr__(self, "codes", codes)

    @property
    def num_variables(self) -> int:
        """Number of columns."""
        return len(self.variables)

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[1])

    @property
    def held(self) -> NDArray[np.uint8] | NDArray[np.uint16]:
        """The codes; of a `MergedTable` those of rows that differ."""
        return self.codes

    @property
    def times(self) -> None:
        """None: every row is held, see `MergedTable`."""

    @property
    def num_states(self) -> NDArray[np.int64]:
        """Number of states of each variable, observed or not."""
        return np.array([len(labels) for labels in self.states], dtype=np.int64)

    def plain(self) -> "DataTable":
        """Return the table itself, see `MergedTable.plain`."""
        return self

    def select(self, names: Sequence[str]) -> "DataTable":
        """Return the table of these columns, in this order."""
        if tuple(names) == self.variables:
            return self
        place = {name: v for v, name in enumerate(self.variables)}
        places = [place[name] for name in names]
        return DataTable(tuple(names), self.codes[places], tuple(self.states[v] for v in places))


@dataclass(frozen=True, slots=True, eq=False)
class RealTable:
    """Columns of real numbers, immutable.

    Attributes
    ----------
    variables
        Column names.
    values
        ``values[v, row]``: the numbers of variable v, one contiguous run of ``float64`` per
        variable. An array of that form is not copied but made read-only.
    lowest, highest
        The smallest and the largest number of each variable; NaN if one is.
    """

    variables: tuple[str, ...]
    values: NDArray[np.float64]
    lowest: NDArray[np.float64] = field(init=False, repr=False)
    highest: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        values = np.ascontiguousarray(self.values, dtype=np.float64)
        values.flags.writeable = False
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "lowest", values.min(axis=1, initial=np.inf))
        object.__setattr__(self, "highest", values.max(axis=1, initial=-np.inf))

    @property
    def num_variables(self) -> int:
        """Number of columns."""
        return len(self.variables)

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return int(self.values.shape[1])

    def select(self, names: Sequence[str]) -> "RealTable":
        """Return the table of these columns, in this order."""
        if tuple(names) == self.variables:
            return self
        place = {name: v for v, name in enumerate(self.variables)}
        places = [place[name] for name in names]
        return RealTable(tuple(names), self.values[places])

    def blocks(self) -> Iterator[NDArray[np.float64]]:
        """The numbers, some rows of all columns at a time; not copies."""
        step = max(1, BLOCK_CELLS // max(1, self.num_variables))
        for start in range(0, max(1, self.num_rows), step):
            yield self.values[:, start : start + step]
