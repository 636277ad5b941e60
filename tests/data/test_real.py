"""Columns of real numbers at the door: which they are, from every source, and as declared."""

import tracemalloc
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.data import growing, readers
from pathprior.data.door import read_dataset
from pathprior.errors import DataError

DRAW = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "sex": list("mf") * 50,
        "weight": DRAW.normal(70, 10, 100),
        "grade": DRAW.integers(1, 6, 100),
        "share": DRAW.random(100).round(2),
    }
)


def check(dataset):
    """The same columns as FRAME's."""
    assert dataset.variables == tuple(FRAME.columns)
    assert dataset.coded.variables == ("sex", "grade")
    assert dataset.reals.variables == ("weight", "share")
    np.testing.assert_allclose(dataset.reals.values, FRAME[["weight", "share"]].T, rtol=1e-15)
    labels = np.array(dataset.coded.states[1])[dataset.coded.codes[1]]
    assert labels.tolist() == [str(grade) for grade in FRAME["grade"]]


def test_fractions_are_real_and_the_rest_are_states():
    check(read_dataset(FRAME))
    assert read_dataset(FRAME).reals.values.flags.c_contiguous


@pytest.mark.parametrize(
    "dtype", ["float32", "Float64", "Float32", object, pd.ArrowDtype(pa.float64())]
)
def test_types_of_floats(dtype):
    frame = FRAME.round(1).astype({"weight": dtype})
    dataset = read_dataset(frame)
    assert dataset.reals.variables == ("weight", "share")
    np.testing.assert_allclose(dataset.reals.values[0], frame["weight"].astype(float))


@pytest.mark.parametrize("name", ["d.csv", "d.tsv", "d.csv.gz", "d.parquet", "d.xlsx"])
def test_files(tmp_path, name):
    path = tmp_path / name
    if name.endswith("parquet"):
        FRAME.to_parquet(path)
    elif name.endswith("xlsx"):
        FRAME.to_excel(path, index=False)
    else:
        FRAME.to_csv(path, index=False, sep="\t" if "tsv" in name else ",")
    check(read_dataset(path))


def test_tables_of_other_libraries():
    check(read_dataset(pa.Table.from_pandas(FRAME)))
    check(read_dataset(pl.DataFrame(FRAME.to_dict("list"))))


@pytest.mark.parametrize("column", [np.arange(40.0) % 7, [1, 2, 3, 2] * 10, [True, False] * 20])
def test_whole_numbers_are_states(column):
    assert read_dataset(pd.DataFrame({"x": column})).reals.variables == ()


def test_numbers_too_large_to_be_told_apart_are_real():
    assert read_dataset(pd.DataFrame({"x": [1e300, 2e300, 1e20]})).reals.variables == ("x",)


# -- declared ------------------------------------------------------------------------------------


def ages(suffix, tmp_path):
    frame = pd.DataFrame({"age": [31, 70, 31, 5] * 30, "dose": [0.5, 1.0, 2.5, 0.5] * 30})
    if not suffix:
        return frame
    frame.to_csv(tmp_path / "data.csv", index=False)
    return tmp_path / "data.csv"


@pytest.mark.parametrize("suffix", ["", ".csv"])
def test_kinds_are_declared(tmp_path, suffix):
    data = ages(suffix, tmp_path)
    dataset = read_dataset(data, kinds={"age": "real", "dose": "discrete"})
    assert dataset.reals.variables == ("age",)
    assert dataset.reals.values[0, :4].tolist() == [31.0, 70.0, 31.0, 5.0]
    assert dataset.coded.states == (("0.5", "1", "2.5"),)
    assert dataset.coded.codes[0, :4].tolist() == [0, 1, 2, 0]


@pytest.mark.parametrize("suffix", ["", ".csv"])
def test_many_whole_numbers_must_be_declared(tmp_path, suffix):
    data = pd.DataFrame({"pay": DRAW.permutation(1000)[:300] * 7, "b": [0, 1] * 150})
    if suffix:
        data.to_csv(tmp_path / "data.csv", index=False)
        data = tmp_path / "data.csv"
    with pytest.raises(DataError, match="'pay' has more than 64 different whole numbers: declare"):
        read_dataset(data)
    assert read_dataset(data, kinds={"pay": "real"}).reals.variables == ("pay",)
    assert len(read_dataset(data, kinds={"pay": "discrete"}).coded.states[0]) == 300


