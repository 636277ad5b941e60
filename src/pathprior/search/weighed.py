"""`WeighedScore`: a score that was weighed against others, and in words what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WeighedScore:
    """A score of real columns, and its evidence in nats."""

    name: str
    evidence: float


def weighed_line(weighed: Sequence[WeighedScore]) -> str:
    """Which score was chosen, and by how much."""
    first, *others = weighed
    gaps = [f"{one.name} by {first.evidence - one.evidence:,.1f}" for one in others]
    return f"{first.name} explains these columns better than {', '.join(gaps)} nats."
