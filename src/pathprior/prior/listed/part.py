"""The fit of one part: beliefs whose pairs are listed together.

`pathprior.prior.web.part` fits the parts that cannot be listed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.errors import PathPriorWarning, PriorError
from pathprior.prior.listed.conflicts import find_conflicts, require_consistent_hard_beliefs
from pathprior.prior.listed.gema import fit_gema
from pathprior.prior.listed.linear_program import MarginalProgram
from pathprior.prior.listed.listing import Listing
from pathprior.prior.listed.newton import Weights, fit_soft, project
from pathprior.prior.listed.problem import Constraint, Problem, build_problem

STRICT = 1e-7
"""Least strictness for which the I-projection is tried; HiGHS is good to 1e-9."""


LEAST_SAMPLES = 1000
"""Effective samples below which a fit is doubtful."""


class SparseSampleWarning(PathPriorWarning):
    """A fit favours configurations that few sampled DAGs have."""


class Repair(StrEnum):
    """What to do with beliefs that are not strictly coherent."""

    SOFT = "soft"
    GEMA = "gema"
    ERROR = "error"
    INDEPENDENT = "independent"

    @property
    def needs_listing(self) -> bool:
        """Whether it works on listed configurations only."""
        return self in (Repair.GEMA, Repair.INDEPENDENT)


@dataclass(frozen=True, slots=True)
class PartFit:
    """The fit of one listing."""

    log_weights: NDArray[np.float64]
    """log λ of each pair's relations, summed over the beliefs on the pair."""
    marginals: NDArray[np.float64]
    """Fitted probability of each pair's relations."""
    is_coherent: bool
    effective_samples: float | None
    """Sampled DAGs that the fit rests on; None where U was counted."""

    @property
    def is_sparse(self) -> bool:
        """Whether it rests on so few sampled DAGs that its weights are doubtful."""
        return self.effective_samples is not None and self.effective_samples < LEAST_SAMPLES


def fit_part(
    listing: Listing, constraints: Sequence[Constraint], beliefs: Sequence[Belief], repair: Repair
) -> PartFit:
    """Fit the beliefs of one part on its listed configurations."""
    if listing.is_complete:
        require_consistent_hard_beliefs(listing, constraints, beliefs)
    problem = build_problem(listing, constraints)
    program = MarginalProgram(problem)
    rows = np.arange(problem.num_events)
    is_coherent = len(problem.events) > 0 and program.is_feasible(rows)
    if repair is Repair.INDEPENDENT:
        log_weights = _pair_weights(listing, problem, _independent(listing, constraints))
        joint = listing.joint(log_weights)
        return PartFit(
            log_weights, listing.marginals(joint), is_coherent, _rests_on(listing, joint)
        )
    weights = project(problem) if is_coherent and program.strictness(rows) > STRICT else None
    if weights is None or not weights.has_converged:
        if not listing.is_complete:
            raise _unlisted(listing, "it cannot be told whether the beliefs can hold together")
        weights = _repair(problem, listing, constraints, beliefs, repair)
    log_weights = _pair_weights(listing, problem, weights.theta)
    joint = listing.joint(log_weights)
    marginals = listing.marginals(joint)
    log_weights = normalise(log_weights, marginals, listing.log_total(log_weights))
    return PartFit(log_weights, marginals, is_coherent, _rests_on(listing, joint))


def normalise(
    log_weights: NDArray[np.float64], marginals: NDArray[np.float64], log_total: float
) -> NDArray[np.float64]:
    """Shift each pair's weights so that a sum of products of λ becomes 1; ``log_total`` is its log.

    Only the sum over pairs matters for that. Centring every pair on its fitted mean first and
    giving each an equal share makes the weights independent of the solver's path.
    """
    mean = np.where(marginals > 0, log_weights, 0.0) * marginals
    mean = mean.sum(axis=1, keepdims=True)
    shift: NDArray[np.float64] = mean + (log_total - mean.sum()) / len(log_weights)
    return log_weights - shift


def _rests_on(listing: Listing, joint: NDArray[np.float64]) -> float | None:
    """Effective number of sampled DAGs, if any; refuse too few of an incomplete listing."""
    if listing.is_exact:
        return None
    samples = listing.effective_samples(joint)
    if samples < LEAST_SAMPLES and not listing.is_complete:
        raise _unlisted(listing, f"the fit would rest on about {samples:.0f} DAGs")
    return samples


def _pair_weights(
    listing: Listing, problem: Problem, theta: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sum log λ over the beliefs on each pair; −inf where a hard belief says never."""
    theta = np.where(problem.target == 0, -np.inf, theta)
    log_weights = np.zeros((len(listing.columns), 4))
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
