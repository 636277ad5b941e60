"""Rows that are too many to hold are merged as they are read, from wherever they come."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pathprior import learn, load_network
from pathprior.data import growing_rows, readers, row_sources
from pathprior.data.dataset import Dataset
from pathprior.data.door import read_dataset
from pathprior.data.merged import MergedTable
from pathprior.data.table import DataTable
from pathprior.errors import DataError


@pytest.fixture(autouse=True)
def few_rows_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of about 300 rows, of which the first two are held row by row."""
    monkeypatch.setattr(growing_rows, "HELD_CODES", 4000)
    monkeypatch.setattr(readers, "CHUNK_CELLS", 2400)
    monkeypatch.setattr(row_sources, "BLOCK_CELLS", 2400)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    frame = load_network("asia").sample(2000, seed=1).astype(str)
    frame["smoke"] = frame["smoke"].map({"yes": 10, "no": 2})  # numbers go by size
    late = np.where(np.arange(2000) > 1900, "ancient", "new")  # a state that turns up late
    return frame.assign(xray=late)


def as_csv(frame: pd.DataFrame, folder: Path) -> Path:
    frame.to_csv(folder / "data.csv", index=False)
    return folder / "data.csv"


def as_parquet(frame: pd.DataFrame, folder: Path) -> Path:
    pytest.importorskip("pyarrow")
    frame.to_parquet(folder / "data.parquet", index=False)
    return folder / "data.parquet"


def as_table(frame: pd.DataFrame, folder: Path) -> Any:
    return pytest.importorskip("pyarrow").Table.from_pandas(frame, preserve_index=False)


def as_many_files(frame: pd.DataFrame, folder: Path) -> Any:
    pytest.importorskip("pyarrow")
    from pyarrow import dataset

    for k in range(4):
        frame[k * 500 : (k + 1) * 500].to_parquet(folder / f"part{k}.parquet", index=False)
    return dataset.dataset(folder)


def as_dask(frame: pd.DataFrame, folder: Path) -> Any:
    dask = pytest.importorskip("dask.dataframe", reason="needs dask")
    return dask.from_pandas(frame, npartitions=5)


SOURCES = [as_csv, as_parquet, as_table, as_many_files, as_dask]

Source = Callable[[pd.DataFrame, Path], Any]


def rows_of(dataset: Dataset) -> Counter[tuple[int, ...]]:
    return Counter(map(tuple, dataset.coded.codes.T.tolist()))


@pytest.mark.parametrize("source", SOURCES)
def test_the_same_rows_come_from_everywhere(
    source: Source, frame: pd.DataFrame, tmp_path: Path
) -> None:
    dataset, plain = read_dataset(source(frame, tmp_path)), read_dataset(frame)
    assert isinstance(plain.coded, DataTable)
    assert isinstance(dataset.coded, MergedTable)
    assert dataset.num_rows == 2000
    assert dataset.coded.held.shape[1] < 200
    assert dataset.coded.held.dtype == plain.coded.codes.dtype
    assert dataset.coded.states == plain.coded.states
    assert rows_of(dataset) == rows_of(plain)


@pytest.mark.parametrize(
    ("source", "score"),
    [(as_csv, "auto"), (as_parquet, "auto"), (as_dask, "auto"), (as_dask, "families")],
)
def test_the_same_graph_is_learned(
    source: Source, score: str, frame: pd.DataFrame, tmp_path: Path
) -> None:
    fit, plain = learn(source(frame, tmp_path), score=score), learn(frame, score=score)
    assert fit.dag == plain.dag
    assert fit.score == pytest.approx(plain.score, rel=1e-12)


@pytest.mark.parametrize("source", SOURCES)
def test_late_gaps_are_found(source: Source, frame: pd.DataFrame, tmp_path: Path) -> None:
    holey = frame.copy()
    holey.loc[1950, "lung"] = None
    data = source(holey, tmp_path)
    with pytest.raises(DataError, match=r"'lung' misses 1 of 2000"):
        read_dataset(data)
    dataset = read_dataset(data, missing="em")
    assert isinstance(dataset.coded, DataTable)
    np.testing.assert_array_equal(dataset.observed, read_dataset(holey, missing="em").observed)
    assert read_dataset(data, missing="drop").num_rows == 1999


@pytest.mark.parametrize("source", SOURCES)
def test_late_fractions_are_found(source: Source, frame: pd.DataFrame, tmp_path: Path) -> None:
    real = frame.assign(either=np.where(np.arange(2000) > 1900, 0.5, 1.0))
    dataset = read_dataset(source(real, tmp_path))
    assert dataset.reals.variables == ("either",)
    np.testing.assert_array_equal(dataset.reals.values[0], real["either"])
    assert isinstance(dataset.coded, DataTable)
    assert rows_of(dataset) == rows_of(read_dataset(real))


@pytest.mark.parametrize("source", SOURCES)
def test_what_cannot_be_coded_is_refused(
    source: Source, frame: pd.DataFrame, tmp_path: Path
) -> None:
    data = source(frame.assign(bronc=np.arange(2000)), tmp_path)
    with pytest.raises(DataError, match="'bronc'"):
        read_dataset(data)
    declared = read_dataset(data, kinds={"bronc": "discrete"})
    assert len(declared.coded.states[declared.variables.index("bronc")]) == 2000
    assert rows_of(declared).most_common(1)[0][1] == 1


@pytest.mark.parametrize("source", SOURCES[1:])
def test_categories_keep_their_order(source: Source, frame: pd.DataFrame, tmp_path: Path) -> None:
    levels = pd.CategoricalDtype(["yes", "unknown", "no"])
    dataset = read_dataset(source(frame.assign(lung=frame["lung"].astype(levels)), tmp_path))
    assert isinstance(dataset.coded, MergedTable)
    place = dataset.variables.index("lung")
    assert dataset.coded.states[place] == ("yes", "unknown", "no")
    found = Counter(dataset.coded.codes[place].tolist())
    assert found == {0: (frame["lung"] == "yes").sum(), 2: (frame["lung"] == "no").sum()}


@pytest.mark.parametrize("source", SOURCES)
def test_rows_with_interventions_are_kept(
    source: Source, frame: pd.DataFrame, tmp_path: Path
) -> None:
    data = source(frame, tmp_path)
    targets = [None, "lung"] * 1000
    dataset = read_dataset(data, interventions=targets)
    np.testing.assert_array_equal(
        dataset.coded.codes, read_dataset(frame, interventions=targets).coded.codes
    )
    with pytest.raises(DataError, match="give interventions where the data are read"):
        read_dataset(read_dataset(data), interventions=targets)
    named = source(frame.assign(target=["none", "lung"] * 1000), tmp_path)
    whole = read_dataset(named, interventions="target")
    assert whole.intervened is not None
    later = read_dataset(read_dataset(named), interventions="target")
    assert later.intervened is not None
    assert later.intervened.sum() == whole.intervened.sum() == 1000
    assert later.coded.codes[:, later.intervened.any(axis=0)].sum(axis=1).tolist() == (
        whole.coded.codes[:, whole.intervened.any(axis=0)].sum(axis=1).tolist()
    )
