"""`Sampler`: Markov chains over DAGs with the posterior as their target."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

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
from pathprior.posterior.array_records import Arrays, arrays_of, prefixed, put_back, under
from pathprior.posterior.burn_in import FIRST_ROUND, BurnIn
from pathprior.posterior.lists import grow_lists, pull_together
from pathprior.posterior.score_columns import ScoreColumns
from pathprior.posterior.starts import dispersed_start
from pathprior.score.score import Scorer
from pathprior.search.driver import words_of
from pathprior.task.task import Task

Drawn = tuple[NDArray[np.uint64], NDArray[np.float64]]
"""Parent sets and scores, by draw or by chain and draw."""
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
MOVES_PER_NODE = 4
"""Moves per draw and variable."""
MAX_FAMILIES = 1 << 17
"""Families that one chain remembers; all are forgotten when there are more."""
ROOM = ("proposal", "block", "scratch")
"""What of a chain means nothing between two moves."""


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

    def start_of(number: int, attempt: int) -> Start:
        spawned = np.random.SeedSequence(seed, spawn_key=(number, attempt))
        generator = np.random.default_rng(spawned)
        first = dispersed_start(task, dag, target.lists, generator) if number else dag
        return first, generator

    runs = [ChainRun(task.scorer, target, *start_of(k, 0), mix) for k in range(num_chains)]
    return Sampler(runs, start_of, num_jobs=num_jobs)


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
        self._scorer = scorer
        self._target = target
        self._families = _make_families(scorer, target, start.num_nodes)
        shares = np.array([mix.get(name, 0.0) for name in MOVES])
        if len(target.prior.pairs) == 0:
            shares[MOVES.index("bridge")] = 0.0  # no path is asked for
        self._shares = np.cumsum(shares) / shares.sum()
        self._moves_per_draw = MOVES_PER_NODE * start.num_nodes
        self.begin(start, generator)

    def begin(self, start: Dag, generator: np.random.Generator) -> None:
        """Go on from another graph."""
        self._chain = _make_chain(self._target, start, generator)
        while score_start(self._families, self._chain) == NEEDS_SCORES:
            self._answer()

    def run(self, num_draws: int) -> Drawn:
        """Parent sets and scores of the next draws."""
        draws = np.empty((num_draws, *self._chain.graph.parents.shape), np.uint64)
        scores = np.empty(num_draws)
        while run_chain(
            self._target, self._families, self._chain, self._shares, self._moves_per_draw,
            draws, scores,
        ) == NEEDS_SCORES:  # fmt: skip
            self._answer()
        return draws, scores

    def state(self) -> Arrays:
        """All that the next draws depend on, besides what the chain was made with."""
        return arrays_of(self._chain, without=ROOM)

    def restore(self, state: Arrays) -> None:
        """Go back to where `state` was asked for."""
        put_back(self._chain, state)

    def fixed(self) -> Arrays:
        """What the chain was made with, and does not change."""
        return arrays_of(self._target) | {"shares": self._shares}

    def __getstate__(self) -> dict[str, Any]:
        # the known families are large, and their scores come out the same again
        return {name: value for name, value in vars(self).items() if name != "_families"}

    def __setstate__(self, content: dict[str, Any]) -> None:
        vars(self).update(content)
        # kernels change a record in place only where it lies in an array
        tally = make_record(TALLY)
        self._chain = self._chain._replace(tally=tally)
        self.restore({"tally": np.array(content["_chain"].tally)})
        self._families = _make_families(self._scorer, self._target, len(self._chain.local))

    def _answer(self) -> None:
        """Score the family that the kernels wait for."""
        tally, cache = self._chain.tally, self._families.cache
        entry = int(tally.entry)
        members = np.flatnonzero(unpack_row(cache.parents[entry], len(self._chain.local))).tolist()
        score = self._scorer.local(int(cache.children[entry]), members)
        cache.scores[entry, 0] = score + self._families.log_edge_odds * len(members)
        tally.entry = READY


class Sampler:
    """Chains that go on from where they are; what they pass before they have settled is dropped."""

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

    @property
    def is_settled(self) -> bool:
        """Whether every chain has burned in."""
        return all(burn_in.is_over for burn_in in self._burn_ins)

    def settle(self) -> None:
        """Burn in a little: the first chain, whose level the others must reach, then these."""
        first, *others = range(len(self._runs))
        reference = self._burn_ins[first]
        waiting = [k for k in others if not self._burn_ins[k].is_over]
        if not reference.is_over:
            waiting = [first]
        results = self._run([self._runs[k] for k in waiting], FIRST_ROUND)
        for k, (_, scores) in zip(waiting, results, strict=True):
            burn_in = self._burn_ins[k]
            if burn_in.take(scores, reference.level):
                self._runs[k].begin(*self._start_of(k, burn_in.num_restarts))

    def draw(self, num_draws: int) -> Drawn:
        """Draw on: parent sets (chains × draws × variables × words), scores (chains × draws).

        Variables are in the order of the task's rules; scores are log π without its constant.
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


def _make_families(scorer: Scorer, target: Target, num_nodes: int) -> Families:
    return Families(
        kernel=scorer.kernel() or Asked(num_nodes),
        log_edge_odds=target.prior.log_edge_odds,
        cache=make_table(MAX_FAMILIES, num_words(num_nodes), 1),
        everyone=pack_rows(np.ones((1, num_nodes), dtype=bool))[0],
        column=np.empty(num_nodes),
    )


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
