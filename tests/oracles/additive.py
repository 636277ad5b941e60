"""The three marginal likelihoods of the score of families, from their definitions."""

from itertools import combinations, product
from math import exp, lgamma, log, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import helmert
from scipy.optimize import minimize
from scipy.special import log_softmax, logsumexp, softmax

Floats = NDArray[np.float64]


def design(of_parents: list[int]) -> Floats:
    """A row for each configuration, the first parent's state fastest: one, and contrasts."""
    rows = []
    for states in product(*(range(k) for k in reversed(of_parents))):
        row = [np.ones(1)]
        for k, s in zip(of_parents, reversed(states), strict=True):
            row.append(helmert(k)[:, s])
        rows.append(np.concatenate(row))
    return np.array(rows)


def contrasts(r: int) -> Floats:
    """r − 1 orthonormal contrasts of r states, as columns."""
    return np.asarray(helmert(r).T)


def log_likelihood(theta: Floats, cells: Floats, of_parents: list[int]) -> Floats:
    """Σ cells · log π of each row of ``theta``, in orthonormal contrasts."""
    z, c = design(of_parents), contrasts(cells.shape[1])
    theta = theta.reshape(len(theta), z.shape[1], c.shape[1])
    eta = np.einsum("jp,npf,rf->njr", z, theta, c)
    return np.asarray(np.einsum("njr,jr->n", log_softmax(eta, axis=2), cells))


def log_integral(
    cells: Floats, of_parents: list[int], rng: np.random.Generator, size: int
) -> float:
    """log ∫ Π π^cells dθ by importance sampling from Student's t, whose tails are heavier."""
    theta, hessian = maximum(cells, of_parents)
    d, degrees = theta.size, 3
    root = np.linalg.cholesky(1.5 * np.linalg.inv(hessian))
    normal = rng.standard_normal((size, d))
    scale = np.sqrt(rng.chisquare(degrees, size) / degrees)[:, None]
    drawn = normal / scale
    log_density = (
        lgamma((degrees + d) / 2)
        - lgamma(degrees / 2)
        - d / 2 * log(degrees * pi)
        - float(np.log(root.diagonal()).sum())
        - (degrees + d) / 2 * np.log1p((drawn**2).sum(axis=1) / degrees)
    )
    values = log_likelihood(theta + drawn @ root.T, cells, of_parents)
    return float(logsumexp(values - log_density)) - log(size)


def laplace(counts: NDArray[np.integer], of_parents: list[int], e: float) -> float:
    """L, with the maximum found by scipy and the determinant of its full Hessian."""
    q, r = counts.shape
    cells = counts + e / (q * r)
    theta, hessian = maximum(cells, of_parents)
    value = float(log_likelihood(theta[None], cells, of_parents)[0])
    without = curvature(np.zeros(theta.size), np.full((q, r), e / (q * r)), of_parents)
    own, prior = (float(np.linalg.slogdet(h)[1]) for h in (hessian, without))
    return value - own / 2 + e * log(r) + prior / 2


def curvature(theta: Floats, cells: Floats, of_parents: list[int]) -> Floats:
    """The Hessian of −Σ cells log π."""
    q, r = cells.shape
    z, c = design(of_parents), contrasts(r)
    chances = softmax(z @ theta.reshape(z.shape[1], r - 1) @ c.T, axis=1)
    hessian = np.zeros((theta.size, theta.size))
    for j in range(q):
        own = cells[j].sum() * (np.diag(chances[j]) - np.outer(chances[j], chances[j]))
        hessian += np.kron(np.outer(z[j], z[j]), c.T @ own @ c)
    return hessian


