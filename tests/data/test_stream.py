"""Real numbers that stay in their file: the same answers, without the memory."""

import os
import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import pathprior as pp
from pathprior.data import batches, growing, readers, row_sources
from pathprior.data.door import read_dataset
from pathprior.data.stream import RealStream
from pathprior.data.table import RealTable
from pathprior.errors import DataError
from pathprior.network import mixed

DRAW = np.random.default_rng(11)
NUM_ROWS = 400


def make_frame() -> pd.DataFrame:
    smokes = DRAW.integers(0, 2, NUM_ROWS)
    age = DRAW.permutation(1000)[:NUM_ROWS]
    salt = DRAW.normal(9.0, 2.5, NUM_ROWS)
    pressure = 1e6 + 0.5 * age + 15 * salt + DRAW.normal(0, 9, NUM_ROWS)
    heavy = (DRAW.normal(size=NUM_ROWS) + smokes > 0.5).astype(int)
    whole = np.floor(40 * DRAW.normal(size=NUM_ROWS)) + 0.0
    return pd.DataFrame(
        {
            "age": age,
            "salt": salt.astype(np.float32).astype(np.float64),
            "smokes": np.array(["no", "yes"])[smokes],
            "pressure": pressure,
            "heavy": heavy,
            "plaque": 0.04 * pressure + 2.0 * smokes + DRAW.normal(0, 1, NUM_ROWS),
            "whole": whole,
        }
    )


FRAME = make_frame()
KINDS = {"age": "real"}
REAL = ("age", "salt", "pressure", "plaque", "whole")


@pytest.fixture
def nothing_held(monkeypatch):
    """Files of any size are treated as large ones, in blocks that do not divide them."""
    for module in (batches, readers, mixed):
        monkeypatch.setattr(module, "HELD_CELLS", 0)
    monkeypatch.setattr(row_sources, "BLOCK_CELLS", 5 * 37)
    monkeypatch.setattr(readers, "CHUNK_CELLS", 7 * 53)
    monkeypatch.setattr(readers, "FIRST_ROWS", 10)


def as_parquet(frame: pd.DataFrame, folder: Path) -> Path:
    frame.to_parquet(folder / "data.parquet", row_group_size=90)
    return folder / "data.parquet"


def as_single(frame: pd.DataFrame, folder: Path) -> Path:
    schema = pa.Schema.from_pandas(frame)
    salt = schema.get_field_index("salt")
    schema = schema.set(salt, pa.field("salt", pa.float32()))
    path = folder / "data.parquet"
    with pa.parquet.ParquetWriter(path, schema) as writer:
        writer.write_table(pa.Table.from_pandas(frame, schema))
    return path


def as_csv(frame: pd.DataFrame, folder: Path) -> Path:
    frame.to_csv(folder / "data.csv.gz", index=False)
    return folder / "data.csv.gz"


def as_arrow(frame: pd.DataFrame, folder: Path) -> pa.Table:
    halves = frame.iloc[:130], frame.iloc[130:]
    return pa.concat_tables([pa.Table.from_pandas(half) for half in halves])


def as_polars(frame: pd.DataFrame, folder: Path) -> pl.DataFrame:
    return pl.from_pandas(frame)


FORMS = [as_parquet, as_single, as_csv, as_arrow, as_polars]
FORM = pytest.mark.parametrize("form", FORMS)


@FORM
def test_numbers_are_read_when_they_are_needed(tmp_path, nothing_held, form):
    held = read_dataset(FRAME, kinds=KINDS)
    data = read_dataset(form(FRAME, tmp_path), kinds=KINDS)
    assert isinstance(held.reals, RealTable)
    assert isinstance(data.reals, RealStream)
    assert data.variables == held.variables == tuple(FRAME.columns)
    assert data.reals.variables == REAL
    assert data.coded.states == held.coded.states
    np.testing.assert_array_equal(data.coded.codes, held.coded.codes)
    np.testing.assert_array_equal(data.reals.values, held.reals.values)
    np.testing.assert_array_equal(data.reals.lowest, held.reals.lowest)
    np.testing.assert_array_equal(data.reals.highest, held.reals.highest)
    assert sum(block.shape[1] for block in data.reals.blocks()) == NUM_ROWS
    assert len(list(data.reals.blocks())) > 3
    other = data.select(["whole", "smokes", "salt"])
    np.testing.assert_array_equal(other.reals.values, held.select(["whole", "salt"]).reals.values)
    assert isinstance(data.select(["smokes"]).reals, RealTable)


