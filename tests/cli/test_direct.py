"""Beliefs in edges on the command line: files in, tables and results out."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import app

BELIEFS = """x,relation,y,probability
a,direct,b,0.9
b,not-direct,c,0.95
a,causes,c,0.6
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    rng = np.random.default_rng(1)
    a = rng.random(80) < 0.5
    b = np.where(rng.random(80) < 0.8, a, rng.random(80) < 0.5)
    frame = pd.DataFrame({"a": a, "b": b, "c": rng.random(80) < 0.5, "d": rng.random(80) < 0.5})
    frame.astype(int).to_csv("data.csv", index=False)
    (tmp_path / "beliefs.csv").write_text(BELIEFS, encoding="utf-8")
    return tmp_path


def run(*arguments):
    result = CliRunner().invoke(app, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_check_shows_edges_with_their_baseline(folder):
    result = run("check", "beliefs.csv", "--data", "data.csv")
    assert result.exit_code == 0
    assert "a directly causes b" in result.output
    assert "b does not directly cause c" in result.output


def test_check_explains_that_an_edge_forces_a_path(folder):
    (folder / "beliefs.csv").write_text(BELIEFS + "a,causes,b,0.5\n", encoding="utf-8")
    result = run("check", "beliefs.csv", "--data", "data.csv")
    assert result.exit_code == 3
    text = " ".join(result.output.replace("│", " ").split())
    assert "a directly causes b (0.9) forces a causes b to at least 0.9" in text


def test_learn_keeps_what_was_said_of_edges(folder):
    assert run("learn", "data.csv", "--beliefs", "beliefs.csv", "--out", "results").exit_code == 0
    again = pp.read_beliefs("beliefs.csv")
    kept = pd.read_csv("results/beliefs.csv")
    assert sorted(kept["event"]) == sorted(belief.relation for belief in again)
    assert json.loads((folder / "results/summary.json").read_text("utf-8"))


def test_a_posterior_answers_for_edges(folder):
    assert run("posterior", "data.csv", "--beliefs", "beliefs.csv", "--out", "out").exit_code == 0
    posterior = pp.load_posterior("out/posterior.npz")
    kept = pd.read_csv("out/beliefs.csv").set_index(["x", "event", "y"])
    for (x, event, y), row in kept.iterrows():
        assert row.after == pytest.approx(posterior.probability(x, event, y), abs=1e-6)


def test_baseline_shows_an_edge(folder):
    result = run("baseline", "--variables", "37")
    assert "x → y  x directly causes y  0.027777778" in result.output


def test_files_give_edges_back(folder):
    beliefs = pp.BeliefSet([pp.direct("a", "b", 0.3), pp.not_direct("b", "a", 1)])
    beliefs.to_csv("copy.csv")
    beliefs.to_json("copy.json")
    assert pp.read_beliefs("copy.csv") == pp.read_beliefs("copy.json") == beliefs
