import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.data.cuts import bin_labels, quantile_cuts
from pathprior.data.door import read_dataset
from pathprior.errors import DataError
from tests.data.test_kinds import messy

DRAW = np.random.default_rng(1)
RAW = messy()


def run(preparation, frame=None):
    """The table that the shown code makes."""
    names = {} if frame is None else {"df": frame.copy()}
    exec(preparation.code(), names)
    return names["df"]


def check(preparation, frame):
    """The table is what the code makes, the raw frame stays, and the door takes it silently."""
    before = frame.copy(deep=True)
    table = preparation.table()
    pd.testing.assert_frame_equal(run(preparation, frame), table)
    pd.testing.assert_frame_equal(frame, before)
    assert all(len(line) <= 80 for line in str(preparation).splitlines())
    if table.shape[1] and len(table):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            read_dataset(table, kinds=preparation.kinds)
    return table


def test_a_messy_table_is_prepared_and_learned_from():
    preparation = pp.prepare(RAW)
    table = check(preparation, RAW)
    assert preparation["weight"].summary == "keep as real numbers"
    assert preparation["bmi"].summary.startswith("bin: ")  # beside a state for missing values
    assert preparation.kinds == {}
    assert read_dataset(table).reals.variables == ("weight",)
    binned = check(pp.prepare(RAW, bins=3), RAW)
    assert binned["weight"].value_counts().between(120, 170).all()
    assert list(table.columns) == ["weight", "smokes", "bmi", "sex"]
    assert len(table) == 432
    kinds = {plan.name: plan.kind.value for plan in preparation.columns}
    assert kinds == {
        "id": "id",
        "born": "date",
        "weight": "continuous",
        "smokes": "constant",
        "bmi": "continuous",
        "note": "unreadable",
        "empty": "missing",
        "odd": "unreadable",
        "sex": "binary",
    }
    assert set(table["smokes"]) == {"no", "missing"}
    assert "missing" in set(table["bmi"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pp.learn(table, [pp.causes("weight", "bmi", 0.9)]).dag.num_nodes == 4


def test_the_proposals_are_shown():
    text = str(pp.prepare(RAW))
    assert "born    date            432        0  drop: dates; use an age, a year" in text
    assert "432 rows, 9 columns become 432 rows, 4 columns." in text
    assert text.endswith("\nmissing='em' would leave the gaps for learn to draw.")
    html = pp.prepare(RAW.rename(columns={"sex": "<b>"}))._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<td>continuous</td>" in html


def test_long_names_and_many_states_fit_the_line():
    frame = pd.DataFrame({"n" * 300: [0.5, 1.5, 2.5] * 9, "b": [0, 1, 1] * 9})
    check(pp.prepare(frame), frame)


def test_rows_are_dropped_while_that_is_cheap():
    rows = np.arange(200)
    frame = pd.DataFrame(
        {
            "few": np.where(rows < 4, np.nan, rows % 3),
            "some": np.where(rows < 15, np.nan, rows % 2),
            "many": np.where((rows > 50) & (rows < 80), np.nan, rows % 3),
        }
    )
    preparation = pp.prepare(frame)
    assert [plan.missing for plan in preparation.columns] == ["drop", "drop", "state"]
    table = check(preparation, frame)
    assert len(table) == 185
    assert set(table["many"]) == {"0", "1", "2", "missing"}
    assert len(pp.prepare(frame, missing="drop").table()) == 156
    assert len(pp.prepare(frame, missing="state").table()) == 200
    assert len(pp.prepare(frame, missing={"some": "state"}).table()) == 196


def test_a_column_that_is_constant_where_rows_stay_is_dropped():
    frame = pd.DataFrame({"a": [0, 1] * 50, "b": [None] * 3 + ["x", "y"] * 47 + ["x"] * 3})
    frame["censored"] = frame["b"].isna()
    preparation = pp.prepare(frame)
    assert preparation["censored"].summary == "drop: one value in the rows that stay"
    assert check(preparation, frame).shape == (97, 2)


def test_changes_return_another_preparation():
    frame = pd.DataFrame({"age": DRAW.integers(18, 90, 500), "sex": ["m", "f"] * 250})
    first = pp.prepare(frame)
    cut = first.change("age", cuts=[0, 30, 50])
    assert read_dataset(cut.table()).discrete().states[0] == ("<30", "[30, 50)", ">=50")
    assert (cut.table()["age"] == "[30, 50)").sum() == frame["age"].between(30, 49).sum()
    assert len(first.change("age", bins=5).table()["age"].cat.categories) == 5
    assert list(first.change("age", drop=True).table().columns) == ["sex"]
    kept = first.change("age", keep=True)
    assert kept.table()["age"].nunique() > 64
    real = first.change("age", bins=5).change("age", real=True)
    assert real.table()["age"].dtype == float
    for preparation in (first, cut, kept, real):
        check(preparation, frame)
    assert str(first) == str(pp.prepare(frame))
    gaps = frame.assign(sex=["m", None] * 250)
    rows = pp.prepare(gaps).change("sex", missing="state").change("sex", missing="drop")
    assert 'astype("string")' not in rows.code()
    asked = pp.prepare(frame, cuts={"age": [30, 50]}, drop=["sex"])
    assert str(asked) == str(cut.change("sex", drop=True))


def test_a_dropped_column_comes_back_with_its_gaps_settled():
    frame = RAW.assign(id=["x", None] + [f"p{k}" for k in range(430)])
    table = check(pp.prepare(frame).change("id", keep=True), frame)
    assert table["id"].nunique() == len(table) == 431


def test_states_can_be_merged():
    frame = pd.DataFrame({"city": list("aaaaabbbbcccdde") * 20, "y": [0, 1, 1] * 100})
    table = check(pp.prepare(frame, top={"city": 2}), frame)
    assert set(table["city"]) == {"a", "b", "other"}
    crowd = [f"s{k}" for k in range(30)] * 3 + ["a", "b"] * 100
    frame = pd.DataFrame({"city": crowd, "nowhere": [f"s{k}" for k in range(29)] * 10})
    preparation = pp.prepare(frame)
    assert set(check(preparation, frame)["city"]) == {"a", "b", "other"}
    assert preparation["nowhere"].is_dropped


def test_numbers_named_as_identifiers_are_dropped():
    frame = pd.DataFrame({name: np.arange(90) // 2 for name in ("id", "patientID", "site_id")})
    frame = frame.assign(paid=np.arange(90) // 2, humid=np.arange(90) // 2)
    assert list(check(pp.prepare(frame), frame).columns) == ["paid", "humid"]


def test_zeros_are_set_apart():
    counts = np.array([0] * 60 + [1] * 10 + [2] * 10 + [3] * 10 + [9] * 10)
    assert bin_labels(quantile_cuts(counts, 3), counts) == ("0", "[1, 3)", ">=3")
    income = np.where(counts == 0, 0, counts * 441.3)
    assert bin_labels(quantile_cuts(income, 3), income) == ("0", "[400, 1000)", ">=1000")
    weeks = np.array([52] * 70 + list(range(1, 31)))
    assert bin_labels(quantile_cuts(weeks, 3), weeks) == ("<16", "[16, 50)", "52")


NUMBER = st.integers(-50, 50) | st.floats(allow_nan=False, allow_infinity=False, width=32)


@given(st.lists(NUMBER, min_size=1, max_size=60), st.integers(2, 6))
def test_cuts_part_the_numbers(numbers, num_bins):
    numbers = np.array(numbers)
    cuts = quantile_cuts(numbers, num_bins)
    assert list(cuts) == sorted(set(cuts))
    assert len(cuts) == min(num_bins, len(np.unique(numbers))) - 1 or len(cuts) < num_bins - 1
    assert bool(cuts) == (len(np.unique(numbers)) > 1)
    filled = np.searchsorted(np.array(cuts), numbers, side="right")
    assert set(filled) == set(range(len(cuts) + 1))
    if cuts:
        assert len(set(bin_labels(cuts, numbers))) == len(cuts) + 1


# No text that would be a number or missing in a file.
TEXT = st.text("bcxyzé 変,'\"\\\n[%", min_size=1, max_size=4).filter(str.strip)
COLUMNS = st.sampled_from(
    [
        st.floats(),
        st.floats() | st.none(),
        st.integers(-5, 5),
        st.integers(-5, 5) | st.none(),
        st.integers(0, 40).map(lambda k: k * (k % 3 > 0)),
        st.sampled_from([1.0, 2.0, float("nan")]),
        st.booleans() | st.none(),
        st.sampled_from(["a", "b", "missing", "other", None]),
        TEXT,
        st.dates().map(str),
        st.datetimes(min_value=pd.Timestamp("1990-01-01"), max_value=pd.Timestamp("2030-01-01")),
        st.just("x"),
        st.none(),
        st.lists(st.integers(), max_size=1),
    ]
)


@st.composite
def frames(draw, *, has_categories=True):
    num_rows = draw(st.integers(1, 40))
    names = draw(st.lists(TEXT | st.integers(), min_size=1, max_size=5, unique_by=str))
    columns = {}
    for name in names:
        values = draw(st.lists(draw(COLUMNS), min_size=num_rows, max_size=num_rows))
        dtype = draw(st.sampled_from([None, object]))
        columns[name] = pd.Series(values, dtype=dtype)
        if has_categories and draw(st.integers(0, 4)) == 0 and not isinstance(values[0], list):
            columns[name] = columns[name].astype("category")
    return pd.DataFrame(columns)


@settings(max_examples=200, deadline=None)
@given(frames(), st.integers(2, 4), st.sampled_from([None, "drop", "state"]))
def test_the_code_makes_the_table(frame, num_bins, missing):
    try:
        preparation = pp.prepare(frame, bins=num_bins, missing=missing)
    except DataError:  # a name that no file keeps
        return
    check(preparation, frame)


@settings(max_examples=50, deadline=None)
@given(frames(has_categories=False), st.sampled_from([None, "drop", "state"]))
def test_a_clean_file_has_the_same_states(tmp_path_factory, frame, missing):
    try:
        table = pp.prepare(frame, missing=missing).table()
        expected = read_dataset(table).discrete()
    except DataError:
        return
    if any(
        str(state).strip() != state or state in ("NA", "nan")
        for s in expected.states
        for state in s
    ):
        return
    path = tmp_path_factory.mktemp("clean") / "clean.csv"
    table.to_csv(path, index=False)
    read = read_dataset(path).discrete()
    occurring = [
        {states[code] for code in codes}
        for states, codes in zip(expected.states, expected.codes, strict=True)
    ]
    assert [set(states) for states in read.states] == occurring


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_files_are_prepared_and_the_code_reads_them(tmp_path, monkeypatch, suffix):
    monkeypatch.chdir(tmp_path)
    frame = RAW.drop(columns=["note", "odd"]).rename(columns={"sex": " sex "})
    path = f"raw{suffix}"
    if suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index_label="", sep="\t" if suffix == ".tsv" else ",")
    preparation = pp.prepare(path)
    table = preparation.table()
    assert list(table.columns) == ["weight", "smokes", "bmi", "sex"]
    pd.testing.assert_frame_equal(run(preparation), table)
    table.to_csv("clean.csv", index=False)
    assert [set(s) for s in read_dataset("clean.csv").coded.states] == [
        set(s) for s in read_dataset(table).coded.states
    ]
    np.testing.assert_allclose(
        read_dataset("clean.csv").reals.values, read_dataset(table).reals.values
    )


def test_tables_of_other_libraries_are_prepared():
    frame = pl.DataFrame({"x": [0.5, 1.5, 2.5, None] * 9, "y": [1, 2, None, 1] * 9})
    table = pp.prepare(frame, bins={"x": 2}).table()
    assert set(table["x"]) == {"<1", ">=1", "missing"}
    assert read_dataset(table).num_rows == 36


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"drop": ["nobody"]}, "there is no column 'nobody'; the columns are 'id', 'born'"),
        ({"missing": {"nobody": "drop"}}, "there is no column 'nobody'"),
        ({"missing": "fill"}, "missing is 'drop', 'state' or 'em', not 'fill'"),
        ({"bins": 1}, "2 bins or more, not into 1"),
        ({"top": {"sex": 0}}, "cannot keep 0 states"),
        ({"cuts": {"sex": [9]}}, "no cut of column 'sex' parts its values"),
        ({"cuts": {"sex": [1, 0]}}, "cuts of column 'sex' do not increase"),
        ({"bins": {"smokes": 2}}, "'smokes' holds no numbers, it is"),
        ({"keep": ["note"]}, "'note' can only be dropped: it holds values that are not states"),
        ({"keep": ["empty"]}, "'empty' can only be dropped: it has no values"),
        ({"keep": ["id"], "drop": ["id"]}, "'id' is named in drop and in keep"),
    ],
)
def test_mistakes_are_named(options, message):
    with pytest.raises(DataError, match=message):
        pp.prepare(RAW, **options)


