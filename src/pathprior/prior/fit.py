"""`fit_prior`: from beliefs to one distribution over all DAGs."""

import warnings
from collections.abc import Iterable, Mapping
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.beliefs.statement import refuse_statements
from pathprior.counting.base import MAX_WEIGHTED_NODES, UNIFORM
from pathprior.counting.expected_parents import AUTO as AUTO_PARENTS
from pathprior.counting.expected_parents import Base, ExpectedParents, make_base
from pathprior.counting.progress import Progress, silent
from pathprior.errors import PriorError
from pathprior.graph.dag import check_nodes
from pathprior.graph.edge_rules import Edge, make_edge_rules
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.belief_table import find_vectors, warn_of_low_beliefs
from pathprior.prior.choice import find_baselines
from pathprior.prior.constraints import distinct_pairs, mind_columns, require_possible
from pathprior.prior.equal_beliefs import warn_of_equal_beliefs
from pathprior.prior.fitting import Fitter, Whole
from pathprior.prior.part import FitSettings, Repair
from pathprior.prior.path_prior import PathPrior
from pathprior.prior.reference import COUNTS, WEB, CountSettings, tie_probabilities
from pathprior.prior.sources import Pool, SourceFit, by_source
from pathprior.prior.web.settings import WebSettings


def fit_prior(
    beliefs: Iterable[Belief],
    variables: Iterable[str],
    *,
    expected_parents: ExpectedParents = AUTO_PARENTS,
    required: Iterable[Edge] = (),
    forbidden: Iterable[Edge] = (),
    tiers: Iterable[Iterable[str]] | None = None,
    max_parents: int | None = None,
    counts: str = "auto",
    repair: str = "soft",
    pool: str = "sources",
    complete: bool = False,
    num_samples: int = 10**6,
    laplace: float = 1e-3,
    placements: int = 8,
    seed: int = 0,
    tolerance: float = 0.02,
    time_limit: float = 600.0,
    num_jobs: int = 1,
    progress: Progress = silent,
) -> PathPrior:
    """Fit the prior over DAGs that agrees with ``beliefs`` and is otherwise uninformative.

    Uninformative is the base measure P₀(G) ∝ β^edges, whose probabilities of relations are called
    U. The beliefs of one source are one mind: strictly coherent ones are met exactly, by the J
    closest to U in KL(J ‖ U), all others go to ``repair``. What several sources say multiplies. In
    each case P(G) ∝ β^edges Π_k λ_k(event_k(G)).

    Parameters
    ----------
    beliefs
        A `BeliefSet`, or any iterable of beliefs.
    variables
        All variables of the problem, also those without a belief.
    expected_parents
        How many parents a variable has on average before anything is believed or seen, which sets
        β; `baseline` shows what that says of two variables. ``"auto"`` is 1, or all DAGs alike
        where that has fewer (up to 4 variables); None is all DAGs alike, β = 1, as in the paper.
    required, forbidden, tiers, max_parents
        Rules for edges, as of `learn`. Within rules everything is about the graphs that keep them:
        P₀(G) ∝ β^edges among these, with the same β, so are the baselines, and a stated
        probability is that of its event among them. A network is learned within the rules that its
        prior was fitted within.
    counts
        How U is obtained: a method of `count_configurations`; or ``"listed"``: each connected
        component counted exactly if it has at most 4 nodes (or there are at most 6 in all), else
        sampled. ``"auto"`` does the same, but fits those sampled components as webs, by Markov
        chains, that have more than 10⁶ configurations, or (unless ``repair`` needs a list) whose
        fit would rest on fewer than 1000 sampled DAGs. Only ``"web"`` forces chains on what can be
        counted: all beliefs become one web, and beliefs that contradict each other strongly, done
        in milliseconds with a list, may then take all of ``time_limit``.
    repair
        ``"soft"`` minimises KL(J ‖ U) + Σ_k s_k KL(π_k ‖ J_k), s_k the strength of belief k, and
        never rules a DAG out that breaks no hard belief; ``"gema"`` is the paper's iteration;
        ``"error"`` refuses; ``"independent"`` takes λ = π/U belief by belief, whatever the others
        say, even for coherent beliefs: as if each came from a source of its own.
    pool
        What beliefs of different sources are to each other. ``"sources"``: independent evidence,
        each source fitted by itself and the log weights added; beliefs without a source are your
        own. ``"joint"``: beliefs of one mind, whatever their source, as in the paper.
    complete
        Share the probability that a belief leaves open in proportion to U before fitting, as the
        paper does, instead of leaving it open.
    num_samples, laplace, placements, seed
        For counts that must be sampled, see `count_configurations`; ``seed`` also for webs.
    tolerance
        Largest gap that a web may leave between a fitted probability and what the fit aims at.
    time_limit
        Seconds for each web; when they are over it stops with what it has, and a warning.
    num_jobs
        Chains of a web, and groups of beliefs that may conflict, at a time; −1 for all processors.
        Threads, unless joblib is told otherwise. The result does not depend on it.
    progress
        Called with (done, total) during long counts and web fits.

    Returns
    -------
    PathPrior
        The weights, with what became of each belief.

    Raises
    ------
    BeliefError
        For unknown variables, impossible events, contradictory hard beliefs and certain beliefs in
        what the rules rule out.
    SearchError
        If the rules contradict each other.
    PriorError
        With ``repair="error"``, if the beliefs are not strictly coherent.

    Warns
    -----
    BaselineWarning
        If beliefs are less probable than their baseline, and so count against what they name.
    EqualBeliefsWarning
        If dozens of beliefs of one source have the same round probability.
    SparseSampleWarning
        If a listed fit rests on fewer than 1000 sampled DAGs.
    WebConvergenceWarning
        If a web stopped before its errors were small enough.
    UnmetBeliefWarning
        If beliefs that no conflict is known of are not met, with what became of each.

    Examples
    --------
    >>> from pathprior.beliefs.belief import causes
    >>> prior = fit_prior([causes("x", "y", 0.8)], ["x", "y", "z"])
    >>> prior.is_coherent
    True
    """
    how = _check_options(counts, repair, tolerance, time_limit)
    if not isinstance(num_jobs, int | np.integer) or num_jobs < -1 or num_jobs == 0:
        raise PriorError(
            f"num_jobs is {num_jobs!r}; give a number of threads, or −1 for all processors"
        )
    pooling = _check_pool(pool)
    names = check_nodes(variables)
    rules = make_edge_rules(
        names, required=required, forbidden=forbidden, tiers=tiers, max_parents=max_parents
    )
    stated = beliefs if isinstance(beliefs, BeliefSet) else BeliefSet(beliefs)
    refuse_statements(stated)
    stated.require_variables(names)
    index = {name: i for i, name in enumerate(names)}
    pairs = distinct_pairs(stated, index)
    base = make_base(expected_parents, len(names))
    counting = CountSettings(
        counts, num_samples, laplace, seed, placements, base.edge_odds, rules.or_none
    )
    settings = FitSettings(how, WebSettings(tolerance, time_limit, seed, num_jobs))
    uninformative = _uninformative(base, len(names)) if len(stated) else np.zeros(NUM_TIES)
    require_possible(stated, uninformative)
    usual = (
        np.tile(uninformative, (len(pairs), 1))
        if counting.rules is None
        else find_baselines(pairs, len(names), counting, num_jobs)
    )
    warn_of_low_beliefs(stated, find_vectors(stated, index, pairs, usual))
    warn_of_equal_beliefs(stated)
    by_pair = {(i, j): row for (i, j), row in zip(pairs.tolist(), usual, strict=True)}
    fitter = Fitter(index, counting, settings, by_pair, complete, progress)
    minds = by_source(stated, pooling)
    columns = {name: mind_columns(mind, index, pairs) for name, mind in minds.items()}
    wholes = {name: fitter.fit(mind, pairs[columns[name]]) for name, mind in minds.items()}
    whole = _pool(fitter, stated, pairs, columns, wholes)
    everything = [*wholes.values(), *([whole] if len(wholes) > 1 else [])]
    for one in everything:
        for warning in one.warnings:
            warnings.warn(warning, stacklevel=2)
    samples = [one.effective_samples for one in everything if one.effective_samples is not None]
    return PathPrior(
        variables=names,
        beliefs=stated,
        pairs=pairs,
        log_weights=whole.log_weights,
        tie_marginals=whole.marginals,
        tie_baselines=usual,
        expected_parents=base.expected_parents,
        is_coherent=all(one.is_coherent for one in wholes.values()),
        effective_samples=min(samples, default=None),
        num_parts=len(whole.fits),
        repair=str(repair),
        complete=complete,
        counting=counting,
        webs=whole.webs,
        rare_pairs=whole.rare_pairs,
        pool=str(pool),
        sources=tuple(
            SourceFit(
                name,
                mind,
                tuple(columns[name]),
                wholes[name].log_weights,
                wholes[name].marginals,
                wholes[name].is_coherent,
                wholes[name].webs,
                wholes[name].rare_pairs,
                wholes[name].unmet,
            )
            for name, mind in minds.items()
        ),
    )


