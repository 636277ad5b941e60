"""What a column holds, judged from its different values: states, numbers, or neither."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pathprior.files import unwritable

if TYPE_CHECKING:
    import pandas as pd

# Whole numbers with more distinct values than this are no states. Written as integers they may be
# anything, and the user must say; with a point they are measured, as all with fractions are.
MAX_NUMERIC_STATES = 64

# Below it a float is a whole number and no other; infinity is above.
MAX_WHOLE = 2.0**53

# What two bytes can code.
MAX_STATES = 2**16

# With fewer rows all values of a column may differ by chance; nothing is read into that.
FEWEST_ROWS = 20

# A column that has so many different values per row names the rows.
ID_SHARE = 0.9

# A correlation of 0.5 with a variable of three states was found by BDeu in none of 60 samples with
# fewer than 50 rows per state, in all with more than 100; up to ten states are taken for meant.
FEWEST_ROWS_PER_STATE = 50
MANY_STATES = 10

# As many dates as that, each on several rows, are waves of a study and may be states.
MAX_DATES = 12
FEWEST_ROWS_PER_DATE = 10

_DAY, _MONTH, _YEAR = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])", r"[12]\d{3}"
_DATE = re.compile(
    rf"(?:{_YEAR}([-/.]){_MONTH}\1{_DAY}|{_DAY}([-/.]){_DAY}\2{_YEAR}|{_DAY}/{_DAY}/\d\d"
    rf"|{_DAY}[- .]{{1,2}}[A-Za-z]{{3,9}}[- ,.]{{1,2}}(?:{_YEAR}|\d\d))"
    r"(?:[T ]\d{1,2}:\d\d.*)?"
)


class Kind(Enum):
    """What a column was seen to hold."""

    BINARY = "binary"
    CATEGORICAL = "categorical"
    COUNT = "count"
    """Whole numbers, more of them than states mostly are."""
    CONTINUOUS = "continuous"
    DATE = "date"
    ID = "id"
    CONSTANT = "constant"
    MISSING = "missing"
    """No value at all."""
    UNREADABLE = "unreadable"
    """Values that cannot be states."""


REAL, DISCRETE = "real", "discrete"
"""What a column can be declared to be."""

Kinds: TypeAlias = Mapping[str, str]
"""Columns that are declared, by name."""


@dataclass(frozen=True, slots=True)
class Look:
    """The kind of a column; why and what to do about it, where it cannot be used as it is.

    ``problem`` goes on after the column's name; ``is_crowded`` says that it has few rows per state.
    """

    kind: Kind
    num_states: int
    problem: str = ""
    remedy: str = ""
    is_crowded: bool = False

    @property
    def is_refused(self) -> bool:
        """Whether the door does not let it in."""
        return bool(self.problem)

    @property
    def is_real(self) -> bool:
        """Whether it is taken as real numbers."""
        return self.kind is Kind.CONTINUOUS and not self.problem


@dataclass(frozen=True, slots=True)
class Distinct:
    """The different values of a column in order of appearance; row i holds value ``raw[i]``."""

    values: "pd.Index[Any]"
    raw: "np.ndarray[Any, Any]"
    """−1 where a value is missing."""


def distinct_values(series: "pd.Series[Any]") -> Distinct | Look:
    """Find the different values of a column, or say why they cannot be told apart."""
    import pandas as pd

    try:
        raw, values = pd.factorize(series)
    except TypeError as error:
        return Look(
            Kind.UNREADABLE,
            0,
            f"holds values that are not states ({error})",
            "make them texts or numbers, or drop it",
        )
    # before it becomes an index: pandas' own strings cannot hold half a character
    unfit = unfit_label(value for value in values if isinstance(value, str))
    return unfit or Distinct(pd.Index(values).infer_objects(), raw)


def look_at(values: "pd.Index[Any]", num_rows: int) -> Look:
    """Judge a column by its different values, in order of appearance, and its number of values."""
    from pandas.api.types import is_bool_dtype, is_complex_dtype, is_numeric_dtype

    if values.dtype.kind == "M":
        return _dates(len(values), str(values[0])) if len(values) else _plain(0, num_rows)
    if values.dtype.kind == "m" or is_complex_dtype(values.dtype):
        return Look(
            Kind.UNREADABLE,
            len(values),
            f"holds values of type {values.dtype}",
            "make them plain numbers and bin those, or drop it",
        )
    if is_numeric_dtype(values.dtype) and not is_bool_dtype(values.dtype):
        return _look_at_numbers(values.to_numpy(), num_rows)
    return _look_at_labels([str(value) for value in values], num_rows)


def is_whole(numbers: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    """Say which numbers are whole and can be told from their neighbours."""
    if numbers.dtype.kind != "f":
        return np.ones(len(numbers), dtype=bool)
    whole: np.ndarray[Any, Any] = (numbers == np.floor(numbers)) & (np.abs(numbers) < MAX_WHOLE)
    return whole


def is_crowded(num_states: int, num_rows: int) -> bool:
    """Whether the rows are too few for a dependence on so many states to show."""
    return (
        num_states > MANY_STATES
        and num_rows >= FEWEST_ROWS
        and num_rows < FEWEST_ROWS_PER_STATE * num_states
    )


def _look_at_numbers(numbers: "np.ndarray[Any, Any]", num_rows: int) -> Look:
    whole = is_whole(numbers)
    distinct = len(np.unique(numbers))
    if not whole.all():
        return Look(Kind.CONTINUOUS, distinct)
    # Measurements may all differ too, but rows are numbered in order or without gaps.
    if _names_rows(distinct, num_rows) and (
        bool((numbers[1:] > numbers[:-1]).all())
        or int(numbers.max()) - int(numbers.min()) < 1.1 * num_rows
    ):
        return _id(distinct, num_rows, "drop it, or bin it if it measures something")
    if distinct > MAX_NUMERIC_STATES and numbers.dtype.kind == "f":
        return Look(Kind.CONTINUOUS, distinct)
    if distinct > MAX_NUMERIC_STATES:
        return Look(
            Kind.CONTINUOUS,
            distinct,
            f"has more than {MAX_NUMERIC_STATES} different whole numbers",
            "declare it real with kinds if it is measured, bin it, or make it a pandas categorical "
            "if its values are states",
        )
    if distinct > MANY_STATES:
        return Look(Kind.COUNT, distinct, is_crowded=is_crowded(distinct, num_rows))
    return _plain(distinct, num_rows)


def unfit_label(labels: Iterable[str]) -> Look | None:
    """Judge a column by the first label that no state can have, if there is one."""
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            return Look(
                Kind.UNREADABLE,
                len(seen),
                f"has different values that all read {label!r} (a number and a text?)",
                "convert the column to one type",
            )
        seen.add(label)
        if flaw := unwritable(label):
            return Look(
                Kind.UNREADABLE,
                len(seen),
                f"has the value {label!r}, which holds {flaw} that files do not keep",
                "replace it",
            )
    return None


def _look_at_labels(labels: list[str], num_rows: int) -> Look:
    if unfit := unfit_label(labels):
        return unfit
    if _are_dates(labels) and (
        len(labels) > MAX_DATES or num_rows < FEWEST_ROWS_PER_DATE * len(labels)
    ):
        return _dates(len(labels), labels[0])
    if _names_rows(len(labels), num_rows):
        return _id(len(labels), num_rows, "drop it")
    if len(labels) > MAX_STATES:
        return too_many(len(labels))
    return _plain(len(labels), num_rows)


def too_many(num_values: int) -> Look:
    """Judge a column with more values than can be coded."""
    return Look(
        Kind.ID,
        num_values,
        f"has more than {MAX_STATES} different values",
        "drop it, or merge values",
    )


def _plain(num_states: int, num_rows: int) -> Look:
    few = {0: Kind.MISSING, 1: Kind.CONSTANT, 2: Kind.BINARY}
    kind = few.get(num_states, Kind.CATEGORICAL)
    return Look(kind, num_states, is_crowded=is_crowded(num_states, num_rows))


def _id(num_values: int, num_rows: int, remedy: str) -> Look:
    problem = f"looks like an identifier, with {num_values} different values in {num_rows} rows"
    return Look(Kind.ID, num_values, problem, remedy)


def _dates(num_values: int, example: str) -> Look:
    return Look(
        Kind.DATE,
        num_values,
        f"holds dates, such as {example}",
        "drop it, or replace it by an age, a year or a season",
    )


def _names_rows(num_values: int, num_rows: int) -> bool:
    return num_rows >= FEWEST_ROWS and num_values >= ID_SHARE * num_rows


def _are_dates(labels: list[str]) -> bool:
    """Whether nearly all texts are written as dates."""
    if not labels or not any(map(_DATE.fullmatch, labels[:10])):
        return False
    return sum(_DATE.fullmatch(label) is not None for label in labels) >= 0.95 * len(labels)
