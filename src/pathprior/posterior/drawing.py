"""Chains drawn until what their graphs say has settled, or they are stopped."""

import warnings
from dataclasses import dataclass
from os import PathLike

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.errors import PathPriorWarning
from pathprior.posterior.burn_in import MAX_ROUNDS
from pathprior.posterior.chains import Sampler, sample_chains
from pathprior.posterior.checkpoint import Checkpoint, fingerprint
from pathprior.posterior.draws import Draws
from pathprior.posterior.errors_table import error_frames
from pathprior.posterior.exact import enumerate_posterior
from pathprior.posterior.judge import make_judge
from pathprior.posterior.kept import KeptDraws, next_reading
from pathprior.posterior.move import Move
from pathprior.posterior.settling import PosteriorStop, unsettled_rows
from pathprior.problem.problem import Problem
from pathprior.search.interrupt import StopRequest
from pathprior.search.method import Watch
from pathprior.search.progress import OnProgress

CUT_LISTS = (
    "Good parent sets were not all listed before the first graph was drawn, so that the chains are "
    "not kept to go on from."
)
FEW = 20
"""Graphs of each chain that are drawn where the run ended before any counted."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Graphs with their weights, and why there are no more.

    Attributes
    ----------
    completions
        Where cells of the data were drawn, the data as each chain left them.
    left_out
        What there was no time for, in sentences.
    """

    draws: Draws
    reason: PosteriorStop
    completions: tuple[Dataset, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Enumerate:
    """Every graph of few variables, with its probability."""

    def run(self, problem: Problem, watch: Watch) -> Sample:
        """See `Method.run`."""
        return Sample(enumerate_posterior(problem), PosteriorStop.EXACT)


@dataclass(frozen=True, slots=True)
class Chains:
    """Markov chains, the first from the start of the problem, until what they say has settled.

    Attributes
    ----------
    precision
        Largest Monte Carlo standard error that is good enough.
    num_jobs
        Chains at a time.
    checkpoint
        Where they keep where they are.
    moves
        What is offered besides the moves that are compiled.
    """

    num_chains: int
    seed: int
    precision: float
    num_jobs: int = 1
    checkpoint: str | PathLike[str] | None = None
    moves: tuple[Move, ...] = ()

    def run(self, problem: Problem, watch: Watch) -> Sample:
        """See `Method.run`."""
        sampler = sample_chains(
            problem,
            start=problem.start,
            num_chains=self.num_chains,
            seed=self.seed,
            num_jobs=self.num_jobs,
            moves=self.moves,
            stop=watch.stop,
        )
        kept, keeper, variables = KeptDraws(sampler), None, problem.rules.variables
        left_out: tuple[str, ...] = (CUT_LISTS,) if watch.stop.is_set else ()
        # chains that other sets guide could not go on from a checkpoint
        if self.checkpoint is not None and not left_out:
            keeper = Checkpoint(self.checkpoint, fingerprint(problem.data, sampler))
            keeper.restore(kept)
        run = _Run(problem, sampler, kept, keeper, self.precision, watch.on_progress)
        reason = run.go_on(watch.stop)
        if kept.num_drawn:
            if sampler.num_cut and reason is not PosteriorStop.SETTLED:
                left_out += (
                    f"{sampler.num_cut} of {sampler.num_chains} chains still rose, or stayed below "
                    f"the first, after {MAX_ROUNDS} rounds of burning in: their graphs count from "
                    "there on.",
                )
            return Sample(kept.draws(variables), reason, sampler.completions, left_out)
        warnings.warn(
            f"the chains were still burning in: of each there are the next {FEW} graphs, which "
            "tell more of where it started than of the posterior; give them more time",
            PathPriorWarning,
            stacklevel=4,
        )
        few = Draws(variables, *sampler.draw(FEW))
        return Sample(few, reason, sampler.completions, left_out)


@dataclass(frozen=True, slots=True)
class _Run:
    """Chains under way."""

    problem: Problem
    sampler: Sampler
    kept: KeptDraws
    checkpoint: Checkpoint | None
    precision: float
    on_progress: OnProgress | None

    def go_on(self, stop: StopRequest) -> PosteriorStop:
        """Draw graphs until every probability has settled or a stop is asked for.

        Whether they have is read from all graphs so far each time that these have doubled, so that
        a run that settles is a function of the seed, however long it took and how often it was cut
        off.
        """
        target = next_reading(self.kept.num_drawn)
        reason = self._draw_up_to(target, stop)
        while reason is None:
            if self._has_settled(stop):
                reason = PosteriorStop.SETTLED
            else:
                target *= 2
                reason = self._draw_up_to(target, stop)
        if self.checkpoint is not None:
            self.checkpoint.save(self.kept)
        return reason

    def _draw_up_to(self, target: int, stop: StopRequest) -> PosteriorStop | None:
        """Return why there are fewer draws, if so."""
        while self.kept.num_drawn < target:
            if stop.is_interrupted:
                return PosteriorStop.INTERRUPTED
            if stop.is_set:
                return PosteriorStop.TIME_LIMIT
            if self.sampler.is_settled:
                self.kept.add_up_to(target)
            else:
                self.sampler.settle()
            if self.checkpoint is not None:
                self.checkpoint.save_sometimes(self.kept)
        return None

    def _has_settled(self, stop: StopRequest) -> bool:
        draws = self.kept.draws(self.problem.rules.variables)
        if self.on_progress is not None:
            num_edges = int(np.bitwise_count(draws.parents[0, -1]).sum())
            self.on_progress(self.kept.num_drawn, float(draws.scores.max()), num_edges)
        frames = error_frames(make_judge(draws), draws.variables, self.problem.prior.table)
        # the first that has not is enough: most readings of a long run end among the first edges
        return all(
            not stop.is_set and len(unsettled_rows(frame, self.precision)) == 0 for frame in frames
        )
