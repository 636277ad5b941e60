"""Every mistake in `docs/errors.md` gives exactly the message printed there."""

import re
from pathlib import Path

import networkx as nx
import pandas as pd
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import app
from pathprior.errors import PathPriorError

CATALOGUE = Path(__file__).parents[1] / "docs" / "errors.md"
ENTRY = re.compile(r"^(?P<title>\S.*):\n\n    >>> (?P<call>.+)\n    (?P<message>.+)$", re.MULTILINE)


def write(name, content):
    """Put a file into the test's own folder, which is the current one."""
    path = Path(name)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def run(*arguments):
    """Run the command; it lets our errors through to `main`, which prints them as one line."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None:
        raise result.exception


NAMES = {
    "pp": pp,
    "pd": pd,
    "pa": pa,
    "nx": nx,
    "write": write,
    "run": run,
    "HEADER": "x,relation,y,probability\n",
    "VARIABLE": "variable a {\n  type discrete [ 2 ] { yes, no };\n}\n",
    "DATA": pd.DataFrame({"a": [0, 1, 1, 0], "b": [0, 1, 0, 0]}),
    "INCOHERENT": [
        pp.causes("a", "b", 0.9),
        pp.causes("b", "c", 0.9),
        pp.not_associated("a", "c", 0.9),
    ],
}

ENTRIES = [entry.groups() for entry in ENTRY.finditer(CATALOGUE.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(
    ("call", "message"), [pytest.param(*entry[1:], id=entry[0]) for entry in ENTRIES]
)
@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_says_what_is_wrong(call, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PathPriorError) as caught:
        eval(call, dict(NAMES))
    begin, ellipsis, _ = message.partition("…")
    said = str(caught.value)
    assert said.startswith(begin) if ellipsis else said == message
    assert "\n" not in said


def test_no_entry_is_overlooked():
    assert len(ENTRIES) == CATALOGUE.read_text(encoding="utf-8").count(">>>") > 100
    assert len({title for title, _, _ in ENTRIES}) == len(ENTRIES)
