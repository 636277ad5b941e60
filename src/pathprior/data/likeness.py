"""Columns that say the same: missing in the same rows, sharing a code, copies and sums."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.normal_scores import ATOM

if TYPE_CHECKING:
    import pandas as pd

ALIKE = 0.95
"""Share of the rows in either set that must be in both, for two sets of rows to be the same."""
LEAST_SHARE = 0.02
"""Share of all rows that a block of gaps, or a code, must have to be named."""
COPIES = 0.99
"""Share of the rows in which a copy must agree; of numbers the correlation of ranks."""
MAX_COLUMNS = 60
"""Columns of numbers among which sums are looked for."""
MAX_NAMED = 6

Mask = NDArray[np.bool_]


def find_likenesses(frame: "pd.DataFrame", names: Sequence[str]) -> tuple[str, ...]:
    """Say which of these columns say the same, and what may be done."""
    columns = {name: frame[name] for name in names}
    return (
        *_same_gaps(columns),
        *_same_codes(columns),
        *_copies(columns),
        *_sums(columns),
    )


def atom_notes(frame: "pd.DataFrame", real: Sequence[str]) -> Iterator[str]:
    """Say of which real columns one value fills so much that ranks suit them better."""
    for name in real:
        shares = frame[name].value_counts(normalize=True)
        if len(shares) > 1 and shares.iloc[0] > ATOM:
            yield (
                f"{name!r} is {shares.index[0]!s} in {shares.iloc[0]:.0%} of its rows: "
                "score='ranks' suits such a column, and is what score='auto' takes where all are "
                "real."
            )


def _same_gaps(columns: "dict[str, pd.Series[Any]]") -> Iterator[str]:
    """Blocks of columns that are missing together."""
    gaps = {name: column.isna().to_numpy() for name, column in columns.items()}
    for group, rows in _groups({name: mask for name, mask in gaps.items() if _is_large(mask)}):
        yield (
            f"{_listed(group)} are missing in the same {int(rows.sum())} rows: as a state, missing "
            "would link them whatever they measure; leave those rows out (missing='drop'), or keep "
            "one of them."
        )


def _same_codes(columns: "dict[str, pd.Series[Any]]") -> Iterator[str]:
    """Columns that hold one and the same value in the same rows, and others in the others."""
    masks: dict[Any, dict[str, Mask]] = {}
    for name, column in columns.items():
        counts = column.value_counts()
        if not 3 <= len(counts) <= 64:
            continue
        for value in counts.index[counts >= LEAST_SHARE * len(column)]:
            masks.setdefault(str(value), {})[name] = (column == value).to_numpy()
    for value, by_name in masks.items():
        for group, rows in _groups({k: mask for k, mask in by_name.items() if _is_large(mask)}):
            yield (
                f"{_listed(group)} hold {value!r} in the same {int(rows.sum())} rows: if it means "
                "that they were not asked, make it missing before anything is learned."
            )


def _copies(columns: "dict[str, pd.Series[Any]]") -> Iterator[str]:
    """Pairs of which each tells the other."""
    numbers = {name: column for name, column in columns.items() if _is_measured(column)}
    if len(numbers) > 1:
        import pandas as pd

        ranks = pd.DataFrame(numbers).corr("spearman", min_periods=10).to_numpy(dtype=float)
        for (i, x), (j, y) in combinations(enumerate(numbers), 2):
            if abs(ranks[i, j]) >= COPIES:
                yield (
                    f"{x!r} and {y!r} are nearly the same measurement (correlation of ranks "
                    f"{ranks[i, j]:.3f}): keep one."
                )
    coded = {name: _codes(column) for name, column in columns.items() if name not in numbers}
    for (x, (a, size)), (y, (b, other)) in combinations(coded.items(), 2):
        if 2 <= size == other <= 64 and _is_copy(a, b, size):
            yield f"{x!r} and {y!r} hold the same under other names: keep one."


def _codes(column: "pd.Series[Any]") -> tuple[NDArray[np.int64], int]:
    """Numbers in the place of values, −1 where there is none, and how many there are."""
    import pandas as pd

    codes, found = pd.factorize(column)
    return codes.astype(np.int64), len(found)


def _is_copy(a: NDArray[np.int64], b: NDArray[np.int64], size: int) -> bool:
    """Whether each state of one goes with one of the other in nearly all rows."""
    known = (a >= 0) & (b >= 0)
    total = int(known.sum())
    if total < 10:
        return False
    table = np.bincount(a[known] * size + b[known], minlength=size * size).reshape(size, size)
    best = min(int(table.max(axis=0).sum()), int(table.max(axis=1).sum())) / total
    # what guessing the commonest state would do, so that rare states do not make a copy
    usual = max(int(table.sum(axis=0).max()), int(table.sum(axis=1).max())) / total
    return best >= COPIES and 1 - best <= 0.05 * (1 - usual)


def _sums(columns: "dict[str, pd.Series[Any]]") -> Iterator[str]:
    """Columns of numbers that are the sum of two others."""
    import pandas as pd

    numbers = {name: column for name, column in columns.items() if _is_number(column)}
    names = [name for name, column in numbers.items() if column.nunique() > 2]
    if not 3 <= len(names) <= MAX_COLUMNS:
        return
    values = pd.DataFrame({name: numbers[name] for name in names}).dropna().to_numpy(dtype=float).T
    if values.shape[1] < 10:
        return
    spread = values.std(axis=1)
    for i, j in combinations(range(len(names)), 2):
        away = np.abs(values - (values[i] + values[j])).max(axis=1)
        for k in np.flatnonzero(away <= 1e-9 * np.maximum(spread, 1e-300)):
            if k not in (i, j) and spread[i] and spread[j]:
                yield (
                    f"{names[k]!r} is {names[i]!r} plus {names[j]!r}: leave one of the three out, "
                    "or edges among them are arithmetic."
                )


def _groups(masks: dict[str, Mask]) -> Iterator[tuple[list[str], Mask]]:
    """Columns whose rows are nearly the same, two or more, each once."""
    left = dict(masks)
    while left:
        first = next(iter(left))
        rows = left.pop(first)
        group = [first]
        for name in list(left):
            either = (rows | left[name]).sum()
            if either and (rows & left[name]).sum() >= ALIKE * either:
                group.append(name)
                del left[name]
        if len(group) > 1:
            yield group, rows


def _is_large(mask: Mask) -> bool:
    return int(mask.sum()) >= max(2.0, LEAST_SHARE * len(mask))


def _is_number(column: "pd.Series[Any]") -> bool:
    from pandas.api.types import is_bool_dtype, is_complex_dtype, is_numeric_dtype

    dtype = column.dtype
    return bool(
        is_numeric_dtype(dtype) and not is_bool_dtype(dtype) and not is_complex_dtype(dtype)
    )


def _is_measured(column: "pd.Series[Any]") -> bool:
    """Whether these are numbers, and many different ones."""
    return _is_number(column) and int(column.nunique()) > 20


def _listed(names: Sequence[str]) -> str:
    shown = [repr(name) for name in names[:MAX_NAMED]]
    if len(names) > MAX_NAMED:
        return f"{', '.join(shown)} and {len(names) - MAX_NAMED} more columns"
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
