"""Data in files: text coded chunk by chunk, Excel through pandas."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.coding import check_kinds, kept_columns, require_column
from pathprior.data.column import assemble, check_names
from pathprior.data.dataset import Dataset
from pathprior.data.formats import (
    EXCEL,
    PARQUET,
    decoding,
    format_of,
    is_excel,
    is_text,
    read_again,
    reading,
)
from pathprior.data.growing import GrowingColumn, GrowingNumbers, are_real
from pathprior.data.growing_rows import GrowingRows
from pathprior.data.kinds import Kinds
from pathprior.data.row_sources import names_in
from pathprior.data.stream import HELD_CELLS, FileState
from pathprior.data.text_rows import MISSING, read_chunks, read_header

if TYPE_CHECKING:
    import pandas as pd

# Cells parsed at a time; the texts of one chunk are the only ones ever held.
CHUNK_CELLS = 2_000_000

# Rows by which a column is taken for numbers; a text further down means to begin again.
FIRST_ROWS = 1000


def column_names(path: str | Path) -> tuple[str, ...]:
    """Return the column names of a data file; reads no data, but of Excel files."""
    path = Path(path)
    if is_text(path):
        return check_names(read_header(path)[0])
    if format_of(path) != ".parquet":
        return check_names(list(read_whole(path).columns))
    with reading(path):
        from pyarrow.parquet import read_schema

        with decoding(path, PARQUET):
            names = names_in(read_schema(path))
    return check_names(names)


def read_whole(path: Path) -> "pd.DataFrame":
    """Read a data file into a frame; a text file too, its columns typed as pandas does."""
    import pandas as pd

    with reading(path):
        frame: pd.DataFrame
        if format_of(path) == ".parquet":
            with decoding(path, PARQUET):
                frame = pd.read_parquet(path)
        elif is_excel(path):
            with decoding(path, "spreadsheet"):
                frame = pd.read_excel(path, **excel_options(path))
        else:
            frame = pd.read_csv(path, **text_options(path))
    return frame


def excel_options(path: Path) -> dict[str, Any]:
    """Return the options with which ``pandas.read_excel`` reads a file as we do."""
    engine = EXCEL[format_of(path)]
    return {"engine": engine, "keep_default_na": False, "na_values": list(MISSING)}


def text_options(path: Path) -> dict[str, Any]:
    """Return the options with which ``pandas.read_csv`` reads a text file as we do."""
    return {
        "sep": read_header(path)[1],
        "index_col": False,
        "keep_default_na": False,
        "na_values": list(MISSING),
        "low_memory": False,
    }


def text_column(path: Path, name: str) -> "pd.Series[Any]":
    """Return one column of a text file, as texts."""
    import pandas as pd

    header, separator = read_header(path)
    place = require_column(name, check_names(header))
    with reading(path):
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


def code_text(
    path: Path,
    kinds: Kinds,
    *,
    columns: Sequence[str] | None = None,
    may_miss: bool,
    may_merge: bool,
    left_out: str | None = None,
) -> Dataset:
    """Code a text file in the memory of one chunk and, twice, of its codes (1 or 2 bytes a cell).

    Real numbers are held unless they are very many, which stay in the file; equal rows of very many
    states are held once if they may be merged. Columns are separated by commas, or by semicolons or
    tabs if the header has no comma; in a ``.txt`` file by blanks if it has none of them. The column
    ``left_out`` is none of the data's.
    """
    header, separator = read_header(path)
    names = check_names(header)
    wanted = kept_columns([name for name in names if name != left_out], columns)
    check_kinds(kinds, wanted)
    with reading(path):
        state = FileState.of(path)
        numeric = _numeric_columns(path, separator, names, wanted, kinds)
        text = _Text(path, separator, names, wanted, kinds, may_miss)
        try:
            grown = text.grow(numeric, may_merge=may_merge)
            late = frozenset(column.name for column in grown.columns if column.needs_numbers)
            if late or grown.needs_rows:
                numeric |= late
                grown = text.grow(numeric, may_merge=False)
        except ValueError:  # maybe a text after many numbers
            numeric = frozenset()
            grown = text.grow(numeric, may_merge=False)
    is_held = _are_held(grown.num_rows, numeric)
    source = None if is_held else TextSource(state, separator, names, numeric)
    if grown.rows is not None:
        finished, times = grown.rows.finish()
    else:
        finished, times = [column.finish(is_held=is_held) for column in grown.columns], None
    return assemble(finished, grown.num_rows, source, times=times, may_miss=may_miss)


def _are_held(num_rows: int, numeric: frozenset[str]) -> bool:
    return num_rows * len(numeric) <= HELD_CELLS


@dataclass(frozen=True, slots=True)
class _Grown:
    """The columns of a file, all read; ``rows`` if equal ones could be merged."""

    columns: "list[GrowingColumn | GrowingNumbers]"
    num_rows: int
    rows: GrowingRows | None

    @property
    def needs_rows(self) -> bool:
        """Whether rows were merged that must not be."""
        return self.rows is not None and self.rows.is_merged and self.rows.need_their_rows


@dataclass(frozen=True, slots=True)
class _Text:
    """A text file, and what is wanted of it."""

    path: Path
    separator: str
    names: tuple[str, ...]
    wanted: tuple[str, ...]
    kinds: Kinds
    may_miss: bool

    def grow(self, numeric: frozenset[str], *, may_merge: bool) -> _Grown:
        """Read it chunk by chunk; the ``numeric`` columns are parsed as numbers at once."""
        states = [
            GrowingColumn(name, self.kinds.get(name)) for name in self.wanted if name not in numeric
        ]
        of = {column.name: column for column in states}
        columns = [of.get(name) or GrowingNumbers(name) for name in self.wanted]
        rows = GrowingRows(states, may_miss=self.may_miss) if may_merge and not numeric else None
        num_rows = 0
        size = max(1, CHUNK_CELLS // len(self.names))
        for chunk in read_chunks(self.path, self.separator, self.names, size, numeric):
            num_rows += len(chunk)
            is_held = _are_held(num_rows, numeric)
            for column in columns:
                column.append(chunk[column.name], is_held=is_held)
            if rows is not None:
                rows.merge(num_rows)
        return _Grown(columns, num_rows, rows)


@dataclass(frozen=True, slots=True)
class TextSource:
    """The columns of a text file; the ``numeric`` ones are parsed as numbers at once."""

    state: FileState
    separator: str
    names: tuple[str, ...]
    numeric: frozenset[str]

    def blocks(self, names: Sequence[str]) -> Iterator[NDArray[np.float64]]:
        """See `Source.blocks`; all of the file is parsed."""
        import pandas as pd

        size = max(1, CHUNK_CELLS // len(names))
        chunks = read_chunks(
            self.state.path, self.separator, self.names, size, self.numeric, frozenset(names)
        )
        for chunk in read_again(self.state, chunks):
            yield np.array([pd.to_numeric(chunk[name]) for name in names], dtype=np.float64)


def _numeric_columns(
    path: Path, separator: str, names: tuple[str, ...], wanted: tuple[str, ...], kinds: Kinds
) -> frozenset[str]:
    """The columns that are real by the first rows, or declared so."""
    for first in read_chunks(path, separator, names, FIRST_ROWS):
        return frozenset(name for name in wanted if are_real(first[name].dropna(), kinds.get(name)))
    return frozenset()
