"""`learn`: a Bayesian network's structure from data and beliefs."""

from collections.abc import Iterable
from contextlib import nullcontext

import numpy as np

from pathprior.beliefs.belief import Belief
from pathprior.data.coding import Tabular, code_table
from pathprior.data.table import DataTable
from pathprior.errors import SearchError
from pathprior.graph.dag import Dag, require_same_nodes
from pathprior.kernels.classes.climb import DETACH
from pathprior.kernels.graph.graph_state import SWAP
from pathprior.prior.fit import fit_prior
from pathprior.prior.path_prior import PathPrior
from pathprior.score.local import LocalScore
from pathprior.score.named import make_score
from pathprior.search.class_search import (
    DEFAULT_TABU,
    default_search,
    require_equivalence,
    search_classes,
)
from pathprior.search.climber import ClimbOptions, ClimbResult, PairWeights, climb
from pathprior.search.edge_rules import Edge, make_edge_rules
from pathprior.search.interrupt import stop_on_interrupt
from pathprior.search.progress import progress_line
from pathprior.search.restarts import climb_again
from pathprior.search.result import Fit, Move, Step, StopReason
from pathprior.search.settings import LearnSettings
from pathprior.search.start import find_start, require_hard_beliefs
from pathprior.search.swap import DEFAULT_BUDGET

MAX_COUNT = 10**6
"""Longest tabu list and most restarts: beyond it a search would not end."""

SEARCHES = ("auto", "equivalence", "turning", "greedy")


def learn(
    data: Tabular,
    beliefs: "Iterable[Belief] | PathPrior | None" = None,
    *,
    score: str | LocalScore = "bdeu",
    equivalent_sample_size: float = 1.0,
    search: str = "auto",
    swap_equivalent: bool | None = None,
    max_parents: int | None = None,
    required: Iterable[Edge] = (),
    forbidden: Iterable[Edge] = (),
    tiers: Iterable[Iterable[str]] | None = None,
    start: Dag | None = None,
    tabu: int | None = None,
    restarts: int = 0,
    seed: int = 0,
    num_jobs: int = 1,
    progress: bool = False,
) -> Fit:
    """Learn a DAG by steepest ascent: data score plus the path prior of the beliefs.

    The order of the columns has no influence.

    Parameters
    ----------
    data
        A DataFrame of pandas or polars, an Arrow table, a path or a `DataTable`; discrete and
        complete.
    beliefs
        Beliefs, to be fitted with `fit_prior`, or a prior fitted before.
    score
        ``"bdeu"``, ``"k2"``, ``"bic"``, ``"aic"``, ``"loglik"``, or a score object such as
        ``Bde(network)``.
    equivalent_sample_size
        For BDeu, and for the tables of `Fit.network`.
    search
        ``"equivalence"`` moves between Markov equivalence classes, each weighed with its member of
        highest prior, and attaches each variable anew before it stops; the score must be
        score-equivalent. ``"greedy"`` is the paper's hill climbing over DAGs: it stops where no
        insertion, removal or reversal gains. ``"turning"`` goes on: a covered edge is turned there,
        which costs a score-equivalent score nothing, if a move that gains opens up. ``"auto"`` is
        ``"equivalence"`` with BDeu, BIC and AIC unless ``swap_equivalent`` is False, and
        ``"turning"`` otherwise.
    swap_equivalent
        After each step go to the Markov-equivalent graph with the highest prior (paper, §7). By
        default with beliefs and a score-equivalent score.
    max_parents
        Largest number of parents of a variable.
    required, forbidden
        Edges (parent, child) that must, or may not, be in the graph.
    tiers
        Lists of variables, first to last; no edge goes from a later to an earlier tier. Variables
        in no tier are free.
    start
        The graph to start from; otherwise the required edges, and what hard beliefs need.
    tabu
        Length of the tabu list: a moved edge rests for so many steps unless moving it gives a new
        best graph, the best move is taken even if it loses, and the search stops after so many
        steps without a new best graph. By default 0, and 25 where ``search`` is
        ``"equivalence"``, which walks so before it attaches variables anew.
    restarts
        Number of further climbs from random disturbances of the first optimum.
    seed
        For the restarts and for fitting the beliefs.
    num_jobs
        Restarts at a time, no more than there are processors; −1 for as many.
    progress
        Show a live line on standard error.

    Raises
    ------
    SearchError
        If options or constraints contradict each other, or a hard belief cannot be kept.

    Notes
    -----
    Ctrl-C ends the search at the next safe point and returns the best graph so far.
    """
    local_score = make_score(score, equivalent_sample_size=equivalent_sample_size)
    if search not in SEARCHES:
        raise SearchError(f"unknown search {search!r}: choose one of {', '.join(SEARCHES)}")
    if search == "auto":
        search = default_search(local_score, swap_equivalent)
    if tabu is None:
        tabu = DEFAULT_TABU if search == "equivalence" else 0
    _require_counts(tabu=tabu, restarts=restarts, seed=seed)
    for name, value in (("tabu", tabu), ("restarts", restarts)):
        if value > MAX_COUNT:
            raise SearchError(f"{name} must be at most {MAX_COUNT}, not {value}")
    if not isinstance(num_jobs, int | np.integer) or num_jobs == 0:
        raise SearchError(
            f"num_jobs is {num_jobs!r}; give a number of threads, or −1 for all processors"
        )
    if search == "equivalence":
        require_equivalence(local_score, swap_equivalent)
    run = search_classes if search == "equivalence" else climb
    # iterables may be read only once; a text for a tier is refused below
    required, forbidden = tuple(required), tuple(forbidden)
    tiers = [tier if isinstance(tier, str) else tuple(tier) for tier in tiers or ()]
    table = code_table(data)
    prior = _fit(beliefs, table, seed)
    by_name = by_name_order(table)
    rules = make_edge_rules(
        by_name.variables,
        required=required,
        forbidden=forbidden,
        tiers=tiers,
        max_parents=max_parents,
    )
    weights = _pair_weights(prior, by_name)
    options = ClimbOptions(
        tabu=tabu,
        swap_budget=_swap_budget(swap_equivalent, prior, local_score),
        is_turning=search == "turning" and tabu == 0,
    )
    if start is None:
        first_dag = find_start(rules, weights.pairs, weights.log_weights)
    else:
        if not isinstance(start, Dag):
            raise SearchError(f"start must be a Dag, not {start!r}: make one with Dag.from_edges")
        require_same_nodes(start.nodes, by_name.variables, owners=("the start graph", "the data"))
        first_dag = start.reorder(by_name.variables)
        rules.require(first_dag)
        require_hard_beliefs(first_dag, weights.pairs, weights.log_weights)
    bound = local_score.bind(by_name)
    with (
        stop_on_interrupt() as stop,
        progress_line() if progress else nullcontext() as on_progress,
    ):
        result = run(bound, rules, weights, first_dag, options, stop, on_progress)
        if restarts and not stop.is_set:
            result = climb_again(
                run,
                bound,
                rules,
                weights,
                result,
                options,
                stop,
                restarts=restarts,
                seed=seed,
                num_jobs=num_jobs,
            )
        is_interrupted = stop.is_set
    return Fit(
        dag=Dag(by_name.variables, result.adjacency).reorder(table.variables),
        data_score=result.data_score,
        prior_score=result.prior_score,
        steps=_steps(result, by_name.variables),
        stopped_because=_reason(search, options, is_interrupted),
        num_truncated_swaps=result.num_truncated_swaps,
        settings=LearnSettings(
            score=score if isinstance(score, str) else repr(score),
            equivalent_sample_size=equivalent_sample_size,
            search=search,
            swap_equivalent=swap_equivalent,
            max_parents=max_parents,
            required=required,
            forbidden=forbidden,
            tiers=tuple(tuple(tier) for tier in tiers),
            start=None if start is None else start.edges,
            tabu=tabu,
            restarts=restarts,
            seed=seed,
        ),
        _table=table,
        _prior=prior,
        _score=local_score,
    )


