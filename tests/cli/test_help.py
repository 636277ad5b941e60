"""The help of every command carries an example, and the examples run."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from pathprior.cli.app import app

COMMANDS = get_command(app).commands
DATA = Path(__file__).parents[2] / "docs" / "data"


def test_each_command_shows_its_own_example():
    for name, command in COMMANDS.items():
        assert f"Example: pathprior {name} " in command.help
        assert "[" not in command.help, "rich would take it for markup"


def test_each_example_runs(tmp_path, monkeypatch):
    """In the folder of the tutorial, one after the other: compare reads what learn wrote."""
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    for name, command in COMMANDS.items():
        if name in ("reproduce", "studio"):  # two minutes, and until Ctrl-C; tested elsewhere
            continue
        for example in re.findall(r"^.*: pathprior (.*)$", command.help, re.MULTILINE):
            result = CliRunner().invoke(app, shlex.split(example))
            assert result.exit_code == 0, result.output


def test_the_command_itself_shows_an_example():
    result = CliRunner().invoke(app, ["--help"])
    assert result.exit_code == 0
    assert "Example: pathprior demo" in result.output
    assert all(name in result.output for name in COMMANDS)


def test_a_disk_that_fails_is_one_line(monkeypatch, capsys):
    def fail(obj):
        raise PermissionError(13, "Permission denied", "out")

    monkeypatch.setattr("pathprior.cli.app.app", fail)
    from pathprior.cli.app import main

    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert capsys.readouterr().err == "error: out: Permission denied\n"
