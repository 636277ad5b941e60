"""Parquet files, Arrow tables and the like, coded column by column or some rows at a time."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pathprior.data import growing_rows
from pathprior.data.arrow import (
    ArrowDataset,
    ArrowTable,
    PartitionedFrame,
    as_arrow,
    converting,
)
from pathprior.data.coding import check_kinds, code_series, has_fractions, kept_columns
from pathprior.data.column import Column, Numbers, RealColumn, assemble, check_names
from pathprior.data.dataset import Dataset
from pathprior.data.formats import reading
from pathprior.data.growing_rows import GrowingRows
from pathprior.data.growing_series import GrowingSeries
from pathprior.data.kinds import DISCRETE, REAL, Kinds
from pathprior.data.row_sources import (
    ArrowBatches,
    ArrowDatasetBatches,
    Batches,
    ParquetBatches,
    PartitionBatches,
)
from pathprior.data.row_sums import RowSums, Summing
from pathprior.data.stream import HELD_CELLS, FileState


def code_parquet(
    path: Path,
    kinds: Kinds,
    *,
    columns: Sequence[str] | None = None,
    may_miss: bool,
    may_merge: bool,
) -> Dataset:
    """Code a Parquet file."""
    with reading(path):
        import pyarrow.parquet  # noqa: F401 (without it no file can be read, be there one or not)

        source = ParquetBatches(FileState.of(path))
        return _code(source, kinds, columns, may_miss=may_miss, may_merge=may_merge)


def code_arrow(
    data: "ArrowTable | ArrowDataset | PartitionedFrame",
    kinds: Kinds,
    *,
    columns: Sequence[str] | None = None,
    may_miss: bool,
    may_merge: bool,
) -> Dataset:
    """Code an Arrow table, or one of another library."""
    source: Batches
    if isinstance(data, ArrowDataset):
        source = ArrowDatasetBatches(data)
    elif isinstance(data, PartitionedFrame):
        source = PartitionBatches(data)
    else:
        source = ArrowBatches(as_arrow(data))
    with converting(data):
        return _code(source, kinds, columns, may_miss=may_miss, may_merge=may_merge)


def _code(
    source: Batches,
    kinds: Kinds,
    kept: Sequence[str] | None,
    *,
    may_miss: bool,
    may_merge: bool,
) -> Dataset:
    """Code some rows at a time and merge equal ones, or column by column."""
    schema, num_rows = source.schema(), source.num_rows()
    names = kept_columns(check_names(source.names()), kept)
    check_kinds(kinds, names)
    likely = [name for name in names if _is_likely(schema.field(name).type, kinds.get(name))]
    if may_merge and not likely and num_rows * len(names) > growing_rows.HELD_CODES:
        columns = [GrowingSeries(name, kinds.get(name)) for name in names]
        rows = _merge(source, columns, may_miss=may_miss)
        if rows is not None:
            finished, times = rows.finish()
            return assemble(finished, num_rows, times=times, may_miss=may_miss)
    return assemble(*_code_columns(source, num_rows, kinds, names, likely), may_miss=may_miss)


def _merge(source: Batches, columns: list[GrowingSeries], *, may_miss: bool) -> GrowingRows | None:
    """Go through all rows once and merge equal ones; None if it shows that they must not be."""
    rows = GrowingRows(columns, may_miss=may_miss)
    num_rows = 0
    for frame in source.frames([column.name for column in columns]):
        num_rows += len(frame)
        for column in columns:
            column.append(frame[column.name], is_held=True)
        rows.merge(num_rows)
        if rows.need_their_rows:
            return None
    return rows


def _code_columns(
    source: Batches, num_rows: int, kinds: Kinds, names: tuple[str, ...], likely: list[str]
) -> tuple[list[Column], int, Batches | None, RowSums | None]:
    """Code column by column, in the memory of the result and of a few columns.

    Where real numbers are too many to hold, they are gone through once, some rows at a time, and
    stay where they are; sums over them are taken along.
    """
    if num_rows * len(likely) <= HELD_CELLS:
        columns = [code_series(name, source.column(name), kinds.get(name)) for name in names]
        return columns, num_rows, None, None
    columns = []
    seen, sums = _look_through(source, likely, kinds)
    for name in names:
        column = seen.get(name) or code_series(name, source.column(name), kinds.get(name))
        # what turns out to be real stays where it is too
        columns.append(replace(column, pieces=[]) if isinstance(column, RealColumn) else column)
    real = [column.name for column in columns if isinstance(column, RealColumn)]
    if sums is not None and set(real) <= set(likely):
        return columns, num_rows, source, sums.select([likely.index(name) for name in real])
    return columns, num_rows, source, None


def _is_likely(kind: Any, declared: str | None) -> bool:
    """Whether a column of that type of Arrow's will be one of real numbers."""
    from pyarrow.types import is_floating, is_integer

    if is_floating(kind):
        return declared != DISCRETE
    return declared == REAL and bool(is_integer(kind))


def _look_through(
    source: Batches, names: list[str], kinds: Kinds
) -> tuple[dict[str, Column], RowSums | None]:
    """Those columns that are real, because they have fractions or are declared so; sums of all."""
    seen, summing = {name: Numbers(name) for name in names}, Summing()
    are_real = {name for name in names if kinds.get(name) == REAL}
    for block in source.blocks(names):
        summing.see(block)
        for name, numbers in zip(names, block, strict=True):
            seen[name].see(numbers)
            if name not in are_real and has_fractions(numbers):
                are_real.add(name)
    reach = np.array([numbers.highest - numbers.lowest for numbers in seen.values()])
    columns: dict[str, Column] = {name: seen[name].column([]) for name in names if name in are_real}
    return columns, summing.sums(reach)
