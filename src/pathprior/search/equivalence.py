"""Search over Markov equivalence classes: the kernels' state, run in slices as `climb` is."""

import warnings

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import PathPriorWarning, SearchError
from pathprior.graph.bitset import num_words, pack_rows, unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.cells import make_workspace
from pathprior.kernels.choose import NEVER
from pathprior.kernels.class_climb import run_class_climb
from pathprior.kernels.class_state import (
    BEST_LOGGED,
    CLIQUES_CUT,
    LOGGED,
    NUM_COUNTERS,
    NUM_MOVES,
    STEPS,
    TRUNCATIONS,
    ClassClimb,
    ClassOptions,
    Trial,
)
from pathprior.kernels.climb import FINISHED
from pathprior.kernels.climb_state import DATA, PRIOR, Problem
from pathprior.kernels.column_cache import make_cache
from pathprior.kernels.graph_state import Graph
from pathprior.kernels.prior_gains import Beliefs
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


class CliqueLimitWarning(PathPriorWarning):
    """Some moves were not looked at, because a variable had too many cliques of neighbours."""


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
    """Search from the class of ``start``; see `pathprior.kernels.class_climb`.

    The graph of the result is a DAG of the best class: of highest prior, and within the rules.
    """
    if not isinstance(bound, CountedFamilies):
        raise SearchError(
            f"search='equivalence' cannot use {type(bound).__name__}, whose families are scored "
            "in Python: use BDeu, BIC or AIC, or search='greedy'"
        )
    problem, state = _make_state(bound, rules, prior, start)
    num_nodes = len(rules.variables)
    has_rules = int(rules.forbidden.sum()) > num_nodes or rules.max_parents < num_nodes - 1
    kernel_options = ClassOptions(0.0, options.tabu, options.swap_budget, has_rules)
    run_class_climb(problem, kernel_options, state, 0)
    # the class of the start is scored: now the scale of the scores is known
    tolerance = RELATIVE_TOLERANCE * max(1.0, abs(float(state.totals[DATA])))
    kernel_options = kernel_options._replace(tolerance=tolerance)
    start_score = float(state.totals.sum())
    status = -1
    while status != FINISHED and not stop.is_set:
        slice_cost = SLICE if on_progress is None else WATCHED_SLICE
        status = run_class_climb(problem, kernel_options, state, slice_cost)
        if status != FINISHED and state.counters[LOGGED] + 2 * num_nodes > len(state.log):
            state = state._replace(log=np.concatenate([state.log, np.empty_like(state.log)]))
        if on_progress is not None:
            num_edges = sum(int(row).bit_count() for row in state.graph.parents.ravel())
            on_progress(int(state.counters[STEPS]), float(state.totals.sum()), num_edges)
    if state.counters[CLIQUES_CUT]:
        warnings.warn(
            f"some variable had more than {MAX_CLIQUES} cliques among its neighbours; only the "
            "smaller ones were looked at, so a better move may have been missed: set max_parents",
            CliqueLimitWarning,
            stacklevel=3,
        )
    return ClimbResult(
        adjacency=np.stack([unpack_row(row, num_nodes) for row in state.best_parents], axis=1),
        data_score=float(state.best_totals[DATA]),
        prior_score=float(state.best_totals[PRIOR]),
        start_score=start_score,
        log=state.log[: state.counters[BEST_LOGGED]].copy(),
        num_truncated_swaps=int(state.counters[TRUNCATIONS]),
        is_interrupted=status != FINISHED,
    )


def _make_state(
    bound: CountedFamilies, rules: EdgeRules, prior: PairWeights, start: Dag
) -> tuple[Problem, ClassClimb]:
    n, words = len(rules.variables), num_words(len(rules.variables))

    def sets(*shape: int) -> NDArray[np.uint64]:
        return np.zeros((*shape, words), np.uint64)

    beliefs = Beliefs(
        pairs=np.array(prior.pairs, dtype=np.int64),
        log_weights=np.array(prior.log_weights, dtype=np.float64),
        relations=np.full(len(prior.pairs), 3),
        touched=np.empty(len(prior.pairs), np.int64),
        order=start.order.copy(),
        after=sets(n),
    )
    state = ClassClimb(
        pdag=sets(4, n),
        graph=Graph(start.parent_words.copy(), start.ancestor_words.copy()),
        certain=sets(n),
        must_join=pack_rows(rules.required | rules.required.T),
        must_part=pack_rows(rules.forbidden & rules.forbidden.T),
        bounds=np.full((NUM_MOVES, n, n), -np.inf),
        is_stale=np.ones((NUM_MOVES, n), np.bool_),
        is_unranked=np.ones((NUM_MOVES, n), np.bool_),
        row_best=np.empty((NUM_MOVES, n)),
        row_parent=np.empty((NUM_MOVES, n), np.int64),
        last_tried=np.full((NUM_MOVES, n, n), -1),
        last_moved=np.full((n, n), -NEVER),
        slack=np.zeros(NUM_MOVES),
        trial=Trial(
            sets(4, n),
            Graph(sets(n), sets(n)),
            np.empty(n, np.int64),
            np.empty((n * n, 2), np.int64),
        ),
        found=Graph(sets(n), sets(n)),
        record=np.empty(5),
        best_parents=sets(n),
        totals=np.zeros(2),
        best_totals=np.zeros(2),
        counters=np.zeros(NUM_COUNTERS, np.int64),
        cost=np.zeros(1, np.int64),
        log=np.empty((4 * n + 1024, 5)),
        cliques=sets(MAX_CLIQUES),
        sets=sets(4),
        column=np.empty(n),
        members=np.empty(n, np.int64),
        work=make_workspace(bound.rows),
        cache=make_cache(n, words),
    )
    return Problem(bound.rows, bound.rule, rules.limits(), beliefs), state