def test_a_change_is_one_change():
    with pytest.raises(DataError, match="needs one of keep, real, drop, bins, cuts and top"):
        pp.prepare(RAW).change("sex", keep=True, drop=True)
    with pytest.raises(DataError, match="needs one of"):
        pp.prepare(RAW).change("sex")
    with pytest.raises(DataError, match="no rows"):
        pp.prepare(RAW[:0])
    with pytest.raises(DataError, match="not list"):
        pp.prepare([1, 2])


def test_whole_numbers_that_are_measured_are_declared():
    frame = pd.DataFrame({"age": DRAW.integers(18, 60, 500), "sex": ["m", "f"] * 250})
    assert pp.prepare(frame)["age"].summary.startswith("bin: ")
    preparation = pp.prepare(frame, real=["age"])
    table = check(preparation, frame)
    assert preparation.kinds == {"age": "real"}
    assert preparation.code().endswith("kinds = {'age': 'real'}\n")
    assert pp.learn(table, kinds=preparation.kinds).resolved.score == "mixed"
    pay = frame.assign(pay=DRAW.permutation(5000)[:500])
    assert pp.prepare(pay)["pay"].summary == "keep as real numbers"
    assert pp.prepare(pay).kinds == {}  # as floats they are taken for measurements
    assert read_dataset(pp.prepare(pay).table()).reals.variables == ("pay",)


