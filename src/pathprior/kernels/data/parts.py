"""Columns of the score of families: the mean of three marginal likelihoods of a child's values.

  local(v, P) = log ⅓ (e^T + e^R + e^A),

T of a full table whose pseudo-counts e are shared by its cells (BDeu), R of a full table in which
each row is worth one row of data (1/r in every cell), A of an additive logit with T's prior, see
`pathprior.kernels.data.additive`. With one parent or none A is T; so it is, for lack of another,
for families beyond its limits.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.additive import (
    MAX_CONFIGURATIONS,
    MAX_PARAMETERS,
    AdditiveRoom,
    Shape,
)
from pathprior.kernels.data.additive_evidence import additive_evidence
from pathprior.kernels.data.columns import fills
from pathprior.kernels.data.families import Rule, family_score, summed_score
from pathprior.kernels.data.rows import Rows, code_configurations
from pathprior.kernels.data.special import DIRICHLET
from pathprior.kernels.data.strata import Strata, list_rows
from pathprior.kernels.data.toggled import BARRED, toggle_parent
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.inner import allocating, allocating_entry, entry, inner

TABLE, ROWS, ADDITIVE = 0, 1, 2
NUM_PARTS = 3

WORK_PER_ROW = 12
WORK_PER_CELL = 400
WORK_PER_STEP = 8
"""What counting a row for one more parent, a cell and an entry of the curvature take, in words of
AND + popcount; measured."""


class PartsRoom(NamedTuple):
    """Scratch for one family."""

    listed: NDArray[np.int32]  # the rows that count, where not all do
    configurations: NDArray[np.int32]
    counts: NDArray[np.int32]
    totals: NDArray[np.int32]
    tables: NDArray[np.float64]
    large: NDArray[np.float64]
    members: NDArray[np.int64]
    states: NDArray[np.int64]
    parts: NDArray[np.float64]
    is_additive: NDArray[np.bool_]  # whether the family has a logit of its own; one place
    additive: AdditiveRoom


class Parts(NamedTuple):
    """What the score of families reads."""

    rows: Rows
    strata: Strata
    size: float  # e
    room: PartsRoom


@fills(Parts)
@inner
def fill_parts(
    kernel: Parts, child: int, parents: NDArray[np.int64], barred: Words, out: NDArray[np.float64]
) -> int:
    """Fill ``out[u]`` with the score after toggling parent u, ``out[child]`` with it as is.

    ``barred`` variables, which cannot be added, get −∞. It is the sum over the strata of the child.
    Returns the work done.
    """
    members, work = kernel.room.members, 0
    for u in range(out.shape[0]):
        out[u] = -np.inf
        size = toggle_parent(parents, child, u, barred, members)
        if size != BARRED:
            out[u], done = score_family(kernel, child, members[:size])
            work += done
    return work


@inner
def score_family(kernel: Parts, child: int, members: NDArray[np.int64]) -> tuple[float, int]:
    """Sum over the strata of the child, and the work done; one without a row has no family."""
    strata = kernel.strata
    score, work = 0.0, 0
    for i in range(strata.first[child], strata.first[child + 1]):
        s = strata.which[i]
        if strata.sizes[s] == 0:
            continue
        work += fill_family(kernel, strata.rows[s], strata.sizes[s], child, members)
        score += mean_of_parts(kernel.room.parts)
    return score, work


@entry
def local_score(kernel: Parts, child: int, members: NDArray[np.int64]) -> float:
    """`score_family`, for who asks for one."""
    return score_family(kernel, child, members)[0]


@inner
def mean_of_parts(parts: NDArray[np.float64]) -> float:
    """log of the mean of e^part."""
    largest = max(parts[TABLE], parts[ROWS], parts[ADDITIVE])
    total = 0.0
    for k in range(NUM_PARTS):
        total += math.exp(parts[k] - largest)
    return largest + math.log(total / NUM_PARTS)


@allocating
def fill_family(
    kernel: Parts, kept: Words, num_kept: int, child: int, members: NDArray[np.int64]
) -> int:
    """Fill ``parts`` with the three of a family on the rows ``kept``; return the work done."""
    rows, room = kernel.rows, kernel.room
    r, parts = rows.num_states[child], room.parts
    nominal = 1.0
    for i in range(members.shape[0]):
        room.states[i] = rows.num_states[members[i]]
        nominal *= room.states[i]
    by_table = Rule(DIRICHLET, kernel.size, True, 0.0)
    by_row = Rule(DIRICHLET, 1.0 / r, False, 0.0)
    work = WORK_PER_ROW * num_kept * (1 + members.shape[0])
    room.is_additive[0] = may_be_additive(rows, nominal, r, members)
    if not room.is_additive[0]:
        parts[TABLE] = family_score(
            rows.codes, rows.num_states, rows.shifts, by_table, kept, num_kept, child, members
        )
        parts[ROWS] = family_score(
            rows.codes, rows.num_states, rows.shifts, by_row, kept, num_kept, child, members
        )
        parts[ADDITIVE] = parts[TABLE]
        return 2 * work
    size = count_family(kernel, kept, num_kept, child, members)
    parts[TABLE] = summed_score(by_table, room.counts, size, r, nominal, room.tables, room.large)
    parts[ROWS] = summed_score(by_row, room.counts, size, r, nominal, room.tables, room.large)
    shape = Shape(room.states[: members.shape[0]], r, size, kernel.size)
    parts[ADDITIVE], num_steps = additive_evidence(room.counts, room.totals, shape, room.additive)
    per_step = size * (members.shape[0] + 1) ** 2 * (r - 1) ** 2
    return work + WORK_PER_CELL * size * r * (1 + num_steps) + WORK_PER_STEP * per_step * num_steps


@inner
def may_be_additive(rows: Rows, nominal: float, r: int, members: NDArray[np.int64]) -> bool:
    """Whether a family has an additive part that is not its table, within the limits."""
    if members.shape[0] < 2 or nominal > MAX_CONFIGURATIONS:
        return False
    count = 1
    for v in members:
        count += rows.num_states[v] - 1
    return count * (r - 1) <= MAX_PARAMETERS and nominal * (r - 1) <= MAX_CONFIGURATIONS * 4


@inner
def count_family(
    kernel: Parts, kept: Words, num_kept: int, child: int, members: NDArray[np.int64]
) -> int:
    """Fill ``counts`` and ``totals``, a run for each configuration; return how many these are."""
    rows, room = kernel.rows, kernel.room
    r, column = rows.num_states[child], rows.codes[child]
    listed = room.listed[: num_kept if num_kept < column.shape[0] else 0]
    if num_kept < column.shape[0]:
        list_rows(kept, listed)
    configurations = room.configurations[:num_kept]
    size = code_configurations(rows.codes, rows.num_states, members, listed, configurations)
    counts, totals, one = room.counts, room.totals, np.int32(1)
    counts[: size * r] = 0
    if num_kept == column.shape[0]:
        for row in range(num_kept):
            counts[configurations[row] * r + column[row]] += one << rows.shifts[row >> 6]
    else:
        for i in range(num_kept):
            row = listed[i]
            counts[configurations[i] * r + column[row]] += one << rows.shifts[row >> 6]
    for j in range(size):
        total = np.int32(0)
        for c in range(r):
            total += counts[j * r + c]
        totals[j] = total
    return size


@allocating_entry
def read_parts(
    kernel: Parts, kept: Words, num_kept: int, child: int, members: NDArray[np.int64]
) -> int:
    """`fill_family`, for who asks for one family."""
    return fill_family(kernel, kept, num_kept, child, members)
