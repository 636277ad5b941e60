"""The score of bent functions, against its formulas, BGe, and what it promises."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.data.door import read_dataset
from pathprior.errors import DataError, SearchError
from pathprior.kernels.data import noise
from pathprior.score.bases import Bases, borders
from pathprior.score.bge import Bge
from pathprior.score.curves import Additive
from tests.kernels import entered
from tests.oracles import curves as oracle

NAMES = list("abcde")


def bent(num_rows: int, seed: int, *, digits: int | None = None) -> pd.DataFrame:
    """Columns that are bent, skewed, of unequal spread, with heavy tails; rounded or not."""
    draw = np.random.default_rng(seed)
    a = draw.normal(size=num_rows)
    b = draw.exponential(size=num_rows)
    c = a**2 - np.sin(2 * b) + 0.3 * draw.standard_t(3, num_rows)
    d = c + draw.exponential(size=num_rows) * np.exp(0.8 * a)
    e = draw.uniform(size=num_rows) + 0.2 * d
    frame = pd.DataFrame(np.array([a, b, c, d, e]).T, columns=NAMES)
    frame = frame * np.array([1.0, 0.5, 50.0, 1.0, 7.0]) + np.array([0.0, 4.0, 0.0, -30.0, 1e4])
    return frame if digits is None else frame.round(digits)


@st.composite
def families(draw: st.DrawFn) -> tuple[int, list[int]]:
    child = draw(st.integers(0, 4))
    others = [v for v in range(5) if v != child]
    return child, sorted(draw(st.lists(st.sampled_from(others), unique=True)))


def values_of(frame: pd.DataFrame) -> list[np.ndarray]:
    return [frame[name].to_numpy(dtype=float) for name in frame]


@settings(max_examples=25)
@given(
    st.sampled_from([7, 40, 333]),
    st.integers(0, 1000),
    st.sampled_from([None, 0]),
    st.sampled_from([1, 3, 8]),
    st.booleans(),
    families(),
)
def test_the_score_follows_its_formula(rows, seed, digits, columns, is_flexible, family) -> None:
    frame = bent(rows, seed, digits=digits)
    dataset = read_dataset(frame, kinds=dict.fromkeys(NAMES, "real"))
    scorer = Additive(columns, is_flexible).bind(dataset)
    expected = oracle.local(values_of(frame), *family, most=columns, is_flexible=is_flexible)
    assert scorer.local(*family) == pytest.approx(expected, rel=1e-9, abs=1e-8)


@pytest.mark.parametrize("rows", [7, 200])
def test_one_column_and_normal_noise_are_bge(rows: int) -> None:
    dataset = read_dataset(bent(rows, 1))
    scorer, bge = Additive(columns=1, is_flexible=False).bind(dataset), Bge().bind(dataset)
    for child, parents in ((0, []), (2, [0, 1]), (3, [0, 1, 2, 4])):
        assert scorer.local(child, parents) == pytest.approx(bge.local(child, parents), rel=1e-11)


def test_the_order_of_rows_columns_and_parents_changes_no_bit() -> None:
    frame = bent(120, 2, digits=1)
    orders = np.random.default_rng(0)
    dag = pp.Dag.from_edges(NAMES, [("a", "d"), ("c", "d"), ("b", "d"), ("d", "e"), ("a", "c")])
    first = pp.score_graph(dag, frame, score="additive", per_family=True)
    for _ in range(3):
        rows = orders.permutation(len(frame))
        columns = orders.permutation(NAMES)
        found = pp.score_graph(
            dag.reorder(columns), frame.iloc[rows][columns], score="additive", per_family=True
        )
        assert first.to_dict() == found.to_dict()


def test_a_search_reads_the_same_bits() -> None:
    frame = bent(120, 3)
    fit = pp.learn(frame, score="additive")
    assert fit.data_score == pytest.approx(
        pp.score_graph(fit.dag, frame, score="additive"), rel=1e-14
    )
    turning = pp.learn(frame, score="additive", search="turning")
    assert turning.score <= fit.score


@pytest.mark.parametrize("factor", [1e-9, 1e9])
def test_units_and_origins_do_not_matter(factor: float) -> None:
    frame = bent(200, 4)
    moved = frame.assign(a=frame["a"] * factor, d=frame["d"] * factor, c=frame["c"] + 1e6)
    first, second = (pp.learn(data, score="additive") for data in (frame, moved))
    assert first.dag == second.dag
    shift = 2 * len(frame) * np.log(factor)
    assert second.data_score + shift == pytest.approx(first.data_score, rel=1e-7)


def test_directions_are_found_where_curves_or_noise_show_them() -> None:
    draw = np.random.default_rng(5)
    x = draw.normal(size=600)
    kinds = {
        "bent": np.tanh(2 * x) + 0.4 * draw.normal(size=600),
        "skewed": x + draw.exponential(size=600),
        "spread": x + draw.normal(size=600) * np.exp(0.8 * x),
    }
    for y in kinds.values():
        fit = pp.learn(pd.DataFrame({"y": y, "x": x}), score="additive")
        assert fit.dag.edges == (("x", "y"),)


def test_linear_normal_columns_claim_no_direction() -> None:
    claims = []
    for seed in range(20):
        draw = np.random.default_rng((6, seed))
        x = draw.normal(size=500)
        y = 0.8 * x + draw.normal(size=500)
        for digits in (8, 1):
            data = pd.DataFrame({"x": x.round(digits), "y": y.round(digits)})
            there, back = (
                pp.score_graph(pp.Dag.from_edges("xy", [edge]), data, score="additive")
                for edge in ("xy", "yx")
            )
            claims.append(abs(there - back))
    assert sum(claim > 3 for claim in claims) <= 2


def test_rows_in_which_a_column_was_set_say_nothing_of_it() -> None:
    frame = bent(300, 7)
    was_set = np.zeros((300, 5), dtype=bool)
    was_set[:100, 3] = True
    frame.loc[:99, "d"] = 5.0 + np.arange(100) / 7
    marks = pd.DataFrame(was_set, columns=NAMES)
    dataset = read_dataset(frame, interventions=marks)
    scorer = Additive().bind(dataset)
    values = values_of(frame)
    left = [column[100:] for column in values]
    assert scorer.local(3, [0, 2]) == pytest.approx(oracle.local(left, 3, [0, 2]), rel=1e-9)
    assert scorer.local(4, [3]) == pytest.approx(oracle.local(values, 4, [3]), rel=1e-9)
    assert ("c", "d") in pp.learn(frame, score="additive", interventions=marks).dag.edges


def test_more_rows_than_are_looked_at_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pathprior.score.curves.MAX_ROWS", 100)
    with pytest.warns(pp.errors.PathPriorWarning, match="looks at 100 of the 300 rows"):
        scorer = Additive().bind(read_dataset(bent(300, 8)))
    assert scorer.by_name.num_rows == 100


def test_what_the_score_cannot_take_is_said() -> None:
    frame = bent(30, 9)
    with pytest.raises(SearchError, match="columns must be a whole number of at least 1, not 0"):
        Additive(columns=0)
    with pytest.raises(DataError, match="hold states: 'sex'"):
        pp.learn(frame.assign(sex=["m", "f"] * 15), score="additive")
    frame.loc[2, "a"] = np.nan
    with pytest.raises(DataError, match="the score additive cannot draw missing values"):
        pp.learn(frame, score="additive", missing="em")


def test_bases_are_orthogonal_and_bounded_but_for_the_first() -> None:
    x = np.append(np.random.default_rng(1).normal(size=500), 1e6)
    basis = Bases.of([x], 8)
    assert basis.columns @ basis.columns.T / 501 == pytest.approx(np.eye(8), abs=1e-10)
    assert np.abs(basis.columns[1:]).max() < 40 < np.abs(basis.columns[0]).max() * 2
    assert Bases.of([np.array([0.0, 1.0, 1.0])], 8).columns.shape == (1, 3)
    assert Bases.of([np.ones(3)], 8).columns.shape == (0, 3)


@pytest.mark.parametrize("x", [-200.0, -40.0, -30.5, -29.5, -3.0, 0.0, 2.0, 9.0])
def test_log_of_the_normal_distribution_function(x: float) -> None:
    found = entered(noise.log_normal_below)(x)
    assert found == pytest.approx(float(oracle.log_ndtr(x)), rel=1e-10, abs=1e-15)


def test_borders_are_quantiles() -> None:
    normal, skewed, heavy = borders()
    shares = np.arange(1, 64) / 64
    assert oracle.norm.cdf(normal) == pytest.approx(shares)
    assert oracle.SKEWED.cdf(skewed) == pytest.approx(shares)
    assert oracle.t.cdf(heavy, 4) == pytest.approx(shares)
