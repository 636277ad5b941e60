"""Frames become columns of states, or an error that says what to fix."""

from typing import TYPE_CHECKING, Any

import numpy as np

from pathprior.data.column import (
    CodedColumn,
    arrange,
    assemble,
    check_names,
    code_type,
    flawed,
)
from pathprior.data.dataset import Dataset
from pathprior.data.kinds import (
    MAX_STATES,
    REFUSED,
    Look,
    distinct_values,
    look_at,
    too_many,
    unfit_label,
)

if TYPE_CHECKING:
    import pandas as pd


def code_frame(frame: "pd.DataFrame") -> Dataset:
    """Code every column of a frame."""
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
