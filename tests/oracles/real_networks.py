"""Networks of real columns from their definitions: one family, one row at a time."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import norm

from pathprior.graph.dag import Dag
from pathprior.network.conditionals import Linear, Logit, Table
from pathprior.network.gaussian import GaussianNetwork
from pathprior.network.mixed import MixedNetwork
from pathprior.network.model import Network
from tests.oracles.network import names
from tests.strategies import dags

Floats = NDArray[np.float64]


def bge_means(
    values: Floats, child: int, parents: Sequence[int], alpha: float
) -> tuple[float, Floats, float]:
    """Posterior means of intercept, weights and variance, all p variables in one Wishart prior.

    α_μ = α, α_w = p + α + 1, ν the means, T = t diag(variances), t = α_μ(α_w − p − 1)/(α_μ + 1);
    R = T + S + nα_μ/(n + α_μ) (x̄ − ν)(x̄ − ν)ᵀ.
    """
    p, n = values.shape
    alpha_w = p + alpha + 1
    means, variances = values.mean(axis=1), values.var(axis=1)
    variances[variances == 0] = 1.0
    nu = means.copy()
    centred = values - means[:, np.newaxis]
    matrix = np.diag(alpha * (alpha_w - p - 1) / (alpha + 1) * variances) + centred @ centred.T
    matrix += n * alpha / (n + alpha) * np.outer(means - nu, means - nu)
    shrunk = (n * means + alpha * nu) / (n + alpha)
    above = list(parents)
    weights = np.linalg.inv(matrix[np.ix_(above, above)]) @ matrix[above, child]
    left = matrix[child, child] - matrix[child, above] @ weights
    variance = left / (n + alpha_w - p + len(above) - 1)
    return float(shrunk[child] - weights @ shrunk[above]), weights, float(variance)


def row_log_density(network: Network, row: dict[str, Any]) -> float:
    """Σ_v log p(x_v | parents) of one row of numbers and names of states."""
    total = 0.0
    for node in network.variables:
        form, parents = network.conditionals[node], network.parents_of(node)
        if isinstance(form, Table):
            cell = tuple(states.index(row[name]) for name, states in parents)
            total += float(
                np.log(form.probabilities[(*cell, network.states[node].index(row[node]))])
            )
        elif isinstance(form, Linear):
            mean = form.intercept
            for (name, states), weight in zip(parents, form.weights, strict=True):
                mean += float(weight[states.index(row[name])] if states else weight * row[name])
            total += float(norm.logpdf(row[node], mean, form.deviation))
        elif isinstance(form, Logit):
            odds = form.intercepts.copy()
            for (name, states), weight in zip(parents, form.weights, strict=True):
                odds += weight[states.index(row[name])] if states else weight * row[name]
            chances = np.exp(odds) / np.exp(odds).sum()
            total += float(np.log(chances[network.states[node].index(row[node])]))
    return total


def logit_loss(
    coefficients: Floats, codes: NDArray[np.int64], design: Floats, alpha: float
) -> float:
    """Minus the log posterior; ``design`` has centred columns, the first one of ones."""
    num_states = coefficients.shape[1]
    total = alpha / 2 * float((coefficients[1:] ** 2).sum())
    for x, code in zip(design, codes.tolist(), strict=True):
        odds = x @ coefficients
        total -= float(odds[code] - np.log(np.exp(odds).sum()))
    middle = coefficients[0] - np.log(np.exp(coefficients[0]).sum())
    return float(total - alpha / num_states * middle.sum())


@st.composite
def gaussian_networks(draw: st.DrawFn, max_nodes: int = 5) -> GaussianNetwork:
    """Draw a linear-Gaussian network whose columns have very different units."""
    dag = draw(dags(max_nodes=max_nodes))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    units = 10.0 ** rng.integers(-3, 4, dag.num_nodes)
    weights = [
        rng.normal(size=len(above)) * units[v] / units[above]
        for v, above in enumerate(np.flatnonzero(column) for column in dag.adjacency.T)
    ]
    spread = units * rng.uniform(0.5, 2, dag.num_nodes)
    return GaussianNetwork(dag, units * rng.normal(size=dag.num_nodes), weights, spread)


@st.composite
def mixed_networks(
    draw: st.DrawFn, max_nodes: int = 5, *, plain_names: bool = True
) -> MixedNetwork:
    """Draw a network in which each node is real or has up to three states."""
    dag = draw(dags(max_nodes=max_nodes))
    if not plain_names:
        count = dag.num_nodes
        nodes = draw(st.lists(names(), min_size=count, max_size=count, unique=True))
        dag = Dag(tuple(nodes), dag.adjacency)
    sizes = {node: draw(st.integers(0, 3)) for node in dag.nodes}
    num_states = {node: size for node, size in sizes.items() if size}
    return MixedNetwork.random(dag, num_states, shape=1.0, seed=draw(st.integers(0, 1000)))
