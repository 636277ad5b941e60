"""What a run of the tests says it left out, and what make installs on a CI machine."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WITHOUT_BROWSER = ["tests/report/test_browser.py", "tests/report/test_browser_answers.py"]


def test_the_last_lines_say_what_was_skipped_and_how_to_have_it(tmp_path):
    """As with make test on a machine without Chromium: nothing of ours is on this path."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *WITHOUT_BROWSER]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    *_, left_out, _ = done.stdout.splitlines()
    number = int(left_out.removeprefix("NOT TESTED: ").split()[0])
    assert number > 10
    assert left_out.endswith("needs Chromium on the path (Debian: apt-get install chromium)")


def fake(folder, name, script):
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


@pytest.fixture
def machine(tmp_path):
    """A path with what `make browser` calls and no browser; apt-get keeps what it is asked."""
    folder = tmp_path / "bin"
    folder.mkdir()
    fake(folder, "id", "echo 0")
    fake(folder, "timeout", 'shift; exec "$@"')
    fake(folder, "apt-get", f'echo "$@" >> {tmp_path}/asked')
    return folder


def make_browser(machine, **more):
    """What make says, and what apt-get was asked to do."""
    make = shutil.which("make")
    environment = {"PATH": str(machine), "CI": "true"} | more
    done = subprocess.run(
        [make, "browser"], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    asked = machine.parent / "asked"
    return done.stdout, asked.read_text() if asked.exists() else ""


needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="needs make on the path")


@needs_make
def test_chromium_is_installed_where_ci_lacks_it(machine):
    said, asked = make_browser(machine)
    assert said == ""
    assert asked.splitlines()[-1].split()[-2:] == ["chromium", "fonts-liberation"]


@needs_make
@pytest.mark.parametrize("case", ["at home", "not root", "there already"])
def test_nothing_is_installed_elsewhere(machine, case):
    if case == "not root":
        fake(machine, "id", "echo 1000")
    if case == "there already":
        fake(machine, "chromium", "")
    assert make_browser(machine, **({"CI": ""} if case == "at home" else {})) == ("", "")


@needs_make
def test_what_cannot_be_installed_fails_nothing(machine):
    fake(machine, "apt-get", "echo no network >&2; exit 100")
    said, _ = make_browser(machine)
    assert said.startswith("Chromium cannot be installed")


@needs_make
def test_a_machine_without_apt_get_is_left_alone(machine):
    (machine / "apt-get").unlink()
    assert make_browser(machine) == ("", "")
