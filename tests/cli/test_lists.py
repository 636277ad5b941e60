"""Lists on the command line: --columns, commas, names in quotes; warnings are printed once."""

import json
import subprocess
import sys

import pandas as pd
import pytest
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import _Shown, app
from pathprior.errors import PathPriorWarning, ResumedWarning
from pathprior.problem.listed_forms import Edges, Tiers, split_list

NAMES = ["smoke", "lung", "bronc", "dysp"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with data of four columns that can be learned from, and one that cannot."""
    monkeypatch.chdir(tmp_path)
    data = pp.load_network("asia").sample(200, seed=1)[NAMES]
    data.insert(1, "when", [f"2026-{k:03}" for k in range(200)])
    data.to_csv("data.csv", index=False)
    data.to_parquet("data.parquet", index=False)
    pp.BeliefSet([pp.causes("smoke", "lung", 0.9)]).to_csv("beliefs.csv")
    return tmp_path


def run(*arguments):
    result = CliRunner(env={"COLUMNS": "200"}).invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def test_texts_are_split_at_commas_but_in_quotes():
    assert split_list(["a, b", "c"]) == ["a", "b", "c"]
    assert split_list(['"dose, mg",age']) == ["dose, mg", "age"]
    assert split_list(None) == []
    assert Edges().parse(["a->b, c->d", '"x,y->z"']) == (("a", "b"), ("c", "d"), ("x,y", "z"))
    assert Tiers().parse(["a,b", '"x,y",c']) == (("a", "b"), ("x,y", "c"))


@pytest.mark.parametrize("file", ["data.csv", "data.parquet"])
def test_learn_keeps_some_columns_and_repeats_with_them(place, file):
    options = ["--beliefs", "beliefs.csv", "--columns", "dysp,smoke", "--columns", "lung"]
    run("learn", file, *options, "--out", "first")
    network = pp.read_bif("first/network.bif")
    assert set(network.dag.nodes) == {"smoke", "lung", "dysp"}
    frame = pd.read_csv("data.csv")[["smoke", "lung", "dysp"]]
    assert network.dag == pp.learn(frame, pp.read_beliefs("beliefs.csv")).dag
    kept = json.loads((place / "first" / "summary.json").read_text())["settings"]["columns"]
    assert kept == ["dysp", "smoke", "lung"]
    again = run("learn", "--from", "first/summary.json", "--out", "again")
    assert "The same network as then, to the last bit" in again


def test_what_says_what_was_set_need_not_be_named(place):
    data = pd.read_csv("data.csv").assign(target=["smoke", ""] * 100)
    data.to_csv("set.csv", index=False)
    run("learn", "set.csv", "--interventions", "target", "--columns", "smoke,lung", "--out", "set")
    assert set(pp.read_bif("set/network.bif").dag.nodes) == {"smoke", "lung"}


def test_posterior_keeps_some_columns_with_its_report_or_without(place):
    options = ["--columns", "smoke,lung,bronc"]
    run("posterior", "data.csv", *options, "--report", "--out", "with")
    run("posterior", "data.csv", *options, "--no-report", "--out", "without")
    assert (place / "with" / "report.html").exists()
    assert not (place / "without" / "report.html").exists()
    assert "columns" in (place / "with" / "report.html").read_text(encoding="utf-8")
    assert pp.load_posterior("with/posterior.npz").variables == ("smoke", "lung", "bronc")


def test_check_counts_the_named_columns_alone(place):
    few = run("check", "beliefs.csv", "--data", "data.csv", "--columns", "lung,smoke")
    assert few == run("check", "beliefs.csv", "--num-nodes", "2")
    assert few != run("check", "beliefs.csv", "--data", "data.csv")


def test_prepare_takes_lists_and_keeps_some_columns(place):
    run(
        "prepare", "data.csv", "--columns", "lung, smoke,bronc", "--drop", "bronc", "--out", "a.csv"
    )
    assert list(pd.read_csv("a.csv")) == ["smoke", "lung"]
    run("prepare", "data.csv", "--drop", "when,bronc", "--keep", "smoke,lung", "--out", "b.csv")
    assert list(pd.read_csv("b.csv")) == ["smoke", "lung", "dysp"]


def test_the_same_warning_is_printed_once(place):
    """As a user runs it: pytest has its own way with warnings."""
    text = (place / "beliefs.csv").read_text(encoding="utf-8")
    (place / "twice.csv").write_text(text + text.splitlines()[-1] + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "pathprior", "check", "twice.csv", "--num-nodes", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr.count("duplicate belief") == 1


def test_a_text_that_comes_from_several_places_is_printed_once(capsys):
    shown = _Shown()
    for line in (1, 2):
        shown.show(PathPriorWarning("odd"), PathPriorWarning, "a.py", line)
        shown.show(ResumedWarning("going on"), ResumedWarning, "a.py", line)
    shown.show(PathPriorWarning("odder"), PathPriorWarning, "a.py", 3)
    assert capsys.readouterr().err == "warning: odd\nresuming: going on\nwarning: odder\n"


def test_a_set_of_beliefs_is_warned_of_once_however_it_is_divided():
    belief = pp.causes("smoke", "lung", 0.9)
    with pytest.warns(PathPriorWarning, match="duplicate belief"):
        stated = pp.BeliefSet([belief, belief])
    pp.learn(pp.load_network("asia").sample(100, seed=1)[NAMES], stated[:])  # no further one
