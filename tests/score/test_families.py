"""The score of families: against its definition, and where it must not depend on names or order."""

from dataclasses import replace
from math import log

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.data.door import read_dataset
from pathprior.data.table import DataTable
from pathprior.kernels.data.additive import Shape, make_additive_room
from pathprior.kernels.data.additive_evidence import additive_evidence
from pathprior.kernels.data.columns import fill_column
from pathprior.network.tables import count_cells
from pathprior.score.bdeu import Bdeu
from pathprior.score.families import Families, FamiliesScorer
from pathprior.score.family_tables import chances_of, count_family
from tests.data_tables import make_table, tables
from tests.kernels import entered
from tests.oracles import additive as oracle
from tests.oracles.score import count_family as count_family_of
from tests.oracles.score import local_score


def evidence(counts: NDArray[np.int64], of_parents: list[int], size: float) -> float:
    """A by the kernel; counts by configuration, the first parent's state fastest."""
    shape = Shape(
        np.array(of_parents, np.int64), np.int64(counts.shape[1]), np.int64(len(counts)), size
    )
    cells = np.ascontiguousarray(counts, np.int32)
    totals = cells.sum(axis=1).astype(np.int32)
    value, _ = entered(additive_evidence)(cells.ravel(), totals, shape, make_additive_room())
    return float(value)


@st.composite
def counted_families(draw: st.DrawFn) -> tuple[NDArray[np.int64], list[int], float]:
    """Counts of a family of two parents or more: some cells empty, some large."""
    of_parents = draw(st.lists(st.integers(1, 4), min_size=2, max_size=3))
    r = draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    counts = rng.poisson(draw(st.sampled_from([0.2, 2.0, 50.0])), (int(np.prod(of_parents)), r))
    counts[rng.random(counts.shape) < draw(st.sampled_from([0.0, 0.5]))] = 0
    return counts, of_parents, draw(st.sampled_from([0.5, 2.0, 30.0]))


@pytest.mark.kernel
@given(counted_families())
@example((np.zeros((6, 3), int), [2, 3], 2.0))
@example((np.eye(6, 3, dtype=int), [2, 3], 2.0))
@settings(deadline=None, max_examples=50)
def test_the_additive_part_follows_the_definition(
    family: tuple[NDArray[np.int64], list[int], float],
) -> None:
    counts, of_parents, size = family
    expected = oracle.additive(counts, of_parents, size)
    assert evidence(counts, of_parents, size) == pytest.approx(expected, rel=1e-8, abs=1e-7)


@pytest.mark.kernel
@given(counted_families())
@settings(deadline=None, max_examples=30)
def test_no_state_is_the_reference(family: tuple[NDArray[np.int64], list[int], float]) -> None:
    counts, of_parents, size = family
    turned = counts.reshape([*reversed(of_parents), counts.shape[1]])[..., ::-1]
    turned = np.flip(turned, axis=0).reshape(counts.shape)
    value = evidence(counts, of_parents, size)
    assert evidence(turned, of_parents, size) == pytest.approx(value, rel=1e-9, abs=1e-9)


def test_laplace_is_near_the_evidence_by_importance_sampling() -> None:
    """Many rows, so that the posterior is nearly normal; the prior's constant by sampling too."""
    rng = np.random.default_rng(1)
    of_parents, r, size = [2, 2], 2, 8.0
    counts = rng.multinomial(400, rng.dirichlet(np.ones(8))).reshape(4, 2)
    sampled = [
        oracle.log_integral(cells, of_parents, rng, 400_000)
        for cells in (counts + size / 8, np.full((4, r), size / 8))
    ]
    assert evidence(counts, of_parents, size) == pytest.approx(sampled[0] - sampled[1], abs=0.3)


@pytest.mark.kernel
@given(tables(), st.data())
@settings(deadline=None)
def test_a_family_is_the_mean_of_three_parts(table: DataTable, data: st.DataObject) -> None:
    child = data.draw(st.integers(0, table.num_variables - 1))
    others = [v for v in range(table.num_variables) if v != child]
    parents = sorted(data.draw(st.lists(st.sampled_from(others), unique=True)))
    scorer = bound(table)
    found = scorer.parts(child, parents)
    codes, states = table.codes, table.num_states.tolist()
    by_table = local_score(codes, states, child, parents, score="bdeu")
    assert found.table == pytest.approx(by_table, rel=1e-9, abs=1e-9)
    counts = count(table, child, parents)
    rows = oracle.table(counts, 1 / states[child])
    assert found.rows == pytest.approx(rows, rel=1e-9, abs=1e-9)
    parts = np.array([found.table, found.rows, found.additive])
    mean = float(np.logaddexp.reduce(parts)) - log(3)
    assert scorer.local(child, parents) == pytest.approx(mean, rel=1e-12, abs=1e-12)


