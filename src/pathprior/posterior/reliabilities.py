"""`Reliabilities`: how often each source of statements is right, drawn beside the graph."""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.prior.graph_prior import Codes
from pathprior.posterior.array_records import Arrays
from pathprior.posterior.latent import DrawnGraph, Given
from pathprior.problem.statement_weights import StatementWeights

RELIABILITY = "reliability"
"""The reliability of each source, in the state of a chain."""
INSIDE = (1e-300, 1.0 - 2.0**-53)
"""Between which a reliability has finite logarithms."""


class Reliabilities:
    """The reliability of each source: given the graph Beta distributed; a `Latent`.

    Given the reliabilities, statements are weights of ties like those of beliefs. Scores of graphs
    are averaged over them, so that those of two draws of one graph are the same.
    """

    stream: tuple[int, ...] = (len(RELIABILITY),)
    begins_with_chain = True

    def __init__(self, statements: StatementWeights) -> None:
        self._statements = statements
        self._rely_on(np.full(len(statements.shapes), 0.5))

    def refresh(self, graph: DrawnGraph, generator: np.random.Generator) -> None:
        """Draw ρ ~ Beta(a + k, b + m − k) of each source, k of its m statements held."""
        a, b = self._statements.shapes_given(graph.codes).T
        self._rely_on(generator.beta(a, b))

    def given(self) -> Given:
        """Beliefs and statements, weighed by these reliabilities."""
        return Given(log_weights=self._weights)

    def averaged(self, codes: Codes) -> float:
        """The beliefs and log P(statements | G) for what was given."""
        given = self._weights[np.arange(len(codes)), codes].sum()
        return float(self._statements.log_prior(codes) - given)

    def state(self) -> Arrays:
        """The reliabilities."""
        return {RELIABILITY: self._reliability}

    def restore(self, state: Arrays) -> None:
        """Go back to where `state` was asked for."""
        self._rely_on(state[RELIABILITY])

    def fixed(self) -> Arrays:
        """The statements."""
        return self._statements.arrays

    def _rely_on(self, reliability: NDArray[np.float64]) -> None:
        self._reliability = reliability
        inside = np.clip(reliability, *INSIDE)
        self._weights = self._statements.log_weights(np.log(inside), np.log1p(-inside))
