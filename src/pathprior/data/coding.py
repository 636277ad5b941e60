"""The door for data: frames and files become a `DataTable`, or an error that says what to fix."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pathprior.data.arrow import ArrowTable, read_arrow
from pathprior.data.column import (
    CodedColumn,
    arrange,
    assemble,
    check_names,
    code_type,
    flawed,
)
from pathprior.data.kinds import (
    MAX_STATES,
    REFUSED,
    Look,
    distinct_values,
    look_at,
    too_many,
    unfit_label,
)
from pathprior.data.readers import code_text, is_text, read_whole
from pathprior.data.table import DataTable
from pathprior.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


Tabular: TypeAlias = "pd.DataFrame | ArrowTable | DataTable | str | os.PathLike[str]"
"""All that `code_table` takes."""


def code_table(data: Tabular) -> DataTable:
    """Code complete discrete data.

    Parameters
    ----------
    data
        A DataFrame of pandas or polars, an Arrow table, or the path of a text file (``.csv``,
        ``.tsv``, ``.txt``, each also with ``.gz``), of a ``.parquet`` or of an Excel file; a
        `DataTable` is returned as it is. Columns may hold texts, booleans, whole numbers or
        categoricals (Arrow's dictionaries). The states of a categorical are its categories in their
        order, unused ones too; of any other column the values that occur, numbers by size and the
        rest by label. In a text file a column of numbers is numeric, and an empty field, NA, N/A,
        NaN, null or <NA> is missing; the word None is a state, as in many published networks.

    Raises
    ------
    DataError
        If columns are continuous, hold dates or different values in nearly every row, if values are
        missing, if there are more states than rows; all such columns are listed at once, and
        `prepare` proposes what to do with each. Also if column names are repeated, without rows,
        and if a file cannot be read. A categorical is taken at its word: it may have any states.

    Warns
    -----
    PathPriorWarning
        If a column has more than 10 states and fewer than 50 rows for each; a categorical may have
        many.
    """
    import pandas as pd

    if isinstance(data, DataTable):
        return data
    if isinstance(data, pd.DataFrame):
        return _code_frame(data)
    if isinstance(data, str | os.PathLike):
        path = Path(data)
        table = code_text(path) if is_text(path) else _code_frame(read_whole(path))
        return replace(table, name=path.name)
    if isinstance(data, ArrowTable):
        return _code_frame(read_arrow(data))
    raise DataError(
        "data must be a DataFrame of pandas or polars, an Arrow table, a DataTable or a path, not "
        f"{type(data).__name__}"
    )


def _code_frame(frame: "pd.DataFrame") -> DataTable:
    names = check_names(list(frame.columns))
    columns = [_code_series(name, frame.iloc[:, k]) for k, name in enumerate(names)]
    return assemble(columns, len(frame))


def _code_series(name: str, series: "pd.Series[Any]") -> CodedColumn:
    import pandas as pd

    if isinstance(series.dtype, pd.CategoricalDtype):
        return _code_categorical(name, series)
    num_missing = int(series.isna().sum())
    found = distinct_values(series)
    if isinstance(found, Look):
        return flawed(name, found, num_missing)
    num_rows = len(series) - num_missing
    look = look_at(found.values, num_rows)
    if look.kind in REFUSED:
        return flawed(name, look, num_missing)
    arrangement = arrange(found.values)
    # Missing values have the index −1; the zero put in their place is never used.
    table = np.append(arrangement.codes, np.uint16(0)).astype(code_type(len(arrangement.states)))
    codes = table[found.raw]
    return CodedColumn(name, arrangement.states, codes, num_missing, is_crowded=look.is_crowded)


def _code_categorical(name: str, series: "pd.Series[Any]") -> CodedColumn:
    """Take a categorical at its word: its categories are states, be they dates or many."""
    states = tuple(str(category) for category in series.cat.categories)
    raw = series.cat.codes.to_numpy()
    num_missing = int((raw < 0).sum())
    unfit = too_many(len(states)) if len(states) > MAX_STATES else unfit_label(states)
    if unfit:
        return flawed(name, unfit, num_missing)
    return CodedColumn(name, states, raw.astype(code_type(len(states))), num_missing)
