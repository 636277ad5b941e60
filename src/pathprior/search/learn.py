"""`learn`: a Bayesian network's structure from data and beliefs."""

from collections.abc import Iterable
from dataclasses import replace
from math import inf
from time import monotonic

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.statement import Statement
from pathprior.beliefs.testimony import Reliability
from pathprior.counting.expected_parents import AUTO, ExpectedParents
from pathprior.data.door import Tabular, read_dataset
from pathprior.data.gaps import REFUSE
from pathprior.data.interventions import HARD, Interventions
from pathprior.data.kinds import Kinds
from pathprior.graph.dag import Dag
from pathprior.graph.edge_rules import Edge
from pathprior.prior.path_prior import PathPrior
from pathprior.problem.problem import Problem, make_problem
from pathprior.problem.settings import ISOLATE
from pathprior.score.named import AUTO as AUTO_SCORE
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE
from pathprior.score.score import Score
from pathprior.search.choice import candidates, choose_score, with_directions
from pathprior.search.driver import SearchResult
from pathprior.search.failing_sources import warn_of_failing_sources
from pathprior.search.interrupt import ending_by, stop_on_interrupt
from pathprior.search.method import Search, Watch
from pathprior.search.nearly_constant import warn_of_nearly_constant
from pathprior.search.plan import make_plan
from pathprior.search.progress import OnProgress, watching
from pathprior.search.reliability import as_learned
from pathprior.search.result import Fit
from pathprior.search.settings import CLASS, LearnSettings, check_num_jobs
from pathprior.search.steps import read_steps
from pathprior.search.weighed import WeighedScore