def maximum(cells: Floats, of_parents: list[int]) -> tuple[Floats, Floats]:
    """θ̂ and the Hessian there."""
    r = cells.shape[1]
    z, c = design(of_parents), contrasts(r)
    totals = cells.sum(axis=1, keepdims=True)

    def loss(theta: Floats) -> float:
        return -float(log_likelihood(theta[None], cells, of_parents)[0])

    def slope(theta: Floats) -> Floats:
        eta = z @ theta.reshape(z.shape[1], r - 1) @ c.T
        return -np.ravel(z.T @ (cells - totals * softmax(eta, axis=1)) @ c)

    search: Any = minimize  # its stubs take no array of any shape
    theta: Floats = search(
        loss,
        np.zeros(z.shape[1] * (r - 1)),
        jac=slope,
        hess=lambda theta: curvature(theta, cells, of_parents),
        method="trust-exact",
        options={"gtol": 1e-11, "maxiter": 1000},
    ).x
    return theta, curvature(theta, cells, of_parents)


def log_odds_ratio(
    counts: NDArray[np.integer],
    of_parents: list[int],
    e: float,
    parent: int,
    states: tuple[int, int],
    outcomes: tuple[int, int],
) -> tuple[float, float]:
    """Mean and deviation of log odds of two outcomes in one state of a parent less in another."""
    cells = np.asarray(counts + e / counts.size, np.float64)
    theta, hessian = maximum(cells, of_parents)
    by_state = np.eye(of_parents[parent])[list(states)] @ helmert(of_parents[parent]).T
    before = sum(k - 1 for k in of_parents[:parent])
    z = np.zeros(1 + sum(k - 1 for k in of_parents))
    z[1 + before : before + of_parents[parent]] = by_state[0] - by_state[1]
    c = contrasts(counts.shape[1])
    weights = np.kron(z, c[outcomes[0]] - c[outcomes[1]])
    return float(weights @ theta), float(np.sqrt(weights @ np.linalg.solve(hessian, weights)))


def table(counts: NDArray[np.integer], alpha: float) -> float:
    """Log evidence of a full table with ``alpha`` in each cell."""
    r = counts.shape[1]
    return sum(
        lgamma(r * alpha)
        - lgamma(r * alpha + int(row.sum()))
        + sum(lgamma(alpha + int(n)) - lgamma(alpha) for n in row)
        for row in counts
    )


def additive(counts: NDArray[np.integer], of_parents: list[int], e: float) -> float:
    """A: Laplace's method, with what it misses at one parent at most taken off."""
    q, r = counts.shape

    def missed(which: int | None) -> float:
        shape = [] if which is None else [of_parents[which]]
        # the first parent's state is fastest, so it is the last axis of an array in C's order
        by_parent = counts.reshape([*reversed(of_parents), r])
        axes = tuple(i for i in range(len(of_parents)) if i != _axis(which, of_parents))
        own = by_parent.sum(axis=axes).reshape(-1, r)
        return table(own, e / own.size) - laplace(own, shape, e)

    if len(of_parents) < 2:
        return table(counts, e / (q * r))
    alone = missed(None)
    more = sum(missed(i) - alone for i in range(len(of_parents)))
    missed_more = [missed_beyond_one(of_parents, r, size) for size in (e, e + counts.sum())]
    return laplace(counts, of_parents, e) + alone + more - missed_more[0] + missed_more[1]


def missed_beyond_one(of_parents: list[int], r: int, e: float) -> float:
    """What Laplace's method misses of ∫ Π π^a beyond one parent; benchmarks/additive_prior.py."""
    free = [k - 1 for k in of_parents if k > 1]
    if r == 1 or len(free) < 2:
        return 0.0
    pairs = sum((x * y) ** 0.934 for x, y in combinations(free, 2))
    size = 1 + sum(free)
    most = exp(-0.584) * pairs**1.117 * (r - 1) ** 0.84 * size**-0.809
    return float(most / (1 + (e / (exp(-0.375) * r**0.352 * size**0.64)) ** 1.307) ** 0.736)


def _axis(which: int | None, of_parents: list[int]) -> int | None:
    return None if which is None else len(of_parents) - 1 - which


def families(counts: NDArray[np.integer], of_parents: list[int], e: float) -> float:
    """The mean of the three."""
    q, r = counts.shape
    parts = [table(counts, e / (q * r)), table(counts, 1 / r), additive(counts, of_parents, e)]
    return float(logsumexp(parts)) - log(3)
