"""The fit of a web: weights for beliefs whose configurations are too many to list.

The measure over DAGs is β^edges Π_k λ_k(event_k(G)) / Z, as for every fit; only its moments come
from Markov chains instead of a listing. Four parts, in order:

1. *Start.* At edge odds β = 1/n graphs are sparse and every relation is common. There the weights
   are fitted roughly, then β rises to that of the base, if it is larger, and the weights follow, so
   that the stated probabilities hold all the way. (With fixed weights the chains would meet an
   abrupt change from dense to fragmented graphs; following the marginals there is none.)
2. *Rounds.* The chains go on at the base's β; after every round the weights take a Newton step
   with gain 2/round: stochastic approximation that forgets the older half of what it saw. Weights
   that change faster than many beliefs together can answer swing for a while; the falling gain
   ends it.
3. *Judgements.* Runs with the weights held fixed. While the weights still move they hold the
   averages at what is wanted, right or not; only such a run tells what the weights by themselves
   do. A Newton step mends the gap that it finds, and the next run judges the new weights, together
   with those before it that were near (`pathprior.prior.web.judgement`). Once gaps are noise or
   within the tolerance, the weights after the step are the answer.
4. *Constant.* `pathprior.prior.web.constant`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.progress import Progress, silent
from pathprior.graph.alphabets import RELATIONS_ALONE, Alphabets
from pathprior.graph.edge_rules import EdgeRules
from pathprior.prior.listed.problem import Constraint
from pathprior.prior.web.constant import Estimate, log_tilted_dags
from pathprior.prior.web.diagnostics import (
    NUM_PARTS,
    Agreement,
    WebDiagnostics,
    WebStop,
    cut_blocks,
    root_mean_square,
)
from pathprior.prior.web.judgement import Evidence, Finding
from pathprior.prior.web.moments import EXCLUDED, Moments, SoftEquations
from pathprior.prior.web.run import JUDGEMENT_SHARE, NUM_CHAINS, ROUNDS_SHARE, Run
from pathprior.prior.web.settings import WebSettings

TRIAL_BLOCKS = 60
"""Blocks after which weights that still run away show that the beliefs cannot be met."""
READY = 2.0
"""How much larger errors may be before the judgements than after them."""
EXACT_STRENGTH = 1000.0
"""Strength that stands for exact agreement: |J − π| is about |log λ| / 4000."""
MET = 0.02
"""Beliefs that are missed by more than this at that strength count as incoherent."""


@dataclass(frozen=True, slots=True)
class WebFit:
    """Weights of a web, with what they make of the beliefs."""

    log_weights: NDArray[np.float64]
    """log λ by pair and relation, not normalised; −inf where a hard belief says never."""
    log_weight_errors: NDArray[np.float64]
    """Standard errors of log λ, each pair's counted from their mean under ``marginals``."""
    marginals: NDArray[np.float64]
    """Fitted probability of each pair's relations."""
    log_total: Estimate
    """log Σ_G β^edges Π λ."""
    is_met: bool
    """Whether the beliefs were met as stated, as far as the errors tell, instead of repaired."""
    diagnostics: WebDiagnostics


def fit_web(
    pairs: NDArray[np.int64],
    num_nodes: int,
    edge_odds: float,
    constraints: Sequence[Constraint],
    settings: WebSettings,
    *,
    may_be_coherent: bool,
    alphabets: Alphabets = RELATIONS_ALONE,
    rules: EdgeRules | None = None,
    begin: float | None = None,
    progress: Progress = silent,
) -> WebFit:
    """Fit the weights of ``constraints`` on ``pairs`` of the ``num_nodes`` nodes.

    The base measure has ``edge_odds`` β. Of the pairs the ties of their ``alphabets`` are told
    paths.

    With ``may_be_coherent`` the beliefs are first taken as exact. If that misses one by more than
    `MET`, or was not asked for, the soft fit with the beliefs' own strengths is made. The time
    limit counts from ``begin``, a reading of `monotonic`; from now on if None.
    """
    begin = monotonic() if begin is None else begin

    def new_run() -> Run:
        return Run(pairs, num_nodes, edge_odds, settings, begin, progress, alphabets, rules)

    if may_be_coherent:
        exact = SoftEquations.start(constraints, len(pairs), EXACT_STRENGTH)
        fit = _fit(new_run(), exact, is_trial=True)
        if fit is not None:
            return fit
    soft = SoftEquations.start(constraints, len(pairs))
    fit = _fit(new_run(), soft, is_trial=False)
    assert fit is not None  # only a trial gives up
    return fit


