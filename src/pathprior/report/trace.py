"""The course of a search: the score after each step, and what each step gained by."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pathprior.search.steps import Move, Step
from pathprior.search.support import Support

if TYPE_CHECKING:
    from pathprior.search.result import Fit

MARKERS = {
    Move.INSERT: "o",
    Move.REMOVE: "s",
    Move.REVERSE: "^",
    Move.SWAP: "D",
    Move.SHAKE: "X",
}
"""matplotlib's letter for each kind of step."""


ROUNDING = 1e-9
"""Turning a covered edge gains nothing, but two long sums may differ in their last digits."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Scores before the first step and after each, and which score each step raised."""

    scores: tuple[float, ...]
    moves: tuple[Move, ...]
    raised: tuple[Support, ...]

    @property
    def best(self) -> int:
        """Number of steps to the highest score; a tabu walk goes on past it."""
        highest = max(self.scores) - ROUNDING
        return next(k for k, score in enumerate(self.scores) if score >= highest)


def search_trace(fit: "Fit") -> Trace:
    """Read the trace off the steps of ``fit``."""
    start = fit.score
    if fit.steps:
        first = fit.steps[0]
        start = first.score - first.data_gain - first.prior_gain
    return Trace(
        scores=(start, *(step.score for step in fit.steps)),
        moves=tuple(step.move for step in fit.steps),
        raised=tuple(
            Support.of(data=step.data_gain > ROUNDING, beliefs=step.prior_gain > ROUNDING)
            for step in fit.steps
        ),
    )


def describe_step(number: int, step: Step) -> str:
    """Say one step in words."""
    edges = ", ".join(f"{parent} → {child}" for parent, child in step.edges)
    return (
        f"Step {number}: {step.move} {edges}; data {step.data_gain:+.2f}, "
        f"prior {step.prior_gain:+.2f}, score {step.score:,.2f}"
    )
