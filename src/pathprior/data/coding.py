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
    check_states,
    check_text,
    code_type,
)
from pathprior.data.readers import code_csv, read_parquet
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
        A DataFrame of pandas or polars, an Arrow table, or the path of a ``.csv``, ``.csv.gz`` or
        ``.parquet`` file; a `DataTable` is returned as it is. Columns may hold texts, booleans,
        whole numbers or categoricals (Arrow's dictionaries). The states of a categorical are its
        categories in their order, unused ones too; of any other column the values that occur,
        numbers by size and the rest by label. In a CSV file a column of numbers is numeric, and an
        empty field, NA, N/A, NaN, null or <NA> is missing; the word None is a state, as in many
        published networks.

    Raises
    ------
    DataError
        If there are missing values, columns that look continuous, repeated column names, no rows,
        more states than rows, or a file that cannot be read.
    """
    import pandas as pd

    if isinstance(data, DataTable):
        return data
    if isinstance(data, pd.DataFrame):
        return _code_frame(data)
    if isinstance(data, str | os.PathLike):
        path = Path(data)
        is_parquet = path.suffix == ".parquet"
        table = _code_frame(read_parquet(path)) if is_parquet else code_csv(path)
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
        states = tuple(str(category) for category in series.cat.categories)
        check_states(name, states)
        raw = series.cat.codes.to_numpy()
        codes = raw.astype(code_type(len(states)))
    else:
        try:
            raw, values = pd.factorize(series)
        except TypeError as error:
            raise DataError(f"column {name!r} holds values that are not states: {error}") from error
        for value in values:
            if isinstance(value, str):
                check_text(name, value)  # pandas' own strings cannot hold half a character
        arrangement = arrange(name, pd.Index(values).infer_objects())
        states = arrangement.states
        # Missing values have the index −1; the zero put in their place is never used.
        table = np.append(arrangement.codes, np.uint16(0)).astype(code_type(len(states)))
        codes = table[raw]
    return CodedColumn(name, states, codes, int((raw < 0).sum()))
