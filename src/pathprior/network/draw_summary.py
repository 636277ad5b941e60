"""Draws of an effect in a few numbers."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior import showing
from pathprior.errors import NetworkError

if TYPE_CHECKING:
    from pathprior.network.detection import Detection

NUM_DRAWS = 1000
"""Draws of an effect."""
LEVEL = 0.9
"""Share of the draws in an interval, half of the rest on either side."""


def check_draws(num_draws: int) -> int:
    """The number of draws, if it can be one."""
    is_whole = isinstance(num_draws, int | np.integer) and not isinstance(num_draws, bool)
    if not is_whole or num_draws < 1:
        raise NetworkError(f"num_draws must be a whole number of at least 1, not {num_draws!r}")
    return int(num_draws)


def summarise_draws(values: NDArray[np.float64], level: float) -> tuple[float, float, float]:
    """The mean, and the interval that holds ``level`` of the draws."""
    if not 0 < level < 1:
        raise NetworkError(f"level must be between 0 and 1, not {level!r}")
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(values.mean()), float(low), float(high)


class DrawnEffect:
    """What draws of an effect of x on y have in common, whatever is drawn."""

    __slots__ = ()
    x: str
    y: str
    draws: NDArray[np.float64]
    has_path: NDArray[np.bool_]
    is_settled: bool
    detection: "Detection | None"

    def __repr__(self) -> str:
        return f"{type(self).__name__}(of {self.x} on {self.y}, {len(self.draws)} draws)"

    def __str__(self) -> str:
        return showing.text(self)

    def _repr_html_(self) -> str:
        return showing.html(self)

    @property
    def probability_of_none(self) -> float:
        """Probability that x has no effect on y: that no path leads from x to y."""
        return float(1 - self.has_path.mean())