def _fit(run: Run, equations: SoftEquations, *, is_trial: bool) -> WebFit | None:
    """Run start, rounds, judgements and constant; None if a trial cannot meet the beliefs."""
    tolerance = run.settings.tolerance
    equations = run.start(equations)
    moments: Moments | None = None
    for block in count(1):
        equations, moments = run.rounds(equations, moments)
        if block < 2 * NUM_PARTS:
            continue
        agreement = Agreement.of_parts(*cut_blocks(np.array(run.events[block // 2 :])))
        if is_trial and block > TRIAL_BLOCKS // 4:
            is_solved = agreement.solves(equations.wanted, tolerance)
            if _misses(equations) or (block > TRIAL_BLOCKS and not is_solved):
                return None
        error = max(agreement.max_standard_error, 1e-9)
        # errors fall as the square root of the work; the other half is the judgement
        run.progress(min(50, round(50 * (READY * tolerance / 2 / error) ** 2)), 100)
        if 2 * error <= READY * tolerance or run.is_late(ROUNDS_SHARE):
            break
    num_blocks = max(NUM_PARTS, block // 2)
    evidence = Evidence(())
    while True:
        begin = monotonic()
        judged = run.judge(equations, num_blocks=num_blocks)
        before, evidence = evidence, evidence.joined(judged)
        is_wrong = evidence is before  # the last step: with more samples there is a better one
        found = evidence.at(evidence.latest)
        equations = evidence.latest if is_wrong else evidence.corrected()
        if found.is_near or found.is_good(tolerance):
            found = evidence.at(equations)  # a small step: what it leaves need not be judged
        if found.is_good(tolerance):
            return _finish(run, evidence, found, WebStop.CONVERGED, is_trial)
        error = max(found.events.max_standard_error, 1e-9)
        needed = evidence.num_blocks * (2 * error / tolerance) ** 2
        run.progress(min(99, round(50 + 50 * evidence.num_blocks / needed)), 100)
        pace = (monotonic() - begin) / len(judged.blocks)
        # at most as many as there are: weights get better on the way; at least a tenth
        missing = 1.0 if is_wrong else np.clip(needed / evidence.num_blocks - 1, 0.1, 1.0)
        num_blocks = max(NUM_PARTS, round(missing * evidence.num_blocks))
        if run.is_late(JUDGEMENT_SHARE, ahead=pace * num_blocks):
            return _finish(run, evidence, found, WebStop.TIME_LIMIT, is_trial)
        if is_trial and _misses(equations):
            return None


def _finish(run: Run, evidence: Evidence, found: Finding, stop: WebStop, is_trial: bool) -> WebFit:
    equations, agreement = found.equations, found.events
    log_total = log_tilted_dags(
        run.chains,
        equations.field(EXCLUDED),
        run.log_base,
        run.log_end,
        deadline=run.begin + run.settings.time_limit,
    )
    run.progress(100, 100)
    return WebFit(
        log_weights=equations.field(),
        log_weight_errors=evidence.weight_errors(found),
        marginals=found.relations,
        log_total=log_total,
        is_met=is_trial and found.meets(max(MET, run.settings.tolerance)),
        diagnostics=WebDiagnostics(
            stopped_because=str(stop),
            num_chains=NUM_CHAINS,
            num_sweeps=run.num_sweeps,
            seconds=monotonic() - run.begin,
            standard_error=root_mean_square(agreement.standard_errors),
            max_standard_error=agreement.max_standard_error,
            max_residual=float(np.abs(found.gaps).max(initial=0.0)),
            max_r_hat=agreement.r_hat,
            least_effective=agreement.least_effective,
            log_constant_error=log_total.standard_error,
        ),
    )


def _misses(equations: SoftEquations) -> bool:
    """Whether weights have run so far that a belief cannot be met."""
    return float(np.abs(equations.wanted - equations.target).max(initial=0.0)) > MET
