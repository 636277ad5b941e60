"""Tables of other libraries: polars, Arrow and all that speak Arrow's PyCapsule interface."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pathprior.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


@runtime_checkable
class ArrowTable(Protocol):
    """A table that hands its columns over as an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a capsule with the stream."""
        ...


@runtime_checkable
class ArrowDataset(Protocol):
    """A data set of pyarrow, one file or many, none of which is read yet."""

    def count_rows(self) -> int:
        """Return the number of rows."""
        ...

    def to_batches(self, **options: Any) -> Iterator[Any]:
        """Some rows at a time."""
        ...

    def to_table(self, **options: Any) -> Any:
        """Return all of it."""
        ...


@runtime_checkable
class PartitionedFrame(Protocol):
    """A DataFrame of Dask, none of which is computed yet."""

    def compute(self) -> Any:
        """Return all of it as a frame of pandas."""
        ...

    def get_partition(self, n: int) -> Any:
        """Return one partition."""
        ...


def as_arrow(data: ArrowTable) -> Any:
    """Return the table as pyarrow has it; columns that are Arrow's already are not copied."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise DataError(
            f"reading a {type(data).__name__} needs pyarrow: pip install 'pathprior[parquet]'"
        ) from error
    with converting(data):
        return pa.table(data)


def read_arrow(data: ArrowTable | ArrowDataset | PartitionedFrame) -> "pd.DataFrame":
    """Convert a table; dictionary columns become categoricals, whole numbers stay whole."""
    if isinstance(data, PartitionedFrame):
        computed: pd.DataFrame = data.compute()
        return computed
    with converting(data):
        table = data.to_table() if isinstance(data, ArrowDataset) else as_arrow(data)
        # a null would turn a column of whole numbers into fractions
        frame: pd.DataFrame = table.to_pandas(integer_object_nulls=True)
    return frame


@contextmanager
def converting(data: object) -> Iterator[None]:
    """Turn what pyarrow raises into a `DataError` that names the type."""
    import pyarrow as pa

    try:
        yield
    except DataError:
        raise
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise DataError(
            f"cannot read the {type(data).__name__} as a table with named columns: {error}"
        ) from error
