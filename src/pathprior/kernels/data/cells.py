"""A family's cells as bitsets of rows or as row codes, and a candidate's counts from them.

Bitsets are made and counted block by block of the rows: those of a block stay in the cache while
all candidates are counted, and memory does not grow with the rows.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import popcount
from pathprior.kernels.data.rows import Rows
from pathprior.kernels.data.special import LARGE
from pathprior.kernels.data.strata import Strata
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.inner import inner

MAX_CELLS = 384
"""Families with more cells than this are not kept as bitsets."""
MAX_TABLE = 1 << 20
"""Count tables with more cells than this give way to observed parent states."""


class Workspace(NamedTuple):
    """Scratch arrays, allocated once per search."""

    cells: Words  # bitsets of the family's cells, then of parent configurations under way
    spare: Words
    cell_counts: NDArray[np.int32]
    occupied: NDArray[np.int64]  # cells with rows: where in `cells`, and in the count tables
    numbers: NDArray[np.int64]  # mixed-radix number of each listed parent configuration
    spare_numbers: NDArray[np.int64]
    block_numbers: NDArray[np.int64]  # of those that occur in a block
    group: NDArray[np.int64]  # candidates that are counted by bits
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
    first_word: int,
    num_words: int,
    v: int,
    target: Words,
    target_numbers: NDArray[np.int64],
    max_target: int,
) -> int:
    """Split row sets by the states of ``v`` and keep the occupied ones; −1 beyond max_target."""
    first, num_states = rows.first_state[v], rows.num_states[v]
    num_target = 0
    for j in range(num_source):
        for s in range(num_states):
            if num_target == max_target:
                return -1
            state = rows.state_rows[first + s, first_word : first_word + num_words]
            any_row = np.uint64(0)
            for w in range(num_words):
                word = source[j, w] & state[w]
                target[num_target, w] = word
                any_row |= word
            if any_row:
                target_numbers[num_target] = source_numbers[j] * num_states + s
                num_target += 1
    return num_target


@inner
def split_block(
    rows: Rows, kept: Words, block: int, child: int, parents: NDArray[np.int64], work: Workspace
) -> int:
    """Fill ``work.cells`` and ``block_numbers`` with a block's rows; −1 if there are many.

    Returns how many configurations occur in it, in the order of their numbers.
    """
    num_states = rows.num_states[child]
    first_word = rows.blocks[block, 0]
    num_words = rows.blocks[block, 1] - first_word
    max_configurations = MAX_CELLS // num_states
    # the two buffers swap roles once per parent; start so that the cells end up in work.cells
    source, source_numbers = work.spare, work.spare_numbers
    target, target_numbers = work.cells, work.block_numbers
    if parents.shape[0] & 1:
        source, target = target, source
        source_numbers, target_numbers = target_numbers, source_numbers
    num_configurations: Any = np.int64(
        1
    )  # not a literal, for which numba would compile the callees again
    for w in range(num_words):
        source[0, w] = kept[first_word + w]
    source_numbers[0] = 0
    for v in parents:
        num_configurations = refine(
            source, source_numbers, num_configurations, rows, first_word, num_words, v,
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
            state = rows.state_rows[first + s, first_word : first_word + num_words]
            for w in range(num_words):
                target[j * num_states + s, w] = source[j, w] & state[w]
    return num_configurations


@inner
def split_family(
    rows: Rows, kept: Words, child: int, parents: NDArray[np.int64], work: Workspace
) -> int:
    """Fill ``work.numbers`` and ``cell_counts`` for the family on the rows ``kept``.

    Returns its configurations, or −1 if there are many.
    """
    r = rows.num_states[child]
    numbers, counts = work.numbers, work.cell_counts
    num_listed = 0
    for block in range(rows.blocks.shape[0]):
        num_here = split_block(rows, kept, block, child, parents, work)
        if num_here < 0:
            return -1
        num_words = rows.blocks[block, 1] - rows.blocks[block, 0]
        shift = rows.blocks[block, 2]
        at = 0  # both lists ascend
        for j in range(num_here):
            number = work.block_numbers[j]
            while at < num_listed and numbers[at] < number:
                at += 1
            if at == num_listed or numbers[at] > number:
                if num_listed == MAX_CELLS // r:
                    return -1
                for i in range(num_listed, at, -1):
                    numbers[i] = numbers[i - 1]
                for i in range((num_listed + 1) * r - 1, at * r + r - 1, -1):
                    counts[i] = counts[i - r]
                for k in range(r):
                    counts[at * r + k] = 0
                numbers[at] = number
                num_listed += 1
            for k in range(r):
                count = 0
                for w in range(num_words):
                    count += popcount(work.cells[j * r + k, w])
                counts[at * r + k] += count << shift
    return num_listed


@inner
def count_by_bits(
    rows: Rows,
    kept: Words,
    child: int,
    parents: NDArray[np.int64],
    group: NDArray[np.int64],
    num_cells: int,
    work: Workspace,
) -> None:
    """Fill the tables of the candidates in ``group``, one after the other in ``work.counts``.

    A table is ``[s, cell]``, s the candidate's state; the last state by subtraction.
    """
    end = 0
    for u in group:
        last = rows.num_states[u] - 1
        work.counts[end : end + last * num_cells] = 0
        end += last * num_cells
        for c in range(num_cells):
            work.counts[end + c] = work.cell_counts[c]
        end += num_cells
    r = rows.num_states[child]
    for block in range(rows.blocks.shape[0]):
        num_here: Any = np.int64(num_cells // r)
        if rows.blocks.shape[0] > 1:  # the only block is split already
            num_here = split_block(rows, kept, block, child, parents, work)
        count_block(rows, block, num_here, r, group, num_cells, work)


@inner
def count_block(
    rows: Rows,
    block: int,
    num_here: int,
    r: int,
    group: NDArray[np.int64],
    num_cells: int,
    work: Workspace,
) -> None:
    """Add the rows of the block that is split in ``work.cells``."""
    first_word, end_word = rows.blocks[block, 0], rows.blocks[block, 1]
    shift = rows.blocks[block, 2]
    num_words = end_word - first_word
    num_occupied = 0
    at = 0
    for j in range(num_here):
        while work.numbers[at] < work.block_numbers[j]:
            at += 1
        for k in range(r):
            if work.cell_counts[at * r + k] > 0:
                work.occupied[num_occupied, 0] = j * r + k
                work.occupied[num_occupied, 1] = at * r + k
                num_occupied += 1
    start = 0
    for u in group:
        first, last = rows.first_state[u], rows.num_states[u] - 1
        rest = start + last * num_cells
        for s in range(last):
            state = rows.state_rows[first + s, first_word:end_word]
            for o in range(num_occupied):
                cell = work.cells[work.occupied[o, 0]]
                count = 0
                for w in range(num_words):
                    count += popcount(cell[w] & state[w])
                c = work.occupied[o, 1]
                work.counts[start + s * num_cells + c] += count << shift
                work.counts[rest + c] -= count << shift
        start = rest + num_cells


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
    if num_kept == column.shape[0]:
        for block in range(rows.blocks.shape[0]):
            first, end = rows.blocks[block, 0] << 6, rows.blocks[block, 1] << 6
            states, cells = column[first:end], cell_of[first:end]  # indices from 0 are quicker
            times = np.int32(1 << rows.blocks[block, 2])
            half = states.shape[0] // 2
            for row in range(half):
                counts[num_cells * np.int64(states[row]) + cells[row]] += times
                other = half + row
                counts[size + num_cells * np.int64(states[other]) + cells[other]] += times
            if states.shape[0] & 1:
                counts[num_cells * np.int64(states[2 * half]) + cells[2 * half]] += times
    else:
        for i in range(num_kept):
            kept = np.int64(listed[i])
            at = num_cells * np.int64(column[kept]) + cell_of[i]
            counts[(i & 1) * size + at] += np.int32(1) << rows.shifts[kept >> 6]
    for i in range(size):
        counts[i] += counts[size + i]


def make_workspace(rows: Rows, strata: Strata) -> Workspace:
    """Allocate the scratch arrays for one search over ``rows``."""
    num_variables, num_rows = rows.codes.shape
    num_words = int((rows.blocks[:, 1] - rows.blocks[:, 0]).max(initial=0))
    num_classes = int(rows.size_class.max()) + 1
    return Workspace(
        cells=np.empty((MAX_CELLS, num_words), np.uint64),
        spare=np.empty((MAX_CELLS, num_words), np.uint64),
        cell_counts=np.empty(MAX_CELLS, np.int32),
        occupied=np.empty((MAX_CELLS, 2), np.int64),
        numbers=np.empty(MAX_CELLS, np.int64),
        spare_numbers=np.empty(MAX_CELLS, np.int64),
        block_numbers=np.empty(MAX_CELLS, np.int64),
        group=np.empty(num_variables, np.int64),
        counts=np.empty(2 * MAX_TABLE, np.int32),
        listed=np.empty(num_rows if (strata.sizes < num_rows).any() else 0, np.int32),
        configurations=np.empty(num_rows, np.int32),
        cell_of=np.empty(num_rows, np.int32),
        tables=np.empty((num_classes + 1, 2, LARGE + 1)),
        log_gammas=np.empty((num_classes, 2)),
        is_made=np.empty(num_classes, np.bool_),
        large=np.empty(max(1 << 14, 4 * (rows.num_large + 1))),
        pending=np.empty((num_variables, 4), np.int64),
        column=np.empty(num_variables),
    )
