"""Where rows come from, some at a time: Parquet files, Arrow tables, data sets, frames of Dask."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.coding import floats_of
from pathprior.data.formats import PARQUET, decoding, read_again
from pathprior.data.stream import FileState
from pathprior.data.table import BLOCK_CELLS

if TYPE_CHECKING:
    import pandas as pd

BUFFER_BYTES = 1 << 20
"""Read of each column of a file at a time; without a buffer all rows that lie together are."""


def names_in(schema: Any) -> list[Any]:
    """Names of the columns of a schema; through pandas, so that an index is none.

    An error of any kind where what pandas has noted beside the columns is not about them.
    """
    names = list(schema.empty_table().to_pandas().columns)
    if strange := sorted(set(map(str, names)) - set(schema.names)):
        raise ValueError(f"there is no column {strange[0]!r}, though pandas notes it")
    return names


class Batches(ABC):
    """Columns of Arrow's types that can be read again and again."""

    @abstractmethod
    def schema(self) -> Any:
        """Names and types of the columns."""

    def names(self) -> list[Any]:
        """Names of the columns, without an index that was stored too."""
        return names_in(self.schema())

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

        with decoding(self.state.path, PARQUET):
            return read_schema(self.state.path)

    def names(self) -> list[Any]:
        """See `Batches.names`."""
        schema = self.schema()
        with decoding(self.state.path, PARQUET):
            return names_in(schema)

    def num_rows(self) -> int:
        """See `Batches.num_rows`."""
        from pyarrow.parquet import read_metadata

        with decoding(self.state.path, PARQUET):
            return int(read_metadata(self.state.path).num_rows)

    def frames(self, names: Sequence[str]) -> "Iterator[pd.DataFrame]":
        """See `Batches.frames`."""
        return map(_frame_of, read_again(self.state, self._read(names)))

    def column(self, name: str) -> "pd.Series[Any]":
        """See `Batches.column`."""
        from pyarrow.parquet import ParquetFile

        path = self.state.path
        with decoding(path, PARQUET), ParquetFile(path) as file:
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


def _frame_of(batch: Any) -> "pd.DataFrame":
    # columns are not laid side by side, and an index that was stored too is no index here
    frame: pd.DataFrame = batch.to_pandas(split_blocks=True, ignore_metadata=True)
    return frame


def _num_rows(names: Sequence[str]) -> int:
    return max(1, BLOCK_CELLS // max(1, len(names)))
