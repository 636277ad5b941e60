"""The probability of an event on one pair, and the range that beliefs on the others leave it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.tie import Tie
from pathprior.prior.listed.linear_program import MarginalProgram
from pathprior.prior.listed.listing import Listing
from pathprior.prior.listed.problem import Constraint, build_problem


@dataclass(frozen=True, slots=True)
class Probability:
    """The fitted probability of an event and the range that the other beliefs leave it."""

    fitted: float
    lower: float
    upper: float


def event_probability(
    listing: Listing,
    log_weights: NDArray[np.float64],
    constraints: Sequence[Constraint],
    column: int,
    ties: frozenset[Tie],
    *,
    is_pooled: bool = False,
) -> Probability:
    """Probability that the pair in ``column`` has one of ``ties``.

    The bounds come from a linear program over all joints with the stated probabilities of the
    ``constraints`` on other columns, or with the fitted ones if the stated are incoherent, or of
    several sources, none of which is to be met (``is_pooled``).
    """
    marginals = listing.marginals(listing.joint(log_weights))
    fitted = float(marginals[column][sorted(ties)].sum())
    others = [constraint for constraint in constraints if constraint.column != column]
    problem = build_problem(listing, others, probe=(column, ties))
    program, rows = MarginalProgram(problem), np.arange(problem.num_events)
    target = problem.target
    if is_pooled or not program.is_feasible(rows):
        target = np.concatenate(
            [np.bincount(c.event_of, marginals[c.column], minlength=len(c.targets)) for c in others]
        )
    bounds = program.bounds(rows, problem.probe, target)
    return Probability(fitted, bounds.lower, bounds.upper)
