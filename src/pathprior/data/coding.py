"""Frames become columns of states and of numbers, or an error that says what to fix."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.column import (
    CodedColumn,
    Column,
    arrange,
    assemble,
    check_names,
    code_type,
    flawed,
    no_numbers,
    real_column,
)
from pathprior.data.dataset import Dataset
from pathprior.data.kinds import (
    DISCRETE,
    MAX_STATES,
    REAL,
    Kind,
    Kinds,
    Look,
    distinct_values,
    is_whole,
    look_at,
    too_many,
    unfit_label,
)
from pathprior.errors import DataError
from pathprior.nearest import suggestion

if TYPE_CHECKING:
    import pandas as pd

FEW = 64
"""Numbers that are looked at before all of them are."""
SMALL = 1 << 20
"""Cells of a frame that may be copied."""


def code_frame(frame: "pd.DataFrame", kinds: Kinds, *, may_miss: bool) -> Dataset:
    """Code every column of a frame."""
    names = check_names(list(frame.columns))
    check_kinds(kinds, names)
    columns = _real_columns(frame, names, kinds) or [
        code_series(name, series, kinds.get(name))
        for name, (_, series) in zip(names, frame.items(), strict=True)
    ]
    return assemble(columns, len(frame), may_miss=may_miss)


def _real_columns(frame: "pd.DataFrame", names: Sequence[str], kinds: Kinds) -> list[Column]:
    """Code a small frame of floats with fractions at once; a series for each would take longer.

    Empty unless it is one.
    """
    if kinds or frame.size > SMALL or not (frame.dtypes == np.float64).all():
        return []
    numbers = frame.to_numpy().T
    if not all(has_fractions(column) for column in numbers):
        return []
    return [real_column(name, column) for name, column in zip(names, numbers, strict=True)]


def require_column(name: str, names: Sequence[str]) -> int:
    """Return the place of the column that says what was set."""
    if name not in names:
        raise DataError(
            f"interventions names a column {name!r}, which the data do not have; "
            f"{suggestion('column', [name], names)}"
        )
    return names.index(name)


def kept_columns(names: Sequence[str], columns: Sequence[str] | None) -> tuple[str, ...]:
    """Return the names that are to be kept, in their order; all unless some are named."""
    if columns is None:
        return tuple(names)
    unknown = [name for name in columns if name not in names]
    if unknown:
        raise DataError(
            f"there is no column {' or '.join(map(repr, unknown))} to keep; "
            f"{suggestion('column', unknown, names)}"
        )
    if not columns:
        raise DataError("columns names none: leave it out to keep all")
    return tuple(name for name in names if name in set(columns))


def declared(kinds: Kinds | None) -> Kinds:
    """Return what is declared, or say what a declaration looks like."""
    if kinds is not None and not isinstance(kinds, Mapping):
        raise DataError(f"kinds is a mapping such as {{'age': 'real'}}, not {kinds!r}")
    return kinds or {}


def check_kinds(kinds: Kinds, names: Sequence[str]) -> None:
    """Raise unless all that is declared is a column, and a kind."""
    unknown = [name for name in kinds if name not in names]
    if unknown:
        named = " and ".join(f"a column {name!r}" for name in unknown)
        raise DataError(
            f"kinds names {named}, which the data do not have; "
            f"{suggestion('column', unknown, names)}"
        )
    for name, kind in kinds.items():
        if kind not in (REAL, DISCRETE):
            raise DataError(f"column {name!r} is declared {kind!r}: use 'real' or 'discrete'")


def code_series(name: str, series: "pd.Series[Any]", kind: str | None) -> Column:
    """Code one column, as its kind was declared or as it looks."""
    import pandas as pd
    from pandas.api.types import is_float_dtype

    if kind == REAL:
        return _declared_real(name, series)
    if isinstance(series.dtype, pd.CategoricalDtype):
        return _code_categorical(name, series)
    if kind is None and is_float_dtype(series.dtype):
        numbers = floats_of(series)
        if has_fractions(numbers):
            return real_column(name, numbers)
    gaps = np.flatnonzero(series.isna())
    found = distinct_values(series)
    if isinstance(found, Look):
        return flawed(name, found, gaps)
    num_rows = len(series) - len(gaps)
    look = look_at(found.values, num_rows)
    if kind is None and look.is_real:
        return real_column(name, floats_of(series))
    if kind == DISCRETE and look.kind is not Kind.UNREADABLE:
        look = too_many(look.num_states) if look.num_states > MAX_STATES else Look(look.kind, 0)
    if look.is_refused:
        return flawed(name, look, gaps)
    arrangement = arrange(found.values)
    # Missing values have the index −1; the zero put in their place is never used.
    table = np.append(arrangement.codes, np.uint16(0)).astype(code_type(len(arrangement.states)))
    codes = table[found.raw]
    return CodedColumn(name, arrangement.states, codes, gaps, is_crowded=look.is_crowded)


def has_fractions(numbers: NDArray[np.floating]) -> bool:
    """Whether a number is not whole, missing ones apart; mostly one of the first is."""
    parts = (numbers[:FEW], numbers[FEW:])
    return any(not is_whole(part[~np.isnan(part)]).all() for part in parts)


def floats_of(series: "pd.Series[Any]") -> NDArray[np.floating]:
    """The numbers of a column, NaN where one is missing; not a copy where they are floats."""
    if isinstance(series.dtype, np.dtype) and series.dtype.kind == "f":
        return series.to_numpy()
    return _numeric(series).to_numpy(np.float64, na_value=np.nan)


def _numeric(series: "pd.Series[Any]") -> "pd.Series[Any]":
    """The column with the type of its values, where it hides it."""
    import pandas as pd

    if isinstance(series.dtype, pd.CategoricalDtype):
        series = series.astype(series.cat.categories.dtype)
    return series.infer_objects() if series.dtype == object else series


def _declared_real(name: str, series: "pd.Series[Any]") -> Column:
    """Take a column at the user's word: numbers, however few or whole."""
    from pandas.api.types import is_complex_dtype, is_numeric_dtype

    series = _numeric(series)
    if is_numeric_dtype(series.dtype) and not is_complex_dtype(series.dtype):
        return real_column(name, floats_of(series))
    known = series.dropna()
    example = known.iloc[0] if len(known) else None
    return no_numbers(name, example, np.flatnonzero(series.isna()))


def _code_categorical(name: str, series: "pd.Series[Any]") -> CodedColumn:
    """Take a categorical at its word: its categories are states, be they dates or many."""
    states = tuple(str(category) for category in series.cat.categories)
    raw = series.cat.codes.to_numpy()
    gaps = np.flatnonzero(raw < 0)
    unfit = too_many(len(states)) if len(states) > MAX_STATES else unfit_label(states)
    if unfit:
        return flawed(name, unfit, gaps)
    codes = np.maximum(raw, 0).astype(code_type(len(states)))
    return CodedColumn(name, states, codes, gaps)
