"""Search over Markov equivalence classes: the state of `kernels.classes`, ready to be driven."""

import warnings

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import PathPriorWarning
from pathprior.graph.bitset import pack_rows
from pathprior.graph.dag import Dag
from pathprior.graph.tie import ALL_TIES, EDGES
from pathprior.kernels.classes.climb import STEP_ROOM, run_class_climb
from pathprior.kernels.classes.rare import bind_rare
from pathprior.kernels.classes.state import (
    BEST,
    NUM_MOVES,
    NUM_SETS,
    TALLY,
    TRIED,
    TRYING,
    UNSCORED,
    ClassClimb,
    ClassProblem,
    Place,
    Ranking,
    Reach,
    Scratch,
)
from pathprior.kernels.data.columns import READY, Columns
from pathprior.kernels.graph.ancestors import UNRELATED, Words
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.kernels.records import make_record, make_records
from pathprior.kernels.steps import STEP
from pathprior.problem.problem import Problem
from pathprior.search.driver import (
    RELATIVE_TOLERANCE,
    SearchOptions,
    SearchResult,
    SearchRun,
    drive,
    words_of,
)
from pathprior.search.interrupt import StopRequest
from pathprior.search.progress import OnProgress

MAX_CLIQUES = 4096
"""Cliques looked at among the neighbours of one variable; smaller ones come first."""
NUM_VISITED_PLACES = 1 << 12
"""Places for marks of visited classes, a power of two; no more are kept than half of it."""


DEFAULT_TABU = 25
"""Length of the tabu list."""
FEW_NODES = 20
"""Of up to so many variables all are disturbed at a time, see `pathprior.kernels.classes.shake`."""
SHAKEN_NODES = 8
"""Of more variables so many, which lie close together."""
MOST_SHAKES = 10
"""Disturbances in all, for each that may come to nothing: a few are enough to get on."""


class CliqueLimitWarning(PathPriorWarning):
    """Some moves were not looked at, because a variable had too many cliques of neighbours."""


def search_classes(
    problem: Problem,
    options: SearchOptions,
    stop: StopRequest,
    on_progress: OnProgress | None = None,
) -> SearchResult:
    """Search from the class of the start; see `pathprior.kernels.classes.climb`.

    The graph of the result is a DAG of the best class: of highest prior, and within the rules.
    """
    run = ClassRun(problem, options)
    result = drive(run, stop, on_progress)
    warn_of_cliques(run, run.state.tally.num_cut)
    return result


def warn_of_cliques(run: "ClassRun", num_cut: int) -> None:
    """Warn if some lists of cliques were cut short."""
    if num_cut:
        warnings.warn(
            f"some variable had more than {len(run.state.scratch.cliques)} cliques among its "
            "neighbours; only the smaller ones were looked at, so a better move may have been "
            "missed: set max_parents",
            CliqueLimitWarning,
            stacklevel=4,
        )


