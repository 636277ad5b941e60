"""Columns of scores from one matrix of sums of products; no row is looked at again.

A score of this form is a function of sets of variables. With R the matrix and k the number of its
columns that belong to the set S,

    f(S) = constants[k] − powers[k] log|R_S|,     local(v, P) = f(P ∪ v) − f(P) + offsets[v].

One Cholesky factor L of R_P and Y = L⁻¹ R_P· serve the whole column. With the rest of a and b after
P, C_ab = R_ab − Σ_i Y_ia Y_ib,

    u added:    log|R_{P∪u}| = log|R_P| + log|C_uu|,   C_vv becomes C_vv − C_vu C_uu⁻¹ C_uv;
    w removed:  log|R_{P∖w}| = log|R_P| + log|Ω|,      C_vv becomes C_vv + Bᵀ Ω⁻¹ B,

where M = L⁻¹ E_w, Ω = MᵀM, B = MᵀY_v. A variable is one column of R, or a block of them. O(d_P² d)
for d columns in all.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.special import log_positive
from pathprior.kernels.graph.ancestors import Words, has_bit
from pathprior.kernels.inner import arithmetic

Floats = NDArray[np.float64]


class GramRoom(NamedTuple):
    """Scratch arrays, allocated once per search; d columns, blocks of at most m."""

    rows: Floats  # d × d: Y, one row for each column of the parents
    columns: NDArray[np.int64]  # which columns these are
    rest: Floats  # d: C_jj after the parents
    cross: Floats  # m × d: C between the columns of the child and all others
    own: Floats  # m × m: C_vv
    block: Floats  # m × m: C_uu or Ω, then its factor
    link: Floats  # m × m: C_uv or B, then L⁻¹ of it
    changed: Floats  # m × m: C_vv after the change, then its factor
    moved: Floats  # m × d: M


class Gram(NamedTuple):
    """What the scores that are functions of one matrix read."""

    matrix: Floats
    first_column: NDArray[np.int64]  # those of v are first_column[v] … first_column[v + 1] − 1
    constants: Floats
    powers: Floats
    offsets: Floats
    floors: Floats  # a column whose rest is at most this depends on those before it
    max_columns: int  # families of more score −∞
    room: GramRoom


def make_gram_room(num_columns: int, max_block: int) -> GramRoom:
    """Allocate the scratch arrays."""
    return GramRoom(
        rows=np.empty((num_columns, num_columns)),
        columns=np.empty(num_columns, np.int64),
        rest=np.empty(num_columns),
        cross=np.empty((max_block, num_columns)),
        own=np.empty((max_block, max_block)),
        block=np.empty((max_block, max_block)),
        link=np.empty((max_block, max_block)),
        changed=np.empty((max_block, max_block)),
        moved=np.empty((max_block, num_columns)),
    )


@arithmetic
def fill_gram(
    gram: Gram, child: int, parents: NDArray[np.int64], barred: Words, out: Floats
) -> int:
    """Fill ``out`` as `fill_column` asks; −∞ where columns are linearly dependent."""
    first, room = gram.first_column, gram.room
    for u in range(out.shape[0]):
        out[u] = -np.inf
    size, log_det = factor_parents(gram, parents, child)
    if size < 0:  # dependent parents; less of them may do
        for w in parents:
            size, log_det = factor_parents(gram, parents, w)
            if size >= 0:
                project_child(gram, child, size)
                out[w] = score_family(gram, child, size, log_det, room.own)
        return gram.matrix.shape[0] * (1 + parents.shape[0])
    project_child(gram, child, size)
    if first[out.shape[0]] == out.shape[0]:
        add_columns(gram, child, size, log_det, out)
        for u in range(out.shape[0]):
            if has_bit(barred, u):
                out[u] = -np.inf
        for w in parents:
            out[w] = -np.inf
    else:
        for u in range(out.shape[0]):
            if not has_bit(barred, u) and u != child:
                out[u] = add_block(gram, child, u, size, log_det)
    out[child] = score_family(gram, child, size, log_det, room.own)
    start = 0
    for w in parents:
        out[w] = remove_block(gram, child, w, start, size, log_det)
        start += first[w + 1] - first[w]
    return gram.matrix.shape[0] * (1 + parents.shape[0])


@arithmetic
def factor_parents(gram: Gram, parents: NDArray[np.int64], left_out: int) -> tuple[int, float]:
    """Fill Y for the parents but ``left_out``; their columns and log|R_P|, or −1 if dependent."""
    matrix, rows, columns = gram.matrix, gram.room.rows, gram.room.columns
    num_columns = matrix.shape[0]
    size, log_det = 0, 0.0
    for v in parents:
        if v == left_out:
            continue
        for j in range(gram.first_column[v], gram.first_column[v + 1]):
            pivot = matrix[j, j]
            for i in range(size):
                pivot -= rows[i, j] * rows[i, j]
            if not pivot > gram.floors[j]:
                return -1, 0.0
            row = rows[size]
            for u in range(num_columns):
                row[u] = matrix[j, u]
            for i in range(size):
                factor = rows[i, j]
                for u in range(num_columns):
                    row[u] -= factor * rows[i, u]
            scale = 1.0 / math.sqrt(pivot)
            for u in range(num_columns):
                row[u] *= scale
            columns[size] = j
            log_det += log_positive(pivot)
            size += 1
    return size, log_det


@arithmetic
def project_child(gram: Gram, child: int, size: int) -> None:
    """Fill what is left of all columns, and of their products with the child's, after the parents.

    The rest of a column that is a parent is nothing, and not used.
    """
    matrix, room = gram.matrix, gram.room
    first, last = gram.first_column[child], gram.first_column[child + 1]
    for u in range(matrix.shape[0]):
        room.rest[u] = matrix[u, u]
    for i in range(size):
        for u in range(matrix.shape[0]):
            room.rest[u] -= room.rows[i, u] * room.rows[i, u]
    for a in range(last - first):
        cross = room.cross[a]
        for u in range(matrix.shape[0]):
            cross[u] = matrix[first + a, u]
        for i in range(size):
            factor = room.rows[i, first + a]
            for u in range(matrix.shape[0]):
                cross[u] -= factor * room.rows[i, u]
        for b in range(last - first):
            room.own[a, b] = cross[first + b]


@arithmetic
def factor_block(block: Floats, size: int, floors: Floats, first: int) -> float:
    """Turn the lower half of a block into its Cholesky factor; log|block|, −∞ if dependent."""
    log_det = 0.0
    for a in range(size):
        for b in range(a + 1):
            value = block[a, b]
            for i in range(b):
                value -= block[a, i] * block[b, i]
            if a > b:
                block[a, b] = value / block[b, b]
            elif value > floors[first + a]:
                block[a, a] = math.sqrt(value)
                log_det += log_positive(value)
            else:
                return -np.inf
    return log_det


@arithmetic
def score_family(gram: Gram, child: int, size: int, log_det: float, block: Floats) -> float:
    """Score the child, whose rest is ``block``, with ``size`` columns of parents."""
    first = gram.first_column[child]
    num_own = gram.first_column[child + 1] - first
    total = size + num_own
    if total > gram.max_columns:
        return -np.inf
    changed = gram.room.changed
    for a in range(num_own):
        for b in range(a + 1):
            changed[a, b] = block[a, b]
    own = factor_block(changed, num_own, gram.floors, first)
    if own == -np.inf:
        return -np.inf
    score = gram.constants[total] - gram.constants[size] + gram.offsets[child]
    return score - gram.powers[total] * own - (gram.powers[total] - gram.powers[size]) * log_det


@arithmetic
def add_columns(gram: Gram, child: int, size: int, log_det: float, out: Floats) -> None:
    """Score every variable as a further parent, where all are single columns; in one flat loop."""
    rest, cross, floors = gram.room.rest, gram.room.cross[0], gram.floors
    if size + 2 > gram.max_columns:
        return
    constant = gram.constants[size + 2] - gram.constants[size + 1] + gram.offsets[child]
    power = gram.powers[size + 2]
    change = power - gram.powers[size + 1]
    own, floor = rest[child], floors[child]
    for u in range(out.shape[0]):
        is_free = rest[u] > floors[u]
        pivot = rest[u] if is_free else 1.0
        left = own - cross[u] * cross[u] / pivot
        is_free &= left > floor
        left = left if is_free else 1.0
        score = constant - power * log_positive(left) - change * (log_det + log_positive(pivot))
        out[u] = score if is_free else -np.inf


@arithmetic
def add_block(gram: Gram, child: int, u: int, size: int, log_det: float) -> float:
    """Score one variable, a block of columns, as a further parent."""
    room = gram.room
    first, own = gram.first_column[u], gram.first_column[child]
    num_columns = gram.first_column[u + 1] - first
    num_own = gram.first_column[child + 1] - own
    for a in range(num_columns):
        for b in range(a):
            value = gram.matrix[first + a, first + b]
            for i in range(size):
                value -= room.rows[i, first + a] * room.rows[i, first + b]
            room.block[a, b] = value
        room.block[a, a] = room.rest[first + a]
        for c in range(num_own):
            room.link[a, c] = room.cross[c, first + a]
    added = factor_block(room.block, num_columns, gram.floors, first)
    if added == -np.inf:
        return -np.inf
    change_own(gram, num_columns, num_own, -1.0)
    return score_family(gram, child, size + num_columns, log_det + added, room.changed)


@arithmetic
def remove_block(gram: Gram, child: int, w: int, start: int, size: int, log_det: float) -> float:
    """Score the family without one parent, whose columns are ``start`` … of the parents'."""
    room = gram.room
    first, own = gram.first_column[w], gram.first_column[child]
    num_columns = gram.first_column[w + 1] - first
    num_own = gram.first_column[child + 1] - own
    for a in range(num_columns):
        moved = room.moved[a]
        for i in range(start, size):
            value = 1.0 if i == start + a else 0.0
            for k in range(start, i):
                value -= room.rows[k, room.columns[i]] * moved[k]
            moved[i] = value / room.rows[i, room.columns[i]]
        for b in range(a + 1):
            value = 0.0
            for i in range(start, size):
                value += moved[i] * room.moved[b, i]
            room.block[a, b] = value
        for c in range(num_own):
            value = 0.0
            for i in range(start, size):
                value += moved[i] * room.rows[i, own + c]
            room.link[a, c] = value
    for a in range(num_columns):
        room.moved[0, a] = 0.0  # M is used up: floors that Ω, regular where R_P is, cannot meet
    removed = factor_block(room.block, num_columns, room.moved[0], 0)
    change_own(gram, num_columns, num_own, 1.0)
    return score_family(gram, child, size - num_columns, log_det + removed, room.changed)


@arithmetic
def change_own(gram: Gram, num_columns: int, num_own: int, sign: float) -> None:
    """Fill ``changed`` with C_vv ± Xᵀ X, where X = L⁻¹ link and L the factor in ``block``."""
    block, link, room = gram.room.block, gram.room.link, gram.room
    for c in range(num_own):
        for a in range(num_columns):
            value = link[a, c]
            for i in range(a):
                value -= block[a, i] * link[i, c]
            link[a, c] = value / block[a, a]
        for b in range(c + 1):
            value = 0.0
            for a in range(num_columns):
                value += link[a, c] * link[a, b]
            room.changed[c, b] = room.own[c, b] + sign * value
