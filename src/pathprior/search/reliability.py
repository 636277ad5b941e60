"""A graph and the reliability of each source, in turn: statements as `learn` takes them.

The reliability ρ of a source is averaged out: what is maximised is the data score, the prior and
log P(statements | G) of `pathprior.problem.statement_weights`. Its rounds are those of the EM
algorithm with ρ as what is hidden: given a graph, ρ is Beta(a + k, b + m − k); given that, a search
with the weights E log ρ and E log(1 − ρ) from this graph on finds the next. No round lowers the
score, and a source cannot vouch for itself: a plugged-in ρ would be as sure as the graph that was
bent to it.

Each statement counts as a `share` of one. P(statements | G) is evidence for a path, shared by all
the graphs that have it, and the best graph claims it for one edge that makes the path. The more
statements there are, the more of them can be had by one wrong edge. At their full weight true
statements raised the distance to the true graph of ALARM in trial runs; at this they do not, and
paths gain as much.
"""

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.dag import Dag
from pathprior.problem.pair_codes import graph_of, read_codes
from pathprior.problem.problem import Problem
from pathprior.problem.statement_weights import Floats, StatementWeights, expected_logs
from pathprior.search.driver import SearchResult
from pathprior.search.method import Search, Watch
from pathprior.search.stop_reason import StopReason

MOST = 0.5
"""What a statement counts for in the search for one graph, at most."""

NUM_SEARCHES = 3
"""Searches among which the effort is divided: the first, and one or more from each beginning."""


@dataclass(frozen=True, slots=True)
class LearnedReliability(Search):
    """A search that learns how reliable sources are along with the graph.

    It first searches without any statement. From there on rounds begin twice: with the reliability
    that this graph suggests, and with what is known of the sources beforehand. The better end is
    kept; its steps are those of all searches that led there, each weighed as it was then.
    """

    search: Search

    def run(self, problem: Problem, watch: Watch) -> SearchResult:
        """See `Method.run`."""
        turns = _Turns(problem, as_counted(problem), self.search.one_of(NUM_SEARCHES), watch)
        weights = problem.weights._replace(log_weights=turns.heard.believed)
        first = turns.search.run(replace(problem, weights=weights), watch)
        found, seen = [first], set[bytes]()
        for shapes in (turns.shapes_given(first), turns.heard.shapes):
            found.append(turns.go_on(first, shapes, seen))
        best = max((turns.rescored(result) for result in found), key=_total)
        # what was found again was so at the last reliabilities only
        is_again = best.reason is StopReason.FOUND_AGAIN
        return best.on(problem, watch.why(StopReason.SPENT if is_again else best.reason))

    def restarted(self) -> Search:
        """See `Search.restarted`."""
        return LearnedReliability(self.search.restarted())


def share(num_variables: int, strength: float) -> float:
    """What each statement counts for, by the strength of all statements together.

    Half, as long as there are no more of them than variables; beyond that less, as the root of
    their number: as much as statements tell anew, between all of them and as many as variables.
    """
    return MOST * min(1.0, sqrt(num_variables / strength))


def as_counted(problem: Problem) -> StatementWeights:
    """Give statements the strength that a search gives them."""
    strength = problem.statements.strength
    counted = share(len(problem.rules.variables), float(strength.sum()))
    return replace(problem.statements, strength=counted * strength)


def as_learned(problem: Problem, dag: Dag) -> Problem:
    """Weigh statements by the reliabilities that go with a learned graph."""
    if not problem.has_statements:
        return problem
    heard = as_counted(problem)
    return _weighed(problem, heard, heard.shapes_given(graph_codes(problem, dag)))


@dataclass(frozen=True, slots=True)
class _Turns:
    """What all rounds share."""

    problem: Problem
    heard: StatementWeights
    search: Search
    watch: Watch

    def go_on(self, last: SearchResult, shapes: Floats, seen: set[bytes]) -> SearchResult:
        """Search from where the last one ended until the reliabilities were had before."""
        while shapes.tobytes() not in seen and not self.watch.stop.is_set:
            seen.add(shapes.tobytes())
            here = _weighed(self.problem, self.heard, shapes)
            here = replace(here, start=Dag(here.rules.variables, last.adjacency))
            result = self.search.run(here, self.watch)
            last = replace(
                result,
                log=np.concatenate([last.log, result.log]).view(np.recarray),
                num_truncated_swaps=last.num_truncated_swaps + result.num_truncated_swaps,
            )
            shapes = self.shapes_given(last)
        return last

    def shapes_given(self, result: SearchResult) -> Floats:
        """What the graph that was found says of the sources."""
        return self.heard.shapes_given(self._codes(result))

    def rescored(self, result: SearchResult) -> SearchResult:
        """The result with its scores averaged over the reliabilities."""
        codes = self._codes(result)
        edge_term = self.problem.weights.log_edge_odds * int(result.adjacency.sum())
        paths = self.heard.log_prior(codes)
        scored = replace(result, prior_score=float(paths) + edge_term)
        gained = float(result.log.data_gain.sum() + result.log.prior_gain.sum())
        # what was proved holds for the last reliabilities only
        start_score = _total(scored) - gained
        return replace(scored, start_score=start_score, bound=np.inf, num_searches=0, found_again=0)

    def _codes(self, result: SearchResult) -> NDArray[np.int64]:
        return graph_codes(self.problem, Dag(self.problem.rules.variables, result.adjacency))


def _total(result: SearchResult) -> float:
    return result.data_score + result.prior_score


def _weighed(problem: Problem, heard: StatementWeights, shapes: Floats) -> Problem:
    log_weights = heard.log_weights(*expected_logs(shapes))
    return replace(problem, weights=problem.weights._replace(log_weights=log_weights))


def graph_codes(problem: Problem, dag: Dag) -> NDArray[np.int64]:
    """What the graph says of each pair of the problem; its nodes may come in any order."""
    by_name = dag.reorder(problem.rules.variables)
    return read_codes(problem.weights, graph_of(by_name))
