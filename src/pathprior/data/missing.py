"""What becomes of cells without a value: they are refused, drawn, a state, or cost their rows."""

import warnings
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from pathprior.data.column import code_type
from pathprior.data.dataset import Dataset
from pathprior.data.flaws import Flaw, refusal
from pathprior.data.gaps import DROP, EM, REFUSE, STATE, Gaps, missing_flaw, no_value_flaw
from pathprior.data.kinds import MAX_STATES, too_many
from pathprior.data.table import DataTable
from pathprior.errors import DataError, PathPriorWarning

CHOICES = (REFUSE, EM, STATE, DROP)

FEWEST_ROWS = 10
"""Complete rows that must be left where the others are dropped."""

MUCH = 0.5
"""Share of a column above which a warning says that most of it is drawn."""

DEPTH = 5
"""Calls from a warning to the user's line: two here, read_dataset, its caller, and that line."""


def check_choice(missing: object) -> None:
    """Raise unless it says what becomes of missing values."""
    if missing not in CHOICES:
        raise DataError(f"missing must be 'refuse', 'em', 'state' or 'drop', not {missing!r}")


def settle_missing(dataset: Dataset, missing: str) -> Dataset:
    """Do to the missing cells what was asked for; ``"em"`` leaves them to the search."""
    if dataset.observed is None:
        return dataset
    counts = dict(zip(dataset.variables, (~dataset.observed).sum(axis=1).tolist(), strict=True))
    counts = {name: count for name, count in counts.items() if count}
    _require_possible(dataset, counts, missing)
    gaps = Gaps(missing, dataset.num_rows, dataset.num_variables, tuple(counts.items()))
    if missing == EM:
        return replace(_without_empty_rows(dataset, counts), gaps=gaps)
    if missing == STATE:
        return replace(_with_state(dataset), gaps=gaps)
    return replace(_complete_rows(dataset), gaps=gaps)


def free_label(taken: Collection[str]) -> str:
    """Return a label for missing values that no other state has."""
    label = "missing"
    while label in taken:
        label = f"{label} value"
    return label


def _require_possible(dataset: Dataset, counts: dict[str, int], missing: str) -> None:
    """Raise where values may not be missing, or columns have none, or cannot have a state more."""
    flaws = []
    states = dict(zip(dataset.coded.variables, map(len, dataset.coded.states), strict=True))
    for name, count in counts.items():
        if count == dataset.num_rows:
            flaws.append(no_value_flaw(name))
        elif missing == REFUSE:
            flaws.append(missing_flaw(name, count, dataset.num_rows))
        elif missing == STATE and name not in states:
            flaws.append(
                Flaw(
                    name,
                    f"misses {count} of {dataset.num_rows} values, and real numbers have no state "
                    "for that",
                    "use missing='em' or 'drop', or bin it",
                )
            )
        elif missing == STATE and states[name] == MAX_STATES:
            look = too_many(MAX_STATES + 1)
            flaws.append(Flaw(name, look.problem, look.remedy))
    if flaws:
        raise refusal(flaws, dataset.num_variables)


def _without_empty_rows(dataset: Dataset, counts: dict[str, int]) -> Dataset:
    """Leave out rows that say nothing, and warn of columns that say little."""
    assert dataset.observed is not None
    mostly = [name for name, count in counts.items() if count > MUCH * dataset.num_rows]
    if mostly:
        warnings.warn(
            f"more than half of the values are missing in {', '.join(map(repr, mostly))}: what "
            "depends on them rests on few rows",
            PathPriorWarning,
            stacklevel=DEPTH,
        )
    rows = np.asarray(dataset.observed.any(axis=0))
    if rows.all():
        return dataset
    warnings.warn(
        f"rows without any value were left out: {int((~rows).sum())} of {dataset.num_rows}",
        PathPriorWarning,
        stacklevel=DEPTH,
    )
    return dataset.among(rows)


def _with_state(dataset: Dataset) -> Dataset:
    """Give every column of states with gaps one state more."""
    assert dataset.observed is not None
    place = {name: v for v, name in enumerate(dataset.variables)}
    states = []
    codes = dataset.coded.codes.astype(code_type(1 + int(dataset.coded.num_states.max(initial=0))))
    for v, (name, labels) in enumerate(
        zip(dataset.coded.variables, dataset.coded.states, strict=True)
    ):
        is_missing = ~dataset.observed[place[name]]
        codes[v, is_missing] = len(labels)
        states.append((*labels, free_label(labels)) if is_missing.any() else labels)
    coded = DataTable(dataset.coded.variables, codes, tuple(states))
    return replace(dataset, coded=coded, observed=None)


def _complete_rows(dataset: Dataset) -> Dataset:
    """Leave out every row with a gap."""
    assert dataset.observed is not None
    rows = np.asarray(dataset.observed.all(axis=0))
    num_left = int(rows.sum())
    if num_left < FEWEST_ROWS:
        raise DataError(
            f"missing='drop' would leave {num_left} of {dataset.num_rows} rows, and "
            f"{FEWEST_ROWS} are needed: use missing='em' or 'state', or drop columns first"
        )
    return dataset.among(rows)
