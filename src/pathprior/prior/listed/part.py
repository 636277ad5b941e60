"""A part fitted from a list of its configurations."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.counting.progress import Progress, silent
from pathprior.errors import PathPriorWarning, PriorError
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.listed.conflicts import (
    Conflict,
    find_conflicts,
    require_consistent_hard_beliefs,
)
from pathprior.prior.listed.gema import fit_gema
from pathprior.prior.listed.linear_program import MarginalProgram
from pathprior.prior.listed.listing import Listing
from pathprior.prior.listed.newton import Weights, fit_soft, project
from pathprior.prior.listed.problem import Constraint, Problem, build_problem
from pathprior.prior.part import LEAST_SAMPLES, FitSettings, PartFit, Repair, fitted_means
from pathprior.prior.promise import ROUNDING, Promise

PROMISE = Promise(
    absolute=ROUNDING,
    relative=1e-6,
    excuse="they can all hold only if some graphs get next to no probability, which only beliefs "
    "of 0 and 1 take from a graph: move them apart, or state 0 or 1 where that is meant",
)
"""What a fit keeps of beliefs that can hold together; one that converged is a hundred times as near
(`pathprior.prior.listed.newton.STALLED`)."""


class SparseSampleWarning(PathPriorWarning):
    """A fit favours configurations that few sampled DAGs have."""


@dataclass(frozen=True, slots=True)
class ListedPart:
    """A part whose configurations are listed."""

    listing: Listing
    within: str = ""
    """The rules that the listed graphs keep, for a sentence."""

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions of its pairs among the prior's."""
        return self.listing.columns

    @property
    def possible_ties(self) -> NDArray[np.bool_]:
        """Which ties the listed configurations give each pair; without edges where none are told
        apart."""
        return self.listing.marginals(self.listing.probabilities) > 0

    def fit(
        self,
        constraints: Sequence[Constraint],
        beliefs: Sequence[Belief],
        settings: FitSettings,
        *,
        progress: Progress = silent,
    ) -> PartFit:
        """Fit the weights of its pairs; that takes too little time to report ``progress``."""
        listing, repair = self.listing, settings.repair
        if listing.is_complete:
            require_consistent_hard_beliefs(listing, constraints, beliefs, within=self.within)
        problem = build_problem(listing, constraints)
        program = MarginalProgram(problem)
        rows = np.arange(problem.num_events)
        # one belief can hold if its events can; a source of its own for each must not cost programs
        is_single = len(constraints) == 1 and bool(problem.possible[problem.target > 0].all())
        is_coherent = is_single or (len(problem.events) > 0 and program.is_feasible(rows))
        if repair is Repair.INDEPENDENT:
            theta = _independent(listing, constraints)
        else:
            # whether strictly, no program tells as finely as the projection, which runs away if not
            weights = project(problem) if is_coherent else None
            if weights is None or not weights.has_converged:
                weights = _repair(problem, listing, constraints, beliefs, repair)
            theta = weights.theta
        log_weights = _pair_weights(listing, problem, theta)
        joint = listing.joint(log_weights)
        marginals = listing.marginals(joint)
        samples = _rests_on(listing, joint)
        if repair is not Repair.INDEPENDENT:
            log_weights = _normalised(listing, log_weights, marginals)
        warning = _sparse_warning(listing, samples, repair)
        is_promised = is_coherent and repair is not Repair.INDEPENDENT
        return PartFit(
            log_weights=log_weights,
            marginals=marginals,
            is_coherent=is_coherent,
            effective_samples=samples,
            warning=warning,
            promise=PROMISE if is_promised else None,
        )

    def pool(
        self,
        log_weights: NDArray[np.float64],
        constraints: Sequence[Constraint],
        beliefs: Sequence[Belief],
        settings: FitSettings,
        *,
        progress: Progress = silent,
    ) -> PartFit:
        """What the sum of several sources' weights makes of its pairs."""
        listing = self.listing
        if listing.is_complete:
            require_consistent_hard_beliefs(listing, constraints, beliefs, within=self.within)
        elif np.isneginf(listing.scores(log_weights)).all():
            raise _unlisted(listing, "none agrees with all beliefs of probability 0 or 1")
        joint = listing.joint(log_weights)
        marginals = listing.marginals(joint)
        samples = _rests_on(listing, joint)
        return PartFit(
            log_weights=_normalised(listing, log_weights, marginals),
            marginals=marginals,
            is_coherent=True,  # sources may disagree
            effective_samples=samples,
            warning=_sparse_warning(listing, samples, settings.repair),
        )

    def conflicts(
        self, constraints: Sequence[Constraint], beliefs: Sequence[Belief]
    ) -> tuple[Conflict, ...]:
        """All minimal groups of its beliefs that cannot hold together, up to 20."""
        problem = build_problem(self.listing, constraints, keep_excluded=True)
        return tuple(find_conflicts(problem, beliefs))

    def require_listing(self, advice: str) -> Listing:
        """Its configurations with their U; there is no need of ``advice``."""
        return self.listing


