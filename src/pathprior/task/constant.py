"""Columns with one value, which say nothing about structure."""

import warnings

from pathprior.data.dataset import Dataset
from pathprior.errors import PathPriorWarning

CHOICES = ("isolate", "keep")


def constant_names(data: Dataset) -> tuple[str, ...]:
    """Names of the columns with the same value in all rows, whatever states they could have."""
    return tuple(
        name for name, values in data.known() if not len(values) or values.min() == values.max()
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
