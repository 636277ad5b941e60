"""GEMA: the paper's fit for incoherent beliefs (§6.2)."""

import numpy as np

from pathprior.kernels.loglinear import add_scores, scale_through
from pathprior.prior.newton import Weights
from pathprior.prior.problem import Problem

STOP = 1e-6
MAX_SWEEPS = 100_000


def fit_gema(problem: Problem) -> Weights:
    """Average the beliefs' own corrections, then scale once through the averaged marginals.

    From Q (at first U): Q_k = Q scaled to belief k's marginal; S = Σ_k Q_k / K; one IPFP sweep from
    Q onto the marginals of S gives the next Q. Stop when max |Q_next − Q| < 1e-6. It descends
    Σ_k KL(π_k ‖ Q_k) / K, whose minimiser for incoherent beliefs gives some valid configurations
    probability zero; the paper's numbers are those of this early stop.
    Each sweep costs O(patterns · beliefs).
    """
    theta = np.zeros(problem.num_events)
    joint = problem.reference / problem.reference.sum()
    possible = problem.possible
    for sweep in range(MAX_SWEEPS):
        ratio = np.zeros_like(theta)
        np.divide(problem.target, problem.marginals(joint), out=ratio, where=possible)
        averaged = np.zeros_like(joint)
        add_scores(problem.events, ratio, averaged)
        averaged *= joint
        goal = problem.marginals(averaged / averaged.sum())
        following = joint.copy()
        scale_through(problem.events, goal, following, theta)
        if np.abs(following - joint).max() < STOP:
            return Weights(theta, sweep + 1, has_converged=True)
        joint = following
    return Weights(theta, MAX_SWEEPS, has_converged=False)
