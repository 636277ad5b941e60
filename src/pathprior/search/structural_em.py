"""Structural EM: missing cells drawn by the network, the network learned from them, in turn.

After Friedman (1998), with draws in the place of expectations, so that every score and every kind
of column is taken as it is. Rounds do not settle on one graph but wander about good ones; of the
later half the one is returned that is nearest to the others.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.data.strata import target_names
from pathprior.errors import PathPriorWarning
from pathprior.graph.cpdag import Cpdag
from pathprior.graph.dag import Dag
from pathprior.graph.distance import sums_of_distances
from pathprior.network.imputation import Draws, draw_again, read_draws, with_draws
from pathprior.network.mechanisms import find_mechanisms
from pathprior.problem.problem import Problem
from pathprior.search.driver import SearchResult
from pathprior.search.interrupt import StopRequest
from pathprior.search.restarts import possible_start

NUM_ROUNDS = 30
"""Rounds of drawing and learning where up to a tenth of the cells is missing.

Where it is more, they are more in proportion, up to thrice as many: graphs then go on getting
better for longer.
"""
NUM_SWEEPS = 3
"""How often each cell is drawn between two searches."""
NUM_REAL_SWEEPS = 10
"""The same where there are real columns: their cells hold each other where they are."""


@dataclass(frozen=True, slots=True, eq=False)
class _Round:
    """A search on data with their gaps filled; of the data only what fills the gaps is kept."""

    start: Dag
    draws: Draws
    result: SearchResult

    @property
    def dag(self) -> Dag:
        """What it found."""
        return Dag(self.start.nodes, self.result.adjacency)


def run_rounds(
    problem: Problem,
    search: Callable[[Problem], SearchResult],
    stop: StopRequest,
    *,
    seed: int,
) -> tuple[Problem, SearchResult, tuple[Dag, ...]]:
    """Draw and learn in turn; return the round to keep, and the graphs it was chosen from.

    Every search but the first starts from what the one before it found, without families that the
    new draws rule out.

    Parameters
    ----------
    problem
        On data whose gaps are filled somehow.
    seed
        Of the draws, after the first.
    """
    generator = np.random.default_rng((seed, 1))  # not the numbers of the first draw again
    num_sweeps = NUM_REAL_SWEEPS if problem.data.reals.variables else NUM_SWEEPS
    data = problem.data.select(problem.rules.variables)
    rounds = [_Round(problem.start, read_draws(data), search(problem))]
    while len(rounds) < count_rounds(data) and not stop.is_set:
        last = rounds[-1]
        mechanisms = find_mechanisms(last.dag, data, equivalent_sample_size=problem.prior_rows)
        data = draw_again(data, mechanisms, generator, num_sweeps=num_sweeps)
        here = on_data(problem, data)
        here = replace(here, start=possible_start(here, last.dag, problem.start))
        rounds.append(_Round(here.start, read_draws(data), search(here)))
    late = rounds[len(rounds) // 2 :]
    graphs = tuple(one.dag.reorder(problem.data.variables) for one in late)
    chosen = late[nearest_to_all(graphs, problem.data)]
    kept = on_data(problem, with_draws(data, chosen.draws))
    return replace(kept, start=chosen.start), chosen.result, graphs


def count_rounds(data: Dataset) -> int:
    """How many rounds there are, by the share of cells that were missing."""
    assert data.imputed is not None
    tenths = 10 * float(data.imputed.mean())
    return round(NUM_ROUNDS * min(max(tenths, 1.0), 3.0))


def on_data(problem: Problem, by_name: Dataset) -> Problem:
    """Return the problem on other values of the same cells."""
    with warnings.catch_warnings():
        # what there is to say of the columns was said when the problem was made
        warnings.simplefilter("ignore", PathPriorWarning)
        scorer = problem.score.bind(by_name)
    return replace(problem, data=by_name.select(problem.data.variables), scorer=scorer)


def nearest_to_all(graphs: tuple[Dag, ...], data: Dataset) -> int:
    """The graph whose class has the smallest sum of distances to the others; the last of equals."""
    targets = target_names(data)
    totals = sums_of_distances([Cpdag.from_dag(dag, targets=targets) for dag in graphs])
    return len(totals) - 1 - int(np.argmin(totals[::-1]))
