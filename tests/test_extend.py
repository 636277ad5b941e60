"""The examples of docs/extend.md: each applied to a copy of the package, and run in it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "extend.md"
SECTION = re.compile(
    r"^## (?P<title>Add a tie)\n.*?^```diff\n(?P<diff>.*?)^```\n.*?^```python\n(?P<code>.*?)^```\n"
    r"\n```text\n(?P<output>.*?)^```\n",
    re.MULTILINE | re.DOTALL,
)
SECTIONS = {found["title"]: found for found in SECTION.finditer(PAGE.read_text(encoding="utf-8"))}


def apply(diff: str, root: Path) -> set[str]:
    """Make the changes of a diff; each must fit one place. Returns the files."""
    files = set()
    for part in diff.split("+++ ")[1:]:
        name, _, hunks = part.partition("\n")
        file = root / name
        text = file.read_text(encoding="utf-8")
        for hunk in hunks.split("@@\n")[1:]:
            lines = hunk.splitlines()
            before = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "+")
            after = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "-")
            assert text.count(before) == 1, f"{name} has no such lines, or twice:\n{before}"
            text = text.replace(before, after)
        file.write_text(text, encoding="utf-8")
        files.add(name)
    return files


@pytest.mark.parametrize("title", ["Add a tie"])
def test_an_example_runs_in_the_package_as_it_is(title: str, tmp_path: Path) -> None:
    section = SECTIONS[title]
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    files = apply(section["diff"], tmp_path)
    assert len(files) <= 10
    told = set(re.findall(r"^\| `(.*?)` \|", section[0], re.MULTILINE))
    assert {f"src/pathprior/{name}" for name in told} == files
    # as plain Python: to compile all kernels once more would take minutes
    settings = os.environ | {
        "PYTHONPATH": str(tmp_path / "src"),
        "NUMBA_DISABLE_JIT": "1",
        "PATHPRIOR_CACHE": str(tmp_path / "cache"),
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", section["code"]],
        capture_output=True, text=True, env=settings, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout == section["output"]
