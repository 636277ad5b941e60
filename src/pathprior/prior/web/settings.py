"""How far a web fit goes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WebSettings:
    """How far a web fit goes."""

    tolerance: float = 0.02
    """Largest gap to leave between an event's probability and what the fit's equations want."""
    time_limit: float = 600.0
    """Seconds after which the fit stops with what it has."""
    seed: int = 0
    num_jobs: int = 1
    """Chains, and cycles of beliefs, at a time; all the same for the result."""
