"""`sample_posterior`: graphs weighed by how probable data and beliefs make them."""

from collections.abc import Iterable
from dataclasses import replace
from os import PathLike
from time import monotonic

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.statement import Statement
from pathprior.beliefs.testimony import Reliability
from pathprior.counting.expected_parents import AUTO, ExpectedParents
from pathprior.data.door import Tabular, read_dataset
from pathprior.data.gaps import REFUSE
from pathprior.data.interventions import HARD, Interventions
from pathprior.data.kinds import Kinds
from pathprior.errors import PosteriorError
from pathprior.graph.edge_rules import Edge
from pathprior.posterior.posterior import Posterior
from pathprior.posterior.sampling import sample_problem
from pathprior.posterior.settings import EXACT, PosteriorSettings
from pathprior.prior.path_prior import PathPrior
from pathprior.problem.problem import Problem, make_problem
from pathprior.problem.unseen_edges import AUTO as AUTO_UNSEEN
from pathprior.score.named import AUTO as AUTO_SCORE
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE
from pathprior.score.score import Score
from pathprior.search.interrupt import ending_by
from pathprior.search.learn import learn_on
from pathprior.search.progress import OnProgress
from pathprior.search.settings import LearnSettings, check_num_jobs
from pathprior.search.stop_reason import StopReason

LEARNING = 0.4
"""Share of the time limit in which the chains get their start."""
CUT_SEARCH = (
    "The search for the graph that the chains start from was cut off, so that they are not kept to "
    "go on from."
)