def bound(table: DataTable) -> FamiliesScorer:
    return Families().bind(Dataset.of_codes(table))


def count(table: DataTable, child: int, parents: list[int]) -> NDArray[np.int64]:
    """Counts by configuration, the first parent's state fastest."""
    return count_family_of(table.codes, table.num_states.tolist(), child, parents)


def random_table(num_states: list[int], num_rows: int, seed: int = 0) -> DataTable:
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(0, r, num_rows) for r in num_states]).astype(np.uint16)
    return make_table(codes, num_states)


def test_with_one_parent_or_none_the_additive_part_is_bdeu() -> None:
    table = random_table([3, 2, 4], 60)
    scorer, bdeu = bound(table), Bdeu().bind(Dataset.of_codes(table))
    for parents in ([], [1], [2]):
        found = scorer.parts(0, parents)
        assert found.additive == found.table == pytest.approx(bdeu.local(0, parents), abs=1e-10)


def test_beyond_its_limits_a_family_has_no_additive_part() -> None:
    table = random_table([12] * 6, 200)
    found = bound(table).parts(0, [1, 2, 3, 4, 5])
    assert found.additive == found.table
    assert found.rows != found.table


def test_one_row_and_states_that_never_occur() -> None:
    table = random_table([3, 2, 2], 1)
    found = bound(table).parts(0, [1, 2])
    # whatever the parents are, each of three states is as probable before anything was seen
    assert found.table == pytest.approx(-log(3))
    assert found.rows == pytest.approx(-log(3))
    assert found.additive == pytest.approx(-log(3), abs=0.1)


@given(tables(), st.data())
@settings(deadline=None, max_examples=30)
def test_columns_hold_the_local_scores_to_the_bit(table: DataTable, data: st.DataObject) -> None:
    child = data.draw(st.integers(0, table.num_variables - 1))
    others = [v for v in range(table.num_variables) if v != child]
    parents = sorted(data.draw(st.lists(st.sampled_from(others), unique=True)))
    scorer = bound(table)
    barred, out = np.zeros(1, np.uint64), np.empty(table.num_variables)
    members = np.array(parents, np.int64)
    entered(fill_column)(scorer.kernel(), np.int64(child), members, barred, out)
    for u in range(table.num_variables):
        changed = set(parents) if u == child else set(parents) ^ {u}
        assert out[u] == scorer.local(child, sorted(changed))


def test_the_same_bits_for_any_order_of_rows_and_columns() -> None:
    data = pp.load_network("asia").sample(300, seed=0)
    first = pp.learn(data, score="families")
    turned = data.sample(frac=1, random_state=1)[list(reversed(data.columns))]
    again = pp.learn(turned, score="families")
    assert set(first.dag.edges) == set(again.dag.edges)
    assert first.score == again.score


def test_the_order_of_states_and_parents_does_not_matter() -> None:
    data = pp.load_network("child").sample(400, seed=0)
    rng = np.random.default_rng(0)
    turned = data.astype(
        {c: pd.CategoricalDtype(rng.permutation(sorted(data[c].unique()))) for c in data.columns}
    )
    first, other = (Families().bind(read_dataset(table)) for table in (data, turned))
    for child in range(20):
        others = [v for v in range(20) if v != child]
        parents = rng.choice(others, 3, replace=False).tolist()
        value = first.local(child, parents)
        assert first.local(child, parents[::-1]) == value
        # states are added up in their order, as by BDeu: the last digits differ
        assert other.local(child, parents) == pytest.approx(value, rel=1e-12)


def test_searches_bear_one_row_and_many_states() -> None:
    one = pd.DataFrame({"a": ["x"], "b": ["y"], "c": ["z"]})
    assert not pp.learn(one, score="families", constant_columns="keep").dag.edges
    rng = np.random.default_rng(0)
    wide = pd.DataFrame({f"v{k}": rng.integers(0, 12, 2000) for k in range(6)}).astype(str)
    wide["v5"] = wide["v0"]
    fit = pp.learn(wide, score="families")
    assert {frozenset(edge) for edge in fit.dag.edges} == {frozenset(("v0", "v5"))}
    assert np.isfinite(fit.score)


def test_merged_rows_count_as_often_as_they_occur() -> None:
    table = random_table([3, 2, 2], 70_000)
    scorer = bound(table)
    assert scorer.rows.codes.shape[1] < 1000
    counts = count(table, 0, [1, 2])
    assert scorer.local(0, [1, 2]) == pytest.approx(oracle.families(counts, [2, 2], 2.0), rel=1e-9)