def by_name_order(table: DataTable) -> DataTable:
    """The table with its columns in the order of their names, so that theirs cannot matter."""
    order = sorted(range(table.num_variables), key=lambda v: table.variables[v])
    if order == list(range(table.num_variables)):
        return table
    return DataTable(
        tuple(table.variables[v] for v in order),
        table.codes[order],
        tuple(table.states[v] for v in order),
    )


def _require_counts(**options: int) -> None:
    for name, value in options.items():
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
            raise SearchError(f"{name} must be a whole number of at least 0, not {value!r}")


def _fit(
    beliefs: "Iterable[Belief] | PathPrior | None", table: DataTable, seed: int
) -> PathPrior | None:
    if beliefs is None:
        return None
    if isinstance(beliefs, PathPrior):
        require_same_nodes(beliefs.variables, table.variables, owners=("the prior", "the data"))
        return beliefs
    return fit_prior(beliefs, table.variables, seed=seed)


def _pair_weights(prior: PathPrior | None, table: DataTable) -> PairWeights:
    if prior is None:
        return PairWeights(np.empty((0, 2), np.int64), np.empty((0, 4)))
    position = {name: v for v, name in enumerate(table.variables)}
    place = np.array([position[name] for name in prior.variables], dtype=np.int64)
    return PairWeights(place[prior.pairs].reshape(-1, 2), prior.log_weights)


def _swap_budget(swap_equivalent: bool | None, prior: PathPrior | None, score: LocalScore) -> int:
    if swap_equivalent and not score.is_score_equivalent:
        raise SearchError(
            "swap_equivalent=True needs a score that is equal for Markov-equivalent graphs, which "
            f"{type(score).__name__} is not: use BDeu, BDe, BIC or AIC, or swap_equivalent=False"
        )
    if swap_equivalent is None:
        swap_equivalent = score.is_score_equivalent
    return DEFAULT_BUDGET if swap_equivalent and prior is not None and len(prior.pairs) else 0


def _reason(search: str, options: ClimbOptions, is_interrupted: bool) -> StopReason:
    if is_interrupted:
        return StopReason.INTERRUPTED
    if search == "equivalence":
        return StopReason.CLASS_OPTIMUM
    if options.tabu:
        return StopReason.TABU
    return StopReason.PLATEAU if options.is_turning else StopReason.LOCAL_OPTIMUM


def _steps(result: ClimbResult, names: tuple[str, ...]) -> tuple[Step, ...]:
    """Read the kernels' log; the edges of one swap, and of a detached variable, are consecutive."""
    moves = tuple(Move)
    steps: list[Step] = []
    score = result.start_score
    last_code = -1
    for code, u, v, data_gain, prior_gain in result.log.tolist():
        edge = (names[int(u)], names[int(v)])
        score += data_gain + prior_gain
        if code == last_code and code in (SWAP, DETACH):
            last = steps.pop()
            edges, data_gain = (*last.edges, edge), last.data_gain + data_gain
            steps.append(Step(last.move, edges, data_gain, last.prior_gain + prior_gain, score))
        else:
            move = Move.REMOVE if code == DETACH else moves[int(code)]
            steps.append(Step(move, (edge,), data_gain, prior_gain, score))
        last_code = code
    return tuple(steps)
