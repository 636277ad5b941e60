"""Columns that say nothing get no edges, and beliefs that hold without evidence are marked."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import app
from pathprior.data.door import read_dataset
from pathprior.errors import PathPriorWarning, SearchError
from pathprior.score.bdeu import Bdeu
from pathprior.search.learn import learn
from pathprior.search.nearly_constant import num_differing
from pathprior.search.support import data_losses, without_weak_edges

BELIEFS = [pp.causes("drug", "death", 0.9)]
SAID = "same value in all rows"


def independent(seed: int, num_rare: int = 0) -> pd.DataFrame:
    """Two independent columns, and one in which only ``num_rare`` rows differ."""
    generator = np.random.default_rng(seed)
    frame = pd.DataFrame(generator.integers(0, 2, (1000, 2)), columns=["drug", "death"])
    frame["hospital"] = (np.arange(1000) < num_rare).astype(int)
    return frame


@pytest.mark.parametrize(
    "options",
    [{}, {"search": "greedy", "restarts": 3}, {"search": "turning"}, {"score": "bic"}],
    ids=["classes", "restarts", "turning", "BIC"],
)
def test_no_path_runs_through_a_constant_column(options: dict[str, Any]) -> None:
    with pytest.warns(PathPriorWarning, match=SAID) as warned:
        fit = learn(independent(0), BELIEFS, **options)
    assert fit.dag.nodes == ("drug", "death", "hospital")
    assert not fit.dag.parents("hospital")
    assert "hospital" not in fit.dag.parents("death")
    assert not fit.beliefs_held().eval("holds and not is_weak").any()
    assert len(warned) == 1
    assert warned[0].filename == __file__


def test_one_warning_names_all_constant_columns() -> None:
    frame = independent(0).assign(ward=pd.Categorical(["a"] * 1000, categories=["a", "b"]))
    for data in (frame, read_dataset(frame)):
        with pytest.warns(PathPriorWarning, match="'hospital', 'ward'") as warned:
            learn(data)
        assert len(warned) == 1


def test_kept_constant_columns_make_a_belief_hold_without_support() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = learn(independent(0), BELIEFS, constant_columns="keep")
    assert fit.dag.edges == (("drug", "hospital"), ("hospital", "death"))
    held = fit.beliefs_held()
    assert held["holds"].tolist() == [True]
    assert held["is_weak"].tolist() == [True]


@pytest.mark.filterwarnings(f"ignore:.*{SAID}")
def test_what_needs_a_constant_column_is_refused() -> None:
    data = independent(0)
    with pytest.raises(SearchError, match=r"'hospital' has the same value.*constant_columns"):
        learn(data, required=[("drug", "hospital")])
    with pytest.raises(SearchError, match="drug ⇒ hospital, ruled out by constant_columns: drop"):
        learn(data, [pp.causes("drug", "hospital", 1.0)])
    with pytest.raises(SearchError, match="ruled out by forbidden and constant_columns together"):
        learn(data, [pp.causes("drug", "death", 1.0)], forbidden=[("drug", "death")])
    start = pp.Dag.from_edges(data.columns, [("drug", "hospital")])
    with pytest.raises(SearchError, match="which constant_columns rules out"):
        learn(data, start=start)
    learn(data, required=[("drug", "hospital")], constant_columns="keep")


def test_beliefs_that_hold_through_nearly_constant_columns_are_marked() -> None:
    num_held = {0: 0, 2: 0}
    for num_rare in num_held:
        for seed in range(20):
            data = independent(seed, num_rare)
            if num_rare == 0:
                data = data.drop(columns="hospital")
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                fit = learn(data, BELIEFS)
            (row,) = fit.beliefs_held().itertuples(index=False)
            assert row.is_weak == row.holds  # nothing in these data supports it
            num_held[num_rare] += row.holds
            messages = [str(warning.message) for warning in warned]
            assert len(messages) == (row.holds and "drug" not in fit.dag.parents("death"))
            for message in messages:
                assert "drug causes death; drop the columns" in message
                assert "'hospital' (2)" in message
    assert num_held[0] < num_held[2]


def test_the_rows_that_differ_are_counted() -> None:
    assert num_differing(read_dataset(independent(0, 3)))["hospital"] == 3
    assert num_differing(read_dataset(independent(0, 998)))["hospital"] == 2


def test_of_two_parents_that_say_the_same_one_is_needed() -> None:
    generator = np.random.default_rng(1)
    cause = generator.integers(0, 2, 500)
    effect = np.where(generator.random(500) < 0.8, cause, 1 - cause)
    noise = generator.integers(0, 2, 500)
    data = read_dataset(pd.DataFrame({"a": cause, "b": cause, "c": effect, "d": noise}))
    dag = pp.Dag.from_edges("abcd", [("a", "b"), ("a", "c"), ("b", "c"), ("d", "c")])
    losses = data_losses(dag, Bdeu(1.0).bind(data))
    assert losses["a", "c"] < 1
    assert losses["b", "c"] < 1
    strong = without_weak_edges(dag, Bdeu(1.0).bind(data))
    assert ("a", "b") in strong.edges
    assert len(strong.parents("c")) == 1
    assert "d" not in strong.parents("c")


def test_the_table_and_the_report_say_what_is_not_supported(tmp_path) -> None:
    independent(0).to_csv(tmp_path / "data.csv", index=False)
    (tmp_path / "beliefs.csv").write_text("x,relation,y,probability\ndrug,causes,death,0.9\n")
    arguments = ["learn", tmp_path / "data.csv", "--beliefs", tmp_path / "beliefs.csv"]
    arguments += ["--constant-columns", "keep", "--report", "--out", tmp_path / "out"]
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    words = " ".join(result.output.replace("│", " ").split())
    assert "holds, by" in words
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "by edges that the data hardly support" in page
    assert pd.read_csv(tmp_path / "out" / "beliefs.csv")["is_weak"].tolist() == [True]
