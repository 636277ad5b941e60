"""How many parents a variable is expected to have, and the base measure that this means."""

from dataclasses import dataclass
from typing import Literal

from pathprior.counting.base import UNIFORM, edge_odds_for, expected_edges, is_number
from pathprior.errors import CountingError

AUTO: Literal["auto"] = "auto"

TYPICAL_PARENTS = 1.0
"""Parents of a variable on average where nobody says how many; see docs/base.md."""

ExpectedParents = float | Literal["auto"] | None
"""A number; ``"auto"`` for the typical one; None for DAGs that are all alike."""


@dataclass(frozen=True, slots=True)
class Base:
    """The base measure P₀(G) ∝ β^edges, against which beliefs are measured.

    Attributes
    ----------
    expected_parents
        Mean number of parents of a variable; None where all DAGs are alike.
    edge_odds
        β, what each edge multiplies the weight of a DAG by.
    """

    expected_parents: float | None = None
    edge_odds: float = UNIFORM


def make_base(expected_parents: ExpectedParents, num_nodes: int) -> Base:
    """The base measure on ``num_nodes`` variables that ``expected_parents`` asks for.

    ``"auto"`` is never denser than DAGs that are all alike, which is what few variables get.
    """
    if expected_parents is None:
        return Base()
    if expected_parents == AUTO:
        if num_nodes < 2 or expected_edges(num_nodes, UNIFORM) <= TYPICAL_PARENTS * num_nodes:
            return Base()
        return Base(TYPICAL_PARENTS, edge_odds_for(num_nodes, TYPICAL_PARENTS))
    if not is_number(expected_parents):
        raise CountingError(
            f"expected_parents is {expected_parents!r}; give the number of parents that a "
            "variable has on average, 'auto', or None for DAGs that are all alike"
        )
    odds = edge_odds_for(num_nodes, expected_parents)
    return Base(float(expected_parents), odds)
