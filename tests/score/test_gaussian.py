"""BGe, Gaussian BIC and the mixed score, against their formulas, peers, and what they promise."""

from fractions import Fraction
from itertools import combinations, permutations
from operator import mul

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

import pathprior as pp
from pathprior.data import table
from pathprior.data.dataset import Dataset
from pathprior.data.door import read_dataset
from pathprior.data.table import RealTable
from pathprior.errors import DataError, PathPriorWarning, SearchError
from pathprior.kernels.data.columns import fill_column
from pathprior.score import sums
from pathprior.score.bdeu import Bdeu
from pathprior.score.bge import Bge
from pathprior.score.gaussian_bic import GaussianBic
from pathprior.score.gram import bind_form
from pathprior.score.mixed import Mixed
from pathprior.score.score import Scorer
from tests.oracles import gaussian as oracle
from tests.oracles.graph import all_dags

pytestmark = pytest.mark.kernel

NAMES = tuple("abcdefghij")


def real_data(columns: np.ndarray) -> Dataset:
    return Dataset.of_reals(RealTable(NAMES[: len(columns)], np.array(columns, dtype=float)))


def exactly(columns: np.ndarray) -> list[list[Fraction]]:
    return [[Fraction(x) for x in column.tolist()] for column in columns]


@st.composite
def eighths(draw: st.DrawFn, max_columns: int = 5) -> np.ndarray:
    """Dependent columns of numbers with few digits, far from zero or not."""
    num_columns = draw(st.integers(2, max_columns))
    num_rows = draw(st.sampled_from([3, 8, 30]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    common = rng.integers(-40, 41, num_rows)
    columns = rng.integers(-40, 41, (num_columns, num_rows)) + common * rng.integers(
        -1, 2, (num_columns, 1)
    )
    units = 2.0 ** rng.integers(-12, 12, (num_columns, 1))
    return (columns / 8 + rng.choice([0, 1000], (num_columns, 1))) * units


@st.composite
def families(draw: st.DrawFn, size: int) -> tuple[int, list[int]]:
    child = draw(st.integers(0, size - 1))
    others = [v for v in range(size) if v != child]
    return child, sorted(draw(st.lists(st.sampled_from(others), unique=True)))


@njit
def fill(kernel, child, parents, barred, out):
    return fill_column(kernel, child, parents, barred, out)


def column_of(scorer: Scorer, size: int, child: int, parents: list[int]) -> np.ndarray:
    scores = np.empty(size)
    barred = np.array([1 << child], np.uint64)
    fill(scorer.kernel(), child, np.array(parents, np.int64), barred, scores)
    return scores


def check_column(scorer: Scorer, size: int, child: int, parents: list[int]) -> None:
    """Every toggle of a column scores what the family scores by itself."""
    column = column_of(scorer, size, child, parents)
    for u in range(size):
        changed = sorted({*parents} ^ ({u} - {child}))
        expected = scorer.local(child, changed)
        assert not np.isnan(expected)
        assert column[u] == pytest.approx(expected, rel=1e-9, abs=1e-7)
    assert column[child] == scorer.local(child, parents)


OPTIONS = [
    {},
    {"alpha_mu": 2, "alpha_w": 11},
    {"scale": False},
    {"scale": False, "nu": "zero"},
    {"nu": "zero"},
]


@given(eighths(), st.sampled_from(OPTIONS), st.data())
def test_bge_follows_its_formula(columns, options, data) -> None:
    child, parents = data.draw(families(len(columns)))
    constant = [column.min() == column.max() for column in columns]
    if any(constant):
        return
    exact = {**options, "alpha_mu": Fraction(options.get("alpha_mu", 1))}
    expected = oracle.bge(exactly(columns), child, parents, **exact)
    scorer = Bge(**options).bind(real_data(columns))
    assert scorer.local(child, parents) == pytest.approx(expected, rel=1e-11, abs=1e-9)
    check_column(scorer, len(columns), child, parents)


@given(eighths(), st.sampled_from([1, 2, 0.5]), st.booleans(), st.data())
@pytest.mark.filterwarnings("ignore:.*linear function")
def test_gaussian_bic_follows_its_formula(columns, penalty, unbiased, data) -> None:
    if any(column.min() == column.max() for column in columns):
        return
    child, parents = data.draw(families(len(columns)))
    expected = oracle.gaussian_bic(
        exactly(columns), child, parents, penalty=Fraction(penalty), unbiased=unbiased
    )
    scorer = GaussianBic(penalty, unbiased).bind(real_data(columns))
    assert scorer.local(child, parents) == pytest.approx(expected, rel=1e-10, abs=1e-8)
    check_column(scorer, len(columns), child, parents)


@st.composite
def mixed_frames(draw: st.DrawFn) -> pd.DataFrame:
    """Real columns and columns of states that depend on each other."""
    kinds = draw(st.lists(st.sampled_from([0, 2, 3, 4]), min_size=2, max_size=4))
    num_rows = draw(st.sampled_from([9, 30]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    common = rng.integers(0, 12, num_rows)
    columns = {}
    for name, kind in zip(NAMES, kinds, strict=False):
        if kind:
            raw = np.where(rng.random(num_rows) < 0.6, common, rng.integers(0, 12, num_rows))
            raw[:kind] = np.arange(kind)
            columns[name] = np.array(list("uvwx"))[raw % kind]
        else:
            columns[name] = (common + rng.integers(-20, 21, num_rows)) / 8 + 0.01
    return pd.DataFrame(columns)


@given(mixed_frames(), st.data())
def test_mixed_follows_its_formula(frame, data) -> None:
    child, parents = data.draw(families(frame.shape[1]))
    scorer = Mixed().bind(read_dataset(frame))
    expected = oracle.mixed(
        [
            [Fraction(x) for x in frame[name]] if frame[name].dtype == float else list(frame[name])
            for name in frame
        ],
        child,
        parents,
        2.0,
    )
    assert scorer.local(child, parents) == pytest.approx(expected, rel=1e-10, abs=1e-8)
    check_column(scorer, frame.shape[1], child, parents)


def test_families_of_states_score_what_states_can_carry() -> None:
    """A code that two columns share in many rows is no straight line of measurements."""
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 4, (2, 500))
    a[:300] = b[:300] = 4
    frame = pd.DataFrame({"a": a, "b": b, "x": rng.normal(size=500) + (a == 4)})
    mixed, bdeu = Mixed().bind(read_dataset(frame)), Bdeu().bind(read_dataset(frame[["a", "b"]]))
    for family in ((1, [0]), (0, [1]), (0, [])):
        assert mixed.local(*family) == pytest.approx(bdeu.local(*family), rel=1e-12)
    by_line = bind_form(Bge(), read_dataset(frame), Bge().form)
    capped, line = (s.local(1, [0]) - s.local(1, []) for s in (mixed, by_line))
    assert line > 2 * capped


def test_mixed_on_real_numbers_alone_is_bge() -> None:
    columns = np.random.default_rng(3).normal(size=(4, 40))
    mixed, bge = (score.bind(real_data(columns)) for score in (Mixed(), Bge()))
    for parents in ([], [1], [1, 2, 3]):
        assert mixed.local(0, parents) == bge.local(0, parents)


# -- what they promise ---------------------------------------------------------------------------


def correlated(size: int, num_rows: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.normal(size=(size, size)), 1) * (rng.random((size, size)) < 0.5)
    columns = np.zeros((size, num_rows))
    for v in range(size):
        columns[v] = weights[:, v] @ columns + rng.normal(size=num_rows)
    return columns


def all_families(size: int) -> list[tuple[int, tuple[int, ...]]]:
    return [
        (v, parents)
        for v in range(size)
        for k in range(size)
        for parents in combinations([u for u in range(size) if u != v], k)
    ]


@pytest.mark.parametrize("score", [Bge(), Bge(alpha_mu=3.0), GaussianBic(), GaussianBic(2, True)])
def test_units_origins_and_order_have_no_influence(score) -> None:
    columns = correlated(4, 60)
    plain = score.bind(real_data(columns))
    factors = np.array([1e9, 1.0, 1e-9, -3.0])
    changed = columns * factors[:, None] + np.array([1e15, 1e6, 0.0, -5.0])[:, None]
    rng = np.random.default_rng(1)
    other = score.bind(real_data(changed[:, rng.permutation(60)]))
    order = [2, 0, 3, 1]
    turned = score.bind(real_data(columns[order]))
    for v, parents in all_families(4):
        expected = plain.local(v, parents)
        moved = other.local(v, parents) + 60 * np.log(abs(factors[v]))
        assert moved == pytest.approx(expected, rel=1e-6 if v == 0 or 0 in parents else 1e-9)
        there = turned.local(order.index(v), [order.index(u) for u in parents])
        assert there == pytest.approx(expected, rel=1e-12)


def test_units_decide_without_scale() -> None:
    columns = correlated(3, 60)
    plain, milli = (Bge(scale=False).bind(real_data(columns * units)) for units in (1.0, 1e-3))
    gains = [scorer.local(0, [1]) - scorer.local(0, []) for scorer in (plain, milli)]
    assert abs(gains[0] - gains[1]) > 1.0


def test_order_and_names_of_states_have_no_influence() -> None:
    rng = np.random.default_rng(5)
    levels = rng.integers(0, 4, 200)
    frame = pd.DataFrame({"a": rng.normal(size=200) + levels, "b": levels, "c": levels > 1})
    frame["d"] = rng.integers(0, 3, 200)
    scorer = Mixed().bind(read_dataset(frame))
    for renamed in permutations("wxyz"):
        other = Mixed().bind(read_dataset(frame.assign(b=np.array(renamed)[levels])))
        for v, parents in [(0, [1]), (1, [0, 2]), (3, [1]), (1, [])]:
            assert other.local(v, parents) == pytest.approx(scorer.local(v, parents), rel=1e-12)


@pytest.mark.parametrize("num_rows", [3, 50])
@pytest.mark.parametrize("score", [Bge(), Bge(scale=False), GaussianBic(), GaussianBic(1, True)])
def test_equivalent_graphs_score_alike(score, num_rows) -> None:
    scorer = score.bind(real_data(correlated(4, num_rows, seed=2)))
    _check_equivalence(scorer)


def test_equivalent_graphs_score_alike_on_mixed_columns() -> None:
    rng = np.random.default_rng(9)
    level = rng.integers(0, 3, 80)
    frame = pd.DataFrame({"a": level + rng.normal(size=80), "b": level, "c": rng.normal(size=80)})
    frame["d"] = np.where(rng.random(80) < 0.7, frame["c"] > 0, False)
    _check_equivalence(Mixed().bind(read_dataset(frame)))


def _check_equivalence(scorer: Scorer) -> None:
    local = {family: scorer.local(*family) for family in all_families(4)}
    classes: dict[pp.Cpdag, list[float]] = {}
    for dag in all_dags(4):
        graph = pp.Dag(NAMES[:4], dag)
        score = sum(local[v, tuple(np.flatnonzero(dag[:, v]).tolist())] for v in range(4))
        key = pp.Cpdag.from_dag(graph)
        classes.setdefault((key.directed_edges, key.undirected_edges), []).append(score)
    assert len(classes) == 185
    for scores in classes.values():
        if np.isfinite(scores).all():
            assert max(scores) - min(scores) < 1e-8
        else:
            assert not np.isfinite(scores).any()


# -- what could go wrong -------------------------------------------------------------------------


def test_more_columns_than_rows() -> None:
    columns = correlated(8, 5)
    bge, bic = (score.bind(real_data(columns)) for score in (Bge(), GaussianBic()))
    assert np.isfinite(bge.local(0, range(1, 8)))
    assert np.isfinite(bic.local(0, [1, 2, 3]))
    assert bic.local(0, [1, 2, 3, 4]) == -np.inf
    for scorer in (bge, bic):
        for parents in ([], [1, 2], [1, 2, 3], [1, 2, 3, 4], list(range(1, 8))):
            check_column(scorer, 8, 0, parents)


def test_collinear_columns() -> None:
    columns = correlated(5, 50)
    columns[3] = 2 * columns[0] - columns[1] + 7
    columns[4] = columns[2]
    with pytest.warns(PathPriorWarning, match="'d' is a linear function of 'a', 'b': no family"):
        bic = GaussianBic().bind(real_data(columns[:4]))
    with pytest.warns(PathPriorWarning, match="is a linear function"):
        both = GaussianBic().bind(real_data(columns))
    bge = Bge().bind(real_data(columns))
    assert bic.local(3, [0, 1]) == bic.local(2, [0, 1, 3]) == -np.inf
    assert np.isfinite(bic.local(3, [0]))
    for v, parents in all_families(5):
        assert np.isfinite(bge.local(v, parents))
        for scorer in (bge, both):
            check_column(scorer, 5, v, list(parents))


def test_nested_states_are_collinear_and_finite() -> None:
    rng = np.random.default_rng(4)
    town = rng.integers(0, 6, 300)
    frame = pd.DataFrame({"a": rng.normal(size=300), "town": town, "land": town // 2})
    scorer = Mixed().bind(read_dataset(frame))
    for v, parents in all_families(3):
        assert np.isfinite(scorer.local(v, parents))
        check_column(scorer, 3, v, list(parents))
    assert scorer.local(2, [1]) > scorer.local(2, []) + 100


def test_a_constant_column_scores_nothing_in_bic() -> None:
    columns = correlated(3, 30)
    columns[1] = 0.3
    scorer = GaussianBic().bind(real_data(columns))
    assert scorer.local(1, []) == pytest.approx(0.0, abs=1e-10)
    assert np.isfinite(Bge().bind(real_data(columns)).local(1, [0]))


def test_a_constant_column_of_states_has_no_columns() -> None:
    frame = pd.DataFrame({"a": [0.5, 1.5, 2.5, 1.0], "b": ["x"] * 4, "c": list("yyzz")})
    scorer = Mixed().bind(read_dataset(frame))
    assert scorer.local(1, [0]) == scorer.local(1, []) == 0.0
    assert scorer.local(0, [1, 2]) == scorer.local(0, [2])
    check_column(scorer, 3, 0, [1])


def test_blocks_that_are_as_many_columns_as_variables() -> None:
    rng = np.random.default_rng(6)
    level = rng.integers(0, 3, 50)
    frame = pd.DataFrame({"a": level + rng.normal(size=50), "b": level, "c": ["x"] * 50})
    scorer = Mixed().bind(read_dataset(frame))
    assert scorer.by_products.moments.num_columns == 3
    for v, parents in all_families(3):
        check_column(scorer, 3, v, list(parents))


@pytest.mark.parametrize("power", [-300, -160, 160, 300])
def test_huge_and_tiny_numbers(power: int) -> None:
    columns = correlated(3, 40)
    plain, far = (Bge().bind(real_data(c)) for c in (columns, columns * 10.0**power))
    for v, parents in all_families(3):
        expected = plain.local(v, parents) - 40 * power * np.log(10.0)
        assert far.local(v, parents) == pytest.approx(expected, rel=1e-9)


def test_numbers_too_far_apart() -> None:
    with pytest.raises(DataError, match="'a' are too far apart"):
        Bge().bind(real_data(np.array([[1e308, -1e308, 0.0], [1.0, 2.0, 4.0]])))


def test_one_row() -> None:
    with pytest.raises(DataError, match="one row says nothing about a spread"):
        Bge().bind(real_data(np.array([[1.5], [2.5]])))


def test_many_rows_close_together() -> None:
    """Sums of squares about the mean do not drown in the mean."""
    columns = np.round(correlated(3, 1000) * 64)
    near, far = (GaussianBic().bind(real_data(c)) for c in (columns, columns + 2.0**50))
    for v, parents in all_families(3):
        assert far.local(v, parents) == pytest.approx(near.local(v, parents), rel=1e-9)


@given(
    columns=eighths(),
    num_rows=st.integers(1, 7),
    is_sorted=st.booleans(),
    far=st.sampled_from([0.0, 2.0**40]),
)
def test_blocks_of_rows_are_summed_up_exactly(columns, num_rows, is_sorted, far) -> None:
    columns = np.sort(columns, axis=1) if is_sorted else columns
    columns = columns + far
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "BLOCK_CELLS", 5 * len(columns))
        patch.setattr(sums, "CHUNK_CELLS", 1)
        patch.setattr(sums, "FEWEST_ROWS", num_rows)
        found = Bge().bind(real_data(columns)).moments
    exact = exactly(columns)
    means = [sum(column) / len(column) for column in exact]
    away = [[x - mean for x in column] for column, mean in zip(exact, means, strict=True)]
    products = np.array([[float(sum(map(mul, a, b))) for b in away] for a in away])
    off = np.array(
        [float(Fraction(x) - m) for x, m in zip(found.means.tolist(), means, strict=True)]
    )
    assert (np.abs(off) <= 1e-15 * (np.abs(found.means) + found.scales)).all()
    spreads = np.where(found.is_constant, 1.0, np.sqrt(products.diagonal()))
    units = found.scales / spreads
    found_products = found.products * units * units[:, None]
    np.testing.assert_allclose(found_products, products / spreads / spreads[:, None], atol=1e-14)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Bge(alpha_mu=0.0), "alpha_mu must be a positive number, not 0.0"),
        (lambda: Bge(nu="median"), "nu must be 'mean' or 'zero'"),
        (lambda: GaussianBic(penalty=-1), "penalty must be a number of at least 0"),
        (lambda: Bge(alpha_w=5.0).bind(real_data(correlated(4, 9))), "alpha_w must be more than 5"),
    ],
)
def test_options_that_cannot_be(make, message) -> None:
    with pytest.raises(SearchError, match=message):
        make()


def test_wrong_columns_are_refused_in_a_sentence() -> None:
    frame = pd.DataFrame({"a": [0.5, 1.5, 2.5], "b": list("xyx")})
    with pytest.raises(DataError, match=r"real numbers are needed, .*: 'b'; drop them, use the sc"):
        pp.learn(frame, score="bge")
    with pytest.raises(DataError, match=r"states are needed, .*: 'a'; cut them into bins"):
        pp.learn(frame, score="bdeu")


# -- peers ---------------------------------------------------------------------------------------


def peer_frame() -> pd.DataFrame:
    i = np.arange(60)
    columns = [(i * (k + 3) + i * i * (k % 4 + 1)) % (17 + 2 * k) / 4.0 for k in range(9)]
    for k in range(1, 9):
        columns[k] = columns[k] + (0.5 * columns[k - 1] if k % 2 else -columns[k - 1])
    return pd.DataFrame(dict(zip(NAMES, columns, strict=False)))


# Values of pybnesian 0.5.1 on peer_frame(), the parents of a being the next columns: BGe(frame),
# BGe(frame, iss_mu=2, iss_w=15) and BIC(frame).local_score(GaussianNetwork(columns), "a", parents).
PEER_VALUES = [
    (0, -101.09022145574991, -99.87834852966782, -99.70024304289241),
    (1, -99.41228853871058, -96.76064433648241, -96.61915890612745),
    (2, -103.23536649954195, -99.0879858694874, -98.66869004615855),
    (3, -106.87622066129774, -101.14332502697414, -100.30267078461455),
    (4, -109.46470626543294, -102.10658273498325, -100.92339781554499),
    (5, -112.55808423716292, -103.63487891650607, -102.02804096973293),
    (6, -117.0166995031052, -106.39807767760203, -104.0814027014399),
    (7, -120.94549109863306, -108.60320462027471, -105.63921851166943),
    (8, -118.9626427519504, -105.21508307415638, -102.19218657004248),
]


@pytest.mark.parametrize(("num_parents", "bge", "weighty", "bic"), PEER_VALUES)
def test_agrees_with_a_peer(num_parents: int, bge: float, weighty: float, bic: float) -> None:
    data = read_dataset(peer_frame())
    parents = list(range(1, 1 + num_parents))
    for score, value in (
        (Bge(scale=False), bge),
        (Bge(alpha_mu=2, alpha_w=15, scale=False), weighty),
        (GaussianBic(unbiased=True), bic),
    ):
        assert score.bind(data).local(0, parents) == pytest.approx(value, rel=1e-10)


def test_agrees_with_a_peer_on_random_data() -> None:
    pybnesian = pytest.importorskip("pybnesian")
    for seed in range(5):
        columns = correlated(9, 100, seed)
        frame = pd.DataFrame(columns.T, columns=list(NAMES[:9]))
        graph = pybnesian.GaussianNetwork(list(frame.columns))
        peers = [
            (pybnesian.BGe(frame), Bge(scale=False)),
            (pybnesian.BGe(frame, iss_mu=3, iss_w=14), Bge(alpha_mu=3, alpha_w=14, scale=False)),
            (pybnesian.BIC(frame), GaussianBic(unbiased=True)),
        ]
        for peer, score in peers:
            scorer = score.bind(real_data(columns))
            for v, parents in all_families(9)[:: 7 + seed]:
                value = peer.local_score(graph, NAMES[v], [NAMES[u] for u in parents])
                assert scorer.local(v, parents) == pytest.approx(value, rel=1e-8)
