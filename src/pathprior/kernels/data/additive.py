"""An additive multinomial logit fitted to one table of counts: its most probable effects.

A child of r states and parents of k_i states have q = Π k_i configurations j and cells jc with the
counts N_jc. The log odds of the child's states are sums of an effect of each parent's state:

  π_j = softmax(η_j),   η_jc = θ_0c + Σ_i θ_{i, state of i in j, c},

where the last state of the child and of each parent is the reference, with effect 0. The prior is
what BDeu's pseudo-counts a = e/(q r) say, Π π_jc^a (Diaconis and Ylvisaker, 1979), so that all q
configurations count, those without rows too. Newton's method goes to the maximum θ̂ of

  ℓ(θ) = Σ_jc (N_jc + a) log π_jc,   a concave function.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.inner import arithmetic

MAX_CONFIGURATIONS = 3000
MAX_PARAMETERS = 90
"""Families with more than either have no additive part."""
MAX_MEMBERS = 12
"""Parents of a family with so few configurations, all of two states or more."""

MAX_STEPS = 200
DECREMENT = 1e-16
"""Newton's decrement, twice what a further step would gain, at which the maximum is reached."""
RIDGE = 1e-13
"""Added to the diagonal: an effect that nothing speaks of any more must not divide by zero."""

Floats = NDArray[np.float64]


class Shape(NamedTuple):
    """A family's numbers of states, in the order of its parents' numbers."""

    of_parents: NDArray[np.int64]
    of_child: int
    num_configurations: int
    size: float  # e, the rows that the prior is worth


class AdditiveRoom(NamedTuple):
    """Scratch for one family; an effect is a row of r − 1 numbers, one for each free state."""

    effects: Floats
    trial: Floats
    sums: Floats  # of N + a over the cells that an effect is part of
    direction: Floats
    chances: Floats  # π, of the free states alone
    hessian: Floats
    digits: NDArray[np.int64]  # states of the parents
    active: NDArray[np.int64]  # effects of a configuration
    marginal: Floats  # counts of the child by one parent


def make_additive_room() -> AdditiveRoom:
    """Room for the largest family."""
    return AdditiveRoom(
        np.empty(MAX_PARAMETERS),
        np.empty(MAX_PARAMETERS),
        np.empty(MAX_PARAMETERS),
        np.empty(MAX_PARAMETERS),
        np.empty(MAX_CONFIGURATIONS * MAX_PARAMETERS),
        np.empty((MAX_PARAMETERS, MAX_PARAMETERS)),
        np.empty(MAX_MEMBERS, np.int64),
        np.empty(MAX_MEMBERS + 1, np.int64),
        np.empty(MAX_CONFIGURATIONS * MAX_PARAMETERS),
    )


@arithmetic
def num_effects(shape: Shape) -> int:
    """p: the child's own and those of each parent's states but the last."""
    count = 1
    for k in shape.of_parents:
        count += k - 1
    return count


@arithmetic
def first_configuration(shape: Shape, room: AdditiveRoom) -> None:
    """Set the states of all parents to their first, and list the effects of that."""
    at = 1
    room.active[0] = 0
    for i in range(shape.of_parents.shape[0]):
        room.digits[i] = 0
        room.active[1 + i] = at if shape.of_parents[i] > 1 else -1
        at += shape.of_parents[i] - 1


@arithmetic
def next_configuration(shape: Shape, room: AdditiveRoom) -> None:
    """Go to the next number of configuration: the first parent's state changes fastest."""
    at = 1
    for i in range(shape.of_parents.shape[0]):
        k = shape.of_parents[i]
        digit = room.digits[i] + 1
        is_over = digit == k
        digit = 0 if is_over else digit
        room.digits[i] = digit
        room.active[1 + i] = -1 if digit == k - 1 else at + digit
        if not is_over:
            return
        at += k - 1


