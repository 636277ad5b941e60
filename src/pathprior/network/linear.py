"""Regressions of real nodes: fitted and checked."""

from collections.abc import Sequence
from math import isfinite, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.scatter import Scatter
from pathprior.errors import NetworkError
from pathprior.graph.dag import Dag
from pathprior.network.by_node import ByNode
from pathprior.network.conditionals import Linear
from pathprior.network.embedding import Embedding
from pathprior.network.regression import check_scatter, regress

Floats = NDArray[np.float64]


def fit_linear(
    scatter: Scatter, child: int, parents: Sequence[int], *, alpha: float | None, node: str
) -> Linear:
    """Regress one column on others, all of them real."""
    found = regress(
        scatter,
        child,
        [[parent] for parent in parents],
        equivalent_sample_size=alpha,
        num_free=len(parents),
    )
    return Linear(found.intercept, tuple(found.weights), _deviation(found.variance, node))


def fit_additive(
    node: str, family: Sequence[NDArray[Any]], sizes: Sequence[int], *, alpha: float | None
) -> Linear:
    """Regress a real column, the last, on columns of both kinds: each state adds its own weight."""
    embedding = Embedding.of(family, sizes)
    scatter = embedding.scatter()
    check_scatter(scatter, [node] * embedding.num_columns)
    *columns, child = embedding.columns_of()
    found = regress(
        scatter,
        child.start,
        columns,
        equivalent_sample_size=alpha,
        num_free=embedding.num_free - 1,
    )
    parents = embedding.without_last()
    at_means = found.intercept + found.weights @ parents.means
    coefficients = np.append(at_means, found.weights * parents.scales)
    intercepts, weights = parents.split(coefficients[:, np.newaxis])
    return Linear(
        float(intercepts[0]),
        tuple(weight[..., 0] for weight in weights),
        _deviation(found.variance, node),
    )


def check_linear(dag: Dag, node: str, states: ByNode[tuple[str, ...]], given: Linear) -> Linear:
    """Return the regression with read-only weights, or say what is wrong with it."""
    weights = check_weights(dag, node, states, given.weights, ())
    intercept, deviation = _number(node, "intercept", given.intercept), given.deviation
    if not (_number(node, "deviation", deviation) > 0):
        raise NetworkError(f"the deviation of {node!r} must be above zero, not {deviation!r}")
    return Linear(intercept, weights, float(deviation))


def check_weights(
    dag: Dag,
    node: str,
    states: ByNode[tuple[str, ...]],
    given: Sequence[Any],
    shape: tuple[int, ...],
) -> tuple[Floats, ...]:
    """Return read-only weights, one array per parent; ``shape`` is that of the child's states."""
    parents = dag.parents(node)
    if len(given) != len(parents):
        raise NetworkError(
            f"{node!r} has the parents {list(parents)} and needs as many weights, not {len(given)}"
        )
    weights = []
    for parent, numbers in zip(parents, given, strict=True):
        weight = np.array(numbers, dtype=np.float64)
        wanted = (*((len(states[parent]),) if states[parent] else ()), *shape)
        if weight.shape != wanted:
            raise NetworkError(
                f"the weights of {parent!r} for {node!r} have shape {weight.shape}, not {wanted}: "
                "one for each state of a discrete node"
            )
        if not np.isfinite(weight).all():
            raise NetworkError(f"the weight of {parent!r} for {node!r} is not finite: {numbers}")
        weight.flags.writeable = False
        weights.append(weight)
    return tuple(weights)


def _number(node: str, what: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not isfinite(number):
        raise NetworkError(f"the {what} of {node!r} must be a number, not {value!r}")
    return number


def _deviation(variance: float, node: str) -> float:
    """Return the standard deviation, or say that there is none."""
    if not variance > 0:
        raise NetworkError(
            f"{node!r} is constant or a linear function of its parents in these rows: maximum "
            "likelihood gives it no spread; set equivalent_sample_size"
        )
    return sqrt(variance)
