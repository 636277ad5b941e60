"""Data in files: text coded chunk by chunk, Parquet and Excel through pandas."""

import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pathprior.data.coding import check_kinds, code_series, require_column
from pathprior.data.column import assemble, check_names
from pathprior.data.dataset import Dataset
from pathprior.data.growing import GrowingColumn, GrowingNumbers, are_real
from pathprior.data.kinds import Kinds
from pathprior.errors import DataError
from pathprior.files import reason

if TYPE_CHECKING:
    import pandas as pd

# Texts that mean "not observed" in a CSV file. Unlike pandas' own list without "None", which
# published networks use as a state.
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "<NA>")

# What may stand between columns: the first that splits the header. A .txt file may have blanks.
SEPARATORS = (",", ";", "\t")
BLANKS = r"\s+"

TEXT = (".csv", ".tsv", ".txt")
EXCEL: dict[str, Literal["openpyxl", "xlrd"]] = {
    ".xlsx": "openpyxl",
    ".xlsm": "openpyxl",
    ".xls": "xlrd",
}

# Cells parsed at a time; the texts of one chunk are the only ones ever held.
CHUNK_CELLS = 2_000_000

# Rows by which a column is taken for numbers; a text further down means to begin again.
FIRST_ROWS = 1000


def column_names(path: str | Path) -> tuple[str, ...]:
    """Return the column names of a data file; reads no data, but of Excel files."""
    path = Path(path)
    if is_text(path):
        return check_names(_read_header(path)[0])
    if _format(path) != ".parquet":
        return check_names(list(read_whole(path).columns))
    with _reading(path):
        from pyarrow.parquet import read_schema

        # Through pandas, so that an index stored in the file is no column.
        names = list(read_schema(path).empty_table().to_pandas().columns)
    return check_names(names)


def is_text(path: Path) -> bool:
    """Whether a file is coded as text, by the end of its name; an error if that says nothing."""
    return _format(path) in TEXT


def is_excel(path: Path) -> bool:
    """Whether a file is a spreadsheet, by the end of its name."""
    return _format(path) in EXCEL


def read_whole(path: Path) -> "pd.DataFrame":
    """Read a data file into a frame; a text file too, its columns typed as pandas does."""
    import pandas as pd

    with _reading(path):
        frame: pd.DataFrame
        if _format(path) == ".parquet":
            frame = pd.read_parquet(path)
        elif is_excel(path):
            frame = pd.read_excel(path, **excel_options(path))
        else:
            frame = pd.read_csv(path, **text_options(path))
    return frame


def excel_options(path: Path) -> dict[str, Any]:
    """Return the options with which ``pandas.read_excel`` reads a file as we do."""
    engine = EXCEL[_format(path)]
    return {"engine": engine, "keep_default_na": False, "na_values": list(MISSING)}


def text_options(path: Path) -> dict[str, Any]:
    """Return the options with which ``pandas.read_csv`` reads a text file as we do."""
    return {
        "sep": _read_header(path)[1],
        "index_col": False,
        "keep_default_na": False,
        "na_values": list(MISSING),
        "low_memory": False,
    }


def is_parquet(path: Path) -> bool:
    """Whether a file has columns of its own, by the end of its name."""
    return _format(path) == ".parquet"


def code_parquet(path: Path, kinds: Kinds, *, may_miss: bool) -> Dataset:
    """Code a Parquet file column by column: in the memory of the result and of a few columns."""
    names = column_names(path)
    check_kinds(kinds, names)
    with _reading(path):
        from pyarrow.parquet import ParquetFile

        with ParquetFile(path) as file:
            num_rows = file.metadata.num_rows
            columns = [
                code_series(name, file.read(columns=[name]).to_pandas()[name], kinds.get(name))
                for name in names
            ]
    return assemble(columns, num_rows, may_miss=may_miss)


def text_column(path: Path, name: str) -> "pd.Series[Any]":
    """Return one column of a text file, as texts."""
    import pandas as pd

    header, separator = _read_header(path)
    place = require_column(name, check_names(header))
    with _reading(path):
        frame = pd.read_csv(
            path,
            sep=separator,
            header=0,
            names=header,
            index_col=False,
            usecols=[place],
            dtype=str,
            keep_default_na=False,
            na_values=list(MISSING),
        )
    return frame.iloc[:, 0]


