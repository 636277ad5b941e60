"""`GrowingSeries`: a column of typed values that grows chunk by chunk."""

from typing import TYPE_CHECKING, Any

import numpy as np

from pathprior.data.column import Arrangement, Column, flawed
from pathprior.data.growing import GrowingColumn
from pathprior.data.kinds import REAL, Look, distinct_values, unfit_label

if TYPE_CHECKING:
    import pandas as pd


class GrowingSeries(GrowingColumn):
    """Codes of the chunks so far; judged in the end as `code_series` judges all of a column."""

    def __init__(self, name: str, kind: str | None) -> None:
        super().__init__(name, kind)
        self._is_categorical = False
        self._unfit: Look | None = None

    def append(self, texts: "pd.Series[Any]", *, is_held: bool) -> None:
        """Code one chunk."""
        import pandas as pd

        if isinstance(texts.dtype, pd.CategoricalDtype):
            self._is_categorical = True
            self._take(texts.cat.codes.to_numpy(), texts.cat.categories)
            return
        found = distinct_values(texts)
        if isinstance(found, Look):
            self._unfit = self._unfit or found
        else:
            self._take(found.raw, found.values)

    @property
    def is_full(self) -> bool:
        """Whether there are too many values to code, or some that cannot be."""
        return self._unfit is not None or super().is_full

    @property
    def is_real(self) -> bool:
        """Whether what came so far is taken as real numbers."""
        return self.kind == REAL if self._is_categorical else super().is_real

    def finish(self, *, is_held: bool) -> Column:
        """Recode everything to the final order of the states."""
        gaps = self._all_gaps()
        states = tuple(map(str, self.code_of)) if self._is_categorical else ()
        unfit = self._unfit or unfit_label(states)
        if unfit is not None:
            return flawed(self.name, unfit, gaps)
        if not self._is_categorical or self.is_full:
            return super().finish(is_held=is_held)
        as_they_are = Arrangement(states, np.arange(len(states), dtype=np.uint16))
        return self._coded(as_they_are, gaps, is_crowded=False)

    def _values(self) -> "pd.Index[Any]":
        import pandas as pd

        values: pd.Index[Any] = pd.Index(list(self.code_of)).infer_objects()
        return values
