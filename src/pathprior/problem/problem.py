"""`Problem`: everything that is fixed before a search or a sampler starts, built in one place."""

import warnings
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from math import log

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.beliefs.repeated import count_once
from pathprior.beliefs.statement import Statement, split_statements
from pathprior.beliefs.testimony import Reliability, Testimony, make_testimony
from pathprior.counting.progress import Progress, silent
from pathprior.data.dataset import Dataset
from pathprior.data.strata import cut_pairs
from pathprior.errors import PathPriorWarning, SearchError
from pathprior.graph.dag import Dag, require_same_nodes
from pathprior.graph.edge_rules import EdgeRules, make_edge_rules
from pathprior.graph.tie import ALL_TIES, Tie
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.prior.constraints import find_pair
from pathprior.prior.fit import fit_prior
from pathprior.prior.path_prior import PathPrior
from pathprior.problem.complete import complete
from pathprior.problem.constant import (
    constant_names,
    unexplained_names,
    warn_of_constant,
    warn_of_unexplained,
)
from pathprior.problem.pair_codes import breaks_belief, graph_of
from pathprior.problem.paths_back import warn_of_paths_back
from pathprior.problem.possible import warn_of_excluded_beliefs
from pathprior.problem.same_rules import require_same_rules
from pathprior.problem.settings import ISOLATE, ProblemSettings
from pathprior.problem.start import find_start, require_hard_beliefs
from pathprior.problem.statement_weights import StatementWeights, no_statements, weigh_statements
from pathprior.score.named import make_score, pick_score
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE
from pathprior.score.score import Score, Scorer

WEB_SECONDS = 600.0
"""Seconds for each web of beliefs, as of `fit_prior`."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What to learn from, by what, and within which rules.

    Everything but ``data`` has the variables in the order of their names, so that the order of the
    columns has no influence.

    Attributes
    ----------
    data
        The data, their columns as given.
    prior
        The fitted prior; without beliefs the base measure alone.
    score, scorer
        The score, and the same bound to the data.
    weights
        The prior as the kernels read it; with what statements say at one reliability of each
        source.
    rules
        Edges that must or may not be.
    start
        A graph that keeps the rules and every hard belief.
    heard
        What sources say without a probability, on the pairs of ``weights``; None if nobody does,
        which `statements` spares everybody else to ask.
    score_name
        What the score is called.
    prior_rows
        How many rows the prior on parameters is worth: what the score says, or was asked for.
    is_by_class
        Whether a search compares classes, as the score tells their members apart and is not to
        choose among them.
    """

    data: Dataset
    prior: PathPrior
    score: Score
    scorer: Scorer
    weights: GraphPrior
    rules: EdgeRules
    start: Dag
    heard: StatementWeights | None = None
    score_name: str = ""
    prior_rows: float = DEFAULT_SAMPLE_SIZE
    is_by_class: bool = False

    def given(self, data: Dataset) -> "Problem":
        """The same on other data, such as other values of the cells that are drawn."""
        with warnings.catch_warnings():
            # what there is to say of the columns was said when the problem was made
            warnings.simplefilter("ignore", PathPriorWarning)
            scorer = self.score.bind(data.select(self.rules.variables))
        return replace(self, data=data.select(self.data.variables), scorer=scorer)

    def within(
        self, x: str, ties: Collection[Tie], y: str, *, start: Dag | None = None
    ) -> "Problem":
        """The same among the graphs in which two variables have one of ``ties``, as of an event.

        It starts from ``start`` where that is one of them. `UndecidedError` if none was found in
        time, another `SearchError` if there is none.
        """
        variables, weights = self.rules.variables, self.weights
        ends = variables.index(x), variables.index(y)
        found = find_pair(weights.pairs, *ends)
        if found is None:
            found = len(weights.pairs), False
            weights = weights._replace(
                pairs=np.vstack([weights.pairs, [ends]]),
                log_weights=np.vstack([weights.log_weights, np.zeros(len(Tie))]),
            )
        pair, is_reversed = found
        kept = {tie.reverse for tie in ties} if is_reversed else set(ties)
        log_weights = weights.log_weights.copy()
        log_weights[pair, sorted(ALL_TIES - kept)] = -np.inf
        weights = weights._replace(log_weights=log_weights)
        first = (start or self.start).reorder(variables)
        if breaks_belief(weights, graph_of(first)):
            first = find_start(self.rules, weights.pairs, weights.log_weights)
        return replace(self, weights=weights, start=first)

    @property
    def is_provable(self) -> bool:
        """Whether the best graph of this problem is what is looked for.

        Not where cells are drawn or reliabilities set, as other values may come, nor where beliefs
        choose among the members of classes.
        """
        is_one_of_several = self.data.imputed is not None or self.has_statements
        return not is_one_of_several and not (self.is_by_class and len(self.weights.pairs))

    @property
    def statements(self) -> StatementWeights:
        """What sources say beside the beliefs; without any, the beliefs alone."""
        return no_statements(self.weights) if self.heard is None else self.heard

    @property
    def has_statements(self) -> bool:
        """Whether any source says anything without a probability."""
        return self.heard is not None

    @property
    def cut(self) -> NDArray[np.bool_]:
        """``cut[u, v]``: whether experiments tell u → v from v → u, see `cut_pairs`.

        Graphs are equivalent where they are Markov equivalent and agree on the edges that are cut.
        """
        return cut_pairs(self.data.select(self.rules.variables))


