"""One column on its way to a `Dataset`: its states in order, its codes, what is wrong with it."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isinf, isnan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.flaws import MAX_LISTED, Flaw, refusal
from pathprior.data.gaps import missing_flaw, no_value_flaw
from pathprior.data.kinds import Look
from pathprior.data.merged import Coded, MergedTable, Times
from pathprior.data.row_sums import RowSums
from pathprior.data.stream import Reals, RealStream, Source
from pathprior.data.table import DataTable, RealTable
from pathprior.errors import DataError, PathPriorWarning
from pathprior.files import unwritable

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """``codes`` index ``states``, except in the rows of ``gaps``, where a value is missing.

    A column with flaws has no states. ``is_crowded`` says that it has few rows per state.
    """

    name: str
    states: tuple[str, ...]
    codes: NDArray[np.unsignedinteger]
    gaps: NDArray[np.int64]
    flaws: tuple[Flaw, ...] = ()
    is_crowded: bool = False

    @property
    def num_missing(self) -> int:
        """Number of rows without a value."""
        return len(self.gaps)


@dataclass(frozen=True, slots=True)
class RealColumn:
    """Numbers, in one piece or several; those that are missing are NaN.

    Where they are too many to hold there are no pieces, but the smallest and the largest number.
    """

    name: str
    pieces: list[NDArray[np.floating]]
    num_missing: int
    span: tuple[float, float]
    flaws: tuple[Flaw, ...] = ()


Column = CodedColumn | RealColumn


@dataclass(frozen=True, slots=True)
class Arrangement:
    """States in their final order; value k of the unordered values has the code ``codes[k]``."""

    states: tuple[str, ...]
    codes: NDArray[np.uint16]


def code_type(num_states: int) -> "np.dtype[Any]":
    """Return the smallest type that holds the codes of ``num_states`` states."""
    return np.dtype(np.uint8 if num_states <= 2**8 else np.uint16)


def flawed(name: str, look: Look, gaps: NDArray[np.int64]) -> CodedColumn:
    """Return a column that only says what is wrong with it."""
    flaw = Flaw(name, look.problem, look.remedy)
    return CodedColumn(name, (), np.empty(0, np.uint8), gaps, (flaw,))


class Numbers:
    """What was seen of a column of numbers, piece by piece."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.num_rows = 0
        self.num_missing = 0
        self.num_infinite = 0
        self.lowest, self.highest = np.inf, -np.inf

    def see(self, piece: NDArray[np.floating]) -> None:
        """Look at some more; NaN is missing."""
        self.num_rows += len(piece)
        low, high = float(piece.min(initial=np.inf)), float(piece.max(initial=-np.inf))
        if isnan(low):
            self.num_missing += int(np.isnan(piece).sum())
            low = float(np.fmin.reduce(piece, initial=np.inf))
            high = float(np.fmax.reduce(piece, initial=-np.inf))
        if isinf(low) or isinf(high):
            self.num_infinite += int(np.isinf(piece).sum())
        self.lowest, self.highest = min(self.lowest, low), max(self.highest, high)

    def column(self, pieces: list[NDArray[np.floating]]) -> RealColumn:
        """Return the column, of which these pieces are held; infinite numbers are a flaw."""
        span = (self.lowest, self.highest)
        if not self.num_infinite:
            return RealColumn(self.name, pieces, self.num_missing, span)
        problem = f"holds infinite numbers in {self.num_infinite} of {self.num_rows} rows"
        flaw = Flaw(self.name, problem, "drop those rows")
        return RealColumn(self.name, [], self.num_missing, span, (flaw,))


def real_column(name: str, numbers: NDArray[np.floating]) -> RealColumn:
    """Return a column of numbers; NaN is missing."""
    seen = Numbers(name)
    seen.see(numbers)
    return seen.column([numbers])


def no_numbers(name: str, example: object, gaps: NDArray[np.int64]) -> CodedColumn:
    """Return a column that was declared real and is not."""
    flaw = Flaw(
        name,
        f"is declared real and holds other values, such as {example!r}",
        "make them numbers, or do not declare it",
    )
    return CodedColumn(name, (), np.empty(0, np.uint8), gaps, (flaw,))


def arrange(values: "pd.Index[Any]") -> Arrangement:
    """Put distinct values in order: numbers by size, everything else by label.

    Numbers that are whole are labelled as integers, so 1, 1.0 and "1.0" in a file are one state.
    """
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    if is_numeric_dtype(values.dtype) and not is_bool_dtype(values.dtype):
        # Equal numbers can come from different texts ("1", "1.0"): one state.
        distinct, codes = np.unique(values.to_numpy(), return_inverse=True)
        labels = [str(int(x)) if float(x).is_integer() else str(x) for x in distinct.tolist()]
        return Arrangement(tuple(labels), codes.astype(np.uint16))
    labels = [str(value) for value in values]
    rank = np.empty(len(labels), dtype=np.uint16)
    order = sorted(range(len(labels)), key=labels.__getitem__)
    rank[order] = np.arange(len(labels))
    return Arrangement(tuple(labels[k] for k in order), rank)


