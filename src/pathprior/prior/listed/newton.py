"""The two convex fits, each solved by Newton's method on its dual.

Both have J_C = U_C · exp(Σ_k θ_k(event_k(C))) / Z(θ), one unknown per event. With A the incidence
of events in patterns, ∇ log Z = A J (the marginals) and ∇² log Z = Cov_J(A).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.prior.listed.problem import Problem

Floats = NDArray[np.float64]

TOLERANCE = 1e-10
"""Relative error of the marginals at which a fit is done; a few digits above rounding."""
STALLED = 1e-8
"""Relative error that still counts as done where rounding allows no further step."""
MAX_STEPS = 1000
SETTLED = 0.01
"""Longest step still to be made at which an unknown that may run away counts as found."""
LONGEST_PROJECTION, LONGEST_SOFT = 3.0, 5.0
"""Most that one step moves an unknown: by more, and log Z is no longer like its second-order model,
so that a step from a rare event overshoots to where nothing varies and there is no way back."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A log-linear fit: log λ per event, and whether the solver reached its tolerance."""

    theta: Floats
    """log λ, one per event of the problem; 0 for events that no pattern has."""
    num_steps: int
    has_converged: bool


@dataclass(frozen=True, slots=True)
class _State:
    """The objective at one point, with what a Newton step needs."""

    value: float
    error: float
    gradient: Floats
    hessian: Floats


def project(problem: Problem) -> Weights:
    """I-projection: minimise KL(J ‖ U) subject to the stated marginals.

    Dual: minimise log Z(θ) − Σ_e θ_e π_e. IPFP converges to the same J. The problem must be
    strictly coherent, however little: else θ runs away, the marginals come as near as rounding
    allows while steps stay as long as they were, and `has_converged` is False.
    The likeliest event of each belief keeps θ = 0, as a constant added to all events of a belief
    cancels: what is left are the rare ones, whose covariances are as exact as they are small.
    """
    active = _all_but_likeliest(problem)
    target = problem.target[active]
    theta = np.zeros(problem.num_events)

    def value(point: Floats) -> float:
        theta[active] = point
        return problem.joint(theta)[1] - float(point @ target)

    def state(point: Floats) -> _State:
        theta[active] = point
        joint, log_z = problem.joint(theta)
        moments = problem.moments(joint)[np.ix_(active, active)]
        marginals = moments.diagonal()
        error = float(np.abs(marginals / target - 1).max(initial=0.0))
        covariance = moments - np.outer(marginals, marginals)
        return _State(log_z - float(point @ target), error, marginals - target, covariance)

    point, num_steps, has_converged = _newton(
        np.zeros(len(target)), value, state, longest=LONGEST_PROJECTION, settled=SETTLED
    )
    theta[active] = point
    return Weights(theta, num_steps, has_converged)


def _all_but_likeliest(problem: Problem) -> NDArray[np.bool_]:
    """The events that some pattern has, without the one of each belief that is stated likeliest."""
    kept = problem.possible
    stated = np.where(kept, problem.target, -1.0)
    for constraint in range(len(problem.constraints)):
        own = np.flatnonzero(problem.owner == constraint)
        kept[own[np.argmax(stated[own])]] = False
    return kept


