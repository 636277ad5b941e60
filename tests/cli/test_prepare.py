"""`pathprior prepare`: the table is shown, written to be read again, and done again by code."""

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from pathprior.cli.app import app
from pathprior.data.door import read_dataset
from pathprior.errors import DataError

DRAW = np.random.default_rng(3)


def run(*arguments):
    result = CliRunner().invoke(app, ["prepare", *map(str, arguments)])
    if result.exception is not None:
        raise result.exception
    return result.stdout


@pytest.fixture
def raw(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(
        {
            "id": [f"p{k}" for k in range(300)],
            "age": DRAW.integers(18, 90, 300),
            "weight": DRAW.normal(70, 10, 300),
            "smokes": np.where(DRAW.random(300) < 0.3, None, "no"),
            "sex": ["m", "f"] * 150,
        }
    )
    frame.to_csv("raw.csv", index=False)
    return "raw.csv"


def test_it_proposes_and_writes_nothing(raw, tmp_path):
    shown = run(raw)
    assert "id      id              300        0  drop: an identifier by its name" in shown
    assert "Nothing written yet: add --out clean.csv" in shown
    assert [path.name for path in tmp_path.iterdir()] == ["raw.csv"]


@pytest.mark.parametrize("out", ["clean.csv", "clean.parquet"])
def test_the_table_and_the_code_that_makes_it(raw, tmp_path, out):
    run(raw, "--out", out, "--write-code", "clean.py", "--bins", "4", "--cuts", "age=30,50")
    table = read_dataset(out).discrete()
    assert table.variables == ("age", "weight", "smokes", "sex")
    assert set(table.states[0]) == {"<30", "[30, 50)", ">=50"}
    assert [len(states) for states in table.states] == [3, 4, 2, 2]
    before = (tmp_path / out).read_bytes()
    (tmp_path / out).unlink()
    exec((tmp_path / "clean.py").read_text(encoding="utf-8"), {})
    assert (tmp_path / out).read_bytes() == before


def test_parquet_keeps_the_order_of_states(raw):
    run(raw, "--out", "clean.parquet", "--cuts", "age=30,50", "--bins", "3")
    assert read_dataset("clean.parquet").discrete().states[0] == ("<30", "[30, 50)", ">=50")


def test_options_by_column(raw):
    options = ["--bins", "age=2", "--drop", "weight", "--missing", "smokes=drop", "--top", "sex=1"]
    run(raw, *options, "--out", "clean.csv")
    table = read_dataset("clean.csv").discrete()
    assert table.variables == ("age", "sex")  # smokes is always no where it is known
    assert len(table.states[0]) == 2
    assert table.states[1] == ("f", "other")


def test_what_the_door_would_refuse_is_not_written(raw, tmp_path):
    with pytest.raises(DataError, match="column 'id' looks like an identifier"):
        run(raw, "--keep", "id", "--out", "clean.csv")
    assert not (tmp_path / "clean.csv").exists()
    run(raw, "--keep", "id", "--out", "clean.parquet")
    assert "id" in read_dataset("clean.parquet").variables


def test_real_columns_are_said_to_be_declared(raw):
    shown = run(raw, "--drop", "smokes", "--out", "clean.csv")
    assert "--real" not in shown
    assert read_dataset("clean.csv").reals.variables == ("age", "weight")
    pd.read_csv(raw).assign(age=DRAW.integers(18, 40, 300)).to_csv("young.csv", index=False)
    shown = run("young.csv", "--real", "age", "--out", "clean.csv")
    assert "Learn from it with --real age" in shown


def test_gaps_that_are_left_are_written(raw):
    shown = run(raw, "--out", "clean.csv", "--missing", "em", "--keep", "smokes")
    assert "Gaps are left: learn with missing='em'." in shown
    kept = read_dataset("clean.csv", kinds={"age": "real"}, missing="em")
    assert kept.num_rows == 300
    assert kept.observed is not None
