"""`Cells`: the missing cells of the data, drawn beside the graph."""

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.prior.graph_prior import Codes
from pathprior.network.imputation import read_draws, with_draws
from pathprior.posterior.array_records import Arrays
from pathprior.posterior.augmentation import Augmentation
from pathprior.posterior.latent import DrawnGraph, Given

MIX = {"walk": 4.0, "reverse": 2.0, "redraw": 4.0, "turn": 3.0, "bridge": 6.0}
"""The moves that weigh sets by their scores on the data at hand, not by those of the lists.

The lists that guide them are those of other draws, which is as good: they exclude nothing.
"""
CODES, VALUES = "cells.codes", "cells.values"
"""What the missing cells hold, in the state of a chain."""


class Cells:
    """The missing cells of one chain: drawn by a network of its graph; a `Latent`.

    Attributes
    ----------
    data
        The data, with the gaps filled.
    """

    stream: tuple[int, ...] = ()
    begins_with_chain = False

    def __init__(self, augmentation: Augmentation, data: Dataset) -> None:
        self._augmentation = augmentation
        self._fill(data)

    def refresh(self, graph: DrawnGraph, generator: np.random.Generator) -> None:
        """Draw parameters of the graph, and by them every missing cell once."""
        num_nodes = len(graph.parents)
        adjacency = np.stack([unpack_row(row, num_nodes) for row in graph.parents], axis=1)
        dag = Dag(self.data.variables, adjacency)
        self._fill(self._augmentation.draw(self.data, self._scorer, dag, generator))

    def given(self) -> Given:
        """The score of the filled data."""
        return Given(scorer=self._scorer)

    def averaged(self, codes: Codes) -> float:
        """Nothing: scores of graphs are those on the cells of their time."""
        return 0.0

    def state(self) -> Arrays:
        """What the cells hold."""
        codes, values = read_draws(self.data)
        return {CODES: codes, VALUES: values}

    def restore(self, state: Arrays) -> None:
        """Go back to where `state` was asked for."""
        self._fill(with_draws(self.data, (state[CODES], state[VALUES])))

    def fixed(self) -> Arrays:
        """Nothing that the data do not say."""
        return {}

    def _fill(self, data: Dataset) -> None:
        self.data = data
        self._scorer = self._augmentation.bind(data)
