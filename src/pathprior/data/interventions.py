"""What was set in each row: a column of names, a sequence of them or a table becomes a mask."""

import warnings
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pathprior.data.arrow import ArrowTable, read_arrow
from pathprior.data.dataset import Dataset
from pathprior.data.merged import MergedTable
from pathprior.errors import DataError, PathPriorWarning
from pathprior.nearest import suggestion

if TYPE_CHECKING:
    import pandas as pd

Interventions: TypeAlias = (
    "str | Sequence[str | Collection[str] | None] | pd.DataFrame | ArrowTable | NDArray[np.bool_]"
)
"""The name of a column, one entry for each row, or a table of the data's form."""

HARD, SOFT = "hard", "soft"

NOTHING = "none"
"""Says, in a column of targets, that nothing was set."""
SEPARATOR = ";"
"""Stands between the names of variables that were set together."""


def with_interventions(
    dataset: Dataset, given: Any, *, kind: str, column: str | None = None
) -> Dataset:
    """Return the data with what was set in them marked.

    Parameters
    ----------
    given
        One entry for each row, or a table; ``column`` is where they stood, if in one.
    kind
        ``"hard"`` or ``"soft"``.
    """
    if dataset.intervened is not None:
        raise DataError("the data set says already what was set: leave interventions out")
    if column is None and isinstance(dataset.coded, MergedTable):
        raise DataError(
            "equal rows of these data were merged when they were read, so that none can be said to "
            "have been set: give interventions where the data are read"
        )
    table = _as_table(given, dataset)
    mask = _read_entries(given, dataset) if table is None else _read_table(table, dataset)
    if not mask.any():
        warnings.warn(
            "interventions says that nothing was set in any row, so that it has no effect",
            PathPriorWarning,
            stacklevel=4,  # read_dataset, its caller, and who called that
        )
    return replace(dataset, intervened=mask, are_soft=kind == SOFT, target_column=column)


def _as_table(given: Any, dataset: Dataset) -> "pd.DataFrame | None":
    """Return a table as a frame, and None for anything else."""
    import pandas as pd

    if isinstance(given, pd.DataFrame):
        return given
    if isinstance(given, ArrowTable) and hasattr(given, "columns"):  # a series has none
        return read_arrow(given)
    if not isinstance(given, np.ndarray) or given.ndim != 2:
        return None
    if given.shape[1] != dataset.num_variables:
        raise DataError(
            f"interventions has {given.shape[1]} columns, the data have {dataset.num_variables}: "
            "one for each variable"
        )
    return pd.DataFrame(given, columns=list(dataset.variables))


def _read_table(table: "pd.DataFrame", dataset: Dataset) -> NDArray[np.bool_]:
    """Read a table of True and False; columns that it lacks were never set."""
    from pandas.api.types import is_bool_dtype

    if len(table) != dataset.num_rows:
        raise _wrong_length(len(table), dataset)
    place = {name: v for v, name in enumerate(dataset.variables)}
    mask = np.zeros((dataset.num_variables, dataset.num_rows), dtype=bool)
    unknown = [str(name) for name in table.columns if str(name) not in place]
    if unknown:
        named = " and ".join(f"a column {name!r}" for name in unknown)
        raise DataError(
            f"interventions has {named}, which the data do not have; "
            f"{suggestion('column', unknown, place)}"
        )
    for name, values in table.items():
        if not is_bool_dtype(values.dtype) or values.isna().any():
            raise DataError(f"column {name!r} of interventions must hold True or False alone")
        mask[place[str(name)]] = values.to_numpy(bool)
    return mask


def _read_entries(entries: Iterable[Any], dataset: Dataset) -> NDArray[np.bool_]:
    """Read one entry for each row; each different one is looked at once."""
    if not isinstance(entries, Iterable):
        raise DataError(
            "interventions must be the name of a column, a table, or one entry for each row, not "
            f"{type(entries).__name__}"
        )
    place = {name: v for v, name in enumerate(dataset.variables)}
    rows: dict[Any, list[int]] = {}
    num_entries = 0
    for row, entry in enumerate(entries):
        key = entry if isinstance(entry, str) or not isinstance(entry, Iterable) else tuple(entry)
        rows.setdefault(None if _is_missing(key) else key, []).append(row)
        num_entries += 1
    if num_entries != dataset.num_rows:
        raise _wrong_length(num_entries, dataset)
    mask = np.zeros((dataset.num_variables, dataset.num_rows), dtype=bool)
    for entry, places in rows.items():
        for name in _names(entry, place):
            if name not in place:
                raise DataError(
                    f"row {places[0] + 1} says that {name!r} was set, which is no column: "
                    f"correct it, or drop such rows ({len(places)}); "
                    f"{suggestion('column', [name], place)}"
                )
            mask[place[name], places] = True
    return mask


def _names(entry: Any, known: Collection[str]) -> list[str]:
    """The variables that an entry names."""
    if entry is None:
        return []
    if isinstance(entry, tuple):
        return [str(name) for name in entry]
    text = _text(entry)
    if text in known:
        return [text]
    if not text or text.lower() == NOTHING:
        return []
    return [name.strip() for name in text.split(SEPARATOR)]


def _text(entry: Any) -> str:
    """An entry as a name; numbers that are whole as integers, as files have them."""
    if isinstance(entry, float) and entry.is_integer():
        return str(int(entry))
    return str(entry).strip()


def _is_missing(entry: Any) -> bool:
    import pandas as pd

    return entry is None or entry is pd.NA or (isinstance(entry, float) and entry != entry)


def _wrong_length(length: int, dataset: Dataset) -> DataError:
    return DataError(
        f"interventions has {length} rows, the data have {dataset.num_rows}: one for each row"
    )
