import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import app, main
from pathprior.errors import PathPriorError


@pytest.fixture
def asia(tmp_path):
    data = tmp_path / "asia.csv"
    pp.load_network("asia").sample(400, seed=1).to_csv(data, index=False)
    beliefs = tmp_path / "beliefs.csv"
    beliefs.write_text(
        "x,relation,y,probability\nsmoke,causes,lung,0.9\nlung,causes,dysp,0.8\n", encoding="utf-8"
    )
    return data, beliefs


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_writes_everything(asia, tmp_path):
    data, beliefs = asia
    out = tmp_path / "out"
    result = run("learn", data, "--beliefs", beliefs, "--out", out, "--report")
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in out.iterdir()) == [
        "beliefs.csv",
        "edges.csv",
        "network.bif",
        "network.dot",
        "network.png",
        "report.html",
        "summary.json",
    ]
    learned = pp.read_bif(out / "network.bif")
    summary = json.loads((out / "summary.json").read_text())
    assert summary["num_edges"] == learned.dag.num_edges
    assert summary["score"] == pytest.approx(summary["data_score"] + summary["prior_score"])
    assert summary["settings"]["seed"] == 0
    assert "pathprior" in summary["versions"]
    fit = pp.learn(data, pp.read_beliefs(beliefs))
    assert fit.dag.edges == learned.dag.edges
    assert fit.score == summary["score"]


def test_without_beliefs_there_is_no_belief_file(asia, tmp_path):
    data, _ = asia
    assert run("learn", data, "--out", tmp_path / "out").exit_code == 0
    assert not (tmp_path / "out" / "beliefs.csv").exists()
    assert not (tmp_path / "out" / "report.html").exists()


def test_edges_and_tiers_are_kept(asia, tmp_path):
    data, _ = asia
    options = ["--required", "asia->xray", "--forbidden", "lung -> either"]
    options += ["--tier", "asia, smoke", "--tier", "tub,lung,bronc,either,xray,dysp"]
    result = run("learn", data, "--out", tmp_path / "out", *options)
    assert result.exit_code == 0, result.output
    dag = pp.read_bif(tmp_path / "out" / "network.bif").dag
    assert ("asia", "xray") in dag.edges
    assert ("lung", "either") not in dag.edges
    assert not set(dag.parents("asia")) - {"smoke"}


def test_bad_input_is_one_line_and_status_2(asia, tmp_path, monkeypatch, capsys):
    data, _ = asia
    assert isinstance(run("learn", data, "--required", "asia").exception, PathPriorError)
    monkeypatch.setattr("sys.argv", ["pathprior", "learn", str(tmp_path / "no [such] file.csv")])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert "no [such] file.csv" in error
    assert error.count("\n") == 1


def test_demo_shows_both_distances(tmp_path):
    result = run("demo", "--rows", 300, "--out", tmp_path / "demo")
    assert result.exit_code == 0, result.output
    assert "without beliefs" in result.output
    assert "structural Hamming distance" in result.output
    assert (tmp_path / "demo" / "network.png").exists()
    assert (tmp_path / "demo" / "report.html").exists()


def test_demo_of_real_columns(tmp_path):
    result = run("demo", "--network", "checkup", "--rows", 300, "--out", tmp_path / "demo")
    assert "300 rows sampled from CHECKUP (12 variables, 21 edges), 12 beliefs." in result.output
    assert "7 of 12 columns are real; the score is mixed." in result.output
    assert type(pp.read_network(tmp_path / "demo" / "network.json")) is pp.MixedNetwork


def test_the_penalty_of_bic_is_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dag = pp.Dag.from_edges("abcd", [("a", "b"), ("b", "c"), ("a", "d")])
    frame = pp.GaussianNetwork.random(dag, seed=1).sample(60, seed=1)
    frame.to_csv("data.csv", index=False)
    for penalty in (0.5, 20.0):
        options = ["--score", "gaussian-bic", "--penalty", penalty, "--out", "first"]
        result = run("learn", "data.csv", *options)
        assert result.exit_code == 0, result.output
        fit = pp.learn(frame, score=pp.GaussianBic(penalty=penalty))
        edges = pd.read_csv("first/edges.csv")
        assert len(edges) == fit.dag.num_edges
        summary = json.loads(Path("first/summary.json").read_text())
        assert summary["data_score"] == pytest.approx(fit.data_score)
        assert summary["settings"]["score"] == f"gaussian-bic:{penalty}"
    result = run("learn", "--from", "first/summary.json", "--out", "again")
    assert "The same network as then, to the last bit." in result.output
    result = run("posterior", "data.csv", *options[:4], "--out", "posterior")
    assert result.exit_code == 0, result.output


def test_real_columns_from_file_to_repetition(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw = np.random.default_rng(0)
    age = draw.integers(20, 50, 300)
    dose = draw.choice([0.5, 1.0, 2.5], 300)
    pressure = age + 3 * dose + draw.normal(size=300)
    frame = pd.DataFrame({"age": age, "dose": dose, "pressure": pressure, "sex": ["m", "f"] * 150})
    frame.to_csv("data.csv", index=False)
    options = ["--real", "age", "--discrete", "dose", "--report"]
    result = run("learn", "data.csv", *options, "--out", "first")
    assert result.exit_code == 0, result.output
    assert "2 of 4 columns are real; the score is mixed." in result.output
    assert not Path("first/network.bif").exists()
    assert Path("first/network.json").exists()
    summary = json.loads(Path("first/summary.json").read_text())
    assert summary["settings"]["kinds"] == [["age", "real"], ["dose", "discrete"]]
    assert (summary["settings"]["score"], summary["resolved"]["score"]) == ("auto", "mixed")
    assert "mixed (by default)" in Path("first/report.html").read_text(encoding="utf-8")
    result = run("learn", "--from", "first/summary.json", "--out", "again")
    assert "The same network as then, to the last bit." in result.output
    edges = pd.read_csv("again/edges.csv")
    assert set(edges["child"]) | set(edges["parent"]) == {"age", "dose", "pressure"}
