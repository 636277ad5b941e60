"""`prepare`: look at a raw table and propose how each column becomes one of states."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pathprior.data.actions import Drop, Keep
from pathprior.data.arrow import ArrowTable, read_arrow
from pathprior.data.column import check_names
from pathprior.data.kinds import Kind
from pathprior.data.observed import Observed
from pathprior.data.plan import ColumnPlan, Missing, check_missing, propose
from pathprior.data.preparation import Preparation
from pathprior.data.readers import read_whole
from pathprior.data.treatment import without_infinite
from pathprior.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

# Rows that missing values may cost in all; where they would cost more, missing becomes a state.
MAX_ROWS_LOST = 0.1


def prepare(
    data: "pd.DataFrame | ArrowTable | str | os.PathLike[str]",
    *,
    bins: int | Mapping[str, int] | None = None,
    cuts: Mapping[str, Sequence[float]] | None = None,
    keep: Iterable[str] = (),
    real: Iterable[str] = (),
    drop: Iterable[str] = (),
    top: Mapping[str, int] | None = None,
    missing: Missing | Mapping[str, Missing] | None = None,
) -> Preparation:
    """Look at a raw table and propose how to make it one that `learn` takes.

    Numbers with fractions, and more than 64 different whole ones, stay real; `Preparation.kinds`
    declares them. Given ``bins``, they are cut into so many with about as many rows each, and so
    are, into three, fewer numbers that are too many for the rows; a value at one end that fills a
    bin, such as zero, is set apart. Identifiers, dates and columns with one value are dropped.
    Texts with too many states keep the frequent ones. Rows with missing values are dropped as long
    as that costs a tenth of the rows at most, columns with the fewest first; in the others, missing
    becomes a state, and numbers are cut into bins. Nothing is done before `Preparation.table`, and
    `Preparation.change` changes any of it.

    Parameters
    ----------
    data
        A DataFrame of pandas or polars, an Arrow table, or the path of a data file.
    bins
        Number of bins, for all columns of measurements or by column.
    cuts
        By column: where to cut it.
    keep
        Columns whose values are states whatever they look like.
    real
        Columns whose numbers are measured, and stay.
    drop
        Columns to leave out.
    top
        By column: how many of its most frequent states to keep.
    missing
        "drop" to leave out all rows with missing values, "state" to make missing a state, "em" to
        leave them for ``learn(missing="em")`` to draw, or one of them by column.

    Raises
    ------
    DataError
        If a column is named that does not exist or cannot be treated so, or is named twice; if
        column names are repeated; if a file cannot be read.
    """
    source = Path(data) if isinstance(data, str | os.PathLike) else None
    raw = _frame_of(data)
    labels = list(raw.columns)
    names = check_names([label.strip() if isinstance(label, str) else label for label in labels])
    is_renamed = list(names) != labels
    frame = raw.set_axis(list(names), axis="columns") if is_renamed else raw
    if not len(frame):
        raise DataError("the data have no rows")
    changes = _changes(
        drop=dict.fromkeys([drop] if isinstance(drop, str) else drop, True),
        keep=dict.fromkeys([keep] if isinstance(keep, str) else keep, True),
        real=dict.fromkeys([real] if isinstance(real, str) else real, True),
        bins=bins if isinstance(bins, Mapping) else {},
        cuts=cuts or {},
        top=top or {},
    )
    num_bins = bins if isinstance(bins, int) else None
    plans = [_first_look(name, frame[name], num_bins, changes.get(name)) for name in names]
    plans = _settle_missing(frame, plans, missing)
    proposed = Preparation(tuple(plans), source, frame, is_renamed)._proposed(num_bins)
    proposed.require([*(missing if isinstance(missing, Mapping) else ()), *changes])
    for name, change in changes.items():
        asked = missing.get(name) if isinstance(missing, Mapping) else missing
        # a column that was to go, and has no way with gaps any more, may have been asked to stay
        proposed = proposed.change(name, **change, missing="em" if asked == "em" else None)
    return proposed


def _frame_of(data: "pd.DataFrame | ArrowTable | str | os.PathLike[str]") -> "pd.DataFrame":
    import pandas as pd

    if isinstance(data, pd.DataFrame):
        return data
    if isinstance(data, str | os.PathLike):
        return read_whole(Path(data))
    if isinstance(data, ArrowTable):
        return read_arrow(data)
    raise DataError(
        "what is prepared must be a DataFrame of pandas or polars, an Arrow table or a path, not "
        f"{type(data).__name__}"
    )


def _changes(**ways: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What the user asks for, by column."""
    changes: dict[str, dict[str, Any]] = {}
    for way, columns in ways.items():
        for name, value in columns.items():
            if name in changes:
                (other,) = changes[name]
                raise DataError(f"column {name!r} is named in {other} and in {way}: choose one")
            changes[name] = {way: value}
    return changes


def _first_look(
    name: str, column: "pd.Series[Any]", num_bins: int | None, change: Mapping[str, Any] | None
) -> ColumnPlan:
    """Look at a column with all its rows, to know whether it stays."""
    numbers = Observed.of(name, column).numbers
    has_infinite = numbers is not None and bool(np.isinf(numbers).any())
    if has_infinite:
        column = without_infinite(column)
    num_missing = int(column.isna().sum())
    seen = Observed.of(name, column)
    action = propose(seen, num_bins, has_missing=num_missing > 0)
    if change is not None:
        action = Drop() if "drop" in change else Keep()
    return ColumnPlan(
        name, seen.look.kind, seen.look.num_states, num_missing, action, has_infinite=has_infinite
    )


def _settle_missing(
    frame: "pd.DataFrame",
    plans: Sequence[ColumnPlan],
    missing: Missing | Mapping[str, Missing] | None,
) -> list[ColumnPlan]:
    """Decide for each column that stays between fewer rows and one more state."""
    by_name: Mapping[str, Missing] = missing if isinstance(missing, Mapping) else {}
    for choice in by_name.values() if isinstance(missing, Mapping) else (missing,):
        check_missing(choice)
    lost = np.zeros(len(frame), dtype=bool)
    chosen: dict[str, Missing] = {}
    for plan in sorted(plans, key=lambda plan: plan.num_missing):
        if plan.is_dropped or not plan.num_missing:
            continue
        column = frame[plan.name]
        gone = lost | (without_infinite(column) if plan.has_infinite else column).isna().to_numpy()
        asked = missing if isinstance(missing, str) else by_name.get(plan.name)
        # one value or none is yes or no
        is_cheap = gone.mean() <= MAX_ROWS_LOST and plan.kind is not Kind.CONSTANT
        chosen[plan.name] = asked or ("drop" if is_cheap else "state")
        if chosen[plan.name] == "drop":
            lost = gone
    return [replace(plan, missing=chosen.get(plan.name)) for plan in plans]