def learn(
    data: Tabular,
    beliefs: "Iterable[Belief] | PathPrior | None" = None,
    *,
    statements: Iterable[Statement] = (),
    reliability: Reliability | None = None,
    columns: Iterable[str] | None = None,
    kinds: Kinds | None = None,
    interventions: "Interventions | None" = None,
    interventions_kind: str = HARD,
    missing: str = REFUSE,
    score: str | Score = AUTO_SCORE,
    equivalent_sample_size: float = DEFAULT_SAMPLE_SIZE,
    expected_parents: ExpectedParents = AUTO,
    repair: str = "soft",
    pool: str = "sources",
    search: str = "auto",
    directions: str = CLASS,
    swap_equivalent: bool | None = None,
    max_parents: int | None = None,
    required: Iterable[Edge] = (),
    forbidden: Iterable[Edge] = (),
    tiers: Iterable[Iterable[str]] | None = None,
    constant_columns: str = "isolate",
    start: Dag | None = None,
    tabu: int | None = None,
    shakes: int | None = None,
    restarts: int = 0,
    effort: str = "default",
    time_limit: float | None = None,
    seed: int = 0,
    num_jobs: int = 1,
    progress: bool | OnProgress = False,
) -> Fit:
    """Learn a DAG by steepest ascent: data score plus the path prior of the beliefs.

    The order of the columns has no influence.

    Parameters
    ----------
    data
        A DataFrame of pandas, polars or Dask, an Arrow table, a data set of pyarrow, a path, a
        `Dataset` or a `DataTable`. Numbers with fractions are real, all other values are states.
    beliefs
        Beliefs, to be fitted with `fit_prior`, or a prior fitted before, which brings its base.
        Statements made with `says` may be among them.
    statements
        Further statements, such as those beside a prior.
    reliability
        What is known beforehand of how often a source of statements is right: by its name a and b
        of Beta(a, b), as in ``{"survey": (8, 2)}``; Beta(4, 2) unless given. It is learned along
        with the graph, see `Fit.sources`.
    columns
        The only columns that are used, see `read_dataset`; all unless given.
    kinds
        Columns that are not what they look like: ``{"age": "real"}`` for whole numbers that are
        measured, ``"discrete"`` for fractions that are states.
    interventions
        What was set in each row, by an experiment: the name of a column that says so and is then no
        variable, a sequence, or a table of True and False; see `read_dataset`. Rows in which a
        variable was set are left out of its own family, and equivalent graphs direct alike every
        edge between variables of which some row sets one alone.
    interventions_kind
        ``"hard"``: values were set. ``"soft"``: how they come about was changed; the variable's
        family is then scored in those rows too, apart.
    missing
        What becomes of missing values. ``"refuse"`` makes them an error that counts them. ``"em"``
        draws them from their distribution given the rest of their row, under the network learned so
        far, and learns again, in 30 rounds or more (structural EM): right if what is missing
        depends on what is observed at most. ``"state"`` makes missing a state, ``"drop"`` leaves
        out every row with a missing value. `Fit.missing` says what was done.
    score
        Of states ``"bdeu"``, ``"averaged-bdeu"`` (over sample sizes), ``"families"`` (a full table
        or additive effects, as each family needs), ``"k2"``, ``"bic"``, ``"aic"`` or ``"loglik"``,
        of real numbers ``"bge"``, ``"ranks"`` (BGe of their ranks, whatever their shapes),
        ``"additive"`` (bent functions, noise of any shape), ``"additive-ranks"`` or
        ``"gaussian-bic"`` (with twice the penalty ``"gaussian-bic:2"``), of both ``"mixed"``; or a
        score object such as ``Bde(network)`` or ``GaussianBic(penalty=2)``. ``"auto"`` is BDeu for
        states and mixed for both. Of real columns alone it is the first four's highest evidence,
        see `Fit.weighed`; where a value fills a twentieth of a column, as zeros and counts do,
        ranks; BGe where values are missing or the columns are read from a file anew. The
        log-likelihood needs ``max_parents``: the full graph has the highest.
    equivalent_sample_size
        For BDeu, and for the tables of `Fit.network`.
    expected_parents
        How many parents a variable has on average before anything is believed or seen, see
        `fit_prior`: each edge adds log β to the score. ``"auto"`` is that of a fitted prior, else
        1, or all DAGs alike where these have fewer; None is all DAGs alike.
    repair, pool
        What becomes of beliefs that cannot hold together, and of those of different sources, see
        `fit_prior`; a fitted prior brings both.
    search
        ``"equivalence"`` moves between Markov equivalence classes, each weighed with its member of
        highest prior, and attaches each variable anew before it stops; the score must be
        score-equivalent. ``"greedy"`` is the paper's hill climbing over DAGs: it stops where no
        insertion, removal or reversal gains. ``"turning"`` goes on: a covered edge is turned there,
        which costs a score-equivalent score nothing, if a move that gains opens up. ``"guided"``
        does so from what searches over classes find too, by BDeu if the score is families, and from
        disturbances of the best.
        ``"auto"`` is ``"equivalence"`` with BDeu, BIC, AIC and the scores of real numbers unless
        ``swap_equivalent`` is False, ``"guided"`` with families and ``"turning"`` otherwise.
        ``"exact"`` then weighs all graphs on up to 25 variables; 20 take seconds, 25 minutes and 4
        GB. So does ``"auto"`` where that takes about a second. On up to 62 variables it proves what
        it can in ten minutes and 1 GB, of graphs with as many parents as these leave room for, see
        `Fit.optimality`.
    directions
        Who chooses among equivalent graphs where the score tells them apart, as families, K2 and
        most scores in Python do. ``"class"``: the score finds the class, which counts as its best
        member does; beliefs and statements choose the member, or prefer another class. ``"data"``:
        the score, beside beliefs. With BDeu, BIC, AIC and other scores that are equal for
        equivalent graphs there is nothing to choose for data.
    swap_equivalent
        After each step go to the Markov-equivalent graph with the highest prior (paper, §7). By
        default with beliefs and a score-equivalent score.
    max_parents
        Largest number of parents of a variable.
    required, forbidden
        Edges (parent, child) that must, or may not, be in the graph.
    tiers
        Lists of variables, first to last; no edge goes from a later to an earlier tier. Variables
        in no tier are free, so that a path through one may still lead back: a warning says where.
        With every variable in a tier no path leads back either.
    constant_columns
        Of columns with the same value in all rows: ``"isolate"`` gives them no edges, and warns;
        ``"keep"`` treats them as any other. Edges at such a column cost nothing, so that a path
        through it makes a belief hold without evidence.
    start
        The graph to start from; otherwise the required edges, and what hard beliefs need.
    tabu
        Length of the tabu list: a moved edge rests for so many steps unless moving it gives a new
        best graph, the best move is taken even if it loses, and the search stops after so many
        steps without a new best graph. By default 0, and 25 where ``search`` is
        ``"equivalence"``, which walks so before it attaches variables anew. At most 1000.
    shakes
        The search over classes goes on from random disturbances of the best class until so many in
        a row came to nothing. By default 200 with up to 20 variables, beyond that three quarters of
        their number, and at most 75; none where missing cells are drawn, or with a score in Python.
        They end sooner beyond 20 variables once they took as long as the search before them, and
        below with beliefs after about half a second. A guided search disturbs its best graph until
        50 in a row came to nothing, 500 if ``effort`` is ``"thorough"``, none if ``"quick"``. Who
        gives a number leaves ``effort`` out.
    restarts
        Number of further climbs from random disturbances of the first optimum; where missing cells
        are drawn, of that of the round which is kept. They come after what ``effort`` asks for.
    effort
        How long the search over classes goes on after that: ``"quick"`` not at all, ``"default"``
        until five searches from random graphs ended at the best class again, or for about two
        seconds with 40 variables and four with 80 to 150; beyond that it does not. ``"thorough"``
        until twenty did, or ten times as long.
    time_limit
        Seconds after which the best graph so far is returned, whatever is left to do; ``effort`` is
        then no limit, unless it is ``"quick"``. What is found depends on the machine. Not counted
        are reading the data and fitting the beliefs.
    seed
        For shakes and restarts, for fitting the beliefs and for drawing missing cells.
    num_jobs
        Restarts at a time, no more than there are processors; −1 for as many. Also for the beliefs,
        see `fit_prior`.
    progress
        Show a live line on standard error, or call this with step, score and number of edges.

    Raises
    ------
    SearchError
        If options or constraints contradict each other, or a hard belief cannot be kept.

    Warns
    -----
    PathPriorWarning
        If columns are constant, if the rules leave no graph in which some belief holds, or a path
        back to an earlier tier, or if a belief holds only through columns in which at most two rows
        differ from all others.

    Notes
    -----
    Ctrl-C ends the search at the next safe point and returns the best graph so far.
    """
    settings = LearnSettings.take(locals())
    check_num_jobs(num_jobs)
    dataset = read_dataset(data, **settings.reading | {"interventions": interventions})
    problem = make_problem(
        dataset,
        beliefs,
        settings,
        score=score,
        statements=statements,
        start=start,
        num_jobs=num_jobs,
    )
    return learn_on(problem, settings, num_jobs=num_jobs, progress=progress)


