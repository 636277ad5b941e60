"""The door for data: frames and files become a `Dataset`, or an error that says what to fix."""

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pathprior.data.arrow import ArrowDataset, ArrowTable, PartitionedFrame, read_arrow
from pathprior.data.batches import code_arrow, code_parquet
from pathprior.data.coding import (
    check_kinds,
    code_frame,
    declared,
    kept_columns,
    require_column,
)
from pathprior.data.column import check_names
from pathprior.data.dataset import Dataset
from pathprior.data.formats import is_parquet, is_text
from pathprior.data.gaps import REFUSE
from pathprior.data.interventions import HARD, SOFT, Interventions, with_interventions
from pathprior.data.kinds import REAL, Kinds
from pathprior.data.missing import check_choice, settle_missing
from pathprior.data.readers import code_text, read_whole, text_column
from pathprior.data.table import DataTable
from pathprior.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


Tabular: TypeAlias = (
    "pd.DataFrame | ArrowTable | ArrowDataset | PartitionedFrame | Dataset | DataTable | str | "
    "os.PathLike[str]"
)
"""All that `read_dataset` takes."""


def read_dataset(
    data: Tabular,
    *,
    columns: Iterable[str] | None = None,
    kinds: Kinds | None = None,
    interventions: "Interventions | None" = None,
    interventions_kind: str = HARD,
    missing: str = REFUSE,
) -> Dataset:
    """Read data: columns of states, which are coded, and of real numbers.

    Parameters
    ----------
    data
        A DataFrame of pandas, polars or Dask, an Arrow table, a data set of pyarrow, or the path of
        a text file (``.csv``, ``.tsv``, ``.txt``, each also with ``.gz``), of a ``.parquet`` or of
        an Excel file. Of a file, an Arrow table, a data set or a frame of Dask with more than 2²⁶
        states (and nothing else) equal rows are held once, whatever their order. A `Dataset` is
        returned as it is, a `DataTable` as one. Texts, booleans, whole numbers and categoricals
        (Arrow's dictionaries) are states, numbers of which any has a fraction are real, and so are
        more than 64 different floats. The states of a categorical are its categories in their
        order, unused ones too; of any other column the values that occur, numbers by size and the
        rest by label. In a text file a column of numbers is numeric, and an empty field, NA, N/A,
        NaN, null or <NA> is missing; the word None is a state, as in many published networks.
    columns
        The only columns that are kept, in the order of the data; what is wrong with others does not
        matter. That of ``interventions`` need not be named.
    kinds
        By column: ``"real"`` for whole numbers that are measured, ``"discrete"`` for fractions that
        are states.
    interventions
        What was set in each row, by an experiment, and not only observed: the name of a column that
        says so, which is then no variable (empty, missing or ``none`` for nothing, several names
        joined by ``;``), a sequence with a name, several or None for each row, or a table of True
        and False with the data's columns.
    interventions_kind
        ``"hard"``: values were set, whatever their causes. ``"soft"``: how they come about was
        changed, and their causes may still act.
    missing
        What becomes of missing values: ``"refuse"`` makes them an error; ``"em"`` leaves them
        missing, for `learn` to draw; ``"state"`` makes them a state, ``"drop"`` leaves out all rows
        with one.

    Raises
    ------
    DataError
        If columns hold more than 64 different integers, dates, infinite numbers or different
        texts in nearly every row, if values are missing and may not be, if there are more states
        than rows; all such columns are listed at once, and `prepare` proposes what to do with each.
        Also if column names are repeated, without rows, and if a file cannot be read. A categorical
        is taken at its word: it may have any states.

    Warns
    -----
    PathPriorWarning
        If a column has more than 10 states and fewer than 50 rows for each; a categorical may have
        many. With ``"em"``, if rows have no value at all, and are left out, or columns have hardly
        any.
    """
    kinds = declared(kinds)
    check_choice(missing)
    if interventions_kind not in (HARD, SOFT):
        raise DataError(f"interventions_kind must be 'hard' or 'soft', not {interventions_kind!r}")
    if isinstance(data, DataTable):
        data = Dataset.of_codes(data)
    column = interventions if isinstance(interventions, str) else None
    kept = None if columns is None else _listed(columns, column)
    if isinstance(data, Dataset):
        if kept is not None:
            besides = [column] if column in data.variables else []
            data = data.select(kept_columns(data.variables, [*kept, *besides]))
        _require_kinds(data, kinds)
        if column is not None and column == data.target_column:
            return settle_missing(replace(data, are_soft=interventions_kind == SOFT), missing)
    # what was set is said row by row
    dataset, targets = _read(
        data, kinds, column, kept, may_miss=missing != REFUSE, may_merge=interventions is None
    )
    if interventions is not None:
        given = interventions if column is None else targets
        dataset = with_interventions(dataset, given, kind=interventions_kind, column=column)
    return settle_missing(dataset, missing)


