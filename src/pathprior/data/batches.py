"""Parquet files and Arrow tables, read column by column or some rows at a time."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data import growing_rows
from pathprior.data.arrow import (
    ArrowDataset,
    ArrowTable,
    PartitionedFrame,
    as_arrow,
    converting,
)
from pathprior.data.coding import check_kinds, code_series, floats_of, has_fractions
from pathprior.data.column import Column, Numbers, RealColumn, assemble, check_names
from pathprior.data.dataset import Dataset
from pathprior.data.formats import read_again, reading
from pathprior.data.growing_rows import GrowingRows
from pathprior.data.growing_series import GrowingSeries
from pathprior.data.kinds import DISCRETE, REAL, Kinds
from pathprior.data.row_sums import RowSums, Summing
from pathprior.data.stream import HELD_CELLS, FileState
from pathprior.data.table import BLOCK_CELLS

if TYPE_CHECKING:
    import pandas as pd

BUFFER_BYTES = 1 << 20
"""Read of each column of a file at a time; without a buffer all rows that lie together are."""


class Batches(ABC):
    """Columns of Arrow's types that can be read again and again."""

    @abstractmethod
    def schema(self) -> Any:
        """Names and types of the columns."""

    @abstractmethod
    def num_rows(self) -> int:
        """Number of rows."""

    @abstractmethod
    def frames(self, names: Sequence[str]) -> "Iterator[pd.DataFrame]":
        """These columns, some rows at a time."""

    @abstractmethod
    def column(self, name: str) -> "pd.Series[Any]":
        """All of one column."""

    def blocks(self, names: Sequence[str]) -> Iterator[NDArray[np.float64]]:
        """See `Source.blocks`."""
        for frame in self.frames(names):
            block = np.empty((len(names), len(frame)))
            for v, name in enumerate(names):
                block[v] = floats_of(frame[name])
            yield block


@dataclass(frozen=True, slots=True)
class ParquetBatches(Batches):
    """The columns of a file."""

    state: FileState

    def schema(self) -> Any:
        """See `Batches.schema`."""
        from pyarrow.parquet import read_schema

        return read_schema(self.state.path)

    def num_rows(self) -> int:
        """See `Batches.num_rows`."""
        from pyarrow.parquet import read_metadata

        return int(read_metadata(self.state.path).num_rows)

    def frames(self, names: Sequence[str]) -> "Iterator[pd.DataFrame]":
        """See `Batches.frames`."""
        return map(_frame_of, read_again(self.state, self._read(names)))

    def column(self, name: str) -> "pd.Series[Any]":
        """See `Batches.column`."""
        from pyarrow.parquet import ParquetFile

        with ParquetFile(self.state.path) as file:
            series: pd.Series[Any] = file.read(columns=[name]).to_pandas()[name]
        return series

    def _read(self, names: Sequence[str]) -> Iterator[Any]:
        from pyarrow.parquet import ParquetFile

        with ParquetFile(self.state.path, buffer_size=BUFFER_BYTES, pre_buffer=False) as file:
            yield from file.iter_batches(_num_rows(names), columns=list(names))


@dataclass(frozen=True, slots=True, eq=False)
class ArrowBatches(Batches):
    """The columns of a table of pyarrow, which no one can change."""

    table: Any

    def schema(self) -> Any:
        """See `Batches.schema`."""
        return self.table.schema

    def num_rows(self) -> int:
        """See `Batches.num_rows`."""
        return int(self.table.num_rows)

    def frames(self, names: Sequence[str]) -> "Iterator[pd.DataFrame]":
        """See `Batches.frames`."""
        batches = self.table.select(list(names)).to_batches(max_chunksize=_num_rows(names))
        return map(_frame_of, batches)

    def column(self, name: str) -> "pd.Series[Any]":
        """See `Batches.column`."""
        series: pd.Series[Any] = self.table.column(name).to_pandas(integer_object_nulls=True)
        return series


