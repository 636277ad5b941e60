"""What the door makes of columns that are no states: identifiers, dates, crowds of numbers."""

import warnings

import numpy as np
import pandas as pd
import pytest

from pathprior.data.door import read_dataset
from pathprior.errors import DataError, PathPriorWarning
from pathprior.network.bundled import load_network

DRAW = np.random.default_rng(0)
FLAG = DRAW.integers(0, 2, 432)
DAYS = pd.date_range("2020-01-01", periods=432).strftime("%Y-%m-%d").to_numpy()


def passes(column):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_dataset(pd.DataFrame({"x": column}))


def test_numbers_with_many_states_are_warned_of_all_at_once():
    columns = {"week": 49, "age": 28, "prio": 17, "race": 10}
    frame = pd.DataFrame({name: np.arange(432) % size for name, size in columns.items()})
    with pytest.warns(PathPriorWarning, match="many states for 432 rows") as caught:
        read_dataset(frame)
    (warning,) = caught
    assert "'week' (49), 'age' (28), 'prio' (17); bin them" in str(warning.message)
    assert warning.filename == __file__


def test_texts_with_many_states_are_warned_of():
    with pytest.warns(PathPriorWarning, match=r"'x' \(50\)"):
        read_dataset(pd.DataFrame({"x": [f"state {k % 50}" for k in range(400)]}))


def test_enough_rows_small_frames_and_categoricals_are_not_warned_of():
    passes(np.arange(17 * 50) % 17)
    passes(np.arange(19))
    passes(list("abcdefghijklmnopqrs"))
    passes(pd.Categorical(np.arange(432) % 49))


@pytest.mark.parametrize("name", ["asia", "alarm", "child", "hepar2", "insurance", "win95pts"])
def test_small_samples_of_bundled_networks_pass(tmp_path, name):
    load_network(name).sample(30, seed=0).to_csv(tmp_path / "data.csv", index=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "columns with a single value")
        assert read_dataset(tmp_path / "data.csv").num_rows == 30


@pytest.mark.parametrize(
    "column",
    [
        [f"p{k}" for k in DRAW.permutation(432)],
        [f"p{min(k, 400)}" for k in range(432)],
        np.arange(432),
        np.cumsum(DRAW.integers(1, 50, 432)),
        DRAW.permutation(432) + 1000.0,
        np.arange(60),
        [f"name {k}" for k in range(20)],
        (np.arange(20) * 12 - 128).astype(np.int8),
    ],
)
@pytest.mark.parametrize("suffix", ["", ".csv"])
def test_identifiers_are_refused(tmp_path, column, suffix):
    data = pd.DataFrame({"x": column, "y": FLAG[: len(column)]})
    if suffix:
        data.to_csv(tmp_path / "data.csv", index=False)
        data = tmp_path / "data.csv"
    with pytest.raises(DataError, match=r"column 'x' looks like an identifier.*: drop it"):
        read_dataset(data)


def test_measurements_that_all_differ_are_no_identifiers():
    with pytest.raises(DataError, match="'x' has more than 64 different whole numbers"):
        read_dataset(pd.DataFrame({"x": DRAW.choice(10**6, 432, replace=False)}))


def test_an_identifier_that_is_declared_to_be_states_passes():
    passes(pd.Categorical([f"p{k}" for k in range(432)]))


@pytest.mark.parametrize(
    "column",
    [
        DAYS,
        DAYS[:5],
        np.append(DAYS[:431], "unknown"),
        [f"{day} 12:30:00" for day in DAYS],
        pd.to_datetime(DAYS).strftime("%d.%m.%Y"),
        pd.to_datetime(DAYS).strftime("%m/%d/%y"),
        pd.to_datetime(DAYS).strftime("%d-%b-%Y"),
        pd.to_datetime(DAYS).date,
        pd.to_datetime(DAYS),
    ],
)
def test_dates_are_refused(column):
    with pytest.raises(DataError, match=r"'x' holds dates, such as .*: drop it, or replace it"):
        read_dataset(pd.DataFrame({"x": column}))


def test_a_few_dates_that_many_rows_share_are_states():
    passes(np.repeat(DAYS[:4], 30))


@pytest.mark.parametrize("text", ["1.2.10", "2020-01", "12-15", "2020-13-45", "10/20", "May"])
def test_what_is_no_date(text):
    passes([text, "x"] * 2)
    passes([text] * 2 + [text + " "] * 2)


def messy():
    """A table with every problem that a column can have."""
    return pd.DataFrame(
        {
            "id": [f"p{k}" for k in range(432)],
            "born": DAYS,
            "weight": DRAW.normal(70, 10, 432).round(1),
            "smokes": pd.Series(np.where(np.arange(432) < 9, None, "no"), dtype=object),
            "bmi": np.where(np.arange(432) < 70, np.nan, DRAW.normal(25, 4, 432)),
            "note": [[k] for k in range(432)],
            "empty": [None] * 432,
            "odd": ["a\0", "b"] * 216,
            "sex": FLAG,
        }
    )


def test_one_error_names_all_columns_with_their_remedies():
    with pytest.raises(DataError) as caught:
        read_dataset(messy())
    lines = str(caught.value).splitlines()
    assert lines[0] == "7 of 9 columns cannot be used as they are:"
    assert "pp.prepare(data)" in lines[-1]
    assert "pathprior prepare FILE" in lines[-1]
    assert all(len(line) <= 80 for line in lines)
    text = " ".join(line.strip() for line in lines)
    for part in (
        "'id' looks like an identifier, with 432 different values in 432 rows: drop it",
        "'born' holds dates, such as 2020-01-01: drop it, or replace it by an age",
        "'smokes' misses 9 of 432 values 'bmi' misses 70 of 432 values 'note'",
        "missing='em' draws them, 'state' makes missing a state, 'drop' drops such rows pp.prepare",
        "'note' holds values that are not states",
        "'empty' has no values: drop it",
        "'odd' has the value 'a\\x00'",
    ):
        assert part in text
    assert "'sex'" not in text
    assert "'weight'" not in text


def test_a_file_gives_the_same_list(tmp_path):
    frame = messy().drop(columns=["note", "odd"])
    frame.to_csv(tmp_path / "data.csv", index=False)
    said = []
    for data in (frame, tmp_path / "data.csv"):
        with pytest.raises(DataError) as caught:
            read_dataset(data)
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_a_list_of_very_many_columns_ends_in_a_number():
    with pytest.raises(DataError, match=r"250 of 250 columns[\s\S]*\n  and 50 more\n"):
        read_dataset(pd.DataFrame({f"c{k}": [0.5, np.inf] for k in range(250)}))


def test_all_names_that_are_wrong_are_listed():
    frame = pd.DataFrame([[0] * 4] * 2, columns=["a", "a", "", "b\r"])
    with pytest.raises(DataError, match=r"occurs twice.*\n.*no name.*\n.*carriage return"):
        read_dataset(frame)
