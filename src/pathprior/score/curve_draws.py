"""Conditionals of the additive score: fitted, and drawn from what data say about them."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.curves import IS_FULL, SHAPED, SPREAD, Curves, T
from pathprior.kernels.data.curves import read_family as read_kernel
from pathprior.network.curves import Curve, Curved
from pathprior.score.sums import Floats

MAX_KNOTS = 65
"""Knots of a curve, at quantiles of its variable."""
MAX_VALUES = 200
"""Values that stand for the noise."""

Drawer = Callable[[np.random.Generator | None], Curved]
"""Gives a conditional, the most probable one without a generator."""


class CurveFitter:
    """Fits families on one stratum of rows; what is fitted once is kept.

    Parameters
    ----------
    kernel
        Of the score, its variables by name.
    values
        The rows of the stratum as they were given, by variable.
    scores
        The same as they were scored; the same array unless the score is one of ranks.
    stratum
        Its number in the kernel.
    """

    def __init__(self, kernel: Curves, values: Floats, scores: Floats, stratum: int) -> None:
        self._kernel, self._stratum = kernel, stratum
        self._values, self._scores = values, scores
        self._is_ranked = values is not scores
        self._knots = [_knots(column) for column in values]
        self._made: dict[tuple[int, ...], Drawer] = {}

    def drawer(self, child: int, parents: Sequence[int]) -> Drawer:
        """What gives the conditional of a child, with its parents in this order."""
        key = (*parents, child)
        if key not in self._made:
            self._made[key] = self._fit(child, list(parents))
        return self._made[key]

    def _fit(self, child: int, parents: list[int]) -> Drawer:
        kernel, s = self._kernel, self._stratum
        members = np.array(sorted(parents), dtype=np.int64)
        read_kernel(kernel, s, child, members)
        first, is_full = kernel.first_column[s], bool(kernel.room.found[IS_FULL])
        blocks = {
            u: np.arange(first[u], first[u + 1] if is_full else min(first[u] + 1, first[u + 1]))
            for u in parents
        }
        columns = np.concatenate([np.empty(0, np.int64), *(blocks[u] for u in parents)])
        phi = kernel.basis[s, columns, : self._values.shape[1]]
        gram = kernel.gram[s][np.ix_(columns, columns)] + np.diag(kernel.prior[s, columns])
        n, y = phi.shape[1], self._scores[child]
        middle, deviation = float(y.mean()), float(y.std()) or 1.0
        z = (y - middle) / deviation
        beta = np.linalg.solve(gram, phi @ z)
        left = T + float(z @ z - (phi @ z) @ beta)
        lower = np.linalg.cholesky(gram)
        with_spread = bool(kernel.room.found[SPREAD] > kernel.room.found[SHAPED])

        def give(generator: np.random.Generator | None) -> Curved:
            weights, shift = beta, 0.0
            if generator is not None:
                sigma = np.sqrt(left / generator.chisquare(n + len(parents) + 3))
                normal = generator.standard_normal(len(beta))
                weights = beta + sigma * np.linalg.solve(lower.T, normal)
                shift = sigma * float(generator.standard_normal()) / np.sqrt(n + 1)
            e = z - weights @ phi
            logs, gamma = np.zeros(n), np.zeros(len(beta))
            if with_spread:
                h = np.log(e * e + np.mean(e * e) / 100)
                gamma = np.linalg.solve(gram, phi @ (h - h.mean()))
                logs = 0.5 * (gamma @ phi)
            noise, width = _noise(deviation * e / np.exp(logs))
            curves, spreads = [], []
            at = 0
            for u in parents:
                own = slice(at, at + len(blocks[u]))
                at = own.stop
                curves.append(self._curve(u, deviation * (weights[own] @ phi[own])))
                spreads.append(self._curve(u, 0.5 * (gamma[own] @ phi[own])))
            return Curved(
                middle + deviation * shift,
                tuple(curves),
                tuple(spreads) if with_spread else (),
                noise,
                width,
                self._scale(child),
            )

        return give

    def _curve(self, u: int, heights: Floats) -> Curve:
        """The function of a parent that has these values in the rows."""
        knots = self._knots[u]
        values = heights[knots]
        x = self._values[u][knots]
        if len(x) == 1:
            return Curve(x, values, 0.0)
        return Curve(x, values, float((values[-1] - values[0]) / (x[-1] - x[0])))

    def _scale(self, v: int) -> Curve | None:
        """From values to normal scores."""
        if not self._is_ranked:
            return None
        knots = self._knots[v]
        x, y = self._values[v][knots], self._scores[v][knots]
        if len(x) == 1:
            return Curve(x, y, 1.0)
        return Curve(x, y, float((y[-1] - y[0]) / (x[-1] - x[0])))


def _knots(x: Floats) -> NDArray[np.int64]:
    """Rows in which a variable has its quantiles, all different, ascending."""
    order = np.argsort(x, kind="stable")
    some = order[np.linspace(0, len(x) - 1, MAX_KNOTS).round().astype(np.int64)]
    return np.asarray(some[np.unique(x[some], return_index=True)[1]])


def _noise(e: Floats) -> tuple[Floats, float]:
    """Values and width of a mixture of normals that has the distribution of residuals."""
    size = min(len(e), MAX_VALUES)
    values = np.quantile(e, (np.arange(size) + 0.5) / size)
    deviation = float(e.std()) or 1e-9
    quartiles = np.quantile(e, [0.25, 0.75])
    reach = min(deviation, float(quartiles[1] - quartiles[0]) / 1.34) or deviation
    width = 0.9 * reach * len(e) ** -0.2
    # the normals add to the spread what the values then leave out
    return np.asarray(values * np.sqrt(max(1 - (width / deviation) ** 2, 0.0))), width
