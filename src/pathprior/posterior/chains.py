"""`Sampler`: Markov chains over DAGs with the posterior as their target."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import num_words, pack_rows, unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.data.column_cache import make_table
from pathprior.kernels.data.columns import READY, Asked
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.graph.pairs import read_pairs
from pathprior.kernels.posterior.layers import MAX_BLOCK, make_block_room
from pathprior.kernels.posterior.lists import Lists
from pathprior.kernels.posterior.run import MOVES, run_chain, score_start
from pathprior.kernels.posterior.state import TALLY, Chain, Families, Proposal, Scratch, Target
from pathprior.kernels.records import make_record
from pathprior.kernels.steps import NEEDS_SCORES
from pathprior.posterior.lists import grow_lists, pull_together
from pathprior.posterior.score_columns import ScoreColumns
from pathprior.posterior.starts import dispersed_start
from pathprior.score.score import Scorer
from pathprior.search.driver import words_of
from pathprior.task.task import Task

T = TypeVar("T")

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
MOVES_PER_NODE = 4
"""Moves per draw and variable."""
MAX_FAMILIES = 1 << 17
"""Families that one chain remembers; all are forgotten when there are more."""

BURN_IN = 100
"""Draws of the first round of burning in; each further round is twice as long."""
MAX_ROUNDS = 6
PATIENCE = 3
"""Rounds after which a chain that is level below the others begins again."""
MAX_STARTS = 5
"""Starts of one chain, the last of which stays."""
LOW = 0.05
"""Share of the reference's scores below the level that other chains must reach."""


def sample_chains(
    task: Task,
    *,
    start: Dag,
    num_chains: int = 4,
    seed: int = 0,
    num_jobs: int = 1,
    mix: Mapping[str, float] = MIX,
) -> "Sampler":
    """Prepare chains over the DAGs within the rules of ``task``.

    The target is π(G) ∝ exp(Σ_v s_v(Pa_v)) · β^|E| · Π_p λ_p(r_p(G)). Chain 0 starts from
    ``start``, the others from the best listed sets along random orders. Each is a function of
    ``seed`` and its number, whatever else runs.

    Parameters
    ----------
    start
        A graph that keeps the rules and every hard belief, best a learned one.
    num_jobs
        Chains at a time.
    mix
        How often each move is made, by its name.
    """
    dag = start.reorder(task.rules.variables)
    target = make_target(task, grow_lists(task.rules, dag, ScoreColumns(task).column))
    runs = []
    for number in range(num_chains):
        generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
        first = dispersed_start(task, dag, target.lists, generator) if number else dag
        runs.append(ChainRun(task.scorer, target, first, generator, mix))

    def begin_again(run: ChainRun) -> None:
        run.begin(dispersed_start(task, dag, target.lists, run.generator))

    return Sampler(runs, begin_again, num_jobs=num_jobs)


def make_target(task: Task, lists: Lists) -> Target:
    """What the chains share."""
    return Target(task.rules.limits(), task.weights, lists, pull_together(lists))


class ChainRun:
    """One chain under way."""

    def __init__(
        self,
        scorer: Scorer,
        target: Target,
        start: Dag,
        generator: np.random.Generator,
        mix: Mapping[str, float],
    ) -> None:
        num_nodes = start.num_nodes
        self._scorer = scorer
        self._target = target
        self._families = Families(
            kernel=scorer.kernel() or Asked(num_nodes),
            log_edge_odds=target.prior.log_edge_odds,
            cache=make_table(MAX_FAMILIES, num_words(num_nodes), 1),
            everyone=pack_rows(np.ones((1, num_nodes), dtype=bool))[0],
            column=np.empty(num_nodes),
        )
        self.generator = generator
        shares = np.array([mix.get(name, 0.0) for name in MOVES])
        if len(target.prior.pairs) == 0:
            shares[MOVES.index("bridge")] = 0.0  # no path is asked for
        self._shares = np.cumsum(shares) / shares.sum()
        self._moves_per_draw = MOVES_PER_NODE * num_nodes
        self.begin(start)

    def begin(self, start: Dag) -> None:
        """Go on from another graph."""
        self._chain = _make_chain(self._target, start, self.generator)
        while score_start(self._families, self._chain) == NEEDS_SCORES:
            self._answer()

    def run(self, num_draws: int) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        """Parent sets and scores of the next draws."""
        draws = np.empty((num_draws, *self._chain.graph.parents.shape), np.uint64)
        scores = np.empty(num_draws)
        while run_chain(
            self._target, self._families, self._chain, self._shares, self._moves_per_draw,
            draws, scores,
        ) == NEEDS_SCORES:  # fmt: skip
            self._answer()
        return draws, scores

    def _answer(self) -> None:
        """Score the family that the kernels wait for."""
        tally, cache = self._chain.tally, self._families.cache
        entry = int(tally.entry)
        members = np.flatnonzero(unpack_row(cache.parents[entry], len(self._chain.local))).tolist()
        score = self._scorer.local(int(cache.children[entry]), members)
        cache.scores[entry, 0] = score + self._families.log_edge_odds * len(members)
        tally.entry = READY