def learn_on(
    problem: Problem,
    settings: LearnSettings,
    *,
    method: Search | None = None,
    num_jobs: int = 1,
    progress: bool | OnProgress = False,
) -> Fit:
    """Search for the best graph of a problem, as `learn` does when it has read the data.

    By ``method``, if there is one, in place of what the settings say.
    """
    problem = with_directions(problem, settings)
    plan, known, weighed = make_plan(problem, settings), None, tuple[WeighedScore, ...]()
    names, limit = candidates(problem, settings), settings.time_limit
    with (
        ending_by(inf if limit is None else monotonic() + limit),
        stop_on_interrupt() as stop,
        watching(progress) as on_progress,
    ):
        watch = Watch(stop, on_progress)
        if names and method is None:
            choice = choose_score(problem, settings, names, watch)
            problem, plan, known = choice.problem, choice.plan, choice.result
            weighed = choice.weighed
        method = method or plan.method(problem, num_jobs=num_jobs, known=known)
        result = method.run(problem, watch)
    fit = replace(_make_fit(result, method, settings, plan.resolved), weighed=weighed)
    if settings.constant_columns == ISOLATE:
        warn_of_nearly_constant(fit)
    warn_of_failing_sources(fit)
    return fit


def _make_fit(
    result: SearchResult, method: Search, settings: LearnSettings, resolved: LearnSettings
) -> Fit:
    problem = result.problem
    assert problem is not None  # every method says what its result is one of
    names = problem.rules.variables
    dag = Dag(names, result.adjacency)
    return Fit(
        dag=dag.reorder(problem.data.variables),
        data_score=result.data_score,
        prior_score=result.prior_score,
        steps=read_steps(result, names),
        stopped_because=result.reason,
        num_truncated_swaps=result.num_truncated_swaps,
        method=method,
        settings=settings,
        resolved=replace(resolved, start=problem.start.edges),
        problem=as_learned(problem, dag),
        rounds=result.rounds,
        bound=result.bound,
        bound_parents=result.bound_parents,
        num_searches=result.num_searches,
        found_again=result.found_again,
    )
