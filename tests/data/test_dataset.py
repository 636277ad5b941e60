from dataclasses import FrozenInstanceError, replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.data.dataset import Dataset
from pathprior.data.door import read_dataset
from pathprior.data.table import DataTable, RealTable
from pathprior.errors import DataError
from pathprior.problem.constant import constant_names
from pathprior.score.bde import Bde
from pathprior.score.bdeu import Bdeu
from tests.data_tables import make_table, tables


def codes() -> DataTable:
    return make_table(np.array([[0, 1, 1], [2, 0, 1]], np.uint8), [2, 3])


def numbers() -> RealTable:
    return RealTable(("x", "y"), np.array([[0.5, 1.5, 2.5], [3.0, 4.0, 5.0]]))


def mixed(**masks: np.ndarray) -> Dataset:
    return Dataset(("x", "v0", "y", "v1"), codes(), numbers(), name="mixed.csv", **masks)


def cells(*places: tuple[int, int]) -> np.ndarray:
    mask = np.zeros((4, 3), dtype=bool)
    mask[tuple(zip(*places, strict=True))] = True
    return mask


# -- views ---------------------------------------------------------------------------------------


def test_the_views_are_the_tables_themselves():
    coded, real = codes(), numbers()
    assert Dataset.of_codes(coded).discrete() is coded
    assert Dataset.of_reals(real).real() is real
    assert Dataset.of_reals(real).select(["x", "y"]).real() is real


def test_the_size_is_that_of_all_columns():
    data = mixed()
    assert (data.num_variables, data.num_rows) == (4, 3)
    assert Dataset.of_reals(numbers()).num_rows == 3


def test_a_view_refuses_columns_of_the_other_kind():
    with pytest.raises(DataError, match="real numbers: 'x', 'y'; cut"):
        mixed().discrete()
    with pytest.raises(DataError, match="hold states: 'v0', 'v1'; drop"):
        mixed().real()
    assert mixed().select(["v1", "v0"]).discrete().codes.tolist() == [[2, 0, 1], [0, 1, 1]]
    assert mixed().select(["y"]).real().values.tolist() == [[3.0, 4.0, 5.0]]


@pytest.mark.parametrize(
    ("masks", "message"),
    [
        ({"observed": ~cells((1, 0), (1, 2), (3, 1))}, r"missing in 'v0' \(2\), 'v1' \(1\); drop"),
        ({"intervened": cells((3, 1))}, r"values were set in 'v1' \(1\); drop"),
    ],
)
def test_views_refuse_cells_that_were_not_observed_or_were_set(masks, message):
    coded = mixed(**masks).select(["v0", "v1"])
    with pytest.raises(DataError, match=message):
        coded.discrete()
    assert mixed(**masks).select(["x", "y"]).real().variables == ("x", "y")


def test_very_many_columns_are_not_all_named():
    names = tuple(f"x{k}" for k in range(250))
    with pytest.raises(DataError, match="'x199' and 50 more; cut"):
        Dataset.of_reals(RealTable(names, np.zeros((250, 2)))).discrete()


@pytest.mark.parametrize("score", [Bdeu(), Bde(None)])  # refused before the network is looked at
def test_scores_of_states_refuse_real_numbers(score):
    with pytest.raises(DataError, match="states are needed"):
        score.bind(mixed())


# -- immutability --------------------------------------------------------------------------------


def test_nothing_can_be_changed():
    data = mixed(observed=~cells((0, 0)), intervened=cells((1, 1)))
    for array in (data.coded.codes, data.reals.values, data.observed, data.intervened):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    with pytest.raises(FrozenInstanceError):
        data.name = "other"


def test_numbers_of_another_type_become_floats():
    table = RealTable(("x",), np.array([[1, 2]], dtype=np.int32))
    assert table.values.dtype == np.float64
    assert table.values.flags.c_contiguous


# -- masks ---------------------------------------------------------------------------------------


def test_masks_that_say_nothing_are_none():
    data = mixed(observed=np.ones((4, 3), bool), intervened=np.zeros((4, 3), bool))
    assert data.observed is None
    assert data.intervened is None


def test_known_values_are_the_observed_ones():
    data = mixed(observed=~cells((0, 1), (3, 0), (3, 2)))
    known = {name: values.tolist() for name, values in data.known()}
    assert known == {"x": [0.5, 2.5], "v0": [0, 1, 1], "y": [3.0, 4.0, 5.0], "v1": [0]}
    assert list(known) == list(data.variables)


