"""`LearnSettings`: what a search was asked to do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LearnSettings:
    """The options of one `learn` call that its result depends on, as they were given.

    Attributes
    ----------
    score
        The name of the score, or the representation of a score object.
    """

    score: str
    equivalent_sample_size: float
    search: str
    swap_equivalent: bool | None
    max_parents: int | None
    required: tuple[tuple[str, str], ...]
    forbidden: tuple[tuple[str, str], ...]
    tiers: tuple[tuple[str, ...], ...]
    start: tuple[tuple[str, str], ...] | None
    tabu: int | None
    restarts: int
    seed: int
