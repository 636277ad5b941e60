"""Effects by tables that are drawn by the parts of the score of families."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.data.door import read_dataset
from pathprior.network.effect import draw_effect
from pathprior.network.parameters import TableDraws
from pathprior.score.families import Families
from pathprior.score.table_draws import FamilyDraws, table_draws


def sums(num_rows: int, seed: int) -> tuple[pd.DataFrame, float]:
    """Odds of y that add up over x and four others, and by how much x raises P(y) on average."""
    rng = np.random.default_rng(seed)
    others = rng.integers(0, 2, (4, num_rows))
    x = (rng.random(num_rows) < 0.2 + 0.6 * others[0]).astype(int)
    odds = -1.5 + others.T @ [1.2, -1.0, 0.8, 0.6]
    chances = [1 / (1 + np.exp(-odds - 0.9 * to)) for to in (0, 1)]
    data = pd.DataFrame(others.T, columns=list("abcd"))
    data["x"] = x
    data["y"] = (rng.random(num_rows) < np.choose(x, chances)).astype(int)
    return data, float((chances[1] - chances[0]).mean())


EDGES = [(name, "y") for name in "abcdx"] + [("a", "x")]


def difference(tables: str, data: pd.DataFrame) -> tuple[float, float]:
    """Mean and spread of what setting x to 1 adds to P(y = 1)."""
    graphs = [pp.Dag.from_edges(data.columns, EDGES)] * 300
    draws = table_draws(tables, read_dataset(data), 2.0)
    found = draw_effect(graphs, [draws] * 300, "x", "y", 0).draws
    gains = found[:, 1, 1] - found[:, 0, 1]
    return float(gains.mean()), float(gains.std())


def test_effects_that_add_up_are_drawn_closer_to_the_truth() -> None:
    errors: dict[str, list[float]] = {"bdeu": [], "families": []}
    spreads: dict[str, list[float]] = {"bdeu": [], "families": []}
    for seed in range(6):
        data, truth = sums(300, seed)
        for name in errors:
            mean, spread = difference(name, data)
            errors[name].append(mean - truth)
            spreads[name].append(spread)
    squares = {name: np.mean(np.square(found)) for name, found in errors.items()}
    assert squares["families"] < squares["bdeu"]
    z = np.array(errors["families"]) / spreads["families"]
    assert np.abs(z).max() < 3


def test_fits_and_posteriors_draw_by_their_score(tmp_path) -> None:
    data, _ = sums(300, 0)
    tiers = [["a", "b", "c", "d"], ["x"], ["y"]]
    fit = pp.learn(data, score=Families(3.0), tiers=tiers, required=EDGES)
    dataset = read_dataset(data)
    draws = FamilyDraws(dataset, 3.0)
    expected = draw_effect([fit.dag] * 50, [draws] * 50, "x", "y", 4)
    assert np.array_equal(fit.effect("x", "y", num_draws=50, seed=4).draws, expected.draws)
    by_tables = draw_effect([fit.dag] * 50, [TableDraws(dataset, 3.0)] * 50, "x", "y", 4)
    assert not np.allclose(by_tables.draws, expected.draws)

    few = data[["a", "b", "x", "y"]]
    posterior = pp.sample_posterior(few, score="families")
    assert posterior.tables == "families"
    asked = posterior.effect("x", "y", num_draws=50)
    posterior.save(tmp_path / "posterior.npz")
    again = pp.load_posterior(tmp_path / "posterior.npz")
    assert np.array_equal(again.effect("x", "y", num_draws=50, data=few).draws, asked.draws)
    others = replace(posterior, tables="bdeu").effect("x", "y", num_draws=50)
    assert not np.array_equal(others.draws, asked.draws)
    assert pp.sample_posterior(few).tables == "bdeu"


@pytest.mark.parametrize("are_soft", [False, True])
def test_rows_in_which_a_variable_was_set_say_nothing_about_its_table(are_soft: bool) -> None:
    data, _ = sums(400, 1)
    was_set = np.zeros((6, 400), bool)
    was_set[5, 200:] = True
    whole = replace(read_dataset(data), intervened=was_set, are_soft=are_soft)
    rest: Dataset = read_dataset(data[:200])
    dag = pp.Dag.from_edges(data.columns, [(name, "y") for name in "abcdx"])
    drawn = [
        draw_effect([dag] * 20, [FamilyDraws(of, 2.0)] * 20, "x", "y", 0).draws
        for of in (whole, rest)
    ]
    # the other columns are drawn from all rows, and only they differ
    assert np.abs(drawn[0] - drawn[1]).max() < 0.2
    tables = [FamilyDraws(of, 2.0)._draw(dag, 5, np.random.default_rng(0)) for of in (whole, rest)]
    assert np.allclose(tables[0], tables[1], rtol=1e-9)
