"""The door for data: frames and files become a `Dataset`, or an error that says what to fix."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pathprior.data.arrow import ArrowTable, read_arrow
from pathprior.data.coding import check_kinds, code_frame, declared
from pathprior.data.dataset import Dataset
from pathprior.data.kinds import REAL, Kinds
from pathprior.data.readers import code_parquet, code_text, is_parquet, is_text, read_whole
from pathprior.data.table import DataTable
from pathprior.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


Tabular: TypeAlias = "pd.DataFrame | ArrowTable | Dataset | DataTable | str | os.PathLike[str]"
"""All that `read_dataset` takes."""


def read_dataset(data: Tabular, *, kinds: Kinds | None = None) -> Dataset:
    """Read complete data: columns of states, which are coded, and of real numbers.

    Parameters
    ----------
    data
        A DataFrame of pandas or polars, an Arrow table, or the path of a text file (``.csv``,
        ``.tsv``, ``.txt``, each also with ``.gz``), of a ``.parquet`` or of an Excel file. A
        `Dataset` is returned as it is, a `DataTable` as one. Texts, booleans, whole numbers and
        categoricals (Arrow's dictionaries) are states, numbers of which any has a fraction are
        real, and so are more than 64 different floats. The states of a categorical are its
        categories in their order, unused ones too; of any other column the values that occur,
        numbers by size and the rest by label. In a text file a column of numbers is numeric, and an
        empty field, NA, N/A, NaN, null or <NA> is missing; the word None is a state, as in many
        published networks.
    kinds
        By column: ``"real"`` for whole numbers that are measured, ``"discrete"`` for fractions that
        are states.

    Raises
    ------
    DataError
        If columns hold more than 64 different integers, dates, infinite numbers or different
        texts in nearly every row, if values are missing, if there are more states than rows; all
        such columns are listed at once, and `prepare` proposes what to do with each. Also if column
        names are repeated, without rows, and if a file cannot be read. A categorical is taken at
        its word: it may have any states.

    Warns
    -----
    PathPriorWarning
        If a column has more than 10 states and fewer than 50 rows for each; a categorical may have
        many.
    """
    import pandas as pd

    kinds = declared(kinds)
    if isinstance(data, DataTable):
        data = Dataset.of_codes(data)
    if isinstance(data, Dataset):
        _require_kinds(data, kinds)
        return data
    if isinstance(data, pd.DataFrame):
        return code_frame(data, kinds)
    if isinstance(data, str | os.PathLike):
        path = Path(data)
        if is_text(path):
            dataset = code_text(path, kinds)
        elif is_parquet(path):
            dataset = code_parquet(path, kinds)
        else:
            dataset = code_frame(read_whole(path), kinds)
        return replace(dataset, name=path.name)
    if isinstance(data, ArrowTable):
        return code_frame(read_arrow(data), kinds)
    raise DataError(
        "data must be a DataFrame of pandas or polars, an Arrow table, a Dataset, a DataTable or a "
        f"path, not {type(data).__name__}"
    )


def _require_kinds(dataset: Dataset, kinds: Kinds) -> None:
    """Refuse kinds that the columns, which were read before, do not have."""
    check_kinds(kinds, dataset.variables)
    for name, kind in kinds.items():
        if (kind == REAL) != (name in dataset.reals.variables):
            raise DataError(
                f"column {name!r} was read before and is not {kind}: declare it where the data are "
                "read"
            )