@pytest.mark.parametrize("suffix", ["", ".csv"])
def test_texts_cannot_be_real(tmp_path, suffix):
    data = pd.DataFrame({"dose": ["1.5", "low", "2.5"], "b": [0, 1, 1]})
    if suffix:
        data.to_csv(tmp_path / "data.csv", index=False)
        data = tmp_path / "data.csv"
    with pytest.raises(DataError, match="'dose' is declared real and holds other values, such as"):
        read_dataset(data, kinds={"dose": "real"})


def test_categories_and_truths_can_be_real_where_they_are_numbers():
    frame = pd.DataFrame({"a": pd.Categorical([3, 1, 3]), "b": [True, False, False]})
    dataset = read_dataset(frame, kinds={"a": "real", "b": "real"})
    assert dataset.reals.values.tolist() == [[3.0, 1.0, 3.0], [1.0, 0.0, 0.0]]
    with pytest.raises(DataError, match="'a' is declared real"):
        read_dataset(frame.assign(a=pd.Categorical(list("xyx"))), kinds={"a": "real"})
    with pytest.raises(DataError, match="'a' is declared real"):
        read_dataset(frame.assign(a=pd.date_range("2020", periods=3)), kinds={"a": "real"})


def test_what_was_read_keeps_its_kinds():
    dataset = read_dataset(FRAME)
    assert read_dataset(dataset, kinds={"weight": "real", "sex": "discrete"}) is dataset
    with pytest.raises(DataError, match="'grade' was read before and is not real"):
        read_dataset(dataset, kinds={"grade": "real"})


# -- text files ----------------------------------------------------------------------------------


@given(
    numbers=st.lists(st.sampled_from(["1", "2.5", "-3e-3", "1.0", "0.125"]), min_size=4),
    chunk_cells=st.integers(1, 30),
    first_rows=st.integers(1, 5),
)
def test_chunks_do_not_show(tmp_path_factory, numbers, chunk_cells, first_rows):
    path = tmp_path_factory.mktemp("chunks") / "data.csv"
    texts = [*numbers, "0.75"]
    path.write_text("a,b\n" + "".join(f"{a},x{k % 2}\n" for k, a in enumerate(texts)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readers, "CHUNK_CELLS", chunk_cells)
        patch.setattr(readers, "FIRST_ROWS", first_rows)
        dataset = read_dataset(path)
    assert dataset.reals.values[0].tolist() == [float(text) for text in texts]


def test_a_text_after_many_numbers_makes_a_column_of_texts(tmp_path, monkeypatch):
    monkeypatch.setattr(readers, "FIRST_ROWS", 5)
    path = tmp_path / "data.csv"
    path.write_text("a,b\n" + "0.5,1\n1.5,0\n" * 30 + "low,1\n")
    dataset = read_dataset(path)
    assert dataset.coded.states[0] == ("0.5", "1.5", "low")


def test_fractions_may_show_when_there_are_too_many_numbers_for_codes(tmp_path, monkeypatch):
    monkeypatch.setattr(readers, "FIRST_ROWS", 5)
    monkeypatch.setattr(growing, "MAX_STATES", 20)
    numbers = [*range(10), *(np.arange(90) / 8)]
    path = tmp_path / "data.csv"
    path.write_text("a\n" + "".join(f"{number}\n" for number in numbers))
    assert read_dataset(path).reals.values[0].tolist() == numbers


def test_gaps_among_whole_numbers_make_no_fractions(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b\n1,x\n,y\n2,x\n")
    with pytest.raises(DataError, match="'a' misses 1 of 3 values: missing='em' draws"):
        read_dataset(path)


def test_a_frame_of_doubles_is_copied_once():
    values = DRAW.normal(size=(50_000, 8))
    frame = pd.DataFrame(values, columns=list("abcdefgh"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dataset = read_dataset(frame)
    assert not np.shares_memory(dataset.reals.values, values)
    np.testing.assert_array_equal(dataset.reals.values, values.T)


def test_a_frame_of_floats_is_not_made_doubles_first():
    values = DRAW.normal(size=(50_000, 8)).astype(np.float32)
    frame = pd.DataFrame(values, columns=list("abcdefgh"))
    read_dataset(frame)
    tracemalloc.start()
    dataset = read_dataset(frame)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    np.testing.assert_array_equal(dataset.reals.values, values.T)
    assert peak < 1.5 * dataset.reals.values.nbytes
