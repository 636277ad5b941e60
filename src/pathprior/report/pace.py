"""`Pace`: what of a report there is time for."""

from dataclasses import dataclass, field
from math import inf
from time import monotonic


@dataclass(slots=True)
class Pace:
    """By when all is to be written, and what was left out for it.

    Attributes
    ----------
    end
        A reading of `monotonic`.
    left_out
        Sentences on what there was no time for.
    """

    end: float = inf
    left_out: list[str] = field(default_factory=list)

    def allows(self, seconds: float, otherwise: str) -> bool:
        """Whether so many seconds are left; if not, what is left out is noted."""
        if monotonic() + seconds <= self.end:
            return True
        self.left_out.append(otherwise)
        return False
