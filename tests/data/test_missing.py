"""Missing values at the door: refused, kept for the search, a state, or the cost of their rows."""

import numpy as np
import pandas as pd
import pytest

from pathprior.data.door import read_dataset
from pathprior.data.gaps import Gaps
from pathprior.errors import DataError, PathPriorWarning

FRAME = pd.DataFrame(
    {
        "a": ["x", None, "y", "x"] * 5,
        "b": [0.5, 1.5, None, 2.5] * 5,
        "c": [1, 0, 1, 0] * 5,
    }
)
TEXT = FRAME.to_csv(index=False)
OBSERVED = FRAME.notna().to_numpy().T


def as_csv(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(TEXT)
    return path


def as_parquet(tmp_path):
    FRAME.to_parquet(tmp_path / "data.parquet")
    return tmp_path / "data.parquet"


@pytest.mark.parametrize("source", [lambda _: FRAME, as_csv, as_parquet], ids=["df", "csv", "pq"])
def test_every_reader_knows_which_cells_were_observed(source, tmp_path):
    data = read_dataset(source(tmp_path), missing="em")
    assert np.array_equal(data.observed, OBSERVED)
    assert data.coded.states == (("x", "y"), ("0", "1"))
    assert data.coded.codes[0, OBSERVED[0]].tolist() == [0, 1, 0] * 5
    assert data.reals.values[0, OBSERVED[1]].tolist() == [0.5, 1.5, 2.5] * 5
    assert data.gaps == Gaps("em", 20, 3, (("a", 5), ("b", 5)))


def test_chunks_keep_the_places_of_gaps(tmp_path, monkeypatch):
    monkeypatch.setattr("pathprior.data.readers.CHUNK_CELLS", 9)
    whole = tmp_path / "whole.csv"
    whole.write_text("a,b\n" + "1,x\n2,y\n,x\n70,\n" * 3 + "1.5,x\n2.5,x\n")
    for kinds in ({}, {"a": "discrete"}, {"a": "real"}):
        data = read_dataset(whole, missing="em", kinds=kinds)
        gaps = [2, 6, 10], [3, 7, 11]
        assert [np.flatnonzero(~row).tolist() for row in data.observed] == list(gaps)


def test_missing_as_a_state():
    frame = pd.DataFrame({"a": ["x", None, "missing", "x"], "b": [0, 1, 1, 0]})
    data = read_dataset(frame, missing="state")
    assert data.observed is None
    assert data.coded.states == (("missing", "x", "missing value"), ("0", "1"))
    assert data.coded.codes[0].tolist() == [1, 2, 0, 1]
    assert data.gaps.treatment == "state"


def test_a_state_more_than_a_byte_holds():
    frame = pd.DataFrame({"a": [*(f"v{k}" for k in range(256)), *["v1"] * 99, None]})
    data = read_dataset(frame.astype("category"), missing="state")
    assert data.coded.codes[0, -1] == 256


def test_rows_are_dropped_with_what_was_set_in_them():
    given = [None, "c"] * 10
    data = read_dataset(FRAME, missing="drop", interventions=given)
    assert data.num_rows == 10
    assert data.gaps == Gaps("drop", 20, 3, (("a", 5), ("b", 5)))
    assert data.intervened[2].tolist() == [False, True] * 5


def test_complete_data_are_the_same_whatever_is_asked():
    frame = FRAME.dropna()
    plain = read_dataset(frame)
    for missing in ("em", "state", "drop"):
        data = read_dataset(frame, missing=missing)
        assert np.array_equal(data.coded.codes, plain.coded.codes)
        assert data.gaps is data.observed is None


def test_a_data_set_that_was_read_before():
    data = read_dataset(FRAME, missing="em")
    assert read_dataset(data, missing="em").gaps == data.gaps
    assert read_dataset(data, missing="drop").num_rows == 10
    with pytest.raises(DataError, match="'a' misses 5 of 20 values\n  'b' misses"):
        read_dataset(data)
    # treated already: nothing is left to do
    dropped = read_dataset(FRAME, missing="drop")
    assert read_dataset(dropped, missing="drop") is dropped


def test_a_missing_entry_of_a_column_of_targets_says_that_nothing_was_set():
    frame = FRAME.assign(target=["a", None, "none", "c"] * 5)
    data = read_dataset(frame, missing="em", interventions="target")
    again = read_dataset(read_dataset(frame, missing="em"), missing="em", interventions="target")
    for one in (data, again):
        assert one.variables == ("a", "b", "c")
        assert one.intervened.sum(axis=1).tolist() == [5, 0, 5]


def test_rows_and_columns_that_say_little():
    frame = pd.DataFrame({"a": [0, 1, None, None, 1], "b": [1.5, None, None, None, 0.5]})
    with pytest.warns(PathPriorWarning) as warned:
        data = read_dataset(frame, missing="em")
    assert data.num_rows == 3
    assert data.gaps == Gaps("em", 5, 2, (("a", 2), ("b", 3)))
    said = [str(one.message) for one in warned]
    assert said[0].startswith("more than half of the values are missing in 'b'")
    assert said[1] == "rows without any value were left out: 2 of 5"


@pytest.mark.parametrize("missing", ["em", "state", "drop"])
def test_an_empty_column_is_refused(missing):
    frame = pd.DataFrame({"a": [None] * 20, "b": [0, 1] * 10})
    with pytest.raises(DataError, match="'a' has no values: drop it"):
        read_dataset(frame, missing=missing)
