import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pathprior.data.door import read_dataset
from pathprior.errors import DataError

COLUMNS = {
    "text": ["b", "a", "b", "c"],
    "number": [10, 2, 10, 2],
    "flag": [True, False, True, True],
}


def same(a, b):
    a, b = a.discrete(), b.discrete()
    return a.variables == b.variables and a.states == b.states and (a.codes == b.codes).all()


def test_an_arrow_table_is_coded_like_the_frame():
    assert same(read_dataset(pa.table(COLUMNS)), read_dataset(pd.DataFrame(COLUMNS)))


def test_a_stream_of_batches_is_read():
    table = pa.table(COLUMNS)
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=1))
    assert same(read_dataset(reader), read_dataset(pd.DataFrame(COLUMNS)))


def test_a_dictionary_keeps_its_order_and_its_unused_states():
    codes = pa.array([2, 0, 2], type=pa.int8())
    column = pa.DictionaryArray.from_arrays(codes, ["low", "middle", "high"])
    table = read_dataset(pa.table({"level": column, "other": [0, 1, 1]})).discrete()
    assert table.states[0] == ("low", "middle", "high")
    assert table.codes[0].tolist() == [2, 0, 2]


def test_nulls_are_missing_values_and_numbers_stay_whole():
    with pytest.raises(DataError, match="missing"):
        read_dataset(pa.table({"a": pa.array([1, None, 2]), "b": ["x", "y", "x"]}))


def test_a_single_column_is_no_table():
    with pytest.raises(DataError, match="cannot read the ChunkedArray as a table"):
        read_dataset(pa.chunked_array([[1, 2, 1]]))


def test_repeated_names_are_refused():
    table = pa.table([pa.array([0, 1]), pa.array([0, 1])], names=["a", "a"])
    with pytest.raises(DataError, match="'a'"):
        read_dataset(table)


def test_polars_frames_are_coded_like_pandas_frames():
    assert same(read_dataset(pl.DataFrame(COLUMNS)), read_dataset(pd.DataFrame(COLUMNS)))
    levels = pl.Series(["high", "low", "low"], dtype=pl.Enum(["low", "middle", "high"]))
    table = read_dataset(pl.DataFrame({"level": levels, "other": [0, 1, 1]})).discrete()
    assert table.states[0] == ("low", "middle", "high")
    with pytest.raises(DataError, match="LazyFrame"):
        read_dataset(pl.DataFrame(COLUMNS).lazy())
