"""`pathprior learn --from summary.json`: the same run again, or a reason why not."""

import json
import shutil

import pytest
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import app
from pathprior.errors import ReportError

OPTIONS = ["--score", "bdeu", "--equivalent-sample-size", "2.5", "--max-parents", "3"]
OPTIONS += ["--required", "asia->xray", "--tier", "asia,smoke"]
OPTIONS += ["--tier", "tub,lung,bronc,either,xray,dysp", "--seed", "3"]
OPTIONS += ["--restarts", "2", "--repair", "error", "--pool", "joint", "--no-swap"]


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def complaint(*arguments):
    error = run(*arguments).exception
    assert isinstance(error, ReportError), error
    return str(error)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    pp.load_network("asia").sample(400, seed=1).to_csv(folder / "asia.csv", index=False)
    (folder / "beliefs.csv").write_text(
        "x,relation,y,probability,source\nsmoke,causes,lung,0.9,trial\nlung,causes,dysp,0.8,survey\n",
        encoding="utf-8",
    )
    beliefs = ["--beliefs", folder / "beliefs.csv"]
    result = run("learn", folder / "asia.csv", *beliefs, *OPTIONS, "--out", folder / "out")
    assert result.exit_code == 0, result.output
    return folder


@pytest.fixture
def project(made, tmp_path):
    """A copy elsewhere: paths in the summary follow the project."""
    return shutil.copytree(made, tmp_path / "moved")


def edit(project, change):
    path = project / "out" / "summary.json"
    summary = json.loads(path.read_text())
    change(summary)
    path.write_text(json.dumps(summary))
    return path


def test_a_run_is_repeated_to_the_last_bit(project):
    assert json.loads((project / "out" / "summary.json").read_text())["settings"]["pool"] == "joint"
    again = project / "again"
    result = run("learn", "--from", project / "out" / "summary.json", "--out", again)
    assert result.exit_code == 0, result.output
    assert "to the last bit" in result.output
    for path in (project / "out").iterdir():
        assert (again / path.name).read_bytes() == path.read_bytes(), path.name


def test_a_summary_says_what_was_asked_and_what_was_done(project):
    summary = json.loads((project / "out" / "summary.json").read_text())
    assert summary["settings"]["search"] == "auto"
    assert summary["settings"]["tabu"] is None
    assert summary["resolved"]["search"] == "turning"
    assert summary["resolved"]["tabu"] == 0
    assert summary["resolved"]["start"] == [["asia", "xray"]]


def test_moved_inputs_can_be_named(project):
    data = (project / "asia.csv").rename(project / "renamed.csv")
    summary = project / "out" / "summary.json"
    assert "is gone: say where it is now" in complaint("learn", "--from", summary)
    result = run("learn", data, "--from", summary, "--out", project / "again")
    assert result.exit_code == 0, result.output
    assert "to the last bit" in result.output


def test_a_changed_input_is_refused(project):
    with (project / "beliefs.csv").open("a") as stream:
        stream.write("asia,causes,tub,0.9\n")
    message = complaint("learn", "--from", project / "out" / "summary.json")
    assert "beliefs.csv has changed since the run" in message
    assert not (project / "again").exists()


def test_settings_cannot_be_changed_on_the_way(project):
    summary = project / "out" / "summary.json"
    message = complaint("learn", "--from", summary, "--max-parents", "2")
    assert message.startswith("--max-parents would make another run")


def test_another_result_is_said(project):
    path = edit(project, lambda summary: summary.update(network_sha256="0" * 64))
    result = run("learn", "--from", path, "--out", project / "again")
    assert "Not the same network as then" in result.output


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda summary: summary.pop("version"), "is no summary of 'pathprior learn'"),
        (
            lambda summary: summary.update(version=1),
            "is no summary of 'pathprior learn'",
        ),
        (lambda summary: summary.pop("settings"), "lacks 'settings'"),
        (lambda summary: summary["settings"].pop("seed"), "lacks 'seed'"),
        (lambda summary: summary["settings"].update(seed="x"), "setting 'seed' cannot be 'x'"),
        (lambda summary: summary["settings"].update(tabu=True), "setting 'tabu' cannot be True"),
        (lambda summary: summary["settings"].update(tiers=[1]), "setting 'tiers' cannot be [1]"),
        (
            lambda summary: summary["settings"].update(reliability=[["s", 4]]),
            "setting 'reliability' cannot be [['s', 4]]",
        ),
        (lambda summary: summary.update(inputs=3), "is no summary of a run"),
        (lambda summary: summary["inputs"].update(data=None), "names no data file"),
        (lambda summary: summary["settings"].update(repair=None), "'repair' cannot be None"),
    ],
)
def test_a_damaged_summary_is_refused(project, change, message):
    assert message in complaint("learn", "--from", edit(project, change))


def test_what_is_no_summary_is_refused(project, tmp_path):
    assert "cannot read" in complaint("learn", "--from", tmp_path / "none.json")
    assert "is no JSON file" in complaint("learn", "--from", project / "asia.csv")
    assert "name a data file" in complaint("learn")


def test_a_posterior_is_repeated_with_its_settings(project):
    few = ["--columns", "asia,tub,smoke,lung", "--beliefs", project / "beliefs.csv"]
    (project / "beliefs.csv").write_text("x,relation,y,probability\nsmoke,causes,lung,0.9\n")
    asked = ["--tier", "asia,smoke", "--tier", "tub,lung", "--equivalent-sample-size", "7"]
    first, again = project / "first", project / "second"
    result = run("posterior", project / "asia.csv", *few, *asked, "--no-report", "--out", first)
    assert result.exit_code == 0, result.output
    result = run("posterior", "--from", first / "summary.json", "--no-report", "--out", again)
    assert "The same probabilities as then, to the last bit." in result.output
    for name in ("edges.csv", "paths.csv", "beliefs.csv", "summary.json"):
        assert (again / name).read_bytes() == (first / name).read_bytes(), name
    loaded = pp.load_posterior(again / "posterior.npz")
    assert loaded.settings.tiers == (("asia", "smoke"), ("tub", "lung"))
    assert loaded.prior_rows == loaded.settings.equivalent_sample_size == 7
    message = complaint("posterior", "--from", first / "summary.json", "--chains", "2")
    assert message.startswith("--chains would make another run")
