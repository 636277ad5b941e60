"""A column as `prepare` sees it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from pathprior.data.actions import AsLabels
from pathprior.data.kinds import Distinct, Kind, Look, distinct_values, is_whole, look_at

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Observed:
    """A column of the rows that stay, and what was seen in it."""

    name: str
    series: "pd.Series[Any]"
    look: Look
    found: Distinct | None

    @classmethod
    def of(cls, name: str, series: "pd.Series[Any]") -> "Observed":
        """Look at a column; infinite numbers must have been made missing."""
        import pandas as pd

        if isinstance(series.dtype, pd.CategoricalDtype):
            used = series.cat.remove_unused_categories().cat.categories
            kind = {0: Kind.MISSING, 1: Kind.CONSTANT, 2: Kind.BINARY}.get(len(used))
            return cls(name, series, Look(kind or Kind.CATEGORICAL, len(used)), None)
        found = distinct_values(series)
        if isinstance(found, Look):
            return cls(name, series, found, None)
        return cls(name, series, look_at(found.values, int(series.notna().sum())), found)

    @property
    def is_float(self) -> bool:
        """Whether these are whole numbers that would be written with a point."""
        if self.found is None or self.found.values.dtype.kind != "f":
            return False
        return bool(is_whole(self.found.values.to_numpy()).all())

    @property
    def numbers(self) -> NDArray[Any] | None:
        """The numbers of the rows that have one, if these are numbers."""
        from pandas.api.types import is_bool_dtype, is_numeric_dtype

        if self.found is None:
            return None
        values = self.found.values
        if not is_numeric_dtype(values.dtype) or is_bool_dtype(values.dtype):
            return None
        if values.dtype.kind == "c":
            return None
        numbers: NDArray[Any] = values.to_numpy()[self.found.raw[self.found.raw >= 0]]
        return numbers

    @property
    def are_objects(self) -> bool:
        """Whether numbers are held one by one, as after reading a mixed column."""
        return self.series.dtype == object

    @property
    def is_categorical(self) -> bool:
        """Whether the user has said what the states are."""
        import pandas as pd

        return isinstance(self.series.dtype, pd.CategoricalDtype)

    def labels(self) -> "pd.Series[Any]":
        """The labels of the rows that have one."""
        return AsLabels(self.is_float).apply(self.series).dropna()
