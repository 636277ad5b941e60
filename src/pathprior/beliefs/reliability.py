"""How reliable sources are, in a table: mixtures of Beta distributions with their intervals."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.testimony import Testimony

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

INTERVAL = (0.05, 0.95)
"""Quantiles between which a reliability lies with a probability of 90 %."""


def source_table(
    testimony: Testimony, shapes: Floats, weights: Floats, errors: Sequence[float]
) -> "pd.DataFrame":
    """One row per source: how much it says, how much of that holds, and how reliable it is.

    Parameters
    ----------
    shapes
        a + k and b + m − k by graph and source.
    weights
        Of the graphs; they sum to one.
    errors
        Monte Carlo standard error of each mean reliability.
    """
    import pandas as pd

    strengths = [(s.source, s.strength) for s in testimony.statements]
    rows = []
    for k, (source, (a, b)) in enumerate(
        zip(testimony.sources, testimony.reliability, strict=True)
    ):
        given = shapes[:, k]
        total = sum(strength for name, strength in strengths if name == source)
        num_held = float((weights * given[:, 0]).sum()) - a  # not by BLAS; see `Draws.average`
        mean = float((weights * given[:, 0] / given.sum(axis=1)).sum())
        low, high = mixture_quantiles(given, weights, INTERVAL)
        number = sum(name == source for name, _ in strengths)
        about = (source, number, total, num_held, a / (a + b), mean, low, high, errors[k])
        rows.append(about)
    return pd.DataFrame(rows, columns=list(COLUMNS))


COLUMNS = (
    "source",
    "statements",
    "strength",
    "hold",
    "before",
    "reliability",
    "low",
    "high",
    "error",
)


def mixture_quantiles(
    shapes: Floats, weights: Floats, probabilities: Sequence[float]
) -> list[float]:
    """Quantiles of a mixture of Beta distributions, a and b of each in a row of ``shapes``."""
    from scipy.optimize import brentq
    from scipy.special import betainc

    distinct, group = np.unique(shapes, axis=0, return_inverse=True)
    share = np.bincount(group.ravel(), weights)
    a, b = distinct.T

    def excess(x: float, p: float) -> float:
        return float(share @ betainc(a, b, x)) / float(share.sum()) - p

    return [float(brentq(excess, 0.0, 1.0, args=(p,), xtol=1e-12)) for p in probabilities]
