"""`Plan`: which search is made, and what its options come to on this problem."""

from dataclasses import dataclass, replace
from math import inf

from pathprior.errors import SearchError
from pathprior.graph.dag import Dag
from pathprior.problem.problem import Problem
from pathprior.search.class_search import DEFAULT_TABU, default_shakes
from pathprior.search.climber import climb
from pathprior.search.directions import by_class
from pathprior.search.driver import SWAP_BUDGET, Search, SearchOptions, SearchResult
from pathprior.search.effort import QUICK, THOROUGH, TIMES_FOUND, work_of
from pathprior.search.exact import is_quick, search_exactly
from pathprior.search.guided import SHAKES, search_guided
from pathprior.search.interrupt import StopRequest
from pathprior.search.pursuit import search_on
from pathprior.search.settings import LearnSettings
from pathprior.search.stop_reason import StopReason


@dataclass(frozen=True, slots=True)
class Plan:
    """A search, its options, and the settings with nothing left open."""

    run: Search
    options: SearchOptions
    resolved: LearnSettings

    def from_start(self, start: Dag) -> "Plan":
        """Return the plan of a search from another graph."""
        return replace(self, resolved=replace(self.resolved, start=start.edges))

    def reason(self, result: SearchResult, stop: StopRequest) -> StopReason:
        """Why the search stopped."""
        if stop.is_interrupted:
            return StopReason.INTERRUPTED
        if stop.is_set:
            return StopReason.OUT_OF_TIME
        if result.bound < inf:
            if not result.is_proven:
                return StopReason.UNPROVEN
            return StopReason.PROVEN if result.bound_parents is None else StopReason.LIMITED
        search = self.resolved.search
        if self.options.more_work:
            is_found = result.found_again >= self.options.times_found
            return StopReason.FOUND_AGAIN if is_found else StopReason.SPENT
        if search == "guided" and self.options.shakes:
            return StopReason.DISTURBED
        if search == "equivalence" or (search == "exact" and self.options.tabu):
            return StopReason.SHAKEN if self.options.shakes else StopReason.CLASS_OPTIMUM
        if self.options.tabu:
            return StopReason.TABU
        return StopReason.PLATEAU if self.options.is_turning else StopReason.LOCAL_OPTIMUM


def make_plan(problem: Problem, settings: LearnSettings) -> Plan:
    """Choose what was left open, by what the score can do on this data.

    Raises
    ------
    SearchError
        If the score cannot do what was asked.
    """
    scorer = problem.scorer
    search, tabu, swap_equivalent = settings.search, settings.tabu, settings.swap_equivalent
    _require(problem, settings)
    weighs_all = False
    if search == "auto":
        may_walk = scorer.may_walk_classes and swap_equivalent is not False
        weighs_all = may_walk and _may_be_proved(problem, settings) and is_quick(problem)
        otherwise = "guided" if scorer.has_guides else "turning"
        search = "exact" if weighs_all else "equivalence" if may_walk else otherwise
    walks_classes = search == "equivalence" or (search == "exact" and scorer.may_walk_classes)
    if tabu is None:
        tabu = DEFAULT_TABU if walks_classes else 0
    has_pairs = len(problem.weights.pairs) > 0
    shakes = settings.shakes
    if shakes is None:
        # many rounds of drawn cells, or a proof, make up for them; scores in Python are slow
        may_stay = problem.data.imputed is not None or (search == "exact" and not has_pairs)
        is_worth_it = walks_classes and not may_stay and scorer.kernel() is not None
        shakes = default_shakes(problem.start.num_nodes) if is_worth_it else 0
        if search == "guided":
            shakes = 0 if problem.data.imputed is not None else SHAKES[settings.effort]
    if swap_equivalent is None:
        swap_equivalent = scorer.is_score_equivalent
    is_final = _what_ends_it(problem, settings, search)
    if settings.effort == THOROUGH and is_final:
        raise SearchError(
            f"effort='thorough' goes on where a search over classes or a guided one ends, and not "
            f"with {is_final}: leave one of the two out"
        )
    effort = QUICK if is_final or search == "exact" else settings.effort
    options = SearchOptions(
        tabu=tabu,
        swap_budget=SWAP_BUDGET if swap_equivalent and has_pairs else 0,
        is_turning=search in ("turning", "guided", "exact") and tabu == 0,
        shakes=shakes,
        seed=settings.seed,
        is_quick=weighs_all,
        time_limit=settings.time_limit,
        more_work=work_of(effort, problem.start.num_nodes, settings.time_limit)
        if walks_classes
        else 0.0,
        times_found=TIMES_FOUND.get(effort, 0) if walks_classes else 0,
    )
    resolved = replace(
        settings,
        search=search,
        tabu=tabu,
        shakes=shakes,
        effort=effort,
        swap_equivalent=swap_equivalent,
        start=problem.start.edges,
        expected_parents=problem.prior.expected_parents,
        repair=problem.prior.repair,
        pool=problem.prior.pool,
        score=problem.score_name,
    )
    return Plan(_SEARCHES[search], options, resolved)


