"""`fit_prior`: from beliefs to one distribution over all DAGs."""

import warnings
from collections.abc import Collection, Iterable
from numbers import Real

import numpy as np

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.counting.progress import Progress, silent
from pathprior.counting.robinson import log_num_dags
from pathprior.errors import PriorError
from pathprior.graph.dag import check_nodes
from pathprior.prior.constraints import distinct_pairs, make_constraints, require_possible
from pathprior.prior.listed.listing import Listing
from pathprior.prior.listed.part import PartFit, Repair, SparseSampleWarning, fit_part
from pathprior.prior.listed.problem import Constraint
from pathprior.prior.path_prior import PathPrior
from pathprior.prior.reference import (
    AUTO,
    COUNTS,
    WEB,
    CountSettings,
    list_parts,
    pair_probabilities,
    web_parts,
)
from pathprior.prior.web.fit import WebSettings
from pathprior.prior.web.part import fit_web_part


def fit_prior(
    beliefs: Iterable[Belief],
    variables: Iterable[str],
    *,
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

    Strictly coherent beliefs are met exactly, by the J closest to U in KL(J ‖ U). All others go
    to ``repair``. In each case P(G) = (1/N) Π_k λ_k(event_k(G)).

    Parameters
    ----------
    beliefs
        A `BeliefSet`, or any iterable of beliefs.
    variables
        All variables of the problem, also those without a belief.
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
    names = check_nodes(variables)
    stated = beliefs if isinstance(beliefs, BeliefSet) else BeliefSet(beliefs)
    stated.require_variables(names)
    index = {name: i for i, name in enumerate(names)}
    pairs = distinct_pairs(stated, index)
    settings = CountSettings(counts, num_samples, laplace, seed, placements)
    uninformative = pair_probabilities(len(names)) if len(stated) else np.zeros(4)
    require_possible(stated, uninformative)
    completion = uninformative if complete else None

    def constraints(columns: tuple[int, ...]) -> list[Constraint]:
        return make_constraints(stated, index, pairs, columns, completion)

    def fit_listed(rare_pairs: Collection[int]) -> list[tuple[Listing, PartFit]]:
        listings = list_parts(pairs, len(names), settings, rare_pairs=rare_pairs, progress=progress)
        return [
            (listing, fit_part(listing, constraints(listing.columns), stated, how))
            for listing in listings
        ]

    listed, rare_pairs = fit_listed(()), []
    if counts == AUTO and not how.needs_listing:
        rare_pairs = [column for part, fit in listed if fit.is_sparse for column in part.columns]
    if rare_pairs:
        listed = fit_listed(rare_pairs)  # what is left may be few enough to be counted together
    log_weights, marginals = np.zeros((len(pairs), 4)), np.zeros((len(pairs), 4))
    is_coherent = True
    samples = []
    for listing, fit in listed:
        if fit.is_sparse:
            _warn_of_few(listing, fit, how)
        log_weights[list(listing.columns)] = fit.log_weights
        marginals[list(listing.columns)] = fit.marginals
        is_coherent &= fit.is_coherent
        if fit.effective_samples is not None:
            samples.append(fit.effective_samples)
    log_num = log_num_dags(len(names))
    webs = []
    for columns in web_parts(pairs, len(names), counts, rare_pairs=rare_pairs):
        web = fit_web_part(
            pairs[list(columns)],
            len(names),
            constraints(columns),
            stated,
            how,
            WebSettings(tolerance, time_limit, seed),
            log_num_dags=log_num,
            progress=progress,
        )
        log_weights[list(columns)] = web.fit.log_weights
        marginals[list(columns)] = web.fit.marginals
        is_coherent &= web.fit.is_coherent
        samples.append(web.diagnostics.least_effective)
        webs.append(web.diagnostics)
    return PathPrior(
        variables=names,
        beliefs=stated,
        pairs=pairs,
        log_weights=log_weights,
        marginals=marginals,
        log_num_dags=log_num,
        is_coherent=is_coherent,
        effective_samples=min(samples, default=None),
        num_parts=len(listed) + len(webs),
        repair=str(repair),
        complete=complete,
        counting=settings,
        webs=tuple(webs),
        rare_pairs=tuple(rare_pairs),
    )


def _warn_of_few(listing: Listing, fit: PartFit, repair: Repair) -> None:
    better = 'repair="soft" and counts="auto"' if repair.needs_listing else 'counts="auto"'
    warnings.warn(
        f"the beliefs on {len(listing.columns)} connected pairs favour configurations that are "
        f"rare among DAGs: the fit rests on about {fit.effective_samples:.0f} of "
        f"{listing.num_samples} sampled DAGs, so its weights are rough; raise num_samples, or use "
        f"{better}",
        SparseSampleWarning,
        stacklevel=3,
    )
