"""Columns of scores of real variables that are sums of bent functions of their parents, and noise.

A variable is a block of columns: its standardised values b₁, and what further polynomials of its
ranks have besides. A family is a regression of b₁ of the child on all columns of its parents, or on
their b₁ alone, with the prior of BGe; times what a flexible density of the residuals is better than
a normal one; with a spread that may depend on the same columns. `pathprior.score.curves` has the
formulas.

A family is computed from its members in ascending order, whichever column asks, so that its score
is the same to the bit.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.columns import fills
from pathprior.kernels.data.noise import Noise, noise_gain
from pathprior.kernels.data.strata import Strata
from pathprior.kernels.data.toggled import BARRED, toggle_parent
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.inner import allocating, allocating_entry, arithmetic, inner

Floats = NDArray[np.float64]

LINEAR, FULL, NORMAL, SHAPED, SPREAD, IS_FULL = range(6)
"""Places of ``found``: g of both designs, G, Δ, H (−∞ without), and which design the rest is of."""
NUM_FOUND = 6

T = 0.5
"""t of BGe: how much prior there is on b₁."""
_DEPENDENT = 1e-12  # part of the child's square below which what is left of it is rounding
_LEAST_SQUARE = 0.01  # of the mean square that is added to a square before its logarithm is taken
_LOG_2 = math.log(2.0)
_WORK_PER_ROW, _WORK_PER_CELL = 1200, 2


class CurvesRoom(NamedTuple):
    """Scratch arrays; D columns of the widest family, n rows."""

    members: NDArray[np.int64]
    columns: NDArray[np.int64]  # D
    factor: Floats  # D × D
    target: Floats  # D: Φᵀy
    weights: Floats  # D: β, then γ
    residuals: Floats  # n: e
    logs: Floats  # n: h, then Φγ
    ordered: Floats  # n
    found: Floats


class Curves(NamedTuple):
    """What the score reads, by stratum of rows; d columns in all, n rows at most."""

    basis: Floats  # strata × d × n
    gram: Floats  # strata × d × d: sums of products
    first_column: NDArray[np.int64]  # strata × (p + 1)
    prior: Floats  # strata × d: the diagonal of T
    constants: Floats  # strata × (p + 1): by number of parents
    offsets: Floats  # strata × p: −n log s
    levels: NDArray[np.int64]  # strata × p: of the trees
    is_flexible: bool
    strata: Strata
    noise: Noise
    room: CurvesRoom


@fills(Curves)
@inner
def fill_curves(
    kernel: Curves, child: int, parents: NDArray[np.int64], barred: Words, out: Floats
) -> int:
    """Fill ``out`` as `fill_column` asks: the sum over the strata of the child."""
    members, work = kernel.room.members, 0
    for u in range(out.shape[0]):
        out[u] = -np.inf
        size = toggle_parent(parents, child, u, barred, members)
        if size != BARRED:
            out[u], done = score_family(kernel, child, members[:size])
            work += done
    return work


@inner
def score_family(kernel: Curves, child: int, members: NDArray[np.int64]) -> tuple[float, int]:
    """Sum over the strata of the child, and the work done; one without a row has no family."""
    strata = kernel.strata
    score, work = 0.0, 0
    for i in range(strata.first[child], strata.first[child + 1]):
        s = strata.which[i]
        if strata.sizes[s] > 0:
            score += score_stratum(kernel, s, child, members)
            work += strata.sizes[s] * (_WORK_PER_ROW + _WORK_PER_CELL * members.shape[0] * 8)
    return score, work


@allocating_entry
def local_score(kernel: Curves, child: int, members: NDArray[np.int64]) -> float:
    """`score_family`, for who asks for one."""
    return score_family(kernel, child, members)[0]


@allocating_entry
def read_family(kernel: Curves, s: int, child: int, members: NDArray[np.int64]) -> float:
    """Score a family on one stratum, and leave in the room what it is made of."""
    return score_stratum(kernel, s, child, members)


@allocating
def score_stratum(kernel: Curves, s: int, child: int, members: NDArray[np.int64]) -> float:
    """log local score on the rows of a stratum; fills ``found`` and β."""
    room = kernel.room
    found, num_parents = room.found, members.shape[0]
    found[SHAPED], found[SPREAD], found[IS_FULL] = 0.0, -np.inf, 0.0
    size = list_columns(kernel, s, members, True)
    found[LINEAR] = regress(kernel, s, child, num_parents, size)
    found[FULL] = found[LINEAR]
    if num_parents > 0:
        full_size = list_columns(kernel, s, members, False)
        if full_size > size:
            found[FULL] = regress(kernel, s, child, num_parents, full_size)
        if found[FULL] > found[LINEAR]:
            found[IS_FULL] = 1.0
            size = full_size
        else:  # the factor and the columns of the linear design again
            list_columns(kernel, s, members, True)
            if full_size > size and kernel.is_flexible:
                regress(kernel, s, child, num_parents, size)
    larger = max(found[LINEAR], found[FULL])
    if larger == -np.inf:
        return -np.inf
    less = min(found[LINEAR], found[FULL])
    found[NORMAL] = larger + math.log1p(math.exp(less - larger)) - _LOG_2
    offset = kernel.offsets[s, child]
    if not kernel.is_flexible:
        return found[NORMAL] + offset
    square = leave_residuals(kernel, s, child, size)
    if square > 0.0:
        found[SHAPED] = shape_gain(kernel, s, child, math.sqrt(square))
    if num_parents == 0:
        return found[NORMAL] + found[SHAPED] + offset
    if square > 0.0:
        found[SPREAD] = spread_gain(kernel, s, child, size, square)
    best = max(found[SHAPED], found[SPREAD])
    total = math.exp(found[SHAPED] - best) + math.exp(found[SPREAD] - best)
    return found[NORMAL] + best + math.log(total) - _LOG_2 + offset


@inner
def list_columns(kernel: Curves, s: int, members: NDArray[np.int64], is_linear: bool) -> int:
    """Write the columns of some parents, b₁ alone or all; return how many these are."""
    first, columns = kernel.first_column[s], kernel.room.columns
    size = 0
    for v in members:
        last = first[v + 1]
        if is_linear:
            last = min(last, first[v] + 1)
        for j in range(first[v], last):
            columns[size] = j
            size += 1
    return size


@arithmetic
def regress(kernel: Curves, s: int, child: int, num_parents: int, size: int) -> float:
    """g of the regression on the first ``columns``; leaves the factor of M, and β."""
    room, gram, prior = kernel.room, kernel.gram[s], kernel.prior[s]
    factor, target, weights, columns = room.factor, room.target, room.weights, room.columns
    y, is_constant = kernel.first_column[s, child], False
    if kernel.first_column[s, child + 1] == y:
        is_constant = True
    log_ratio, explained = 0.0, 0.0  # log|T| − log|M| and yᵀΦβ
    for a in range(size):
        i = columns[a]
        for b in range(a + 1):
            value = gram[i, columns[b]]
            if a == b:
                value += prior[i]
            for k in range(b):
                value -= factor[a, k] * factor[b, k]
            if a > b:
                factor[a, b] = value / factor[b, b]
            else:
                factor[a, a] = math.sqrt(value)
                log_ratio += math.log(prior[i] / value)
        value = 0.0 if is_constant else gram[i, y]
        for k in range(a):
            value -= factor[a, k] * target[k]
        target[a] = value / factor[a, a]
        explained += target[a] * target[a]
    solve_back(factor, target, weights, size)
    square = 0.0 if is_constant else gram[y, y]
    rest = T + square - explained
    if rest <= _DEPENDENT * square:
        return -np.inf
    power = kernel.strata.sizes[s] + num_parents + 3
    return kernel.constants[s, num_parents] + 0.5 * log_ratio - 0.5 * power * math.log(rest)


@arithmetic
def solve_back(factor: Floats, given: Floats, weights: Floats, size: int) -> None:
    """Fill L⁻ᵀ of what is given."""
    for a in range(size - 1, -1, -1):
        value = given[a]
        for k in range(a + 1, size):
            value -= factor[k, a] * weights[k]
        weights[a] = value / factor[a, a]


@arithmetic
def leave_residuals(kernel: Curves, s: int, child: int, size: int) -> float:
    """Fill e = y − Φβ; return its mean square."""
    room, n = kernel.room, kernel.strata.sizes[s]
    residuals, basis = room.residuals, kernel.basis[s]
    y = kernel.first_column[s, child]
    if kernel.first_column[s, child + 1] == y:
        return 0.0
    for i in range(n):
        residuals[i] = basis[y, i]
    for a in range(size):
        weight, column = room.weights[a], basis[room.columns[a]]
        for i in range(n):
            residuals[i] -= weight * column[i]
    square = 0.0
    for i in range(n):
        square += residuals[i] * residuals[i]
    return square / n


@allocating
def shape_gain(kernel: Curves, s: int, child: int, deviation: float) -> float:
    """Δ of the residuals."""
    n = kernel.strata.sizes[s]
    ordered = kernel.room.ordered[:n]
    for i in range(n):
        ordered[i] = kernel.room.residuals[i] / deviation
    ordered.sort()
    return noise_gain(kernel.noise, ordered, kernel.levels[s, child])


@allocating
def spread_gain(kernel: Curves, s: int, child: int, size: int, square: float) -> float:
    """H: what a spread that depends on the parents gains, and the shape after it; −∞ if nothing.

    Overwrites the residuals.
    """
    room, n, basis = kernel.room, kernel.strata.sizes[s], kernel.basis[s]
    residuals, logs, target = room.residuals, room.logs, room.target
    mean = 0.0
    for i in range(n):
        logs[i] = math.log(residuals[i] * residuals[i] + _LEAST_SQUARE * square)
        mean += logs[i]
    mean /= n
    explained = 0.0
    for a in range(size):
        column, value = basis[room.columns[a]], 0.0
        for i in range(n):
            value += column[i] * (logs[i] - mean)
        for k in range(a):
            value -= room.factor[a, k] * target[k]
        target[a] = value / room.factor[a, a]
        explained += target[a] * target[a]
    price = 0.5 * size * math.log(n)
    if not 0.25 * explained > price:
        return -np.inf
    solve_back(room.factor, target, room.weights, size)
    for i in range(n):
        logs[i] = 0.0
    for a in range(size):
        weight, column = room.weights[a], basis[room.columns[a]]
        for i in range(n):
            logs[i] += weight * column[i]
    log_spread, changed = 0.0, 0.0
    for i in range(n):
        log_spread += 0.5 * logs[i]
        residuals[i] *= math.exp(-0.5 * logs[i])
        changed += residuals[i] * residuals[i]
    changed /= n
    gain = shape_gain(kernel, s, child, math.sqrt(changed))
    return gain - log_spread - 0.5 * n * math.log(changed / square) - price