@arithmetic
def sum_cells(counts: NDArray[np.int32], shape: Shape, room: AdditiveRoom) -> None:
    """Fill ``sums``: those of N + a that an effect multiplies in ℓ."""
    r, sums = shape.of_child, room.sums
    weight = shape.size / (shape.num_configurations * r)
    for e in range(num_effects(shape) * (r - 1)):
        sums[e] = 0.0
    first_configuration(shape, room)
    for j in range(shape.num_configurations):
        for i in range(shape.of_parents.shape[0] + 1):
            b = room.active[i]
            if b >= 0:
                for c in range(r - 1):
                    sums[b * (r - 1) + c] += counts[j * r + c] + weight
        next_configuration(shape, room)


@arithmetic
def fill_chances(
    totals: NDArray[np.int32], effects: Floats, shape: Shape, room: AdditiveRoom
) -> float:
    """Fill ``chances`` with π of the free states; return ℓ."""
    r, chances = shape.of_child, room.chances
    weight = shape.size / shape.num_configurations
    value = 0.0
    for e in range(num_effects(shape) * (r - 1)):
        value += room.sums[e] * effects[e]
    first_configuration(shape, room)
    for j in range(shape.num_configurations):
        start = j * (r - 1)
        largest = 0.0  # of the reference
        for c in range(r - 1):
            odds = effects[c]
            for i in range(1, shape.of_parents.shape[0] + 1):
                b = room.active[i]
                if b >= 0:
                    odds += effects[b * (r - 1) + c]
            chances[start + c] = odds
            largest = max(largest, odds)
        total = math.exp(-largest)
        for c in range(r - 1):
            chances[start + c] = math.exp(chances[start + c] - largest)
            total += chances[start + c]
        for c in range(r - 1):
            chances[start + c] /= total
        value -= (totals[j] + weight) * (math.log(total) + largest)
        next_configuration(shape, room)
    return value


@arithmetic
def fill_curvature(totals: NDArray[np.int32], shape: Shape, room: AdditiveRoom) -> None:
    """Fill ``direction`` with ∇ℓ and the lower half of ``hessian`` with −∇²ℓ, at ``chances``."""
    r, hessian, gradient = shape.of_child, room.hessian, room.direction
    free = r - 1
    size = num_effects(shape) * free
    weight = shape.size / shape.num_configurations
    for a in range(size):
        gradient[a] = room.sums[a]
        for b in range(a + 1):
            hessian[a, b] = 0.0
    first_configuration(shape, room)
    for j in range(shape.num_configurations):
        chances = room.chances[j * free : (j + 1) * free]
        total = totals[j] + weight
        for i in range(shape.of_parents.shape[0] + 1):
            a = room.active[i] * free
            if a < 0:
                continue
            for c in range(free):
                gradient[a + c] -= total * chances[c]
            for k in range(i + 1):
                b = room.active[k] * free
                if b < 0:
                    continue
                for c in range(free):
                    share = total * chances[c]
                    for d in range(c + 1 if k == i else free):
                        hessian[a + c, b + d] -= share * chances[d]
                    hessian[a + c, b + c] += share
        next_configuration(shape, room)


@arithmetic
def factor(hessian: Floats, size: int) -> float:
    """Cholesky's factor in place; return the log determinant."""
    log_det = 0.0
    for a in range(size):
        for b in range(a + 1):
            value = hessian[a, b]
            if a == b:
                value += RIDGE
            for k in range(b):
                value -= hessian[a, k] * hessian[b, k]
            if a > b:
                hessian[a, b] = value / hessian[b, b]
            else:
                hessian[a, a] = math.sqrt(max(value, RIDGE))
        log_det += 2.0 * math.log(hessian[a, a])
    return log_det


