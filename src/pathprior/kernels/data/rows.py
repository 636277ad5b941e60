"""The data as the kernels see it: codes, and one bitset of rows per variable state."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.graph.ancestors import ONE, Words
from pathprior.kernels.inner import allocating, entry, inner

Codes = NDArray[np.uint8] | NDArray[np.uint16]

DENSE = 4096
"""Parent configurations are renumbered to the observed ones beyond max(DENSE, number of rows)."""


class Rows(NamedTuple):
    """Coded data: ``state_rows[first_state[v] + s]`` is the bitset of the rows where v is s.

    A row stands for 2^shift equal ones, the same power for all rows of a word: what bitsets count
    is shifted once per block of words, and no row has a weight of its own.
    """

    codes: Codes
    num_states: NDArray[np.int64]
    size_class: NDArray[np.int64]  # position of num_states[v] among the distinct numbers of states
    first_state: NDArray[np.int64]
    state_rows: Words
    shifts: NDArray[np.uint8]  # by word
    blocks: NDArray[np.int64]  # first word, end, shift of each run of words that is counted at once
    num_large: int  # cells of a family that can hold `LARGE` rows or more, at most


@entry
def fill_state_rows(codes: Codes, first_state: NDArray[np.int64], state_rows: Words) -> None:
    """Fill the bitsets, zero before, from the codes. O(variables · rows)."""
    num_variables, num_rows = codes.shape
    for v in range(num_variables):
        first = first_state[v]
        for row in range(num_rows):
            state_rows[first + codes[v, row], row >> 6] |= ONE << np.uint64(row & 63)


@inner
def code_configurations(
    codes: Codes,
    num_states: NDArray[np.int64],
    members: NDArray[np.int64],
    listed: NDArray[np.int32],
    configurations: NDArray[np.int32],
) -> int:
    """Number the joint states of ``members`` row by row; return how many numbers there are.

    ``configurations`` has a place for each row; for each of the ``listed`` ones if it has fewer.

    Mixed radix while that is small. Before it would exceed max(DENSE, rows) times a variable's
    states, the numbers in use are renumbered 0, 1, …: never more than one per row, however many
    members there are.
    """
    num_rows = configurations.shape[0]
    limit = max(DENSE, num_rows)
    size: Any = np.int64(1)  # not a literal, for which numba would compile the callees again
    configurations[:] = 0
    for v in members:
        if size * num_states[v] > limit:
            size = renumber(configurations, size)
        size = append_member(codes[v], num_states[v], size, listed, configurations)
    return size


@inner
def append_member(
    column: NDArray[np.uint8],
    num_states: int,
    size: int,
    listed: NDArray[np.int32],
    configurations: NDArray[np.int32],
) -> int:
    """Number (configuration, state of one more variable) as configuration + size · state."""
    if configurations.shape[0] == column.shape[0]:
        for row in range(configurations.shape[0]):
            configurations[row] += np.int32(size) * np.int32(column[row])
    else:
        for i in range(configurations.shape[0]):
            configurations[i] += np.int32(size) * np.int32(column[listed[i]])
    return size * num_states


@allocating
def renumber(configurations: NDArray[np.int32], size: int) -> int:
    """Replace the numbers 0 … size − 1 that occur by 0, 1, … in order; return how many occur."""
    number = np.zeros(size, np.int32)
    for configuration in configurations:
        number[configuration] = 1
    used = 0
    for i in range(size):
        if number[i]:
            number[i] = used
            used += 1
    for row in range(configurations.shape[0]):
        configurations[row] = number[configurations[row]]
    return used
