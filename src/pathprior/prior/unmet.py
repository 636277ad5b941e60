"""`Unmet`: beliefs that a fit misses, though no conflict of them is known."""

from dataclasses import dataclass

from pathprior.beliefs.belief import Belief


@dataclass(frozen=True, slots=True)
class Unmet:
    """Some beliefs of one part that a fit has missed, and why that may be.

    Attributes
    ----------
    beliefs
        Those that were missed.
    missed
        What was stated and what became of it, in words; of many the widest gaps.
    reason
        Why, and what to do about it.
    """

    beliefs: tuple[Belief, ...]
    missed: str
    reason: str

    @property
    def sentence(self) -> str:
        """What was missed and why."""
        return f"not met as stated: {self.missed}; {self.reason}"
