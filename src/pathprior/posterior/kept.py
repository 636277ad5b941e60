"""`KeptDraws`: what chains have drawn, thinned so that memory stays bounded."""

import numpy as np
from numpy.typing import NDArray

from pathprior.posterior.chains import Sampler
from pathprior.posterior.draws import Draws

ADDED = 250
"""Graphs of each chain that are kept of one addition."""
MOST = 16000
"""Graphs of each chain that are kept in all: at 100 variables about 100 MB for four chains."""


class KeptDraws:
    """Graphs of a sampler; where they get too many, every second one is dropped."""

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler
        self._stride = 1
        self._parents: list[NDArray[np.uint64]] = []
        self._scores: list[NDArray[np.float64]] = []

    @property
    def num_additions(self) -> int:
        """How many additions are kept; as many more double what the chains have done."""
        return len(self._parents)

    def add(self) -> None:
        """Let the chains go on, in steps as long as those between the graphs that are kept."""
        parents, scores = self._sampler.advance(ADDED * self._stride)
        # copies: a view would keep all that was drawn
        self._parents.append(parents[:, self._stride - 1 :: self._stride].copy())
        self._scores.append(scores[:, self._stride - 1 :: self._stride].copy())
        if len(self._parents) == MOST // ADDED:  # an even number
            parents, scores = np.concatenate(self._parents, 1), np.concatenate(self._scores, 1)
            parts = len(self._parents) // 2
            self._parents = np.split(parents[:, 1::2].copy(), parts, axis=1)
            self._scores = np.split(scores[:, 1::2].copy(), parts, axis=1)
            self._stride *= 2

    def draws(self, variables: tuple[str, ...]) -> Draws:
        """The graphs that are kept."""
        parents, scores = np.concatenate(self._parents, 1), np.concatenate(self._scores, 1)
        return Draws(variables, parents, scores)
