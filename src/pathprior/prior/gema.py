"""GEMA: the paper's fit for incoherent beliefs (§6.2)."""

import numpy as np

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
    columns = np.ascontiguousarray(problem.events.T)
    possible = problem.possible
    target = np.where(possible, problem.target, 0.0)
    for sweep in range(MAX_SWEEPS):
        marginals = problem.marginals(joint)
        ratio = np.divide(target, marginals, out=np.zeros_like(target), where=possible)
        mean_ratio = ratio[columns[0]]
        for column in columns[1:]:
            mean_ratio += ratio[column]
        averaged = joint * mean_ratio
        goal = problem.marginals(averaged / averaged.sum())
        following = joint.copy()
        for k, column in enumerate(columns):
            mine = problem.owner == k
            current = np.bincount(column, weights=following, minlength=problem.num_events)
            factor = np.divide(goal, current, out=np.ones_like(goal), where=mine & possible)
            following *= factor[column]
            theta += np.log(factor)
        if np.abs(following - joint).max() < STOP:
            return Weights(theta, sweep + 1, has_converged=True)
        joint = following
    return Weights(theta, MAX_SWEEPS, has_converged=False)
