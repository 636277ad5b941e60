"""Scores of one family from its counts, in the two forms that all discrete scores here share.

  Σ_jk g(N_jk; α_jk) − Σ_j g(N_j; α_j) − penalty · q (r − 1),

j the parent configurations, k the child's states, r their number and q = Π (states of a parent).
g(N; α) = log Γ(N + α) − log Γ(α) gives the Dirichlet scores: α_jk = ess/(q r) is BDeu, α_jk = 1 is
K2, α_j = r α_jk. g(N) = N log N gives the likelihood and, with a penalty, BIC and AIC. Parent
configurations that do not occur contribute nothing to the sums and are never stored. BDeu averaged
over sample sizes has no such form, and a class of rules of its own.
"""

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from pathprior.kernels.data.averaged import AveragedRule, averaged_score
from pathprior.kernels.data.rows import DENSE, Codes, append_member, code_configurations, renumber
from pathprior.kernels.data.special import (
    DIRICHLET,
    LARGE,
    log_gamma_large,
    small_counts,
    x_log_x,
)
from pathprior.kernels.data.strata import list_rows
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.inner import allocating, allocating_entry, inner
from pathprior.kernels.linking import linking_options


class Rule(NamedTuple):
    """A score in the form above; ``cell_weight`` is α_jk, divided by q r where ``is_shared``."""

    kind: int
    cell_weight: float
    is_shared: bool
    penalty: float


AnyRule = Rule | AveragedRule


@inner
def cell_alpha(rule: Rule, num_configurations: float, num_states: int) -> float:
    """α_jk of a family with ``num_configurations`` = q and ``num_states`` = r."""
    if rule.is_shared:
        return rule.cell_weight / (num_configurations * num_states)
    return rule.cell_weight


@inner
def gather_cells(
    counts: NDArray[np.int32],
    num_rows: int,
    num_states: int,
    cell_table: NDArray[np.float64],
    total_table: NDArray[np.float64],
    large: NDArray[np.float64],
    at: int,
    cell_alpha: float,
) -> tuple[float, int, int]:
    """Sum the table values of the small counts and line up the large ones, N + α, from ``at``.

    ``counts`` holds ``num_rows`` runs of ``num_states`` cells. The large cells come first, then
    the large totals. Returns the sum and the two ends. No branches: a large count reads the 0 at
    the end of its table and a small one is overwritten in ``large``.
    """
    total_alpha = num_states * cell_alpha
    value = 0.0
    middle = at
    for i in range(num_rows * num_states):
        count = counts[i]
        large[middle] = count + cell_alpha
        middle += count >= LARGE
        value += cell_table[min(count, LARGE)]
    end = middle
    for j in range(num_rows):
        total = 0
        for k in range(num_states):
            total += counts[j * num_states + k]
        large[end] = total + total_alpha
        end += total >= LARGE
        value -= total_table[min(total, LARGE)]
    return value, middle, end


@inner
def finish_large(rule: AnyRule, large: NDArray[np.float64], end: int) -> None:
    """Apply log Γ(x) or x log x to everything lined up."""
    if rule.kind == DIRICHLET:
        log_gamma_large(large, end)
    else:
        x_log_x(large, end)


def table_score(
    rule: AnyRule,
    counts: NDArray[np.int32],
    num_rows: int,
    num_states: int,
    nominal: float,
    tables: NDArray[np.float64],
    large: NDArray[np.float64],
) -> float:
    """Score one table of counts with q = ``nominal``; the last two arguments are scratch."""
    score = _TABLE_SCORES[type(rule)]
    return score(rule, counts, num_rows, num_states, nominal, tables, large)


@overload(table_score, strict=False, jit_options=linking_options())  # type: ignore[arg-type]
def _compile_table_score(rule: Any, *rest: Any) -> Any:
    score = _TABLE_SCORES[rule.instance_class]

    def call(rule: Any, *rest: Any) -> Any:
        return score(rule, *rest)

    return call


@inner
def summed_score(
    rule: Rule,
    counts: NDArray[np.int32],
    num_rows: int,
    num_states: int,
    nominal: float,
    tables: NDArray[np.float64],
    large: NDArray[np.float64],
) -> float:
    """`table_score` of a rule in the form above."""
    alpha = cell_alpha(rule, nominal, num_states)
    log_gamma_cell = small_counts(rule.kind, alpha, tables[0])
    log_gamma_total = small_counts(rule.kind, num_states * alpha, tables[1])
    value, middle, end = gather_cells(
        counts, num_rows, num_states, tables[0], tables[1], large, np.int64(0), alpha
    )
    finish_large(rule, large, end)
    for i in range(middle):
        value += large[i] - log_gamma_cell
    for i in range(middle, end):
        value -= large[i] - log_gamma_total
    return value - rule.penalty * nominal * (num_states - 1)


_TABLE_SCORES: dict[type, Any] = {Rule: summed_score, AveragedRule: averaged_score}


@allocating_entry
def family_score(
    codes: Codes,
    num_states: NDArray[np.int64],
    shifts: NDArray[np.uint8],
    rule: AnyRule,
    kept: Words,
    num_kept: int,
    child: int,
    parents: NDArray[np.int64],
) -> float:
    """Score one family on the rows ``kept``; one pass over them per parent.

    Memory O(rows · child's states).
    """
    configurations = np.empty(num_kept, np.int32)
    listed = np.empty(num_kept if num_kept < codes.shape[1] else 0, np.int32)
    if num_kept < codes.shape[1]:
        list_rows(kept, listed)
    size = code_configurations(codes, num_states, parents, listed, configurations)
    nominal = 1.0
    for v in parents:
        nominal *= num_states[v]
    return coded_score(
        codes[child], num_states[child], shifts, rule, nominal, listed, configurations, size
    )


@allocating
def coded_score(
    column: NDArray[np.uint8],
    num_states: int,
    shifts: NDArray[np.uint8],
    rule: AnyRule,
    nominal: float,
    listed: NDArray[np.int32],
    configurations: NDArray[np.int32],
    size: int,
) -> float:
    """Score a family whose parents are coded row by row as 0 … size − 1; q is ``nominal``.

    ``shifts`` are those of `Rows`. Renumbers ``configurations`` where most of its numbers do not
    occur.
    """
    num_rows = configurations.shape[0]
    if size > DENSE and size > num_rows:
        size = renumber(configurations, size)
    counts = np.zeros(size * num_states, np.int32)
    one = np.int32(1)
    if num_rows == column.shape[0]:
        for row in range(num_rows):
            counts[configurations[row] * num_states + column[row]] += one << shifts[row >> 6]
    else:
        for i in range(num_rows):
            row = listed[i]
            counts[configurations[i] * num_states + column[row]] += one << shifts[row >> 6]
    tables = np.empty((2, LARGE + 1))
    large = np.empty(2 * (min(num_rows, counts.sum() // LARGE) + 1))
    return table_score(rule, counts, size, num_states, nominal, tables, large)


@allocating
def widened_score(
    codes: Codes,
    num_states: NDArray[np.int64],
    shifts: NDArray[np.uint8],
    rule: AnyRule,
    child: int,
    candidate: int,
    listed: NDArray[np.int32],
    configurations: NDArray[np.int32],
    size: int,
    nominal: float,
) -> float:
    """Score a family of coded parents and one more, where a dense table would be too large."""
    wider = configurations.copy()
    size = append_member(codes[candidate], num_states[candidate], size, listed, wider)
    nominal *= num_states[candidate]
    return coded_score(codes[child], num_states[child], shifts, rule, nominal, listed, wider, size)
