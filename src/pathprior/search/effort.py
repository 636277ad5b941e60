"""How long a search goes on after the first optimum."""

from math import inf

QUICK, DEFAULT, THOROUGH = "quick", "default", "thorough"
WORK, WORKING_NODES = 6 * 10**8, 80
"""Work for each variable, and of how many at most, see `pathprior.kernels.data.columns`."""
TIMES = {DEFAULT: 1, THOROUGH: 10}
"""All that by the effort."""
MOST_NODES = 150
"""Of more variables the first search takes longer, and there is no more by default."""
TIMES_FOUND = {DEFAULT: 5, THOROUGH: 20}
"""Searches from elsewhere that must end at the best class again."""


def work_of(effort: str, num_nodes: int, time_limit: float | None) -> float:
    """What the search may do after the first optimum: what fits into the time if there is a limit.

    Thorough searches of more than `MOST_NODES` variables may do what those of so many do.
    """
    if effort == QUICK or (effort == DEFAULT and num_nodes > MOST_NODES and time_limit is None):
        return 0.0
    if time_limit is not None:
        return inf
    return TIMES[effort] * WORK * min(num_nodes, WORKING_NODES)