@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_experiments_cost_nothing_where_no_row_shows_a_mechanism(kind: str) -> None:
    """Set in every row: the same with any parents. Changed in every row: as if nothing had been."""
    table = random_table([3, 2, 2, 2], 40)
    is_set = np.zeros((4, 40), bool)
    is_set[0] = True
    dataset = replace(Dataset.of_codes(table), intervened=is_set, are_soft=kind == "soft")
    scorer, alone = Families().bind(dataset), bound(table)
    for parents in ([], [1], [1, 2], [1, 2, 3]):
        assert scorer.local(0, parents) == (alone.local(0, parents) if kind == "soft" else 0.0)
        assert scorer.local(1, [2, 3]) == pytest.approx(alone.local(1, [2, 3]), abs=1e-12)


def test_soft_experiments_are_scored_apart() -> None:
    table = random_table([3, 2, 2], 60)
    is_set = np.zeros((3, 60), bool)
    is_set[0, :20] = True
    soft = replace(Dataset.of_codes(table), intervened=is_set, are_soft=True)
    hard, others = (replace(soft, intervened=rows, are_soft=False) for rows in (is_set, ~is_set))
    whole, left_alone, changed = (
        Families().bind(data).local(0, [1, 2]) for data in (soft, hard, others)
    )
    assert whole == pytest.approx(left_alone + changed)
    assert left_alone == pytest.approx(
        local_score(table.codes[:, 20:], [3, 2, 2], 0, [1, 2], score="families"), rel=1e-8
    )


def test_its_prior_is_worth_what_the_score_says() -> None:
    data = pp.load_network("asia").sample(100, seed=0)[["smoke", "lung", "bronc"]]
    assert pp.learn(data, score=Families(5.0)).problem.prior_rows == 5.0


def test_tables_have_their_axes_in_the_order_asked_for() -> None:
    table = random_table([3, 2, 4, 2], 500)
    family = count_family(bound(table).kernel(), 0, [2, 1], 0)
    codes = [table.codes[v] for v in (2, 1, 0)]
    assert np.array_equal(family.in_order(family.counts, [2, 1]), count_cells(codes, (4, 2, 3)))


def test_the_logits_table_is_the_most_probable_one_of_its_effects() -> None:
    table = random_table([3, 2, 4, 2], 500)
    family = count_family(bound(table).kernel(), 0, [1, 2, 3], 0)
    assert family.chances is not None
    assert chances_of(family.effects, family.of_parents, 3) == pytest.approx(family.chances)
    cells = family.counts + 2 / family.counts.size
    # at the maximum every effect's expected count is its observed one: here those of two marginals
    expected = cells.sum(axis=1, keepdims=True) * family.chances
    by_last = [of.reshape(2, 8, 3).sum(axis=1) for of in (cells, expected)]
    assert by_last[1] == pytest.approx(by_last[0], rel=1e-6)


def test_draws_scatter_about_the_mean() -> None:
    table = random_table([3, 2, 4, 2], 3000)
    scorer = bound(table)
    family = count_family(scorer.kernel(), 0, [1, 2], 0)
    draw, generator = scorer.drawer(), np.random.default_rng(0)
    drawn = np.array([draw(0, [1, 2], 0, generator).probabilities for _ in range(300)])
    mean = family.in_order(family.mean(), [1, 2])
    error = drawn.std(axis=0) / np.sqrt(len(drawn))
    assert (np.abs(drawn.mean(axis=0) - mean) < 5 * error + 0.01).all()


def test_networks_predict_by_the_parts_of_their_families() -> None:
    """Where the truth is additive and cells are few, better than by full tables."""
    rng = np.random.default_rng(0)
    causes = rng.integers(0, 2, (6, 4000))
    odds = -1.5 + causes.T @ np.full(6, 0.7)
    data = pd.DataFrame({f"x{i}": causes[i] for i in range(6)}).astype(str)
    data["y"] = (rng.random(4000) < 1 / (1 + np.exp(-odds))).astype(int).astype(str)
    few, rest = data[:300], data[300:]
    dag = pp.Dag.from_edges(data.columns, [(f"x{i}", "y") for i in range(6)])
    by_parts = Families().bind(read_dataset(few)).estimate(dag, equivalent_sample_size=2.0)
    by_tables = pp.BayesianNetwork.estimate(dag, few, equivalent_sample_size=2.0)
    assert by_parts.log_likelihood(rest) > by_tables.log_likelihood(rest) + 100
