"""Columns of a score that allows for edges too weak to be seen in these rows.

Each parent of a family is without visible effect with a chance of ε, whatever the others:

    s′(v, P) = log Σ_{S ⊆ P} ε^|P ∖ S| (1 − ε)^|S| e^s(v, S)

Where P is larger than `WHOLE` only sets count that miss at most `FEW` of it; what is left out is of
the order of ε^(FEW + 1).
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.apart import Bound
from pathprior.kernels.data.column_cache import ColumnCache, find_column
from pathprior.kernels.data.columns import fill_bound, fills
from pathprior.kernels.graph.ancestors import Words, has_bit, set_bit
from pathprior.kernels.inner import inner

WHOLE, FEW = 8, 2
NEGLIGIBLE = 40.0
"""Nats below another by which a summand changes no digit of the sum."""


class UnseenRoom(NamedTuple):
    """Scratch."""

    gone: NDArray[np.int64]  # places in P of the parents that are unseen, ascending
    members: NDArray[np.int64]
    subset: Words
    taken: Words  # those that cannot be added
    everyone: Words
    column: NDArray[np.float64]


class Unseen(NamedTuple):
    """What the score of families with unseen parents reads."""

    filler: Bound  # fills columns of what is seen
    log_unseen: float
    log_seen: float
    columns: ColumnCache  # of what is seen
    alone: ColumnCache  # the same of single families, one score an entry
    barred: Words  # those that `columns` were filled with, by child
    room: UnseenRoom


@fills(Unseen)
@inner
def fill_unseen(
    kernel: Unseen, child: int, parents: NDArray[np.int64], barred: Words, out: NDArray[np.float64]
) -> int:
    """Fill ``out[u]`` with the score after toggling parent u, ``out[child]`` with it as is.

    ``barred`` variables, which cannot be added, get −∞. Returns the work done.
    """
    size, gone = parents.shape[0], kernel.room.gone
    out[:] = -np.inf
    adds = may_add(kernel, child, parents, barred)
    if adds:
        keep_barred(kernel, child, barred)
    most = max(most_unseen(size), most_unseen(size - 1) + 1)
    work = 0
    for num_gone in range(min(size, max(most, most_unseen(size + 1))) + 1):
        for i in range(num_gone):
            gone[i] = i
        is_left = True
        while is_left:
            work += add_subset(kernel, child, parents, num_gone, adds, out)
            is_left = next_choice(gone, num_gone, size)
    return work


@inner
def most_unseen(size: int) -> int:
    """How many of so many parents may be unseen."""
    return size if size <= WHOLE else FEW


@inner
def may_add(kernel: Unseen, child: int, parents: NDArray[np.int64], barred: Words) -> bool:
    """Fill ``taken``; whether somebody is left who may be a further parent."""
    taken = kernel.room.taken
    for w in range(taken.shape[0]):
        taken[w] = barred[w]
    set_bit(taken, child)
    for p in parents:
        set_bit(taken, p)
    is_left = False
    for w in range(taken.shape[0]):
        is_left |= kernel.room.everyone[w] & ~taken[w] != 0
    return is_left


@inner
def keep_barred(kernel: Unseen, child: int, barred: Words) -> None:
    """Forget all columns if these are barred that were not, or the other way round."""
    is_same = True
    for w in range(barred.shape[0]):
        is_same &= kernel.barred[child, w] == barred[w]
        kernel.barred[child, w] = barred[w]
    if not is_same:
        kernel.columns.slots[:] = -1
        kernel.columns.num_used[0] = 0


@inner
def next_choice(gone: NDArray[np.int64], num_gone: int, size: int) -> bool:
    """Go on to the next choice of ``num_gone`` places of ``size``; whether there was one."""
    i = num_gone - 1
    while i >= 0 and gone[i] == size - num_gone + i:
        i -= 1
    if i < 0:
        return False
    gone[i] += 1
    for j in range(i + 1, num_gone):
        gone[j] = gone[j - 1] + 1
    return True


@inner
def add_subset(
    kernel: Unseen,
    child: int,
    parents: NDArray[np.int64],
    num_gone: int,
    adds: bool,
    out: NDArray[np.float64],
) -> int:
    """Add what the parents without those that are ``gone`` bring; return the work done."""
    room, size = kernel.room, parents.shape[0]
    num_seen, at = 0, 0
    for w in range(room.subset.shape[0]):
        room.subset[w] = np.uint64(0)
    for i in range(size):
        if at < num_gone and room.gone[at] == i:
            at += 1
            continue
        room.members[num_seen] = parents[i]
        set_bit(room.subset, parents[i])
        num_seen += 1
    unseen, seen = kernel.log_unseen, kernel.log_seen
    if not adds:
        score, work = score_alone(kernel, child, num_seen)
    else:
        entry, is_known = find_column(kernel.columns, child, room.subset)
        column, work = kernel.columns.scores[entry], 1
        if not is_known:
            barred = kernel.barred[child]
            members = room.members[:num_seen]
            work = fill_bound(kernel.filler, child, members, barred, column)
        score = column[child]
        most = most_unseen(size + 1)
        weight = num_gone * unseen + num_seen * seen
        for u in range(out.shape[0]):
            if has_bit(room.taken, u):
                continue
            if num_gone <= most:
                out[u] = add_logs(out[u], weight + seen + column[u])
            if num_gone < most:
                out[u] = add_logs(out[u], weight + unseen + score)
    if num_gone <= most_unseen(size):
        out[child] = add_logs(out[child], num_gone * unseen + num_seen * seen + score)
    if num_gone <= most_unseen(size - 1) + 1:
        for i in range(num_gone):
            u = parents[room.gone[i]]
            out[u] = add_logs(out[u], (num_gone - 1) * unseen + num_seen * seen + score)
    return work


@inner
def score_alone(kernel: Unseen, child: int, num_seen: int) -> tuple[float, int]:
    """The score of the family in ``room``, and the work done."""
    room = kernel.room
    entry, is_known = find_column(kernel.alone, child, room.subset)
    work = 1
    if not is_known:
        members = room.members[:num_seen]
        work = fill_bound(kernel.filler, child, members, room.everyone, room.column)
        kernel.alone.scores[entry, 0] = room.column[child]
    return kernel.alone.scores[entry, 0], work


@inner
def add_logs(a: float, b: float) -> float:
    """log (e^a + e^b)."""
    low, high = min(a, b), max(a, b)
    # NaN for two of −∞
    if not high - low < NEGLIGIBLE:
        return high
    return high + math.log1p(math.exp(low - high))
