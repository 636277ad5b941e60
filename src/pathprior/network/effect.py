"""`Effect`: what setting one variable does to another, over graphs and parameters."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.errors import NetworkError
from pathprior.graph.dag import Dag
from pathprior.network.detection import Detection
from pathprior.network.draw_summary import LEVEL, DrawnEffect, summarise_draws
from pathprior.network.mixed_effect import MixedDraws, draw_response
from pathprior.network.parameters import TableDraws
from pathprior.network.response import Response
from pathprior.network.slope import Slope, SlopeDraws, draw_slope

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Effect(DrawnEffect):
    """Draws of P(y | do(x)), each of one graph with tables of its own.

    Made by `Posterior.effect` and `Fit.effect` where columns are of states.

    Attributes
    ----------
    x, y
        What is set, and what is looked at.
    x_states, y_states
        Their states.
    draws
        ``draws[k, i, j]``: the probability of state j of y where x is set to its state i.
    has_path
        Whether x causes y in the graph of each draw; if not, y does not depend on what x is set to.
    is_settled
        Whether the chains that the graphs are from agree on whether x causes y.
    detection
        What the two columns show by themselves; None where that is not known.
    """

    x: str
    y: str
    x_states: tuple[str, ...]
    y_states: tuple[str, ...]
    draws: NDArray[np.float64]
    has_path: NDArray[np.bool_]
    is_settled: bool = True
    detection: Detection | None = None

    def table(self, level: float = LEVEL) -> "pd.DataFrame":
        """P(y | do(x)), one row per state of x and of y.

        Returns
        -------
        DataFrame
            The state that x is ``set_to``, the ``state`` of y, the ``mean`` of its probability, and
            the interval ``low`` to ``high`` that holds ``level`` of the draws.
        """
        import pandas as pd

        rows = [
            (to, state, *summarise_draws(self.draws[:, i, j], level))
            for i, to in enumerate(self.x_states)
            for j, state in enumerate(self.y_states)
        ]
        return pd.DataFrame(rows, columns=["set_to", "state", "mean", "low", "high"])

    def differences(self, level: float = LEVEL) -> "pd.DataFrame":
        """Risk differences: what P(y | do(x)) gains over x set to its first state.

        Returns
        -------
        DataFrame
            As `table`, without the first state of x. Draws without a path count as 0.
        """
        import pandas as pd

        gained = self.draws - self.draws[:, :1]
        rows = [
            (to, state, *summarise_draws(gained[:, i, j], level))
            for i, to in enumerate(self.x_states)
            for j, state in enumerate(self.y_states)
            if i > 0
        ]
        return pd.DataFrame(rows, columns=["set_to", "state", "mean", "low", "high"])


def draw_effect(
    graphs: Sequence[Dag], tables: Sequence[TableDraws], x: str, y: str, seed: int
) -> Effect:
    """Draw tables for each of ``graphs`` and ask them what setting ``x`` does to ``y``.

    ``tables`` are those to draw from for each graph; the nodes of all graphs are in the order of
    their columns.
    """
    first = tables[0]
    i, j = first.place(x), first.place(y)
    if i == j:
        raise NetworkError(f"an effect needs two different variables, not {x!r} twice")
    generator = np.random.default_rng(seed)
    draws = np.array(
        [of.effect(dag, i, j, generator) for dag, of in zip(graphs, tables, strict=True)]
    )
    has_path = np.array([x in dag.ancestors(y) for dag in graphs])
    # rounding would show a difference where there is none
    draws[~has_path] = draws[~has_path].mean(axis=1, keepdims=True)
    return Effect(x, y, first.states(i), first.states(j), draws, has_path)


AnyEffect = Effect | Response | Slope

DrawEffect = Callable[[Sequence[Dag], str, str, int], AnyEffect]
"""In each of some graphs what setting x does to y, with a seed."""


MakeTables = Callable[[Dataset, float], TableDraws]
"""What draws tables from data, with a prior that is worth so many rows."""


MakeCurves = Callable[[Dataset, float], MixedDraws | None]
"""What draws curves of real columns; gives None where the score has none."""


def effect_drawer(
    datasets: Sequence[Dataset],
    sources: Sequence[int],
    prior_rows: float,
    make_tables: MakeTables = TableDraws,
    make_curves: MakeCurves | None = None,
) -> DrawEffect:
    """Make what draws effects, by parameters of its own for each graph.

    ``sources`` says by which of the data sets, whose columns are the same, each graph goes;
    ``prior_rows`` is how many rows the prior on the parameters is worth: that of BDeu for columns
    of states, that of BGe for real ones and where both are; ``make_tables`` draws by another one's
    tables, ``make_curves`` by curves. Nodes are in the order of the columns.
    """
    first = datasets[0]
    if not first.reals.variables:
        tables = [make_tables(data, prior_rows) for data in datasets]
        of_each = [tables[k] for k in sources]
        return lambda graphs, x, y, seed: draw_effect(graphs, of_each, x, y, seed)
    curves = [make_curves(data, prior_rows) for data in datasets] if make_curves else []
    bent = [one for one in curves if one is not None]
    if first.coded.variables or bent:
        mixed = bent or [MixedDraws(data, prior_rows) for data in datasets]
        drawn_by = [mixed[k] for k in sources]
        return lambda graphs, x, y, seed: draw_response(graphs, drawn_by, x, y, seed)
    regressions = [SlopeDraws(data, prior_rows) for data in datasets]
    drawn_from = [regressions[k] for k in sources]
    return lambda graphs, x, y, seed: draw_slope(graphs, drawn_from, x, y, seed)
