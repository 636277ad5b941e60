"""Columns of local scores on demand, by whichever kernel a score brings.

The column of (child, P) holds the child's score with parents P at the child's own place, and with u
toggled in P at every other u; −∞ where u may not be added. Where all are barred who asks wants the
child's own place alone: a kernel may then leave out what the family is without each of its parents.

A score's kernel is a NamedTuple of its own class, and `fills` names the function that fills a
column by it, so a new kernel needs no change here or in a search. Searches get it from
`make_filler`, compiled apart: they are compiled once for all scores, and a score once for all
searches. Scores without a kernel come as `Asked`: the search then returns to its driver, which
fills the column in Python.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numba import float64, int64, uint64
from numba.extending import overload
from numpy.typing import NDArray

from pathprior.kernels.apart import Bound, bind, call_bound, load
from pathprior.kernels.data.column_cache import ColumnCache, find_column, make_cache
from pathprior.kernels.graph.ancestors import Words, has_bit, set_size
from pathprior.kernels.graph.graph_state import list_parents
from pathprior.kernels.inner import allocating, inner, pasted
from pathprior.kernels.linking import linking_options

READY = -1
"""In place of an entry of the cache: no column is missing."""

ASK = -1
"""In place of the work done: the driver must fill the column."""

Kernel: TypeAlias = tuple[Any, ...]
"""A NamedTuple of a class of its own, which says how columns are filled."""

Fill = Callable[[Any, int, NDArray[np.int64], Words, NDArray[np.float64]], int]
"""(kernel, child, parents, barred, column to fill) → work done.

Its unit is one word of AND + popcount, 0.15 ns: searches are rationed by it.
"""

_FILLS: dict[type, Fill] = {}


class Asked(NamedTuple):
    """In place of the kernel of a score that has none."""

    num_variables: int


class Columns(NamedTuple):
    """All that local scores depend on, and those known so far."""

    filler: Bound
    barred: Words  # barred[v]: who is never looked at as a parent of v
    max_parents: int
    log_edge_odds: float  # what each edge adds
    cache: ColumnCache
    spare: Words


def make_columns(kernel: Kernel, barred: Words, max_parents: int, log_edge_odds: float) -> Columns:
    """No column is known yet."""
    num_nodes, num_words = barred.shape
    spare = np.zeros(num_words, np.uint64)
    cache = make_cache(num_nodes, num_words)
    return Columns(make_filler(kernel), barred, max_parents, log_edge_odds, cache, spare)


def fills(kernel_class: type) -> Callable[[Fill], Fill]:
    """Register the decorated kernel as the one that fills columns for ``kernel_class``."""

    def register(fill: Fill) -> Fill:
        _FILLS[kernel_class] = fill
        return fill

    return register


def fill_column(
    kernel: Any, child: int, parents: NDArray[np.int64], barred: Words, out: NDArray[np.float64]
) -> int:
    """Fill the column of (child, parents); return the work done, or `ASK`."""
    return _FILLS[type(kernel)](kernel, child, parents, barred, out)


@overload(fill_column, jit_options=linking_options())  # type: ignore[arg-type]
def _compile_fill_column(kernel: Any, child: Any, parents: Any, barred: Any, out: Any) -> Any:
    fill = _FILLS[kernel.instance_class]

    # numba wants the same annotations on both, and would compile all again for an unsigned child
    def call(kernel: Any, child: Any, parents: Any, barred: Any, out: Any) -> Any:
        number: Any = np.int64(child)
        return fill(kernel, number, parents, barred, out)

    return call


def make_filler(kernel: Kernel) -> Bound:
    """The same as ``kernel``, and of one type whatever the score."""
    return bind(_fill_apart, kernel, int64, int64[::1], uint64[::1], float64[::1])


def _fill_apart(kernel: Any, arguments: Any) -> float:
    child, parents, barred, out = load(arguments)
    return float(fill_column(load(kernel), child, parents, barred, out))


@fills(Bound)
@inner
def fill_bound(
    kernel: Bound, child: int, parents: NDArray[np.int64], barred: Words, out: NDArray[np.float64]
) -> int:
    """Let the kernel that is compiled apart fill the column."""
    return int(call_bound(kernel, (child, parents, barred, out)))


@fills(Asked)
@inner
def ask(
    kernel: Asked, child: int, parents: NDArray[np.int64], barred: Words, out: NDArray[np.float64]
) -> int:
    """Leave the column to the driver."""
    return ASK


@allocating
def fill_entry(columns: Columns, entry: int) -> int:
    """Fill an entry of the cache; return the work done, or `ASK`."""
    cache, left_out = columns.cache, columns.spare
    child = cache.children[entry]
    members = np.empty(set_size(cache.parents[entry]), np.int64)
    num_members = list_parents(cache.parents[entry], members)
    for w in range(left_out.shape[0]):
        left_out[w] = columns.barred[child, w]
        if num_members >= columns.max_parents:
            left_out[w] = ~cache.parents[entry, w]
    work = fill_column(columns.filler, child, members, left_out, cache.scores[entry])
    if work != ASK and columns.log_edge_odds != 0.0:
        add_edge_terms(cache, entry, num_members, columns.log_edge_odds)
    return work


@inner
def add_edge_terms(cache: ColumnCache, entry: int, num_members: int, log_edge_odds: float) -> None:
    """Add what the edges of each family of a column are worth."""
    child, scores = cache.children[entry], cache.scores[entry]
    for u in range(scores.shape[0]):
        num_edges = num_members
        if u != child:
            num_edges += -1 if has_bit(cache.parents[entry], u) else 1
        scores[u] += log_edge_odds * num_edges


@pasted
def find_filled(columns: Columns, child: int, parents: Words) -> tuple[int, int]:
    """Return the entry of a column, filled unless it was known, and the work done or `ASK`."""
    entry, is_known = find_column(columns.cache, child, parents)
    if is_known:
        return entry, 1
    return entry, fill_entry(columns, entry)
