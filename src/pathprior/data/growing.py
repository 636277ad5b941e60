"""Columns of a text file that grow chunk by chunk, until it shows what they hold."""

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.column import (
    Arrangement,
    CodedColumn,
    Column,
    Numbers,
    RealColumn,
    arrange,
    code_type,
    flawed,
    no_numbers,
)
from pathprior.data.kinds import DISCRETE, MAX_STATES, REAL, Kind, Look, is_whole, look_at, too_many

if TYPE_CHECKING:
    import pandas as pd


class GrowingNumbers:
    """Numbers of the chunks so far, held unless they are too many."""

    needs_numbers = False

    def __init__(self, name: str) -> None:
        self.name = name
        self.seen = Numbers(name)
        self.pieces: list[NDArray[np.floating]] = []

    def append(self, numbers: "pd.Series[Any]", *, is_held: bool) -> None:
        """Look at one chunk and keep it; or forget all, if nothing is held any more."""
        piece = numbers.to_numpy(np.float64, copy=is_held)
        self.seen.see(piece)
        if is_held:
            self.pieces.append(piece)
        else:
            self.pieces.clear()

    def finish(self, *, is_held: bool) -> Column:
        """All of it."""
        return self.seen.column(self.pieces)


class GrowingColumn:
    """Codes of the chunks so far, in order of first appearance of their texts."""

    def __init__(self, name: str, kind: str | None) -> None:
        self.name = name
        self.kind = kind
        self.code_of: dict[Any, int] = {}
        self.chunks: list[NDArray[np.unsignedinteger]] = []
        self.gaps: list[NDArray[np.int64]] = []
        self.num_read = 0
        self.num_rows = 0
        self.num_missing = 0

    def append(self, texts: "pd.Series[Any]", *, is_held: bool) -> None:
        """Code one chunk; codes are held whatever else is."""
        import pandas as pd

        raw, values = pd.factorize(texts)
        self._take(raw, values)

    def _take(self, raw: NDArray[np.integer], values: Iterable[Any]) -> None:
        """Take one chunk, of which row i holds value ``raw[i]``, or none if that is −1."""
        gaps = np.flatnonzero(raw < 0)
        self.gaps.append(self.num_read + gaps)
        self.num_missing += len(gaps)
        self.num_read += len(raw)
        if self.is_full:
            return
        self.num_rows += len(raw) - len(gaps)
        codes = [self.code_of.setdefault(value, len(self.code_of)) for value in values]
        if self.is_full:
            self.chunks.clear()
            return
        # The last entry stands for the index −1 of missing values.
        table = np.array([*codes, 0], dtype=code_type(len(self.code_of)))
        self.chunks.append(table[raw])

    @property
    def is_full(self) -> bool:
        """Whether there are too many texts to code; what follows is only searched for gaps."""
        return len(self.code_of) > MAX_STATES

    @property
    def is_real(self) -> bool:
        """Whether what came so far is taken as real numbers."""
        if self.kind is not None or self.is_full:
            return self.kind == REAL
        return look_at(self._values(), self.num_rows).is_real

    @property
    def needs_numbers(self) -> bool:
        """Whether there are too many texts to code because they are real numbers."""
        if not self.is_full or self.kind == DISCRETE:
            return False
        values = self._values()
        return values.dtype != object and (
            self.kind == REAL or look_at(values, self.num_rows).is_real
        )

    def finish(self, *, is_held: bool) -> Column:
        """Recode everything to the final order of the states; or what the texts are as numbers."""
        values = self._values()
        look = look_at(values, self.num_rows)
        gaps = self._all_gaps()
        if self.kind == REAL and values.dtype == object:
            return no_numbers(self.name, self._first_text(), gaps)
        if not self.is_full and (self.kind == REAL or (self.kind is None and look.is_real)):
            table = values.to_numpy(np.float64) if len(values) else np.full(1, np.nan)
            return self._real(table, is_held=is_held)
        if self.kind == DISCRETE and look.kind is not Kind.UNREADABLE:
            look = Look(look.kind, look.num_states)
        if self.is_full and not look.is_refused:
            look = too_many(len(values))
        if look.is_refused:
            self.chunks.clear()
            return flawed(self.name, look, gaps)
        return self._coded(arrange(values), gaps, is_crowded=look.is_crowded)

    def _real(self, table: NDArray[np.float64], *, is_held: bool) -> RealColumn:
        seen = Numbers(self.name)
        pieces: list[NDArray[np.floating]] = []
        for codes, gaps in zip(self.chunks, self.gaps, strict=True):
            piece = table[codes]
            piece[gaps - seen.num_rows] = np.nan
            seen.see(piece)
            if is_held:
                pieces.append(piece)
        self.chunks.clear()
        return seen.column(pieces)

    def _coded(
        self, arrangement: Arrangement, gaps: NDArray[np.int64], *, is_crowded: bool
    ) -> CodedColumn:
        num_states = len(arrangement.states)
        table = np.append(arrangement.codes, np.uint16(0)).astype(code_type(num_states))
        codes = np.concatenate([np.empty(0, table.dtype), *(table[c] for c in self.chunks)])
        self.chunks.clear()  # column by column, so that the codes are never held three times
        return CodedColumn(self.name, arrangement.states, codes, gaps, is_crowded=is_crowded)

    def _values(self) -> "pd.Index[Any]":
        """What the texts are, in the order of their first appearance."""
        return _numbers_in(list(self.code_of))

    def _all_gaps(self) -> NDArray[np.int64]:
        return np.concatenate([np.empty(0, np.int64), *self.gaps])

    def _first_text(self) -> str:
        return next(str(text) for text in self.code_of if _numbers_in([text]).dtype == object)


def are_real(texts: Iterable[str], kind: str | None) -> bool:
    """Whether all texts are numbers that are taken as real: declared so, or with a fraction."""
    values = _numbers_in(list(texts))
    if kind == DISCRETE or values.dtype == object or not len(values):
        return False
    return kind == REAL or not is_whole(values.to_numpy()).all()


def _numbers_in(texts: list[str]) -> "pd.Index[Any]":
    """The numbers that the texts are, or the texts if one is none."""
    import pandas as pd

    values: pd.Index[Any] = pd.Index(texts, dtype=object)
    with suppress(ValueError):
        values = pd.Index(pd.to_numeric(values.to_numpy()))
    return values
