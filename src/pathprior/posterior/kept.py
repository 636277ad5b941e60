"""`KeptDraws`: what chains have drawn, thinned so that memory stays bounded."""

import numpy as np
from numpy.typing import NDArray

from pathprior.posterior.array_records import Arrays
from pathprior.posterior.chains import Sampler
from pathprior.posterior.draws import Draws

FIRST = 250
"""Draws of each chain after which it is first read what has settled."""
MOST = 64 * FIRST
"""Graphs of each chain that are kept in all: at 100 variables about 100 MB for four chains."""


class KeptDraws:
    """Graphs of a sampler; where they get too many, every second one is dropped.

    Attributes
    ----------
    num_drawn
        Draws of each chain so far, kept or not.
    """

    def __init__(self, sampler: Sampler) -> None:
        self.num_drawn = 0
        self._sampler = sampler
        self._stride = 1
        self._parents: list[NDArray[np.uint64]] = []
        self._scores: list[NDArray[np.float64]] = []

    def add_up_to(self, target: int) -> None:
        """Let the chains go on, by a few draws; ``target`` is `FIRST` times a power of two."""
        num_draws = min(self._sampler.at_a_time, target - self.num_drawn)
        parents, scores = self._sampler.advance(num_draws)
        # the graphs whose numbers, from 1, the stride divides
        first = (self._stride - 1 - self.num_drawn) % self._stride
        # copies: a view would keep all that was drawn
        self._parents.append(parents[:, first :: self._stride].copy())
        self._scores.append(scores[:, first :: self._stride].copy())
        self.num_drawn += num_draws
        if self.num_drawn == MOST * self._stride:
            self._parents = [np.concatenate(self._parents, 1)[:, 1::2].copy()]
            self._scores = [np.concatenate(self._scores, 1)[:, 1::2].copy()]
            self._stride *= 2

    def draws(self, variables: tuple[str, ...]) -> Draws:
        """The graphs that are kept."""
        parents, scores = np.concatenate(self._parents, 1), np.concatenate(self._scores, 1)
        return Draws(variables, parents, scores)

    def state(self) -> Arrays:
        """Where the chains are, and what is kept."""
        found = self._sampler.state()
        found |= {"num_drawn": np.array(self.num_drawn), "stride": np.array(self._stride)}
        if self.num_drawn:
            found["parents"] = np.concatenate(self._parents, 1)
            found["scores"] = np.concatenate(self._scores, 1)
        return found

    def misfit(self, state: Arrays) -> str | None:
        """Name an array of a state that cannot be of these chains, if there is one."""
        expected = self._sampler.state()
        expected |= {"num_drawn": np.array(self.num_drawn), "stride": np.array(self._stride)}
        if (name := _unlike(expected, state)) is not None:
            return name
        num_drawn, stride = int(state["num_drawn"]), int(state["stride"])
        if num_drawn < 0 or stride < 1:
            return "stride"
        if num_drawn:
            graph = expected["chain0.graph.parents"].shape
            shape = self._sampler.num_chains, num_drawn // stride
            expected["parents"] = np.empty((*shape, *graph), np.uint64)
            expected["scores"] = np.empty(shape)
        return _unlike(expected, state) or next(iter(sorted(state.keys() - expected.keys())), None)

    def restore(self, state: Arrays) -> None:
        """Go back to where `state` was asked for."""
        self._sampler.restore(state)
        self.num_drawn = int(state["num_drawn"])
        self._stride = int(state["stride"])
        self._parents = [state["parents"]] if self.num_drawn else []
        self._scores = [state["scores"]] if self.num_drawn else []


def _unlike(expected: Arrays, state: Arrays) -> str | None:
    """The first that is missing, or of another shape or kind; scores of a round are ever more."""
    for name, array in expected.items():
        found = state.get(name)
        is_open = name.startswith("burn_in") and array.ndim == 1
        if (
            found is None
            or found.dtype != array.dtype
            or (found.ndim != 1 if is_open else found.shape != array.shape)
        ):
            return name
    return None


def next_reading(num_drawn: int) -> int:
    """The first of `FIRST`, twice, four times `FIRST`, … that is not below ``num_drawn``."""
    target = FIRST
    while target < num_drawn:
        target *= 2
    return target
