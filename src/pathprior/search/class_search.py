"""Search over Markov equivalence classes: the kernels' state, run in slices as `climb` is."""

import warnings

import numpy as np

from pathprior.errors import PathPriorWarning, SearchError
from pathprior.graph.bitset import num_words, pack_rows, unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.classes.choose import RECORD_SIZE
from pathprior.kernels.classes.climb import Counting, run_class_climb
from pathprior.kernels.classes.state import (
    ANCESTORS,
    AT_BEST,
    BEST,
    BEST_LOGGED,
    CLIQUE,
    CLIQUES_CUT,
    DAG,
    FORBIDDEN,
    LOGGED,
    MUST_JOIN,
    MUST_PART,
    NOW,
    NUM_COUNTERS,
    NUM_MOVES,
    NUM_SCRATCH,
    NUM_SETS,
    STEPS,
    TRUNCATIONS,
    ClassClimb,
    ClassProblem,
)
from pathprior.kernels.climb.choose import NEVER
from pathprior.kernels.climb.climb import FINISHED
from pathprior.kernels.climb.state import DATA, PRIOR
from pathprior.kernels.data.cells import make_workspace
from pathprior.kernels.data.column_cache import make_cache
from pathprior.score.aic import Aic
from pathprior.score.bdeu import Bdeu
from pathprior.score.bic import Bic
from pathprior.score.local import BoundScore, CountedFamilies, LocalScore
from pathprior.search.climber import (
    RELATIVE_TOLERANCE,
    SLICE,
    WATCHED_SLICE,
    ClimbOptions,
    ClimbResult,
    PairWeights,
)
from pathprior.search.edge_rules import EdgeRules
from pathprior.search.interrupt import StopRequest
from pathprior.search.progress import OnProgress

DEFAULT_TABU = 25
MAX_CLIQUES = 4096
"""Cliques looked at among the neighbours of one variable; smaller ones come first."""
NUM_VISITED_PLACES = 1 << 12
"""Places for marks of visited classes, a power of two; no more are kept than half of it."""


class CliqueLimitWarning(PathPriorWarning):
    """Some moves were not looked at, because a variable had too many cliques of neighbours."""


def default_search(score: LocalScore, swap_equivalent: bool | None) -> str:
    """The search that is taken where none is named; see `pathprior.learn`.

    A likelihood without a penalty ends at the full graph, whose cliques cannot be listed.
    """
    has_classes = isinstance(score, Bdeu | Bic | Aic) and swap_equivalent is not False
    return "equivalence" if has_classes else "turning"


def require_equivalence(score: LocalScore, swap_equivalent: bool | None) -> None:
    """Raise unless a class can be scored as one: equal data scores, the best prior of its DAGs."""
    if not score.is_score_equivalent:
        raise SearchError(
            "search='equivalence' needs a score that is equal for Markov-equivalent graphs, which "
            f"{type(score).__name__} is not: use BDeu, BIC or AIC, or search='greedy'"
        )
    if swap_equivalent is False:
        raise SearchError(
            "search='equivalence' weighs a class by its member of highest prior, which is what "
            "swap_equivalent=False turns off: leave it out, or use search='greedy'"
        )