class Sampler:
    """Chains that go on from where they are; what they pass before they have settled is dropped.

    Burning in, a chain runs in rounds, each twice as long as the one before, until the second half
    of a round scores no higher than the first by more than a standard deviation, and, chains other
    than the first, until it reaches the level of the first; at most `MAX_ROUNDS` rounds. One that
    hangs below that level, though it rises no more, begins again elsewhere.
    """

    def __init__(
        self,
        runs: Sequence[ChainRun],
        begin_again: Callable[[ChainRun], None],
        *,
        num_jobs: int,
    ) -> None:
        self._runs = list(runs)
        self._begin_again = begin_again
        self._num_jobs = num_jobs
        self._is_settled = False

    def advance(self, num_draws: int) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        """Draw on: parent sets (chains × draws × variables × words), scores (chains × draws).

        Variables are in the order of the task's rules; scores are log π without its constant.
        """
        if not self._is_settled:
            self._settle()
        results = self._in_parallel(lambda run: run.run(num_draws), self._runs)
        return (
            np.stack([draws for draws, _ in results]),
            np.stack([scores for _, scores in results]),
        )

    def _settle(self) -> None:
        """Burn in: the first chain, whose level the others must reach, then these."""
        scores, _ = _burn_in(self._runs[0], -np.inf, MAX_ROUNDS)
        level = float(np.quantile(scores, LOW))
        self._in_parallel(lambda run: self._reach(run, level), self._runs[1:])
        self._is_settled = True

    def _reach(self, run: ChainRun, level: float) -> None:
        """Burn in from one start after the other, until ``level`` is reached from one."""
        for _ in range(MAX_STARTS - 1):
            _, hangs = _burn_in(run, level, PATIENCE)
            if not hangs:
                return
            self._begin_again(run)
        _burn_in(run, level, MAX_ROUNDS)

    def _in_parallel(self, work: Callable[[ChainRun], T], runs: Sequence[ChainRun]) -> list[T]:
        # Threads suffice: the kernels release the interpreter.
        from joblib import Parallel, delayed

        results: list[T] = Parallel(n_jobs=self._num_jobs, prefer="threads")(
            delayed(work)(run) for run in runs
        )
        return results


def _burn_in(run: ChainRun, level: float, patience: int) -> tuple[NDArray[np.float64], bool]:
    """Run until the scores are level and reach ``level``, or are level below it after ``patience``.

    Returns the last of them, and whether they are below.
    """
    for number in range(MAX_ROUNDS):
        _, scores = run.run(BURN_IN << number)
        first, last = np.split(scores, 2)
        is_level = last.mean() - first.mean() <= last.std()
        hangs = bool(np.median(last) < level)
        if is_level and (not hangs or number + 1 >= patience):
            break
    return last, hangs


def _make_chain(target: Target, start: Dag, generator: np.random.Generator) -> Chain:
    num_nodes, num_pairs = start.num_nodes, len(target.prior.pairs)
    graph = Graph(start.parent_words.copy(), start.ancestor_words.copy())
    codes = np.empty(num_pairs, np.int64)
    read_pairs(target.prior, graph, codes)
    tally = make_record(TALLY)
    tally.entry = READY
    return Chain(
        graph=graph,
        children=pack_rows(start.adjacency)[None].copy(),
        local=np.empty(num_nodes),
        codes=codes,
        random=generator.integers(1, 2**64, size=4, dtype=np.uint64),
        tally=tally,
        proposal=Proposal(
            nodes=np.empty(MAX_BLOCK, np.int64),
            families=words_of(num_nodes, MAX_BLOCK),
            scores=np.empty(MAX_BLOCK),
        ),
        block=make_block_room(num_nodes),
        scratch=Scratch(
            saved=words_of(num_nodes, MAX_BLOCK),
            below=words_of(num_nodes, 1 + MAX_BLOCK),
            pending=words_of(num_nodes, 2),
            ancestors=words_of(num_nodes, num_nodes),
            codes=np.empty(num_pairs, np.int64),
            random=np.empty(4, np.uint64),
        ),
    )