def sample_posterior(
    data: Tabular,
    beliefs: "Iterable[Belief] | PathPrior | None" = None,
    *,
    statements: Iterable[Statement] = (),
    reliability: Reliability | None = None,
    expected_parents: ExpectedParents = AUTO,
    repair: str = "soft",
    pool: str = "sources",
    columns: Iterable[str] | None = None,
    kinds: Kinds | None = None,
    interventions: "Interventions | None" = None,
    interventions_kind: str = HARD,
    missing: str = REFUSE,
    score: str | Score = AUTO_SCORE,
    equivalent_sample_size: float = DEFAULT_SAMPLE_SIZE,
    unseen: float | str = AUTO_UNSEEN,
    max_parents: int | None = None,
    required: Iterable[Edge] = (),
    forbidden: Iterable[Edge] = (),
    tiers: Iterable[Iterable[str]] | None = None,
    constant_columns: str = "isolate",
    method: str = "auto",
    num_chains: int = 4,
    precision: float = 0.02,
    time_limit: float = 600.0,
    num_jobs: int = 1,
    seed: int = 0,
    progress: bool | OnProgress = False,
    checkpoint: str | PathLike[str] | None = None,
    fixed: Iterable[str] | None = None,
) -> Posterior:
    """Weigh graphs by P(G | data, beliefs) ∝ exp(data score) · β^edges · Π_k λ_k(relation of k).

    Where `learn` gives the best graph, this gives the probability of every edge and path. The
    order of the columns has no influence.

    Parameters
    ----------
    data, beliefs, statements, reliability, expected_parents, repair, pool, columns, kinds, \
    interventions, interventions_kind, missing, score, equivalent_sample_size
        As in `learn`; reliabilities are drawn along with the graphs, see `Posterior.sources`. Every
        score is read as a log marginal likelihood, which BDeu, BDe, K2 and BGe are; BIC is close to
        one. ``"auto"`` is BDeu averaged over sample sizes for states, whose probabilities are worth
        more than BDeu's, BGe for real columns, and ranks where a value fills a twentieth of one;
        additive scores take part if they are named. With ``missing="em"`` missing cells are drawn
        along with the graphs, so that probabilities are those given what was observed; BDeu, K2,
        BGe and, closely, families and the mixed score can do so.
    unseen
        Share of edges that have no visible effect in these rows, each by itself: that the rows show
        nothing then lowers the odds of an edge, the others given, by a factor of 1 / ``unseen`` at
        most. ``"auto"`` is 0.1 where there are beliefs and all columns hold states, otherwise 0.
    max_parents, required, forbidden, tiers, constant_columns
        As in `learn`: graphs that break a rule have probability 0, all others count, those too in
        which a path leads to an earlier tier through a variable without a tier.
    method
        ``"exact"`` weighs every graph, for up to five variables; ``"chains"`` draws graphs by
        Markov chains; ``"auto"`` is the former where it can be.
    num_chains
        Chains, each with a start of its own.
    precision
        Sampling ends when every edge, path and belief has a Monte Carlo standard error of at most
        this, and an R-hat of at most 1.01.
    time_limit
        Seconds after which it ends in any case, with a warning of what has not settled. They count
        from the call on; `Posterior.left_out` says what there was no time for. Beliefs that are yet
        to be fitted may take longer: `fit_prior` has a limit of its own.
    num_jobs
        Chains at a time; −1 for as many as there are processors. It does not change the result.
    seed
        For the chains and for fitting the beliefs.
    progress
        Show a live line on standard error, or call this, as in `learn`.
    checkpoint
        A file in which chains keep where they are, now and then and at the end. Called again with
        the same data, beliefs, rules, score, ``num_chains`` and ``seed`` they go on from there, and
        give what they would have given in one go. Only arrays and text are in it.
    fixed
        Variables that no experiment can set, such as age: `Posterior.ask_next` and reports never
        propose to. Unless given they are those of the first tier; an empty list says that all can
        be set.

    Raises
    ------
    PosteriorError
        If an option cannot have its value, there are too many variables for the method, or the
        checkpoint is another file or cannot be written.
    SearchError
        If rules contradict each other, or a hard belief cannot be kept.

    Notes
    -----
    Ctrl-C ends sampling at the next safe point and returns what there is, with a warning.

    Examples
    --------
    >>> import pathprior as pp
    >>> data = pp.load_network("asia").sample(500, seed=0)[["smoke", "lung", "bronc"]]
    >>> posterior = pp.sample_posterior(data, [pp.causes("smoke", "lung", 0.9)])
    >>> round(posterior.probability("smoke", "causes", "lung"), 3)
    0.962
    """
    settings = PosteriorSettings.take(locals())
    check_num_jobs(num_jobs, PosteriorError)
    begin = monotonic()
    dataset = read_dataset(data, **settings.reading | {"interventions": interventions})
    settings.fixed_among(dataset.variables, ())  # a name that is not there is refused at once
    has_gaps = dataset.observed is not None
    settings.method_for(len(dataset.variables), has_gaps=has_gaps)
    problem = make_problem(
        dataset, beliefs, settings, score=score, statements=statements, num_jobs=num_jobs
    )
    return sample_from(
        problem,
        settings,
        begin=begin,
        num_jobs=num_jobs,
        progress=progress,
        checkpoint=checkpoint,
    )


def sample_from(
    problem: Problem,
    settings: PosteriorSettings,
    *,
    begin: float | None = None,
    num_jobs: int = 1,
    progress: bool | OnProgress = False,
    checkpoint: str | PathLike[str] | None = None,
) -> Posterior:
    """Weigh the graphs of a problem, as `sample_posterior` does when it has read the data.

    The time limit counts from ``begin``, a reading of `monotonic`, or from now on.
    """
    begin = monotonic() if begin is None else begin
    start, is_interrupted, left_out = problem.start, False, tuple[str, ...]()
    has_gaps = problem.data.imputed is not None
    if settings.method_for(problem.data.num_variables, has_gaps=has_gaps) != EXACT:
        with ending_by(begin + LEARNING * settings.time_limit):
            # not additive: directions that shapes alone tell would be certain
            usual = replace(settings.shared_with(LearnSettings), score=problem.score_name)
            fit = learn_on(problem, usual, num_jobs=num_jobs, progress=progress)
        problem, start = fit.problem, fit.dag
        is_interrupted = fit.stopped_because is StopReason.INTERRUPTED
        left_out = (CUT_SEARCH,) if fit.stopped_because is StopReason.OUT_OF_TIME else ()
    with ending_by(begin + settings.time_limit):
        return sample_problem(
            problem,
            start,
            settings,
            num_jobs=num_jobs,
            progress=progress,
            checkpoint=checkpoint,
            is_interrupted=is_interrupted,
            left_out=left_out,
        )
