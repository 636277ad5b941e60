"""`BurnIn`: when a chain has left its start behind."""

import numpy as np
from numpy.typing import NDArray

from pathprior.posterior.array_records import Arrays

FIRST_ROUND = 100
"""Draws of the first round; each further one is twice as long."""
MAX_ROUNDS = 6
PATIENCE = 3
"""Rounds after which a chain that is level below what it should reach begins again."""
MAX_RESTARTS = 4
"""How often a chain begins again; the last start stays."""
LOW = 0.05
"""Share of the reference's scores below the level that other chains must reach."""


class BurnIn:
    """Rounds of one chain, each twice as long as the one before, whose graphs do not count.

    The last is the one whose second half scores no higher than the first by more than a standard
    deviation, and reaches the level asked for; at most `MAX_ROUNDS`. A chain that hangs below that
    level, though it rises no more, begins again elsewhere.

    Attributes
    ----------
    is_over
        Whether the last round is done.
    was_cut
        Whether that is so for want of rounds: the chain still rose, or hung below the level.
    level
        A low level of the scores of the last round.
    num_restarts
        How often the chain began again.
    """

    def __init__(self) -> None:
        self.is_over = False
        self.was_cut = False
        self.level = -np.inf
        self.num_restarts = 0
        self._round = 0
        self._scores = np.empty(0)

    def take(self, scores: NDArray[np.float64], least: float) -> bool:
        """Take note of the scores of further draws; ``least`` is what to reach.

        So many at a time that rounds end with them.

        Returns whether the chain is to begin again.
        """
        self._scores = np.concatenate([self._scores, scores])
        if len(self._scores) < FIRST_ROUND << self._round:
            return False
        early, late = np.split(self._scores, 2)
        self._round += 1
        self._scores = np.empty(0)
        self.level = float(np.quantile(late, LOW))
        is_level = bool(late.mean() - early.mean() <= late.std())
        hangs = bool(np.median(late) < least)
        if is_level and hangs and self._round >= PATIENCE and self.num_restarts < MAX_RESTARTS:
            self.num_restarts += 1
            self._round = 0
            return True
        is_done = is_level and not hangs
        self.is_over = is_done or self._round == MAX_ROUNDS
        self.was_cut = self.is_over and not is_done
        return False

    def state(self) -> Arrays:
        """All that `restore` needs."""
        return {
            "is_over": np.array(self.is_over),
            "was_cut": np.array(self.was_cut),
            "level": np.array(self.level),
            "num_restarts": np.array(self.num_restarts),
            "round": np.array(self._round),
            "scores": self._scores,
        }

    def restore(self, state: Arrays) -> None:
        """Go back to where `state` was asked for."""
        self.is_over = bool(state["is_over"])
        self.was_cut = bool(state["was_cut"])
        self.level = float(state["level"])
        self.num_restarts = int(state["num_restarts"])
        self._round = int(state["round"])
        self._scores = state["scores"]
