"""Tables of other libraries: polars, Arrow and all that speak Arrow's PyCapsule interface."""

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pathprior.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


@runtime_checkable
class ArrowTable(Protocol):
    """A table that hands its columns over as an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a capsule with the stream."""
        ...


def read_arrow(data: ArrowTable) -> "pd.DataFrame":
    """Convert a table; dictionary columns become categoricals, whole numbers stay whole."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise DataError(
            f"reading a {type(data).__name__} needs pyarrow: pip install 'pathprior[parquet]'"
        ) from error
    try:
        # a null would turn a column of whole numbers into fractions
        frame: pd.DataFrame = pa.table(data).to_pandas(integer_object_nulls=True)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise DataError(
            f"cannot read the {type(data).__name__} as a table with named columns: {error}"
        ) from error
    return frame
