"""Multinomial logits of discrete nodes with real parents: fitted and checked."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import NetworkError, PathPriorWarning
from pathprior.graph.dag import Dag
from pathprior.network.by_node import ByNode
from pathprior.network.conditionals import Logit
from pathprior.network.embedding import Embedding
from pathprior.network.linear import check_weights

Floats = NDArray[np.float64]

# What stays of the prior where maximum likelihood is asked for: enough for a maximum to exist where
# a parent tells the states apart without fail.
LEAST_WEIGHT = 1e-3

MAX_NEWTON = 400
"""Most coefficients for which Newton steps are taken."""
MAX_DRAWN = 2000
"""Most coefficients that are drawn."""
MAX_STEPS, MAX_GRADIENTS = 100, 1000
"""Steps of either kind after which there are no more."""
TOLERANCE = 1e-14
"""Decrease, over what it decreases, at which the steps end."""


class LogitConvergenceWarning(PathPriorWarning):
    """The weights of a logit are not yet the most probable ones."""


def fit_logit(
    node: str,
    codes: NDArray[np.int64],
    num_states: int,
    embedding: Embedding,
    equivalent_sample_size: float | None,
) -> Logit:
    """Find the most probable weights of ``node`` a posteriori, or warn that they are not found.

    The prior is worth α rows: α/r of each of the r states at the mean of all parents, and weights
    that are normal with variance 1/α, for real parents per standard deviation. No state is special.
    Without parents this is the posterior mean under BDeu.
    """
    alpha = LEAST_WEIGHT if equivalent_sample_size is None else equivalent_sample_size
    problem = _Problem(codes, num_states, embedding, alpha)
    size = (1 + embedding.num_columns) * num_states
    is_small = size <= MAX_NEWTON
    coefficients, has_settled = problem.by_newton() if is_small else problem.by_gradients()
    if not has_settled:
        _warn_of_unsettled(node, MAX_STEPS if is_small else MAX_GRADIENTS)
    intercepts, weights = embedding.split(coefficients)
    # the same distribution with the first state as the one to compare with
    return Logit(intercepts - intercepts[0], tuple(weight - weight[..., :1] for weight in weights))


def logit_draws(
    node: str,
    codes: NDArray[np.int64],
    num_states: int,
    embedding: Embedding,
    alpha: float,
) -> Callable[[np.random.Generator], Logit]:
    """Make what draws logits from the normal approximation about the most probable weights."""
    size = (1 + embedding.num_columns) * num_states
    if size > MAX_DRAWN:
        raise NetworkError(
            f"the logit of {node!r} has {size} weights, of which at most {MAX_DRAWN} can be drawn: "
            "merge states, or give it fewer parents"
        )
    problem = _Problem(codes, num_states, embedding, alpha)
    coefficients, has_settled = problem.by_newton()
    if not has_settled:
        _warn_of_unsettled(node, MAX_STEPS)
    lower = np.linalg.cholesky(problem.hessian(coefficients))

    def draw(generator: np.random.Generator) -> Logit:
        away = np.linalg.solve(lower.T, generator.standard_normal(size))
        intercepts, weights = embedding.split(coefficients + away.reshape(problem.shape))
        return Logit(intercepts - intercepts[0], tuple(w - w[..., :1] for w in weights))

    return draw


def _warn_of_unsettled(node: str, limit: int) -> None:
    warnings.warn(
        f"the logit of {node!r} has not settled in {limit} steps: its weights are not yet the "
        "most probable ones; raise equivalent_sample_size, or merge states that few rows have",
        LogitConvergenceWarning,
        stacklevel=5,
    )


@dataclass(frozen=True, slots=True)
class _Problem:
    """Minus the log posterior as a function of coefficients, to be made small."""

    codes: NDArray[np.int64]
    num_states: int
    embedding: Embedding
    alpha: float

    @property
    def shape(self) -> tuple[int, int]:
        return 1 + self.embedding.num_columns, self.num_states

    def by_newton(self) -> tuple[Floats, bool]:
        """Newton steps, halved where they lead too far; and whether they came to an end."""
        coefficients = np.zeros(self.shape)
        for _ in range(MAX_STEPS):
            value, gradient = self.value_and_gradient(coefficients)
            step = np.linalg.solve(self.hessian(coefficients), gradient.ravel()).reshape(self.shape)
            decrease = float((gradient * step).sum())
            if decrease <= TOLERANCE * (1.0 + abs(value)):
                return coefficients, True
            while (
                self.value_and_gradient(coefficients - step)[0] > value - 1e-4 * decrease
                and decrease > TOLERANCE
            ):
                step, decrease = step / 2, decrease / 2
            coefficients = coefficients - step
        return coefficients, False

    def by_gradients(self) -> tuple[Floats, bool]:
        """The same without second derivatives, of which there are too many."""
        from scipy.optimize import minimize

        def evaluate(flat: Floats) -> tuple[float, Floats]:
            value, gradient = self.value_and_gradient(flat.reshape(self.shape))
            return value, gradient.ravel()

        start = np.zeros(self.shape[0] * self.shape[1])
        found = minimize(
            evaluate, start, jac=True, method="L-BFGS-B", options={"maxiter": MAX_GRADIENTS}
        )
        return np.asarray(found.x, dtype=np.float64).reshape(self.shape), bool(found.success)

    def value_and_gradient(self, coefficients: Floats) -> tuple[float, Floats]:
        """The prior's rows lie at the mean of all parents, where only intercepts count.

        The square of the sum of intercepts, which nothing else fixes, is kept small too.
        """
        alpha, intercepts, slopes = self.alpha, coefficients[:1], coefficients[1:]
        value = alpha * float(_log_total(intercepts)[0] - intercepts.mean())
        value += alpha / 2 * float((slopes * slopes).sum()) + float(intercepts.sum()) ** 2 / 2
        gradient = alpha * coefficients
        middle = _chances(intercepts)[0]
        gradient[0] = alpha * (middle - 1 / self.num_states) + intercepts.sum()
        for rows, design in self.embedding.blocks():
            exponents, places = design @ coefficients, (np.arange(len(design)), self.codes[rows])
            value += float((_log_total(exponents) - exponents[places]).sum())
            residuals = _chances(exponents)
            residuals[places] -= 1.0
            gradient += design.T @ residuals
        return value, gradient

    def hessian(self, coefficients: Floats) -> Floats:
        """Second derivatives."""
        d, r = self.shape
        matrix = np.zeros((d, r, d, r))
        for k in range(r):
            matrix[range(1, d), k, range(1, d), k] = self.alpha
        middle = _chances(coefficients[:1])[0]
        matrix[0, :, 0, :] = self.alpha * (np.diag(middle) - np.outer(middle, middle)) + 1.0
        for _, design in self.embedding.blocks():
            chances = _chances(design @ coefficients)
            for j in range(r):
                for k in range(r):
                    weight = chances[:, j] * ((j == k) - chances[:, k])
                    matrix[:, j, :, k] += design.T @ (design * weight[:, np.newaxis])
        return matrix.reshape(d * r, d * r)


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


def _log_total(exponents: Floats) -> Floats:
    """Logarithm of the sum of the powers in each row."""
    largest = exponents.max(axis=1)
    total: Floats = largest + np.log(np.exp(exponents - largest[:, np.newaxis]).sum(axis=1))
    return total


def _chances(exponents: Floats) -> Floats:
    chances: Floats = np.exp(exponents - _log_total(exponents)[:, np.newaxis])
    return chances
