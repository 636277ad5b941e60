"""Scores of rows from experiments: each family on the rows in which its child was left alone."""

from math import lgamma, log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.data.door import read_dataset
from pathprior.data.table import DataTable, RealTable
from pathprior.kernels.data.columns import fill_column
from pathprior.score.bge import Bge
from pathprior.score.gaussian_bic import GaussianBic
from pathprior.score.mixed import Mixed
from pathprior.score.named import COUNTED, make_score
from pathprior.score.score import Scorer
from tests.data_tables import make_table, tables
from tests.oracles import gaussian
from tests.oracles.graph import edge_matrix
from tests.oracles.interventional import (
    bge_left_alone,
    interventional_classes,
    score_left_alone,
)

pytestmark = pytest.mark.kernel


@njit
def fill(kernel, child, parents, barred, out):
    return fill_column(kernel, child, parents, barred, out)


def columns_of(scorer: Scorer, num_variables: int, child: int, parents: list[int]) -> np.ndarray:
    """The column of a family by the kernel; `local` must give the same for the family itself."""
    scores = np.empty(num_variables)
    barred = np.array([1 << child], np.uint64)
    fill(scorer.kernel(), child, np.array(sorted(parents), np.int64), barred, scores)
    assert scorer.local(child, parents) == pytest.approx(scores[child], rel=1e-12, abs=1e-12)
    return scores


def experiments(table: DataTable, is_set: np.ndarray, *, are_soft: bool = False) -> Dataset:
    plain = Dataset.of_codes(table)
    return Dataset(plain.variables, plain.coded, plain.reals, intervened=is_set, are_soft=are_soft)


def check_column(
    table: DataTable, is_set: np.ndarray, score: str, child: int, parents: list[int]
) -> None:
    scorer = make_score(score).bind(experiments(table, is_set))
    scores = columns_of(scorer, table.num_variables, child, parents)
    for u in range(table.num_variables):
        changed = sorted(set(parents) if u == child else set(parents) ^ {u})
        expected = score_left_alone(
            table.codes, table.num_states.tolist(), is_set, child, changed, score=score
        )
        assert scores[u] == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(tables(), st.sampled_from(tuple(COUNTED)), st.data())