def search_classes(
    bound: BoundScore,
    rules: EdgeRules,
    prior: PairWeights,
    start: Dag,
    options: ClimbOptions,
    stop: StopRequest,
    on_progress: OnProgress | None = None,
) -> ClimbResult:
    """Search from the class of ``start``; see `pathprior.kernels.classes.climb`.

    The graph of the result is a DAG of the best class: of highest prior, and within the rules.
    """
    if not isinstance(bound, CountedFamilies):
        raise SearchError(
            f"search='equivalence' cannot use {type(bound).__name__}, whose families are scored "
            "in Python: use BDeu, BIC or AIC, or search='greedy'"
        )
    state = make_state(rules, start, len(prior.pairs))
    counting = Counting(bound.rows, bound.rule, make_workspace(bound.rows))
    num_nodes = len(rules.variables)
    problem = ClassProblem(
        pairs=np.array(prior.pairs, dtype=np.int64),
        log_weights=np.array(prior.log_weights, dtype=np.float64),
        max_parents=rules.max_parents,
        tolerance=0.0,
        tabu=options.tabu,
        swap_budget=options.swap_budget,
        is_limited=int(rules.forbidden.sum()) > num_nodes or rules.max_parents < num_nodes - 1,
    )
    run_class_climb(counting, problem, state, 0)
    # the class of the start is scored: now the scale of the scores is known
    start_score = float(state.totals[NOW].sum())
    tolerance = RELATIVE_TOLERANCE * max(1.0, abs(float(state.totals[NOW, DATA])))
    problem = problem._replace(tolerance=tolerance)
    status = -1
    while status != FINISHED and not stop.is_set:
        slice_cost = SLICE if on_progress is None else WATCHED_SLICE
        status = run_class_climb(counting, problem, state, slice_cost)
        if status != FINISHED and state.counters[LOGGED] + 2 * num_nodes > len(state.log):
            state = state._replace(log=np.concatenate([state.log, np.empty_like(state.log)]))
        if on_progress is not None:
            num_edges = sum(int(row).bit_count() for row in state.sets[DAG].ravel())
            on_progress(int(state.counters[STEPS]), float(state.totals[NOW].sum()), num_edges)
    if state.counters[CLIQUES_CUT]:
        warnings.warn(
            f"some variable had more than {len(state.cliques)} cliques among its neighbours; only "
            "the smaller ones were looked at, so a better move may have been missed: set "
            "max_parents",
            CliqueLimitWarning,
            stacklevel=3,
        )
    return ClimbResult(
        adjacency=np.stack([unpack_row(row, num_nodes) for row in state.sets[BEST]], axis=1),
        data_score=float(state.totals[AT_BEST, DATA]),
        prior_score=float(state.totals[AT_BEST, PRIOR]),
        start_score=start_score,
        log=state.log[: state.counters[BEST_LOGGED]].copy(),
        num_truncated_swaps=int(state.counters[TRUNCATIONS]),
        is_interrupted=status != FINISHED,
    )


def make_state(rules: EdgeRules, start: Dag, num_pairs: int) -> ClassClimb:
    """The state before the first call of `run_class_climb`."""
    n, words = len(rules.variables), num_words(len(rules.variables))
    sets = np.zeros((NUM_SETS, n, words), np.uint64)
    sets[DAG] = start.parent_words
    sets[ANCESTORS] = start.ancestor_words
    sets[FORBIDDEN] = pack_rows(rules.forbidden.T)
    sets[MUST_JOIN] = pack_rows(rules.required | rules.required.T)
    sets[MUST_PART] = pack_rows(rules.forbidden & rules.forbidden.T)
    counters = np.zeros(NUM_COUNTERS, np.int64)
    counters[CLIQUE] = -1
    cache = make_cache(n, words)
    return ClassClimb(
        pdag=np.zeros((4, n, words), np.uint64),
        trial=np.zeros((4, n, words), np.uint64),
        sets=sets,
        stale=np.full(n, 2),
        bounds=np.full((NUM_MOVES, n, n), -np.inf),
        is_unranked=np.ones((NUM_MOVES, n), np.bool_),
        row_best=np.empty((NUM_MOVES, n)),
        row_parent=np.empty((NUM_MOVES, n), np.int64),
        slack=np.zeros((NUM_MOVES, n)),
        last_tried=np.full((NUM_MOVES, n, n), -1),
        last_moved=np.full((n, n), -NEVER),
        relations=np.full(num_pairs, 3),
        record=np.empty(RECORD_SIZE),
        totals=np.zeros((2, 2)),
        counters=counters,
        log=np.empty((4 * n + 1024, 5)),
        # a pair needs two columns for each clique, and they must fit into the cache together
        cliques=np.zeros((min(MAX_CLIQUES, len(cache.children) // 4), words), np.uint64),
        scratch=np.zeros((NUM_SCRATCH, words), np.uint64),
        column=np.empty(n),
        order=np.empty(n, np.int64),
        trail=np.empty((n * n, 2), np.int64),
        visited=np.zeros(NUM_VISITED_PLACES, np.uint64),
        cache=cache,
    )
