"""Scores of candidates from their tables, large counts lined up and finished together."""

from typing import Any

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from pathprior.kernels.data.averaged import AveragedRule, averaged_score
from pathprior.kernels.data.cells import Workspace
from pathprior.kernels.data.families import (
    AnyRule,
    Rule,
    cell_alpha,
    finish_large,
    gather_cells,
)
from pathprior.kernels.data.rows import Rows
from pathprior.kernels.data.special import small_counts
from pathprior.kernels.inner import inner
from pathprior.kernels.linking import linking_options


def line_up(
    rows: Rows,
    rule: AnyRule,
    u: int,
    at: int,
    num_table_rows: int,
    r: int,
    nominal: float,
    num_pending: Any,
    end: Any,
    work: Workspace,
    scores: NDArray[np.float64],
) -> tuple[Any, Any]:
    """Score candidate ``u`` by its table in ``work.counts`` but for the large counts.

    Returns how many candidates wait for their large counts, and where those end.
    """
    score = _LINE_UPS[type(rule)]
    found: tuple[Any, Any] = score(
        rows, rule, u, at, num_table_rows, r, nominal, num_pending, end, work, scores
    )
    return found


@overload(line_up, strict=False, jit_options=linking_options())  # type: ignore[arg-type]
def _compile_line_up(rows: Any, rule: Any, *rest: Any) -> Any:
    score = _LINE_UPS[rule.instance_class]

    def call(rows: Any, rule: Any, *rest: Any) -> Any:
        return score(rows, rule, *rest)

    return call


@inner
def line_up_sums(
    rows: Rows,
    rule: Rule,
    u: int,
    at: int,
    num_table_rows: int,
    r: int,
    nominal: float,
    num_pending: Any,
    end: Any,
    work: Workspace,
    scores: NDArray[np.float64],
) -> tuple[Any, Any]:
    """`line_up` of a rule whose scores are sums."""
    states = rows.num_states[u]
    which = rows.size_class[u]
    alpha = cell_alpha(rule, nominal * states, r)
    if not work.is_made[which]:
        work.is_made[which] = True
        work.log_gammas[which, 0] = small_counts(rule.kind, alpha, work.tables[which, 0])
        work.log_gammas[which, 1] = small_counts(rule.kind, r * alpha, work.tables[which, 1])
    if end + 2 * (rows.num_large + 1) > work.large.shape[0]:
        flush(rule, num_pending, end, work, scores)
        num_pending, end = np.int64(0), np.int64(0)
    start = end
    value, middle, end = gather_cells(
        work.counts[at:], num_table_rows, r, work.tables[which, 0], work.tables[which, 1],
        work.large, start, alpha,
    )  # fmt: skip
    value -= rule.penalty * nominal * states * (r - 1)
    value -= (middle - start) * work.log_gammas[which, 0]
    scores[u] = value + (end - middle) * work.log_gammas[which, 1]
    work.pending[num_pending, 0] = u
    work.pending[num_pending, 1] = start
    work.pending[num_pending, 2] = middle
    work.pending[num_pending, 3] = end
    return num_pending + 1, end


@inner
def average_at_once(
    rows: Rows,
    rule: AveragedRule,
    u: int,
    at: int,
    num_table_rows: int,
    r: int,
    nominal: float,
    num_pending: Any,
    end: Any,
    work: Workspace,
    scores: NDArray[np.float64],
) -> tuple[Any, Any]:
    """`line_up` of an average, which is no sum: nothing waits."""
    scores[u] = averaged_score(
        rule, work.counts[at:], num_table_rows, r, nominal * rows.num_states[u],
        work.tables[work.tables.shape[0] - 1], work.large,
    )  # fmt: skip
    return num_pending, end


_LINE_UPS: dict[type, Any] = {Rule: line_up_sums, AveragedRule: average_at_once}


@inner
def flush(
    rule: AnyRule, num_pending: int, end: int, work: Workspace, scores: NDArray[np.float64]
) -> None:
    """Add the large counts lined up in ``work.large`` to the scores they belong to."""
    finish_large(rule, work.large, end)
    for m in range(num_pending):
        value = 0.0
        for i in range(work.pending[m, 1], work.pending[m, 2]):
            value += work.large[i]
        for i in range(work.pending[m, 2], work.pending[m, 3]):
            value -= work.large[i]
        scores[work.pending[m, 0]] += value