def test_columns_follow_the_definition(table: DataTable, score: str, data: st.DataObject) -> None:
    child = data.draw(st.integers(0, table.num_variables - 1))
    others = [v for v in range(table.num_variables) if v != child]
    parents = data.draw(st.lists(st.sampled_from(others), unique=True))
    share = data.draw(st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    check_column(table, rng.random(table.codes.shape) < share, score, child, parents)


@pytest.mark.parametrize(
    ("num_states", "num_rows", "num_parents"),
    [
        ([3, 3, 3, 3, 3, 3, 3, 2], 3000, 5),  # many cells: counted row by row
        ([3, 3, 3, 3, 3, 3, 3, 2], 3001, 5),
        ([4] * 16, 500, 13),  # more configurations than rows
        ([300, 250, 2, 3], 1000, 2),  # more states than a table of pairs holds
        ([2, 2, 2], 20000, 1),  # large counts
    ],
)
@pytest.mark.parametrize("is_shared", [False, True])
def test_columns_by_every_way_of_counting(
    num_states: list[int], num_rows: int, num_parents: int, is_shared: bool
) -> None:
    rng = np.random.default_rng(3)
    codes = np.stack([rng.integers(0, r, num_rows) for r in num_states]).astype(np.uint16)
    is_set = rng.random(codes.shape) < 0.3
    if is_shared:  # one stratum, which is not all rows
        is_set[:] = is_set[0]
    for score in ("bdeu", "bic"):
        table = make_table(codes, num_states)
        check_column(table, is_set, score, 0, list(range(1, 1 + num_parents)))


def test_bdeu_by_hand() -> None:
    """Five rows, b set in two of them; α = 1/2 for each state of a, 1/4 for each cell of b."""
    data = pd.DataFrame({"a": [0, 0, 1, 1, 0], "b": [0, 0, 1, 0, 1], "set": ["", "", "", "b", "b"]})
    dag = pp.Dag.from_edges("ab", [("a", "b")])
    local = pp.score_graph(
        dag, data, interventions="set", score="bdeu", equivalent_sample_size=1, per_family=True
    )
    a = lgamma(3.5) + lgamma(2.5) - 2 * lgamma(0.5) - (lgamma(6) - lgamma(1))
    # left alone: (a, b) = (0, 0) twice and (1, 1) once
    b = lgamma(2.25) - lgamma(0.25) - (lgamma(2.5) - lgamma(0.5))
    b += lgamma(1.25) - lgamma(0.25) - (lgamma(1.5) - lgamma(0.5))
    assert local.tolist() == pytest.approx([a, b], rel=1e-12)


def test_bic_weighs_all_rows_in_its_penalty() -> None:
    data = pd.DataFrame({"a": [0, 0, 1, 1, 0, 1]})
    found = pp.score_graph(
        pp.Dag.from_edges("a"), data, interventions=["a", None, None, None, None, "a"], score="bic"
    )
    assert found == pytest.approx(4 * log(0.5) - 0.5 * log(6))


def real_data(columns: np.ndarray, is_set: np.ndarray, *, are_soft: bool = False) -> Dataset:
    table = RealTable(tuple(f"v{i}" for i in range(len(columns))), columns)
    plain = Dataset.of_reals(table)
    return Dataset(plain.variables, plain.coded, plain.reals, intervened=is_set, are_soft=are_soft)


def numbers(seed: int, num_columns: int, num_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Dependent columns with few digits, far off in the rows in which they were set."""
    rng = np.random.default_rng(seed)
    common = rng.integers(-40, 41, num_rows)
    columns = (rng.integers(-40, 41, (num_columns, num_rows)) + common) / 8.0 + 3.0
    target = rng.integers(0, 2 * num_columns, num_rows)
    is_set = target == np.arange(num_columns)[:, None]
    columns[is_set] += 50.0
    return columns, is_set


@given(st.integers(0, 2**32 - 1))
def test_bge_follows_its_formula(seed: int) -> None:
    columns, is_set = numbers(seed, 4, 24)
    scorer = Bge().bind(real_data(columns, is_set))
    for child, parents in ((0, []), (1, [0]), (2, [0, 3]), (3, [0, 1, 2])):
        scores = columns_of(scorer, 4, child, parents)
        for u in range(4):
            changed = sorted(set(parents) if u == child else set(parents) ^ {u})
            expected = bge_left_alone(columns, is_set, child, changed)
            assert scores[u] == pytest.approx(expected, rel=1e-9)


def test_gaussian_bic_is_that_of_the_rows_left_alone_with_the_penalty_of_all() -> None:
    columns, is_set = numbers(5, 4, 30)
    scorer = GaussianBic().bind(real_data(columns, is_set))
    for child in range(4):
        parents = [v for v in range(4) if v != child][:2]
        kept = [[gaussian.Fraction(x) for x in c.tolist()] for c in columns[:, ~is_set[child]]]
        alone = gaussian.gaussian_bic(kept, child, parents, penalty=gaussian.Fraction(0))
        expected = alone - 0.5 * log(30) * (len(parents) + 2)
        assert columns_of(scorer, 4, child, parents)[child] == pytest.approx(expected, rel=1e-9)


def test_a_variable_that_was_set_in_every_row_scores_the_same_with_any_parents() -> None:
    columns, is_set = numbers(5, 3, 30)
    is_set[1] = True
    for score in (Bge(), GaussianBic(), GaussianBic(unbiased=True), Mixed()):
        scorer = score.bind(real_data(columns, is_set))
        assert columns_of(scorer, 3, 1, [0])[[0, 1, 2]].tolist() == pytest.approx([0.0] * 3)
        assert scorer.local(1, [0, 2]) == pytest.approx(0.0)


@pytest.mark.parametrize("score", COUNTED)
@pytest.mark.parametrize("parents", [[], [0], [0, 2]])
def test_nor_does_it_pay_for_parameters(score: str, parents: list[int]) -> None:
    codes = np.random.default_rng(0).integers(0, 2, (3, 30)).astype(np.uint8)
    is_set = np.zeros((3, 30), bool)
    is_set[1] = True
    scorer = make_score(score).bind(experiments(make_table(codes, [2, 2, 2]), is_set))
    assert columns_of(scorer, 3, 1, parents).tolist() == [0.0] * 3
    assert scorer.local(1, parents) == 0.0


@pytest.mark.parametrize("score", COUNTED)
def test_a_mechanism_that_no_row_shows_costs_nothing(score: str) -> None:
    """Changed in every row: there is one mechanism, as if nothing had been changed."""
    codes = np.random.default_rng(1).integers(0, 2, (3, 30)).astype(np.uint8)
    is_set = np.zeros((3, 30), bool)
    is_set[1] = True
    table = make_table(codes, [2, 2, 2])
    changed = make_score(score).bind(experiments(table, is_set, are_soft=True))
    alone = make_score(score).bind(Dataset.of_codes(table))
    for parents in ([], [0], [0, 2]):
        assert changed.local(1, parents) == pytest.approx(alone.local(1, parents))
        assert columns_of(changed, 3, 1, parents) == pytest.approx(columns_of(alone, 3, 1, parents))


def test_nor_does_one_of_real_columns() -> None:
    columns, is_set = numbers(5, 3, 30)
    is_set[:] = False
    alone = GaussianBic().bind(real_data(columns, is_set))
    is_set[1] = True
    changed = GaussianBic().bind(real_data(columns, is_set, are_soft=True))
    for parents in ([], [0], [0, 2]):
        assert changed.local(1, parents) == pytest.approx(alone.local(1, parents))


def mixed_data(seed: int, num_rows: int = 60) -> tuple[pd.DataFrame, pd.DataFrame]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=num_rows)
    frame = pd.DataFrame(
        {
            "a": x,
            "b": np.where(x + rng.normal(size=num_rows) > 0, "yes", "no"),
            "c": rng.choice(list("uvw"), num_rows),
            "d": x + rng.normal(size=num_rows),
        }
    )
    target = rng.integers(0, 6, num_rows)
    is_set = pd.DataFrame({"a": target == 1, "b": target % 5 == 2, "c": target == 2})
    return frame, is_set


def states_of(frame: pd.DataFrame) -> pd.DataFrame:
    cut = {name: pd.qcut(frame[name], 3, labels=False) for name in ("a", "d")}
    return frame.assign(**cut)


def family_of(is_set: pd.DataFrame, names: list[str]) -> tuple[frozenset[int], ...]:
    rows = is_set.reindex(columns=names, fill_value=False).to_numpy()
    return tuple({frozenset(np.flatnonzero(row).tolist()): None for row in rows})


@pytest.mark.parametrize("kind", ["hard", "soft"])
@pytest.mark.parametrize("score", ["bdeu", "bic", "bge", "gaussian-bic", "mixed"])
def test_graphs_score_alike_iff_the_experiments_cannot_tell_them_apart(
    score: str, kind: str
) -> None:
    frame, is_set = mixed_data(1)
    if score in ("bdeu", "bic"):
        frame = states_of(frame)
    elif score != "mixed":
        rng = np.random.default_rng(2)
        frame["b"] = frame["a"] - frame["d"] + rng.normal(size=len(frame))
        frame["c"] = frame["b"] + rng.normal(size=len(frame))
    names = list(frame.columns)
    data = read_dataset(frame, interventions=is_set, interventions_kind=kind)
    scorer = make_score(score).bind(data)
    seen = set()
    for members in interventional_classes(4, family_of(is_set, names)):
        scores = []
        for member in members:
            parents = edge_matrix(member, 4)
            scores.append(
                sum(scorer.local(v, np.flatnonzero(parents[:, v]).tolist()) for v in range(4))
            )
        assert max(scores) - min(scores) < 1e-9 * max(map(abs, scores))
        seen.add(round(scores[0], 6))
    assert len(seen) > 0.9 * len(interventional_classes(4, family_of(is_set, names)))


@pytest.mark.parametrize("score", ["bdeu", "bic", "bge", "gaussian-bic", "mixed"])
def test_soft_families_are_scored_apart_for_each_set_of_targets(score: str) -> None:
    """With one target at a time that is the sum of the same score on the parts of the data."""
    frame, _ = mixed_data(3, 90)
    if score in ("bdeu", "bic"):
        frame = states_of(frame)
    elif score != "mixed":
        frame["b"], frame["c"] = frame["a"] - frame["d"], frame["a"] ** 2
        frame["b"] += np.random.default_rng(0).normal(size=90)
    is_b = np.arange(90) % 3 == 0
    targets = ["b" if row else None for row in is_b]
    soft = read_dataset(frame, interventions=targets, interventions_kind="soft")
    hard = read_dataset(frame, interventions=targets)
    others = read_dataset(frame, interventions=[None if row else "b" for row in is_b])
    for parents in ([], [0], [0, 3]):
        bound = [make_score(score).bind(data) for data in (soft, hard, others)]
        whole, observed, changed = (scorer.local(1, parents) for scorer in bound)
        if score != "bge":  # its prior is in units of the rows left alone, here of others
            assert whole == pytest.approx(observed + changed, rel=1e-9)
        assert bound[0].local(0, parents and [3]) == bound[1].local(0, parents and [3])


def test_without_targets_nothing_changes() -> None:
    frame, _ = mixed_data(4)
    plain = read_dataset(frame)
    with pytest.warns(pp.errors.PathPriorWarning, match="no effect"):
        given_none = read_dataset(frame, interventions=[None] * len(frame))
    assert given_none.intervened is None
    for parents in ([], [0], [0, 2, 3]):
        first, second = (make_score("mixed").bind(data) for data in (plain, given_none))
        assert first.local(1, parents) == second.local(1, parents)


def test_units_and_origins_do_not_matter() -> None:
    columns, is_set = numbers(6, 4, 40)
    moved = columns * np.array([[1e6], [1e-6], [1.0], [3.0]]) + np.array([[1e3], [0], [-5], [7]])
    first, second = (Bge().bind(real_data(data, is_set)) for data in (columns, moved))
    gains = [
        [scorer.local(v, [u]) - scorer.local(v, []) for v in range(4) for u in range(4) if u != v]
        for scorer in (first, second)
    ]
    np.testing.assert_allclose(gains[0], gains[1], rtol=1e-6, atol=1e-6)
