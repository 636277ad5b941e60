import json
import re
import signal
from dataclasses import replace
from time import monotonic

import pandas as pd
import pytest
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import app
from pathprior.cli.posterior_output import print_posterior
from pathprior.errors import SearchError
from pathprior.posterior.kept import KeptDraws
from pathprior.problem.run_record import InputFile, RunInputs
from pathprior.report.write_posterior import write_posterior
from pathprior.search.stop_reason import StopReason
from tests.posteriors import sampled

NAMES = ["smoke", "lung", "bronc", "dysp"]


@pytest.fixture
def asia(tmp_path):
    data = tmp_path / "asia.csv"
    pp.load_network("asia").sample(300, seed=1)[NAMES].to_csv(data, index=False)
    beliefs = tmp_path / "beliefs.csv"
    beliefs.write_text(
        "x,relation,y,probability\nsmoke,causes,lung,0.9\nbronc,associated,lung,0.7\n",
        encoding="utf-8",
    )
    return data, beliefs


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_writes_what_python_says(asia, tmp_path):
    data, beliefs = asia
    out = tmp_path / "out"
    result = run("posterior", data, "--beliefs", beliefs, "--out", out)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in out.iterdir()) == [
        "beliefs.csv",
        "beliefs.png",
        "edges.csv",
        "paths.csv",
        "paths.png",
        "posterior.npz",
        "report.html",
        "summary.json",
    ]
    expected = pp.sample_posterior(data, pp.read_beliefs(beliefs))
    pd.testing.assert_frame_equal(pp.load_posterior(out / "posterior.npz").edges, expected.edges)
    edges = pd.read_csv(out / "edges.csv")
    assert edges["probability"].is_monotonic_decreasing
    for row in edges.itertuples():
        assert row.probability == pytest.approx(expected.edges.at[row.parent, row.child])
        either_way = expected.adjacencies.at[row.parent, row.child]
        assert row.either_way == pytest.approx(either_way)
    assert len(edges) == 12
    paths = pd.read_csv(out / "paths.csv")
    pd.testing.assert_frame_equal(paths.drop(columns=["error", "is_settled"]), expected.paths)
    pd.testing.assert_frame_equal(pd.read_csv(out / "beliefs.csv"), expected.beliefs())
    summary = json.loads((out / "summary.json").read_text())
    assert summary["settings"]["num_chains"] == 4
    assert summary["inputs"]["data"]["sha256"] == InputFile.of(data).sha256
    assert summary["best_score"] == expected.best_score


