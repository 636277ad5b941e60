"""All one-parent changes of one child's family, counted together.

For a child with parents P this scores P ∪ {u} for every candidate u and P ∖ {u} for every u in P.
While the family has few cells they are kept as bitsets of rows, and a candidate's counts are AND +
popcount; a family of many cells is coded row by row and counted by histogram. The cheaper one by
estimated cost is taken for each candidate. Removals are summed out of the family's own counts.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.cells import (
    MAX_CELLS,
    MAX_TABLE,
    Workspace,
    count_by_bits,
    count_by_rows,
    split_family,
)
from pathprior.kernels.data.columns import fills
from pathprior.kernels.data.families import (
    AnyRule,
    family_score,
    table_score,
    widened_score,
)
from pathprior.kernels.data.large_counts import flush, line_up
from pathprior.kernels.data.rows import Rows, code_configurations
from pathprior.kernels.data.strata import Strata, list_rows
from pathprior.kernels.graph.ancestors import Words, has_bit
from pathprior.kernels.inner import allocating, inner, pasted

WORD_OVERHEAD = 8
"""Fixed cost of one AND + popcount run, in words."""
WORDS_PER_ROW = 5
"""Cost of counting one row by histogram, in words of AND + popcount; measured."""
WORDS_PER_WIDE_ROW = 150
"""The same where the table would be too large, and observed configurations are numbered."""
WORDS_PER_CODED_PARENT = 400
"""Cost of coding one parent in one row where a family is scored by itself; measured."""
WORDS_PER_CELL = 25
"""Cost of scoring a cell of a table of counts."""
WORDS_PER_CANDIDATE = 700
WORDS_PER_COLUMN = 15_000
"""What each takes whatever the data."""


class Counted(NamedTuple):
    """What the scores that are functions of counts read."""

    rows: Rows
    rule: AnyRule
    strata: Strata
    work: Workspace


@fills(Counted)
@pasted
def fill_counted(
    kernel: Counted,
    child: int,
    parents: NDArray[np.int64],
    barred: Words,
    out: NDArray[np.float64],
) -> int:
    """Fill ``out[u]`` with the score after toggling parent u, ``out[child]`` with it as is.

    ``barred`` variables, which cannot be added, get −∞. It is the sum over the strata of the child.
    Returns the work done.
    """
    strata, more = kernel.strata, kernel.work.column
    first, last = strata.first[child], strata.first[child + 1]
    work = 0
    for i in range(first, last):
        s = strata.which[i]
        work += fill_stratum(
            kernel.rows, kernel.rule, kernel.work, strata.rows[s], strata.sizes[s], child, parents,
            barred, out if i == first else more,
        )  # fmt: skip
        if i > first:
            for u in range(out.shape[0]):
                out[u] += more[u]
    return work


@inner
def fill_stratum(
    rows: Rows,
    rule: AnyRule,
    work: Workspace,
    kept: Words,
    num_kept: int,
    child: int,
    parents: NDArray[np.int64],
    barred: Words,
    out: NDArray[np.float64],
) -> int:
    """Fill ``out`` with the scores on the rows ``kept``; return the work done.

    Without a row there is no family to describe, and no parameter to pay for: all score 0.
    """
    out[:] = -np.inf
    if num_kept == 0:
        for u in range(out.shape[0]):
            if not has_bit(barred, u):
                out[u] = 0.0
        out[child] = 0.0
        for v in parents:
            out[v] = 0.0
        return WORDS_PER_COLUMN
    nominal = 1.0
    for v in parents:
        nominal *= rows.num_states[v]
    num_configurations = split_family(rows, kept, child, parents, work)
    num_words = score_present(
        rows, rule, kept, num_kept, child, parents, num_configurations, nominal, work, out
    )
    num_words += score_additions(
        rows, rule, kept, num_kept, child, parents, barred, num_configurations, nominal, work, out
    )
    return WORDS_PER_COLUMN + num_words


@allocating
def score_present(
    rows: Rows,
    rule: AnyRule,
    kept: Words,
    num_kept: int,
    child: int,
    parents: NDArray[np.int64],
    num_configurations: int,
    nominal: float,
    work: Workspace,
    scores: NDArray[np.float64],
) -> int:
    """Score the family as it is and without each of its parents.

    Removals are summed out of the split family's counts while a dense table of them is small.
    Returns what it took where it is not, in words.
    """
    r = rows.num_states[child]
    tables = work.tables[work.tables.shape[0] - 1]
    if num_configurations < 0:
        scores[child] = family_score(
            rows.codes, rows.num_states, rows.shifts, rule, kept, num_kept, child, parents
        )
    else:
        scores[child] = table_score(
            rule, work.cell_counts, num_configurations, r, nominal, tables, work.large
        )
    num_words, each = 0, WORDS_PER_CODED_PARENT * num_kept * parents.shape[0]
    if num_configurations < 0:
        num_words += each
    stride = nominal
    for which in range(parents.shape[0]):
        v = parents[which]
        states = rows.num_states[v]
        stride /= states
        if num_configurations < 0 or nominal * r > MAX_TABLE:
            rest = np.empty(parents.shape[0] - 1, np.int64)
            for i in range(rest.shape[0]):
                rest[i] = parents[i + (i >= which)]
            scores[v] = family_score(
                rows.codes, rows.num_states, rows.shifts, rule, kept, num_kept, child, rest
            )
            num_words += each
            continue
        low = np.int64(stride)
        reduced = np.int64(nominal) // states
        work.counts[: reduced * r] = 0
        for j in range(num_configurations):
            number = work.numbers[j]
            at = (number // (low * states)) * low + number % low
            for k in range(r):
                work.counts[at * r + k] += work.cell_counts[j * r + k]
        scores[v] = table_score(rule, work.counts, reduced, r, nominal / states, tables, work.large)
    return num_words


@inner
def score_additions(
    rows: Rows,
    rule: AnyRule,
    kept: Words,
    num_kept: int,
    child: int,
    parents: NDArray[np.int64],
    forbidden: Words,
    num_configurations: int,
    nominal: float,
    work: Workspace,
    scores: NDArray[np.float64],
) -> int:
    """Score the family with each candidate added; `fill_stratum` has the rest.

    Returns what it took, in words.
    """
    num_variables, r = rows.codes.shape[0], rows.num_states[child]
    work.is_made[:] = False
    num_cells = max(num_configurations, 0) * r
    num_by_bits, num_words = list_by_bits(rows, num_kept, forbidden, num_cells, work, scores)
    # one at a time while the rows are few: its table is scored while it is in the cache
    max_size = MAX_TABLE if rows.blocks.shape[0] > 1 else 0
    num_pending: Any = np.int64(0)  # not a literal, for which numba would compile the callees again
    end: Any = np.int64(0)
    first = 0
    while first < num_by_bits:
        last, size = first, 0
        while last < num_by_bits and (
            last == first or size + num_cells * rows.num_states[work.group[last]] <= max_size
        ):
            size += num_cells * rows.num_states[work.group[last]]
            last += 1
        count_by_bits(rows, kept, child, parents, work.group[first:last], num_cells, work)
        at = 0
        for u in work.group[first:last]:
            num_table_rows = num_configurations * rows.num_states[u]
            num_pending, end = line_up(
                rows, rule, u, at, num_table_rows, r, nominal, num_pending, end, work, scores
            )
            at += num_table_rows * r
        num_words += WORDS_PER_CELL * at
        first = last
    num_coded = 0  # configurations in work.configurations, 0 before they are coded
    for u in range(num_variables):
        if has_bit(forbidden, u) or scores[u] != -np.inf:
            continue
        if num_coded == 0:
            num_coded = code_cells(rows, kept, num_kept, child, parents, work)
        num_table_rows = num_coded * rows.num_states[u]
        size = num_table_rows * r
        num_words += WORDS_PER_CANDIDATE
        if size > MAX_TABLE or size > 4 * num_kept + MAX_CELLS:
            num_words += WORDS_PER_WIDE_ROW * num_kept
            scores[u] = widened_score(
                rows.codes, rows.num_states, rows.shifts, rule, child, u,
                work.listed, work.configurations[:num_kept], num_coded, nominal,
            )  # fmt: skip
            continue
        num_words += WORDS_PER_ROW * num_kept + WORDS_PER_CELL * size
        count_by_rows(rows, num_kept, u, num_coded * r, work)
        num_pending, end = line_up(
            rows, rule, u, 0, num_table_rows, r, nominal, num_pending, end, work, scores
        )
    flush(rule, num_pending, end, work, scores)
    return num_words


@inner
def list_by_bits(
    rows: Rows,
    num_kept: int,
    forbidden: Words,
    num_cells: int,
    work: Workspace,
    scores: NDArray[np.float64],
) -> tuple[int, int]:
    """Fill ``work.group`` with the candidates for which bitsets are the cheaper way.

    Returns how many these are, and what counting them takes, in words.
    """
    run = rows.state_rows.shape[1] + WORD_OVERHEAD
    num_occupied = 0
    for c in range(num_cells):
        num_occupied += work.cell_counts[c] > 0
    num_listed, num_words = 0, 0
    if num_cells > 0:
        for u in range(rows.codes.shape[0]):
            cost = num_occupied * (rows.num_states[u] - 1) * run
            is_open = not has_bit(forbidden, u) and scores[u] == -np.inf
            is_listed = is_open and cost <= WORDS_PER_ROW * num_kept
            work.group[num_listed] = u
            num_listed += is_listed
            num_words += (cost + WORDS_PER_CANDIDATE) * is_listed
    return num_listed, num_words


@inner
def code_cells(
    rows: Rows,
    kept: Words,
    num_kept: int,
    child: int,
    parents: NDArray[np.int64],
    work: Workspace,
) -> int:
    """Code configurations and cells row by row; return the number of configuration codes."""
    column, configurations = rows.codes[child], work.configurations[:num_kept]
    if num_kept < column.shape[0]:
        list_rows(kept, work.listed)
    num_coded = code_configurations(
        rows.codes, rows.num_states, parents, work.listed, configurations
    )
    r = np.int32(rows.num_states[child])
    if num_kept == column.shape[0]:
        for row in range(num_kept):
            work.cell_of[row] = configurations[row] * r + np.int32(column[row])
    else:
        for i in range(num_kept):
            work.cell_of[i] = configurations[i] * r + np.int32(column[work.listed[i]])
    return num_coded
