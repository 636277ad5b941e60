"""The score of bent functions and noise of any shape, from its formulas, by numpy and scipy."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import lgamma, log, pi, sqrt

import numpy as np
from numpy.polynomial import Legendre
from scipy.optimize import brentq
from scipy.special import betaln, log_ndtr, logsumexp, ndtr
from scipy.stats import exponnorm, norm, rankdata, t

A = 0.25
C = sqrt(1 - A * A)
Q = C * sqrt(3)
SKEWED = exponnorm(C / A, loc=-C, scale=A)
"""A normal variable of deviation A and an exponential one of mean C, less C."""


def basis(x: np.ndarray, most: int) -> list[np.ndarray]:
    n, size = len(x), min(most, len(set(x.tolist())) - 1)
    if size < 1:
        return []
    columns = [(x - x.mean()) / x.std()]
    u = 2 * (rankdata(x) - 0.5) / n - 1
    for k in range(2, most + 6):
        if len(columns) == size:
            break
        column = Legendre.basis(k)(u)
        for _ in range(2):
            for other in [np.ones(n), *columns]:
                column = column - (column @ other) / n * other
        if np.mean(column**2) > 1e-6:
            columns.append(column / sqrt(np.mean(column**2)))
    return columns


def regression(
    y: np.ndarray, blocks: Sequence[Sequence[np.ndarray]]
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """g, the residuals, Φ and M."""
    n, num_parents, half = len(y), len(blocks), 0.5
    columns = [column for block in blocks for column in block]
    weights = [1 if j == 0 else j**2 for block in blocks for j in range(len(block))]
    phi = np.array(columns).T.reshape(n, len(columns))
    prior = half * np.diag(np.array(weights, dtype=float))
    matrix = prior + phi.T @ phi
    beta = np.linalg.solve(matrix, phi.T @ y)
    rho = half + y @ y - y @ phi @ beta
    freedom = num_parents + 3
    g = 0.5 * log(1 / (n + 1)) + lgamma((n + freedom) / 2) - lgamma(freedom / 2)
    g += -n / 2 * log(pi) + freedom / 2 * log(half) - (n + freedom) / 2 * log(rho)
    g += 0.5 * np.linalg.slogdet(prior)[1] - 0.5 * np.linalg.slogdet(matrix)[1]
    return g, y - phi @ beta, phi, matrix


def tree(values: np.ndarray, quantile: Callable[[float], float], levels: int) -> float:
    """Dyadic bins: of 2^j at level j, each node's halves against each other."""
    n = len(values)
    total: float = n * levels * log(2)
    for level in range(1, levels + 1):
        c = 2 * level**2
        borders = [quantile(i / 2**level) for i in range(1, 2**level)]
        above = [n, *(int((values > border + 1e-9).sum()) for border in borders), 0]
        counts = [first - second for first, second in pairwise(above)]
        for left, right in zip(counts[::2], counts[1::2], strict=True):
            total += float(betaln(c + left, c + right) - betaln(c, c))
    return total


def skewed_quantile(share: float) -> float:
    return float(brentq(lambda w: SKEWED.cdf(w) - share, -4, 40, xtol=1e-13))


def log_skewed(w: np.ndarray) -> np.ndarray:
    below: np.ndarray = log_ndtr((w + C) / A - A / C)
    return below - log(C) + A**2 / (2 * C**2) - (w + C) / C


def log_blunt(w: np.ndarray) -> np.ndarray:
    away = np.abs(w)
    density = (ndtr((Q - away) / A) - ndtr((-Q - away) / A)) / (2 * Q)
    return np.asarray(np.log(np.maximum(density, 1e-300)))


def delta(e: np.ndarray, levels: int) -> float:
    n, square = len(e), np.mean(e**2)
    if square == 0:
        return 0.0
    w = e / sqrt(square)
    usual = norm.logpdf(w).sum()
    terms = [0.0, tree(w, norm.ppf, levels)]
    for mirrored in (w, -w):
        gain = log_skewed(mirrored).sum() - usual
        terms += [gain, gain + tree(mirrored, skewed_quantile, levels)]
    terms.append(log_blunt(w).sum() - usual)
    middle = np.sort(w)[n // 2]
    scale = np.sort(np.abs(w - middle))[n // 2] / t.ppf(0.75, 4)
    if scale > 1e-9:
        v = (w - middle) / scale
        gain = (t.logpdf(v, 4) - log(scale)).sum() - usual - log(n) / 2
        terms += [gain, gain + tree(v, lambda share: t.ppf(share, 4), levels)]
    return float(logsumexp(terms) - log(len(terms)))


def local(
    columns: Sequence[np.ndarray],
    child: int,
    parents: Sequence[int],
    *,
    most: int = 8,
    is_flexible: bool = True,
) -> float:
    x = columns[child]
    n, constant = len(x), x.min() == x.max()
    deviation = 1.0 if constant else x.std()
    y = (x - x.mean()) / deviation
    blocks = [basis(columns[u], most) for u in parents]
    g, e, phi, matrix = regression(y, [block[:1] for block in blocks])
    normal = g
    if parents:
        full = regression(y, blocks)
        normal = float(np.logaddexp(g, full[0])) - log(2)
        if full[0] > g:
            _, e, phi, matrix = full
    score = normal - n * log(deviation)
    if not is_flexible:
        return score
    commonest = np.unique(x, return_counts=True)[1].max()
    levels = max(j for j in range(-1, 7) if j < 1 or 2**j <= n / (4 * commonest))
    levels = max(levels, 0)
    shaped = delta(e, levels)
    if not parents:
        return score + shaped
    return score + float(np.logaddexp(shaped, spread(e, phi, matrix, levels))) - log(2)


def spread(e: np.ndarray, phi: np.ndarray, matrix: np.ndarray, levels: int) -> float:
    n, square = len(e), np.mean(e**2)
    if square == 0:
        return -np.inf
    h = np.log(e**2 + square / 100)
    h = h - h.mean()
    fitted = phi @ np.linalg.solve(matrix, phi.T @ h)
    price = phi.shape[1] / 2 * log(n)
    if not h @ fitted / 4 > price:
        return -np.inf
    f = e / np.exp(fitted / 2)
    gain = -fitted.sum() / 2 - n / 2 * log(np.mean(f**2) / square)
    return float(gain + delta(f, levels) - price)