_SEARCHES: dict[str, Search] = {
    "equivalence": search_on,
    "guided": by_class(search_guided, may_improve=True),
    "turning": by_class(climb, may_improve=True),
    "greedy": by_class(climb),
    "exact": by_class(search_exactly, may_improve=True),
}


def _may_be_proved(problem: Problem, settings: LearnSettings) -> bool:
    """Whether nobody asked for another way, and the best graph of this problem is the answer."""
    is_left_open = settings.tabu is None and settings.shakes is None and not settings.restarts
    return is_left_open and not problem.has_statements and problem.data.imputed is None


def _what_ends_it(problem: Problem, settings: LearnSettings, search: str) -> str | None:
    """What says by itself when the search ends; None if the effort does."""
    if search in ("turning", "greedy"):
        return f"search={search!r}"
    if settings.shakes:
        return "shakes"
    if settings.shakes == 0:
        return "shakes=0"
    if problem.data.imputed is not None:
        return f"missing={settings.missing!r}"
    return (
        None if problem.scorer.kernel() is not None else f"the score {problem.score_name} in Python"
    )


def _require(problem: Problem, settings: LearnSettings) -> None:
    """Raise if the score cannot do what was asked."""
    scorer, name = problem.scorer, problem.score_name
    if scorer.never_falls and settings.max_parents is None:
        raise SearchError(
            f"the score {name} never falls by an edge, so that the full graph is the best: set "
            "max_parents, or use a score that weighs edges, such as BDeu or BIC"
        )
    if settings.search == "exact" and settings.restarts:
        raise SearchError("search='exact' weighs all graphs: leave restarts out")
    if settings.search == "equivalence" and not scorer.is_score_equivalent:
        raise SearchError(
            "search='equivalence' needs a score that is equal for Markov-equivalent graphs, which "
            f"{name} is not: use BDeu, BIC or AIC, or search='greedy'"
        )
    if settings.search == "equivalence" and settings.swap_equivalent is False:
        raise SearchError(
            "search='equivalence' weighs a class by its member of highest prior, which is what "
            "swap_equivalent=False turns off: leave it out, or use search='greedy'"
        )
    if settings.search == "guided" and not scorer.has_guides:
        raise SearchError(
            f"search='guided' begins where scores that are like {name} lead, and there are none: "
            "leave search out"
        )
    if settings.shakes and settings.search in ("turning", "greedy"):
        raise SearchError(
            f"search={settings.search!r} is never disturbed: leave shakes out, or ask for restarts"
        )
    if settings.swap_equivalent and not scorer.is_score_equivalent:
        raise SearchError(
            "swap_equivalent=True needs a score that is equal for Markov-equivalent graphs, which "
            f"{name} is not: use BDeu, BDe, BIC or AIC, or swap_equivalent=False"
        )
