"""`fit_prior`: from beliefs to one distribution over all DAGs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.counting.progress import Progress, silent
from pathprior.counting.robinson import count_dags
from pathprior.errors import PriorError
from pathprior.graph.dag import check_nodes
from pathprior.prior.conflicts import find_conflicts, require_consistent_hard_beliefs
from pathprior.prior.constraints import distinct_pairs, make_constraints, require_possible
from pathprior.prior.gema import fit_gema
from pathprior.prior.linear_program import MarginalProgram
from pathprior.prior.listing import Listing
from pathprior.prior.newton import Weights, fit_soft, project
from pathprior.prior.path_prior import PathPrior
from pathprior.prior.problem import Constraint, Problem, build_problem
from pathprior.prior.reference import CountSettings, list_parts, pair_probabilities

STRICT = 1e-7
"""Least strictness for which the I-projection is tried; HiGHS is good to 1e-9."""


class Repair(StrEnum):
    """What to do with beliefs that are not strictly coherent."""

    SOFT = "soft"
    GEMA = "gema"
    ERROR = "error"
    INDEPENDENT = "independent"


@dataclass(frozen=True, slots=True)
class PartFit:
    """The fit of one listing."""

    log_weights: NDArray[np.float64]
    """log λ of each pair's relations, summed over the beliefs on the pair."""
    marginals: NDArray[np.float64]
    """Fitted probability of each pair's relations."""
    is_coherent: bool


def fit_prior(
    beliefs: Iterable[Belief],
    variables: Iterable[str],
    *,
    counts: str = "auto",
    repair: str = "soft",
    complete: bool = False,
    num_samples: int = 10**6,
    laplace: float = 1e-3,
    seed: int = 0,
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
        How U is obtained: ``"auto"``, or a method of `count_configurations`.
    repair
        ``"soft"`` minimises KL(J ‖ U) + Σ_k s_k KL(π_k ‖ J_k), s_k the strength of belief k, and
        never rules a DAG out that breaks no hard belief; ``"gema"`` is the paper's iteration;
        ``"error"`` refuses; ``"independent"`` takes λ = π/U belief by belief, whatever the others
        say, even for coherent beliefs (an ablation).
    complete
        Share the probability that a belief leaves open in proportion to U before fitting, as the
        paper does, instead of leaving it open.
    num_samples, laplace, seed
        For counts that must be sampled, see `count_configurations`.
    progress
        Called with (done, total) during long counts.

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

    Examples
    --------
    >>> from pathprior.beliefs.belief import causes
    >>> prior = fit_prior([causes("x", "y", 0.8)], ["x", "y", "z"])
    >>> prior.is_coherent
    True
    """
    if repair not in list(Repair):
        raise PriorError(f"unknown repair {repair!r}; use one of {', '.join(Repair)}")
    names = check_nodes(variables)
    stated = beliefs if isinstance(beliefs, BeliefSet) else BeliefSet(beliefs)
    stated.require_variables(names)
    index = {name: i for i, name in enumerate(names)}
    pairs = distinct_pairs(stated, index)
    settings = CountSettings(counts, num_samples, laplace, seed)
    uninformative = pair_probabilities(len(names)) if len(stated) else np.zeros(4)
    require_possible(stated, uninformative)
    completion = uninformative if complete else None
    parts = list_parts(pairs, len(names), settings, progress=progress)
    log_weights, marginals = np.zeros((len(pairs), 4)), np.zeros((len(pairs), 4))
    is_coherent = True
    for listing in parts:
        constraints = make_constraints(stated, index, pairs, listing, completion)
        fit = fit_part(listing, constraints, stated, Repair(repair))
        log_weights[list(listing.columns)] = fit.log_weights
        marginals[list(listing.columns)] = fit.marginals
        is_coherent &= fit.is_coherent
    return PathPrior(
        variables=names,
        beliefs=stated,
        pairs=pairs,
        log_weights=log_weights,
        marginals=marginals,
        log_num_dags=log(count_dags(len(names))) if names else 0.0,
        is_coherent=is_coherent,
        is_exact=all(listing.is_exact for listing in parts),
        num_parts=len(parts),
        repair=str(repair),
        complete=complete,
        counting=settings,
    )


def fit_part(
    listing: Listing, constraints: Sequence[Constraint], beliefs: Sequence[Belief], repair: Repair
) -> PartFit:
    """Fit the beliefs of one part on its listed configurations."""
    require_consistent_hard_beliefs(listing, constraints, beliefs)
    problem = build_problem(listing, constraints)
    program = MarginalProgram(problem)
    rows = np.arange(problem.num_events)
    is_coherent = program.is_feasible(rows)
    if repair is Repair.INDEPENDENT:
        log_weights = _pair_weights(listing, problem, _independent(listing, constraints))
        joint = listing.joint(log_weights)
    else:
        weights = project(problem) if is_coherent and program.strictness(rows) > STRICT else None
        if weights is None or not weights.has_converged:
            weights = _repair(problem, listing, constraints, beliefs, repair)
        log_weights = _pair_weights(listing, problem, weights.theta)
        joint = listing.joint(log_weights)
        log_weights = _normalise(listing, log_weights, listing.marginals(joint))
    return PartFit(log_weights, listing.marginals(joint), is_coherent)


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


def _normalise(
    listing: Listing, log_weights: NDArray[np.float64], marginals: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Shift each pair's weights so that Σ_C U_C Π λ = 1.

    Only the sum over pairs matters for that. Centring every pair on its fitted mean first and
    giving each an equal share makes the weights independent of the solver's path.
    """
    mean = np.where(marginals > 0, log_weights, 0.0) * marginals
    log_weights = log_weights - mean.sum(axis=1, keepdims=True)
    log_weights -= listing.log_total(log_weights) / len(log_weights)
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
            "lower the largest strengths"
        )
    return weights


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
