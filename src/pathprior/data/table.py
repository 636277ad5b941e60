"""`DataTable`: discrete data as integer codes, the form every score and search works on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


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
    name
        What the data are called, the file's name if they were read from one; for titles only.
    """

    variables: tuple[str, ...]
    codes: NDArray[np.uint8] | NDArray[np.uint16]
    states: tuple[tuple[str, ...], ...]
    name: str = ""

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
    def num_states(self) -> NDArray[np.int64]:
        """Number of states of each variable, observed or not."""
        return np.array([len(labels) for labels in self.states], dtype=np.int64)