def test_columns_are_constant_if_what_is_known_of_them_is():
    assert constant_names(mixed()) == ()
    data = mixed(observed=~cells((0, 0), (0, 1), (1, 0), (3, 0), (3, 1), (3, 2)))
    assert constant_names(data) == ("x", "v0", "v1")


def test_numbers_need_only_be_finite_where_observed():
    values = np.array([[1.0, np.nan, np.inf]])
    with pytest.raises(DataError, match="NaN or infinite numbers: 'x'"):
        Dataset.of_reals(RealTable(("x",), values))
    none = DataTable((), np.empty((0, 3), np.uint8), ())
    observed = np.array([[True, False, False]])
    data = Dataset(("x",), none, RealTable(("x",), values), observed=observed)
    assert [values.tolist() for _, values in data.known()] == [[1.0]]


@pytest.mark.parametrize("field", ["observed", "intervened"])
def test_a_mask_has_a_cell_for_each_value(field):
    with pytest.raises(DataError, match=rf"{field} has the shape \(3, 4\)"):
        mixed(**{field: np.zeros((3, 4), bool)})


# -- names and order -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [("x", "v1", "y", "v0"), ("x", "v0", "y"), ("x", "v0", "y", "v1", "z"), ("x", "v0", "y", "v0")],
)
def test_names_are_those_of_the_tables(names):
    with pytest.raises(DataError, match="each once and in their order"):
        replace(mixed(), variables=names)


def test_a_name_may_not_be_in_both_tables():
    with pytest.raises(DataError, match="each once"):
        Dataset(("v0", "v1"), codes(), RealTable(("v0",), np.zeros((1, 3))))


@given(tables(max_variables=4), st.integers(0, 3), st.integers(0, 2**32 - 1), st.data())
def test_a_selection_takes_everything_along(table, num_reals, seed, drawn):
    rng = np.random.default_rng(seed)
    real_names = tuple(f"x{k}" for k in range(num_reals))
    reals = RealTable(real_names, rng.normal(size=(num_reals, table.num_rows)))
    names = drawn.draw(st.permutations(table.variables + real_names))
    shape = (len(names), table.num_rows)
    data = Dataset(
        tuple(names),
        table.select([name for name in names if name in table.variables]),
        reals.select([name for name in names if name in real_names]),
        rng.random(shape) < 0.7,
        rng.random(shape) < 0.3,
        "some.csv",
    )
    chosen = drawn.draw(st.lists(st.sampled_from(names), unique=True, min_size=1))
    selected = data.select(chosen)
    assert selected.variables == tuple(chosen)
    assert selected.name == "some.csv"
    assert columns(selected) == {name: columns(data)[name] for name in chosen}


def columns(data: Dataset) -> dict[str, tuple[object, ...]]:
    """All that is known of each column, in plain Python."""
    masks = (data.observed, data.intervened)
    everything = np.ones((data.num_variables, data.num_rows), bool)
    observed, intervened = (
        (everything if usual else ~everything) if mask is None else mask
        for mask, usual in zip(masks, (True, False), strict=True)
    )
    states = dict(zip(data.coded.variables, data.coded.states, strict=True))
    return {
        name: (values.tolist(), states.get(name), observed[v].tolist(), intervened[v].tolist())
        for v, (name, values) in enumerate(data.known())
    }


def test_an_unknown_column_is_named():
    with pytest.raises(DataError, match="no column 'z'"):
        mixed().select(["x", "z"])


# -- the door ------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(-2, 2)), min_size=5), st.booleans())
def test_a_frame_comes_back(rows, is_reversed):
    frame = pd.DataFrame(rows, columns=["text", "number"])
    frame["level"] = pd.Categorical(frame["text"], ["c", "b", "a"])
    if is_reversed:
        frame = frame[["level", "number", "text"]]
    table = read_dataset(frame).discrete()
    labels = {
        name: np.array(states)[codes].tolist()
        for name, states, codes in zip(table.variables, table.states, table.codes, strict=True)
    }
    assert labels == {name: frame[name].astype(str).tolist() for name in frame}
    assert list(labels) == list(frame.columns)


def test_a_file_gives_its_name(tmp_path):
    pd.DataFrame({"a": [0, 1, 1], "b": ["x", "y", "x"]}).to_csv(tmp_path / "d.csv", index=False)
    data = read_dataset(tmp_path / "d.csv")
    assert data.name == "d.csv"
    assert data.select(["b", "a"]).name == "d.csv"
    assert data.observed is None
    assert data.intervened is None
    assert data.reals.num_variables == 0
