"""Which score of real columns suits them: by evidence, in nats of the same data.

A score of ranks is a density of normal scores. It becomes one of the data if the marginal density
of each column is exchanged: with A the sum of the additive scores of the columns by themselves,

    E = S + A − Σ_v local(v, ∅; ranks)   for a score of ranks,   E = S   for one of the columns,

S being the highest score that a search found, beliefs included.
"""

from dataclasses import dataclass, replace

import numpy as np

from pathprior.data.stream import RealStream
from pathprior.errors import SearchError
from pathprior.problem.problem import Problem
from pathprior.score.named import AUTO, make_score
from pathprior.search.driver import SearchResult
from pathprior.search.method import Watch
from pathprior.search.plan import Plan, make_plan
from pathprior.search.settings import CLASS, LearnSettings
from pathprior.search.weighed import WeighedScore

BY_RANKS = ("ranks", "additive-ranks")
CANDIDATES = ("bge", "ranks", "additive", "additive-ranks")
"""Scores that are weighed, the simplest first."""
EQUIVALENT = ("bge", "ranks")
"""Those of them that are equal for equivalent graphs."""
MAX_ROWS = 2000
"""Rows by which they are weighed; of more as many, evenly spread."""


def candidates(problem: Problem, settings: LearnSettings) -> tuple[str, ...]:
    """The scores that ``"auto"`` is to choose among; none where there is nothing to choose.

    Real columns alone without atoms, all in memory, and nothing of them missing.
    """
    data = problem.data
    is_plain = data.imputed is None and not isinstance(data.reals, RealStream)
    may_choose = settings.score == AUTO and problem.score_name == "bge"
    return CANDIDATES if may_choose and is_plain else ()


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen, how it is searched, and what was weighed, the highest evidence first.

    ``result`` is what the search found if all rows were looked at, else None.
    """

    problem: Problem
    plan: Plan
    result: SearchResult | None
    weighed: tuple[WeighedScore, ...]


def choose_score(
    problem: Problem,
    settings: LearnSettings,
    names: tuple[str, ...],
    watch: Watch,
) -> Choice:
    """Search with each of the scores, and take the one of highest evidence; of equals the simpler.

    Those that cannot be searched as was asked are left out, and where there is no time for all,
    those at the end.
    """
    few = _few_rows(problem)
    by_shape = _alone(on_score(few, "additive", settings))
    found: list[tuple[WeighedScore, Problem, SearchResult]] = []
    for name in names:
        here = on_score(few, name, settings)
        try:
            plan = make_plan(here, settings)
        except SearchError:
            if name == names[0]:
                raise
            continue
        result = plan.alone(here).run(here, watch)
        evidence = result.score
        if name in BY_RANKS:
            evidence += by_shape - _alone(here)
        found.append((WeighedScore(name, float(evidence)), here, result))
        if watch.stop.is_set:
            break
    found.sort(key=lambda one: -one[0].evidence)
    first, best, known = found[0]
    chosen = best if few is problem else on_score(problem, first.name, settings)
    plan = make_plan(chosen, settings)
    result_of_all = known if few is problem else None
    return Choice(chosen, plan, result_of_all, tuple(weighed for weighed, *_ in found))


def on_score(problem: Problem, name: str, settings: LearnSettings) -> Problem:
    """Return the problem with another score."""
    score = make_score(name)
    scorer = score.bind(problem.data.select(problem.rules.variables))
    rows = scorer.prior_rows or problem.prior_rows
    scored = replace(problem, score=score, scorer=scorer, score_name=name, prior_rows=rows)
    return with_directions(scored, settings)


def with_directions(problem: Problem, settings: LearnSettings) -> Problem:
    """Return the problem with who chooses among equivalent graphs, by its score."""
    is_by_class = settings.directions == CLASS and not problem.scorer.is_score_equivalent
    return replace(problem, is_by_class=is_by_class)


def _few_rows(problem: Problem) -> Problem:
    """The problem on as many rows as scores are weighed by."""
    n = problem.data.num_rows
    if n <= MAX_ROWS:
        return problem
    rows = np.linspace(0, n - 1, MAX_ROWS).round().astype(np.int64)
    return replace(problem, data=problem.data.among(rows))


def _alone(problem: Problem) -> float:
    """The score of the graph without edges."""
    return sum(problem.scorer.local(v, ()) for v in range(problem.start.num_nodes))
