"""Columns with one value, in all rows or in those where it was not set, and what they get."""

import warnings

from pathprior.data.dataset import Dataset
from pathprior.errors import PathPriorWarning


def constant_names(data: Dataset) -> tuple[str, ...]:
    """Names of the columns with the same value in all rows, whatever states they could have."""
    return tuple(name for name, low, high in data.spans() if low == high)


def unexplained_names(data: Dataset) -> tuple[str, ...]:
    """Names of the columns that vary only where they were set: nothing shows their causes."""
    if data.intervened is None or data.are_soft:
        return ()
    found = []
    for (name, values), is_set in zip(data.known(), data.intervened, strict=True):
        left = values[~is_set]
        is_same = not len(left) or left.min() == left.max()
        if is_set.any() and is_same and values.min() < values.max():
            found.append(name)
    return tuple(found)


def warn_of_unexplained(names: tuple[str, ...]) -> None:
    """Say once which columns get no edges into them."""
    if names:
        warnings.warn(
            "columns that vary only in the rows in which they were set say nothing about their "
            f"causes and get none: {', '.join(map(repr, names))}; their effects are learned",
            PathPriorWarning,
            stacklevel=4,
        )


def warn_of_constant(names: tuple[str, ...]) -> None:
    """Say once which columns get no edges."""
    if names:
        warnings.warn(
            "columns with the same value in all rows say nothing about structure and get no edges: "
            f"{', '.join(map(repr, names))}; drop them, or pass constant_columns='keep'",
            PathPriorWarning,
            stacklevel=4,
        )
