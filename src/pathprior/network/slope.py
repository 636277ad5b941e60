"""`Slope`: how much one real variable changes when another is set one higher."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.scatter import Scatter
from pathprior.errors import NetworkError
from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag, node_index
from pathprior.network.detection import Detection
from pathprior.network.draw_summary import LEVEL, DrawnEffect, summarise_draws
from pathprior.network.experiment import rows_left_alone
from pathprior.network.regression import (
    RegressionPosterior,
    check_scatter,
    regression_posterior,
)

if TYPE_CHECKING:
    import pandas as pd

Family = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Slope(DrawnEffect):
    """Draws of the total effect of x on y, each of one graph with regressions of its own.

    Made by `Posterior.effect` and `Fit.effect` where columns are real.

    Attributes
    ----------
    x, y
        What is set, and what is looked at.
    draws
        By how much the mean of y changes where x is set one higher.
    has_path
        Whether x causes y in the graph of each draw; if not, the draw is 0.
    is_settled
        Whether the chains that the graphs are from agree on whether x causes y.
    detection
        What the two columns show by themselves; None where that is not known.
    """

    x: str
    y: str
    draws: NDArray[np.float64]
    has_path: NDArray[np.bool_]
    is_settled: bool = True
    detection: Detection | None = None

    def table(self, level: float = LEVEL) -> "pd.DataFrame":
        """The change of y where x is set one higher.

        Returns
        -------
        DataFrame
            One row: the ``mean`` of the draws, and the interval ``low`` to ``high`` that holds
            ``level`` of them.
        """
        import pandas as pd

        return pd.DataFrame([summarise_draws(self.draws, level)], columns=["mean", "low", "high"])


class SlopeDraws:
    """Draws of the regressions on a path given the data, under the prior of BGe.

    Parameters
    ----------
    data
        Real columns, in the order of the graphs' nodes. Rows in which a child was set say nothing
        about its regression, and are left out of it.
    prior_rows
        α_μ of the prior; α_w is p + α_μ + 1.
    """

    def __init__(self, data: Dataset, prior_rows: float) -> None:
        self._data = data
        self._values = data.real(may_be_set=True).values
        self._prior_rows = prior_rows
        self._scatters: dict[int, Scatter] = {}
        self._families: dict[Family, RegressionPosterior] = {}

    def place(self, name: str) -> int:
        """The column of a variable."""
        index = {known: v for v, known in enumerate(self._data.variables)}
        return node_index(index, name)

    def slope(self, dag: Dag, x: int, y: int, generator: np.random.Generator) -> float:
        """The sum over all paths from x to y of the products of the weights along them.

        Regressions of nodes that are on no such path do not matter, and are not drawn.
        """
        above = unpack_row(dag.ancestor_words[y], dag.num_nodes)
        changes, change = np.zeros(dag.num_nodes, dtype=bool), np.zeros(dag.num_nodes)
        changes[x], change[x] = True, 1.0
        for v in dag.order.tolist():
            parents = np.flatnonzero(dag.adjacency[:, v]).tolist()
            if above[v] and v != x and changes[parents].any():
                changes[v] = True
                change[v] = self._draw(parents, v, generator) @ change[parents]
        return float(change[y])

    def _draw(
        self, parents: list[int], v: int, generator: np.random.Generator
    ) -> NDArray[np.float64]:
        family = (*parents, v)
        if family not in self._families:
            if v not in self._scatters:
                scatter = Scatter.of(self._values[:, rows_left_alone(self._data, v)])
                check_scatter(scatter, self._data.variables)
                self._scatters[v] = scatter
            scatter = self._scatters[v]
            self._families[family] = regression_posterior(scatter, v, parents, self._prior_rows)
        return self._families[family].draw_weights(generator)


def draw_slope(
    graphs: Sequence[Dag], regressions: Sequence[SlopeDraws], x: str, y: str, seed: int
) -> Slope:
    """Draw regressions for each of ``graphs`` and ask them what setting ``x`` does to ``y``.

    ``regressions`` are those to draw from for each graph.
    """
    i, j = regressions[0].place(x), regressions[0].place(y)
    if i == j:
        raise NetworkError(f"an effect needs two different variables, not {x!r} twice")
    generator = np.random.default_rng(seed)
    pairs = zip(graphs, regressions, strict=True)
    draws = np.array([of.slope(dag, i, j, generator) for dag, of in pairs])
    return Slope(x, y, draws, np.array([x in dag.ancestors(y) for dag in graphs]))
