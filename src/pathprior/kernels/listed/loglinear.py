"""Scores and moments of a log-linear model on listed patterns of events."""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.inner import entry

Events = NDArray[np.int16]
Floats = NDArray[np.float64]


@entry
def add_scores(events: Events, theta: Floats, out: Floats) -> None:
    """Add ``Σ_k theta[events[c, k]]`` to ``out[c]`` for every pattern c."""
    num_patterns, num_beliefs = events.shape
    for c in range(num_patterns):
        total = out[c]
        for k in range(num_beliefs):
            total += theta[events[c, k]]
        out[c] = total


@entry
def add_marginals(events: Events, weights: Floats, out: Floats) -> None:
    """Add ``weights[c]`` to ``out[e]`` for every event e of every pattern c."""
    num_patterns, num_beliefs = events.shape
    for c in range(num_patterns):
        for k in range(num_beliefs):
            out[events[c, k]] += weights[c]


@entry
def add_moments(events: Events, weights: Floats, out: Floats) -> None:
    """Add ``weights[c]`` to ``out[e, f]`` for every ordered pair of events e, f of pattern c."""
    num_patterns, num_beliefs = events.shape
    for c in range(num_patterns):
        weight = weights[c]
        for k in range(num_beliefs):
            for j in range(num_beliefs):
                out[events[c, k], events[c, j]] += weight
