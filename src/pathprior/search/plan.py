"""`Plan`: which search is made, and what its options come to on this problem."""

from dataclasses import dataclass, replace

from pathprior.errors import SearchError
from pathprior.problem.problem import Problem
from pathprior.search.class_search import DEFAULT_TABU, default_shakes
from pathprior.search.directions import ByClass
from pathprior.search.driver import SWAP_BUDGET, SearchOptions, SearchResult
from pathprior.search.effort import QUICK, THOROUGH, TIMES_FOUND, work_of
from pathprior.search.exact import is_quick
from pathprior.search.guided import SHAKES
from pathprior.search.method import Search
from pathprior.search.methods import ClassSearch, Exact, Guided, HillClimb, Known
from pathprior.search.reliability import LearnedReliability
from pathprior.search.restarts import Restarts
from pathprior.search.rivals import Rivals
from pathprior.search.settings import LearnSettings
from pathprior.search.structural_em import DrawnCells


@dataclass(frozen=True, slots=True)
class Plan:
    """Which search is made, and the settings with nothing left open."""

    search: Search
    resolved: LearnSettings

    def alone(self, problem: Problem) -> Search:
        """The search, by itself, of a problem that may have statements."""
        return LearnedReliability(self.search) if problem.has_statements else self.search

    def method(
        self, problem: Problem, *, num_jobs: int, known: SearchResult | None = None
    ) -> Search:
        """The search, and what it takes on this problem: draws, rounds, restarts.

        ``known`` is what the search is known to find.
        """
        asked, method = self.resolved, self.alone(problem)
        again = method.restarted()
        if known is not None:
            method = Known(known, method)
        if problem.data.imputed is not None:
            method = DrawnCells(method, asked.seed)
        if asked.restarts:
            method = Restarts(method, again, asked.restarts, asked.seed, num_jobs)
        return Rivals(method) if problem.has_statements else method


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
    return Plan(_search(search, options), resolved)


def _search(name: str, options: SearchOptions) -> Search:
    """The search of that name."""
    match name:
        case "equivalence":
            return ClassSearch(options)
        case "guided":
            return ByClass(Guided(options), may_improve=True)
        case "exact":
            return ByClass(Exact(options), may_improve=True)
    return ByClass(HillClimb(options), may_improve=name == "turning")


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
