"""Equal rows held once: the same rows, as often."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.data import merged as merging
from pathprior.data.dataset import Dataset
from pathprior.data.merged import Merging, Packing, merge_words, merged
from pathprior.data.table import DataTable
from tests.data_tables import make_table, tables


def rows_of(codes: np.ndarray) -> Counter[tuple[int, ...]]:
    return Counter(map(tuple, codes.T.tolist()))


@given(tables())
def test_a_merged_table_has_the_same_rows(table: DataTable) -> None:
    few = merged(table)
    assert few.num_rows == table.num_rows
    assert len(rows_of(few.held)) == len(few.times)
    assert rows_of(few.codes) == rows_of(table.codes)
    assert few.codes.dtype == table.codes.dtype


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(table: DataTable, random) -> None:
    order = list(range(table.num_rows))
    random.shuffle(order)
    other = merged(DataTable(table.variables, table.codes[:, order], table.states))
    np.testing.assert_array_equal(other.held, merged(table).held)
    np.testing.assert_array_equal(other.times, merged(table).times)


@given(st.lists(st.integers(1, 70_000), min_size=1, max_size=12), st.integers(0, 50))
def test_packed_codes_come_back(num_states: list[int], num_rows: int) -> None:
    rng = np.random.default_rng(num_rows)
    codes = np.stack([rng.integers(0, min(r, 2**16), num_rows) for r in num_states])
    codes = codes.astype(np.uint16)
    packing = Packing(num_states)
    np.testing.assert_array_equal(packing.unpack(packing.pack(codes), codes.dtype), codes)


def test_rows_with_the_same_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "MULTIPLIER", np.uint64(0))
    words = np.random.default_rng(0).integers(0, 3, (3, 200)).astype(np.uint64)
    found, times = merge_words(words, np.ones(200, np.int64))
    expected = rows_of(words)
    assert {tuple(row): n for row, n in zip(found.T.tolist(), times.tolist(), strict=True)} == (
        dict(expected)
    )


def test_rows_are_merged_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "LEAST_WAITING", 20)
    rng = np.random.default_rng(1)
    growing, parts = Merging(25), []
    for most in (2, 2, 5, 300, 3, 300):  # states turn up, and need more bits and words
        parts.append(rng.integers(0, most, (25, 30)).astype(np.uint16) // rng.integers(1, 9))
        growing.add(parts[-1], [int(np.concatenate(parts, axis=1).max()) + 1] * 25)
        growing.add(parts[-1][:, :10], [int(np.concatenate(parts, axis=1).max()) + 1] * 25)
    times = growing.finish()
    codes = np.stack([growing.column(v) for v in range(25)])
    twice = [part[:, :10] for part in parts]
    assert rows_of(np.repeat(codes, times, axis=1)) == rows_of(np.hstack([*parts, *twice]))
    assert len(rows_of(codes)) == len(times)


def test_data_that_need_their_rows_hold_them() -> None:
    table = merged(make_table(np.array([[0, 0, 1], [1, 1, 0]], np.uint8), [2, 2]))
    assert Dataset.of_codes(table).coded is table
    intervened = np.array([[True, False, False], [False, False, False]])
    dataset = Dataset(table.variables, table, Dataset.of_codes(table).reals, intervened=intervened)
    assert isinstance(dataset.coded, DataTable)
    assert dataset.num_rows == 3


def test_views_of_merged_data() -> None:
    table = make_table(np.array([[0, 0, 1, 0], [1, 1, 0, 1], [2, 2, 2, 2]], np.uint8), [2, 2, 3])
    dataset = Dataset.of_codes(merged(table))
    assert dataset.num_rows == 4
    assert rows_of(dataset.discrete().codes) == rows_of(table.codes)
    assert rows_of(dataset.select(["v2", "v0"]).coded.codes) == rows_of(table.codes[[2, 0]])
    assert dataset.among(np.array([True, False, True, False])).num_rows == 2
    assert [int(high) for _, _, high in dataset.spans()] == [1, 1, 2]
    assert sorted(dict(dataset.known())["v0"].tolist()) == [0, 0, 0, 1]
