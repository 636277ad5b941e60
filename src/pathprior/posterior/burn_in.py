"""`BurnIn`: when a chain has left its start behind."""

import numpy as np
from numpy.typing import NDArray

from pathprior.posterior.array_records import Arrays

FIRST_ROUND = 100
"""Draws of the first round; each further one is twice as long."""
MAX_ROUNDS = 6
LOW = 0.05
"""Share of the reference's scores below the level that other chains must reach."""


class BurnIn:
    """Rounds of one chain, each twice as long as the one before, whose graphs do not count.

    The last is the one whose second half scores no higher than the first by more than a standard
    deviation, and reaches the level asked for; at most `MAX_ROUNDS`.

    Attributes
    ----------
    is_over
        Whether the last round is done.
    level
        A low level of the scores of the last round.
    """

    def __init__(self) -> None:
        self.is_over = False
        self.level = -np.inf
        self._round = 0
        self._scores = np.empty(0)

    def take(self, scores: NDArray[np.float64], least: float) -> None:
        """Take note of the scores of `FIRST_ROUND` further draws; ``least`` is what to reach."""
        self._scores = np.concatenate([self._scores, scores])
        if len(self._scores) < FIRST_ROUND << self._round:
            return
        early, late = np.split(self._scores, 2)
        is_level = late.mean() - early.mean() <= late.std() and np.median(late) >= least
        self._round += 1
        self._scores = np.empty(0)
        self.is_over = bool(is_level) or self._round == MAX_ROUNDS
        self.level = float(np.quantile(late, LOW))

    def state(self) -> Arrays:
        """All that `restore` needs."""
        return {
            "is_over": np.array(self.is_over),
            "level": np.array(self.level),
            "round": np.array(self._round),
            "scores": self._scores,
        }

    def restore(self, state: Arrays) -> None:
        """Go back to where `state` was asked for."""
        self.is_over = bool(state["is_over"])
        self.level = float(state["level"])
        self._round = int(state["round"])
        self._scores = state["scores"]
