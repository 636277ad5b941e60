"""The plan for one column: what was seen, and what is proposed or was asked for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pathprior.data.actions import (
    Action,
    AsLabels,
    AsReal,
    AsStates,
    Bin,
    Drop,
    Keep,
    Merge,
    OnlyUsed,
)
from pathprior.data.cuts import bin_labels, inner_cuts, quantile_cuts
from pathprior.data.kinds import MANY_STATES, Kind
from pathprior.data.missing import free_label
from pathprior.data.observed import Observed
from pathprior.errors import DataError

Missing = Literal["drop", "state", "em"]

# Where there are too many states, those that a smaller share of rows have are merged; where the
# others have less than half of the rows together, little would be left to learn from.
RARE = 0.05
ENOUGH = 0.5

OTHER = "other"

NUM_BINS = 3
"""Bins where nobody says how many."""

UNUSABLE = (Kind.UNREADABLE, Kind.MISSING)

_NAME_OF_ID = re.compile(r"(?i:(?:.*[_. -])?(?:id|uuid|guid|rownames|rowid))|.*[a-z]I[Dd]")


@dataclass(frozen=True, slots=True)
class ColumnPlan:
    """What becomes of one column.

    Attributes
    ----------
    name
        The column.
    kind
        What it was seen to hold.
    num_values
        Number of different values.
    num_missing
        Number of rows without a value; infinite ones count.
    action
        What is done to its values.
    missing
        What becomes of rows without a value: "drop" leaves them out of the whole table, "state"
        makes ``missing_label`` a state, "em" leaves the gaps to `learn`; None where there are none.
    missing_label
        A label that no other state has.
    has_infinite
        Whether infinite numbers are to be made missing.
    """

    name: str
    kind: Kind
    num_values: int
    num_missing: int
    action: Action | Drop
    missing: Missing | None = None
    missing_label: str = "missing"
    has_infinite: bool = False

    @property
    def summary(self) -> str:
        """What is done, in a few words."""
        if isinstance(self.action, Drop) or self.missing is None:
            return self.action.summary
        if self.missing == "state":
            return f"{self.action.summary}; missing as a state"
        if self.missing == "em":
            return f"{self.action.summary}; leave gaps"
        return f"{self.action.summary}; drop rows without it"

    @property
    def is_dropped(self) -> bool:
        """Whether the column is left out."""
        return isinstance(self.action, Drop)


def propose(column: Observed, num_bins: int | None, *, has_missing: bool) -> Action | Drop:
    """Return what would make a column of states of it, or of real numbers.

    Without ``num_bins`` measurements stay what they are, unless missing values are to be a state.
    """
    if column.look.num_states > MANY_STATES and _NAME_OF_ID.fullmatch(column.name):
        return Drop("an identifier by its name")
    match column.look.kind:
        case Kind.CONTINUOUS if num_bins is None and not has_missing:
            return keep_real(column)
        case Kind.CONTINUOUS | Kind.COUNT:
            return bin_by_quantiles(column, num_bins or NUM_BINS)
        case Kind.ID:
            return Drop("an identifier")
        case Kind.DATE:
            return Drop("dates; use an age, a year or a season")
        case Kind.UNREADABLE:
            return Drop("values that cannot be states")
        case Kind.MISSING:
            return Drop("no values")
        case Kind.CONSTANT if not has_missing:
            return Drop("one value")
    if column.is_categorical:
        return keep_as_it_is(column)
    look = column.look
    if has_missing:  # one state more, and more rows that have one
        filled = AsLabels(column.is_float).apply(column.series).fillna("missing")
        look = Observed.of(column.name, filled).look
    if look.kind is Kind.ID:
        return Drop("an identifier")
    if not look.is_crowded:
        return Keep()
    if column.numbers is not None:
        return bin_by_quantiles(column, num_bins or NUM_BINS)
    return _merge_or_drop(column, MANY_STATES - 1 - has_missing)


def keep_real(column: Observed) -> AsReal:
    """Keep a column of numbers as it is."""
    _require_numbers(column)
    return AsReal(column.are_objects)


def bin_by_quantiles(column: Observed, num_bins: int) -> Action | Drop:
    """Cut a column of numbers into about equal bins."""
    if num_bins < 2:
        raise DataError(f"numbers are cut into 2 bins or more, not into {num_bins}")
    numbers = _require_numbers(column)
    cuts = quantile_cuts(numbers, num_bins)
    if not cuts:
        return Drop("one value")
    return Bin(cuts, bin_labels(cuts, numbers), column.are_objects)


def bin_by_cuts(column: Observed, cuts: Sequence[float]) -> Bin:
    """Cut a column of numbers where the user says."""
    numbers = _require_numbers(column)
    values = np.asarray(cuts, dtype=float)
    if not np.isfinite(values).all() or not (values[1:] > values[:-1]).all():
        raise DataError(f"the cuts of column {column.name!r} do not increase: {list(cuts)}")
    inner = inner_cuts(values.tolist(), numbers)
    if not inner:
        raise DataError(
            f"no cut of column {column.name!r} parts its values, which go from {numbers.min()} to "
            f"{numbers.max()}: {list(cuts)}"
        )
    return Bin(inner, bin_labels(inner), column.are_objects)


def keep_top(column: Observed, num_states: int) -> Merge:
    """Keep the states with most rows, so many, and make one of the others."""
    if num_states < 1:
        raise DataError(f"column {column.name!r} cannot keep {num_states} states: use 1 or more")
    if column.look.kind in UNUSABLE:
        raise _unusable(column)
    return Merge(tuple(_frequent(column))[:num_states], OTHER, column.is_float)


def _merge_or_drop(column: Observed, num_states: int) -> Action | Drop:
    """Keep at most so many states and merge the rare, unless nearly all are."""
    shares = {state: share for state, share in _frequent(column).items() if share >= RARE}
    if sum(shares.values()) < ENOUGH:
        return Drop(f"{column.look.num_states} states, most of them rare")
    return Merge(tuple(shares)[:num_states], OTHER, column.is_float)


def _frequent(column: Observed) -> dict[str, float]:
    """The states and their shares of the rows, largest first."""
    shares = column.labels().value_counts(normalize=True).drop(OTHER, errors="ignore")
    ranked = sorted(shares.items(), key=lambda item: (-item[1], str(item[0])))
    return {str(state): float(share) for state, share in ranked}


def keep_as_it_is(column: Observed) -> Action:
    """Keep a column whatever it looks like."""
    look = column.look
    if look.kind in UNUSABLE:
        raise _unusable(column)
    if column.is_categorical:  # the door refuses more states than rows
        return Keep() if len(column.series.cat.categories) < len(column.series) else OnlyUsed()
    if not (look.is_refused or look.is_real or look.is_crowded):
        return Keep()
    return AsStates()


def check_missing(missing: object) -> None:
    """Raise unless it says what becomes of missing values, or nothing."""
    if missing not in (None, "drop", "state", "em"):
        raise DataError(f"missing is 'drop', 'state' or 'em', not {missing!r}")


def with_missing(plan: ColumnPlan, column: Observed, missing: Missing | None) -> ColumnPlan:
    """Settle what becomes of rows without a value; as a state it needs labels beside it."""
    import pandas as pd

    action = plan.action
    if isinstance(action, Drop):
        return replace(plan, missing=None)
    if missing != "state":
        action = Keep() if isinstance(action, AsLabels) else action
        return replace(plan, action=action, missing=missing)
    if isinstance(action, AsReal):
        raise DataError(
            f"column {column.name!r} cannot be real and have a state for missing values: bin it, "
            "drop those rows with missing='drop', or leave them to learn with missing='em'"
        )
    if isinstance(action, Keep) and not column.is_categorical:
        action = AsLabels(column.is_float)
    made = action.apply(column.series)
    has_categories = isinstance(made.dtype, pd.CategoricalDtype)
    taken = set(map(str, made.cat.categories if has_categories else made.dropna().unique()))
    return replace(plan, action=action, missing=missing, missing_label=free_label(taken))


def _unusable(column: Observed) -> DataError:
    problem = column.look.problem or "has no values"
    return DataError(f"column {column.name!r} can only be dropped: it {problem}")


def _require_numbers(column: Observed) -> NDArray[Any]:
    numbers = column.numbers
    if numbers is None or not len(numbers):
        raise DataError(
            f"column {column.name!r} holds no numbers, it is {column.look.kind.value}: keep it, "
            "drop it, or merge its states with top"
        )
    return numbers
