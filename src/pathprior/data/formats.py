"""File formats by the ends of their names, and what goes wrong in reading any of them."""

import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TypeVar

from pathprior.data.stream import FileState
from pathprior.errors import DataError
from pathprior.files import reason

Part = TypeVar("Part")

TEXT = (".csv", ".tsv", ".txt")
EXCEL: dict[str, Literal["openpyxl", "xlrd"]] = {
    ".xlsx": "openpyxl",
    ".xlsm": "openpyxl",
    ".xls": "xlrd",
}

PARQUET = "Parquet file"
"""What errors call one."""


def format_of(path: Path) -> str:
    """The end of a file's name that says its format, without .gz."""
    name = path.name.lower()
    for suffix in (*TEXT, *EXCEL, ".parquet"):
        if name.endswith(suffix) or (suffix in TEXT and name.endswith(suffix + ".gz")):
            return suffix
    raise DataError(
        f"cannot tell the format of {path}: expected .csv, .tsv or .txt (also .gz), .parquet, "
        ".xlsx or .xls"
    )


def is_text(path: Path) -> bool:
    """Whether a file is coded as text, by the end of its name; an error if that says nothing."""
    return format_of(path) in TEXT


def is_excel(path: Path) -> bool:
    """Whether a file is a spreadsheet, by the end of its name."""
    return format_of(path) in EXCEL


def is_parquet(path: Path) -> bool:
    """Whether a file has columns of its own, by the end of its name."""
    return format_of(path) == ".parquet"


@contextmanager
def reading(path: Path) -> Iterator[None]:
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
    except pd.errors.ParserWarning as error:  # pandas would drop the cells that have no column
        raise DataError(
            f"cannot read {path}: rows have more cells than the first line, which must hold the "
            "names of the columns"
        ) from error
    except (OSError, EOFError, ValueError, zlib.error, zipfile.BadZipFile) as error:
        raise DataError(f"cannot read {path}: {reason(error, path)}") from error


@contextmanager
def decoding(path: Path, what: str) -> Iterator[None]:
    """Turn whatever a library comes upon in a damaged file that it decodes into a `DataError`.

    Readers of spreadsheets, and of what pandas notes in Parquet files, raise what their own slips
    come to; so nothing but theirs may run within.
    """
    try:
        yield
    except (ImportError, MemoryError, OSError):
        raise
    except Exception as error:
        said = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
        said = said.partition("\n")[0] or type(error).__name__
        raise DataError(
            f"cannot read {path}: not a whole {what} ({said}); save it again, or as .csv"
        ) from error


def read_again(state: FileState, parts: Iterator[Part]) -> Iterator[Part]:
    """Go on through a file that was read before, with our own errors."""
    with reading(state.path):
        state.require_same()
    while True:
        with reading(state.path):
            try:
                part = next(parts)
            except StopIteration:
                return
        yield part
