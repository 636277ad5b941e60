"""What stands beside a number: its Monte Carlo error, and that it has not settled."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import RELATION_EVENTS, Event
from pathprior.beliefs.evidence import NOT_SETTLED

if TYPE_CHECKING:
    from pathprior.network.draw_summary import DrawnEffect

LIKELY = 0.5
"""Probability of no path from which it is said what rows could have shown."""
UNSETTLED_PATHS = (
    "Grey cells have not settled: the chains do not agree on them, or were not compared."
)
TAG = f'<small class="unsettled">{NOT_SETTLED}</small>'


def error_cell(error: object, is_settled: object) -> str:
    """A cell of a table of errors; an error that there was no time for is NaN."""
    if error != error:
        return NOT_SETTLED
    return f"{error:.3f}" if is_settled else f"{error:.3f}, {NOT_SETTLED}"


def error_note(error: object, is_settled: object, *, is_exact: bool) -> str:
    """What follows a probability on a page; nothing where every graph was weighed."""
    if is_exact:
        return ""
    known = "" if error != error else f" ± {error:.3f}"
    return known + ("" if is_settled else TAG)


def no_effect(effect: "DrawnEffect") -> str:
    """How probable it is that no path leads from x to y, and what rows could have shown."""
    none = f"No detectable effect: probability {effect.probability_of_none:.3f}."
    is_silent = effect.detection is not None and not effect.detection.is_seen
    if effect.detection is not None and is_silent and effect.probability_of_none >= LIKELY:
        none += f" {effect.detection.sentence}"
    if effect.is_settled:
        return none
    return f"{none} Not settled: the chains do not agree on whether {effect.x} causes {effect.y}."


def settled_matrix(relations: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    """Whether the probability that i causes j has settled at ``[i, j]``, by those of all pairs."""
    matrix = np.ones((size, size), dtype=bool)
    x, y = np.triu_indices(size, k=1)
    matrix[x, y] = relations[:, RELATION_EVENTS.index(Event.CAUSES)]
    matrix[y, x] = relations[:, RELATION_EVENTS.index(Event.CAUSED_BY)]
    return matrix