def make_problem(
    data: Dataset,
    beliefs: "Iterable[Belief] | PathPrior | None",
    settings: ProblemSettings,
    *,
    score: str | Score | None = None,
    statements: Iterable[Statement] = (),
    start: Dag | None = None,
    num_jobs: int = 1,
    progress: Progress = silent,
    time_limit: float = WEB_SECONDS,
) -> Problem:
    """Bind the score, fit the beliefs, and check everything against everything.

    Parameters
    ----------
    score
        That of the settings unless given: an object has no name that would do.
    statements, start, num_jobs
        As in `pathprior.learn`.
    progress, time_limit
        Of the fit of the beliefs, as in `fit_prior`.
    """
    sample_size = settings.equivalent_sample_size
    picked = pick_score(settings.score if score is None else score, data)
    made = make_score(picked, equivalent_sample_size=sample_size)
    data = complete(data, settings.seed)
    by_name = data.select(sorted(data.variables))
    scorer = made.bind(by_name)  # what it cannot take it refuses before the beliefs are counted
    believed, testimony = _hear(beliefs, statements, dict(settings.reliability), data.variables)
    stated = make_edge_rules(
        data.variables,
        required=settings.required,
        forbidden=settings.forbidden,
        tiers=settings.tiers,
        max_parents=settings.max_parents,
    )
    prior = _fit(believed, stated, settings, num_jobs, progress, time_limit)
    isolated = constant_names(data) if settings.constant_columns == ISOLATE else ()
    warn_of_constant(isolated)
    unexplained = unexplained_names(data)
    warn_of_unexplained(unexplained)
    rules = make_edge_rules(
        by_name.variables, isolated=isolated, unexplained=unexplained, **stated.stated
    )
    warn_of_paths_back(rules)
    weights = _graph_prior(prior, by_name.variables)
    heard = None
    if testimony is not None:
        heard, weights = weigh_statements(
            testimony, by_name.variables, weights, prior.uninformative_ties
        )
    first = _first_graph(start, rules, weights)
    warn_of_excluded_beliefs(rules, prior)
    name = picked if isinstance(picked, str) else repr(picked)
    rows = scorer.prior_rows or sample_size
    return Problem(data, prior, made, scorer, weights, rules, first, heard, name, rows)


def _hear(
    beliefs: "Iterable[Belief] | PathPrior | None",
    statements: Iterable[Statement],
    reliability: Reliability,
    variables: tuple[str, ...],
) -> "tuple[Iterable[Belief] | PathPrior, Testimony | None]":
    """Tell the beliefs, or the prior that was fitted to them, from the statements beside them."""
    if isinstance(beliefs, PathPrior):
        believed: Iterable[Belief] | PathPrior = beliefs
        among: tuple[Statement, ...] = ()
    else:
        stated = beliefs if isinstance(beliefs, BeliefSet) else BeliefSet(beliefs or ())
        stated.require_variables(variables)
        alone, among = split_statements(stated)
        believed = stated.part(alone)
    further = BeliefSet(statements)
    further.require_variables(variables)
    others, more = split_statements(further)
    for belief in others:
        raise belief.error(f"statements are made with says, but {belief.phrase} is a belief")
    heard = count_once((*among, *more))
    testimony = make_testimony(heard, reliability)
    return believed, testimony if heard else None


def _fit(
    beliefs: "Iterable[Belief] | PathPrior",
    rules: EdgeRules,
    settings: ProblemSettings,
    num_jobs: int,
    progress: Progress,
    time_limit: float,
) -> PathPrior:
    """The beliefs fitted within the rules, or the prior that was fitted within the same."""
    variables = rules.variables
    how = {name: getattr(settings, name) for name in ("expected_parents", "repair", "pool")}
    if not isinstance(beliefs, PathPrior):
        return fit_prior(
            beliefs,
            variables,
            **how,
            **rules.stated,
            seed=settings.seed,
            num_jobs=num_jobs,
            progress=progress,
            time_limit=time_limit,
        )
    require_same_nodes(beliefs.variables, variables, owners=("the prior", "the data"))
    if len(beliefs.beliefs):  # without any nothing was fitted
        require_same_rules(beliefs.rules, rules)
    usual = ProblemSettings()
    for name, asked in how.items():
        fitted = getattr(beliefs, name)
        if asked not in (getattr(usual, name), fitted):
            raise SearchError(
                f"{name} is {asked!r}, but the prior was fitted with {fitted!r}: leave it out, or "
                "fit the prior again"
            )
    return beliefs


def _graph_prior(prior: PathPrior, variables: tuple[str, ...]) -> GraphPrior:
    position = {name: v for v, name in enumerate(variables)}
    place = np.array([position[name] for name in prior.variables], dtype=np.int64)
    # copies: numba compiles a kernel anew for an array that may not be written to
    pairs = place[prior.pairs].reshape(-1, 2)
    return GraphPrior(pairs, prior.log_weights.copy(), log(prior.edge_odds))


def _first_graph(start: Dag | None, rules: EdgeRules, weights: GraphPrior) -> Dag:
    if start is None:
        return find_start(rules, weights.pairs, weights.log_weights)
    if not isinstance(start, Dag):
        raise SearchError(f"start must be a Dag, not {start!r}: make one with Dag.from_edges")
    require_same_nodes(start.nodes, rules.variables, owners=("the start graph", "the data"))
    dag = start.reorder(rules.variables)
    rules.require(dag)
    require_hard_beliefs(dag, weights.pairs, weights.log_weights)
    return dag
