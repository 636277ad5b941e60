"""Rows from experiments on the command line."""

import json
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from pathprior.cli.app import app
from tests.search.test_interventions import chain

pytestmark = pytest.mark.kernel


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.csv"
    chain(600, 0).to_csv(path, index=False)
    return path


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_learn_reads_the_column_and_repeats_the_run(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("learn", data, "--interventions", "target", "--out", out)
    edges = pd.read_csv(out / "edges.csv")
    assert list(zip(edges["parent"], edges["child"], strict=True)) == [("a", "b"), ("b", "c")]
    assert edges["is_direction_fixed"].all()
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert summary["settings"]["interventions"] == "target"
    assert summary["num_variables"] == 4
    again = run("learn", "--from", out / "summary.json", "--out", tmp_path / "again")
    assert "The same network as then, to the last bit." in again


def test_posterior_reads_the_column(data: Path, tmp_path: Path) -> None:
    run("posterior", data, "--interventions", "target", "--out", tmp_path / "out")
    edges = pd.read_csv(tmp_path / "out" / "edges.csv").set_index(["parent", "child"])
    assert edges.loc[("a", "b"), "probability"] > 0.99


def test_soft_experiments(data: Path, tmp_path: Path) -> None:
    options = ["--interventions", "target", "--interventions-kind", "soft", "--out", tmp_path / "o"]
    run("learn", data, *options)
    summary = json.loads((tmp_path / "o" / "summary.json").read_text(encoding="utf-8"))
    assert summary["resolved"]["interventions_kind"] == "soft"