def test_prints_beliefs_edges_and_how_it_ended(asia, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    data, beliefs = asia
    result = run("posterior", data, "--beliefs", beliefs, "--out", tmp_path / "out")
    expected = pp.sample_posterior(data, pp.read_beliefs(beliefs))
    lines = " ".join(result.output.split())
    assert "543 graphs on 4 variables. Every graph within the rules was weighed." in lines
    table = expected.beliefs()
    row = table[table["event"] == "causes"].iloc[0]
    numbers = f"{row['baseline']:.3f} │ 0.9 │ {row['fitted']:.3f} │ {row['after']:.3f}"
    assert f"smoke causes lung. {row['sentence']}" in lines
    assert f"│ {row['evidence']} │" in lines
    assert f" causes lung │ {numbers} │" in lines
    likeliest = expected.edges.stack().idxmax()
    first = lines[lines.index("The most probable edges") :].split("│")[1]
    assert first.strip() == " → ".join(likeliest)
    assert "error" not in lines


def test_rules_and_scores_are_kept(asia, tmp_path):
    data, _ = asia
    options = ["--required", "smoke->dysp", "--forbidden", "lung->bronc", "--max-parents", 2]
    options += ["--tier", "smoke", "--tier", "lung,bronc,dysp", "--score", "k2"]
    options += ["--expected-parents", "none", "--equivalent-sample-size", 2, "--method", "exact"]
    result = run("posterior", data, "--out", tmp_path / "out", *options)
    assert result.exit_code == 0, result.output
    assert not list((tmp_path / "out").glob("beliefs.*"))
    expected = pp.sample_posterior(
        data,
        required=[("smoke", "dysp")],
        forbidden=[("lung", "bronc")],
        max_parents=2,
        tiers=[["smoke"], ["lung", "bronc", "dysp"]],
        score="k2",
        expected_parents=None,
    )
    found = pp.load_posterior(tmp_path / "out" / "posterior.npz")
    pd.testing.assert_frame_equal(found.edges, expected.edges)
    assert found.edges.at["smoke", "dysp"] == pytest.approx(1)


def test_what_no_experiment_can_set_is_named(asia, tmp_path):
    data, _ = asia
    out, tier = tmp_path / "out", ["--tier", "smoke", "--method", "exact"]
    for options, fixed in (
        ([], ("smoke",)),
        (["--fixed", "lung, bronc", "--fixed", "dysp"], ("lung", "bronc", "dysp")),
        (["--fixed", ""], ()),
    ):
        result = run("posterior", data, "--out", out, *tier, *options)
        assert result.exit_code == 0, result.output
        assert set(pp.load_posterior(out / "posterior.npz").fixed) == set(fixed)
    result = run("learn", data, "--out", tmp_path, "--posterior", "--fixed", "bronc")
    assert result.exit_code == 0, result.output
    assert pp.load_posterior(tmp_path / "posterior" / "posterior.npz").fixed == ("bronc",)
    result = run("learn", data, "--out", tmp_path, "--fixed", "bronc")
    assert "only --posterior asks" in str(result.exception)
    none = tmp_path / "none"
    result = run("learn", data, "--out", none, "--posterior", "--fixed", "nobody")
    assert "unknown node 'nobody'" in str(result.exception)
    assert not none.exists()


def test_chains_show_their_errors(asia, tmp_path, capsys, monkeypatch):
    data, beliefs = asia
    monkeypatch.setenv("COLUMNS", "88")
    found = sampled(pp.sample_posterior(data, pp.read_beliefs(beliefs)))
    print_posterior(found)
    lines = " ".join(capsys.readouterr().out.split())
    assert lines.startswith("3 chains of 100 graphs on 4 variables. The time was up before")
    belief = found.beliefs().iloc[0]
    row = rf"│ {belief['after']:.3f} │ \S+ │ .* │ {belief['error']:.3f} │"
    assert re.search(row, lines)
    edges = found.errors[found.errors["kind"] == "edge"]
    top = edges.loc[edges["probability"].idxmax()]
    assert f"{top['x']} → {top['y']} │" in lines
    assert f"│ {top['probability']:.3f} │ {top['error']:.3f} │" in lines

    inputs = RunInputs.of(data, beliefs)
    files = write_posterior(found, tmp_path / "out", inputs=inputs)
    paths = pd.read_csv(files.paths)
    of_first_pair = found.errors[found.errors["kind"] == "path"]["error"][:4]
    assert paths["error"][0] == pytest.approx(of_first_pair.max())
    assert paths["error"][0] > 0


def test_a_folder_that_cannot_be_written_leaves_nothing(asia, tmp_path):
    data, beliefs = asia
    out = tmp_path / "out"
    (out / "edges.csv").mkdir(parents=True)
    result = run("posterior", data, "--beliefs", beliefs, "--out", out)
    assert "cannot write" in str(result.exception)
    assert [path.name for path in out.iterdir()] == ["edges.csv"]
    assert isinstance(run("posterior", data, "--required", "smoke").exception, SearchError)


def test_what_an_earlier_run_has_left_is_said(asia, tmp_path):
    data, beliefs = asia
    out, quick = tmp_path / "out", ["--method", "exact"]
    first = run("posterior", data, "--out", out, *quick, "--beliefs", beliefs)
    assert "not of this run" not in first.output
    report = (out / "report.html").read_bytes()
    second = run("posterior", data, "--out", out, *quick, "--no-report")
    left = f"Also in {out}, but not of this run: report.html, beliefs.csv, beliefs.png."
    assert left in " ".join(second.output.split())
    assert (out / "report.html").read_bytes() == report


def test_what_an_earlier_learn_has_left_is_said(asia, tmp_path):
    data, beliefs = asia
    out = tmp_path / "out"
    first = run("learn", data, "--beliefs", beliefs, "--out", out, "--report", "--evidence")
    assert "not of this run" not in first.output
    second = run("learn", data, "--out", out)
    left = f"Also in {out}, but not of this run: report.html, beliefs.csv, evidence.csv."
    assert left in " ".join(second.output.split())
    read = run("learn", data, "--beliefs", beliefs, "--out", tmp_path / "other", "--posterior")
    assert "not of this run" not in read.output


def test_one_variable_has_neither_edges_nor_paths(tmp_path):
    data = tmp_path / "one.csv"
    data.write_text("a\n0\n1\n", encoding="utf-8")
    result = run("posterior", data, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("1 graphs on 1 variables.")
    for name in ("edges", "paths"):
        assert len(pd.read_csv(tmp_path / "out" / f"{name}.csv")) == 0
    found = pp.load_posterior(tmp_path / "out" / "posterior.npz")
    assert len(found.errors) == 0
    assert len(sampled(found).errors) == 0
    assert "<svg" in found._repr_html_()


def test_learn_goes_on_to_the_posterior(asia, tmp_path):
    data, beliefs = asia
    alone, learned = tmp_path / "alone", tmp_path / "learned"
    rules = ["--beliefs", beliefs, "--forbidden", "smoke->dysp", "--seed", 3]
    assert run("posterior", data, *rules, "--out", alone).exit_code == 0
    result = run("learn", data, *rules, "--posterior", "--out", learned)
    assert result.exit_code == 0, result.output
    assert "The most probable edges" in result.output
    found = learned / "posterior"
    for name in ("edges.csv", "paths.csv", "beliefs.csv"):
        pd.testing.assert_frame_equal(pd.read_csv(found / name), pd.read_csv(alone / name))
    summary = json.loads((found / "summary.json").read_text())
    assert summary["settings"]["forbidden"] == [["smoke", "dysp"]]
    assert summary["settings"]["seed"] == 3
    assert (found / summary["inputs"]["data"]["path"]).resolve() == data.resolve()
    again = tmp_path / "again"
    repeated = ["--from", learned / "summary.json", "--posterior", "--out", again]
    assert run("learn", *repeated).exit_code == 0
    edges = (again / "posterior" / "edges.csv").read_bytes()
    assert edges == (found / "edges.csv").read_bytes()


@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_learn_goes_on_with_the_chains_of_before(tmp_path, monkeypatch):
    data = tmp_path / "asia.csv"
    pp.load_network("asia").sample(100, seed=1).to_csv(data, index=False)
    assert run("learn", data, "--posterior", "--out", tmp_path / "whole").exit_code == 0
    add, calls = KeptDraws.add_up_to, []

    def press_ctrl_c(kept, target):
        calls.append(target)
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)
        add(kept, target)

    monkeypatch.setattr(KeptDraws, "add_up_to", press_ctrl_c)
    cut_off = tmp_path / "cut off"
    result = run("learn", data, "--posterior", "--out", cut_off)
    assert result.exit_code == 0, result.output
    assert "Interrupted: the graphs so far." in " ".join(result.output.split())
    assert "the same command goes on from there" in result.output
    kept = cut_off / "posterior" / "chains.npz"
    assert kept.exists()
    assert run("learn", data, "--posterior", "--out", cut_off).exit_code == 0
    assert not kept.exists()
    for path in (tmp_path / "whole" / "posterior").iterdir():
        assert (cut_off / "posterior" / path.name).read_bytes() == path.read_bytes(), path.name


def test_ctrl_c_while_learning_leaves_the_posterior_out(asia, tmp_path, monkeypatch):
    data, _ = asia
    interrupted = replace(pp.learn(data), stopped_because=StopReason.INTERRUPTED)
    monkeypatch.setattr("pathprior.search.learn.learn_on", lambda *_, **__: interrupted)
    result = run("learn", data, "--posterior", "--out", tmp_path)
    assert "The posterior is left out." in result.output
    assert (tmp_path / "network.bif").exists()
    assert not (tmp_path / "posterior").exists()


def test_the_report_of_a_fit_has_its_posterior(asia, tmp_path):
    data, beliefs = asia
    result = run("learn", data, "--beliefs", beliefs, "--posterior", "--report", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    found = pp.load_posterior(tmp_path / "posterior" / "posterior.npz")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"{found.beliefs()['after'][0]:.3f} after the data" in page
    assert InputFile.of(data).sha256 in page
    assert InputFile.of(data).sha256 in (tmp_path / "posterior" / "report.html").read_text("utf-8")


@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_the_time_that_loading_took_counts(tmp_path, capsys):
    data, out = tmp_path / "asia.csv", tmp_path / "out"
    pp.load_network("asia").sample(100, seed=1)[NAMES].to_csv(data, index=False)
    command = ["posterior", str(data), "--time-limit", "60", "--out", str(out)]
    app(command, obj=monotonic() - 100, standalone_mode=False)
    said = " ".join(capsys.readouterr().out.split())
    assert re.search(r"It took 1\d\d s, more than the 60 s that were given", said)
    assert json.loads((out / "summary.json").read_text())["left_out"]


@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_what_there_was_no_time_for_is_left_out_and_said(tmp_path):
    data, out = tmp_path / "asia.csv", tmp_path / "out"
    pp.load_network("asia").sample(100, seed=1).to_csv(data, index=False)
    out.mkdir()
    (out / "paths.png").write_text("of an earlier run")
    result = run("posterior", data, "--time-limit", 0.01, "--out", out)
    assert result.exit_code == 0, result.output
    lines = " ".join(result.output.split())
    assert "Left out: No pictures were drawn." in lines
    assert "more than the 0.01 s that were given" in lines
    assert "the same command goes on" not in lines
    assert sorted(path.name for path in out.iterdir()) == [
        "edges.csv",
        "paths.csv",
        "posterior.npz",
        "report.html",
        "summary.json",
    ]
    left_out = json.loads((out / "summary.json").read_text())["left_out"]
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "effects was drawn" in left_out[-1]
    assert all(said in page for said in left_out)
    assert pd.read_csv(out / "edges.csv")["error"].isna().all()


def test_with_time_enough_nothing_is_left_out(asia, tmp_path):
    data, beliefs = asia
    assert run("posterior", data, "--beliefs", beliefs, "--out", tmp_path).exit_code == 0
    assert json.loads((tmp_path / "summary.json").read_text())["left_out"] == []
    assert "There was no time" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_evidence_by_searches(asia, tmp_path):
    data, beliefs = asia
    out = tmp_path / "out"
    result = run("learn", data, "--beliefs", beliefs, "--evidence", "--out", out)
    assert result.exit_code == 0, result.output
    expected = pp.learn(data, pp.read_beliefs(beliefs)).evidence()
    pd.testing.assert_frame_equal(pd.read_csv(out / "evidence.csv"), expected)
    lines = " ".join(result.output.split())
    assert expected["sentence"][0] in lines
    assert f"│ {expected['evidence'][0]} │" in lines
