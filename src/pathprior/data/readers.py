"""Data in files: CSV coded chunk by chunk, Parquet through pandas."""

import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.column import (
    CodedColumn,
    arrange,
    assemble,
    check_names,
    check_num_states,
    code_type,
)
from pathprior.data.table import DataTable
from pathprior.errors import DataError
from pathprior.files import reason

if TYPE_CHECKING:
    import pandas as pd

# Texts that mean "not observed" in a CSV file. Unlike pandas' own list without "None", which
# published networks use as a state.
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "<NA>")

# What may stand between columns; the first that splits the header.
SEPARATORS = (",", ";", "\t")

# Cells parsed at a time; the texts of one chunk are the only ones ever held.
CHUNK_CELLS = 2_000_000


def column_names(path: str | Path) -> tuple[str, ...]:
    """Return the column names of a ``.csv``, ``.csv.gz`` or ``.parquet`` file; reads no data."""
    path = Path(path)
    if path.suffix != ".parquet":
        return _read_header(path)[0]
    with _reading(path):
        from pyarrow.parquet import read_schema

        # Through pandas, so that an index stored in the file is no column.
        names = list(read_schema(path).empty_table().to_pandas().columns)
    return check_names(names)


def read_parquet(path: Path) -> "pd.DataFrame":
    """Read a Parquet file."""
    import pandas as pd

    with _reading(path):
        return pd.read_parquet(path)


def code_csv(path: Path) -> DataTable:
    """Code a CSV file in the memory of one chunk and, twice, of its codes (1 or 2 bytes a cell).

    Columns are separated by commas, or by semicolons or tabs if the header has no comma.
    """
    import pandas as pd

    names, separator = _read_header(path)
    columns = [_GrowingColumn(name) for name in names]
    num_rows = 0
    with _reading(path):
        chunks = pd.read_csv(
            path,
            sep=separator,
            header=0,
            names=list(names),
            index_col=False,
            dtype=str,  # whether a column is numeric shows when all of it is known
            keep_default_na=False,
            na_values=list(MISSING),
            chunksize=max(1, CHUNK_CELLS // len(names)),
        )
        for chunk in chunks:
            num_rows += len(chunk)
            for column in columns:
                column.append(chunk[column.name])
    return assemble([column.finish() for column in columns], num_rows)


class _GrowingColumn:
    """Codes of the chunks so far, in order of first appearance of their texts."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.code_of: dict[str, int] = {}
        self.chunks: list[NDArray[np.unsignedinteger]] = []
        self.num_missing = 0

    def append(self, texts: "pd.Series[Any]") -> None:
        """Code one chunk."""
        import pandas as pd

        raw, values = pd.factorize(texts)
        codes = [self.code_of.setdefault(text, len(self.code_of)) for text in values]
        check_num_states(self.name, len(self.code_of))
        self.num_missing += int((raw < 0).sum())
        # The last entry stands for the index −1 of missing values.
        table = np.array([*codes, 0], dtype=code_type(len(self.code_of)))
        self.chunks.append(table[raw])

    def finish(self) -> CodedColumn:
        """Recode everything to the final order of the states."""
        import pandas as pd

        values: pd.Index[Any] = pd.Index(list(self.code_of), dtype=object)
        with suppress(ValueError):
            values = pd.Index(pd.to_numeric(values.to_numpy()))
        arrangement = arrange(self.name, values)
        table = np.append(arrangement.codes, np.uint16(0)).astype(code_type(len(values)))
        codes = np.concatenate([np.empty(0, table.dtype), *(table[c] for c in self.chunks)])
        self.chunks.clear()  # column by column, so that the codes are never held three times
        return CodedColumn(self.name, arrangement.states, codes, self.num_missing)


def _read_header(path: Path) -> tuple[tuple[str, ...], str]:
    """The column names of a CSV file and what separates them."""
    import pandas as pd

    names: list[str] = []
    separator = SEPARATORS[0]
    with _reading(path):
        if not path.name.endswith((".csv", ".csv.gz")):
            raise DataError(f"cannot tell the format of {path}: expected .csv, .csv.gz or .parquet")
        for separator in SEPARATORS:
            header = pd.read_csv(
                path, sep=separator, header=None, nrows=1, dtype=str, keep_default_na=False
            )
            names = [name.strip() for name in header.iloc[0]]  # as in belief files
            if len(names) > 1 or not any(other in names[0] for other in SEPARATORS):
                break
        if any("\0" in name for name in names):
            raise DataError(f"{path} is not UTF-8 text (a NUL in its header); save it as UTF-8")
    return check_names(names), separator


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
        raise DataError(
            f"reading {path} needs pyarrow: pip install 'pathprior[parquet]'"
        ) from error
    except pd.errors.EmptyDataError as error:
        raise DataError(f"{path} is empty") from error
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is not UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8"
        ) from error
    except (OSError, EOFError, ValueError, zlib.error, pd.errors.ParserWarning) as error:
        raise DataError(f"cannot read {path}: {reason(error, path)}") from error