def _pool(
    fitter: Fitter,
    beliefs: BeliefSet,
    pairs: NDArray[np.int64],
    columns: Mapping[str, list[int]],
    wholes: Mapping[str, Whole],
) -> Whole:
    """All minds together: the log weights add up; a single one is left as it is."""
    if len(wholes) == 1:
        return next(iter(wholes.values()))
    log_weights = np.zeros((len(pairs), NUM_TIES))
    for name, whole in wholes.items():
        log_weights[columns[name]] += whole.log_weights
    return fitter.pool(beliefs, pairs, log_weights)


def _uninformative(base: Base, num_nodes: int) -> NDArray[np.float64]:
    """Probabilities of a pair's ties; refuse more variables than can be counted on."""
    if base.edge_odds != UNIFORM and num_nodes > MAX_WEIGHTED_NODES:
        raise PriorError(
            f"{num_nodes} variables: beliefs are measured against a sparse base on at most "
            f"{MAX_WEIGHTED_NODES}; pass expected_parents=None to take all DAGs alike, or leave "
            "variables out"
        )
    return tie_probabilities(num_nodes, base.edge_odds)


def _check_pool(pool: str) -> Pool:
    if pool not in list(Pool):
        raise PriorError(f"unknown pool {pool!r}; use one of {', '.join(Pool)}")
    return Pool(pool)


def _check_options(counts: str, repair: str, tolerance: float, time_limit: float) -> Repair:
    """The repair that ``repair`` names, if all options make sense."""
    if repair not in list(Repair):
        raise PriorError(f"unknown repair {repair!r}; use one of {', '.join(Repair)}")
    how = Repair(repair)
    if counts not in COUNTS:
        raise PriorError(f"unknown counts {counts!r}; use one of {', '.join(COUNTS)}")
    if counts == WEB and how.needs_listing:
        raise PriorError(
            f'repair={repair!r} needs listed configurations, and counts="web" lists none; '
            'use repair="soft", or counts="auto"'
        )
    for name, value in (("tolerance", tolerance), ("time_limit", time_limit)):
        if not isinstance(value, Real) or not value > 0:
            raise PriorError(f"{name} must be a positive number, not {value!r}")
    return how
