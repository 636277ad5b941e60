"""Conditionals of mixed networks, drawn from what data say about them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.network.conditionals import Conditional, Linear, Table
from pathprior.network.embedding import Embedding
from pathprior.network.logit import logit_draws
from pathprior.network.tables import check_shape, count_cells, draw_table

Floats = NDArray[np.float64]
DrawForm = Callable[[np.random.Generator], Conditional]


def form_draws(
    node: str, family: Sequence[NDArray[Any]], sizes: Sequence[int], alpha: float
) -> DrawForm:
    """Make what draws the conditional of a node, last in its family, with α rows of prior.

    ``sizes`` are the numbers of states, 0 of a real node. Tables are drawn from their Dirichlet
    distributions, regressions from their normal-gamma one under the prior of BGe, logits from the
    normal approximation about the most probable weights.
    """
    *parents, child = family
    if not sizes[-1]:
        return _linear_draws(parents, sizes[:-1], child, alpha)
    if all(sizes):
        shape = check_shape(node, tuple(sizes))
        counts = count_cells(list(family), shape)
        return lambda generator: Table(draw_table(counts, alpha / counts.size, generator))
    return logit_draws(node, child, sizes[-1], Embedding.of(parents, sizes[:-1]), alpha)


def _linear_draws(
    parents: Sequence[NDArray[Any]], sizes: Sequence[int], child: Floats, alpha: float
) -> DrawForm:
    """Of a regression with l columns: a real parent itself, and all states of another but one.

    With everything in its own deviations, R = S + t cov, t = α²/(α + 1): variance ~ left/χ² with
    n + α + l + 2 degrees of freedom, weights ~ N(R⁻¹ S_y, variance R⁻¹), and the mean of the child
    at the means of its parents ~ N(ȳ, variance/(n + α)).
    """
    n, t = len(child), alpha * alpha / (alpha + 1)
    blocks = [_Block.of(column, size) for column, size in zip(parents, sizes, strict=True)]
    columns = np.concatenate([block.columns for block in blocks] or [np.empty((0, n))])
    means = columns.mean(axis=1)
    scales = columns.std(axis=1)
    scales[scales == 0.0] = 1.0
    z = (columns - means[:, None]) / scales[:, None]
    spread, middle = float(child.std()) or 1.0, float(child.mean())
    y = (child - middle) / spread
    products = z @ z.T
    prior, start = np.zeros_like(products), 0
    for block in blocks:
        own = slice(start, start + len(block.columns))
        prior[own, own] = products[own, own] / n
        start = own.stop
    prior[np.diag_indices(len(prior))] += 1e-9  # a constant column is no error
    matrix = products + t * prior
    lower = np.linalg.cholesky(matrix)
    mean = np.linalg.solve(matrix, z @ y)
    left = max(float(y @ y + t - (z @ y) @ mean), t)

    def draw(generator: np.random.Generator) -> Conditional:
        deviation = np.sqrt(left / generator.chisquare(n + alpha + len(z) + 2))
        weights = mean + deviation * np.linalg.solve(lower.T, generator.standard_normal(len(z)))
        at_means = middle + spread * deviation * generator.standard_normal() / np.sqrt(n + alpha)
        slopes = spread * weights / scales
        intercept = at_means - slopes @ means
        ends = np.cumsum([len(block.columns) for block in blocks])
        split = np.split(slopes, ends[:-1]) if blocks else []
        forms = tuple(block.weights(own) for block, own in zip(blocks, split, strict=True))
        return Linear(float(intercept), forms, float(spread * deviation))

    return draw


@dataclass(frozen=True, slots=True)
class _Block:
    """The columns of a parent: itself if real, else the indicators of ``states``.

    Those are the states seen but ``usual``, the commonest, to which the others are compared.
    """

    columns: Floats
    size: int
    states: list[int]
    usual: int

    @classmethod
    def of(cls, column: NDArray[Any], size: int) -> "_Block":
        """Lay a parent out."""
        if not size:
            return cls(column[np.newaxis].astype(np.float64), 0, [], 0)
        counts = np.bincount(column, minlength=size)
        usual = int(counts.argmax())
        states = [k for k in np.flatnonzero(counts).tolist() if k != usual]
        indicators = np.array([column == k for k in states], dtype=np.float64)
        return cls(indicators.reshape(-1, len(column)), size, states, usual)

    def weights(self, slopes: Floats) -> Floats:
        """One number, or one for each state; a state never seen adds what others do on average."""
        if not self.size:
            return np.asarray(slopes[0])
        weights = np.full(self.size, float(slopes @ self.columns.mean(axis=1)))
        weights[self.states] = slopes
        weights[self.usual] = 0.0
        return weights