@dataclass(frozen=True, slots=True, eq=False)
class ArrowDatasetBatches(Batches):
    """The columns of a data set of pyarrow: files that need not fit into memory."""

    dataset: Any

    def schema(self) -> Any:
        """See `Batches.schema`."""
        return self.dataset.schema

    def num_rows(self) -> int:
        """See `Batches.num_rows`."""
        return int(self.dataset.count_rows())

    def frames(self, names: Sequence[str]) -> "Iterator[pd.DataFrame]":
        """See `Batches.frames`."""
        # one file and batch ahead, not many
        options = {"batch_size": _num_rows(names), "batch_readahead": 1, "fragment_readahead": 1}
        return map(_frame_of, self.dataset.to_batches(columns=list(names), **options))

    def column(self, name: str) -> "pd.Series[Any]":
        """See `Batches.column`."""
        column = self.dataset.to_table(columns=[name]).column(name)
        series: pd.Series[Any] = column.to_pandas(integer_object_nulls=True)
        return series


@dataclass(frozen=True, slots=True, eq=False)
class PartitionBatches(Batches):
    """The columns of a frame of Dask, computed partition by partition whenever they are needed."""

    frame: Any

    def schema(self) -> Any:
        """See `Batches.schema`."""
        import pandas as pd
        import pyarrow as pa

        dtypes = self.frame.dtypes
        empty = {name: pd.Series(dtype=dtypes[name]) for name in self.frame.columns}
        return pa.Schema.from_pandas(pd.DataFrame(empty), preserve_index=False)

    def num_rows(self) -> int:
        """See `Batches.num_rows`."""
        return len(self.frame)

    def frames(self, names: Sequence[str]) -> "Iterator[pd.DataFrame]":
        """See `Batches.frames`."""
        chosen = self.frame[list(names)]
        return (chosen.get_partition(k).compute() for k in range(chosen.npartitions))

    def column(self, name: str) -> "pd.Series[Any]":
        """See `Batches.column`."""
        series: pd.Series[Any] = self.frame[name].compute()
        return series


def code_parquet(path: Path, kinds: Kinds, *, may_miss: bool, may_merge: bool) -> Dataset:
    """Code a Parquet file."""
    with reading(path):
        import pyarrow.parquet  # noqa: F401 (without it no file can be read, be there one or not)

        source = ParquetBatches(FileState.of(path))
        return _code(source, kinds, may_miss=may_miss, may_merge=may_merge)


def code_arrow(
    data: "ArrowTable | ArrowDataset | PartitionedFrame",
    kinds: Kinds,
    *,
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
        return _code(source, kinds, may_miss=may_miss, may_merge=may_merge)


def _code(source: Batches, kinds: Kinds, *, may_miss: bool, may_merge: bool) -> Dataset:
    """Code some rows at a time and merge equal ones, or column by column."""
    schema, num_rows = source.schema(), source.num_rows()
    # through pandas, so that an index that was stored too is no column
    names = check_names(list(schema.empty_table().to_pandas().columns))
    check_kinds(kinds, names)
    likely = [name for name in names if _is_likely(schema.field(name).type, kinds.get(name))]
    if may_merge and not likely and num_rows * len(names) > growing_rows.HELD_CODES:
        columns = [GrowingSeries(name, kinds.get(name)) for name in names]
        rows = _merge(source, columns, may_miss=may_miss)
        if rows is not None:
            times = rows.finish()
            finished = [column.finish(is_held=True) for column in columns]
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


def _frame_of(batch: Any) -> "pd.DataFrame":
    # columns are not laid side by side, and an index that was stored too is no index here
    frame: pd.DataFrame = batch.to_pandas(split_blocks=True, ignore_metadata=True)
    return frame


def _num_rows(names: Sequence[str]) -> int:
    return max(1, BLOCK_CELLS // max(1, len(names)))
