"""What was set, however it is said: a column, a sequence, a table, a file."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pathprior.data.dataset import Dataset
from pathprior.data.door import read_dataset
from pathprior.data.strata import cut_pairs, find_strata, target_sets
from pathprior.errors import DataError, PathPriorWarning

FRAME = pd.DataFrame({"a": [0, 1, 0, 1], "b": [1, 0, 1, 1], "c": list("xyxy")})
TARGETS = [None, "a", "b; c", "none"]
MASK = [[False, True, False, False], [False, False, True, False], [False, False, True, False]]
TABLE = pd.DataFrame(np.array(MASK).T, columns=list("abc"))


def mask(dataset: Dataset) -> list[list[bool]]:
    assert dataset.variables == ("a", "b", "c")
    assert dataset.intervened is not None
    return dataset.intervened.tolist()


@pytest.mark.parametrize(
    "given",
    [
        TARGETS,
        [(), ["a"], {"b", "c"}, ""],
        [np.nan, "a", "b;c", pd.NA],
        pd.Series(TARGETS, index=[9, 8, 7, 6]),
        np.array(TARGETS, dtype=object),
        pl.Series(TARGETS),
        TABLE,
        TABLE[["c", "b", "a"]],
        TABLE.to_numpy(),
        pl.from_pandas(TABLE),
        pa.Table.from_pandas(TABLE),
    ],
    ids=lambda given: type(given).__module__ + type(given).__name__,
)
def test_all_ways_to_say_it(given: object) -> None:
    dataset = read_dataset(FRAME, interventions=given)
    assert mask(dataset) == MASK
    assert dataset.target_column is None
    assert not dataset.are_soft


def test_a_column_of_targets_is_no_variable(tmp_path: Path) -> None:
    frame = FRAME.assign(target=TARGETS)[["a", "target", "b", "c"]]
    frame.to_csv(tmp_path / "data.csv", index=False)
    frame.to_parquet(tmp_path / "data.parquet")
    for data in (frame, pl.from_pandas(frame), tmp_path / "data.csv", tmp_path / "data.parquet"):
        dataset = read_dataset(data, interventions="target")
        assert mask(dataset) == MASK
        assert dataset.target_column == "target"
        np.testing.assert_array_equal(dataset.discrete(may_be_set=True).codes[0], [0, 1, 0, 1])


def test_data_that_were_read_before() -> None:
    frame = FRAME.assign(target=["-", "a", "-", "b"])
    first = read_dataset(frame.replace("-", "none"))
    dataset = read_dataset(first, interventions="target")
    assert mask(dataset) == [[False, True, False, False], [False] * 3 + [True], [False] * 4]
    assert read_dataset(dataset, interventions="target").intervened is dataset.intervened
    assert read_dataset(dataset, interventions="target", interventions_kind="soft").are_soft
    assert read_dataset(dataset) is dataset


def test_names_that_look_like_several_or_like_none() -> None:
    frame = pd.DataFrame({"a;b": [0, 1], "none": [1, 0], "a": [0, 1], "3": [0, 1]})
    dataset = read_dataset(frame, interventions=["a;b", "none"])
    assert dataset.intervened is not None
    assert dataset.intervened.tolist() == [[True, False], [False, True], [False] * 2, [False] * 2]
    numbered = read_dataset(frame, interventions=[np.nan, 3.0])
    assert numbered.intervened is not None
    assert numbered.intervened[3].tolist() == [False, True]


def test_a_column_of_real_numbers_beside_one_of_targets(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    rows = "".join(f"{k / 7},{k % 2},{'x' if k == 3 else ''}\n" for k in range(1500))
    path.write_text("x,b,target\n" + rows, encoding="utf-8")
    dataset = read_dataset(path, interventions="target")
    assert dataset.reals.variables == ("x",)
    assert dataset.intervened is not None
    assert np.argwhere(dataset.intervened).tolist() == [[0, 3]]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["a", None, "PKB", "PKB"], r"row 3 says that 'PKB' was set, .* such rows \(2\)"),
        (["a;;b", None, None, None], "row 1 says that '' was set"),
        (["a"], "interventions has 1 rows, the data have 4"),
        (TABLE.iloc[:2], "interventions has 2 rows, the data have 4"),
        (TABLE.assign(d=False), "has a column 'd', which the data do not have"),
        (TABLE.assign(a=0), "column 'a' of interventions must hold True or False alone"),
        (TABLE.to_numpy()[:, :2], "interventions has 2 columns, the data have 3"),
        ("target", "interventions names a column 'target', which the data do not have"),
        (3, "not int"),
    ],
)
def test_mistakes_are_refused_in_a_sentence(given: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_dataset(FRAME, interventions=given)


def test_what_cannot_be_said_twice_or_otherwise() -> None:
    dataset = read_dataset(FRAME, interventions=TARGETS)
    with pytest.raises(DataError, match="says already what was set"):
        read_dataset(dataset, interventions=TARGETS)
    with pytest.raises(DataError, match="'hard' or 'soft', not 'firm'"):
        read_dataset(FRAME, interventions=TARGETS, interventions_kind="firm")
    with pytest.warns(PathPriorWarning, match="nothing was set in any row"):
        assert read_dataset(FRAME, interventions=[None] * 4).intervened is None


def test_strata_of_values_that_were_set() -> None:
    strata = find_strata(read_dataset(FRAME, interventions=TARGETS))
    assert strata.of_variable == ((0,), (1,), (1,))
    assert strata.rows.tolist() == [[True, False, True, True], [True, True, False, True]]


def test_strata_of_mechanisms_that_were_changed() -> None:
    dataset = read_dataset(
        FRAME, interventions=["a", "a;b", "a;b", None], interventions_kind="soft"
    )
    strata = find_strata(dataset)
    rows = [strata.rows[list(numbers)].astype(int).tolist() for numbers in strata.of_variable]
    assert rows == [
        [[0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 1, 0]],
        [[1, 0, 0, 1], [0, 1, 1, 0]],
        [[1, 1, 1, 1]],
    ]


def test_target_sets_and_the_pairs_that_they_cut() -> None:
    dataset = read_dataset(FRAME, interventions=["b;c", "b;c", None, "b;c"])
    assert [targets for targets, _ in target_sets(dataset)] == [(1, 2), ()]
    assert [rows.tolist() for _, rows in target_sets(dataset)] == [
        [True, True, False, True],
        [False, False, True, False],
    ]
    assert cut_pairs(dataset).astype(int).tolist() == [[0, 1, 1], [1, 0, 0], [1, 0, 0]]
    assert not cut_pairs(read_dataset(FRAME)).any()


def test_columns_in_another_order_keep_what_was_set() -> None:
    dataset = read_dataset(FRAME, interventions=TARGETS).select(["c", "a"])
    assert dataset.intervened is not None
    assert dataset.intervened.tolist() == [MASK[2], MASK[0]]