@FORM
@pytest.mark.parametrize("names", [list(REAL), list(FRAME.columns)])
def test_a_fit_is_the_same(tmp_path, nothing_held, form, names):
    frame = FRAME[names]
    score = "bge" if names == list(REAL) else "auto"  # only what is held is ranked or bent
    fit = pp.learn(form(frame, tmp_path), kinds=KINDS, score=score)
    same = pp.learn(frame, kinds=KINDS, score=score)
    assert isinstance(fit.problem.data.reals, RealStream)
    assert fit.cpdag == same.cpdag
    assert fit.dag.num_edges >= 3
    assert fit.score == pytest.approx(same.score, rel=1e-12)
    network = fit.network()
    other = type(network).estimate(fit.dag, same.problem.data, equivalent_sample_size=1.0)
    pd.testing.assert_frame_equal(network.to_frame(), other.to_frame(), rtol=1e-9)
    likelihood = network.log_likelihood(fit.problem.data)
    assert likelihood == pytest.approx(other.log_likelihood(frame), rel=1e-9)
    each = network.log_likelihood(fit.problem.data, per_row=True)
    assert each.sum() == pytest.approx(likelihood)
    assert each[:3].sum() == pytest.approx(network.log_likelihood(frame[:3]))


@pytest.mark.parametrize("names", [REAL, ("salt", "pressure", "plaque")])
def test_real_columns_of_a_file_are_read_once(tmp_path, nothing_held, monkeypatch, names):
    path, times = as_parquet(FRAME[list(names)], tmp_path), []
    read = row_sources.ParquetBatches.frames
    monkeypatch.setattr(
        row_sources.ParquetBatches, "frames", lambda *args: times.append(1) or read(*args)
    )
    kinds = dict.fromkeys(names, "real")
    fit = pp.learn(path, kinds=kinds, score="bge")
    assert times == [1]
    same = pp.learn(FRAME[list(names)], kinds=kinds, score="bge")
    assert fit.score == pytest.approx(same.score, rel=1e-12)


@pytest.mark.parametrize("size", [1e-190, 1e120, 1e170])
def test_sums_whose_units_do_not_suit_are_taken_again(tmp_path, nothing_held, size):
    """The first block, of which units come, shows nothing of how far the column reaches."""
    frame = FRAME[["salt", "pressure"]].assign(late=0.0)
    frame.loc[200:, "late"] = size * (DRAW.normal(size=200) + FRAME["salt"][200:] / 5)
    fit = pp.learn(as_parquet(frame, tmp_path), kinds={"late": "real"}, score="bge")
    assert fit.problem.data.reals.sums is None
    same = pp.learn(frame, kinds={"late": "real"}, score="bge")
    assert fit.cpdag == same.cpdag
    assert fit.score == pytest.approx(same.score, rel=1e-12)


@FORM
def test_a_gaussian_network_is_estimated_in_blocks(tmp_path, nothing_held, form):
    frame = FRAME[list(REAL)]
    dag = pp.Dag.from_edges(REAL, [("salt", "pressure"), ("age", "pressure")])
    data = read_dataset(form(frame, tmp_path), kinds=KINDS)
    found = pp.GaussianNetwork.estimate(dag, data).to_frame()
    same = pp.GaussianNetwork.estimate(dag, frame).to_frame()
    pd.testing.assert_frame_equal(found, same, rtol=1e-9)


@FORM
@pytest.mark.parametrize("score", ["gaussian-bic", pp.Bge(scale=False)])
def test_other_scores_and_constant_columns(tmp_path, nothing_held, form, score):
    frame = FRAME[list(REAL)].assign(same=2.5)
    with pytest.warns(pp.errors.PathPriorWarning, match="'same'"):
        fit = pp.learn(form(frame, tmp_path), kinds=KINDS, score=score)
    with pytest.warns(pp.errors.PathPriorWarning, match="'same'"):
        same = pp.learn(frame, kinds=KINDS, score=score)
    assert fit.cpdag == same.cpdag
    assert fit.score == pytest.approx(same.score, rel=1e-12)


