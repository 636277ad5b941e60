"""`LearnSettings`: what a search was asked to do, and what that came to."""

from dataclasses import dataclass

import numpy as np

from pathprior.counting.expected_parents import ExpectedParents
from pathprior.errors import SearchError

EFFORTS = ("quick", "default", "thorough")
"""How long the search goes on, see `pathprior.search.effort`."""
SEARCHES = ("auto", "equivalence", "guided", "turning", "greedy", "exact")

MAX_RESTARTS = 10**6
"""Most restarts, and most shakes: beyond it a search would not end."""

MOST_SECONDS = 1e9
"""Longest time limit, of thirty years: a clock cannot count on for ever."""

MAX_TABU = 1000
"""Longest tabu list: a longer walk only makes graphs denser, and each step dearer."""


@dataclass(frozen=True, slots=True)
class LearnSettings:
    """The options of one `learn` call that its result depends on.

    Attributes
    ----------
    reliability
        The sources whose reliability was given, with a and b of Beta(a, b).
    kinds
        The columns that were declared, by name, with their kinds.
    interventions
        The column that says what was set; None without one, or where it was said otherwise.
    score
        The name of the score, or the representation of a score object.
    """

    reliability: tuple[tuple[str, tuple[float, float]], ...]
    kinds: tuple[tuple[str, str], ...]
    interventions: str | None
    interventions_kind: str
    missing: str
    score: str
    equivalent_sample_size: float
    expected_parents: ExpectedParents
    search: str
    swap_equivalent: bool | None
    max_parents: int | None
    required: tuple[tuple[str, str], ...]
    forbidden: tuple[tuple[str, str], ...]
    tiers: tuple[tuple[str, ...], ...]
    constant_columns: str
    start: tuple[tuple[str, str], ...] | None
    tabu: int | None
    shakes: int | None
    restarts: int
    effort: str
    time_limit: float | None
    seed: int


def check_settings(settings: LearnSettings, num_jobs: int) -> None:
    """Raise if an option has a value that it cannot have, whatever the data."""
    if settings.search not in SEARCHES:
        raise SearchError(
            f"unknown search {settings.search!r}: choose one of {', '.join(SEARCHES)}"
        )
    if settings.effort not in EFFORTS:
        raise SearchError(f"unknown effort {settings.effort!r}: choose one of {', '.join(EFFORTS)}")
    check_time_limit(settings.time_limit)
    for name in ("tabu", "shakes", "restarts", "seed"):
        value = getattr(settings, name)
        if name in ("tabu", "shakes") and value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
            raise SearchError(f"{name} must be a whole number of at least 0, not {value!r}")
    if settings.tabu is not None and settings.tabu > MAX_TABU:
        raise SearchError(
            f"tabu must be at most {MAX_TABU}, not {settings.tabu}: a longer walk leads to dense "
            "graphs only; to search further, ask for restarts"
        )
    for name in ("shakes", "restarts"):
        if (getattr(settings, name) or 0) > MAX_RESTARTS:
            raise SearchError(
                f"{name} must be at most {MAX_RESTARTS}, not {getattr(settings, name)}"
            )
    if not isinstance(num_jobs, int | np.integer) or num_jobs < -1 or num_jobs == 0:
        raise SearchError(
            f"num_jobs is {num_jobs!r}; give a number of threads, or −1 for all processors"
        )


def check_time_limit(time_limit: float | None) -> None:
    """Raise unless it is None or a positive number of seconds, at most `MOST_SECONDS`."""
    is_number = isinstance(time_limit, int | float | np.number) and not isinstance(time_limit, bool)
    if time_limit is not None and not (is_number and 0 < time_limit <= MOST_SECONDS):
        raise SearchError(
            f"time_limit must be a positive number of seconds, or None, not {time_limit!r}"
        )
