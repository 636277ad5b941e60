"""Options are declared once: signatures, docstrings, command lines and records agree with that."""

import inspect
import json
import re
from dataclasses import asdict
from typing import get_args

import pytest
from typer.main import get_command

import pathprior as pp
from pathprior.cli.app import app
from pathprior.cli.parameters import read_options, words_of
from pathprior.posterior.settings import PosteriorSettings
from pathprior.problem.forms import Choice
from pathprior.problem.settings import ProblemSettings
from pathprior.search.settings import LearnSettings

TAKEN = [("learn", pp.learn, LearnSettings), ("posterior", pp.sample_posterior, PosteriorSettings)]
NO_OPTIONS = {"data", "beliefs", "statements", "num_jobs", "progress", "checkpoint"}
"""What is given, and what has no influence on the result."""
ASKED = {
    "columns": ["a,b"],
    "real": ["a"],
    "discrete": ["b"],
    "reliability": ["survey=8,2"],
    "required": ["a->b"],
    "forbidden": ["b->a"],
    "start": ["a->b"],
    "tier": ["a", "b"],
    "fixed": ["a"],
    "swap": False,
    "penalty": 2.0,
    "score": "gaussian-bic",
    "expected_parents": "1.5",
    "unseen": "0.1",
}
"""What the command line may read of the options whose value is no number."""


def default_as_kept(option, default):
    """Arguments of Python are turned into what is kept; None is nothing of a list."""
    return option.form.take(default)


@pytest.mark.parametrize(("_", "function", "kind"), TAKEN)
def test_signatures_have_all_options_with_their_defaults(_, function, kind):
    parameters = inspect.signature(function).parameters
    options = {option.name: option for option in kind.declared()}
    assert set(parameters) - NO_OPTIONS == set(options)
    for name, option in options.items():
        assert default_as_kept(option, parameters[name].default) == option.default, name


@pytest.mark.parametrize(("_", "function", "kind"), TAKEN)
def test_docstrings_say_each_option(_, function, kind):
    entries = re.findall(r"^    (\w[\w, \\\n]*?)\n        ", function.__doc__, re.MULTILINE)
    said = {name for entry in entries for name in re.findall(r"\w+", entry)}
    assert {option.name for option in kind.declared()} <= said
    assert set(inspect.signature(function).parameters) <= said


@pytest.mark.parametrize(("command", "_", "kind"), TAKEN)
def test_command_lines_have_all_options_in_groups(command, _, kind):
    read = {param.name: param for param in get_command(app).commands[command].params}
    assert words_of(kind.declared()) <= set(read)
    for option in kind.declared():
        for flag, text in option.flags.items():
            param = read[flag.replace("-", "_")]
            assert (param.help, param.rich_help_panel) == (text, option.group)
            assert f"--{flag}" in param.opts
    without = {name for name, param in read.items() if not getattr(param, "rich_help_panel", "")}
    assert without == {"data"}  # an argument


@pytest.mark.parametrize(("_", "_function", "kind"), TAKEN)
def test_the_command_line_and_python_have_the_same_defaults(_, _function, kind):
    shown = {
        flag.replace("-", "_"): value
        for option in kind.declared()
        for flag, value in zip(option.flags, option.form.show(option.default), strict=True)
    }
    assert kind.of_values(read_options(kind.declared(), shown)) == kind()


@pytest.mark.parametrize(("_", "_function", "kind"), TAKEN)
def test_a_record_gives_back_what_was_asked(_, _function, kind):
    usual = {int: 1, float: 1.5, str: "x"}
    given = {
        flag.replace("-", "_"): next(
            (v for k, v in usual.items() if k in (*get_args(reads), reads)), None
        )
        for option in kind.declared()
        for flag, reads in zip(option.flags, option.form.reads, strict=True)
    }
    given |= {word: value for word, value in ASKED.items() if word in given}
    choices = [option for option in kind.declared() if isinstance(option.form, Choice)]
    given |= {option.name: option.form.names[-1] for option in choices}
    settings = kind.of_values(read_options(kind.declared(), given))
    kept = json.loads(json.dumps(asdict(settings)))
    assert kind.restore(kept) == settings
    assert all(option.form.say(getattr(settings, option.name)) for option in kind.declared())


def test_what_both_have_is_handed_on():
    asked = LearnSettings(max_parents=2, tiers=(("a",), ("b",)), time_limit=5.0, seed=3)
    shared = asked.shared_with(ProblemSettings)
    assert (shared.max_parents, shared.tiers, shared.seed) == (2, (("a",), ("b",)), 3)
    assert asked.shared_with(PosteriorSettings, time_limit=9.0).time_limit == 9.0


def test_the_help_names_every_score():
    (option,) = ProblemSettings.named("score")
    for name in ("averaged-bdeu", "families", "gaussian-bic", "mixed"):
        assert name in option.flags["score"]
