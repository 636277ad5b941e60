import json
import os
import signal
import subprocess
import sys
import time

import pytest
import typer
from typer.testing import CliRunner

from pathprior.cli.reproduce import reproduce
from pathprior.errors import ExperimentError

app = typer.Typer()
app.command()(reproduce)


def invoke(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments], catch_exceptions=False)


def test_prints_paper_and_ours_and_writes_everything(tmp_path):
    result = invoke("table1", "--quick", "--jobs", 1, "--out", tmp_path)
    assert result.exit_code == 0
    for word in ("paper", "ours", "holds", "0.6443", "verdicts are in"):
        assert word in result.output
    assert {path.name for path in (tmp_path / "table1").iterdir()} == {
        "journal.jsonl",
        "plot.png",
        "plot.svg",
        "runs.csv",
        "settings.json",
        "times.csv",
        "verdict.json",
        "verdict.md",
    }
    verdict = json.loads((tmp_path / "table1" / "verdict.json").read_text(encoding="utf-8"))
    assert verdict["command"] == "pathprior reproduce table1 --quick --seed 0"
    assert "numpy" in verdict["versions"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["figure3"], "unknown name 'figure3'; use one of table1, "),
        (["table1", "--quick", "--full"], "--quick or --full"),
        (["table1", "--seed", "-1"], "--seed -1 is negative"),
        (["table1", "--experts", "true"], "no task with experts=true"),
    ],
)
def test_bad_options_are_named(arguments, message, tmp_path):
    with pytest.raises(ExperimentError, match=message):
        invoke(*arguments, "--out", tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="sends SIGINT")
def test_an_interrupted_run_says_how_to_go_on_and_gives_the_same_rows(tmp_path):
    fewer = (
        "import signal\n"
        # a shell starts background jobs, such as the tests themselves, with SIGINT ignored
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from pathprior.experiments import figure2\n"
        "figure2.REPEATS = dict.fromkeys(figure2.REPEATS, 200)\n"
        "from pathprior.cli import main\n"
        "main()"
    )
    command = [sys.executable, "-c", fewer, "reproduce", "figure2", "--quick", "--jobs", "1"]
    first = subprocess.Popen(
        [*command, "--out", str(tmp_path / "a")], stderr=subprocess.PIPE, text=True
    )
    journal = tmp_path / "a" / "figure2" / "journal.jsonl"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (journal.exists() and journal.stat().st_size):
        time.sleep(0.05)
    first.send_signal(signal.SIGINT)
    _, said = first.communicate(timeout=60)
    assert first.returncode == 130
    assert "to go on, run" in said
    assert f"pathprior reproduce figure2 --quick --seed 0 --out {tmp_path / 'a'}" in said
    assert not (journal.parent / "runs.csv").exists()
    for folder in ("a", "b"):
        subprocess.run([*command, "--out", str(tmp_path / folder)], check=True, capture_output=True)
    interrupted, whole = (
        (tmp_path / folder / "figure2" / "runs.csv").read_bytes() for folder in "ab"
    )
    assert interrupted == whole