def test_missing_values_of_real_columns():
    frame = pd.DataFrame({"a": DRAW.normal(size=100), "b": [0, 1] * 50})
    frame.loc[:30, "a"] = np.nan
    assert pp.prepare(frame)["a"].summary.startswith("bin: ")
    asked = pp.prepare(frame, real=["a"])
    assert asked["a"].summary == "keep as real numbers; drop rows without it"
    assert len(check(asked, frame)) == 69
    few = frame.assign(a=np.where(np.arange(100) < 5, np.inf, DRAW.normal(size=100)))
    assert pp.prepare(few)["a"].summary == "keep as real numbers; drop rows without it"
    assert len(check(pp.prepare(few), few)) == 95


def test_gaps_can_be_left_to_learn():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.choice(["x", "y"], 60), "b": rng.normal(size=60).round(2)})
    frame["c"] = (frame["b"] > 0).astype(int)
    frame.loc[:20, "a"] = None
    frame.loc[40:, "b"] = np.nan
    left = pp.prepare(frame, missing="em")
    assert left.has_gaps
    assert left["a"].summary == "keep; leave gaps"
    assert left["b"].summary == "keep as real numbers; leave gaps"
    assert str(left).endswith("columns.\nGaps are left: learn with missing='em'.")
    assert left.table().isna().sum().tolist() == [21, 20, 0]
    assert left.change("b", real=True)["b"].missing == "em"
    assert not left.change("a", missing="state").change("b", missing="drop").has_gaps
    assert pp.learn(left.table(), missing="em").missing.num_cells == 41
