"""A first run says that it compiles, later ones do not: the command itself, in its own process."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from numba import config

import pathprior as pp

SAID = "Compiling inner loops"


@pytest.fixture
def installed(tmp_path):
    """A copy of the package, with what the compiler keeps."""
    pp.learn(pd.DataFrame({"a": [0, 1, 1, 0], "b": [0, 1, 0, 0]}))
    shutil.copytree(Path(pp.__file__).parent, tmp_path / "installed" / "pathprior")
    kept = list((tmp_path / "installed").rglob("*.nbi"))
    if config.DISABLE_JIT or not any(".weigh_sets" in path.name for path in kept):
        pytest.skip("nothing is compiled, or it is kept elsewhere")
    return tmp_path / "installed"


def start(installed, *command, **variables):
    data = installed / "data.csv"
    data.write_text("a,b,c,d,e,f\n0,1,0,1,0,1\n1,0,0,1,1,0\n1,1,0,0,1,1\n", encoding="utf-8")
    out = str(installed / "out")
    inherited = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    return subprocess.Popen(
        [sys.executable, "-m", "pathprior", *(command or ["learn"]), str(data), "--out", out],
        cwd=installed,
        env=inherited | {"PYTHONPATH": str(installed)} | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )


def test_who_has_all_that_is_needed_is_told_nothing(installed):
    with start(installed) as process:
        said = process.stdout.read()
    assert process.returncode == 0, said
    assert "edges" in said
    assert SAID not in said


def is_told(process):
    """Whether it is said, whatever else; not waited for any longer then."""
    told = any(line.startswith(SAID) for line in process.stdout)
    process.kill()
    return told


def test_a_first_run_says_why_it_takes_long(installed, tmp_path):
    with start(installed, NUMBA_CACHE_DIR=str(tmp_path / "empty")) as process:
        assert is_told(process)


@pytest.mark.parametrize(
    "command", [["posterior"], ["learn", "--posterior"]], ids=["posterior", "learn"]
)
def test_chains_are_compiled_too(installed, command):
    for path in installed.rglob("*.nbi"):
        if ".run_chain-" in path.name:
            path.unlink()
    with start(installed, *command) as process:
        assert is_told(process)
