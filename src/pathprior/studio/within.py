"""`Within`: what tiers leave possible to beliefs, to sliders and to graphs that are drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.event import Event
from pathprior.beliefs.statement import Statement
from pathprior.graph.edge_rules import EdgeRules, make_edge_rules
from pathprior.graph.possible_ties import PossibleTies
from pathprior.graph.tie import ALL_TIES
from pathprior.problem.possible import excluded_ties

Tiers = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Within:
    """The rules of some tiers: no edge goes from a later to an earlier one.

    Attributes
    ----------
    tiers
        Variables in tiers, the earliest first; the others are free.
    barred
        ``[u, v]`` says that u → v may not be.
    rules
        The same as rules for edges.
    """

    tiers: Tiers
    barred: NDArray[np.bool_]
    rules: EdgeRules
    _position: dict[str, int]
    _possible: PossibleTies

    @classmethod
    def of(cls, variables: Sequence[str], tiers: Tiers) -> "Within":
        """What ``tiers`` say of ``variables``, all of those in tiers among them."""
        rules = make_edge_rules(variables, tiers=tiers)
        barred = rules.forbidden & ~np.eye(len(variables), dtype=bool)
        position = {name: v for v, name in enumerate(variables)}
        return cls(tiers, barred, rules, position, PossibleTies(rules))

    def possible(self, x: str, y: str) -> NDArray[np.bool_]:
        """Say for each tie whether x and y can have it."""
        return self._possible.of(self._position[x], self._position[y])

    def speaks_against(self, belief: Belief) -> bool:
        """Whether some of a belief is on what no graph has."""
        possible = self.possible(belief.x, belief.y)
        events = zip(belief.events, belief.probabilities, strict=True)
        return any(p > 0 and not possible[sorted(event)].any() for event, p in events)

    def share(self, belief: Belief, event: Event) -> float | None:
        """0 or 1 for what the tiers decide of a belief's pair; else None."""
        possible = self.possible(belief.x, belief.y)
        if not possible[sorted(event.ties)].any():
            return 0.0
        return None if possible[sorted(ALL_TIES - event.ties)].any() else 1.0

    def clash(self, belief: Belief) -> str | None:
        """Why a belief cannot hold: more than half of it is on what no graph has; else None."""
        if isinstance(belief, Statement) or not excluded_ties(
            belief, self.possible(belief.x, belief.y)
        ):
            return None
        return (
            f"{belief.phrase} cannot hold within the tiers: {belief.x!r} is in "
            f"{self._tier_of(belief.x)} and {belief.y!r} in {self._tier_of(belief.y)}, and nothing "
            "is caused by what comes later"
        )

    def _tier_of(self, name: str) -> str:
        found = (k for k, tier in enumerate(self.tiers, start=1) if name in tier)
        number = next(found, None)
        return "no tier" if number is None else f"tier {number}"
