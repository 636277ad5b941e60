"""Scores and moments of a log-linear model on listed patterns of events."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Events = NDArray[np.int16]
Floats = NDArray[np.float64]


@njit(cache=True, nogil=True)
def add_scores(events: Events, theta: Floats, out: Floats) -> None:
    """Add ``Σ_k theta[events[c, k]]`` to ``out[c]`` for every pattern c."""
    num_patterns, num_beliefs = events.shape
    for c in range(num_patterns):
        total = out[c]
        for k in range(num_beliefs):
            total += theta[events[c, k]]
        out[c] = total


@njit(cache=True, nogil=True)
def add_marginals(events: Events, weights: Floats, out: Floats) -> None:
    """Add ``weights[c]`` to ``out[e]`` for every event e of every pattern c."""
    num_patterns, num_beliefs = events.shape
    for c in range(num_patterns):
        for k in range(num_beliefs):
            out[events[c, k]] += weights[c]


@njit(cache=True, nogil=True)
def add_moments(events: Events, weights: Floats, out: Floats) -> None:
    """Add ``weights[c]`` to ``out[e, f]`` for every ordered pair of events e, f of pattern c."""
    num_patterns, num_beliefs = events.shape
    for c in range(num_patterns):
        weight = weights[c]
        for k in range(num_beliefs):
            for j in range(num_beliefs):
                out[events[c, k], events[c, j]] += weight


@njit(cache=True, nogil=True)
def scale_through(events: Events, goal: Floats, joint: Floats, theta: Floats) -> None:
    """One IPFP sweep: scale ``joint`` to ``goal`` belief by belief, add log factors to ``theta``.

    Both change in place. Events without mass keep their factor 1.
    """
    num_patterns, num_beliefs = events.shape
    factor = np.ones(len(goal))
    lanes = np.zeros((4, len(goal)))  # four sums at a time: one would wait for its own last add
    for k in range(num_beliefs):
        lanes[:] = 0.0
        for c in range(num_patterns):
            if k > 0:
                joint[c] *= factor[events[c, k - 1]]
            lanes[c & 3, events[c, k]] += joint[c]
        for e in range(len(goal)):
            mass = lanes[0, e] + lanes[1, e] + lanes[2, e] + lanes[3, e]
            if mass > 0:
                factor[e] = goal[e] / mass
                theta[e] += np.log(factor[e])
    for c in range(num_patterns):
        joint[c] *= factor[events[c, num_beliefs - 1]]
