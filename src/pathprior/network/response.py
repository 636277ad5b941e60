"""`Response`: what setting a variable to some values does to another, states and numbers mixed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.network.detection import Detection
from pathprior.network.draw_summary import LEVEL, DrawnEffect, summarise_draws

if TYPE_CHECKING:
    import pandas as pd

    Rows = list[tuple[object, ...]]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Response(DrawnEffect):
    """Draws of y given do(x), each of one graph with parameters of its own.

    Made by `Posterior.effect` and `Fit.effect` where x or y is real and not every path between
    them is linear.

    Attributes
    ----------
    x, y
        What is set, and what is looked at.
    settings
        What x is set to: its states, or quantiles of its values.
    y_states
        The states of y; none if it is real.
    draws
        ``draws[k, i, j]``: the probability of state j of y where x is set to ``settings[i]``; the
        mean of y, with j = 0, if it is real.
    has_path
        Whether x causes y in the graph of each draw; if not, y does not depend on what x is set to.
    is_settled
        Whether the chains that the graphs are from agree on whether x causes y.
    detection
        What the two columns show by themselves; None where that is not known.
    """

    x: str
    y: str
    settings: tuple[str, ...] | tuple[float, ...]
    y_states: tuple[str, ...]
    draws: NDArray[np.float64]
    has_path: NDArray[np.bool_]
    is_settled: bool = True
    detection: Detection | None = None

    def table(self, level: float = LEVEL) -> "pd.DataFrame":
        """Probabilities of y's states, or its mean, where x is set.

        Returns
        -------
        DataFrame
            What x is ``set_to``, the ``state`` of y if it has some, the ``mean`` of the draws, and
            the interval ``low`` to ``high`` that holds ``level`` of them.
        """
        return self._summary(self.draws, 0, level)

    def differences(self, level: float = LEVEL) -> "pd.DataFrame":
        """What y gains over x set to the first of ``settings``.

        Returns
        -------
        DataFrame
            As `table`, without the first setting. Draws without a path count as 0.
        """
        return self._summary(self.draws - self.draws[:, :1], 1, level)

    def _summary(self, values: NDArray[np.float64], first: int, level: float) -> "pd.DataFrame":
        import pandas as pd

        rows: Rows = []
        for i, to in enumerate(self.settings[first:], start=first):
            for j, state in enumerate(self.y_states or ("",)):
                named = (to, state) if self.y_states else (to,)
                rows.append((*named, *summarise_draws(values[:, i, j], level)))
        names = ["set_to", "state"] if self.y_states else ["set_to"]
        return pd.DataFrame(rows, columns=[*names, "mean", "low", "high"])
