"""What the scores that are functions of one matrix read, and the factors that they are read off."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.special import log_positive
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
    floors: Floats  # a column whose rest is at most this cannot be told from those before it
    least: Floats  # the same for a set in the order of its columns; empty where no set is so
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
def is_regular(gram: Gram, child: int, parents: NDArray[np.int64], u: int) -> bool:
    """Whether no column of the family with u toggled depends on those before it.

    They are taken in the order of the matrix, whichever is the child: that this is a function of
    the set, to the last bit, makes equivalent graphs be ruled out together.
    """
    factor, columns = gram.room.rows, gram.room.columns
    is_parent = False
    for w in parents:
        is_parent |= w == u
    num_variables = gram.first_column.shape[0] - 1
    size, last = 0, -1
    while True:
        v = child if child > last else num_variables
        for w in parents:
            if last < w < v and w != u:
                v = w
        if not is_parent and last < u < v:
            v = u
        if v == num_variables:
            return True
        for j in range(gram.first_column[v], gram.first_column[v + 1]):
            pivot = gram.matrix[j, j]
            for i in range(size):
                value = gram.matrix[j, columns[i]]
                for k in range(i):
                    value -= factor[size, k] * factor[i, k]
                factor[size, i] = value / factor[i, i]
                pivot -= factor[size, i] * factor[size, i]
            if not pivot > gram.least[j]:
                return False
            factor[size, size] = math.sqrt(pivot)
            columns[size] = j
            size += 1
        last = v
