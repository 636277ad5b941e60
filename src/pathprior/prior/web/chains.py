"""`Chains`: an ensemble of Markov chains over closures of DAGs, tilted by weights on pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.graph.dag import Dag
from pathprior.graph.edge_rules import EdgeRules
from pathprior.graph.tie import Tie
from pathprior.kernels.graph.ancestors import NUM_RELATIONS
from pathprior.kernels.web.chains import run_chains
from pathprior.kernels.web.state import Ensemble, Learning, Passed, Tilting
from pathprior.prior.web.barrier import Barrier

START_CHANCE = 0.1
LEAST_CHANCE = 0.005
MEMORY = 5.0
"""Times asked that earlier runs count for when chances are learned."""


@dataclass(frozen=True, slots=True)
class Tilt:
    """Weights of closures that sum out the edges beyond cover pairs.

    With λ of an edge and μ of a path without it, an ordered pair weighs (μ + β λ) / (1 + β) beside
    the other DAGs of the closure, and a cover pair λ: the rest of its path is not there.
    """

    log_beta: float
    field: NDArray[np.float64]
    """log weights by pair and relation."""
    bonus: NDArray[np.float64]
    """What a cover pair weighs beyond that, by `direct` pair and way (⇒, ⇐)."""
    edge_chances: NDArray[np.float64]
    """Chance of the edge where there is no cover pair, likewise."""

    @classmethod
    def of(cls, log_beta: float, field: NDArray[np.float64], direct: Sequence[int]) -> "Tilt":
        """Those of the weights ``field`` by pair and tie; edges are told apart at ``direct``."""
        by_relation = np.ascontiguousarray(field[:, :NUM_RELATIONS])
        if not len(direct):
            nothing = np.zeros((0, 2))
            return cls(log_beta, by_relation, nothing, nothing)
        rows = list(direct)
        path, edge = field[rows, : Tie.CONFOUNDED], field[rows, Tie.EDGE :]
        with np.errstate(invalid="ignore"):
            total = np.logaddexp(path, log_beta + edge)
            never = np.isneginf(total)
            any_way = total - np.log1p(np.exp(log_beta))
            bonus = np.where(never, 0.0, edge - any_way)
            chances = np.where(never, 0.0, np.exp(log_beta + edge - total))
        by_relation = by_relation.copy()
        by_relation[rows, : Tie.CONFOUNDED] = any_way
        return cls(log_beta, by_relation, bonus, chances)


@dataclass(frozen=True, slots=True)
class Records:
    """What the chains passed through: one row per record and chain."""

    codes: NDArray[np.int8]
    """Tie codes, records × chains × pairs; edges that are no cover pairs are drawn."""
    relations: NDArray[np.int8]
    """Relation codes, likewise, those of the pairs of rules behind them."""
    barrier: Barrier
    """What keeps the chains within the rules."""
    is_cover: NDArray[np.bool_]
    """Whether one end covers the other, records × chains × those pairs."""
    num_covers: NDArray[np.int64]
    """Cover pairs of the closure, records × chains."""
    num_ordered: NDArray[np.int64]
    """Ordered pairs of the closure, records × chains."""

    def log_weights(self, log_beta: float, field: NDArray[np.float64]) -> NDArray[np.float64]:
        """log of the unnormalised weight at (β, field) of every closure passed."""
        num_pairs, direct = self.relations.shape[-1], self.barrier.direct
        of_closures = Tilt.of(log_beta, self.barrier.field(field), direct)
        tilt = of_closures.field[np.arange(num_pairs), self.relations].sum(axis=-1)
        if direct:
            way = np.minimum(self.relations[..., list(direct)], Tie.CAUSED_BY)
            bonus = of_closures.bonus[np.arange(len(direct)), way]
            tilt += np.where(self.is_cover, bonus, 0.0).sum(axis=-1)
        free = self.num_ordered - self.num_covers
        total: NDArray[np.float64] = (
            tilt + log_beta * self.num_covers + np.log1p(np.exp(log_beta)) * free
        )
        return total


class Chains:
    """Chains that start from the graph with the required edges alone; a function of ``seed``.

    Each is a Markov chain with target π(P) ∝ β^c (1 + β)^(m − c) exp Σ_p field[p, r_p(P)] over the
    closures P of DAGs, which is the closure of G ∝ β^edges · Π_p λ_p(r_p(G)), edges of the pairs at
    ``direct`` told from longer paths, and G within the ``rules``; see
    `pathprior.kernels.web.chains`. A sweep costs about 60 µs at n = 37 and 0.8 ms at n = 200.
    ``ancestors`` and ``descendants`` are the current closures,
    chain by chain.
    """

    def __init__(
        self,
        pairs: NDArray[np.int64],
        num_nodes: int,
        *,
        num_chains: int,
        seed: int,
        direct: Sequence[int] = (),
        rules: EdgeRules | None = None,
        num_jobs: int = 1,
    ) -> None:
        self.num_nodes = num_nodes
        self._num_jobs = num_jobs
        self.num_chains = num_chains
        self.rules = rules
        barrier = Barrier.none(pairs, direct)
        if rules is not None:
            barrier = Barrier.of(rules, pairs, direct)
        self._barrier, self.num_pairs, self._told = barrier, len(pairs), tuple(direct)
        pairs, self._direct = barrier.pairs, barrier.direct
        self._pairs = np.ascontiguousarray(pairs)
        self._partners, self._number = _partners(pairs, num_nodes)
        self._tied = _partners(pairs[list(self._direct)], num_nodes)[0]
        self._chances = np.full((num_nodes, 2, 2, 4, num_nodes), START_CHANCE, np.float32)
        alone = pack_rows(np.eye(num_nodes, dtype=bool))
        self.ancestors = np.repeat(alone[None], num_chains, axis=0)
        self.descendants = self.ancestors.copy()
        if rules is not None:
            self.start_from([Dag(rules.variables, rules.required)] * num_chains)
        self._random = np.random.default_rng(seed).integers(
            1, 2**64, size=(num_chains, 4), dtype=np.uint64
        )
        self._edges = np.random.default_rng((seed, 1))

    def run(
        self,
        log_beta: float,
        field: NDArray[np.float64],
        *,
        num_records: int,
        sweeps: int,
        is_learning: bool = False,
    ) -> Records:
        """Advance all chains by ``num_records × sweeps`` sweeps, recording every ``sweeps``.

        With ``is_learning`` the chances of where nodes are planted then follow what was seen, which
        makes the next run depend on more than where the chains are: not for final averages.
        """
        tilt = Tilt.of(log_beta, self._barrier.field(field), self._direct)
        tilting = Tilting(
            pairs=self._pairs,
            partners=self._partners,
            number=self._number,
            log_beta=log_beta,
            field=tilt.field,
            tied=self._tied,
            bonus=self._bonus(tilt),
        )
        direct = np.array(self._direct, dtype=np.int64)
        shared = _Shared(tilting, direct, self._chances, is_learning)
        codes, covers, counts, seen = self._run_all(shared, num_records, sweeps)
        if is_learning:
            asked, found = seen[..., 0], seen[..., 1]
            chances = (MEMORY * self._chances + found) / (MEMORY + asked)
            self._chances = np.clip(chances, LEAST_CHANCE, 1 - LEAST_CHANCE).astype(np.float32)
        ties = self._draw_ties(codes, covers, tilt) if self._told else codes
        ties = ties[..., : self.num_pairs]
        return Records(
            ties, codes, self._barrier, covers.astype(bool), counts[..., 0], counts[..., 1]
        )

    def _run_all(
        self, shared: "_Shared", num_records: int, sweeps: int
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int64], NDArray[np.int64]]:
        """Advance all chains, some at a time; what each saw does not depend on the others."""
        groups = [slice(0, self.num_chains)]
        if self._num_jobs == 1:
            parts = [_run_some(self._state(groups[0]), shared, num_records, sweeps)]
        else:
            from joblib import Parallel, delayed, effective_n_jobs

            size = -(-self.num_chains // min(effective_n_jobs(self._num_jobs), self.num_chains))
            groups = [slice(k, k + size) for k in range(0, self.num_chains, size)]
            # Threads suffice: the kernels release the interpreter.
            parts = Parallel(n_jobs=self._num_jobs, prefer="threads")(
                delayed(_run_some)(self._state(group), shared, num_records, sweeps)
                for group in groups
            )
        for group, (state, *_) in zip(groups, parts, strict=True):
            self.ancestors[group], self.descendants[group], self._random[group] = state
        _, codes, covers, counts, seen = zip(*parts, strict=True)
        return (
            np.concatenate(codes, axis=1),
            np.concatenate(covers, axis=1),
            np.concatenate(counts, axis=1),
            np.sum(seen, axis=0),
        )

    def _state(self, group: slice) -> Ensemble:
        return Ensemble(self.ancestors[group], self.descendants[group], self._random[group])

    def _bonus(self, tilt: Tilt) -> NDArray[np.float64]:
        """The bonus of each cover pair; nothing if no edge is told apart."""
        if not self._direct:
            return np.zeros((0, 0))
        bonus = np.zeros((self.num_nodes, self.num_nodes))
        x, y = self._pairs[list(self._direct)].T
        bonus[x, y], bonus[y, x] = tilt.bonus.T
        return bonus

    def _draw_ties(
        self, codes: NDArray[np.int8], covers: NDArray[np.int8], tilt: Tilt
    ) -> NDArray[np.int8]:
        """Edges along the paths of the closures: of cover pairs always, of others by chance."""
        ties = codes.copy()
        asked = [self._direct.index(pair) for pair in self._told]
        chosen = codes[..., list(self._told)]
        way = np.minimum(chosen, Tie.CAUSED_BY)
        chances = tilt.edge_chances[asked, way]
        is_drawn = self._edges.random(chosen.shape) < chances
        has_edge = (chosen <= Tie.CAUSED_BY) & ((covers[..., asked] > 0) | is_drawn)
        ties[..., list(self._told)] = np.where(has_edge, Tie.EDGE + way, chosen)
        return ties

    def start_from(self, dags: Sequence[Dag]) -> None:
        """Put each chain where one of ``dags`` is."""
        for chain, dag in enumerate(dags):
            self.ancestors[chain] = dag.ancestor_words
            above = np.array([unpack_row(row, dag.num_nodes) for row in dag.ancestor_words])
            self.descendants[chain] = pack_rows(above.T)

    def replace(self, lost: NDArray[np.bool_]) -> None:
        """Give the chains that are ``lost`` the closures of the others, in turn."""
        kept = np.flatnonzero(~lost)
        source = np.resize(kept, int(lost.sum()))
        self.ancestors[lost] = self.ancestors[source]
        self.descendants[lost] = self.descendants[source]


class _Shared(NamedTuple):
    """What chains of a run have in common."""

    tilting: Tilting
    direct: NDArray[np.int64]
    chances: NDArray[np.float32]
    is_learning: bool


def _run_some(
    state: Ensemble, shared: _Shared, num_records: int, sweeps: int
) -> tuple[Ensemble, NDArray[np.int8], NDArray[np.int8], NDArray[np.int64], NDArray[np.int64]]:
    """Advance some chains; return where they are, codes, covers, counts and what was seen."""
    ensemble = Ensemble(*(words.copy() for words in state))
    # arrays that come from another process may be read-only, another type to the compiler
    tilting = Tilting(*(np.require(a, None, "W") if np.ndim(a) else a for a in shared.tilting))  # type: ignore[arg-type]
    direct, chances = np.require(shared.direct, None, "W"), np.require(shared.chances, None, "W")
    shape = num_records, len(ensemble.ancestors)
    passed = Passed(
        codes=np.empty((*shape, len(tilting.pairs)), np.int8),
        covers=np.zeros((*shape, len(direct)), np.int8),
        counts=np.empty((*shape, 2), np.int64),
    )
    learning = Learning(chances, np.zeros((*chances.shape, 2), np.int64), shared.is_learning)
    run_chains(ensemble, tilting, learning, direct, passed, sweeps)
    return ensemble, passed.codes, passed.covers, passed.counts, learning.seen


def _partners(
    pairs: NDArray[np.int64], num_nodes: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The nodes paired with each node as bitset rows, and the number of the pair of two nodes."""
    number = np.full((num_nodes, num_nodes), -1, np.int64)
    x, y = pairs.T
    number[x, y] = number[y, x] = np.arange(len(pairs))
    return pack_rows(number >= 0), number
