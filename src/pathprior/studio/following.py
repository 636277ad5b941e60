"""`Following`: graphs within the tiers, for what beliefs imply and what to ask next."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import Event
from pathprior.counting.expected_parents import Base
from pathprior.graph.alphabets import Alphabets
from pathprior.prior.path_prior import PathPrior
from pathprior.prior.reference import tie_probabilities
from pathprior.studio.graph_pool import Drawn, GraphPool, num_records
from pathprior.studio.implied import Usual, implied_pairs, questions
from pathprior.studio.within import Within

Floats = NDArray[np.float64]


class Following:
    """Graphs that keep the tiers, beside how probable all is there without any belief.

    Without tiers the latter is known; with them it is drawn first, for so many ``seconds``.
    """

    def __init__(
        self,
        variables: Sequence[str],
        base: Base,
        alphabets: Alphabets,
        within: Within | None,
        seconds: float,
    ) -> None:
        self._variables = variables
        size = len(variables)
        barred = None if within is None else within.barred
        self.pool = GraphPool(size, base.edge_odds, alphabets=alphabets, barred=barred)
        if within is None:
            ties = tie_probabilities(size, base.edge_odds)
            self.usual: Usual = partial(_everywhere, ties, len(self.pool.pairs))
            self.unweighed: Drawn | None = None
        else:
            self.unweighed = self.draw(self.pool.no_field(), seconds)
            self.usual = self.unweighed.share

    def draw(self, field: Floats, seconds: float) -> Drawn:
        """Graphs under log weights by pair, drawn in about so much time."""
        return self.pool.draw(field, num_records(len(self._variables), seconds))

    def draw_of(self, prior: PathPrior, seconds: float) -> Drawn:
        """Graphs under the weights of a prior."""
        return self.draw(self.pool.field_of(prior.pairs, prior.log_weights), seconds)

    def implied(self, drawn: Drawn, spoken: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
        """What beliefs on the pairs ``spoken`` imply for others: nothing where there are none."""
        return implied_pairs(drawn, self._variables, self.usual, spoken) if spoken else []

    def questions(self, drawn: Drawn, spoken: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
        """What to ask next."""
        return questions(drawn, self._variables, spoken)


def _everywhere(ties: Floats, num_pairs: int, event: Event) -> tuple[Floats, Floats]:
    """The probability of an event that is the same for all pairs, and known."""
    return np.full(num_pairs, ties[sorted(event.ties)].sum()), np.zeros(num_pairs)
