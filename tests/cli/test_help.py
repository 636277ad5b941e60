"""The help of every command carries an example, and the example's options exist."""

import re

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from pathprior.cli.app import app

COMMANDS = get_command(app).commands


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_each_command_shows_an_example(name):
    example = re.search(r"Example: pathprior (\S+)(.*)", COMMANDS[name].help)
    assert example is not None
    assert example[1] == name
    options = {option for parameter in COMMANDS[name].params for option in parameter.opts}
    assert set(re.findall(r"--[a-z-]+", example[2])) <= options


def test_the_command_itself_shows_an_example():
    result = CliRunner().invoke(app, ["--help"])
    assert result.exit_code == 0
    assert "Example: pathprior demo" in result.output
    assert all(name in result.output for name in COMMANDS)


def test_a_disk_that_fails_is_one_line(monkeypatch, capsys):
    def fail():
        raise PermissionError(13, "Permission denied", "out")

    monkeypatch.setattr("pathprior.cli.app.app", fail)
    from pathprior.cli.app import main

    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert capsys.readouterr().err == "error: out: Permission denied\n"
