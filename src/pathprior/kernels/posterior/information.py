"""Mutual information of two relations, of which one is seen through a noisy channel."""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import popcount
from pathprior.kernels.graph.ancestors import NUM_RELATIONS, Words
from pathprior.kernels.inner import entry, inner


@entry
def count_common(first: Words, second: Words, common: NDArray[np.float64]) -> None:
    """Sizes of the intersections of two families of sets."""
    for i in range(first.shape[0]):
        for j in range(second.shape[0]):
            size = np.int64(0)
            for w in range(first.shape[1]):
                size += popcount(first[i, w] & second[j, w])
            common[i, j] = size


@inner
def surprise(probability: float) -> float:
    """−p log₂ p."""
    return -probability * np.log2(probability) if probability > 0.0 else 0.0


@entry
def fill_information(
    joint: NDArray[np.float64], channel: NDArray[np.float64], found: NDArray[np.float64]
) -> None:
    """Bits that each second relation, as it is seen, says about each first one.

    Parameters
    ----------
    joint
        Probabilities, by first pair and its relation, and by second pair and its relation.
    channel
        Probability of what is seen (columns) given the relation (rows).
    found
        By first and second pair.
    """
    num_seen = channel.shape[1]
    for t in range(found.shape[0]):
        for a in range(found.shape[1]):
            bits = 0.0
            for s in range(num_seen):
                column = 0.0
                for i in range(NUM_RELATIONS):
                    cell = 0.0
                    for j in range(NUM_RELATIONS):
                        p = joint[t * NUM_RELATIONS + i, a * NUM_RELATIONS + j]
                        cell += p * channel[j, s]
                    bits -= surprise(cell)
                    column += cell
                bits += surprise(column)
            for i in range(NUM_RELATIONS):
                row = 0.0
                for j in range(NUM_RELATIONS):
                    row += joint[t * NUM_RELATIONS + i, a * NUM_RELATIONS + j]
                bits += surprise(row)
            found[t, a] = bits
