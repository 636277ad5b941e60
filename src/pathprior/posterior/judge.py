"""`Judge`: the probability of what graphs say, with its error, whichever way they were obtained."""

from dataclasses import dataclass, replace
from math import inf
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from pathprior.posterior.diagnostics import Diagnostics, diagnose, diagnose_indicators
from pathprior.posterior.draws import Draws
from pathprior.posterior.settling import MAX_R_HAT

FEWEST_DRAWS = 100
"""Draws of a chain below which it shows no more than one draw would."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Averages over draws, and what they are worth.

    Attributes
    ----------
    effective_samples
        Those of the score, which stand in where an indicator never varies.
    """

    draws: Draws
    effective_samples: float

    def indicators(self, series: NDArray[np.bool_]) -> Diagnostics:
        """Probabilities of what is true or false in each graph, by chain, draw and quantity."""
        if self.draws.is_exact:
            return self._counted(series)
        return diagnose_indicators(series, self.effective_samples)

    def numbers(self, series: NDArray[np.float64]) -> Diagnostics:
        """Means of numbers that each graph has, by chain, draw and quantity."""
        return self._counted(series) if self.draws.is_exact else diagnose(series)

    def _counted(self, series: NDArray[np.bool_] | NDArray[np.float64]) -> Diagnostics:
        size = series.shape[2]
        mean = self.draws.average(series.reshape(self.draws.scores.size, size))
        return Diagnostics(mean, np.zeros(size), np.ones(size), np.full(size, np.inf))


def make_judge(draws: Draws) -> Judge:
    """Judge ``draws``; if every graph was weighed there is nothing to doubt."""
    if draws.is_exact:
        return Judge(draws, np.inf)
    return Judge(draws, float(diagnose(draws.scores[:, :, None]).effective_samples[0]))


def judge_unsettled(draws: Draws, end: float = inf) -> Judge:
    """Judge draws of chains that were stopped before they had settled.

    Scores may agree where the graphs do not, as those of equivalent ones: what never varies counts
    no more draws than the worst of the edges on which chains disagree, and than there are chains
    where the edges were not looked at by ``end``, a reading of `monotonic`.
    """
    judge = make_judge(draws)
    fewest = [judge.effective_samples]
    if draws.num_draws < FEWEST_DRAWS:
        fewest.append(draws.num_chains)
    for child in range(len(draws.variables)):
        if monotonic() > end:
            fewest.append(draws.num_chains)
            break
        found = judge.indicators(draws.edges_into(child))
        fewest += found.effective_samples[found.r_hat > MAX_R_HAT].tolist()
    return replace(judge, effective_samples=float(np.min(fewest)))
