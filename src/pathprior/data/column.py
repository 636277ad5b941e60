"""One column on its way to a `DataTable`: its states in order, its codes, what is wrong with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.table import DataTable
from pathprior.errors import DataError
from pathprior.files import unwritable

if TYPE_CHECKING:
    import pandas as pd

# A numeric column with more distinct values than this, or with any fraction, looks continuous.
MAX_NUMERIC_STATES = 64

# Below it a float is a whole number and no other; infinity is above.
MAX_WHOLE = 2.0**53

# What two bytes can code.
MAX_STATES = 2**16


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """``codes`` index ``states``, except where a value is missing; those rows count apart."""

    name: str
    states: tuple[str, ...]
    codes: NDArray[np.unsignedinteger]
    num_missing: int


@dataclass(frozen=True, slots=True)
class Arrangement:
    """States in their final order; value k of the unordered values has the code ``codes[k]``."""

    states: tuple[str, ...]
    codes: NDArray[np.uint16]


def code_type(num_states: int) -> "np.dtype[Any]":
    """Return the smallest type that holds the codes of ``num_states`` states."""
    return np.dtype(np.uint8 if num_states <= 2**8 else np.uint16)


def arrange(name: str, values: "pd.Index[Any]") -> Arrangement:
    """Put distinct values in order: numbers by size, everything else by label.

    Numbers that are whole are labelled as integers, so 1, 1.0 and "1.0" in a file are one state.
    """
    from pandas.api.types import is_bool_dtype, is_complex_dtype, is_numeric_dtype

    if values.dtype.kind in "mM" or is_complex_dtype(values.dtype):
        raise _looks_continuous(name, f"holds values of type {values.dtype}")
    if is_numeric_dtype(values.dtype) and not is_bool_dtype(values.dtype):
        numbers = values.to_numpy()
        if numbers.dtype.kind == "f":
            is_whole = (numbers == np.floor(numbers)) & (np.abs(numbers) < MAX_WHOLE)
            if not is_whole.all():
                raise _looks_continuous(name, f"has values such as {numbers[~is_whole][0]}")
        if len(numbers) > MAX_NUMERIC_STATES:
            raise _looks_continuous(name, f"has more than {MAX_NUMERIC_STATES} different numbers")
        # Equal numbers can come from different texts ("1", "1.0"): one state.
        distinct, codes = np.unique(numbers, return_inverse=True)
        return Arrangement(tuple(str(int(number)) for number in distinct), codes.astype(np.uint16))
    labels = [str(value) for value in values]
    check_states(name, labels)
    rank = np.empty(len(labels), dtype=np.uint16)
    order = sorted(range(len(labels)), key=labels.__getitem__)
    rank[order] = np.arange(len(labels))
    return Arrangement(tuple(labels[k] for k in order), rank)


def check_states(name: str, labels: Sequence[str]) -> None:
    """Raise unless the labels differ and can be coded."""
    check_num_states(name, len(labels))
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            raise DataError(
                f"column {name!r} has different values that all read {label!r} "
                f"(a number and a text?): convert the column to one type"
            )
        seen.add(label)
        check_text(name, label)


def check_text(name: str, label: str) -> None:
    """Raise unless a file can keep the label."""
    if flaw := unwritable(label):
        raise DataError(
            f"the value {label!r} of column {name!r} holds {flaw}, which files do not keep: "
            f"replace it"
        )


def check_num_states(name: str, num_states: int) -> None:
    """Raise unless so many states can be coded."""
    if num_states > MAX_STATES:
        raise DataError(
            f"column {name!r} has more than {MAX_STATES} different values: an identifier or a "
            f"measurement, not a state; drop it, or bin it with pandas.cut"
        )


def assemble(columns: Sequence[CodedColumn], num_rows: int) -> DataTable:
    """Check the columns together and make the table."""
    if num_rows == 0:
        raise DataError("the data have no rows")
    missing = [f"{c.name!r} ({c.num_missing})" for c in columns if c.num_missing]
    if missing:
        more = f" and {len(missing) - 10} more" if len(missing) > 10 else ""
        raise DataError(
            f"missing values in {len(missing)} of {len(columns)} columns: "
            f"{', '.join(missing[:10])}{more}; drop those rows or fill them in first"
        )
    for column in columns:
        if len(column.states) > num_rows:
            raise DataError(
                f"column {column.name!r} has {len(column.states)} states, the data only "
                f"{num_rows} rows: merge states or drop the unused categories"
            )
    dtype = code_type(max(len(column.states) for column in columns))
    codes = np.empty((len(columns), num_rows), dtype=dtype)
    for v, column in enumerate(columns):
        codes[v] = column.codes
    return DataTable(tuple(c.name for c in columns), codes, tuple(c.states for c in columns))


def check_names(names: Sequence[object]) -> tuple[str, ...]:
    """Return the column names as distinct, non-empty strings or say which one is not."""
    if not names:
        raise DataError("the data have no columns")
    texts: dict[str, object] = {}
    for position, name in enumerate(names):
        is_nan = isinstance(name, float) and name != name
        text = "" if name is None or is_nan else str(name)
        if not text:
            raise DataError(
                f"column {position + 1} has no name: name it, or drop it if it is a row index "
                f"(pandas writes none with to_csv(index=False))"
            )
        if text in texts:
            other = texts[text]
            same = "twice" if other == name else f"as {other!r} and {name!r}"
            raise DataError(f"the column name {text!r} occurs {same}: rename one of the columns")
        if flaw := unwritable(text):
            raise DataError(
                f"the column name {text!r} holds {flaw}, which files do not keep: rename the column"
            )
        texts[text] = name
    return tuple(texts)


def _looks_continuous(name: str, why: str) -> DataError:
    return DataError(
        f"column {name!r} looks continuous: it {why}. Bin it, for example with "
        f"pandas.cut(column, 3), or make it a pandas categorical if its values are states"
    )
