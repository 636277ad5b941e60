"""The kernel that scores all one-parent changes of a family, against the definition."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.table import DataTable
from pathprior.kernels.data.columns import fill_column, fills, find_filled, make_columns
from pathprior.kernels.data.score_column import (
    WORD_OVERHEAD,
    WORDS_PER_CANDIDATE,
    WORDS_PER_CELL,
    WORDS_PER_COLUMN,
)
from pathprior.kernels.data.special import LARGE, log_gamma_large, log_positive, x_log_x
from pathprior.score.named import COUNTED, make_score
from tests.data_tables import make_table, tables
from tests.oracles.score import local_score

pytestmark = pytest.mark.kernel


@njit
def look_up(columns, child, parents):
    return find_filled(columns, child, parents)[0]


@njit
def fill(kernel, child, parents, barred, out):
    return fill_column(kernel, child, parents, barred, out)


def check_column(table: DataTable, score: str, child: int, parents: list[int]) -> None:
    kernel = make_score(score).bind(Dataset.of_codes(table)).kernel()
    forbidden = np.zeros(1, np.uint64)
    forbidden[0] = np.uint64(1 << child)
    scores = np.empty(table.num_variables)
    members = np.array(sorted(parents), dtype=np.int64)
    fill(kernel, child, members, forbidden, scores)
    for u in range(table.num_variables):
        changed = set(parents) if u == child else set(parents) ^ {u}
        expected = local_score(
            table.codes, table.num_states.tolist(), child, sorted(changed), score=score
        )
        assert scores[u] == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(tables(), st.sampled_from(tuple(COUNTED)), st.data())
def test_columns_follow_the_definition(table: DataTable, score: str, data: st.DataObject) -> None:
    child = data.draw(st.integers(0, table.num_variables - 1))
    others = [v for v in range(table.num_variables) if v != child]
    check_column(table, score, child, data.draw(st.lists(st.sampled_from(others), unique=True)))


@pytest.mark.parametrize(
    ("num_states", "num_rows", "num_parents"),
    [
        ([3, 3, 3, 3, 3, 3, 3, 2], 3000, 5),  # many cells: counted row by row
        ([4] * 16, 500, 13),  # more configurations than rows
        ([300, 250, 2, 3], 1000, 2),  # more states than a table of pairs holds
        ([2, 2, 2], 20000, 1),  # large counts
    ],
)
def test_columns_by_every_way_of_counting(
    num_states: list[int], num_rows: int, num_parents: int
) -> None:
    rng = np.random.default_rng(3)
    codes = np.stack([rng.integers(0, r, num_rows) for r in num_states]).astype(np.uint16)
    table = make_table(codes, num_states)
    for score in ("bdeu", "bic"):
        check_column(table, score, 0, list(range(1, 1 + num_parents)))


def test_work_is_told_by_what_was_counted() -> None:
    rng = np.random.default_rng(4)
    num_states = [2, 3, 2, 4, 3, 2]
    codes = np.stack([rng.integers(0, r, 700) for r in num_states]).astype(np.uint16)
    kernel = make_score("bdeu").bind(Dataset.of_codes(make_table(codes, num_states))).kernel()
    num_words = kernel.rows.state_rows.shape[1]
    child, parents, candidates = 0, [1, 3], [4, 5]
    barred = np.array([1 << child | 1 << 2], np.uint64)
    work = WORDS_PER_COLUMN
    for u in candidates:
        num_cells = len(np.unique(codes[[child, *parents]], axis=1).T)
        work += num_cells * (num_states[u] - 1) * (num_words + WORD_OVERHEAD)
        work += WORDS_PER_CANDIDATE + WORDS_PER_CELL * 2 * 3 * 4 * num_states[u]
    assert fill(kernel, child, np.array(parents), barred, np.empty(6)) == work


class Listed(NamedTuple):
    """A kernel of one's own: local scores by child and set of parents."""

    scores: NDArray[np.float64]


@fills(Listed)
@njit
def fill_listed(kernel, child, parents, barred, out):
    family = 0
    for v in parents:
        family |= 1 << v
    for u in range(out.shape[0]):
        is_barred = np.int64(barred[0]) >> u & 1 and not family >> u & 1 and u != child
        out[u] = -np.inf if is_barred else kernel.scores[child, family ^ (u != child) << u]
    return 1


@pytest.mark.parametrize("log_edge_odds", [0.0, -1.5])
def test_a_kernel_of_its_own_is_picked_by_its_class(log_edge_odds: float) -> None:
    num_nodes = 4
    scores = np.random.default_rng(0).normal(size=(num_nodes, 1 << num_nodes))
    barred = np.zeros((num_nodes, 1), np.uint64)
    barred[0, 0] = np.uint64(0b0101)  # 2 never becomes a parent of 0
    columns = make_columns(Listed(scores), barred, 2, log_edge_odds)
    entry = look_up(columns, 0, np.array([0b0010], np.uint64))
    worth = log_edge_odds * np.array([1, 0, np.nan, 2])
    expected = [scores[0, 0b0010], scores[0, 0], -np.inf, scores[0, 0b1010]]
    expected = np.where(np.isfinite(expected), expected + worth, -np.inf)
    np.testing.assert_allclose(columns.cache.scores[entry], expected)
    full = look_up(columns, 0, np.array([0b1010], np.uint64))  # two parents are enough
    assert columns.cache.scores[full, 2] == -np.inf
    assert look_up(columns, 0, np.array([0b0010], np.uint64)) == entry


@given(st.floats(1e-12, 1e12))
def test_log_positive(x: float) -> None:
    assert log_positive(x) == pytest.approx(np.log(x), rel=1e-14, abs=1e-15)


@given(st.lists(st.floats(LARGE, 1e9), min_size=1, max_size=40))
def test_large_cell_functions(values: list[float]) -> None:
    from scipy.special import gammaln, xlogy

    expected = np.array(values)
    gamma, entropy = expected.copy(), expected.copy()
    log_gamma_large(gamma, len(values))
    x_log_x(entropy, len(values))
    np.testing.assert_allclose(gamma, gammaln(expected), rtol=1e-14)
    np.testing.assert_allclose(entropy, xlogy(expected, expected), rtol=1e-14)


@pytest.mark.parametrize("score", ["bdeu", "families"])
def test_where_all_are_barred_the_family_is_scored_alone(score):
    rng = np.random.default_rng(0)
    table = make_table(rng.integers(0, 2, (5, 50)).astype(np.uint8), [2] * 5)
    scorer = make_score(score).bind(Dataset.of_codes(table))
    members, scores = np.array([1, 2, 3]), np.empty(5)
    fill(scorer.kernel(), 0, members, np.array([(1 << 64) - 1], np.uint64), scores)
    assert scores[0] == scorer.local(0, [1, 2, 3])
    assert scores[4] == -np.inf
