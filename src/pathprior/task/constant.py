"""Columns with one value, which say nothing about structure."""

import warnings

from pathprior.data.table import DataTable
from pathprior.errors import PathPriorWarning

CHOICES = ("isolate", "keep")


def constant_names(table: DataTable) -> tuple[str, ...]:
    """Names of the columns with the same value in all rows, whatever states they could have."""
    return tuple(
        name
        for name, codes in zip(table.variables, table.codes, strict=True)
        if codes.min() == codes.max()
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
