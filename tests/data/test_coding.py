import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.data.door import read_dataset
from pathprior.errors import DataError
from pathprior.network.bundled import load_network


def labels(table, v=0):
    return [table.states[v][code] for code in table.codes[v]]


@pytest.mark.parametrize(
    ("column", "states"),
    [
        (["b", "a", "b"], ("a", "b")),
        ([True, False, True], ("False", "True")),
        ([10, 9, 10], ("9", "10")),
        ([10.0, 9.0, -1.0], ("-1", "9", "10")),
        (np.array([3, 1, 3], dtype=np.uint8), ("1", "3")),
        (pd.array([2, 1, 1], dtype="Int64"), ("1", "2")),
        (pd.array([2, 1, 1], dtype="Float64"), ("1", "2")),
        (pd.array([True, False, False], dtype="boolean"), ("False", "True")),
        (pd.array(["y", "x", "x"], dtype="string"), ("x", "y")),
        (pd.array([10, 9, 9], dtype="object"), ("9", "10")),
        (pd.array(["a", 2, True], dtype="object"), ("2", "True", "a")),
        (pd.Categorical(["b", "a", "b"], categories=["c", "b", "a"]), ("c", "b", "a")),
        (pd.Categorical([2, 1, 1], categories=[3, 2, 1]), ("3", "2", "1")),
        (pd.cut([0.1, 0.9, 0.2], [0, 0.5, 1]), ("(0.0, 0.5]", "(0.5, 1.0]")),
    ],
)
def test_states_and_labels(column, states):
    frame = pd.DataFrame({"x": column})
    table = read_dataset(frame).discrete()
    assert table.variables == ("x",)
    assert table.states == (states,)
    assert table.codes.dtype == np.uint8
    assert not table.codes.flags.writeable
    expected = [str(int(v)) if isinstance(v, float) else str(v) for v in frame["x"]]
    assert labels(table) == expected


def test_a_coded_table_is_taken_as_it_is():
    table = load_network("asia").sample_table(10)
    dataset = read_dataset(table)
    assert dataset.discrete() is table
    assert read_dataset(dataset) is dataset


def test_more_than_256_states_take_two_bytes():
    names = [f"s{k:03}" for k in range(300)]
    column = pd.Categorical(names[::-1], names)
    table = read_dataset(pd.DataFrame({"x": column, "y": ["a", "b"] * 150})).discrete()
    assert table.codes.dtype == np.uint16
    assert labels(table) == names[::-1]
    assert labels(table, 1) == ["a", "b"] * 150


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=3)


@given(st.lists(TEXT, min_size=2, max_size=19).filter(lambda texts: len(set(texts)) > 1))
def test_any_texts_keep_their_labels(texts):
    table = read_dataset(pd.DataFrame({"x": pd.Series(texts, dtype=object)})).discrete()
    assert labels(table) == texts
    assert list(table.states[0]) == sorted(set(texts))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": ["x", None, "y"]}, "column 'a' misses 1 of 3 values: missing='em' .*prepare"),
        ({"a": pd.Categorical(["x", None, "y"])}, "'a' misses 1 of 3 values"),
        ({"a": [None, None, None]}, "'a' has no values: drop it"),
        ({"a": [0.5, np.nan, 2.0]}, "'a' misses 1 of 3 values: missing='em' draws them, 's"),
        ({"a": [1.0, np.inf, 2.0]}, "'a' holds infinite numbers in 1 of 3 rows: drop those rows"),
        ({"a": [*range(70), 5, 5, 80, 3] * 2}, "'a' has more than 64 different whole .* kinds"),
        ({"a": [1j, 2j]}, "'a' holds values of type complex128"),
        ({"a": pd.to_datetime(["2020-01-01", "2020-01-02"])}, "'a' holds dates, such as 2020-01-0"),
        ({"a": pd.to_datetime(["2020-01-01", "2020-01-02"], utc=True)}, "'a' holds dates"),
        ({"a": pd.to_timedelta(["1s", "2s"])}, "'a' holds values of type timedelta64"),
        ({"a": pd.Series([1, "1"], dtype=object)}, "'a' has different values that all read '1'"),
        ({"a": pd.Categorical([1, "1"])}, "'a' has different values that all read '1'"),
        ({"a": [[1], [2]]}, "'a' holds values that are not states"),
        ({"a": pd.Categorical(["x"], categories=["x", "y"])}, "'a' has 2 states.*only 1 rows"),
        ({"a": [f"v{k % 66_000}" for k in range(99_000)]}, "'a' has more than 65536 different val"),
        ({"a": []}, "no rows"),
        ({}, "no columns"),
        ({"1": ["x", "y"], 1: ["x", "y"]}, "name '1' occurs as '1' and 1"),
        ({"": ["x", "y"]}, "column 1 has no name"),
        ({"a": ["x", "y"], None: ["x", "y"]}, "column 2 has no name"),
        ({"a": ["x", "y"], float("nan"): ["x", "y"]}, "column 2 has no name"),
    ],
)
def test_errors_say_what_to_fix(columns, message):
    with pytest.raises(DataError, match=message):
        read_dataset(pd.DataFrame(columns))


def test_repeated_column_names_are_an_error():
    frame = pd.DataFrame([["x", "y"]] * 2, columns=["a", "a"])
    with pytest.raises(DataError, match="name 'a' occurs twice"):
        read_dataset(frame)


def test_other_types_are_an_error():
    with pytest.raises(DataError, match="not list"):
        read_dataset([["x", "y"]])


def test_column_names_become_texts():
    frame = pd.DataFrame({1: ["x", "y"], ("a", 2): ["x", "y"]})
    assert read_dataset(frame).variables == ("1", "('a', 2)")


def test_states_of_a_constant_column():
    frame = pd.DataFrame({"a": pd.Categorical(["x", "x"], categories=["x", "y"]), "b": ["x", "x"]})
    assert read_dataset(frame).discrete().num_states.tolist() == [2, 1]