class ClassRun(SearchRun):
    """A search over classes under way."""

    state: ClassClimb

    def __init__(
        self, problem: Problem, options: SearchOptions, columns: Columns | None = None
    ) -> None:
        rules, prior = problem.rules, problem.weights
        num_nodes = len(rules.variables)
        self.step_room = STEP_ROOM * num_nodes
        joined, parted = certain_neighbours(prior, num_nodes)
        must_part = pack_rows((rules.forbidden & rules.forbidden.T) | parted)
        super().__init__(problem, must_part, columns)
        # a pair needs two columns for each clique, and they must fit into the cache together
        max_cliques = min(MAX_CLIQUES, len(self.columns.cache.children) // 4)
        self.state = _make_state(problem.start, len(prior.pairs), max_cliques, options.seed)
        forbidden, cut = pack_rows(rules.forbidden.T), pack_rows(problem.cut)
        is_limited = int(rules.forbidden.sum()) > num_nodes or rules.max_parents < num_nodes - 1
        self.fixed = ClassProblem(
            forbidden=forbidden,
            must_join=pack_rows(rules.required | rules.required.T | joined),
            must_part=must_part,
            max_parents=rules.max_parents,
            tolerance=0.0,
            tabu=options.tabu,
            shaken=num_nodes if num_nodes <= FEW_NODES else SHAKEN_NODES,
            max_vain=options.shakes,
            max_shakes=MOST_SHAKES * options.shakes,
            is_rationed=num_nodes > FEW_NODES,
            has_beliefs=len(prior.pairs) > 0,
            has_cut=bool(problem.cut.any()),
            is_limited=is_limited,
            rare=bind_rare(prior, forbidden, cut, self.state, options.swap_budget, is_limited),
        )

    def advance(self, max_work: int) -> int:
        """Go on searching."""
        return run_class_climb(self.columns, self.fixed, self.state, max_work)

    def begin(self) -> None:
        """The class of the start is scored."""
        tolerance = RELATIVE_TOLERANCE * max(1.0, abs(float(self.state.tally.data_score)))
        self.fixed = self.fixed._replace(tolerance=tolerance)

    @property
    def parents(self) -> Words:
        """A DAG of the present class."""
        return self.state.here.parents

    @property
    def best_parents(self) -> Words:
        """A DAG of the best class so far."""
        return self.state.best_parents

    @property
    def num_logged(self) -> int:
        """Steps up to the best class."""
        return int(self.state.tally.best_logged)


def default_shakes(num_nodes: int) -> int:
    """How many disturbances in a row may come to nothing, where nobody says."""
    return 200 if num_nodes <= FEW_NODES else min(3 * num_nodes // 4, 75)


def certain_neighbours(
    prior: GraphPrior, num_nodes: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Who must be adjacent and who may not be, by hard beliefs about edges."""
    joined, parted = np.zeros((2, num_nodes, num_nodes), dtype=bool)
    never = np.isneginf(prior.log_weights)
    for (x, y), ties in zip(prior.pairs.tolist(), never, strict=True):
        joined[x, y] = joined[y, x] = ties[sorted(ALL_TIES - EDGES)].all()
        parted[x, y] = parted[y, x] = ties[sorted(EDGES)].all()
    return joined, parted


def _make_state(start: Dag, num_pairs: int, max_cliques: int, seed: int) -> ClassClimb:
    """The state before the first slice: at the empty graph, with the start on trial."""
    n = start.num_nodes
    tally = make_record(TALLY)
    tally.entry = READY
    everyone = pack_rows(np.ones((1, n), np.bool_))
    sets = words_of(n, NUM_SETS)
    sets[[TRIED, BEST, UNSCORED]] = everyone
    return ClassClimb(
        here=Place(words_of(n, 4, n), words_of(n, n), words_of(n, n)),
        reach=Reach(
            pack_rows(np.eye(n, dtype=np.bool_)), words_of(n, n), np.full(num_pairs, UNRELATED)
        ),
        ranking=Ranking(
            stale=np.full(n, 2),
            bounds=np.empty((NUM_MOVES, n, n)),
            unranked=np.repeat(everyone, NUM_MOVES, axis=0),
            top_best=np.full((NUM_MOVES, n), -np.inf),
            top_parent=np.full((NUM_MOVES, n), -1),
            lowered=words_of(n, NUM_MOVES),
            row_best=np.empty((NUM_MOVES, n)),
            row_parent=np.empty((NUM_MOVES, n), np.int64),
            block_best=np.empty((NUM_MOVES, everyone.shape[1])),
            slack=np.zeros((NUM_MOVES, n)),
            barred=pack_rows(np.eye(n, dtype=np.bool_)),
            resting=words_of(n, n),
        ),
        trial=Place(words_of(n, 4, n), start.parent_words.copy(), words_of(n, n)),
        tally=tally,
        trying=make_record(TRYING),
        found=make_record(STEP),
        found_parents=words_of(n, n),
        best_parents=words_of(n, n),
        log=make_records(4 * STEP_ROOM * n + 1024, STEP),
        sets=sets,
        family_scores=np.empty(n),
        marks=np.zeros(n, np.uint64),
        visited=np.zeros(NUM_VISITED_PLACES, np.uint64),
        scratch=Scratch(
            family=words_of(n),
            allowed=words_of(n),
            cliques=words_of(n, max_cliques),
            column=np.empty(n),
            order=np.empty(n, np.int64),
            trail=np.empty((n * n, 2), np.int64),
            codes=np.empty(num_pairs, np.int64),
            random=np.array(np.random.SeedSequence(seed).generate_state(4, np.uint64), np.uint64),
        ),
    )
