"""One climb: the kernels' state, run in slices so that it can be watched and stopped."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import num_words, unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.climb.choose import NEVER, Moves
from pathprior.kernels.climb.climb import FINISHED, NEEDS_SCORES, run_climb
from pathprior.kernels.climb.prior_gains import Beliefs, read_relations
from pathprior.kernels.climb.state import DATA, PRIOR, STEPS, TRUNCATIONS, Climb, Options, Problem
from pathprior.kernels.data.cells import make_workspace
from pathprior.kernels.data.column_cache import make_cache
from pathprior.kernels.data.families import Rule
from pathprior.kernels.data.rows import Rows
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.graph.graph_state import Graph
from pathprior.score.local import BoundScore, CountedFamilies
from pathprior.search.edge_rules import EdgeRules
from pathprior.search.interrupt import StopRequest
from pathprior.search.progress import OnProgress

SLICE = 10**9
"""Work of one call into the kernels, in cells of data: about a tenth of a second."""
WATCHED_SLICE = 10**8
RELATIVE_TOLERANCE = 1e-10
MAX_TIES = 64


@dataclass(frozen=True, slots=True)
class PairWeights:
    """A graph prior as the climb needs it: Σ_k log_weights[k, relation of pair k].

    Attributes
    ----------
    pairs
        Positions of variables, one row per pair.
    log_weights
        One weight per relation, in the order of `Relation`; −∞ excludes.
    """

    pairs: NDArray[np.int64]
    log_weights: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ClimbOptions:
    """How to climb; see `pathprior.learn`."""

    tabu: int
    swap_budget: int
    is_turning: bool


@dataclass(frozen=True, slots=True)
class ClimbResult:
    """The best graph of one climb, its scores and its log (kernel rows)."""

    adjacency: NDArray[np.bool_]
    data_score: float
    prior_score: float
    start_score: float
    log: NDArray[np.float64]
    num_truncated_swaps: int
    is_interrupted: bool


def climb(
    bound: BoundScore,
    rules: EdgeRules,
    prior: PairWeights,
    start: Dag,
    options: ClimbOptions,
    stop: StopRequest,
    on_progress: OnProgress | None = None,
) -> ClimbResult:
    """Climb from ``start`` until nothing gains; see `pathprior.kernels.climb.climb`."""
    problem, state = _make_state(bound, rules, prior, start)
    is_external = not isinstance(bound, CountedFamilies)
    memo: dict[tuple[int, bytes], NDArray[np.float64]] = {}
    kernel_options = Options(
        0.0, options.tabu, options.swap_budget, options.is_turning, is_external
    )
    logs: list[NDArray[np.float64]] = []
    start_score = -np.inf
    has_started = False
    status = -1
    while status != FINISHED and not stop.is_set:
        max_steps = (1 << 62) if has_started else 0
        work = SLICE if on_progress is None else WATCHED_SLICE
        status, num_logged = run_climb(problem, kernel_options, state, max_steps, work)
        logs.append(state.log[:num_logged].copy())
        if status == NEEDS_SCORES:
            _fill_external(bound, rules, state, memo)
        elif not has_started and not state.is_dirty.any():
            # all families of the start are scored: now the scale of the scores is known
            has_started = True
            local = state.moves.scores.diagonal()
            tolerance = RELATIVE_TOLERANCE * max(1.0, float(np.abs(local).max(initial=0.0)))
            kernel_options = kernel_options._replace(tolerance=tolerance)
            state.totals[DATA] = local.sum()
            state.best_totals[:] = state.totals
            start_score = float(state.totals.sum())
        if on_progress is not None and has_started:
            num_edges = sum(int(row).bit_count() for row in state.graph.parents.ravel())
            on_progress(int(state.counters[STEPS]), float(state.totals.sum()), num_edges)
    if status == FINISHED and np.array_equal(state.best_parents, state.graph.parents):
        state.best_totals[DATA] = state.moves.scores.diagonal().sum()  # no sum of rounded gains
    return ClimbResult(
        adjacency=_adjacency(state.best_parents, len(rules.variables)),
        data_score=float(state.best_totals[DATA]),
        prior_score=float(state.best_totals[PRIOR]),
        start_score=start_score,
        log=np.concatenate([*logs, np.empty((0, 5))]),
        num_truncated_swaps=int(state.counters[TRUNCATIONS]),
        is_interrupted=status != FINISHED,
    )


def _make_state(
    bound: BoundScore, rules: EdgeRules, prior: PairWeights, start: Dag
) -> tuple[Problem, Climb]:
    num_nodes = len(rules.variables)
    words = num_words(num_nodes)
    if isinstance(bound, CountedFamilies):
        rows, rule = bound.rows, bound.rule
    else:
        rows, rule = _no_rows(num_nodes), Rule(0, 1.0, True, 0.0)
    num_pairs = len(prior.pairs)
    beliefs = Beliefs(
        pairs=np.array(prior.pairs, dtype=np.int64),
        log_weights=np.array(prior.log_weights, dtype=np.float64),
        relations=np.empty(num_pairs, np.int64),
        touched=np.empty(num_pairs, np.int64),
        order=start.order.copy(),
        after=np.empty((num_nodes, words), np.uint64),
    )
    graph = Graph(start.parent_words.copy(), start.ancestor_words.copy())
    moves = Moves(
        scores=np.empty((num_nodes, num_nodes)),
        best=np.full(num_nodes, -np.inf),
        best_parent=np.full(num_nodes, -1),
        is_stale=np.ones(num_nodes, np.bool_),
        insert_bound=np.zeros(num_nodes),
        change_bound=np.zeros(num_nodes),
        tied=np.empty((MAX_TIES, 5)),
        turn=np.empty(5),
        last_moved=np.full((num_nodes, num_nodes), -NEVER),
    )
    totals = np.array([0.0, read_relations(beliefs, graph.ancestors)])
    state = Climb(
        graph=graph,
        moves=moves,
        is_dirty=np.ones(num_nodes, np.bool_),
        totals=totals,
        best_parents=graph.parents.copy(),
        best_totals=totals.copy(),
        counters=np.zeros(3, np.int64),
        log=np.empty((num_nodes * num_nodes + 1024, 5)),
        work=make_workspace(rows),
        cache=make_cache(num_nodes, words),
    )
    return Problem(rows, rule, rules.limits(), beliefs), state


def _no_rows(num_nodes: int) -> Rows:
    """Stand-in for the data of a score that the kernels do not count."""
    return Rows(
        codes=np.zeros((num_nodes, 1), np.uint8),
        num_states=np.ones(num_nodes, np.int64),
        size_class=np.zeros(num_nodes, np.int64),
        first_state=np.arange(num_nodes + 1),
        state_rows=np.zeros((num_nodes, 1), np.uint64),
    )


def _fill_external(
    bound: BoundScore,
    rules: EdgeRules,
    state: Climb,
    memo: dict[tuple[int, bytes], NDArray[np.float64]],
) -> None:
    """Score the dirty children's one-parent changes in Python, each parent set once."""
    num_nodes = len(rules.variables)
    for v in np.flatnonzero(state.is_dirty).tolist():
        key = (v, state.graph.parents[v].tobytes())
        if key not in memo:
            memo[key] = _external_column(
                bound, rules, v, _members(state.graph.parents[v], num_nodes)
            )
        state.moves.scores[v] = memo[key]
        state.is_dirty[v] = False
        state.moves.is_stale[v] = True


def _external_column(
    bound: BoundScore, rules: EdgeRules, v: int, parents: Sequence[int]
) -> NDArray[np.float64]:
    column = np.full(len(rules.variables), -np.inf)
    column[v] = bound.local(v, parents)
    for u in parents:
        column[u] = bound.local(v, [p for p in parents if p != u])
    if len(parents) < rules.max_parents:
        for u in np.flatnonzero(~rules.forbidden[:, v]).tolist():
            if u not in parents:
                column[u] = bound.local(v, sorted([*parents, u]))
    return column


def _members(row: Words, num_nodes: int) -> list[int]:
    members: list[int] = np.flatnonzero(unpack_row(row, num_nodes)).tolist()
    return members


def _adjacency(parents: Words, num_nodes: int) -> NDArray[np.bool_]:
    return np.stack([unpack_row(row, num_nodes) for row in parents], axis=1)
