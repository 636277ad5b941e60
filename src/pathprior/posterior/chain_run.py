"""`ChainRun`: one Markov chain over DAGs under way."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import num_words, pack_rows, unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.data.column_cache import make_table
from pathprior.kernels.data.columns import READY, Asked, make_filler
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.posterior.layers import MAX_BLOCK, make_block_room
from pathprior.kernels.posterior.run import MOVES, run_chain, score_start
from pathprior.kernels.posterior.state import TALLY, Chain, Families, Proposal, Scratch, Target
from pathprior.kernels.prior.graph_prior import read_pairs
from pathprior.kernels.records import make_record
from pathprior.kernels.steps import NEEDS_SCORES
from pathprior.posterior.array_records import Arrays, arrays_of, put_back
from pathprior.posterior.latent import DrawnGraph, Latent
from pathprior.posterior.move import Move, offer
from pathprior.score.score import Scorer
from pathprior.search.driver import words_of

Drawn = tuple[NDArray[np.uint64], NDArray[np.float64]]
"""Parent sets and scores, by draw or by chain and draw."""

MOVES_PER_NODE = 4
"""Moves per draw and variable."""
MAX_FAMILIES = 1 << 17
"""Families that one chain remembers; all are forgotten when there are more."""
ROOM = ("proposal", "block", "scratch")
"""What of a chain means nothing between two moves."""


class ChainRun:
    """One chain under way: over graphs, and over what is drawn beside them.

    After each draw of a graph every latent is drawn given it, which may change the scores of
    families and the weights of pairs.
    """

    def __init__(
        self,
        scorer: Scorer,
        target: Target,
        start: Dag,
        generator: np.random.Generator,
        mix: Mapping[str, float],
        latents: Sequence[Latent] = (),
        moves: Sequence[Move] = (),
    ) -> None:
        self.latents, self.moves = tuple(latents), tuple(moves)
        if latents:  # each chain has weights of its own
            own = target.prior._replace(log_weights=target.prior.log_weights.copy())
            target = target._replace(prior=own)
        self._scorer = next((s for s in (each.given().scorer for each in latents) if s), scorer)
        self._target = target
        self._families = _make_families(self._scorer, target, start.num_nodes)
        shares = np.array([mix.get(name, 0.0) for name in MOVES])
        if len(target.prior.pairs) == 0:
            shares[MOVES.index("bridge")] = 0.0  # no path is asked for
        self._shares = np.cumsum(shares) / shares.sum()
        self._moves_per_draw = MOVES_PER_NODE * start.num_nodes
        self.begin(start, generator)

    @property
    def num_nodes(self) -> int:
        """Number of variables."""
        return len(self._chain.local)

    def begin(self, start: Dag, generator: np.random.Generator) -> None:
        """Go on from another graph."""
        self._chain = _make_chain(self._target, start, generator)
        self._refresh([latent for latent in self.latents if latent.begins_with_chain])
        self._score_graph()

    def run(self, num_draws: int) -> Drawn:
        """Parent sets and scores of the next draws, each given the latents of its time."""
        if not (self.latents or self.moves):
            return self._run(num_draws)
        drawn = []
        for _ in range(num_draws):
            parents, score = self._run(1)
            gains = sum(latent.averaged(self._chain.codes) for latent in self.latents)
            drawn.append((parents, score + gains))
            scorer = self._scorer
            self._refresh(self.latents)
            if self._scorer is not scorer:
                self._score_graph()
            for number, move in enumerate(self.moves):
                offer(move, number, self._target, self._chain, self._scorer)
        draws, scores = zip(*drawn, strict=True)
        return np.concatenate(draws), np.concatenate(scores)

    def _run(self, num_draws: int) -> Drawn:
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
        found = arrays_of(self._chain, without=ROOM)
        for latent in self.latents:
            found |= latent.state()
        return found

    def restore(self, state: Arrays) -> None:
        """Go back to where `state` was asked for."""
        for latent in self.latents:
            latent.restore(state)
            self._weigh_by(latent)
        put_back(self._chain, state)

    def fixed(self) -> Arrays:
        """What the chain was made with, and does not change."""
        found = arrays_of(self._target) | {"shares": self._shares}
        for latent in self.latents:
            found |= latent.fixed()
        if self.moves:
            found |= {"moves": np.frombuffer(repr(self.moves).encode(), np.uint8)}
        return found

    def __getstate__(self) -> dict[str, Any]:
        # the known families are large, and their scores come out the same again
        return {name: value for name, value in vars(self).items() if name != "_families"}

    def __setstate__(self, content: dict[str, Any]) -> None:
        vars(self).update(content)
        # kernels change a record in place only where it lies in an array
        tally = make_record(TALLY)
        self._chain = self._chain._replace(tally=tally)
        put_back(self._chain, {"tally": np.array(content["_chain"].tally)})
        self._families = _make_families(self._scorer, self._target, len(self._chain.local))

    def _refresh(self, latents: Sequence[Latent]) -> None:
        """Draw latents, given the present graph."""
        chain = self._chain
        for latent in latents:
            # the numbers of the chain decide: they are never the same twice
            generator = np.random.default_rng([*chain.random.tolist(), *latent.stream])
            latent.refresh(DrawnGraph(chain.graph.parents, chain.codes), generator)
            self._weigh_by(latent)

    def _weigh_by(self, latent: Latent) -> None:
        """Weigh graphs by what a latent gives from now on."""
        scorer, log_weights = latent.given()
        if log_weights is not None:
            self._target.prior.log_weights[...] = log_weights
        if scorer is not None and scorer is not self._scorer:
            self._scorer = scorer
            cache = self._families.cache
            cache.slots[:] = -1
            cache.num_used[0] = 0
            filler = make_filler(scorer.kernel() or Asked(len(self._chain.local)))
            self._families = self._families._replace(filler=filler)

    def _score_graph(self) -> None:
        """Score the families of the present graph."""
        while score_start(self._families, self._chain) == NEEDS_SCORES:
            self._answer()

    def _answer(self) -> None:
        """Score the family that the kernels wait for."""
        tally, cache = self._chain.tally, self._families.cache
        entry = int(tally.entry)
        members = np.flatnonzero(unpack_row(cache.parents[entry], len(self._chain.local))).tolist()
        score = self._scorer.local(int(cache.children[entry]), members)
        cache.scores[entry, 0] = score + self._families.log_edge_odds * len(members)
        tally.entry = READY


def _make_families(scorer: Scorer, target: Target, num_nodes: int) -> Families:
    return Families(
        filler=make_filler(scorer.kernel() or Asked(num_nodes)),
        log_edge_odds=target.prior.log_edge_odds,
        cache=make_table(MAX_FAMILIES, num_words(num_nodes), np.zeros((MAX_FAMILIES, 1))),
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
