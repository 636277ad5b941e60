"""The best class and its member, for a score that tells equivalent graphs apart.

Such a score prefers some directions that data cannot tell, by nats that are the model's and not the
world's. By ``directions="class"`` a class scores what the best of its members does, whichever of
them beliefs and statements then choose. Over the members within the rules,

    F(class) = max data score + max prior score.

A climb over DAGs looks for the highest sum of both in one graph, and is settled here: the score's
favourite is looked for by turning covered edges, that of the beliefs by the swap-equivalent
operator. Where both differ, a belief may prefer another class than the one that the climb found.
So edges are then put in, taken out and turned one at a time as beliefs ask for, as long as F rises.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.graph.graph_state import can_insert, can_reverse
from pathprior.kernels.graph.swap import TRUNCATED, best_member
from pathprior.problem.pair_codes import graph_of, weigh_pairs
from pathprior.problem.problem import Problem
from pathprior.search.driver import (
    BOUND_TOLERANCE,
    SWAP_BUDGET,
    SearchResult,
)
from pathprior.search.interrupt import StopRequest
from pathprior.search.method import Search, Watch
from pathprior.search.steps import steps_between

SAME_PRIOR = 1e-9
"""Differences of prior scores that are none."""
SLACK = 5.0
"""What an edge may cost by the scores of one member, to be weighed by those of its class."""

MAX_IMPROVED = 60
"""Of more variables all single edges take too long to weigh: the class stays that of the climb."""

Matrix = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ClassScores:
    """What graphs and classes score on one problem; families are scored once.

    ``local`` are the scores of families by child and parents, as positions.
    """

    problem: Problem
    cut: Matrix
    local: dict[tuple[int, tuple[int, ...]], float] = field(default_factory=dict)

    @classmethod
    def of(cls, problem: Problem) -> "ClassScores":
        """Without any family yet."""
        return cls(problem, problem.cut)

    def family(self, child: int, parents: Matrix) -> float:
        """Local score of a child with these parents."""
        key = child, tuple(np.flatnonzero(parents).tolist())
        if key not in self.local:
            self.local[key] = self.problem.scorer.local(child, key[1])
        return self.local[key]

    def data_score(self, adjacency: Matrix) -> float:
        """Σ_v local score of v's family."""
        return sum(self.family(v, adjacency[:, v]) for v in range(len(adjacency)))

    def climb_in_class(self, adjacency: Matrix, may_be: Callable[[Matrix], bool]) -> Matrix:
        """Turn the covered edge that gains most, as long as one gains and leads to what may be."""
        here = adjacency.copy()
        least = BOUND_TOLERANCE * max(1.0, abs(self.data_score(here)))
        while True:
            gains = {edge: self._turn_gain(here, *edge) for edge in self._covered(here)}
            for edge in sorted(gains, key=lambda one: (-gains[one], one)):
                if gains[edge] <= least:
                    return here
                there = turned(here, *edge)
                if may_be(there):
                    here = there
                    break
            else:
                return here

    def _covered(self, here: Matrix) -> Iterator[tuple[int, int]]:
        """Edges u → v whose other parents are those of u: turning them leads to all of the class.

        But for edges that experiments direct.
        """
        for u, v in np.argwhere(here & ~self.cut).tolist():
            others = here[:, v].copy()
            others[u] = False
            if (others == here[:, u]).all():
                yield u, v

    def _turn_gain(self, here: Matrix, u: int, v: int) -> float:
        """What the data score gains by v → u in the place of the covered edge u → v."""
        shared, with_u, with_v = here[:, u], here[:, v], here[:, u].copy()
        with_v[v] = True
        return (
            self.family(v, shared)
            + self.family(u, with_v)
            - self.family(v, with_u)
            - self.family(u, shared)
        )


def turned(adjacency: Matrix, u: int, v: int) -> Matrix:
    """The graph with v → u in the place of u → v."""
    found = adjacency.copy()
    found[u, v], found[v, u] = False, True
    return found


def weigh(problem: Problem, adjacency: Matrix) -> float:
    """Prior score of a DAG."""
    dag = Dag(problem.rules.variables, adjacency)
    paths = weigh_pairs(problem.weights, graph_of(dag))
    return paths + dag.num_edges * problem.weights.log_edge_odds


@dataclass(frozen=True, slots=True)
class Settled:
    """A class: its member of highest prior, and the scores of the class."""

    member: Matrix
    favourite: Matrix
    data_score: float
    prior_score: float
    is_truncated: bool

    @property
    def score(self) -> float:
        """What classes are compared by."""
        return self.data_score + self.prior_score


