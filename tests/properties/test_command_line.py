"""Random commands: success, one clear error, or exit status 2; results whole or not there."""

import json
import os
import subprocess
import sys

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli import app as command_line
from pathprior.cli.app import app
from pathprior.cli.check import INCOHERENT
from pathprior.errors import PathPriorError
from tests.broken import bounded, broken_bytes

pytestmark = pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")

DATA = "data.csv"
BELIEFS = b"x,relation,y,probability\nasia,causes,tub,0.9\ntub,causes,either,0.8\n"
FILES = ("data.csv", "beliefs.csv", "beliefs.json", "network.bif", "run/summary.json")
FILES += ("broken", "broken.csv", "broken.json", "missing.csv", ".", "", "\0", "n" * 300, "a/b\x1b")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A folder with one valid file of each kind, and the current one."""
    folder = tmp_path_factory.mktemp("project")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        network = pp.load_network("asia")
        network.sample(40, seed=1).to_csv(DATA, index=False)
        pp.write_bif(network, "network.bif")
        (folder / "beliefs.csv").write_bytes(BELIEFS)
        pp.read_beliefs("beliefs.csv").to_json("beliefs.json")
        arguments = ["learn", DATA, "--beliefs", "beliefs.csv", "--out", "run"]
        assert CliRunner().invoke(app, arguments).exit_code == 0
        yield folder


def run(project, *arguments):
    """Run a command and judge how it ended; returns whether it wrote its results."""
    with bounded(30):
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if isinstance(result.exception, PathPriorError):
        assert str(result.exception).strip()
    elif result.exit_code:
        assert isinstance(result.exception, SystemExit), result.exception
        assert result.exit_code in (2, INCOHERENT)
    assert not [path for path in project.rglob(".*") if path.is_file()], "a temporary file is left"
    return result.exit_code == 0


NUMBER = st.sampled_from([0, 1, 2, 3, -1, -7, 2**31, 2**63 - 1, 2**63, 10**30]).map(str)
NUMBER |= st.sampled_from(["1.5", "1e3", "nan", "inf", "1e-320", "1e308", "x", "", "9" * 5000])
FILE = st.sampled_from(FILES)
WORD = st.sampled_from(["bdeu", "k2", "bic", "aic", "loglik", "turning", "greedy", "equivalence"])
WORD |= st.sampled_from(["soft", "gema", "error"]) | st.text(max_size=4)
EDGE = st.sampled_from(["asia->tub", "tub->asia", "asia->asia", "asia", "->", "a->b->c", ""])
TIER = st.sampled_from(["asia,tub", "either", "", ",", "asia,asia", "nobody"])
COUNTS = ["--pairs", "X-Y,Y-Z", "--nodes", "7", "--samples", "50"]


def options(choices):
    """Some of the options, each with a value of its kind, or none."""
    one = st.one_of([st.tuples(st.just(name), values) for name, values in choices.items()])
    return st.lists(one, max_size=3).map(lambda pairs: [text for pair in pairs for text in pair])


LEARN = {
    "--beliefs": FILE,
    "--score": WORD,
    "--equivalent-sample-size": NUMBER,
    "--search": WORD,
    "--repair": WORD,
    "--max-parents": NUMBER,
    "--required": EDGE,
    "--forbidden": EDGE,
    "--tier": TIER,
    "--tabu": NUMBER,
    "--seed": NUMBER,
    "--from": FILE,
}


@settings(max_examples=60)
@given(FILE | st.just(DATA), options(LEARN), st.sampled_from(["out", "data.csv", "", "n" * 300]))
@example(DATA, ["--restarts", "1", "--jobs", "0"], "out")
@example(DATA, ["--restarts", "1", "--jobs", "-7"], "out")
@example(DATA, ["--tabu", str(10**30)], "out")
@example(DATA, ["--max-parents", str(10**30)], "out")
@example(DATA, ["--seed", str(10**30), "--restarts", "1"], "out")
@example(DATA, ["--equivalent-sample-size", "1e-320"], "out")
@example(DATA, ["--equivalent-sample-size", "nan", "--score", "k2"], "out")
@example(DATA, ["--restarts", str(10**30)], "out")
def test_learn(project, data, chosen, out):
    place = project / "runs" / out if out in ("out", "n" * 300) else project / out
    existed = os.path.isdir(place)
    did_write = run(project, "learn", data, *chosen, "--no-progress", "--out", place)
    if did_write:
        assert (place / "summary.json").is_file()
    elif not existed and out == "out":
        assert not place.exists()


POSTERIOR = {name: LEARN[name] for name in LEARN if name not in ("--search", "--tabu", "--from")}
POSTERIOR |= {"--method": st.sampled_from(["exact", "auto", "x"]), "--jobs": NUMBER}
FEW = FILE.filter(lambda name: name != DATA) | st.just("few.csv")  # no chains: they take their time
POSTERIOR |= {"--chains": NUMBER, "--precision": NUMBER, "--time-limit": NUMBER}


@settings(max_examples=60)
@given(FEW, options(POSTERIOR), st.sampled_from(["out", "data.csv", ""]))
@example("few.csv", ["--seed", "-1", "--beliefs", "beliefs.csv"], "out")
@example("few.csv", ["--chains", str(10**30)], "out")
@example("few.csv", ["--equivalent-sample-size", "1e-320"], "out")
def test_posterior(project, data, chosen, out):
    columns = ["asia", "tub", "either"]
    pd.read_csv(project / DATA)[columns].to_csv(project / "few.csv", index=False)
    place = project / "posteriors" / out if out == "out" else project / out
    existed = os.path.isdir(place)
    did_write = run(project, "posterior", data, *chosen, "--no-progress", "--out", place)
    if did_write:
        assert (place / "posterior.npz").is_file()
    elif not existed and out == "out":
        assert not place.exists()


COLUMN = st.sampled_from(["age", "dose", "asia", "nobody", ""])
PREPARE = {
    "--bins": NUMBER | st.builds("{}={}".format, COLUMN, NUMBER),
    "--cuts": st.builds("{}={},{}".format, COLUMN, NUMBER, NUMBER),
    "--top": st.builds("{}={}".format, COLUMN, NUMBER),
    "--missing": st.sampled_from(["drop", "state", "fill", "age=state", "nobody=drop"]),
    "--keep": COLUMN,
    "--drop": COLUMN,
    "--write-code": st.sampled_from(["clean.py", ".", ""]),
}


@settings(max_examples=80)
@given(
    FILE | st.just("raw.csv"), options(PREPARE), st.sampled_from(["clean.csv", "clean", ".", ""])
)
@example("raw.csv", ["--bins", str(10**30)], "clean.csv")
@example("raw.csv", ["--cuts", "dose=1e-320,1e308"], "clean.csv")
@example("raw.csv", ["--keep", "dose"], "clean.csv")
def test_prepare(project, data, chosen, out):
    rows = "".join(f"{k % 60 or ''},{k / 7},{k % 2}\n" for k in range(200))
    (project / "raw.csv").write_text("age,dose,asia\n" + rows)
    run(project, "prepare", data, *chosen, "--out", out)


@settings(max_examples=60)
@given(
    options({"--num-nodes": st.sampled_from(["3", "4", "8", "0", "-1", "x", ""]), "--data": FILE}),
    FILE,
)
@example(["--num-nodes", str(10**5)], "beliefs.csv")
@example(["--num-nodes", str(10**30)], "beliefs.csv")
def test_check(project, chosen, beliefs):
    run(project, "check", beliefs, *chosen)


@settings(max_examples=40)
@given(FILE, FILE)
def test_compare(project, estimate, truth):
    run(project, "compare", estimate, truth)


COUNT = {
    "--pairs": st.sampled_from(["X-Y", "X-Y,X-Y", "X-X", "", "-", "[red]-[/]", "é-變", "A-B,C-D"]),
    "--nodes": NUMBER,
    "--method": st.sampled_from(["auto", "enumerate", "exact", "full", "fact", ""]),
    "--edge-odds": NUMBER | st.sampled_from(["0.1", "1e-9", "3"]),
    "--laplace": NUMBER,
    "--placements": NUMBER,
    "--seed": NUMBER,
    "--rows": NUMBER,
    "--out": st.sampled_from(["counts.csv", ".", "data.csv/x", ""]),
}


@settings(max_examples=80)
@given(options(COUNT))
@example(["--nodes", str(10**30)])
@example(["--method", "full", "--placements", str(10**14)])
@example(["--method", "full", "--placements", str(10**20)])
def test_count(project, chosen):
    run(project, "count", *COUNTS, *chosen)


@settings(max_examples=60)
@given(options({"--nodes": NUMBER, "--size": NUMBER, "--seed": NUMBER}))
@example(["--nodes", "10000", "--size", str(10**9)])
@example(["--seed", "-1"])
def test_sample(project, chosen):
    run(project, "sample", "--nodes", 4, "--size", 3, "--out", "dags.npz", *chosen)


@settings(max_examples=40)
@given(
    options({"--variables": NUMBER, "--expected-parents": NUMBER, "--edge-odds": NUMBER}),
)
@example(["--expected-parents", "none", "--edge-odds", "0.1"])
def test_baseline(project, chosen):
    run(project, "baseline", "--variables", 6, *chosen)


@settings(max_examples=60)
@given(st.data())
def test_broken_files(project, data):
    kinds = {"learn": DATA, "check": "beliefs.json", "compare": "network.bif"}
    command = data.draw(st.sampled_from([*kinds, "learn --from"]))
    kind = kinds.get(command, "run/summary.json")
    broken = (project / kind).with_name(f"broken{(project / kind).suffix}")
    content = data.draw(broken_bytes([(project / kind).read_bytes()]))
    # drawing a name of this length takes matplotlib seconds, reading it is tested elsewhere
    broken.write_bytes(content.replace(b"x" * 200_000, b"x" * 200))
    arguments = {
        "learn": ["learn", broken, "--out", project / "runs" / "broken", "--report"],
        "learn --from": ["learn", "--from", broken, "--out", project / "runs" / "again"],
        "check": ["check", broken, "--num-nodes", 5],
        "compare": ["compare", broken, "network.bif"],
    }
    run(project, *arguments[command])
    broken.unlink()


@pytest.mark.parametrize(
    "value",
    [-1, 10**40, 10**400, "x", None, [], [["asia"]], [["a", "b", "c"]]],
    ids=["negative", "large", "larger than a float", "text", "null", "[]", "one", "three"],
)
def test_settings_of_a_summary(project, value):
    summary = json.loads((project / "run" / "summary.json").read_text())
    for name in summary["settings"]:
        changed = summary | {"settings": summary["settings"] | {name: value}}
        path = project / "run" / "changed.json"
        path.write_text(json.dumps(changed))
        run(project, "learn", "--from", path, "--out", project / "runs" / "changed")
        path.unlink()


@pytest.mark.parametrize(
    "path", ["\0", "\ud800", "n" * 5000, ".", ""], ids=["NUL", "half", "long", "folder", "empty"]
)
def test_paths_of_a_summary(project, path):
    summary = json.loads((project / "run" / "summary.json").read_text())
    summary["inputs"]["data"]["path"] = path
    changed = project / "run" / "changed.json"
    changed.write_text(json.dumps(summary))
    assert not run(project, "learn", "--from", changed, "--out", project / "runs" / "changed")
    changed.unlink()


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (PathPriorError("say what"), 2, "error: say what"),
        (OSError(28, "No space left on device", "out"), 2, "error: out: No space left on device"),
        (MemoryError(), 2, "error: not enough memory"),
        (KeyboardInterrupt(), 130, "interrupted: what was under way was not written"),
    ],
)
def test_main_ends_in_one_line(monkeypatch, capsys, error, status, message):
    def fail(**options):
        raise error

    monkeypatch.setattr(command_line, "app", fail)
    monkeypatch.setattr("warnings.showwarning", None)
    with pytest.raises(SystemExit) as ended:
        command_line.main()
    assert ended.value.code == status
    assert capsys.readouterr().err.strip() == message


def test_a_terminal_without_arrows_is_no_obstacle():
    command = [sys.executable, "-m", "pathprior", "count", "--pairs", "X-Y", "--nodes", "3"]
    environment = {"PYTHONIOENCODING": "ascii", "PATHPRIOR_CACHE": "off"}
    result = subprocess.run(
        command, capture_output=True, check=True, timeout=120, env=environment, encoding="ascii"
    )
    assert r"\u21d2" in result.stdout
