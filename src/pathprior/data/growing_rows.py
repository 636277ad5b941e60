"""`GrowingRows`: columns of states that grow together, equal rows merged once they are many."""

from collections.abc import Sequence

import numpy as np

from pathprior.data.column import Column
from pathprior.data.growing import GrowingColumn
from pathprior.data.merged import Merging, Times

HELD_CODES = 1 << 26
"""Most codes that are held row by row where equal rows may be merged: 64 MB, or twice that."""


class GrowingRows:
    """Columns that get their chunks together, and share their rows."""

    def __init__(self, columns: Sequence[GrowingColumn], *, may_miss: bool) -> None:
        self.columns = columns
        self._may_miss = may_miss
        self._merging: Merging | None = None

    def merge(self, num_rows: int) -> None:
        """Merge what the columns hold if that is much; so many rows have come by now."""
        if self._merging is None and (
            num_rows * len(self.columns) <= HELD_CODES or self.need_their_rows
        ):
            return
        if self._merging is None:
            self._merging = Merging(len(self.columns))
        if not any(column.is_full for column in self.columns):  # else they end in an error
            num_states = [max(1, len(column.code_of)) for column in self.columns]
            for chunks in zip(*(column.chunks for column in self.columns), strict=True):
                self._merging.add(np.stack(chunks), num_states)
        for column in self.columns:
            column.chunks.clear()

    @property
    def is_merged(self) -> bool:
        """Whether rows were merged."""
        return self._merging is not None

    @property
    def need_their_rows(self) -> bool:
        """Whether it shows that rows must not be merged: gaps are let through, or numbers real."""
        has_gaps = any(column.num_missing for column in self.columns)
        return (self._may_miss and has_gaps) or any(column.is_real for column in self.columns)

    def finish(self) -> tuple[list[Column], Times | None]:
        """All columns, of rows that differ if they were merged; how often these occur then."""
        merging, self._merging = self._merging, None
        times = None if merging is None else merging.finish()
        finished = []
        for v, column in enumerate(self.columns):
            if merging is not None:
                column.chunks.append(merging.column(v))  # one by one, not all at once
            finished.append(column.finish(is_held=True))
        return finished, times
