"""Which part of the score of families carries each family, and where it is said."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.report.graph_data import graph_data
from pathprior.report.write import write_fit
from pathprior.score.families import FamilyParts
from pathprior.search.family_parts import families_line, sentence
from pathprior.search.support import edge_support


@pytest.fixture(scope="module")
def fit() -> pp.Fit:
    """Of three causes the odds of one effect are a sum; another is their parity, but for errors."""
    rng = np.random.default_rng(0)
    causes = rng.integers(0, 2, (3, 800))
    odds = -2.0 + causes.T @ [1.5, 1.5, 1.5]
    data = pd.DataFrame({name: causes[k] for k, name in enumerate("abc")})
    data["sum"] = (rng.random(800) < 1 / (1 + np.exp(-odds))).astype(int)
    data["parity"] = causes.sum(axis=0) % 2 ^ (rng.random(800) < 0.1)
    data["copy"] = data["a"] ^ (rng.random(800) < 0.1)
    edges = [(name, effect) for name in "abc" for effect in ("sum", "parity")]
    return pp.learn(data, score="families", required=[*edges, ("a", "copy")], max_parents=3)


def test_sums_are_told_from_tables(fit: pp.Fit) -> None:
    found = fit.families().set_index("child")
    assert found.loc["sum", "part"] == "additive"
    assert found.loc["sum", "additive"] > 0.9
    assert found.loc["parity", "part"] in ("table", "rows")
    assert found.loc["parity", "additive"] < 0.01
    assert found.loc["copy", "additive"] == 0
    assert found[["additive", "table", "rows"]].sum(axis=1).to_numpy() == pytest.approx(1)
    assert found.loc["sum", "parents"] == ("a", "b", "c")
    told = found["sentence"]
    assert told["sum"].startswith("a, b and c each move the odds of sum by themselves (prob")
    assert told["parity"].startswith("What a, b and c do to parity depends on each other")
    assert told["copy"] == "copy has its own probabilities for each state of a."


def test_it_is_said_where_the_network_is_shown(fit: pp.Fit, tmp_path) -> None:
    line = families_line(fit)
    assert line == (
        "Variables with several parents: 2. In 1 the parents' effects add up, in 1 they depend on "
        "each other."
    )
    assert line in " ".join(str(fit).split())
    write_fit(fit, tmp_path, report=True)
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert [row["child"] for row in summary["families"]] == list(fit.families()["child"])
    page = (tmp_path / "report.html").read_text()
    assert "each move the odds of sum by themselves" in page
    rows = re.findall(r"sum = \d<small>instead of \d</small></td><td>([abc]) = ", page)
    assert rows == list(fit.odds_ratios()["parent"])


def test_a_chosen_variable_says_it_too(fit: pp.Fit) -> None:
    nodes = {node["name"]: node for node in graph_data(fit, edge_support(fit))["nodes"]}
    told = fit.families().set_index("child")["sentence"]
    assert nodes["sum"]["note"] == told["sum"]
    assert nodes["parity"]["note"] == told["parity"]
    assert "note" not in nodes["copy"]


def test_other_scores_say_nothing_of_it(tmp_path) -> None:
    fit = pp.learn(pp.load_network("asia").sample(200, seed=0))
    with pytest.raises(pp.errors.SearchError, match="learn with it"):
        fit.families()
    write_fit(fit, tmp_path, report=True)
    assert json.loads((tmp_path / "summary.json").read_text())["families"] is None
    assert "How parents act together" not in (tmp_path / "report.html").read_text()


def test_a_logit_that_could_not_be_weighed_is_not_called_improbable() -> None:
    found = FamilyParts(-10.0, -12.0, -10.0, has_additive=False)
    assert found.shares["additive"] == 0
    assert sentence("x", ("a", "b"), found) == (
        "a and b have too many states to tell whether they add up: a full table."
    )