@arithmetic
def newton_direction(room: AdditiveRoom, size: int) -> float:
    """Replace the gradient in ``direction`` by H⁻¹ ∇; return the decrement ∇ᵀ H⁻¹ ∇."""
    factor_of, direction = room.hessian, room.direction
    decrement = 0.0
    for a in range(size):
        value = direction[a]
        for b in range(a):
            value -= factor_of[a, b] * direction[b]
        direction[a] = value / factor_of[a, a]
        decrement += direction[a] * direction[a]
    for a in range(size - 1, -1, -1):
        value = direction[a]
        for b in range(a + 1, size):
            value -= factor_of[b, a] * direction[b]
        direction[a] = value / factor_of[a, a]
    return decrement


@arithmetic
def marginal_table(counts: NDArray[np.int32], which: int, shape: Shape, table: Floats) -> None:
    """Fill ``table`` with the counts N + a of the child's states by those of one parent."""
    r, k = shape.of_child, shape.of_parents[which]
    weight = shape.size / (k * r)
    for cell in range(k * r):
        table[cell] = weight
    stride = 1
    for i in range(which):
        stride *= shape.of_parents[i]
    for j in range(shape.num_configurations):
        state = j // stride % k
        for c in range(r):
            table[state * r + c] += counts[j * r + c]


@arithmetic
def start_effects(counts: NDArray[np.int32], shape: Shape, room: AdditiveRoom) -> None:
    """Fill ``trial`` with the effects that there were if parents were independent given the child.

    With one parent that is the maximum.
    """
    r, effects, table = shape.of_child, room.trial, room.marginal
    free = r - 1
    for c in range(free):
        effects[c] = 0.0
    at = free
    num_parents = shape.of_parents.shape[0]
    for i in range(num_parents):
        marginal_table(counts, i, shape, table)
        k = shape.of_parents[i]
        last = (k - 1) * r
        for c in range(free):
            base = math.log(table[last + c] / table[last + free])
            effects[c] += base
            for s in range(k - 1):
                odds = math.log(table[s * r + c] / table[s * r + free])
                effects[at + s * free + c] = odds - base
        at += (k - 1) * free
    own = shape.size / r
    last_total = own
    for j in range(shape.num_configurations):
        last_total += counts[j * r + free]
    for c in range(free):
        total = own
        for j in range(shape.num_configurations):
            total += counts[j * r + c]
        effects[c] += (1 - num_parents) * math.log(total / last_total)


@arithmetic
def climb_to_maximum(
    counts: NDArray[np.int32], totals: NDArray[np.int32], shape: Shape, room: AdditiveRoom
) -> tuple[float, float, int]:
    """Go to θ̂, in ``effects``; return ℓ there, log|H| in effects, and the steps taken."""
    size = num_effects(shape) * (shape.of_child - 1)
    effects, trial, direction = room.effects, room.trial, room.direction
    sum_cells(counts, shape, room)
    start_effects(counts, shape, room)
    best = -np.inf
    share = 1.0
    for k in range(3):  # correlated parents tell the same twice: their full effects overshoot
        for e in range(size):
            direction[e] = trial[e] * (1.0 - 0.5 * k)
        value = fill_chances(totals, direction, shape, room)
        if value > best:
            best, share = value, 1.0 - 0.5 * k
    for e in range(size):
        effects[e] = trial[e] * share
    value = fill_chances(totals, effects, shape, room)
    log_det = 0.0
    for step in range(MAX_STEPS):
        fill_curvature(totals, shape, room)
        log_det = factor(room.hessian, size)
        decrement = newton_direction(room, size)
        if decrement < DECREMENT:
            return value, log_det, step
        length = 1.0
        while True:
            for e in range(size):
                trial[e] = effects[e] + length * direction[e]
            reached = fill_chances(totals, trial, shape, room)
            if reached >= value + 1e-4 * length * decrement - 1e-14 * abs(value):
                break
            length *= 0.5
            if length < 1e-10:  # rounding allows no further step
                fill_chances(totals, effects, shape, room)
                return value, log_det, step
        for e in range(size):
            effects[e] = trial[e]
        value = reached
    return value, log_det, MAX_STEPS
