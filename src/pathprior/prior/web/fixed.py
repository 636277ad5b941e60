"""What given weights make of a web's pairs: the chains run, and nothing is fitted.

Chains start from the graph without edges at a small β. There the weights come in step by step; then
β rises to the base's. Averages are those of a run in which nothing changes any more, without its
first quarter, in which chains may still remember the way they came.
"""

from time import monotonic

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.progress import Progress, silent
from pathprior.graph.alphabets import RELATIONS_ALONE, Alphabets
from pathprior.graph.edge_rules import EdgeRules
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.web.constant import log_tilted_dags
from pathprior.prior.web.diagnostics import (
    NUM_PARTS,
    Agreement,
    WebDiagnostics,
    WebStop,
    cut_blocks,
    root_mean_square,
)
from pathprior.prior.web.fit import WebFit
from pathprior.prior.web.moments import EXCLUDED, relations_of
from pathprior.prior.web.run import BLOCK, JUDGEMENT_SHARE, NUM_CHAINS, ROUND_RECORDS, Run
from pathprior.prior.web.settings import WebSettings

LEARNING_BLOCKS = 4
"""Blocks in which the chains still learn where to plant nodes."""
LEFT_OUT = 4
"""One part in so many of the blocks that follow, the first, is left out."""


def run_fixed_weights(
    pairs: NDArray[np.int64],
    num_nodes: int,
    edge_odds: float,
    log_weights: NDArray[np.float64],
    settings: WebSettings,
    *,
    alphabets: Alphabets = RELATIONS_ALONE,
    rules: EdgeRules | None = None,
    progress: Progress = silent,
) -> WebFit:
    """Probabilities of the relations of ``pairs`` under β^edges Π λ, with their constant.

    Stops when twice every standard error is within the tolerance and the chains agree.
    """
    run = Run(pairs, num_nodes, edge_odds, settings, monotonic(), progress, alphabets, rules)
    never = np.isneginf(log_weights)
    finite = np.where(never, 0.0, log_weights)
    field = np.where(never, finite.min() + EXCLUDED, log_weights)
    run.start_fixed(field, log_weights)
    blocks: list[NDArray[np.float32]] = []
    for _ in range(LEARNING_BLOCKS):
        _block(run, log_weights, is_learning=True)
    while True:
        blocks.append(_block(run, log_weights, is_learning=False))
        kept = blocks[len(blocks) // LEFT_OUT :]
        if len(kept) < NUM_PARTS:
            continue
        marginals, parts = cut_blocks(np.array(kept))
        agreement = Agreement.of_parts(marginals, parts)
        is_settled = agreement.has_settled(settings.tolerance)
        if is_settled or run.is_late(JUDGEMENT_SHARE):
            break
        error = max(agreement.max_standard_error, 1e-9)
        progress(min(99, round(100 * (settings.tolerance / 2 / error) ** 2)), 100)
    log_total = log_tilted_dags(
        run.chains, field, run.log_base, run.log_end, deadline=run.begin + settings.time_limit
    )
    progress(100, 100)
    return WebFit(
        log_weights=log_weights,
        log_weight_errors=np.zeros_like(log_weights),
        marginals=marginals.reshape(-1, NUM_TIES),
        log_total=log_total,
        is_met=True,
        diagnostics=WebDiagnostics(
            stopped_because=str(WebStop.CONVERGED if is_settled else WebStop.TIME_LIMIT),
            num_chains=NUM_CHAINS,
            num_sweeps=run.num_sweeps,
            seconds=monotonic() - run.begin,
            standard_error=root_mean_square(agreement.standard_errors),
            max_standard_error=agreement.max_standard_error,
            max_residual=0.0,  # no equations to solve
            max_r_hat=agreement.r_hat,
            least_effective=agreement.least_effective,
            log_constant_error=log_total.standard_error,
        ),
    )


def _block(run: Run, field: NDArray[np.float64], *, is_learning: bool) -> NDArray[np.float32]:
    """Averages of the relations over one block of the run, chain by chain."""
    num_records = BLOCK * ROUND_RECORDS
    run.num_sweeps += num_records * run.round_sweeps
    records = run.chains.run(
        run.log_base,
        field,
        num_records=num_records,
        sweeps=run.round_sweeps,
        is_learning=is_learning,
    )
    return np.asarray(relations_of(records.codes).mean(axis=0))
