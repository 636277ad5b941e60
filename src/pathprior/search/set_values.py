"""The values of sets of variables under a score that counts, see `pathprior.kernels.exact.sets`."""

import numpy as np
from numpy.typing import NDArray

from pathprior.data.merged import merged
from pathprior.kernels.data.averaged import FACTORS, AveragedRule
from pathprior.kernels.data.families import Rule
from pathprior.kernels.data.score_column import Counted
from pathprior.kernels.data.special import DIRICHLET
from pathprior.kernels.exact.sets import weigh_sets
from pathprior.problem.problem import Problem
from pathprior.search.interrupt import StopRequest

NUM_FIRST = 10
"""Variables whose subsets are the slices in which sets are counted."""


def is_by_set(problem: Problem) -> bool:
    """Whether the score of a family is the difference between the values of two sets."""
    return problem.scorer.is_score_equivalent and problem.data.intervened is None


def count_values(
    problem: Problem,
    kernel: Counted,
    nodes: NDArray[np.int64],
    steps: NDArray[np.int64],
    num_values: int,
    stop: StopRequest,
) -> NDArray[np.float64]:
    """The values of all sets of ``nodes`` of at most as many members as ``steps`` has rows.

    A score that is averaged over sample sizes has log Σ_e P_e(S) as the value of a set.
    """
    rule = kernel.rule
    if isinstance(rule, Rule):
        return _count(problem, rule, nodes, steps, num_values, stop)
    assert isinstance(rule, AveragedRule)
    values = np.full(num_values, -np.inf)
    for factor in FACTORS:
        sized = Rule(DIRICHLET, factor * rule.middle, True, 0.0)
        of_size = _count(problem, sized, nodes, steps, num_values, stop)
        np.logaddexp(values, of_size - of_size[0], out=values)
    return values


def _count(
    problem: Problem,
    rule: Rule,
    nodes: NDArray[np.int64],
    steps: NDArray[np.int64],
    num_values: int,
    stop: StopRequest,
) -> NDArray[np.float64]:
    """The same under one rule, by counting the rows, of which equal ones are merged."""
    table = merged(problem.data.select([problem.rules.variables[v] for v in nodes]).states())
    times, num_first = table.times.astype(np.int32), min(NUM_FIRST, table.num_variables)
    values = np.full(num_values, -np.inf)
    for chosen in range(1 << num_first):
        if not stop.is_set:
            weigh_sets(
                table.held, times, table.num_states, rule, chosen, num_first, len(steps), steps,
                values,
            )  # fmt: skip
    return values
