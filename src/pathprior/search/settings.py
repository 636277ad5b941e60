"""`LearnSettings`: what a search was asked to do, and what that came to."""

from dataclasses import dataclass

import numpy as np

from pathprior.errors import PathPriorError, SearchError
from pathprior.problem.forms import Choice, Positive, Switch, Whole
from pathprior.problem.listed_forms import Edges
from pathprior.problem.options import Group, option
from pathprior.problem.settings import ProblemSettings

EFFORTS = ("quick", "default", "thorough")
"""How long the search goes on, see `pathprior.search.effort`."""
SEARCHES = ("auto", "equivalence", "guided", "turning", "greedy", "exact")

CLASS, DATA = "class", "data"
DIRECTIONS = (CLASS, DATA)
"""Who chooses among equivalent graphs, see `pathprior.search.directions`."""

MAX_RESTARTS = 10**6
"""Most restarts, and most shakes: beyond it a search would not end."""

MOST_SECONDS = 1e9
"""Longest time limit, of thirty years: a clock cannot count on for ever."""

MAX_TABU = 1000
"""Longest tabu list: a longer walk only makes graphs denser, and each step dearer."""
LONG_WALK = ": a longer walk leads to dense graphs only; to search further, ask for restarts"


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnSettings(ProblemSettings):
    """The options of one `learn` call that its result depends on."""

    search: str = option(
        "auto",
        Choice(names=SEARCHES),
        Group.SEARCH,
        "equivalence, guided, turning, greedy or exact; auto: the best quick one.",
    )
    directions: str = option(
        CLASS,
        Choice(names=DIRECTIONS),
        Group.SEARCH,
        "class: beliefs alone choose among equivalent graphs; data: a score that tells them apart "
        "does too.",
    )
    swap_equivalent: bool | None = option(
        None,
        Switch(is_optional=True),
        Group.SEARCH,
        flags={"swap": "Move to the equivalent graph that fits the beliefs best."},
    )
    start: tuple[tuple[str, str], ...] | None = option(
        None,
        Edges(is_optional=True),
        Group.SEARCH,
        "Edges of the graph to start from, as 'A->B,C->D'; repeatable.",
    )
    tabu: int | None = option(
        None,
        Whole(is_optional=True, most=MAX_TABU, why=LONG_WALK),
        Group.SEARCH,
        "Length of the tabu list, up to 1000; the search's own by default.",
    )
    shakes: int | None = option(
        None,
        Whole(is_optional=True, most=MAX_RESTARTS),
        Group.SEARCH,
        "Random disturbances in vain that end a search; its own by default.",
    )
    restarts: int = option(
        0, Whole(most=MAX_RESTARTS), Group.SEARCH, "Further climbs from disturbed optima."
    )
    effort: str = option(
        "default",
        Choice(names=EFFORTS),
        Group.SEARCH,
        "How long to go on: quick, default or thorough (ten times as long).",
    )
    time_limit: float | None = option(
        None,
        Positive(is_optional=True, most=MOST_SECONDS, unit=" of seconds"),
        Group.SEARCH,
        "Seconds after which the best network so far is taken.",
    )


def check_num_jobs(num_jobs: int, error: type[PathPriorError] = SearchError) -> None:
    """Raise unless it is a number of threads, or −1."""
    if not isinstance(num_jobs, int | np.integer) or num_jobs < -1 or num_jobs == 0:
        raise error(f"num_jobs is {num_jobs!r}; give a number of threads, or −1 for all processors")
