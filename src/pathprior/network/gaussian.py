"""`GaussianNetwork`: a DAG of real variables, each a linear function of its parents and noise."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.door import Tabular
from pathprior.data.scatter import Scatter
from pathprior.errors import NetworkError
from pathprior.graph.dag import Dag
from pathprior.network.by_node import ByNode
from pathprior.network.columns import read_columns
from pathprior.network.conditionals import Linear
from pathprior.network.experiment import rows_left_alone
from pathprior.network.linear import check_linear, fit_linear
from pathprior.network.model import Network
from pathprior.network.regression import check_scatter
from pathprior.network.tables import check_sample_size

WEIGHTS = (0.3, 1.0)
"""Between what sizes random weights lie."""


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class GaussianNetwork(Network):
    """A linear-Gaussian network: x_v = intercept_v + Σ_u weight_uv x_u + deviation_v · noise.

    Immutable and comparable. Parameters are given in the order of the nodes and read by position or
    by name: ``weights["bmi"]``.

    Parameters
    ----------
    dag
        The structure.
    intercepts
        One number for each node.
    weights
        ``weights[v]``: one number for each parent of v, in the order of ``dag.parents(v)``.
    deviations
        Standard deviation of each node given its parents, above zero.

    See Also
    --------
    GaussianNetwork.estimate : parameters from data.
    GaussianNetwork.random : parameters at random, for simulations.
    """

    dag: Dag
    states: ByNode[tuple[str, ...]] = field(repr=False)
    conditionals: ByNode[Linear] = field(repr=False)

    def __init__(
        self,
        dag: Dag,
        intercepts: Sequence[float] | NDArray[np.float64],
        weights: Sequence[ArrayLike],
        deviations: Sequence[float] | NDArray[np.float64],
    ) -> None:
        for what, given in (
            ("intercepts", intercepts),
            ("lists of weights", weights),
            ("deviations", deviations),
        ):
            if len(given) != dag.num_nodes:
                raise NetworkError(f"{dag.num_nodes} nodes need as many {what}, not {len(given)}")
        states = ByNode(dag, ((),) * dag.num_nodes)
        linear = tuple(
            check_linear(dag, node, states, Linear(a, tuple(np.atleast_1d(b)), s))
            for node, a, b, s in zip(dag.nodes, intercepts, weights, deviations, strict=True)
        )
        object.__setattr__(self, "dag", dag)
        object.__setattr__(self, "states", states)
        object.__setattr__(self, "conditionals", ByNode(dag, linear))

    # -- making one ------------------------------------------------------------------------------

    @classmethod
    def estimate(
        cls,
        dag: Dag,
        data: Tabular,
        *,
        equivalent_sample_size: float | None = None,
    ) -> "GaussianNetwork":
        """Estimate the parameters of ``dag`` from complete data.

        Parameters
        ----------
        dag
            The structure; each node must be a column of numbers of ``data``. Other columns are not
            used.
        data
            A DataFrame, or anything `read_dataset` takes.
        equivalent_sample_size
            α > 0: posterior means under the BGe prior that is worth α rows, see `from_scatter`.
            None means maximum likelihood.
        """
        alpha = equivalent_sample_size
        blocks = read_columns(data, dag, ((),) * dag.num_nodes)
        if not isinstance(data, Dataset) or data.intervened is None:
            scatter = Scatter.merged(Scatter.of(np.array(block)) for block in blocks)
            return cls.from_scatter(dag, scatter, equivalent_sample_size=alpha)
        check_sample_size(alpha)
        dataset = data.select(dag.nodes)
        values = np.concatenate([np.array(block) for block in blocks], axis=1)
        fitted = []
        for v, node in enumerate(dag.nodes):
            scatter = Scatter.of(values[:, rows_left_alone(dataset, v)])
            check_scatter(scatter, dag.nodes)
            parents = np.flatnonzero(dag.adjacency[:, v]).tolist()
            fitted.append(fit_linear(scatter, v, parents, alpha=alpha, node=node))
        return cls.of(dag, fitted)

    @classmethod
    def from_scatter(
        cls, dag: Dag, scatter: Scatter, *, equivalent_sample_size: float | None = None
    ) -> "GaussianNetwork":
        """Estimate the parameters from means and sums of products, in the order of the nodes.

        With α = ``equivalent_sample_size`` the posterior means under the prior of the score BGe
        with α_μ = α and α_w = p + α + 1, in units of each column's own spread; with n rows and l
        parents

            R = products + α²/(α + 1) · diag(variances),
            weights = R_P⁻¹ R_Pv,  deviation² = R_v|P / (n + α + l).

        Without it, maximum likelihood; of several solutions the one with the smallest weights.
        """
        check_sample_size(equivalent_sample_size)
        check_scatter(scatter, dag.nodes)
        fitted = [
            fit_linear(
                scatter,
                v,
                np.flatnonzero(dag.adjacency[:, v]).tolist(),
                alpha=equivalent_sample_size,
                node=node,
            )
            for v, node in enumerate(dag.nodes)
        ]
        return cls.of(dag, fitted)

    @classmethod
    def of(cls, dag: Dag, regressions: Sequence[Linear]) -> "GaussianNetwork":
        """Return the network with these regressions, one for each node."""
        return cls(
            dag,
            [linear.intercept for linear in regressions],
            [np.array(linear.weights) for linear in regressions],
            [linear.deviation for linear in regressions],
        )

    @classmethod
    def random(
        cls,
        dag: Dag,
        *,
        weights: tuple[float, float] = WEIGHTS,
        seed: int = 0,
    ) -> "GaussianNetwork":
        """Draw weights for simulations: their sizes uniform in a range, their signs at random.

        Intercepts are 0, deviations 1.

        Parameters
        ----------
        weights
            Smallest and largest size.
        seed
            The weights are a function of ``dag``, ``weights`` and ``seed``.
        """
        low, high = weights
        if not 0 <= low <= high < np.inf:
            raise NetworkError(f"weights must be a range of sizes from 0 up, not {weights!r}")
        rng = np.random.default_rng(seed)
        sizes = dag.adjacency.sum(axis=0).tolist()
        drawn = [rng.uniform(low, high, size) * rng.choice([-1.0, 1.0], size) for size in sizes]
        return cls(dag, [0.0] * dag.num_nodes, drawn, [1.0] * dag.num_nodes)

    # -- reading it ------------------------------------------------------------------------------

    @property
    def intercepts(self) -> ByNode[float]:
        """Intercept of each node."""
        return ByNode(self.dag, tuple(linear.intercept for linear in self.conditionals))

    @property
    def weights(self) -> ByNode[NDArray[np.float64]]:
        """Weights of each node's parents, in the order of ``dag.parents``."""
        return ByNode(self.dag, tuple(np.array(linear.weights) for linear in self.conditionals))

    @property
    def deviations(self) -> ByNode[float]:
        """Standard deviation of each node given its parents."""
        return ByNode(self.dag, tuple(linear.deviation for linear in self.conditionals))

    def means(self) -> NDArray[np.float64]:
        """Mean of each node."""
        means: NDArray[np.float64] = self._spread() @ np.array(self.intercepts)
        return means

    def covariance(self) -> NDArray[np.float64]:
        """Covariance matrix of the nodes: A diag(deviations²) Aᵀ, A = (I − B)⁻¹."""
        scaled = self._spread() * np.array(self.deviations)
        matrix: NDArray[np.float64] = scaled @ scaled.T
        return matrix

    def effect(self, x: str, y: str) -> float:
        """What setting ``x`` does to ``y``: by how much its mean changes for each unit of x.

        The sum over all paths from x to y of the products of the weights along them.
        """
        i, j = self.dag.index(x), self.dag.index(y)
        if i == j:
            raise NetworkError(f"an effect needs two different variables, not {x!r} twice")
        return float(self._spread()[j, i])

    def _spread(self) -> NDArray[np.float64]:
        """What a change of one node's noise does to each node, itself included: (I − B)⁻¹."""
        spread = np.eye(self.dag.num_nodes)
        for v in self.dag.order.tolist():
            for u, weight in zip(self._parents(v), self.conditionals[v].weights, strict=True):
                spread[v] += weight * spread[u]
        return spread
