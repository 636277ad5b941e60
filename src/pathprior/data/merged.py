"""`MergedTable`: equal rows of states held once, with how often they occur."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pathprior.data.table import DataTable

Words = NDArray[np.uint64]
Times = NDArray[np.int64]

WORD = 64
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
PACKED_ROWS = 1 << 16
"""Rows that are packed at a time, so that they stay in the cache."""


@dataclass(frozen=True, slots=True, eq=False)
class MergedTable:
    """As `DataTable`, but for memory and the order of the rows, which is that of their codes' hash.

    Attributes
    ----------
    variables
        Column names.
    held
        ``held[v, i]``: the state of variable v in the rows that are like row i. Read-only.
    times
        How often each occurs.
    states
        ``states[v]``: the labels behind the codes.
    """

    variables: tuple[str, ...]
    held: NDArray[np.uint8] | NDArray[np.uint16]
    times: Times
    states: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        held = np.ascontiguousarray(self.held)
        held.flags.writeable = False
        object.__setattr__(self, "held", held)

    @property
    def num_variables(self) -> int:
        """Number of columns."""
        return len(self.variables)

    @property
    def num_rows(self) -> int:
        """Number of rows, equal ones counted as often as they occur."""
        return int(self.times.sum())

    @property
    def num_states(self) -> NDArray[np.int64]:
        """Number of states of each variable, observed or not."""
        return np.array([len(labels) for labels in self.states], dtype=np.int64)

    @property
    def codes(self) -> NDArray[np.uint8] | NDArray[np.uint16]:
        """All rows as in `DataTable`, made now: a byte a cell, or two."""
        held: Any = self.held  # of one type or the other
        codes: NDArray[np.uint8] | NDArray[np.uint16] = np.repeat(held, self.times, axis=1)
        return codes

    def select(self, names: Sequence[str]) -> "MergedTable":
        """Return the table of these columns, in this order."""
        if tuple(names) == self.variables:
            return self
        place = {name: v for v, name in enumerate(self.variables)}
        places = [place[name] for name in names]
        states = tuple(self.states[v] for v in places)
        return MergedTable(tuple(names), self.held[places], self.times, states)

    def plain(self) -> DataTable:
        """Return the table that holds every row."""
        return DataTable(self.variables, self.codes, self.states)


Coded: TypeAlias = DataTable | MergedTable
"""Columns of states, however their rows are held."""


LEAST_WAITING = 1 << 20
"""Rows that are collected before they are merged."""


class Packing:
    """Where the codes of each column lie in the words of a row."""

    def __init__(self, num_states: Sequence[int]) -> None:
        self.num_bits = [max(1, (number - 1).bit_length()) for number in num_states]
        self.places: list[tuple[int, np.uint64]] = []
        word = used = 0
        for bits in self.num_bits:
            if used + bits > WORD:
                word, used = word + 1, 0
            self.places.append((word, np.uint64(used)))
            used += bits
        self.num_words = word + 1

    def holds(self, num_states: Sequence[int]) -> bool:
        """Whether so many states have their places."""
        return all(n <= 1 << bits for n, bits in zip(num_states, self.num_bits, strict=True))

    def pack(self, codes: NDArray[np.unsignedinteger]) -> Words:
        """``words[w, row]`` of ``codes[v, row]``."""
        num_rows = codes.shape[1]
        words = np.zeros((self.num_words, num_rows), np.uint64)
        for start in range(0, num_rows, PACKED_ROWS):
            rows = slice(start, start + PACKED_ROWS)
            for column, (word, shift) in zip(codes, self.places, strict=True):
                words[word, rows] |= column[rows].astype(np.uint64) << shift
        return words

    def unpack(self, words: Words, dtype: "np.dtype[Any]") -> NDArray[np.unsignedinteger]:
        """The codes again."""
        codes = np.empty((len(self.places), words.shape[1]), dtype)
        for v in range(len(codes)):
            codes[v] = self.column(v, words)
        return codes

    def column(self, v: int, words: Words) -> Words:
        """The codes of one column."""
        word, shift = self.places[v]
        codes: Words = (words[word] >> shift) & np.uint64((1 << self.num_bits[v]) - 1)
        return codes


def merge_words(words: Words, times: Times) -> tuple[Words, Times]:
    """Return distinct rows and how often each occurs, given the same of rows that may be equal.

    Their order is a function of the rows alone. Sorted by one key: a hash where a row has several
    words, which are compared too.
    """
    key = words[0]
    if len(words) > 1:
        key = np.zeros(words.shape[1], np.uint64)
        for word in words:
            key = (key ^ word ^ (key >> np.uint64(29))) * MULTIPLIER
    order = np.argsort(key)
    words, key = words[:, order], key[order]
    is_new = (words[:, 1:] != words[:, :-1]).any(axis=0)
    if (is_new & (key[1:] == key[:-1])).any():  # different rows with one hash
        again = np.lexsort(words)
        words, order = words[:, again], order[again]
        is_new = (words[:, 1:] != words[:, :-1]).any(axis=0)
    starts = np.flatnonzero(np.concatenate([[True], is_new])[: words.shape[1]])
    if not len(starts):
        return words, times
    return words[:, starts], np.add.reduceat(times[order], starts)


class Merging:
    """Rows merged as they come, in the memory of those that differ."""

    def __init__(self, num_columns: int) -> None:
        self._packing = Packing([1] * num_columns)
        self._words: Words = np.empty((1, 0), np.uint64)
        self._times: Times = np.empty(0, np.int64)
        self._waiting: list[Words] = []
        self._num_waiting = 0

    def add(self, codes: NDArray[np.unsignedinteger], num_states: Sequence[int]) -> None:
        """Take some rows; so many states are known by now, and no state gets another code."""
        if not self._packing.holds(num_states):
            self._settle()
            known = self._packing.unpack(self._words, np.dtype(np.uint16))
            self._packing = Packing(num_states)
            self._words = self._packing.pack(known)
        self._waiting.append(self._packing.pack(codes))
        self._num_waiting += codes.shape[1]
        # as many as there are already, so that a row is sorted a few times and no more
        if self._num_waiting >= max(LEAST_WAITING, len(self._times)):
            self._settle()

    def finish(self) -> Times:
        """How often each row occurs, of those that differ; no more are to come."""
        self._settle()
        return self._times

    def column(self, v: int) -> NDArray[np.uint16]:
        """The codes of one column, of the rows that differ."""
        return self._packing.column(v, self._words).astype(np.uint16)

    def _settle(self) -> None:
        words = np.concatenate([self._words, *self._waiting], axis=1)
        times = np.concatenate([self._times, np.ones(self._num_waiting, np.int64)])
        self._waiting, self._num_waiting = [], 0
        self._words, self._times = merge_words(words, times)


def merged(table: Coded) -> MergedTable:
    """Return a table with equal rows held once."""
    if isinstance(table, MergedTable):
        return table
    packing = Packing(table.num_states.tolist())
    words, times = merge_words(packing.pack(table.codes), np.ones(table.num_rows, np.int64))
    return MergedTable(
        table.variables, packing.unpack(words, table.codes.dtype), times, table.states
    )
