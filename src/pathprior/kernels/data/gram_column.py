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

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.gram import (
    Floats,
    Gram,
    factor_block,
    factor_parents,
    is_regular,
    project_child,
    score_family,
)
from pathprior.kernels.data.special import log_positive
from pathprior.kernels.graph.ancestors import Words, has_bit
from pathprior.kernels.inner import arithmetic

PARENT_WORK, COLUMN_WORK = 2000, 15
"""What a parent takes, and each column of the matrix for it; measured."""


@arithmetic
def fill_gram(
    gram: Gram, child: int, parents: NDArray[np.int64], barred: Words, out: Floats
) -> int:
    """Fill ``out`` as `fill_column` asks; −∞ where columns are linearly dependent."""
    fill_families(gram, child, parents, barred, out)
    if gram.least.shape[0] > 0:
        for u in range(out.shape[0]):
            if out[u] > -np.inf and not is_regular(gram, child, parents, u):
                out[u] = -np.inf
    return (1 + parents.shape[0]) * (PARENT_WORK + COLUMN_WORK * gram.matrix.shape[0])


@arithmetic
def fill_families(
    gram: Gram, child: int, parents: NDArray[np.int64], barred: Words, out: Floats
) -> None:
    """Score the families of a column, as far as arithmetic goes."""
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
        return
    project_child(gram, child, size)
    if room.own.shape[0] == 1 and first[out.shape[0]] == out.shape[0]:
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
