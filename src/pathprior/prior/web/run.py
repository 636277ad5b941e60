"""The chains of a web fit and its clock: the start, rounds that learn, runs that judge."""

from collections.abc import Iterator
from itertools import repeat
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.progress import Progress
from pathprior.errors import PriorError
from pathprior.graph.alphabets import RELATIONS_ALONE, Alphabets
from pathprior.graph.edge_rules import EdgeRules
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.web.chains import Chains
from pathprior.prior.web.constant import log_sparse_within
from pathprior.prior.web.diagnostics import NUM_PARTS
from pathprior.prior.web.judgement import Judgement
from pathprior.prior.web.moments import (
    EXCLUDED,
    Moments,
    SoftEquations,
    mean_products,
    relations_of,
)
from pathprior.prior.web.settings import WebSettings

NUM_CHAINS = 8
LEAST_STEPS = 40
"""Steps of the start, or one per node, if that is more, where β must rise to 1, fewer where it need
not rise so far: the farther, the more there is to follow."""
LATE_STEPS, START_SHARE = 10, 0.3
"""Steps after which the start may end once that share of the time limit is over, if β has risen."""
RISEN = 0.1
"""How far log β may be from the base's to count as risen."""
MANY_NODES = 400
"""Nodes beyond which there are fewer sweeps to a record: a sweep takes n³ operations."""
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
ROUNDS_SHARE, JUDGEMENT_SHARE = 0.6, 0.9
"""Shares of the time limit at which the rounds and the judgement end."""


class Run:
    """One fit's chains, with the clock and what they saw."""

    def __init__(
        self,
        pairs: NDArray[np.int64],
        num_nodes: int,
        edge_odds: float,
        settings: WebSettings,
        begin: float,
        progress: Progress,
        alphabets: Alphabets = RELATIONS_ALONE,
        rules: EdgeRules | None = None,
    ) -> None:
        self.chains = Chains(
            pairs,
            num_nodes,
            num_chains=NUM_CHAINS,
            seed=settings.seed,
            direct=alphabets.edges,
            rules=rules,
            num_jobs=settings.num_jobs,
        )
        self.log_base = float(np.log(edge_odds))
        self.log_sparse = min(self.log_base, -float(np.log(max(num_nodes, 2))))
        self.log_end = self.log_sparse
        """log β at which the constant is known."""
        if rules is not None:
            self.log_end = min(self.log_sparse, log_sparse_within(rules))
        few = min(1.0, MANY_NODES / num_nodes)
        self.start_sweeps = max(1, round(few * START_SWEEPS))
        self.round_sweeps = max(1, round(few * ROUND_SWEEPS))
        self.settings = settings
        self.begin = begin
        self.progress = progress
        self.num_sweeps = 0
        self.num_rounds = 0
        self.events: list[NDArray[np.float32]] = []

    def start(self, equations: SoftEquations) -> SoftEquations:
        """Carry chains and weights from sparse graphs to those of the base."""
        recent: list[NDArray[np.int8]] = []
        for log_beta in self._rising():
            recent = [*recent[-2:], self._step(log_beta, equations.field(EXCLUDED))]
            moments = equations.moments(np.concatenate(recent))
            gap = equations.wanted - moments.marginals
            equations = equations.moved(
                equations.newton_matrix(moments, ROUND_EFFECTIVE) @ gap, 0.5
            )
        self._leave_excluded(equations.field(), recent[-1][-1])
        return equations

    def start_fixed(self, field: NDArray[np.float64], log_weights: NDArray[np.float64]) -> None:
        """Carry chains to weights that are given, from sparse graphs to those of the base.

        ``field`` is finite where ``log_weights`` exclude; it comes in as long as β does not rise.
        """
        for log_beta, share in zip(self._rising(), self._shares(), strict=False):
            codes = self._step(log_beta, share * field)
        self._leave_excluded(log_weights, codes[-1])

    @property
    def _num_steps(self) -> int:
        """Steps in which β rises; half as many come before."""
        num_nodes = max(self.chains.num_nodes, 2)
        rise = (self.log_base - self.log_sparse) / float(np.log(num_nodes))
        return max(LEAST_STEPS, round(num_nodes * rise))

    def _rising(self) -> Iterator[float]:
        """log β of each step of the start, fewer when time runs out."""
        rising = np.linspace(self.log_sparse, self.log_base, self._num_steps)
        for step, log_beta in enumerate(
            np.append(np.full(self._num_steps // 2, rising[0]), rising)
        ):
            has_risen = self.log_base - log_beta <= RISEN and step >= LATE_STEPS
            if has_risen and self.is_late(START_SHARE):
                return
            yield float(log_beta)

    def _shares(self) -> Iterator[float]:
        """What part of given weights each step of the start has."""
        yield from np.linspace(0.0, 1.0, self._num_steps // 2).tolist()
        yield from repeat(1.0)

    def _step(self, log_beta: float, field: NDArray[np.float64]) -> NDArray[np.int8]:
        """Relation codes that the chains pass through in one step of the start."""
        self.num_sweeps += START_RECORDS * self.start_sweeps
        return self.chains.run(
            log_beta, field, num_records=START_RECORDS, sweeps=self.start_sweeps, is_learning=True
        ).codes

    def _leave_excluded(self, field: NDArray[np.float64], codes: NDArray[np.int8]) -> None:
        """Move chains that still break a hard belief to the places of those that do not."""
        log_weights = field[np.arange(codes.shape[1]), codes]
        lost = np.isinf(log_weights).any(axis=1)
        if lost.all():
            raise PriorError(
                "no graph was found that satisfies all beliefs with probability 0 or 1; "
                "soften the least certain of them, to 0.99 for example"
            )
        self.chains.replace(np.asarray(lost))

    def is_late(self, share: float, *, ahead: float = 0.0) -> bool:
        """Whether ``ahead`` seconds from now that share of the time limit is over."""
        return monotonic() + ahead - self.begin > share * self.settings.time_limit

    def _round(self, equations: SoftEquations, *, is_learning: bool) -> NDArray[np.int8]:
        """Relation codes that the chains pass through in one round."""
        self.num_sweeps += ROUND_RECORDS * self.round_sweeps
        return self.chains.run(
            self.log_base,
            equations.field(),
            num_records=ROUND_RECORDS,
            sweeps=self.round_sweeps,
            is_learning=is_learning,
        ).codes

    def rounds(
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
            if self.is_late(ROUNDS_SHARE):
                break
        self.events.append(np.mean(events, axis=0))
        assert moments is not None  # BLOCK is positive
        return equations, moments

    def judge(self, equations: SoftEquations, *, num_blocks: int) -> Judgement:
        """Run with the weights fixed, for ``num_blocks`` blocks or until time is up."""
        blocks: list[NDArray[np.float32]] = []
        products = np.zeros((NUM_TIES * equations.num_pairs, len(equations.target)))
        num_rounds = 0
        self._round(equations, is_learning=False)  # the weights may just have changed
        while len(blocks) < NUM_PARTS or not (
            len(blocks) >= num_blocks or self.is_late(JUDGEMENT_SHARE)
        ):
            seen = []
            for _ in range(BLOCK):
                relations = relations_of(self._round(equations, is_learning=False))
                seen.append(relations.mean(axis=0))
                products += mean_products(relations, equations.events_of(relations))
                num_rounds += 1
                if self.is_late(JUDGEMENT_SHARE):
                    break
            blocks.append(np.mean(seen, axis=0))
        return Judgement(equations, np.array(blocks), products / num_rounds)