@FORM
def test_what_is_wrong_is_found(tmp_path, nothing_held, form):
    frame = FRAME.assign(
        salt=FRAME["salt"].where(FRAME.index != 300, np.inf),
        plaque=FRAME["plaque"].where(FRAME.index % 100 > 0),
        number=np.arange(NUM_ROWS) + 0.0,
    )
    with pytest.raises(DataError) as error:
        read_dataset(form(frame, tmp_path), kinds=KINDS)
    with pytest.raises(DataError) as same:
        read_dataset(frame, kinds=KINDS)
    assert str(error.value) == str(same.value)
    for flaw in ("'salt' holds infinite numbers in 1 of 400 rows", "'plaque' misses 4 of 400"):
        assert flaw in str(error.value)


@FORM
def test_rows_of_experiments_are_held(tmp_path, nothing_held, form):
    was_set = [None] * 350 + ["salt"] * 50
    fit = pp.learn(form(FRAME, tmp_path), kinds=KINDS, interventions=was_set)
    same = pp.learn(FRAME, kinds=KINDS, interventions=was_set)
    assert isinstance(fit.problem.data.reals, RealTable)
    assert fit.score == pytest.approx(same.score, rel=1e-12)


def test_fractions_may_come_late(tmp_path, nothing_held, monkeypatch):
    numbers = [*range(100), *(np.arange(300) / 8)]
    frame = pd.DataFrame({"a": numbers, "b": DRAW.normal(size=400)})
    path = as_csv(frame, tmp_path)
    for most in (growing.MAX_STATES, 20):
        monkeypatch.setattr(growing, "MAX_STATES", most)
        data = read_dataset(path)
        assert isinstance(data.reals, RealStream)
        assert data.reals.values[0].tolist() == numbers
        assert data.reals.highest[0] == 99.0


@pytest.mark.parametrize("form", [as_parquet, as_csv])
def test_a_file_may_not_change(tmp_path, nothing_held, form):
    path = form(FRAME, tmp_path)
    data = read_dataset(path, kinds=KINDS)
    os.utime(path, ns=(1, 1))
    with pytest.raises(DataError, match="was changed after it was read: read it again"):
        pp.learn(data)
    path.unlink()
    with pytest.raises(DataError, match=r"cannot read .*[Nn]o such file"):
        pp.learn(data)


def test_few_numbers_are_held(tmp_path):
    path = as_parquet(FRAME, tmp_path)
    data = read_dataset(path, kinds=KINDS)
    path.unlink()
    assert pp.learn(data).network().log_likelihood(data) < 0


@pytest.mark.parametrize("form", [as_parquet, as_csv])
def test_memory_does_not_grow_with_the_rows(tmp_path, nothing_held, form, monkeypatch):
    monkeypatch.setattr(row_sources, "BLOCK_CELLS", 1 << 14)
    monkeypatch.setattr(readers, "CHUNK_CELLS", 1 << 14)
    frame = pd.DataFrame(DRAW.normal(size=(70_000, 8)), columns=list("abcdefgh"))
    path, num_bytes = form(frame, tmp_path), frame.size * 8
    pp.learn(path)
    tracemalloc.start()
    pp.learn(path).network()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < num_bytes / 2


def test_a_posterior_is_drawn_and_known_again(tmp_path, nothing_held):
    path = as_parquet(FRAME[list(REAL)], tmp_path)
    data, again = (read_dataset(path, kinds=KINDS) for _ in range(2))
    held = read_dataset(FRAME[list(REAL)], kinds=KINDS)
    options = {"seed": 1, "method": "chains", "checkpoint": tmp_path / "draws.npz"}
    found = pp.sample_posterior(data, **options)
    same = pp.sample_posterior(held, seed=1, method="chains")
    np.testing.assert_allclose(found.edges, same.edges, atol=1e-6)
    with pytest.warns(pp.errors.PathPriorWarning, match="going on from"):
        pp.sample_posterior(again, **options)
