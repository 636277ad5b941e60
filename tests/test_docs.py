"""The code on the pages of the docs runs, and prints what they say.

Pages run one by one in a folder with the files of docs/data. Python blocks of a page share their
names; a text block right after one is its output. A console block holds commands after ``$``, each
followed by its output; where none is shown, any will do. The tutorial and the how-to pages stand on
their own; those that explain take data and beliefs as given.
"""

import contextlib
import io
import re
import shlex
import shutil
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import app

DOCS = Path(__file__).parents[1] / "docs"
PAGES = [
    DOCS / "index.md",
    DOCS / "tutorial.md",
    DOCS / "stations.md",
    *sorted((DOCS / "howto").glob("*.md")),
]
EXPLAINING = [
    DOCS / f"{name}.md"
    for name in (
        "base",
        "beliefs",
        "counting",
        "curves",
        "direct",
        "equivalence-search",
        "families",
        "networks",
        "posterior",
        "prior",
        "reports",
        "search",
        "statements",
        "webs",
    )
]
BLOCK = re.compile(
    r"^```(?P<kind>python|console)\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)
WIDTH = 88
"""Columns of the terminal that the pages show."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a console block and the output shown."""

    arguments: list[str]
    shown: str


def commands(code: str) -> list[Command]:
    found = []
    for part in re.split(r"^\$ ", code.replace("\\\n", ""), flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        program, *arguments = shlex.split(line)
        assert program == "pathprior", f"only pathprior can be run: {line}"
        found.append(Command(arguments, shown))
    return found


def tidy(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def run_python(code: str, place: str, names: dict[str, object]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, place, "exec"), names)
    return printed.getvalue()


def run_command(command: Command) -> str:
    result = CliRunner(env={"COLUMNS": str(WIDTH)}).invoke(app, command.arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def given(page: Path) -> dict[str, object]:
    df = pd.read_csv("cohort.csv")
    dag = pp.read_bif("cohort.bif").dag
    beliefs = pp.read_beliefs("beliefs.csv")
    if page.stem == "webs":
        names = [f"v{k}" for k in range(14)]
        df = pd.DataFrame([[0, 1] * 7, [1, 0] * 7], columns=names)
        beliefs = pp.BeliefSet(pp.causes(x, y, 0.8) for x, y in pairwise(names))
    return {"np": np, "pd": pd, "pp": pp, "df": df, "data": df, "beliefs": beliefs, "dag": dag}


@pytest.mark.parametrize("page", PAGES + EXPLAINING, ids=lambda page: page.stem)
@pytest.mark.filterwarnings("default::pathprior.errors.PathPriorWarning")
def test_page(page, tmp_path, monkeypatch):
    shutil.copytree(DOCS / "data", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    mpl.use("agg")
    text = page.read_text(encoding="utf-8")
    names = {"__name__": page.stem, **(given(page) if page in EXPLAINING else {})}
    for block in BLOCK.finditer(text):
        place = f"{page.name}:{text[: block.start()].count(chr(10)) + 1}"
        if block["kind"] == "python":
            printed = run_python(block["code"], place, names)
            assert tidy(printed) == tidy(block["output"] or ""), place
            continue
        for command in commands(block["code"]):
            printed = run_command(command)
            assert not command.shown or tidy(printed) == tidy(command.shown), place


def test_the_readme(tmp_path, monkeypatch):
    shutil.copytree(DOCS / "data", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    (block,) = BLOCK.finditer(text)
    printed = run_python(block["code"], "README.md", {})
    assert tidy(printed) == tidy(block["output"])
    assert max(map(len, tidy(printed))) <= 80
    for line in re.findall(r"^    pathprior (?!studio)(.*)$", text, re.MULTILINE):  # that serves on
        assert CliRunner().invoke(app, shlex.split(line)).exit_code == 0, line


def test_the_cohort_is_a_sample_of_its_network(tmp_path):
    made = tmp_path / "cohort.csv"
    pp.read_bif(DOCS / "data" / "cohort.bif").sample(500, seed=9).to_csv(made, index=False)
    assert made.read_bytes() == (DOCS / "data" / "cohort.csv").read_bytes()


def test_the_tests_that_the_pages_name_are_there():
    text = "".join(
        (DOCS / f"{page}.md").read_text("utf-8") for page in ("direct", "method", "posterior")
    )
    rows = re.findall(r"^\|.*\| (`tests/.*) \|$", text, re.MULTILINE)
    assert len(rows) > 10
    for row in rows:
        names = re.findall("`([^`]+)`", row)
        files = [name for name in names if name.endswith(".py")]
        code = "".join((DOCS.parent / file).read_text("utf-8") for file in files)
        assert all(f"def {name}(" in code for name in names if name not in files), row


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    targets = re.findall(r"\]\(([^)#:]+)[^):]*\)", text)
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_site_is_searched_from_the_disk_without_network():
    settings = (DOCS.parent / "mkdocs.yml").read_text("utf-8")
    assert re.search("^  - offline", settings, re.MULTILINE)
    # unless the plugin finds this script among ours, pages ask the network for it
    (script,) = re.findall(r"^  polyfills: \[(.*iframe-worker.*)\]$", settings, re.MULTILINE)
    assert "IFrameWorker" in (DOCS / script).read_text("utf-8")