@dataclass(frozen=True, slots=True)
class Settling:
    """From graphs to classes and their members, on one problem."""

    problem: Problem
    scores: ClassScores

    def settle(self, adjacency: Matrix) -> Settled:
        """Find the member that beliefs like best, of equals one that the score likes better.

        The graph must be within the rules.
        """
        scores, forbidden = self.scores, self.problem.rules.forbidden

        def is_allowed(there: Matrix) -> bool:
            return not (there & forbidden).any()

        favourite = scores.climb_in_class(adjacency, is_allowed)
        member, is_truncated = self._believed_most(favourite)
        prior_score = weigh(self.problem, member)
        member = scores.climb_in_class(
            member,
            lambda there: (
                is_allowed(there) and weigh(self.problem, there) >= prior_score - SAME_PRIOR
            ),
        )
        again = scores.climb_in_class(member, is_allowed)
        favourite = max(favourite, again, key=scores.data_score)
        data_score = scores.data_score(favourite)
        return Settled(member, favourite, data_score, prior_score, is_truncated)

    def _believed_most(self, adjacency: Matrix) -> tuple[Matrix, bool]:
        """The member of highest prior within the rules, and whether there may be a higher one."""
        problem = self.problem
        dag = Dag(problem.rules.variables, adjacency)
        graph = graph_of(dag)
        status = best_member(
            graph,
            problem.weights,
            pack_rows(problem.rules.forbidden.T),
            pack_rows(self.scores.cut),
            SWAP_BUDGET,
        )
        found = np.ascontiguousarray(unpack_row(graph.parents, dag.num_nodes).T)
        return found, bool(status & TRUNCATED)

    def improve(self, here: Settled, stop: StopRequest) -> Settled:
        """Change one edge at a time as beliefs ask for, as long as a better class is found."""
        least = BOUND_TOLERANCE * max(1.0, abs(here.score))
        is_better = True
        while is_better and not stop.is_set:
            is_better = False
            for adjacency in self._neighbours(here):
                there = self.settle(adjacency)
                if there.score > here.score + least:
                    here, is_better = there, True
                    break
        return here

    def _neighbours(self, here: Settled) -> list[Matrix]:
        """Graphs with one edge changed, the most promising first."""
        weights = self.problem.weights
        most = float(weights.log_weights.max(axis=1).sum())
        found: list[tuple[float, int, Matrix]] = []
        for start in (here.member, here.favourite):
            prior_score = weigh(self.problem, start)
            # paths cost the most time to weigh, and most edges are far too dear whatever they say
            paths = most - (prior_score - int(start.sum()) * weights.log_edge_odds)
            for there in self._changed(start):
                gain = 0.0
                for v in np.flatnonzero((there != start).any(axis=0)).tolist():
                    gain += self.scores.family(v, there[:, v]) - self.scores.family(v, start[:, v])
                if gain + paths + abs(weights.log_edge_odds) <= -SLACK:
                    continue
                gain += weigh(self.problem, there) - prior_score
                if gain > -SLACK:
                    found.append((-gain, len(found), there))
        return [there for *_, there in sorted(found, key=lambda one: one[:2])]

    def _changed(self, member: Matrix) -> Iterator[Matrix]:
        """All graphs within the rules with one edge more, one less, or one turned."""
        problem = self.problem
        dag, limits = Dag(problem.rules.variables, member), problem.rules.limits()
        graph = graph_of(dag)
        for u, v in np.argwhere(member & ~problem.rules.required).tolist():
            there = member.copy()
            there[u, v] = False
            yield there
            if can_reverse(graph, limits, u, v):
                yield turned(member, u, v)
        for u, v in np.argwhere(~(member | member.T)).tolist():
            if can_insert(graph, limits, u, v):
                there = member.copy()
                there[u, v] = True
                yield there


def score_data(problem: Problem, adjacency: Matrix) -> float:
    """Data score of a graph within the rules: of its class, where classes are compared."""
    scores = ClassScores.of(problem)
    if problem.is_by_class:
        return Settling(problem, scores).settle(adjacency).data_score
    return scores.data_score(adjacency)


@dataclass(frozen=True, slots=True)
class ByClass(Search):
    """A search that compares classes, and returns the member that beliefs choose.

    The same search for a score that does not tell members apart, and without beliefs: whatever is
    best is the best of its class then.
    """

    search: Search
    may_improve: bool = False

    def run(self, problem: Problem, watch: Watch) -> SearchResult:
        """See `Method.run`."""
        found = self.search.run(problem, watch)
        if not problem.is_by_class or not len(problem.weights.pairs):
            return found
        settling = Settling(problem, ClassScores.of(problem))
        first = settling.settle(found.adjacency)
        is_small = len(found.adjacency) <= MAX_IMPROVED
        settled = settling.improve(first, watch.stop) if self.may_improve and is_small else first
        if settled is not first:
            found = replace(found, found_again=0)  # at another class
        return _as_result(found, settled).on(problem, watch.why(found.reason))

    def restarted(self) -> Search:
        """See `Search.restarted`."""
        return ByClass(self.search.restarted(), self.may_improve)

    def one_of(self, number: int) -> Search:
        """See `Search.one_of`."""
        return ByClass(self.search.one_of(number), self.may_improve)


def _as_result(found: SearchResult, settled: Settled) -> SearchResult:
    """What was found, with the class's scores and member; the way there is one step more."""
    gains = settled.data_score - found.data_score, settled.prior_score - found.prior_score
    way = steps_between(found.adjacency, settled.member, *gains)
    log, start_score = np.concatenate([found.log, way]).view(np.recarray), found.start_score
    if len(log) and not len(way):
        log[-1].data_gain, log[-1].prior_gain = np.add(
            gains, (log[-1].data_gain, log[-1].prior_gain)
        )
    elif not len(log):
        start_score += sum(gains)
    return replace(
        found,
        adjacency=settled.member,
        data_score=settled.data_score,
        prior_score=settled.prior_score,
        start_score=start_score,
        log=log,
        num_truncated_swaps=found.num_truncated_swaps + settled.is_truncated,
        bound=inf,  # what was proved holds for graphs, not for classes
    )