def fit_soft(problem: Problem) -> Weights:
    """Soft fit: minimise KL(J ‖ U) + Σ_k s_k KL(π_k ‖ J_k), s_k the strength of belief k.

    Dual: minimise log Z(θ) − Σ_e s_e π_e log θ_e over θ > 0; at the optimum θ_e = s_e π_e / J_e.
    Strictly convex, so the answer is unique, and every pattern keeps a positive probability.
    The steps are taken in φ = log θ, where the problem is still convex, because log Z grows with
    every θ_e, and has no boundary. Events with a stated probability that the hard beliefs leave
    no pattern for drop out: they add a constant (infinite) loss, whatever J is.
    """
    active = problem.possible
    pull = (problem.strength * problem.target)[active]
    strength = problem.strength[active]
    theta = np.zeros(problem.num_events)
    # Σ_e J_e θ_e is about s_k for each belief; taking s_k off θ keeps the exponents small.
    offset = float(sum(c.strength for c in problem.constraints))

    def value(phi: Floats) -> float:
        theta[active] = np.exp(phi) - strength
        return problem.joint(theta)[1] + offset - float(pull @ phi)

    def state(phi: Floats) -> _State:
        weights = np.exp(phi)
        theta[active] = weights - strength
        joint, log_z = problem.joint(theta)
        moments = problem.moments(joint)[np.ix_(active, active)]
        marginals = moments.diagonal()
        gradient = weights * marginals - pull
        covariance = moments - np.outer(marginals, marginals)
        # θJ = sπ at the optimum; the larger of the two keeps a step finite where J_e vanishes
        curvature = np.maximum(weights * marginals, pull)
        hessian = covariance * np.outer(weights, weights) + np.diag(curvature)
        error = float(np.abs(gradient / pull).max(initial=0.0))
        return _State(log_z + offset - float(pull @ phi), error, gradient, hessian)

    start = np.log(strength)  # there J = U
    phi, num_steps, has_converged = _newton(
        start, value, state, longest=LONGEST_SOFT, settled=np.inf
    )
    theta[active] = np.exp(phi)
    return Weights(theta, num_steps, has_converged)


def _newton(
    point: Floats,
    value: Callable[[Floats], float],
    state: Callable[[Floats], _State],
    *,
    longest: float,
    settled: float,
) -> tuple[Floats, int, bool]:
    """Damped Newton's method; returns (minimiser, steps taken, whether it converged).

    No step moves an unknown by more than ``longest``, and where it has converged the next one would
    by no more than ``settled``. Whoever runs away makes the error smaller by the same factor with
    every step of the same length; then rounding takes the curvature of that direction, or the
    steps, and what looks settled is not.
    """
    rank_when_near = 0
    for step in range(MAX_STEPS):
        current = state(point)
        direction, rank = _direction(current)
        next_step = float(np.abs(direction).max(initial=0.0))
        is_near = current.error < TOLERANCE
        if rank < rank_when_near or (not is_near and next_step == 0):
            return point, step, False
        if is_near and next_step <= settled:
            return point, step, True
        if is_near and rank_when_near == 0:
            rank_when_near = rank
        slope = float(current.gradient @ direction)
        length = min(1.0, longest / next_step)
        while True:
            change = value(point + length * direction) - current.value
            # Armijo's rule, relaxed by the rounding error of the objective near the optimum
            if change <= 1e-4 * length * slope + 1e-14 * (1 + abs(current.value)):
                break
            length /= 2
            if length < 1e-12:
                return point, step, current.error < STALLED and next_step <= settled
        point = point + length * direction
    return point, MAX_STEPS, current.error < STALLED and next_step <= settled


def _direction(state: _State) -> tuple[Floats, int]:
    """Newton's direction in the units of each event's own curvature, and the rank it rests on.

    The scaling keeps rare events as accurate as common ones. The Hessian may be singular (a
    constant added to all events of a belief cancels), so the least-norm solution is taken. Without
    a Hessian there is nowhere to go.
    """
    diagonal = state.hessian.diagonal()
    if not np.isfinite(state.hessian).all():
        return np.zeros_like(diagonal), 0
    # A certain event does not vary: it has no curvature, and nowhere to go.
    scale = np.zeros_like(diagonal)
    varies = diagonal > 0
    scale[varies] = 1 / np.sqrt(diagonal[varies])
    values, vectors = np.linalg.eigh(state.hessian * np.outer(scale, scale))
    is_kept = values > 1e-13 * values[-1:]
    inverse = np.where(is_kept, 1 / np.maximum(values, 1e-300), 0.0)
    direction: Floats = -scale * (vectors @ (inverse * (vectors.T @ (scale * state.gradient))))
    return direction, int(is_kept.sum())