def code_text(path: Path, kinds: Kinds, *, may_miss: bool, left_out: str | None = None) -> Dataset:
    """Code a text file in the memory of one chunk and, twice, of its codes (1 or 2 bytes a cell).

    Real numbers take 8 bytes a cell, and one column of them twice. Columns are separated by commas,
    or by semicolons or tabs if the header has no comma; in a ``.txt`` file by blanks if it has none
    of them. The column ``left_out`` is none of the data's.
    """
    header, separator = _read_header(path)
    names = check_names(header)
    wanted = tuple(name for name in names if name != left_out)
    check_kinds(kinds, wanted)
    with _reading(path):
        numeric = _numeric_columns(path, separator, names, wanted, kinds)
        try:
            columns, num_rows = _grow(path, separator, names, wanted, kinds, numeric)
            late = frozenset(column.name for column in columns if column.needs_numbers)
            if late:
                columns, num_rows = _grow(path, separator, names, wanted, kinds, numeric | late)
        except ValueError:  # maybe a text after many numbers
            columns, num_rows = _grow(path, separator, names, wanted, kinds, frozenset())
    return assemble([column.finish() for column in columns], num_rows, may_miss=may_miss)


def _grow(
    path: Path,
    separator: str,
    names: tuple[str, ...],
    wanted: tuple[str, ...],
    kinds: Kinds,
    numeric: frozenset[str],
) -> tuple[list[GrowingColumn | GrowingNumbers], int]:
    """Read a file chunk by chunk; the ``numeric`` columns are parsed as numbers at once."""
    columns: list[GrowingColumn | GrowingNumbers] = [
        GrowingNumbers(name) if name in numeric else GrowingColumn(name, kinds.get(name))
        for name in wanted
    ]
    num_rows = 0
    size = max(1, CHUNK_CELLS // len(names))
    for chunk in _chunks(path, separator, names, size, numeric):
        num_rows += len(chunk)
        for column in columns:
            column.append(chunk[column.name])
    return columns, num_rows


def _numeric_columns(
    path: Path, separator: str, names: tuple[str, ...], wanted: tuple[str, ...], kinds: Kinds
) -> frozenset[str]:
    """The columns that are real by the first rows, or declared so."""
    for first in _chunks(path, separator, names, FIRST_ROWS):
        return frozenset(name for name in wanted if are_real(first[name].dropna(), kinds.get(name)))
    return frozenset()


def _chunks(
    path: Path,
    separator: str,
    names: tuple[str, ...],
    size: int,
    numeric: frozenset[str] = frozenset(),
) -> "Iterator[pd.DataFrame]":
    """The rows of a file, so many at a time, as texts but for the ``numeric`` columns."""
    import pandas as pd

    # whether a column is numeric shows when all of it is known
    types = {name: np.float64 if name in numeric else str for name in names}
    with pd.read_csv(
        path,
        sep=separator,
        header=0,
        names=list(names),
        index_col=False,
        dtype=types,
        keep_default_na=False,
        na_values=list(MISSING),
        chunksize=size,
    ) as chunks:
        yield from chunks


def _format(path: Path) -> str:
    """The end of a file's name that says its format, without .gz."""
    name = path.name.lower()
    for suffix in (*TEXT, *EXCEL, ".parquet"):
        if name.endswith(suffix) or (suffix in TEXT and name.endswith(suffix + ".gz")):
            return suffix
    raise DataError(
        f"cannot tell the format of {path}: expected .csv, .tsv or .txt (also .gz), .parquet, "
        ".xlsx or .xls"
    )


def _read_header(path: Path) -> tuple[list[str], str]:
    """The column names of a text file and what separates them."""
    import pandas as pd

    names: list[str] = []
    separators = (*SEPARATORS, BLANKS) if _format(path) == ".txt" else SEPARATORS
    separator = separators[0]
    with _reading(path):
        for separator in separators:
            header = pd.read_csv(
                path, sep=separator, header=None, nrows=1, dtype=str, keep_default_na=False
            )
            names = [name.strip() for name in header.iloc[0]]  # as in belief files
            if len(names) > 1 or not any(re.search(other, names[0]) for other in separators):
                break
        if any("\0" in name for name in names):
            raise DataError(f"{path} is not UTF-8 text (a NUL in its header); save it as UTF-8")
    return names, separator


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn what pandas raises or warns about a file into a `DataError` that names the file."""
    import pandas as pd

    try:
        if path.is_dir():
            raise IsADirectoryError("it is a folder")
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            yield
    except DataError:
        raise
    except ImportError as error:
        if package := EXCEL.get(path.suffix.lower()):
            raise DataError(f"reading {path} needs {package}: pip install {package}") from error
        raise DataError(
            f"reading {path} needs pyarrow: pip install 'pathprior[parquet]'"
        ) from error
    except pd.errors.EmptyDataError as error:
        raise DataError(f"{path} is empty") from error
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is not UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8"
        ) from error
    except (
        OSError,
        EOFError,
        ValueError,
        zlib.error,
        zipfile.BadZipFile,
        pd.errors.ParserWarning,
    ) as error:
        raise DataError(f"cannot read {path}: {reason(error, path)}") from error
