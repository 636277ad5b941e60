"""`AugmentedRun`: a chain over graphs and over the missing cells of the data."""

from collections.abc import Mapping

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.posterior.state import Target
from pathprior.network.imputation import read_draws, with_draws
from pathprior.posterior.array_records import Arrays
from pathprior.posterior.augmentation import Augmentation
from pathprior.posterior.chain_run import ChainRun, Drawn
from pathprior.problem.statement_weights import StatementWeights

MIX = {"walk": 4.0, "reverse": 2.0, "redraw": 4.0, "turn": 3.0, "bridge": 6.0}
"""The moves that weigh sets by their scores on the data at hand, not by those of the lists."""

CODES, VALUES = "cells.codes", "cells.values"
"""What the missing cells hold, in the state of a chain."""


class AugmentedRun(ChainRun):
    """One chain under way: after each draw of a graph the missing cells are drawn again.

    The lists that guide its moves are those of other draws, which is as good: they exclude nothing.
    """

    def __init__(
        self,
        augmentation: Augmentation,
        target: Target,
        start: Dag,
        data: Dataset,
        generator: np.random.Generator,
        mix: Mapping[str, float] = MIX,
        statements: StatementWeights | None = None,
    ) -> None:
        self._augmentation = augmentation
        self.data = data
        super().__init__(augmentation.bind(data), target, start, generator, mix, statements)

    def run(self, num_draws: int) -> Drawn:
        """Parent sets and scores of the next draws, each on the cells of its time."""
        drawn = []
        for _ in range(num_draws):
            drawn.append(super().run(1))
            self._draw_cells()
        draws, scores = zip(*drawn, strict=True)
        return np.concatenate(draws), np.concatenate(scores)

    def state(self) -> Arrays:
        """That of the graph, and the missing cells."""
        codes, values = read_draws(self.data)
        return super().state() | {CODES: codes, VALUES: values}

    def restore(self, state: Arrays) -> None:
        """Go back to where `state` was asked for."""
        self.data = with_draws(self.data, (state[CODES], state[VALUES]))
        self.score_by(self._augmentation.bind(self.data))
        super().restore(state)

    def _draw_cells(self) -> None:
        chain = self._chain
        num_nodes = len(chain.local)
        adjacency = np.stack([unpack_row(row, num_nodes) for row in chain.graph.parents], axis=1)
        dag = Dag(self.data.variables, adjacency)
        # the numbers of the chain decide: they are never the same twice
        generator = np.random.default_rng(chain.random)
        self.data = self._augmentation.draw(self.data, self._scorer, dag, generator)
        self.score_by(self._augmentation.bind(self.data))
        self.score_graph()