def assemble(
    columns: Sequence[Column],
    num_rows: int,
    source: Source | None = None,
    sums: RowSums | None = None,
    *,
    times: Times | None = None,
    may_miss: bool,
) -> Dataset:
    """Check the columns together and make the data set.

    Given a source, numbers stay there, and ``sums`` are those of the real ones; ``times`` say how
    often each row occurs, where equal ones were merged; ``may_miss`` lets gaps through.
    """
    if num_rows == 0:
        raise DataError("the data have no rows")
    flaws = [flaw for column in columns for flaw in _flaws(column, num_rows, may_miss=may_miss)]
    if flaws:
        raise refusal(flaws, len(columns))
    coded = [column for column in columns if isinstance(column, CodedColumn)]
    real = [column for column in columns if isinstance(column, RealColumn)]
    _warn_of_crowded(coded, num_rows)
    names = tuple(column.name for column in columns)
    reals = _reals(real, num_rows, source, sums)
    if isinstance(reals, RealStream) and any(column.num_missing for column in columns):
        reals = reals.held()  # some rows are looked at without the others
    observed = _observed(columns, reals)
    return Dataset(names, _code_table(coded, num_rows, times), reals, observed=observed)


def _observed(columns: Sequence[Column], reals: Reals) -> NDArray[np.bool_] | None:
    """Which cells have a value; None if all have."""
    if not any(column.num_missing for column in columns):
        return None
    observed = np.ones((len(columns), reals.num_rows), dtype=bool)
    values_of = dict(zip(reals.variables, reals.values, strict=True))
    for v, column in enumerate(columns):
        if isinstance(column, CodedColumn):
            observed[v, column.gaps] = False
        elif column.num_missing:
            observed[v] = ~np.isnan(values_of[column.name])
    return observed


def _code_table(columns: Sequence[CodedColumn], num_rows: int, times: Times | None) -> Coded:
    dtype = code_type(max((len(column.states) for column in columns), default=0))
    codes = np.empty((len(columns), num_rows if times is None else len(times)), dtype=dtype)
    for v, column in enumerate(columns):
        codes[v] = column.codes
    names, states = (tuple(column.name for column in columns), tuple(c.states for c in columns))
    if times is None:
        return DataTable(names, codes, states)
    return MergedTable(names, codes, times, states)


def _reals(
    columns: Sequence[RealColumn], num_rows: int, source: Source | None, sums: RowSums | None
) -> Reals:
    names = tuple(column.name for column in columns)
    if source is not None and names:
        lowest, highest = np.array([column.span for column in columns]).T
        return RealStream(names, num_rows, lowest, highest, source, sums)
    values = np.empty((len(columns), num_rows))
    for v, column in enumerate(columns):
        np.concatenate(column.pieces, out=values[v])
        column.pieces.clear()  # column by column, so that the numbers are never all held twice
    return RealTable(names, values)


def _flaws(column: Column, num_rows: int, *, may_miss: bool) -> Iterator[Flaw]:
    """All that is wrong with a column of a table with so many rows."""
    yield from column.flaws
    name, num_missing = column.name, column.num_missing
    if num_missing == num_rows:
        yield no_value_flaw(name)
    elif num_missing and not may_miss:
        yield missing_flaw(name, num_missing, num_rows)
    num_states = 0 if isinstance(column, RealColumn) else len(column.states)
    if num_states > num_rows:
        yield Flaw(
            name,
            f"has {num_states} states, the data only {num_rows} rows",
            "merge states or drop the unused categories",
        )


def _warn_of_crowded(columns: Sequence[CodedColumn], num_rows: int) -> None:
    crowded = [f"{c.name!r} ({len(c.states)})" for c in columns if c.is_crowded]
    if crowded:
        warnings.warn(
            f"columns with many states for {num_rows} rows, so that what depends on them hardly "
            f"shows: {', '.join(crowded)}; bin them or merge states, pp.prepare proposes how",
            PathPriorWarning,
            stacklevel=6,  # assemble, the reader of the frame or file, the door twice, its caller
        )


def check_names(names: Sequence[object]) -> tuple[str, ...]:
    """Return the column names as distinct, non-empty strings or say which ones are not."""
    if not names:
        raise DataError("the data have no columns")
    texts: dict[str, object] = {}
    errors: list[DataError] = []
    for position, name in enumerate(names):
        is_nan = isinstance(name, float) and name != name
        text = "" if name is None or is_nan else str(name)
        if not text:
            error = DataError(
                f"column {position + 1} has no name: name it, or drop it if it is a row index "
                f"(pandas writes none with to_csv(index=False))"
            )
            errors.append(error)
        elif text in texts:
            other = texts[text]
            same = "twice" if other == name else f"as {other!r} and {name!r}"
            error = DataError(f"the column name {text!r} occurs {same}: rename one of the columns")
            errors.append(error)
        elif flaw := unwritable(text):
            error = DataError(
                f"the column name {text!r} holds {flaw}, which files do not keep: rename the column"
            )
            errors.append(error)
        texts.setdefault(text, name)
    if errors:
        raise DataError("\n".join(map(str, errors[:MAX_LISTED])))
    return tuple(texts)
