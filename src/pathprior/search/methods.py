"""Searches that make use of no other: each begins at the start of a problem and finds a graph."""

from dataclasses import dataclass, replace
from math import inf

from pathprior.problem.problem import Problem
from pathprior.search.climber import climb
from pathprior.search.driver import SearchOptions, SearchResult
from pathprior.search.exact import search_exactly
from pathprior.search.guided import search_guided
from pathprior.search.method import Search, Watch
from pathprior.search.pursuit import search_on
from pathprior.search.stop_reason import StopReason


@dataclass(frozen=True, slots=True)
class HillClimb(Search):
    """Hill climbing over DAGs, see `climb`."""

    options: SearchOptions

    def run(self, problem: Problem, watch: Watch) -> SearchResult:
        """See `Method.run`."""
        found = climb(problem, self.options, watch.stop, watch.on_progress)
        return found.on(problem, watch.why(self.end))

    @property
    def end(self) -> StopReason:
        """Why it stops by itself."""
        if self.options.tabu:
            return StopReason.TABU
        return StopReason.PLATEAU if self.options.is_turning else StopReason.LOCAL_OPTIMUM


@dataclass(frozen=True, slots=True)
class Guided(HillClimb):
    """Climbs from where the guides of a score lead, see `search_guided`."""

    def run(self, problem: Problem, watch: Watch) -> SearchResult:
        """See `Method.run`."""
        found = search_guided(problem, self.options, watch.stop, watch.on_progress)
        return found.on(problem, watch.why(self.end))

    @property
    def end(self) -> StopReason:
        """See `HillClimb.end`."""
        return StopReason.DISTURBED if self.options.shakes else super(Guided, self).end

    def restarted(self) -> Search:
        """Where other scores lead, the first search has been."""
        return Guided(replace(self.options, has_guides=False))


@dataclass(frozen=True, slots=True)
class ClassSearch(Search):
    """A search over equivalence classes, see `search_on`."""

    options: SearchOptions

    def run(self, problem: Problem, watch: Watch) -> SearchResult:
        """See `Method.run`."""
        found = search_on(problem, self.options, watch.stop, watch.on_progress)
        return found.on(problem, watch.why(self._end(found)))

    def one_of(self, number: int) -> Search:
        """See `Search.one_of`."""
        return ClassSearch(replace(self.options, more_work=self.options.more_work / number))

    def restarted(self) -> Search:
        """How long to go on was a matter of the first search."""
        return ClassSearch(replace(self.options, more_work=0.0))

    def _end(self, found: SearchResult) -> StopReason:
        if self.options.more_work:
            is_found = found.found_again >= self.options.times_found
            return StopReason.FOUND_AGAIN if is_found else StopReason.SPENT
        return StopReason.SHAKEN if self.options.shakes else StopReason.CLASS_OPTIMUM


@dataclass(frozen=True, slots=True)
class Exact(Search):
    """The best graph of all, with a proof, see `search_exactly`.

    Where the problem is one of several, with cells drawn or the reliability of sources set, or
    classes are compared, what is proved of it is not said.
    """

    options: SearchOptions

    def run(self, problem: Problem, watch: Watch) -> SearchResult:
        """See `Method.run`."""
        found = search_exactly(problem, self.options, watch.stop, watch.on_progress)
        if not problem.is_provable:
            found = replace(found, bound=inf)
        return found.on(problem, watch.why(self._end(found)))

    def _end(self, found: SearchResult) -> StopReason:
        if found.bound == inf:
            # what the search before the proof ended at
            if not self.options.tabu:
                return HillClimb(self.options).end
            return StopReason.SHAKEN if self.options.shakes else StopReason.CLASS_OPTIMUM
        if not found.is_proven:
            return StopReason.UNPROVEN
        return StopReason.PROVEN if found.bound_parents is None else StopReason.LIMITED


@dataclass(frozen=True, slots=True)
class Known(Search):
    """A search whose result is known already."""

    result: SearchResult
    search: Search

    def run(self, problem: Problem, watch: Watch) -> SearchResult:
        """See `Method.run`."""
        return self.result.on(problem, watch.why(self.result.reason))

    def restarted(self) -> Search:
        """See `Search.restarted`."""
        return self.search.restarted()
