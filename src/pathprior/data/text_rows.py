"""A text file: its header, what separates its columns, and its rows."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pathprior.data.formats import format_of, reading
from pathprior.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

# Texts that mean "not observed" in a CSV file. Unlike pandas' own list without "None", which
# published networks use as a state.
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "<NA>")

# What may stand between columns: the first that splits the header. A .txt file may have blanks.
SEPARATORS = (",", ";", "\t")
BLANKS = r"\s+"

# What a first line may have at most: names are fewer, and nothing could be learned of more.
LONGEST_LINE = 10_000_000
MOST_COLUMNS = 100_000


def read_chunks(
    path: Path,
    separator: str,
    names: tuple[str, ...],
    size: int,
    numeric: frozenset[str] = frozenset(),
    wanted: frozenset[str] | None = None,
) -> "Iterator[pd.DataFrame]":
    """The rows of a file, so many at a time, as texts but for the ``numeric`` columns."""
    import pandas as pd

    # whether a column is numeric shows when all of it is known
    # object: texts as Python has them are quicker to make than those of pandas
    types = {name: np.float64 if name in numeric else object for name in names}
    # with a list of all columns, pandas would not mind rows that are too long
    places = [k for k, name in enumerate(names) if wanted and name in wanted] or None
    with pd.read_csv(
        path,
        sep=separator,
        header=0,
        names=list(names),
        index_col=False,
        usecols=places,
        dtype=types,
        keep_default_na=False,
        na_values=list(MISSING),
        chunksize=size,
    ) as chunks:
        yield from chunks


def _require_first_line(path: Path) -> None:
    """Raise at once where the first line is no line of names: parsing it could take minutes."""
    import gzip

    with gzip.open(path) if path.name.lower().endswith(".gz") else path.open("rb") as file:
        line = file.readline(LONGEST_LINE + 1)
    line = line.split(b"\r", 1)[0]
    num_columns = 1 + max(line.count(separator.encode()) for separator in SEPARATORS)
    if len(line) <= LONGEST_LINE and num_columns <= MOST_COLUMNS:
        return
    what = f"more than {MOST_COLUMNS:,} columns"
    if num_columns <= MOST_COLUMNS:
        what = f"more than {LONGEST_LINE // 10**6} million bytes"
    raise DataError(
        f"the first line of {path} has {what}: it must hold the names of the columns, and each row "
        "stand on a line of its own"
    )


def read_header(path: Path) -> tuple[list[str], str]:
    """The column names of a text file and what separates them."""
    import pandas as pd

    names: list[str] = []
    separators = (*SEPARATORS, BLANKS) if format_of(path) == ".txt" else SEPARATORS
    separator = separators[0]
    with reading(path):
        _require_first_line(path)
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
