"""Which beliefs the edge rules rule out."""

import warnings

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.errors import PathPriorWarning
from pathprior.graph.edge_rules import EdgeRules
from pathprior.graph.possible_ties import PossibleTies, blame
from pathprior.prior.path_prior import PathPrior

MAX_NAMED = 10
"""Most beliefs that one warning names."""


def warn_of_excluded_beliefs(rules: EdgeRules, prior: PathPrior) -> None:
    """Warn once of all beliefs of which the rules leave less than half of the probability."""
    if not rules.options:
        return
    possible = PossibleTies(rules)
    position = {name: v for v, name in enumerate(rules.variables)}
    excluded = []
    for belief in prior.beliefs:
        x, y = position[belief.x], position[belief.y]
        ties = excluded_ties(belief, possible.of(x, y))
        if ties:
            excluded.append(f"{belief.phrase}, ruled out by {blame(rules, x, y, ties)}")
    if excluded:
        more = f"; and {len(excluded) - MAX_NAMED} more" if len(excluded) > MAX_NAMED else ""
        warnings.warn(
            "the rules leave no graph in which these beliefs hold, whatever the data: "
            f"{'; '.join(excluded[:MAX_NAMED])}{more}; drop them or change the rules",
            PathPriorWarning,
            stacklevel=4,
        )


def excluded_ties(belief: Belief, is_possible: NDArray[np.bool_]) -> list[int]:
    """What is believed rather than not, if none of it is possible; else nothing."""
    pairs = list(zip(belief.events, belief.probabilities, strict=True))
    lost = [(event, p) for event, p in pairs if not is_possible[sorted(event)].any()]
    if sum(p for _, p in lost) <= 0.5:
        return []
    return sorted(tie for event, _ in lost for tie in event)
