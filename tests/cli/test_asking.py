"""`pathprior questions` and `pathprior answers`, from fit to fit."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import app
from pathprior.errors import PathPriorError


def run(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None:
        raise result.exception
    return result.stdout


def lines(path):
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    network = pp.load_network("asia")
    network.sample(1000, seed=3).to_csv("data.csv", index=False)
    names = "\n".join(f"{name},what {name} is,yes or no" for name in network.dag.nodes)
    Path("variables.csv").write_text(f"name,description,unit\n{names}\n")
    return network.dag


def answer(truth):
    words = ["causes", "caused-by", "confounded", "not-associated"]
    rows = [
        row | {"answer": words[truth.relation(row["x"], row["y"])]}
        for row in lines("questions.jsonl")
    ]
    with Path("answers.jsonl").open("a") as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows))


def test_fit_ask_and_fit_again(project):
    run("learn", "data.csv", "--out", "first")
    said = run("questions", "variables.csv", "--fit", "first", "--edges-only")
    asked = lines("questions.jsonl")
    assert said == f"{len(asked)} questions about 8 variables in questions.jsonl.\n"
    learned = pp.read_bif("first/network.bif").dag
    assert {frozenset((q["x"], q["y"])) for q in asked} == {frozenset(e) for e in learned.edges}
    answer(project)
    run("answers", "answers.jsonl", "--source", "doctor", "--out", "beliefs.csv")
    assert len(pp.read_beliefs("beliefs.csv")) == len(asked)
    run("learn", "data.csv", "--beliefs", "beliefs.csv", "--out", "second")
    before, after = (pp.read_bif(f"{name}/network.bif").dag for name in ("first", "second"))
    assert pp.shd(after, project) <= pp.shd(before, project)
    summary = json.loads(Path("second/summary.json").read_text())
    (source,) = summary["sources"]
    assert source["source"] == "doctor"
    assert source["reliability"] > 2 / 3
    run("questions", "variables.csv", "--fit", "second", "--answered", "answers.jsonl", "--top", 3)
    known = {frozenset((q["x"], q["y"])) for q in asked}
    new = lines("questions.jsonl")
    assert len(new) <= 3
    assert not {frozenset((q["x"], q["y"])) for q in new} & known


def test_of_a_posterior_and_of_all(project):
    few = ["smoke", "lung", "bronc"]
    pp.load_network("asia").sample(1000, seed=3)[few].to_csv("few.csv", index=False)
    run("posterior", "few.csv", "--out", "posterior")
    run("questions", "variables.csv", "--posterior", "posterior", "--out", "few.jsonl")
    found = pp.load_posterior("posterior/posterior.npz").proposed_pairs()
    asked = [frozenset((q["x"], q["y"])) for q in lines("few.jsonl")]
    assert asked == [frozenset(pair) for pair in found]
    run("questions", "variables.csv", "--out", "all.jsonl")
    assert len(lines("all.jsonl")) == 8 * 7 / 2


def test_statements_on_the_way_through(project):
    Path("said.csv").write_text(
        "x,relation,y,probability,source\nsmoke,causes,lung,,doctor\nasia,causes,smoke,,poll\n"
    )
    said = run("learn", "data.csv", "--beliefs", "said.csv", "--reliability", "poll=3,3",
               "--out", "out", "--report")  # fmt: skip
    assert "How reliable the sources are" in said
    assert "What became of the statements" in said
    for name in ("sources.csv", "statements.csv"):
        assert (Path("out") / name).exists()
    page = Path("out/report.html").read_text("utf-8")
    assert "Statements" in page
    assert "poll" in page
    again = run("learn", "--from", "out/summary.json", "--out", "again")
    assert "The same network as then, to the last bit." in again


def test_statements_of_a_posterior(project):
    few = ["smoke", "lung", "bronc"]
    pp.load_network("asia").sample(1000, seed=3)[few].to_csv("few.csv", index=False)
    Path("said.csv").write_text("x,relation,y,probability,source\nsmoke,causes,lung,,doctor\n")
    said = run("posterior", "few.csv", "--beliefs", "said.csv", "--reliability", "doctor=8,2",
               "--out", "out")  # fmt: skip
    assert "How reliable the sources are" in said
    assert "What the data make of the statements" in said
    summary = json.loads(Path("out/summary.json").read_text())
    assert summary["sources"][0]["before"] == 0.8
    table = pp.load_posterior("out/posterior.npz").statements()
    assert Path("out/statements.csv").read_text().splitlines()[0] == ",".join(table.columns)
    assert Path("out/sources.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fit", "a", "--posterior", "b"], "name one of them"),
        (["--fit", "nowhere"], "--fit takes a folder of learn"),
        (["--posterior", "nowhere"], "nowhere"),
        (["--top", "0"], "--top 1 or more"),
    ],
)
def test_what_cannot_be_asked(project, arguments, message):
    with pytest.raises(PathPriorError, match=message):
        run("questions", "variables.csv", *arguments)


def test_a_folder_of_something_else(project):
    Path("other").mkdir()
    Path("other/edges.csv").write_text("a,b\n1,2\n")
    with pytest.raises(PathPriorError, match="was not written by"):
        run("questions", "variables.csv", "--fit", "other")
