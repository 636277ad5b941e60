"""Rows that stand for several, counted in blocks, against every row by itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior import load_network
from pathprior.data.dataset import Dataset
from pathprior.data.merged import MergedTable, merged
from pathprior.data.table import DataTable
from pathprior.score import rows as layout
from pathprior.score.bdeu import Bdeu
from pathprior.score.named import COUNTED, make_score
from pathprior.score.rows import make_rows, split_times, times_of
from tests.data_tables import make_table, tables
from tests.oracles.score import local_score
from tests.score.test_columns import fill

pytestmark = pytest.mark.kernel


@given(st.lists(st.integers(1, 300), min_size=1, max_size=400))
def test_rows_stand_for_as_many_as_there_are(times: list[int]) -> None:
    rows, shifts = split_times(np.array(times))
    assert len(shifts) == -(-len(rows) // 64)
    stands_for = np.int64(1) << np.repeat(shifts, 64)[: len(rows)].astype(np.int64)
    found = np.bincount(rows, stands_for, minlength=len(times))
    np.testing.assert_array_equal(found, times)


@st.composite
def weighted(draw: st.DrawFn) -> MergedTable:
    """Small tables whose rows occur a few times or very often."""
    table = merged(draw(tables()))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    most = draw(st.sampled_from([1, 2, 70, 3000]))
    times = rng.integers(1, most + 1, len(table.times))
    return MergedTable(table.variables, table.held, times, table.states)


@pytest.fixture(params=[1, 256])
def block_words(request: pytest.FixtureRequest):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layout, "BLOCK_WORDS", request.param)
        yield


@given(weighted(), st.sampled_from(tuple(COUNTED)), st.data())
@pytest.mark.usefixtures("block_words")
def test_weighted_rows_score_as_all_rows(
    table: MergedTable, score: str, data: st.DataObject
) -> None:
    child = data.draw(st.integers(0, table.num_variables - 1))
    others = [v for v in range(table.num_variables) if v != child]
    parents = sorted(data.draw(st.lists(st.sampled_from(others), unique=True)))
    scorer = make_score(score).bind(Dataset.of_codes(table))
    scores = np.empty(table.num_variables)
    barred = np.array([1 << child], np.uint64)
    fill(scorer.kernel(), child, np.array(parents, np.int64), barred, scores)
    codes, num_states = table.codes, table.num_states.tolist()
    for u in range(table.num_variables):
        changed = sorted(set(parents) if u == child else set(parents) ^ {u})
        expected = local_score(codes, num_states, child, changed, score=score)
        assert scores[u] == pytest.approx(expected, rel=1e-9, abs=1e-9)
        assert scorer.local(child, changed) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("num_states", "num_rows", "num_parents"),
    [
        ([3, 3, 3, 3, 3, 3, 3, 2], 3000, 5),  # many cells: counted row by row
        ([4] * 16, 500, 13),  # more configurations than rows
        ([300, 250, 2, 3], 1000, 2),  # more states than a table of pairs holds
        ([2, 2, 2, 9], 20000, 1),  # large counts
    ],
)
@pytest.mark.usefixtures("block_words")
def test_blocks_by_every_way_of_counting(
    num_states: list[int], num_rows: int, num_parents: int
) -> None:
    rng = np.random.default_rng(3)
    codes = np.stack([rng.integers(0, r, num_rows) ** 2 % r for r in num_states])
    held = merged(make_table(codes.astype(np.uint16), num_states))
    times = rng.integers(1, 40, len(held.times))
    table = MergedTable(held.variables, held.held, times, held.states)
    parents = np.arange(1, 1 + num_parents)
    scores = np.empty(len(num_states))
    kernel = Bdeu().bind(Dataset.of_codes(table)).kernel()
    fill(kernel, 0, parents, np.ones(1, np.uint64), scores)
    for u in range(len(num_states)):
        changed = sorted(set(parents.tolist()) if u == 0 else set(parents.tolist()) ^ {u})
        expected = local_score(table.codes, num_states, 0, changed, score="bdeu")
        assert scores[u] == pytest.approx(expected, rel=1e-9)


@pytest.fixture(scope="module")
def many() -> DataTable:
    """Rows of which most occur many times."""
    return load_network("asia").sample_table(70_000, seed=4)


def test_many_equal_rows_are_merged(many: DataTable) -> None:
    rows = make_rows(many)
    assert rows.codes.shape[1] < 2000
    assert int(times_of(rows).sum()) == many.num_rows
    assert make_rows(many, may_merge=False).codes is many.codes


def test_rows_that_differ_are_not_merged() -> None:
    codes = np.random.default_rng(0).integers(0, 4, (20, 70_000), dtype=np.uint8)
    table = make_table(codes, [4] * 20)
    assert make_rows(table).codes is table.codes
    assert make_rows(merged(table)).codes.shape == codes.shape


def test_tables_are_drawn_alike(many: DataTable, monkeypatch: pytest.MonkeyPatch) -> None:
    def draw() -> np.ndarray:
        scorer = Bdeu(1.0).bind(Dataset.of_codes(many))
        draw_given = scorer.drawer()
        assert draw_given is not None
        return draw_given(3, (1, 2), 0, np.random.default_rng(5)).probabilities

    few = draw()
    monkeypatch.setattr(layout, "MERGED_FROM", many.num_rows + 1)
    np.testing.assert_array_equal(draw(), few)
