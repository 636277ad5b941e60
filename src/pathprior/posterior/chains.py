"""`Sampler`: Markov chains over DAGs with the posterior as their target."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.graph.dag import Dag
from pathprior.kernels.posterior.lists import Lists
from pathprior.kernels.posterior.state import Target
from pathprior.posterior.array_records import Arrays, prefixed, under
from pathprior.posterior.augmentation import Augmentation
from pathprior.posterior.burn_in import BurnIn
from pathprior.posterior.cells import MIX as CELLS_MIX
from pathprior.posterior.cells import Cells
from pathprior.posterior.chain_run import ChainRun, Drawn
from pathprior.posterior.latent import Latent
from pathprior.posterior.lists import pull_together
from pathprior.posterior.move import Move
from pathprior.posterior.reliabilities import Reliabilities
from pathprior.posterior.score_columns import list_sets
from pathprior.posterior.starts import dispersed_start
from pathprior.problem.problem import Problem
from pathprior.search.interrupt import StopRequest

Start = tuple[Dag, np.random.Generator]
"""A first graph, and what decides where the chain goes from there."""

MIX = {
    "walk": 2.0,
    "reverse": 1.0,
    "redraw": 2.0,
    "reverse_redraw": 4.0,
    "turn": 2.0,
    "bridge": 6.0,
    "redraw_block": 0.5,
}
"""How often each move is made, up to a constant."""


AT_A_TIME = (100, 50, 25, 20, 10, 5, 2)
"""Draws between which Ctrl-C is heard; rounds of burning in end after a multiple of each."""
MOST_AT_A_TIME = 5000
"""Most draws in that time, times variables: they take a fraction of a second."""


def sample_chains(
    problem: Problem,
    *,
    start: Dag,
    num_chains: int = 4,
    seed: int = 0,
    num_jobs: int = 1,
    mix: Mapping[str, float] = MIX,
    moves: Sequence[Move] = (),
    stop: StopRequest | None = None,
) -> "Sampler":
    """Prepare chains over the DAGs within the rules of ``problem``.

    The target is π(G) ∝ exp(Σ_v s_v(Pa_v)) · β^|E| · Π_p λ_p(r_p(G)). Chain 0 starts from
    ``start``, the others from the best listed sets along random orders. Each is a function of
    ``seed`` and its number, whatever else runs. Cells of the data that are draws are drawn again
    along with the graphs; the other chains start from other draws too. So are the reliabilities of
    sources, given which statements are part of λ: see `Latent`.

    Parameters
    ----------
    start
        A graph that keeps the rules and every hard belief, best a learned one.
    num_jobs
        Chains at a time.
    mix
        How often each move is made, by its name; where cells are drawn, `cells.MIX`.
    moves
        What is offered besides, once for each draw.
    stop
        Asks to make do with the parent sets that are listed by then.
    """
    dag = start.reorder(problem.rules.variables)
    target = make_target(problem, list_sets(problem, dag, stop))

    def start_of(number: int, attempt: int) -> Start:
        spawned = np.random.SeedSequence(seed, spawn_key=(number, attempt))
        generator = np.random.default_rng(spawned)
        first = dispersed_start(problem, dag, target.lists, generator) if number else dag
        return first, generator

    augmentation = None if problem.data.imputed is None else Augmentation(problem)

    def make_run(number: int) -> ChainRun:
        first, generator = start_of(number, 0)
        latents: list[Latent] = []
        if problem.has_statements:
            latents.append(Reliabilities(problem.statements))
        if augmentation is not None:
            filled = augmentation.begin(generator) if number else augmentation.data
            latents.append(Cells(augmentation, filled))
        shares = mix if augmentation is None else CELLS_MIX
        return ChainRun(problem.scorer, target, first, generator, shares, latents, moves)

    return Sampler([make_run(k) for k in range(num_chains)], start_of, num_jobs=num_jobs)


def make_target(problem: Problem, lists: Lists) -> Target:
    """What the chains share."""
    return Target(problem.rules.limits(), problem.weights, lists, pull_together(lists))


def draws_at_a_time(num_nodes: int) -> int:
    """How many draws of each chain may pass before Ctrl-C and the end of the time are heard."""
    return next((size for size in AT_A_TIME if size * num_nodes <= MOST_AT_A_TIME), 1)


class Sampler:
    """Chains that go on from where they are; what they pass before they have settled is dropped.

    Attributes
    ----------
    at_a_time
        Draws after which `settle` returns, and `draw` should.
    """

    def __init__(
        self,
        runs: Sequence[ChainRun],
        start_of: Callable[[int, int], Start],
        *,
        num_jobs: int,
    ) -> None:
        self._runs = list(runs)
        self._burn_ins = [BurnIn() for _ in self._runs]
        self._start_of = start_of
        self._num_jobs = num_jobs
        self.at_a_time = draws_at_a_time(runs[0].num_nodes)

    @property
    def num_chains(self) -> int:
        """Number of chains."""
        return len(self._runs)

    @property
    def is_settled(self) -> bool:
        """Whether every chain has burned in."""
        return all(burn_in.is_over for burn_in in self._burn_ins)

    @property
    def num_cut(self) -> int:
        """Number of chains that were let go before they had left their start behind."""
        return sum(burn_in.was_cut for burn_in in self._burn_ins)

    @property
    def completions(self) -> tuple[Dataset, ...]:
        """The data as each chain has them now, where missing cells are drawn."""
        return tuple(
            latent.data for run in self._runs for latent in run.latents if isinstance(latent, Cells)
        )

    def settle(self) -> None:
        """Burn in a little: the first chain, whose level the others must reach, then these."""
        first, *others = range(len(self._runs))
        reference = self._burn_ins[first]
        waiting = [k for k in others if not self._burn_ins[k].is_over]
        if not reference.is_over:
            waiting = [first]
        results = self._run([self._runs[k] for k in waiting], self.at_a_time)
        for k, (_, scores) in zip(waiting, results, strict=True):
            burn_in = self._burn_ins[k]
            if burn_in.take(scores, reference.level):
                self._runs[k].begin(*self._start_of(k, burn_in.num_restarts))

    def draw(self, num_draws: int) -> Drawn:
        """Draw on: parent sets (chains × draws × variables × words), scores (chains × draws).

        Variables are in the order of the problem's rules; scores are log π without its constant.
        """
        results = self._run(self._runs, num_draws)
        return (
            np.stack([draws for draws, _ in results]),
            np.stack([scores for _, scores in results]),
        )

    def advance(self, num_draws: int) -> Drawn:
        """Burn in if that is not done, and draw on."""
        while not self.is_settled:
            self.settle()
        return self.draw(num_draws)

    def state(self) -> Arrays:
        """Where all chains are."""
        found: Arrays = {}
        for k, (run, burn_in) in enumerate(zip(self._runs, self._burn_ins, strict=True)):
            found |= prefixed(f"chain{k}", run.state())
            found |= prefixed(f"burn_in{k}", burn_in.state())
        return found

    def restore(self, state: Arrays) -> None:
        """Go back to where `state` was asked for."""
        for k, (run, burn_in) in enumerate(zip(self._runs, self._burn_ins, strict=True)):
            run.restore(under(f"chain{k}", state))
            burn_in.restore(under(f"burn_in{k}", state))

    def fixed(self) -> Arrays:
        """What all chains share, and does not change."""
        return self._runs[0].fixed()

    def _run(self, runs: Sequence[ChainRun], num_draws: int) -> list[Drawn]:
        # Threads suffice: the kernels release the interpreter.
        from joblib import Parallel, delayed

        results = Parallel(n_jobs=self._num_jobs, prefer="threads")(
            delayed(_run_on)(run, num_draws) for run in runs
        )
        # where joblib was told to use processes or a cluster, copies have moved on
        for run, (_, state) in zip(runs, results, strict=True):
            run.restore(state)
        return [drawn for drawn, _ in results]


def _run_on(run: ChainRun, num_draws: int) -> tuple[Drawn, Arrays]:
    return run.run(num_draws), run.state()
