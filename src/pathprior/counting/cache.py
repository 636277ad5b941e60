"""Counts kept on disk: one file per question, shared by all programs of a user.

``PATHPRIOR_CACHE`` names another directory; ``PATHPRIOR_CACHE=off`` switches the cache off.
Writers put a complete file in place by renaming, so readers never see half of one; a file that
cannot be read, or answers another question, counts as absent and is written anew.
"""

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from pathprior.counting.result import Table
from pathprior.files import replacing
from pathprior.kernels.prior.ties import NUM_TIES

FORMAT = 2
"""Raise it when what is stored, or the meaning of a seed, changes."""

VARIABLE = "PATHPRIOR_CACHE"

SUM_ERROR = 1e-6
"""Most that the probabilities of a whole table miss 1 by: all that make one divide by the sum."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One stored answer: its file, the question it answers and its size in bytes."""

    path: Path
    key: str
    num_bytes: int


def directory() -> Path | None:
    """Where counts and fits are kept, or None where the cache is switched off."""
    setting = os.environ.get(VARIABLE, "")
    if setting.lower() in ("off", "0", "no", "false"):
        return None
    return Path(setting) if setting else user_cache_path("pathprior") / "counts"


def load(key: str) -> tuple[Table, ...] | None:
    """The stored tables that answer ``key``, or None."""
    path = _path(key)
    if path is None:
        return None
    stored = _read(path)
    return stored.tables if stored is not None and stored.key == _versioned(key) else None


def store(key: str, tables: tuple[Table, ...]) -> None:
    """Keep ``tables`` as the answer to ``key``; a directory that cannot be written is no error."""
    path = _path(key)
    if path is None:
        return
    arrays: dict[str, NDArray[Any]] = {
        "key": np.array(_versioned(key)),
        "num_tables": np.array(len(tables)),
    }
    for i, table in enumerate(tables):
        arrays[f"configurations{i}"] = table.configurations
        arrays[f"probabilities{i}"] = table.probabilities
        arrays[f"is_complete{i}"] = np.array(table.is_complete)
        arrays[f"relative_error{i}"] = np.array(table.relative_error)
        if table.counts is not None:
            arrays[f"counts{i}"] = np.array([hex(count) for count in table.counts])
        if table.standard_errors is not None:
            arrays[f"standard_errors{i}"] = table.standard_errors
    with suppress(OSError), replacing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def entries() -> list[Entry]:
    """The stored counts, by file name; unreadable files are listed with an empty key."""
    found = []
    for path in files("[0-9a-f]*.npz"):
        stored = _read(path)
        key = "" if stored is None else stored.key
        found.append(Entry(path, key, path.stat().st_size))
    return found


def files(pattern: str) -> list[Path]:
    """The files kept under names like ``pattern``, sorted."""
    where = directory()
    return [] if where is None else sorted(where.glob(pattern))


def clear() -> int:
    """Delete all that is kept, fits too; returns how many files were deleted."""
    kept = files("*.npz")
    for path in kept:
        path.unlink(missing_ok=True)
    return len(kept)


@dataclass(frozen=True, slots=True)
class _Stored:
    key: str
    tables: tuple[Table, ...]


def _read(path: Path) -> _Stored | None:
    """What a file holds; None where it is missing or damaged."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            num_tables = int(stored["num_tables"])
            tables = tuple(_read_table(stored, i) for i in range(num_tables))
            whole = all(map(_is_whole, tables))
            return _Stored(str(stored["key"]), tables) if whole else None
    except Exception:  # a damaged archive raises anything from zipfile, zlib or the .npy parser
        return None


def _versioned(key: str) -> str:
    return f"format={FORMAT} {key}"


def _path(key: str) -> Path | None:
    where = directory()
    if where is None:
        return None
    return where / f"{hashlib.sha256(_versioned(key).encode()).hexdigest()[:32]}.npz"


def _read_table(stored: Mapping[str, NDArray[Any]], i: int) -> Table:
    counts = f"counts{i}"
    errors = f"standard_errors{i}"
    return Table(
        stored[f"configurations{i}"],
        stored[f"probabilities{i}"],
        counts=tuple(int(text, 16) for text in stored[counts]) if counts in stored else None,
        standard_errors=stored.get(errors),
        is_complete=bool(stored[f"is_complete{i}"]),
        relative_error=float(stored[f"relative_error{i}"]),
    )


def _is_whole(table: Table) -> bool:
    """Whether arrays belong together, and hold what a count gives."""
    rows, shares = table.configurations, table.probabilities
    numbers = [shares] if table.standard_errors is None else [shares, table.standard_errors]
    return bool(
        rows.ndim == 2
        and rows.dtype == np.int8
        and ((rows >= 0) & (rows < NUM_TIES)).all()
        and all(array.shape == (len(rows),) and array.dtype == np.float64 for array in numbers)
        and all(((array >= 0) & (array <= 1)).all() for array in numbers)
        and abs(float(shares.sum()) - 1) <= SUM_ERROR  # no row is missing
        and (table.counts is None or len(table.counts) == len(rows))
    )
