"""`Chains`: an ensemble of Markov chains over closures of DAGs, tilted by weights on pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.graph.dag import Dag
from pathprior.graph.edge_rules import EdgeRules
from pathprior.graph.tie import Tie
from pathprior.kernels.web.chains import run_chains
from pathprior.kernels.web.state import Ensemble, Learning, Passed, Tilting
from pathprior.kernels.web.within import Within
from pathprior.prior.web.barrier import Barrier
from pathprior.prior.web.tilt import Tilt

START_CHANCE = 0.1
LEAST_CHANCE = 0.005
MEMORY = 5.0
"""Times asked that earlier runs count for when chances are learned."""


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
    """Whether one end covers the other, records × chains × pairs whose edges are told from longer
    paths; where parents are limited, whether the drawn graph has the edge."""
    num_covers: NDArray[np.int64]
    """Cover pairs of the closure, records × chains; where parents are limited, edges."""
    num_ordered: NDArray[np.int64]
    """Ordered pairs of the closure, records × chains."""

    def log_weights(self, log_beta: float, field: NDArray[np.float64]) -> NDArray[np.float64]:
        """log of the unnormalised weight at (β, field) of every closure passed."""
        num_pairs, direct = self.relations.shape[-1], self.barrier.direct
        if self.barrier.is_limited:
            return self._log_weights_of_graphs(log_beta, self.barrier.field(field))
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

    def _log_weights_of_graphs(
        self, log_beta: float, field: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The same of the graphs that were drawn: how many parents a closure leaves room for
        depends on the weights."""
        rows = list(self.barrier.direct)
        ties = self.relations.copy()
        way = np.minimum(ties[..., rows], Tie.CAUSED_BY)
        ties[..., rows] = np.where(self.is_cover, Tie.EDGE + way, ties[..., rows])
        tilt = field[np.arange(ties.shape[-1]), ties].sum(axis=-1)
        total: NDArray[np.float64] = tilt + log_beta * self.num_covers
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
        barrier = Barrier.none(num_nodes, pairs, direct)
        if rules is not None:
            barrier = Barrier.of(rules, pairs, direct)
        self._barrier, self.num_pairs, self._told = barrier, len(pairs), tuple(direct)
        pairs, self._direct = barrier.pairs, barrier.direct
        self._pairs = np.ascontiguousarray(pairs)
        self._partners, self._number = _partners(pairs, num_nodes)
        self._tied = _partners(pairs[list(self._direct)], num_nodes)[0]
        self._chances = np.full((num_nodes, 2, 2, 4, num_nodes), START_CHANCE, np.float32)
        self._bar_chances()
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
        within = self._barrier.within(tilt)
        shared = _Shared(tilting, within, direct, self._chances, is_learning)
        codes, covers, counts, seen = self._run_all(shared, num_records, sweeps)
        if is_learning:
            asked, found = seen[..., 0], seen[..., 1]
            chances = (MEMORY * self._chances + found) / (MEMORY + asked)
            self._chances = np.clip(chances, LEAST_CHANCE, 1 - LEAST_CHANCE).astype(np.float32)
            self._bar_chances()
        ties = self._draw_ties(codes, covers, tilt) if self._told else codes
        ties = ties[..., : self.num_pairs]
        return Records(
            ties, codes, self._barrier, covers.astype(bool), counts[..., 0], counts[..., 1]
        )

    def _bar_chances(self) -> None:
        """Nodes that may never be above or below another are not planted there."""
        barred = self._barrier.barred
        for side, nodes in enumerate((barred.T, barred)):
            v, other = np.nonzero(nodes)
            self._chances[v, :, side, :, other] = 0.0

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
        has_edge = covers[..., asked] > 0
        if not self._barrier.is_limited:  # else it has been drawn with the others
            chances = tilt.edge_chances[asked, way]
            is_drawn = self._edges.random(chosen.shape) < chances
            has_edge = (chosen <= Tie.CAUSED_BY) & (has_edge | is_drawn)
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
    within: Within
    direct: NDArray[np.int64]
    chances: NDArray[np.float32]
    is_learning: bool


def _run_some(
    state: Ensemble, shared: _Shared, num_records: int, sweeps: int
) -> tuple[Ensemble, NDArray[np.int8], NDArray[np.int8], NDArray[np.int64], NDArray[np.int64]]:
    """Advance some chains; return where they are, codes, covers, counts and what was seen."""
    ensemble = Ensemble(*(words.copy() for words in state))
    # arrays that come from another process may be read-only, another type to the compiler
    tilting, within = (
        Tilting(*map(_writable, shared.tilting)),
        Within(*map(_writable, shared.within)),
    )
    direct, chances = _writable(shared.direct), _writable(shared.chances)
    shape = num_records, len(ensemble.ancestors)
    passed = Passed(
        codes=np.empty((*shape, len(tilting.pairs)), np.int8),
        covers=np.zeros((*shape, len(direct)), np.int8),
        counts=np.empty((*shape, 2), np.int64),
    )
    learning = Learning(chances, np.zeros((*chances.shape, 2), np.int64), shared.is_learning)
    run_chains(ensemble, tilting, learning, within, direct, passed, sweeps)
    return ensemble, passed.codes, passed.covers, passed.counts, learning.seen


def _writable(value: Any) -> Any:
    return np.require(value, None, "W") if np.ndim(value) else value


def _partners(
    pairs: NDArray[np.int64], num_nodes: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The nodes paired with each node as bitset rows, and the number of the pair of two nodes."""
    number = np.full((num_nodes, num_nodes), -1, np.int64)
    x, y = pairs.T
    number[x, y] = number[y, x] = np.arange(len(pairs))
    return pack_rows(number >= 0), number
