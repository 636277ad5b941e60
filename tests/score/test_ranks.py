"""BGe on ranks: the normal scores by their definition, and what ranks promise."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, rankdata

import pathprior as pp
from pathprior.data.door import read_dataset
from pathprior.data.normal_scores import atoms, mid_ranks, normal_scores
from pathprior.errors import DataError


def warped(num_rows: int = 400) -> pd.DataFrame:
    """Of a → c ← b, all of it bent by increasing functions; some values tie."""
    draw = np.random.default_rng(5)
    a, b = draw.normal(size=(2, num_rows))
    c = a - b + 0.5 * draw.normal(size=num_rows)
    return pd.DataFrame({"c": np.exp(2 * c), "a": np.round(a, 1), "b": np.sinh(3 * b)})


def test_normal_scores_are_quantiles_of_mid_ranks() -> None:
    frame = warped()
    scores = normal_scores(read_dataset(frame)).reals.values
    for column, found in zip(frame, scores, strict=True):
        ranks = rankdata(frame[column])
        assert np.array_equal(mid_ranks(frame[column].to_numpy()), ranks)
        assert found == pytest.approx(norm.ppf(ranks / 401), rel=1e-12, abs=1e-12)


def test_ranks_are_bge_of_normal_scores() -> None:
    frame = warped()
    by_hand = frame.apply(lambda column: norm.ppf(rankdata(column) / (len(frame) + 1)))
    dag = pp.Dag.from_edges("cab", [("a", "c"), ("b", "c")])
    expected = pp.score_graph(dag, by_hand, score="bge")
    assert pp.score_graph(dag, frame, score="ranks") == pytest.approx(expected, rel=1e-12)


def test_increasing_functions_and_the_order_of_columns_do_not_matter() -> None:
    frame = warped()
    first = pp.learn(frame, score="ranks")
    other = pp.learn(
        frame.apply(lambda column: np.cbrt(column - 7))[["b", "c", "a"]], score="ranks"
    )
    assert first.score == pytest.approx(other.score, rel=1e-12)
    assert set(first.dag.edges) == set(other.dag.edges) == {("a", "c"), ("b", "c")}


def test_ranks_are_sampled_and_searched_as_bge() -> None:
    frame = warped(60)
    for search in ("equivalence", "turning", "exact"):
        assert pp.learn(frame, score="ranks", search=search).dag.num_edges
    posterior = pp.sample_posterior(frame, score="ranks")
    assert posterior.probability("a", "causes", "c") > 0.5


def test_missing_values_are_not_drawn_by_ranks() -> None:
    frame = warped()
    frame.loc[3, "a"] = np.nan
    with pytest.raises(DataError, match="the score ranks cannot draw missing values"):
        pp.learn(frame, score="ranks", missing="em")
    assert pp.learn(frame, score="ranks", missing="drop").dag.num_edges == 2


def test_an_atom_is_a_value_of_more_than_a_twentieth_of_the_rows() -> None:
    column = np.arange(100.0)
    often = column.copy()
    often[:6] = -1.5
    data = read_dataset(pd.DataFrame({"a": column + 0.5, "b": often + 0.5}))
    assert atoms(data) == ("b",)