def _read(
    data: Tabular,
    kinds: Kinds,
    column: str | None,
    kept: list[str] | None,
    *,
    may_miss: bool,
    may_merge: bool,
) -> tuple[Dataset, Any]:
    """Read the data, and the column that says what was set apart."""
    import pandas as pd

    if isinstance(data, Dataset):
        return (data, None) if column is None else _without(data, column)
    name, how = "", {"may_miss": may_miss, "may_merge": may_merge}
    if isinstance(data, str | os.PathLike):
        path = Path(data)
        name = path.name
        if is_text(path):
            targets = None if column is None else text_column(path, column)
            coded = code_text(path, kinds, columns=kept, left_out=column, **how)
            return replace(coded, name=name), targets
        if is_parquet(path) and column is None:
            coded = code_parquet(path, kinds, columns=kept, **how)
            return replace(coded, name=name), None
        data = read_whole(path)
    elif isinstance(data, ArrowDataset | PartitionedFrame | ArrowTable) and not isinstance(
        data, pd.DataFrame
    ):
        if column is None:
            return code_arrow(data, kinds, columns=kept, **how), None
        data = read_arrow(data)
    if not isinstance(data, pd.DataFrame):
        raise DataError(
            "data must be a DataFrame of pandas, polars or Dask, an Arrow table, a Dataset, a "
            f"DataTable or a path, not {type(data).__name__}"
        )
    frame, targets = _split(data, column)
    if kept is not None:
        names = check_names(list(frame.columns))
        wanted = kept_columns(names, kept)
        frame = frame.iloc[:, [k for k, one in enumerate(names) if one in wanted]]
    return replace(code_frame(frame, kinds, may_miss=may_miss), name=name), targets


def _listed(columns: Iterable[str], apart: str | None) -> list[str]:
    """The columns to keep but for the one that says what was set."""
    names = [columns] if isinstance(columns, str) else list(columns)
    return [name for name in names if name != apart]


def _split(frame: "pd.DataFrame", column: str | None) -> tuple["pd.DataFrame", Any]:
    """Take the column that says what was set out of a frame."""
    if column is None:
        return frame, None
    place = require_column(column, check_names(list(frame.columns)))
    others = [k for k in range(frame.shape[1]) if k != place]
    return frame.iloc[:, others], frame.iloc[:, place]


def _without(dataset: Dataset, column: str) -> tuple[Dataset, Any]:
    """Take a column of states out of data that were read before, and its labels."""
    require_column(column, dataset.coded.variables)
    others = dataset.select([name for name in dataset.variables if name != column])
    table = dataset.coded.select([column])
    labels = np.array(table.states[0], dtype=object)[table.codes[0]]
    if dataset.observed is not None:
        labels[~dataset.observed[dataset.variables.index(column)]] = None
    return others, labels


def _require_kinds(dataset: Dataset, kinds: Kinds) -> None:
    """Refuse kinds that the columns, which were read before, do not have."""
    check_kinds(kinds, dataset.variables)
    for name, kind in kinds.items():
        if (kind == REAL) != (name in dataset.reals.variables):
            raise DataError(
                f"column {name!r} was read before and is not {kind}: declare it where the data are "
                "read"
            )
