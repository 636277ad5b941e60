"""The door for data: frames and files become a `Dataset`, or an error that says what to fix."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pathprior.data.arrow import ArrowTable, read_arrow
from pathprior.data.coding import code_frame
from pathprior.data.dataset import Dataset
from pathprior.data.readers import code_text, is_text, read_whole
from pathprior.data.table import DataTable
from pathprior.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


Tabular: TypeAlias = "pd.DataFrame | ArrowTable | Dataset | DataTable | str | os.PathLike[str]"
"""All that `read_dataset` takes."""


def read_dataset(data: Tabular) -> Dataset:
    """Read complete discrete data and code them.

    Parameters
    ----------
    data
        A DataFrame of pandas or polars, an Arrow table, or the path of a text file (``.csv``,
        ``.tsv``, ``.txt``, each also with ``.gz``), of a ``.parquet`` or of an Excel file. A
        `Dataset` is returned as it is, a `DataTable` as one. Columns may hold texts, booleans,
        whole numbers or categoricals (Arrow's dictionaries). The states of a categorical are its
        categories in their order, unused ones too; of any other column the values that occur,
        numbers by size and the rest by label. In a text file a column of numbers is numeric, and an
        empty field, NA, N/A, NaN, null or <NA> is missing; the word None is a state, as in many
        published networks.

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

    if isinstance(data, Dataset):
        return data
    if isinstance(data, DataTable):
        return Dataset.of_codes(data)
    if isinstance(data, pd.DataFrame):
        return code_frame(data)
    if isinstance(data, str | os.PathLike):
        path = Path(data)
        dataset = code_text(path) if is_text(path) else code_frame(read_whole(path))
        return replace(dataset, name=path.name)
    if isinstance(data, ArrowTable):
        return code_frame(read_arrow(data))
    raise DataError(
        "data must be a DataFrame of pandas or polars, an Arrow table, a Dataset, a DataTable or a "
        f"path, not {type(data).__name__}"
    )
