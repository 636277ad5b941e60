"""Multinomial logits of discrete nodes with real parents: fitted and checked."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import NetworkError
from pathprior.graph.dag import Dag
from pathprior.network.by_node import ByNode
from pathprior.network.conditionals import Logit
from pathprior.network.embedding import Embedding
from pathprior.network.linear import check_weights

Floats = NDArray[np.float64]

# What stays of the prior where maximum likelihood is asked for: enough for a maximum to exist where
# a parent tells the states apart without fail.
LEAST_WEIGHT = 1e-3

MAX_STEPS = 100
TOLERANCE = 1e-14
"""Decrease, over what it decreases, at which the steps end."""


def fit_logit(
    codes: NDArray[np.int64],
    num_states: int,
    embedding: Embedding,
    equivalent_sample_size: float | None,
) -> Logit:
    """Fit by Newton steps: the most probable weights a posteriori.

    The prior is worth α rows: α/r of each of the r states at the mean of all parents, and weights
    that are normal with variance 1/α, for real parents per standard deviation. No state is special.
    Without parents this is the posterior mean under BDeu.
    """
    alpha = LEAST_WEIGHT if equivalent_sample_size is None else equivalent_sample_size
    shape = (1 + embedding.num_columns, num_states)
    coefficients = np.zeros(shape)
    for _ in range(MAX_STEPS):
        value, gradient, hessian = _derivatives(codes, embedding, coefficients, alpha)
        step = np.linalg.solve(hessian, gradient.ravel()).reshape(shape)
        decrease = float((gradient * step).sum())
        if decrease <= TOLERANCE * (1.0 + abs(value)):
            break
        while (
            _value(codes, embedding, coefficients - step, alpha) > value - 1e-4 * decrease
            and decrease > TOLERANCE
        ):
            step, decrease = step / 2, decrease / 2
        coefficients = coefficients - step
    intercepts, weights = embedding.split(coefficients)
    # the same distribution with the first state as the one to compare with
    return Logit(intercepts - intercepts[0], tuple(weight - weight[..., :1] for weight in weights))


def check_logit(dag: Dag, node: str, states: ByNode[tuple[str, ...]], given: Logit) -> Logit:
    """Return the logit with read-only weights, or say what is wrong with it."""
    shape = (len(states[node]),)
    intercepts = np.array(given.intercepts, dtype=np.float64)
    if intercepts.shape != shape or not np.isfinite(intercepts).all():
        raise NetworkError(
            f"the logit of {node!r} needs {shape[0]} finite intercepts, one for each state, not "
            f"{given.intercepts!r}"
        )
    if not dag.parents(node):
        raise NetworkError(f"{node!r} has no parents: give it a table instead of a logit")
    intercepts.flags.writeable = False
    return Logit(intercepts, check_weights(dag, node, states, given.weights, shape))


def _value(
    codes: NDArray[np.int64], embedding: Embedding, coefficients: Floats, alpha: float
) -> float:
    """Minus the log posterior."""
    total = _prior_value(coefficients, alpha)
    for rows, design in embedding.blocks():
        exponents = design @ coefficients
        total += _log_total(exponents).sum() - _own(exponents, codes[rows]).sum()
    return float(total)


def _derivatives(
    codes: NDArray[np.int64], embedding: Embedding, coefficients: Floats, alpha: float
) -> tuple[float, Floats, Floats]:
    """Minus the log posterior, its gradient and its matrix of second derivatives."""
    d, r = coefficients.shape
    value = _prior_value(coefficients, alpha)
    gradient = alpha * coefficients
    hessian = np.zeros((d, r, d, r))
    for k in range(r):
        hessian[range(1, d), k, range(1, d), k] = alpha
    # the prior's rows, at the mean of all parents, and what fixes the sum of all intercepts
    mean_row = _softmax(coefficients[:1])[0]
    gradient[0] = alpha * (mean_row - 1 / r) + coefficients[0].sum()
    hessian[0, :, 0, :] = alpha * (np.diag(mean_row) - np.outer(mean_row, mean_row)) + 1.0
    for rows, design in embedding.blocks():
        exponents = design @ coefficients
        value += float(_log_total(exponents).sum() - _own(exponents, codes[rows]).sum())
        chances = _softmax(exponents)
        residuals = chances.copy()
        residuals[np.arange(len(residuals)), codes[rows]] -= 1.0
        gradient += design.T @ residuals
        for j in range(r):
            for k in range(j, r):
                weight = chances[:, j] * ((j == k) - chances[:, k])
                block = design.T @ (design * weight[:, np.newaxis])
                hessian[:, j, :, k] += block
                if j != k:
                    hessian[:, k, :, j] += block
    return value, gradient, hessian.reshape(d * r, d * r)


def _prior_value(coefficients: Floats, alpha: float) -> float:
    intercepts, slopes = coefficients[0], coefficients[1:]
    rows = _log_total(intercepts[np.newaxis])[0] - intercepts.mean()
    return float(alpha * rows + alpha / 2 * (slopes * slopes).sum() + intercepts.sum() ** 2 / 2)


def _log_total(exponents: Floats) -> Floats:
    largest = exponents.max(axis=1)
    total: Floats = largest + np.log(np.exp(exponents - largest[:, np.newaxis]).sum(axis=1))
    return total


def _softmax(exponents: Floats) -> Floats:
    chances: Floats = np.exp(exponents - _log_total(exponents)[:, np.newaxis])
    return chances


def _own(exponents: Floats, codes: NDArray[Any]) -> Floats:
    own: Floats = exponents[np.arange(len(exponents)), codes]
    return own
