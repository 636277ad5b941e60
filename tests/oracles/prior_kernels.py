"""The log-linear kernels as dictionary sums over patterns."""

import numpy as np
from numpy.typing import NDArray


def scores(events: NDArray[np.int16], theta: NDArray[np.float64]) -> list[float]:
    """Σ_k theta[events[c, k]] for every pattern c."""
    return [sum(float(theta[e]) for e in row) for row in events]


def marginals(
    events: NDArray[np.int16], weights: NDArray[np.float64], num_events: int
) -> list[float]:
    """Weight of the patterns that have each event."""
    return [
        sum(float(w) for row, w in zip(events, weights, strict=True) if e in row)
        for e in range(num_events)
    ]


def moments(
    events: NDArray[np.int16], weights: NDArray[np.float64], num_events: int
) -> list[list[float]]:
    """Weight of the patterns that have each two events."""
    return [
        [
            sum(float(w) for row, w in zip(events, weights, strict=True) if e in row and f in row)
            for f in range(num_events)
        ]
        for e in range(num_events)
    ]


def sweep(
    events: NDArray[np.int16], goal: NDArray[np.float64], joint: NDArray[np.float64]
) -> tuple[list[float], list[float]]:
    """One IPFP sweep; returns the joint and the log factor of each event."""
    current = [float(p) for p in joint]
    log_factors = [0.0] * len(goal)
    for k in range(events.shape[1]):
        mass: dict[int, float] = {}
        for row, p in zip(events, current, strict=True):
            mass[int(row[k])] = mass.get(int(row[k]), 0.0) + p
        for e, total in mass.items():
            log_factors[e] += float(np.log(goal[e] / total))
        current = [
            p * float(goal[row[k]]) / mass[int(row[k])]
            for row, p in zip(events, current, strict=True)
        ]
    return current, log_factors


def gema_sweep(
    events: NDArray[np.int16], target: NDArray[np.float64], joint: NDArray[np.float64]
) -> tuple[list[float], list[float]]:
    """One step of GEMA: `sweep` onto the marginals of the average of the scaled joints."""
    num_beliefs = events.shape[1]
    mass = marginals(events, joint, len(target))
    averaged = np.zeros(len(joint))
    for k in range(num_beliefs):
        factor = np.array([target[row[k]] / mass[int(row[k])] for row in events])
        averaged += joint * factor / num_beliefs
    averaged /= averaged.sum()
    return sweep(events, np.array(marginals(events, averaged, len(target))), joint)
