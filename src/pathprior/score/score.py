"""What a search needs of a score: `Score`, which binds to data, and `Scorer`, which answers.

A new score is one file with these two classes, and a line in `pathprior.score.named` if it is to
have a name. A `Scorer` without a kernel is asked family by family in Python, by every search. With
a kernel (see `pathprior.kernels.data.columns`) the searches run compiled.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.graph.dag import Dag
from pathprior.kernels.data.columns import Kernel
from pathprior.network.conditionals import Conditional
from pathprior.network.model import Network

Drawer = Callable[[int, Sequence[int], int, np.random.Generator], Conditional]
"""Draws the parameters of one family, a child and its parents in order, from what some rows say of
them: those of a stratum, by its number in `pathprior.data.strata.find_strata`."""


class Scorer(ABC):
    """A decomposable score of DAGs on one data set: the sum of its families' local scores."""

    @property
    @abstractmethod
    def is_score_equivalent(self) -> bool:
        """Whether Markov-equivalent graphs always score alike."""

    @property
    def may_walk_classes(self) -> bool:
        """Whether the default search may move between equivalence classes.

        Not where the best graphs are full, and their cliques too many to be listed.
        """
        return self.is_score_equivalent and not self.never_falls

    @property
    def never_falls(self) -> bool:
        """Whether an edge never lowers the score, so that only a limit ends a search."""
        return False

    @property
    def may_rule_out(self) -> bool:
        """Whether some family may score −∞."""
        return True

    @abstractmethod
    def local(self, child: int, parents: Sequence[int]) -> float:
        """Score of one family, by column numbers; −∞ rules it out."""

    @property
    def lister(self) -> "Scorer":
        """What says which parent sets are good enough to be proposed: itself, or what is quicker.

        Its columns are asked for all that one parent more would bring.
        """
        return self

    @property
    def has_guides(self) -> bool:
        """Whether there are `guides`."""
        return False

    def guides(self) -> Iterator["Scorer"]:
        """Scorers like this one that are score-equivalent: where they lead a climb may begin."""
        return iter(())

    def kernel(self) -> Kernel | None:
        """A new kernel with scratch of its own, so that searches can run side by side."""
        return None

    @property
    def prior_rows(self) -> float | None:
        """How many rows its own prior on parameters is worth, if it has one."""
        return None

    @property
    def tables(self) -> str:
        """By which score tables of states are drawn for effects, see `pathprior.score.table_draws`.

        The prior of BDeu, worth `prior_rows`, serves every score that has none for effects.
        """
        return "bdeu"

    def draw_seen(
        self, child: int, parents: Sequence[int], generator: np.random.Generator
    ) -> tuple[int, ...]:
        """Draw which parents have an effect in these rows: all, where a score knows no others."""
        return tuple(parents)

    def drawer(self) -> Drawer | None:
        """What draws parameters, if this is the marginal likelihood of a model that has some."""
        return None

    @abstractmethod
    def estimate(self, dag: Dag, *, equivalent_sample_size: float) -> Network:
        """The network on ``dag`` with the parameters that the data imply.

        ``equivalent_sample_size`` is the weight of a prior on them, if there is one.
        """


class Score(Protocol):
    """A score before it has seen data."""

    def bind(self, dataset: Dataset) -> Scorer:
        """Prepare the score for one data set, or say what it cannot take."""
        ...
