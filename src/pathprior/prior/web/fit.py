"""The fit of a web: weights for beliefs whose configurations are too many to list.

The measure over DAGs is (1/N) Π_k λ_k(event_k(G)), as for every fit; only its moments come from
Markov chains instead of a listing. Four parts, in order:

1. *Start.* At edge weight β = 1/n graphs are sparse and every relation is common. There the
   weights are fitted roughly, then β rises to 1 and the weights follow, so that the stated
   probabilities hold all the way. (With fixed weights the chains would meet an abrupt change from
   dense to fragmented graphs; following the marginals there is none.)
2. *Rounds.* The chains go on at β = 1; after every round the weights take a Newton step with gain
   2/round: stochastic approximation that forgets the older half of what it saw. Weights that
   change faster than many beliefs together can answer swing for a while; the falling gain ends it.
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
from pathprior.errors import PriorError
from pathprior.prior.listed.problem import Constraint
from pathprior.prior.web.chains import Chains
from pathprior.prior.web.constant import Estimate, log_tilted_dags
from pathprior.prior.web.diagnostics import (
    NUM_PARTS,
    Agreement,
    WebDiagnostics,
    WebStop,
    cut_blocks,
    root_mean_square,
)
from pathprior.prior.web.judgement import Evidence, Finding, Judgement
from pathprior.prior.web.moments import (
    EXCLUDED,
    Moments,
    SoftEquations,
    mean_products,
    relations_of,
)

NUM_CHAINS = 8
LEAST_STEPS = 40
"""Steps of the start, or one per node if that is more: the more nodes, the more it must follow."""
START_RECORDS = 8
START_SWEEPS = 3
ROUND_RECORDS = 5
ROUND_SWEEPS = 10
BLOCK = 20
"""Rounds between two checks."""
ROUND_EFFECTIVE = 200.0
"""Independent samples that the moments known in start and rounds are taken to be worth."""
FIRST_ROUNDS = 40
"""Rounds that the start counts as, in the gain."""
TRIAL_BLOCKS = 60
"""Blocks after which weights that still run away show that the beliefs cannot be met."""
READY = 2.0
"""How much larger errors may be before the judgements than after them."""
ROUNDS_SHARE, JUDGEMENT_SHARE = 0.6, 0.9
"""Shares of the time limit at which the rounds and the judgement end."""
EXACT_STRENGTH = 1000.0
"""Strength that stands for exact agreement: |J − π| is about |log λ| / 4000."""
MET = 0.02
"""Beliefs that are missed by more than this at that strength count as incoherent."""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """How far a web fit goes."""

    tolerance: float = 0.02
    """Largest gap to leave between an event's probability and what the fit's equations want."""
    time_limit: float = 600.0
    """Seconds after which the fit stops with what it has."""
    seed: int = 0


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
    """log Σ_G Π λ."""
    is_met: bool
    """Whether the beliefs were met as stated, as far as the errors tell, instead of repaired."""
    diagnostics: WebDiagnostics


def fit_web(
    pairs: NDArray[np.int64],
    num_nodes: int,
    constraints: Sequence[Constraint],
    settings: WebSettings,
    *,
    may_be_coherent: bool,
    begin: float | None = None,
    progress: Progress = silent,
) -> WebFit:
    """Fit the weights of ``constraints`` on ``pairs`` of the ``num_nodes`` nodes.

    With ``may_be_coherent`` the beliefs are first taken as exact. If that misses one by more than
    `MET`, or was not asked for, the soft fit with the beliefs' own strengths is made. The time
    limit counts from ``begin``, a reading of `monotonic`; from now on if None.
    """
    begin = monotonic() if begin is None else begin
    if may_be_coherent:
        exact = SoftEquations.start(constraints, len(pairs), EXACT_STRENGTH)
        fit = _Run(pairs, num_nodes, settings, begin, progress).fit(exact, is_trial=True)
        if fit is not None:
            return fit
    soft = SoftEquations.start(constraints, len(pairs))
    fit = _Run(pairs, num_nodes, settings, begin, progress).fit(soft, is_trial=False)
    assert fit is not None  # only a trial gives up
    return fit


class _Run:
    """One fit: the chains, the clock and what the chains saw."""

    def __init__(
        self,
        pairs: NDArray[np.int64],
        num_nodes: int,
        settings: WebSettings,
        begin: float,
        progress: Progress,
    ) -> None:
        self.chains = Chains(pairs, num_nodes, num_chains=NUM_CHAINS, seed=settings.seed)
        self.log_beta = -float(np.log(max(num_nodes, 2)))
        self.settings = settings
        self.begin = begin
        self.progress = progress
        self.num_sweeps = 0
        self.num_rounds = 0
        self.events: list[NDArray[np.float32]] = []

    def fit(self, equations: SoftEquations, *, is_trial: bool) -> WebFit | None:
        """Run start, rounds, judgements and constant; None if a trial cannot meet the beliefs."""
        tolerance = self.settings.tolerance
        equations = self._start(equations)
        moments: Moments | None = None
        for block in count(1):
            equations, moments = self._rounds(equations, moments)
            if block < 2 * NUM_PARTS:
                continue
            agreement = Agreement.of_parts(*cut_blocks(np.array(self.events[block // 2 :])))
            if is_trial and block > TRIAL_BLOCKS // 4:
                is_solved = agreement.solves(equations.wanted, tolerance)
                if _misses(equations) or (block > TRIAL_BLOCKS and not is_solved):
                    return None
            error = max(agreement.max_standard_error, 1e-9)
            # errors fall as the square root of the work; the other half is the judgement
            self.progress(min(50, round(50 * (READY * tolerance / 2 / error) ** 2)), 100)
            if 2 * error <= READY * tolerance or self._is_late(ROUNDS_SHARE):
                break
        num_blocks = max(NUM_PARTS, block // 2)
        evidence = Evidence(())
        while True:
            begin = monotonic()
            judged = self._judge(equations, num_blocks=num_blocks)
            before, evidence = evidence, evidence.joined(judged)
            is_wrong = evidence is before  # the last step: with more samples there is a better one
            found = evidence.at(evidence.latest)
            equations = evidence.latest if is_wrong else evidence.corrected()
            if found.is_near or found.is_good(tolerance):
                found = evidence.at(equations)  # a small step: what it leaves need not be judged
            if found.is_good(tolerance):
                return self._finish(evidence, found, WebStop.CONVERGED, is_trial)
            error = max(found.events.max_standard_error, 1e-9)
            needed = evidence.num_blocks * (2 * error / tolerance) ** 2
            self.progress(min(99, round(50 + 50 * evidence.num_blocks / needed)), 100)
            pace = (monotonic() - begin) / len(judged.blocks)
            # at most as many as there are: weights get better on the way; at least a tenth
            missing = 1.0 if is_wrong else np.clip(needed / evidence.num_blocks - 1, 0.1, 1.0)
            num_blocks = max(NUM_PARTS, round(missing * evidence.num_blocks))
            if self._is_late(JUDGEMENT_SHARE, ahead=pace * num_blocks):
                return self._finish(evidence, found, WebStop.TIME_LIMIT, is_trial)
            if is_trial and _misses(equations):
                return None

    def _start(self, equations: SoftEquations) -> SoftEquations:
        """Carry chains and weights from sparse graphs to β = 1."""
        recent: list[NDArray[np.int8]] = []
        num_steps = max(LEAST_STEPS, self.chains.num_nodes)
        rising = np.linspace(self.log_beta, 0.0, num_steps)
        for log_beta in np.append(np.full(num_steps // 2, rising[0]), rising):
            records = self.chains.run(
                float(log_beta),
                equations.field(EXCLUDED),
                num_records=START_RECORDS,
                sweeps=START_SWEEPS,
                is_learning=True,
            )
            self.num_sweeps += START_RECORDS * START_SWEEPS
            recent = [*recent[-2:], records.codes]
            moments = equations.moments(np.concatenate(recent))
            gap = equations.wanted - moments.marginals
            equations = equations.moved(
                equations.newton_matrix(moments, ROUND_EFFECTIVE) @ gap, 0.5
            )
        self._leave_excluded(equations, recent[-1][-1])
        return equations

    def _leave_excluded(self, equations: SoftEquations, codes: NDArray[np.int8]) -> None:
        """Move chains that still break a hard belief to the places of those that do not."""
        log_weights = equations.field()[np.arange(codes.shape[1]), codes]
        lost = np.isinf(log_weights).any(axis=1)
        if lost.all():
            raise PriorError(
                "no graph was found that satisfies all beliefs with probability 0 or 1; "
                "soften the least certain of them, to 0.99 for example"
            )
        self.chains.replace(np.asarray(lost))

    def _is_late(self, share: float, *, ahead: float = 0.0) -> bool:
        """Whether ``ahead`` seconds from now that share of the time limit is over."""
        return monotonic() + ahead - self.begin > share * self.settings.time_limit

    def _round(self, equations: SoftEquations, *, is_learning: bool) -> NDArray[np.int8]:
        """Relation codes that the chains pass through in one round."""
        self.num_sweeps += ROUND_RECORDS * ROUND_SWEEPS
        return self.chains.run(
            0.0,
            equations.field(),
            num_records=ROUND_RECORDS,
            sweeps=ROUND_SWEEPS,
            is_learning=is_learning,
        ).codes

    def _rounds(
        self, equations: SoftEquations, moments: Moments | None
    ) -> tuple[SoftEquations, Moments]:
        """One block of rounds, with one Newton matrix; a single round when time is up."""
        matrix = None if moments is None else equations.newton_matrix(moments, ROUND_EFFECTIVE)
        events = []
        for _ in range(BLOCK):
            codes = self._round(equations, is_learning=True)
            seen = equations.moments(codes)
            gain = 2 / (self.num_rounds + FIRST_ROUNDS)
            self.num_rounds += 1
            share = max(gain, 1 / self.num_rounds)
            moments = seen if moments is None else moments.mixed(seen, share)
            if matrix is None:
                matrix = equations.newton_matrix(moments, ROUND_EFFECTIVE)
            step = matrix @ (equations.wanted - seen.marginals)
            equations = equations.moved(step, gain)
            events.append(equations.events(codes).mean(axis=0))
            if self._is_late(ROUNDS_SHARE):
                break
        self.events.append(np.mean(events, axis=0))
        assert moments is not None  # BLOCK is positive
        return equations, moments

    def _judge(self, equations: SoftEquations, *, num_blocks: int) -> Judgement:
        """Run with the weights fixed, for ``num_blocks`` blocks or until time is up."""
        blocks: list[NDArray[np.float32]] = []
        products = np.zeros((4 * equations.num_pairs, len(equations.target)))
        num_rounds = 0
        self._round(equations, is_learning=False)  # the weights may just have changed
        while len(blocks) < NUM_PARTS or not (
            len(blocks) >= num_blocks or self._is_late(JUDGEMENT_SHARE)
        ):
            seen = []
            for _ in range(BLOCK):
                relations = relations_of(self._round(equations, is_learning=False))
                seen.append(relations.mean(axis=0))
                products += mean_products(relations, equations.events_of(relations))
                num_rounds += 1
                if self._is_late(JUDGEMENT_SHARE):
                    break
            blocks.append(np.mean(seen, axis=0))
        return Judgement(equations, np.array(blocks), products / num_rounds)

    def _finish(self, evidence: Evidence, found: Finding, stop: WebStop, is_trial: bool) -> WebFit:
        equations, agreement = found.equations, found.events
        log_total = log_tilted_dags(
            self.chains,
            equations.field(EXCLUDED),
            self.log_beta,
            deadline=self.begin + self.settings.time_limit,
        )
        self.progress(100, 100)
        return WebFit(
            log_weights=equations.field(),
            log_weight_errors=evidence.weight_errors(found),
            marginals=found.relations,
            log_total=log_total,
            is_met=is_trial and found.meets(max(MET, self.settings.tolerance)),
            diagnostics=WebDiagnostics(
                stopped_because=str(stop),
                num_chains=NUM_CHAINS,
                num_sweeps=self.num_sweeps,
                seconds=monotonic() - self.begin,
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