def _normalised(
    listing: Listing, log_weights: NDArray[np.float64], marginals: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The same weights with Σ_C U_C Π λ = 1."""
    log_weights = log_weights - fitted_means(log_weights, marginals)
    log_weights -= listing.log_total(log_weights) / len(log_weights)
    return log_weights


def _rests_on(listing: Listing, joint: NDArray[np.float64]) -> float | None:
    """Effective number of sampled DAGs, if any; refuse too few of an incomplete listing."""
    if listing.is_exact:
        return None
    samples = listing.effective_samples(joint)
    if samples < LEAST_SAMPLES and not listing.is_complete:
        raise _unlisted(listing, f"the fit would rest on about {samples:.0f} DAGs")
    return samples


def _sparse_warning(
    listing: Listing, samples: float | None, repair: Repair
) -> SparseSampleWarning | None:
    if samples is None or samples >= LEAST_SAMPLES:
        return None
    better = 'repair="soft" and counts="auto"' if repair.needs_listing else 'counts="auto"'
    return SparseSampleWarning(
        f"the beliefs on {len(listing.columns)} connected pairs favour configurations that are "
        f"rare among DAGs: the fit rests on about {samples:.0f} of {listing.num_samples} sampled "
        f"DAGs, so its weights are rough; raise num_samples, or use {better}"
    )


def _pair_weights(
    listing: Listing, problem: Problem, theta: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sum log λ over the beliefs on each pair; −inf where a hard belief says never."""
    theta = np.where(problem.target == 0, -np.inf, theta)
    log_weights = np.zeros((len(listing.columns), NUM_TIES))
    start = 0
    for constraint in problem.constraints:
        log_weights[constraint.column] += theta[start + np.array(constraint.event_of)]
        start += len(constraint.targets)
    return log_weights


def _repair(
    problem: Problem,
    listing: Listing,
    constraints: Sequence[Constraint],
    beliefs: Sequence[Belief],
    repair: Repair,
) -> Weights:
    if not listing.is_complete:
        raise _unlisted(listing, "it cannot be told whether the beliefs can hold together")
    if repair is Repair.ERROR:
        whole = build_problem(listing, constraints, keep_excluded=True)
        conflicts = find_conflicts(whole, beliefs)
        if not conflicts:
            raise PriorError(
                "the beliefs hold together only if some valid configuration has probability "
                'zero; move them apart, or use repair="soft"'
            )
        raise PriorError("; ".join(conflict.sentence for conflict in conflicts))
    weights = fit_gema(problem) if repair is Repair.GEMA else fit_soft(problem)
    if not weights.has_converged:
        raise PriorError(
            f"the {repair} fit did not settle in {weights.num_steps} steps; "
            "lower the largest strengths, and write 0 where a tiny probability means never"
        )
    return weights


def _unlisted(listing: Listing, problem: str) -> PriorError:
    return PriorError(
        f"{len(listing.columns)} connected pairs have too many valid configurations to list, and "
        f"from the {len(listing.probabilities)} seen in {listing.num_samples} sampled DAGs "
        f"{problem}; "
        'raise num_samples, or use counts="web"'
    )


def _independent(listing: Listing, constraints: Sequence[Constraint]) -> NDArray[np.float64]:
    """λ = π/U for every event by itself."""
    theta = []
    for constraint in constraints:
        mass = np.bincount(
            np.array(constraint.event_of)[listing.configurations[:, constraint.column]],
            weights=listing.probabilities,
            minlength=len(constraint.targets),
        )
        for p, u in zip(constraint.targets, mass, strict=True):
            theta.append(log(p / u) if p > 0 and u > 0 else 0.0)
    return np.array(theta)
