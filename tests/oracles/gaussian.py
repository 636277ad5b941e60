"""The Gaussian scores from their formulas: fractions, and logarithms to fifty digits."""

import math
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import factorial
from typing import Any

import numpy as np

from tests.oracles.score import local_score

Matrix = list[list[Fraction]]

DIGITS = 50
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


def log(value: Fraction) -> Decimal:
    return Decimal(value.numerator).ln() - Decimal(value.denominator).ln()


def log_gamma_half(m: int) -> Decimal:
    """log Γ(m/2) for a whole m > 0."""
    if m % 2 == 0:
        return log(Fraction(factorial(m // 2 - 1)))
    k = m // 2
    return log(Fraction(factorial(2 * k), 4**k * factorial(k))) + PI.ln() / 2


def determinant(matrix: Matrix, members: Sequence[int]) -> Fraction:
    rows = [[matrix[i][j] for j in members] for i in members]
    result = Fraction(1)
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            result = -result
        result *= rows[k][k]
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return result


def scatter(columns: Sequence[Sequence[Fraction]]) -> tuple[list[Fraction], Matrix]:
    """Means, and sums of products about them."""
    n = len(columns[0])
    means = [sum(column, Fraction(0)) / n for column in columns]
    away = [[x - mean for x in column] for column, mean in zip(columns, means, strict=True)]
    return means, [[_product(a, b) for b in away] for a in away]


def _product(a: list[Fraction], b: list[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def set_score(
    columns: Sequence[Sequence[Fraction]],
    members: Sequence[int],
    prior: Matrix,
    *,
    alpha_mu: Fraction,
    alpha_w: int,
    nu: Sequence[Fraction] | None,
) -> Decimal:
    """log marginal density of some columns under the normal–Wishart prior with T = ``prior``.

    A set S of k columns has the degrees of freedom α_w − d + k and the block T_S.
    """
    n, d, k = len(columns[0]), len(columns), len(members)
    means, r = scatter(columns)
    weight = n * alpha_mu / (n + alpha_mu)
    for i in range(d):
        for j in range(d):
            r[i][j] += prior[i][j]
            if nu is not None:
                r[i][j] += weight * (means[i] - nu[i]) * (means[j] - nu[j])
    freedom = alpha_w - d + k
    score = k * (log(alpha_mu / (n + alpha_mu)) / 2 - n * PI.ln() / 2)
    for j in range(1, k + 1):
        score += log_gamma_half(n + alpha_w - d + j) - log_gamma_half(alpha_w - d + j)
    score += freedom * log(determinant(prior, members)) / 2
    return score - (n + freedom) * log(determinant(r, members)) / 2


def bge(
    columns: Sequence[Sequence[Fraction]],
    child: int,
    parents: Sequence[int],
    *,
    alpha_mu: Fraction = Fraction(1),
    alpha_w: int | None = None,
    scale: bool = True,
    nu: str = "mean",
) -> float:
    p, n = len(columns), len(columns[0])
    alpha_w = p + int(alpha_mu) + 1 if alpha_w is None else alpha_w
    t = alpha_mu * (alpha_w - p - 1) / (alpha_mu + 1)
    variances = [scatter(columns)[1][v][v] / n if scale else Fraction(1) for v in range(p)]
    prior = [[t * variances[i] if i == j else Fraction(0) for j in range(p)] for i in range(p)]
    zero = [Fraction(0)] * p if nu == "zero" else None
    with localcontext(prec=DIGITS):
        whole, part = (
            set_score(columns, members, prior, alpha_mu=alpha_mu, alpha_w=alpha_w, nu=zero)
            for members in ([*parents, child], list(parents))
        )
        return float(whole - part)


def gaussian_bic(
    columns: Sequence[Sequence[Fraction]],
    child: int,
    parents: Sequence[int],
    *,
    penalty: Fraction = Fraction(1),
    unbiased: bool = False,
) -> float:
    n, num_parents = len(columns[0]), len(parents)
    products = scatter(columns)[1]
    below = determinant(products, parents)
    if below == 0 or num_parents > n - 2:
        return float("-inf")
    square = determinant(products, [*parents, child]) / below
    if square == 0:
        return float("-inf")
    with localcontext(prec=DIGITS):
        left = n - num_parents - 1
        variance = square / (left if unbiased else n)
        likelihood = -n * (log(variance) + (2 * PI).ln()) / 2 - Decimal(left if unbiased else n) / 2
        cost = Decimal(penalty.numerator) / penalty.denominator * Decimal(n).ln() / 2
        return float(likelihood - cost * (num_parents + 2))


def mixed(
    variables: Sequence[Sequence[Any]], child: int, parents: Sequence[int], size: float
) -> float:
    """That on real columns and indicators; of states that share too much what BDeu says instead."""
    score = indicators(variables, child, parents)
    counted = [v for v in range(len(variables)) if _is_counted(variables, v)]
    if child not in counted:
        return score
    among = [u for u in parents if u in counted]
    names = [sorted(set(values)) for values in variables]
    codes = np.array([[own.index(x) for x in xs] for own, xs in zip(names, variables, strict=True)])
    sizes = [len(own) for own in names]
    by_counts = local_score(codes, sizes, child, among, score="bdeu", equivalent_sample_size=size)
    return score - indicators(variables, child, among) + by_counts


def _is_counted(variables: Sequence[Sequence[Any]], v: int) -> bool:
    """Whether a column of states gains more by another one than n times what they share."""
    if not isinstance(variables[v][0], str):
        return False
    for u, other in enumerate(variables):
        if u != v and isinstance(other[0], str):
            pairs, n = Counter(zip(variables[v], other, strict=True)), len(other)
            own, theirs = Counter(variables[v]), Counter(other)
            shared = sum(k * math.log(k * n / (own[a] * theirs[b])) for (a, b), k in pairs.items())
            if indicators(variables, v, [u]) - indicators(variables, v, []) > max(shared, 0.0):
                return True
    return False


def indicators(variables: Sequence[Sequence[Any]], child: int, parents: Sequence[int]) -> float:
    """BGe on real columns and indicators, T half of the covariance within each variable."""
    columns: list[list[Fraction]] = []
    blocks: list[list[int]] = []
    for values in variables:
        first = len(columns)
        if isinstance(values[0], str):
            for state in sorted(set(values))[:-1]:
                columns.append([Fraction(value == state) for value in values])
        else:
            columns.append([Fraction(value) for value in values])
        blocks.append(list(range(first, len(columns))))
    d, n = len(columns), len(variables[0])
    products = scatter(columns)[1]
    prior = [[Fraction(0)] * d for _ in range(d)]
    for block in blocks:
        for i in block:
            for j in block:
                prior[i][j] = products[i][j] / (2 * n)
    with localcontext(prec=DIGITS):
        below = [j for u in parents for j in blocks[u]]
        whole, part = (
            set_score(columns, members, prior, alpha_mu=Fraction(1), alpha_w=d + 2, nu=None)
            for members in ([*below, *blocks[child]], below)
        )
        return float(whole - part)
