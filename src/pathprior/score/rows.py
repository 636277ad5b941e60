"""Coded data in the form in which the kernels count them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.merged import Coded, MergedTable, Times, merged
from pathprior.data.table import DataTable
from pathprior.errors import DataError
from pathprior.graph.bitset import num_words
from pathprior.kernels.data.rows import Rows, fill_state_rows
from pathprior.kernels.data.special import LARGE

MAX_CODES = 2**31

BLOCK_WORDS = 256
"""Words of each bitset that are counted at once, so that a hundred of them stay in the cache."""

MERGED_FROM = 1 << 16
"""Rows of which equal ones are looked for."""
LOOKED_AT = 1 << 14
"""Rows by which it is judged whether that is worthwhile."""
WORTHWHILE = 0.75
"""Share of the rows that may be left."""


def make_rows(table: Coded, *, may_merge: bool = True) -> Rows:
    """Lay coded data out: codes and one bitset of rows per state.

    Where many rows are equal, a row that occurs so often stands for it as often as its number has
    binary ones, each time for 2^shift of them.
    """
    num_states = table.num_states
    codes, shifts = _held(table) if may_merge else (table.codes, _no_shifts(table.num_rows))
    num_held = codes.shape[1]
    if table.num_rows >= MAX_CODES:
        raise DataError(
            f"the data have {table.num_rows} rows: at most 2147483647 can be counted; take a sample"
        )
    if num_held * int(num_states.max(initial=1)) >= MAX_CODES:
        name = table.variables[int(num_states.argmax())]
        raise DataError(
            f"{name!r} has {num_states.max()} states: with {table.num_rows} rows that is too many "
            "to count; merge states"
        )
    first_state = np.concatenate([[0], np.cumsum(num_states)])
    state_rows = np.zeros((int(first_state[-1]), len(shifts)), np.uint64)
    fill_state_rows(codes, first_state, state_rows)
    size_class = np.unique(num_states, return_inverse=True)[1].astype(np.int64)
    num_large = min(num_held, table.num_rows // LARGE)
    return Rows(
        codes, num_states, size_class, first_state, state_rows, shifts, _blocks(shifts), num_large
    )


def times_of(rows: Rows) -> Times:
    """How many equal rows each row stands for."""
    return np.int64(1) << np.repeat(rows.shifts, 64)[: rows.codes.shape[1]].astype(np.int64)


def split_times(times: Times) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return rows, each as often as its times have binary ones, and the shift of each 64 of them.

    The highest shifts come first. Only the last word may be filled in part, so what would not fill
    a word of its own shift stands twice in the next.
    """
    found, shifts = [], []
    carried = np.empty(0, np.int64)
    for shift in range(int(times.max(initial=1)).bit_length() - 1, -1, -1):
        rows = np.concatenate([np.flatnonzero(times >> shift & 1), carried, carried])
        num_full = len(rows) - len(rows) % 64 if shift else len(rows)
        found.append(rows[:num_full])
        carried = rows[num_full:]
        shifts.append(np.full((num_full + 63) // 64, shift, np.uint8))
    return np.concatenate(found), np.concatenate(shifts)


def _held(table: Coded) -> tuple[NDArray[np.uint8] | NDArray[np.uint16], NDArray[np.uint8]]:
    """The rows to count and the shift of each word of them."""
    if isinstance(table, DataTable):
        if not _may_repeat(table):
            return table.codes, _no_shifts(table.num_rows)
        few = merged(table)
        if len(few.times) > WORTHWHILE * table.num_rows:
            return table.codes, _no_shifts(table.num_rows)
        table = few
    assert isinstance(table, MergedTable)
    if len(table.times) == table.num_rows:
        return table.held, _no_shifts(table.num_rows)
    rows, shifts = split_times(table.times)
    held: Any = table.held  # of one type or the other
    codes: NDArray[np.uint8] | NDArray[np.uint16] = np.take(held, rows, axis=1)
    codes.flags.writeable = False  # as those of a table: one type, one compiled kernel
    return codes, shifts


def _may_repeat(table: DataTable) -> bool:
    """Whether some rows from all over the data are equal often enough."""
    if table.num_rows < MERGED_FROM:
        return False
    few = table.codes[:, :: table.num_rows // LOOKED_AT]
    looked_at = DataTable(table.variables, few, table.states)
    return len(merged(looked_at).times) <= 0.95 * looked_at.num_rows


def _no_shifts(num_rows: int) -> NDArray[np.uint8]:
    return np.zeros(num_words(num_rows), np.uint8)


def _blocks(shifts: NDArray[np.uint8]) -> NDArray[np.int64]:
    """First word, end and shift of the runs that are counted at once; one at least."""
    ends = [*(np.flatnonzero(np.diff(shifts)) + 1).tolist(), len(shifts)]
    blocks = []
    for first, end in zip([0, *ends], ends, strict=False):
        for start in range(first, max(end, 1), BLOCK_WORDS):
            blocks.append((start, min(end, start + BLOCK_WORDS), int(shifts[start])))
    return np.array(blocks, dtype=np.int64)
