"""Structural EM: missing cells drawn by the network, the network learned from them, in turn.

After Friedman (1998), with draws in the place of expectations, so that every score and every kind
of column is taken as it is. Rounds do not settle on one graph but wander about good ones; of the
later half the one is returned that is nearest to the others.
"""

from dataclasses import dataclass, replace

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.data.strata import target_names
from pathprior.graph.cpdag import Cpdag
from pathprior.graph.dag import Dag
from pathprior.graph.distance import sums_of_distances
from pathprior.network.imputation import Draws, draw_again, read_draws, with_draws
from pathprior.network.mechanisms import find_mechanisms
from pathprior.problem.problem import Problem
from pathprior.search.driver import SearchResult
from pathprior.search.method import Search, Watch
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


@dataclass(frozen=True, slots=True)
class DrawnCells(Search):
    """A search on data some cells of which are draws: it draws and searches in turn.

    Of the later half of the rounds one is kept. Every search but the first starts from what the one
    before it found, without families that the new draws rule out.

    Attributes
    ----------
    seed
        Of the draws, after the first.
    """

    search: Search
    seed: int

    def run(self, problem: Problem, watch: Watch) -> SearchResult:
        """See `Method.run`; the result is one of the problem on the draws that were kept."""
        generator = np.random.default_rng((self.seed, 1))  # not the numbers of the first draw again
        num_sweeps = NUM_REAL_SWEEPS if problem.data.reals.variables else NUM_SWEEPS
        data = problem.data.select(problem.rules.variables)
        rounds = [self._round(problem, data, watch)]
        while len(rounds) < count_rounds(data) and not watch.stop.is_set:
            last, rows = rounds[-1], problem.prior_rows
            mechanisms = find_mechanisms(last.dag, data, equivalent_sample_size=rows)
            data = draw_again(data, mechanisms, generator, num_sweeps=num_sweeps)
            here = problem.given(data)
            here = replace(here, start=possible_start(here, last.dag, problem.start))
            rounds.append(self._round(here, data, watch))
        late = rounds[len(rounds) // 2 :]
        graphs = tuple(one.dag.reorder(problem.data.variables) for one in late)
        chosen = late[nearest_to_all(graphs, problem.data)]
        kept = replace(problem.given(with_draws(data, chosen.draws)), start=chosen.start)
        # what was found again was so on its draws only
        found = replace(chosen.result, rounds=graphs, num_searches=0, found_again=0)
        return found.on(kept, watch.why(found.reason))

    def _round(self, problem: Problem, data: Dataset, watch: Watch) -> _Round:
        result = replace(self.search.run(problem, watch), problem=None)
        return _Round(problem.start, read_draws(data), result)


def count_rounds(data: Dataset) -> int:
    """How many rounds there are, by the share of cells that were missing."""
    assert data.imputed is not None
    tenths = 10 * float(data.imputed.mean())
    return round(NUM_ROUNDS * min(max(tenths, 1.0), 3.0))


def nearest_to_all(graphs: tuple[Dag, ...], data: Dataset) -> int:
    """The graph whose class has the smallest sum of distances to the others; the last of equals."""
    targets = target_names(data)
    totals = sums_of_distances([Cpdag.from_dag(dag, targets=targets) for dag in graphs])
    return len(totals) - 1 - int(np.argmin(totals[::-1]))
