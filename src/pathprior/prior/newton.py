"""The two convex fits, each solved by Newton's method on its dual.

Both have J_C = U_C · exp(Σ_k θ_k(event_k(C))) / Z(θ), one unknown per event. With A the incidence
of events in patterns, ∇ log Z = A J (the marginals) and ∇² log Z = Cov_J(A).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.prior.problem import Problem

# Marginals agree with the optimum's to this relative error; a few digits above rounding.
TOLERANCE = 1e-10
MAX_STEPS = 200


@dataclass(frozen=True, slots=True)
class Weights:
    """A log-linear fit: log λ per event, and whether the solver reached its tolerance."""

    theta: NDArray[np.float64]
    """log λ, one per event of the problem; 0 for events that no pattern has."""
    num_steps: int
    has_converged: bool


def project(problem: Problem) -> Weights:
    """I-projection: minimise KL(J ‖ U) subject to the stated marginals.

    Dual: minimise log Z(θ) − Σ_e θ_e π_e. IPFP converges to the same J. The problem must be
    strictly coherent, else θ runs away and `has_converged` is False.
    """
    active = problem.possible
    target = problem.target[active]
    theta = np.zeros(problem.num_events)
    for step in range(MAX_STEPS):
        joint, log_z = problem.joint(theta)
        moments = problem.moments(joint)[np.ix_(active, active)]
        marginals = moments.diagonal()
        if np.abs(marginals / target - 1).max(initial=0.0) < TOLERANCE:
            return Weights(theta, step, has_converged=True)
        gradient = marginals - target
        direction = _newton_direction(moments, np.zeros_like(target), gradient)
        slope = float(gradient @ direction)
        value = log_z - float(theta[active] @ target)
        length = 1.0
        while True:
            trial = theta.copy()
            trial[active] += length * direction
            change = problem.joint(trial)[1] - float(trial[active] @ target) - value
            if _is_descent(change, length * slope, value):
                break
            length /= 2
            if length < 1e-10:
                return Weights(theta, step, has_converged=False)
        theta = trial
    return Weights(theta, MAX_STEPS, has_converged=False)


def fit_soft(problem: Problem) -> Weights:
    """Soft fit: minimise KL(J ‖ U) + Σ_k s_k KL(π_k ‖ J_k), s_k the strength of belief k.

    Dual: minimise log Z(θ) − Σ_e s_e π_e log θ_e over θ > 0; at the optimum θ_e = s_e π_e / J_e.
    Strictly convex, so the answer is unique, and every pattern keeps a positive probability.
    Events with a stated probability that the hard beliefs leave no pattern for drop out: they
    add a constant (infinite) loss, whatever J is.
    """
    active = problem.possible
    pull = (problem.strength * problem.target)[active]
    theta = np.zeros(problem.num_events)
    theta[active] = problem.strength[active]  # equal within each belief, so J = U
    for step in range(MAX_STEPS):
        joint, log_z = problem.joint(theta)
        moments = problem.moments(joint)[np.ix_(active, active)]
        marginals = moments.diagonal()
        current = theta[active]
        if np.abs(current * marginals / pull - 1).max(initial=0.0) < TOLERANCE:
            return Weights(theta, step, has_converged=True)
        gradient = marginals - pull / current
        direction = _newton_direction(moments, pull / current**2, gradient)
        slope = float(gradient @ direction)
        value = log_z - float(pull @ np.log(current))
        shrink = (-direction / current).max(initial=0.0)
        length = 1.0 if shrink < 0.99 else 0.99 / shrink  # stay inside θ > 0
        while True:
            trial = theta.copy()
            trial[active] += length * direction
            log_trial = float(pull @ np.log(trial[active]))
            change = problem.joint(trial)[1] - log_trial - value
            if _is_descent(change, length * slope, value):
                break
            length /= 2
            if length < 1e-10:
                return Weights(theta, step, has_converged=False)
        theta = trial
    return Weights(theta, MAX_STEPS, has_converged=False)


def _newton_direction(
    moments: NDArray[np.float64], curvature: NDArray[np.float64], gradient: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Solve (Cov + diag(curvature)) d = −gradient in the units of each event's deviation.

    Scaling by 1/√J_e keeps rare events as accurate as common ones. Cov is singular (a constant
    added to all events of a belief cancels), so the least-norm solution is taken.
    """
    marginals = moments.diagonal()
    scale = 1 / np.sqrt(marginals)
    hessian = moments - np.outer(marginals, marginals) + np.diag(curvature)
    scaled = hessian * np.outer(scale, scale)
    values, vectors = np.linalg.eigh(scaled)
    inverse = np.where(values > 1e-13 * values[-1], 1 / np.maximum(values, 1e-300), 0.0)
    direction: NDArray[np.float64] = -scale * (
        vectors @ (inverse * (vectors.T @ (scale * gradient)))
    )
    return direction


def _is_descent(change: float, slope: float, value: float) -> bool:
    """Armijo's rule, relaxed by the rounding error of the objective near the optimum."""
    return change <= 1e-4 * slope + 1e-14 * (1 + abs(value))
