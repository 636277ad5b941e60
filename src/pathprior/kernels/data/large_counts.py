"""Scores of candidates from their tables, large counts lined up and finished together."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.averaged import averaged_score
from pathprior.kernels.data.cells import Workspace
from pathprior.kernels.data.families import Rule, cell_alpha, finish_large, gather_cells
from pathprior.kernels.data.rows import Rows
from pathprior.kernels.data.special import AVERAGED, small_counts
from pathprior.kernels.inner import inner


@inner
def line_up(
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
    """Score candidate ``u`` by its table in ``work.counts`` but for the large counts.

    Returns how many candidates wait for their large counts, and where those end.
    """
    states = rows.num_states[u]
    if rule.kind == AVERAGED:
        scores[u] = averaged_score(
            rule.cell_weight, work.counts[at:], num_table_rows, r, nominal * states,
            work.tables[work.tables.shape[0] - 1], work.large,
        )  # fmt: skip
        return num_pending, end
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
def flush(
    rule: Rule, num_pending: int, end: int, work: Workspace, scores: NDArray[np.float64]
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
