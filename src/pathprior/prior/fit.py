"""`fit_prior`: from beliefs to one distribution over all DAGs."""

import warnings
from collections.abc import Iterable
from functools import partial
from numbers import Real
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.counting.base import MAX_WEIGHTED_NODES, UNIFORM
from pathprior.counting.expected_parents import AUTO as AUTO_PARENTS
from pathprior.counting.expected_parents import Base, ExpectedParents, make_base
from pathprior.counting.progress import Progress, silent
from pathprior.errors import PriorError
from pathprior.graph.dag import check_nodes
from pathprior.kernels.graph.ties import NUM_TIES
from pathprior.prior.belief_table import warn_of_low_beliefs
from pathprior.prior.choice import listed_parts, web_parts
from pathprior.prior.constraints import (
    direct_pairs,
    distinct_pairs,
    make_constraints,
    require_possible,
)
from pathprior.prior.part import FitSettings, Part, PartFit, Repair
from pathprior.prior.path_prior import PathPrior
from pathprior.prior.reference import AUTO, COUNTS, WEB, CountSettings, tie_probabilities
from pathprior.prior.web.settings import WebSettings


def fit_prior(
    beliefs: Iterable[Belief],
    variables: Iterable[str],
    *,
    expected_parents: ExpectedParents = AUTO_PARENTS,
    counts: str = "auto",
    repair: str = "soft",
    complete: bool = False,
    num_samples: int = 10**6,
    laplace: float = 1e-3,
    placements: int = 8,
    seed: int = 0,
    tolerance: float = 0.02,
    time_limit: float = 600.0,
    progress: Progress = silent,
) -> PathPrior:
    """Fit the prior over DAGs that agrees with ``beliefs`` and is otherwise uninformative.

    Uninformative is the base measure P₀(G) ∝ β^edges, whose probabilities of relations are called
    U. Strictly coherent beliefs are met exactly, by the J closest to U in KL(J ‖ U). All others go
    to ``repair``. In each case P(G) ∝ β^edges Π_k λ_k(event_k(G)).

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
        say, even for coherent beliefs (an ablation).
    complete
        Share the probability that a belief leaves open in proportion to U before fitting, as the
        paper does, instead of leaving it open.
    num_samples, laplace, placements, seed
        For counts that must be sampled, see `count_configurations`; ``seed`` also for webs.
    tolerance
        Largest gap that a web may leave between a fitted probability and what the fit aims at.
    time_limit
        Seconds for each web; when they are over it stops with what it has, and a warning.
    progress
        Called with (done, total) during long counts and web fits.

    Returns
    -------
    PathPrior
        The weights, with what became of each belief.

    Raises
    ------
    BeliefError
        For unknown variables, impossible events and contradictory hard beliefs.
    PriorError
        With ``repair="error"``, if the beliefs are not strictly coherent.

    Warns
    -----
    BaselineWarning
        If beliefs are less probable than their baseline, and so count against what they name.
    SparseSampleWarning
        If a listed fit rests on fewer than 1000 sampled DAGs.
    WebConvergenceWarning
        If a web stopped before its errors were small enough.

    Examples
    --------
    >>> from pathprior.beliefs.belief import causes
    >>> prior = fit_prior([causes("x", "y", 0.8)], ["x", "y", "z"])
    >>> prior.is_coherent
    True
    """
    how = _check_options(counts, repair, tolerance, time_limit)
    names = check_nodes(variables)
    stated = beliefs if isinstance(beliefs, BeliefSet) else BeliefSet(beliefs)
    stated.require_variables(names)
    index = {name: i for i, name in enumerate(names)}
    pairs = distinct_pairs(stated, index)
    base = make_base(expected_parents, len(names))
    counting = CountSettings(counts, num_samples, laplace, seed, placements, base.edge_odds)
    settings = FitSettings(how, WebSettings(tolerance, time_limit, seed))
    uninformative = _uninformative(base, len(names)) if len(stated) else np.zeros(NUM_TIES)
    require_possible(stated, uninformative)
    warn_of_low_beliefs(stated, uninformative)
    fit_all = partial(
        _fit_all, stated, index, pairs, uninformative if complete else None, settings, progress
    )
    direct = direct_pairs(stated, index, pairs)
    list_parts = partial(
        listed_parts, pairs, len(names), counting, direct=direct, progress=progress
    )
    fits = fit_all(list_parts(rare_pairs=()))
    rare_pairs = () if counts != AUTO or how.needs_listing else _sparse_columns(fits)
    if rare_pairs:  # the others may be few enough to be counted together
        fits = fit_all(list_parts(rare_pairs=rare_pairs))
    webs = web_parts(pairs, len(names), counting, direct=direct, rare_pairs=rare_pairs)
    fits += fit_all(webs)
    for _, fit in fits:
        if fit.warning is not None:
            warnings.warn(fit.warning, stacklevel=2)
    samples = [fit.effective_samples for _, fit in fits if fit.effective_samples is not None]
    return PathPrior(
        variables=names,
        beliefs=stated,
        pairs=pairs,
        log_weights=_gather(fits, len(pairs), "log_weights"),
        marginals=_gather(fits, len(pairs), "marginals"),
        expected_parents=base.expected_parents,
        is_coherent=all(fit.is_coherent for _, fit in fits),
        effective_samples=min(samples, default=None),
        num_parts=len(fits),
        repair=str(repair),
        complete=complete,
        counting=counting,
        webs=tuple(fit.web for _, fit in fits if fit.web is not None),
        rare_pairs=rare_pairs,
    )


def _fit_all(
    stated: BeliefSet,
    index: dict[str, int],
    pairs: NDArray[np.int64],
    completion: NDArray[np.float64] | None,
    settings: FitSettings,
    progress: Progress,
    parts: Iterable[Part],
) -> list[tuple[Part, PartFit]]:
    """Fit each of ``parts`` by itself."""
    fits = []
    for part in parts:
        constraints = make_constraints(stated, index, pairs, part.columns, completion)
        fits.append((part, part.fit(constraints, stated, settings, progress=progress)))
    return fits


def _gather(
    fits: Iterable[tuple[Part, PartFit]], num_pairs: int, what: Literal["log_weights", "marginals"]
) -> NDArray[np.float64]:
    """Put together what the fits of the parts say of their pairs."""
    gathered = np.zeros((num_pairs, NUM_TIES))
    for part, fit in fits:
        gathered[list(part.columns)] = getattr(fit, what)
    return gathered


def _sparse_columns(fits: Iterable[tuple[Part, PartFit]]) -> tuple[int, ...]:
    """The pairs of the parts whose fit rests on too few samples."""
    return tuple(column for part, fit in fits if fit.is_sparse for column in part.columns)


def _uninformative(base: Base, num_nodes: int) -> NDArray[np.float64]:
    """Probabilities of a pair's ties; refuse more variables than can be counted on."""
    if base.edge_odds != UNIFORM and num_nodes > MAX_WEIGHTED_NODES:
        raise PriorError(
            f"{num_nodes} variables: beliefs are measured against a sparse base on at most "
            f"{MAX_WEIGHTED_NODES}; pass expected_parents=None to take all DAGs alike, or leave "
            "variables out"
        )
    return tie_probabilities(num_nodes, base.edge_odds)


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
