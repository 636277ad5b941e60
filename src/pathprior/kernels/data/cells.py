"""A family's cells as bitsets of rows or as row codes, and a candidate's counts from them."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import popcount
from pathprior.kernels.data.rows import Rows
from pathprior.kernels.data.special import LARGE
from pathprior.kernels.data.strata import Strata
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.inner import inner

MAX_CELLS = 192
"""Families with more cells than this are not kept as bitsets."""
MAX_TABLE = 1 << 20
"""Count tables with more cells than this give way to observed parent states."""


class Workspace(NamedTuple):
    """Scratch arrays, allocated once per search."""

    cells: Words  # bitsets of the family's cells, then of parent configurations under way
    spare: Words
    cell_counts: NDArray[np.int32]
    occupied: NDArray[np.int64]
    numbers: NDArray[np.int64]  # mixed-radix number of each listed parent configuration
    spare_numbers: NDArray[np.int64]
    counts: NDArray[np.int32]
    listed: NDArray[np.int32]  # the rows that count, where not all do
    configurations: NDArray[np.int32]  # parent configuration of each row that counts
    cell_of: NDArray[np.int32]  # cell of each such row: configuration · r + state of the child
    tables: NDArray[np.float64]  # cell and total tables, one pair per size class and one more
    log_gammas: NDArray[np.float64]
    is_made: NDArray[np.bool_]  # whether the size class has its tables yet
    large: NDArray[np.float64]
    pending: NDArray[np.int64]  # owner, start, middle, end of the runs lined up in `large`
    column: NDArray[np.float64]  # scores on a further stratum


@inner
def refine(
    source: Words,
    source_numbers: NDArray[np.int64],
    num_source: int,
    rows: Rows,
    v: int,
    target: Words,
    target_numbers: NDArray[np.int64],
    max_target: int,
) -> int:
    """Split row sets by the states of ``v`` and keep the occupied ones; −1 beyond max_target."""
    first, num_states = rows.first_state[v], rows.num_states[v]
    num_words = rows.state_rows.shape[1]
    num_target = 0
    for j in range(num_source):
        for s in range(num_states):
            if num_target == max_target:
                return -1
            any_row = np.uint64(0)
            for w in range(num_words):
                word = source[j, w] & rows.state_rows[first + s, w]
                target[num_target, w] = word
                any_row |= word
            if any_row:
                target_numbers[num_target] = source_numbers[j] * num_states + s
                num_target += 1
    return num_target


@inner
def split_family(
    rows: Rows, kept: Words, child: int, parents: NDArray[np.int64], work: Workspace
) -> int:
    """Fill ``work.cells`` and ``cell_counts`` for the family on the rows ``kept``.

    Returns its configurations, or −1 if there are many.
    """
    num_states = rows.num_states[child]
    num_words = rows.state_rows.shape[1]
    max_configurations = MAX_CELLS // num_states
    # the two buffers swap roles once per parent; start so that the cells end up in work.cells
    source, source_numbers = work.spare, work.spare_numbers
    target, target_numbers = work.cells, work.numbers
    if parents.shape[0] & 1:
        source, target = target, source
        source_numbers, target_numbers = target_numbers, source_numbers
    num_configurations: Any = np.int64(
        1
    )  # not a literal, for which numba would compile the callees again
    for w in range(num_words):
        source[0, w] = kept[w]
    source_numbers[0] = 0
    for v in parents:
        num_configurations = refine(
            source, source_numbers, num_configurations, rows, v,
            target, target_numbers, max_configurations,
        )  # fmt: skip
        if num_configurations < 0:
            return -1
        source, target = target, source
        source_numbers, target_numbers = target_numbers, source_numbers
    if num_configurations > max_configurations:
        return -1
    first = rows.first_state[child]
    for j in range(num_configurations):
        target_numbers[j] = source_numbers[j]
        for s in range(num_states):
            count = 0
            for w in range(num_words):
                word = source[j, w] & rows.state_rows[first + s, w]
                target[j * num_states + s, w] = word
                count += popcount(word)
            work.cell_counts[j * num_states + s] = count
    return num_configurations


@inner
def count_by_bits(
    rows: Rows, candidate: int, num_cells: int, num_occupied: int, work: Workspace
) -> None:
    """Fill ``work.counts[s, cell]``, s the candidate's state; the last state by subtraction."""
    counts, cells = work.counts, work.cells
    first, last = rows.first_state[candidate], rows.num_states[candidate] - 1
    num_words = rows.state_rows.shape[1]
    if num_occupied < num_cells:
        counts[: last * num_cells] = 0
    rest = last * num_cells
    for c in range(num_cells):
        counts[rest + c] = work.cell_counts[c]
    for s in range(last):
        for o in range(num_occupied):
            c = work.occupied[o]
            count = 0
            for w in range(num_words):
                count += popcount(cells[c, w] & rows.state_rows[first + s, w])
            counts[s * num_cells + c] = count
            counts[rest + c] -= count


@inner
def count_by_rows(
    rows: Rows, num_kept: int, candidate: int, num_cells: int, work: Workspace
) -> None:
    """The same table by one pass over the rows that count, whose cells are in ``work.cell_of``."""
    counts, cell_of, listed = work.counts, work.cell_of, work.listed
    column = rows.codes[candidate]
    size = num_cells * rows.num_states[candidate]
    # Neighbouring rows often fall into one cell; two tables keep their increments from waiting
    # for each other.
    counts[: 2 * size] = 0
    half = num_kept // 2
    if num_kept == column.shape[0]:
        for row in range(half):
            counts[num_cells * np.int64(column[row]) + cell_of[row]] += 1
            other = half + row
            counts[size + num_cells * np.int64(column[other]) + cell_of[other]] += 1
    else:
        for i in range(half):
            counts[num_cells * np.int64(column[listed[i]]) + cell_of[i]] += 1
            other = half + i
            counts[size + num_cells * np.int64(column[listed[other]]) + cell_of[other]] += 1
    if num_kept & 1:
        last = num_kept - 1
        state = column[last if num_kept == column.shape[0] else np.int64(listed[last])]
        counts[num_cells * np.int64(state) + cell_of[last]] += 1
    for i in range(size):
        counts[i] += counts[size + i]


def make_workspace(rows: Rows, strata: Strata) -> Workspace:
    """Allocate the scratch arrays for one search over ``rows``."""
    num_variables, num_rows = rows.codes.shape
    num_words = rows.state_rows.shape[1]
    num_classes = int(rows.size_class.max()) + 1
    per_family = 2 * (num_rows // LARGE + 1)
    return Workspace(
        cells=np.empty((MAX_CELLS, num_words), np.uint64),
        spare=np.empty((MAX_CELLS, num_words), np.uint64),
        cell_counts=np.empty(MAX_CELLS, np.int32),
        occupied=np.empty(MAX_CELLS, np.int64),
        numbers=np.empty(MAX_CELLS, np.int64),
        spare_numbers=np.empty(MAX_CELLS, np.int64),
        counts=np.empty(2 * MAX_TABLE, np.int32),
        listed=np.empty(num_rows if (strata.sizes < num_rows).any() else 0, np.int32),
        configurations=np.empty(num_rows, np.int32),
        cell_of=np.empty(num_rows, np.int32),
        tables=np.empty((num_classes + 1, 2, LARGE + 1)),
        log_gammas=np.empty((num_classes, 2)),
        is_made=np.empty(num_classes, np.bool_),
        large=np.empty(max(1 << 14, 2 * per_family)),
        pending=np.empty((num_variables, 4), np.int64),
        column=np.empty(num_variables),
    )
