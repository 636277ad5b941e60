"""What to ask next, against expected entropies from their definition."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.errors import GraphError, PosteriorError
from pathprior.graph.relation import Relation
from pathprior.posterior import ask_next as module
from tests.posteriors import draw_chains, of_graphs


def bits(shares):
    shares = np.array([share for share in shares if share > 0])
    return -(shares * np.log2(shares)).sum()


def open_bits(graphs, weights, pairs):
    """The sum of the entropies of the pairs' relations."""
    total = 0.0
    for x, y in pairs:
        found = np.array([dag.relation(x, y) for dag in graphs])
        total += bits([weights[found == relation].sum() for relation in Relation])
    return total


def expected_gain(graphs, weights, pairs, answers):
    """``answers[a, k]``: how probable graph k makes answer a."""
    left = 0.0
    for likelihood in answers:
        joint = weights * likelihood
        if joint.sum() > 0:
            left += joint.sum() * open_bits(graphs, joint / joint.sum(), pairs)
    return open_bits(graphs, weights, pairs) - left


@pytest.fixture(scope="module")
def every(posterior):
    return (
        [graph.dag for graph in posterior.graphs],
        np.array([graph.weight for graph in posterior.graphs]),
    )


@pytest.mark.parametrize("about", [None, ["d"]])
def test_gains_are_expected_entropies(posterior, every, about):
    graphs, weights = every
    pairs = [pair for pair in combinations(posterior.variables, 2) if not about or "d" in pair]
    table = posterior.ask_next(about=about, reliability=0.8)
    assert len(table) == 6
    assert table["gain"].is_monotonic_decreasing
    assert table.attrs["entropy"] == pytest.approx(open_bits(graphs, weights, pairs), abs=1e-6)
    for row in table.itertuples():
        true = np.array([dag.relation(row.x, row.y) for dag in graphs])
        answers = np.array([np.where(true == said, 0.8, 0.2 / 3) for said in Relation])
        gain = expected_gain(graphs, weights, pairs, answers)
        assert row.gain == pytest.approx(gain, abs=1e-4)
        assert row.entropy == pytest.approx(open_bits(graphs, weights, [(row.x, row.y)]), abs=1e-6)
        assert row.sentence.startswith(f"Ask how {row.x} and {row.y} are related: that should")


def test_an_experiment_is_worth_its_outcomes(posterior, every):
    graphs, weights = every
    names = posterior.variables
    pairs = list(combinations(names, 2))
    table = posterior.ask_next("experiment", reliability=0.9)
    assert sorted(table["variable"]) == sorted(names)
    for row in table.itertuples():
        others = [name for name in names if name != row.variable]
        sees = {
            other: np.array(
                [dag.relation(row.variable, other) is Relation.CAUSES for dag in graphs]
            )
            for other in others
        }
        chances = {other: np.where(seen, 0.9, 0.1) for other, seen in sees.items()}
        expected = sum(
            max(
                expected_gain(graphs, weights, [pair], np.array([chance, 1 - chance]))
                for chance in chances.values()
            )
            for pair in pairs
        )
        assert row.gain == pytest.approx(expected, abs=1e-4)
        together = np.array(
            [
                np.prod(
                    [
                        chances[other] if code >> k & 1 else 1 - chances[other]
                        for k, other in enumerate(others)
                    ],
                    axis=0,
                )
                for code in range(8)
            ]
        )
        assert row.gain < expected_gain(graphs, weights, pairs, together) + 1e-4


def test_a_perfect_answer_settles_its_own_relation():
    graphs = [pp.Dag.from_edges("ab", [("a", "b")]), pp.Dag.from_edges("ab", [])]
    chosen = np.random.default_rng(0).permutation([0] * 400 + [1] * 400)
    found = of_graphs([graphs[k] for k in chosen], pp.BeliefSet(), num_chains=2)
    row = found.ask_next(reliability=1.0).iloc[0]
    assert row["entropy"] == pytest.approx(1)
    assert (
        row["sentence"] == "Ask how a and b are related: that should settle 100 % of what is open."
    )


def test_what_is_by_chance_is_taken_off(posterior):
    exact = posterior.ask_next(top=6).set_index(["x", "y"])["gain"]
    found = [
        of_draws(posterior, seed).ask_next(top=6).set_index(["x", "y"])["gain"]
        for seed in range(20)
    ]
    mean = sum(gain.loc[exact.index] for gain in found) / len(found)
    spread = np.std([gain.loc[exact.index] for gain in found], axis=0) / np.sqrt(len(found))
    assert (abs(mean - exact) < 4 * spread + 0.01).all()


def of_draws(posterior, seed):
    draws = draw_chains(posterior.draws, num_chains=2, num_draws=600, seed=seed)
    return replace(posterior, draws=draws)


def test_only_the_least_known_are_asked(posterior, monkeypatch):
    every = posterior.ask_next(top=6)
    monkeypatch.setattr(module, "LEAST_ASKED", 1)
    monkeypatch.setattr(module, "MAX_TABLES", 17)  # of six pairs with each of two
    few = posterior.ask_next()
    assert len(few) == 2
    assert set(few["entropy"]) == set(every["entropy"].nlargest(2))


def test_blocks_and_graphs_do_not_matter(posterior, monkeypatch):
    expected = posterior.ask_next()
    monkeypatch.setattr(module, "BLOCK", 2)
    assert posterior.ask_next()["gain"].tolist() == pytest.approx(expected["gain"].tolist())
    assert len(posterior.ask_next(top=2)) == 2
    assert posterior.ask_next(about="d").attrs["entropy"] < expected.attrs["entropy"]


def randomised(table):
    return sorted(table["variable"])


def test_a_first_tier_is_not_randomised_unless_asked(data):
    tiers = [["d", "c"], ["a", "b"]]
    found = pp.sample_posterior(data, tiers=tiers)
    assert found.fixed == ("d", "c")
    every = found.ask_next("experiment", fixed=[])
    assert randomised(every) == ["a", "b", "c", "d"]
    kept = every[every["variable"].isin(["a", "b"])].reset_index(drop=True)
    pd.testing.assert_frame_equal(found.ask_next("experiment"), kept)
    # what experts are asked of is another matter
    assert len(found.ask_next(top=6)) == 6
    named = pp.sample_posterior(data, tiers=[[], *tiers], fixed="a")
    assert named.fixed == ("a",)
    assert randomised(named.ask_next("experiment", top=1, fixed=["b", "a", "c"])) == ["d"]
    assert pp.sample_posterior(data, tiers=[[], *tiers]).fixed == found.fixed
    assert pp.sample_posterior(data, tiers=tiers, fixed=[]).fixed == ()
    assert pp.sample_posterior(data).fixed == ()


def test_a_learned_network_passes_on_what_is_fixed(data):
    fit = pp.learn(data, tiers=[["d"]])
    assert fit.posterior().fixed == ("d",)
    assert fit.posterior(fixed=["b", "a"]).fixed == ("a", "b")


def test_what_is_fixed_is_kept_in_the_file(data, tmp_path):
    pp.sample_posterior(data, fixed=["c", "d"]).save(tmp_path / "posterior.npz")
    assert pp.load_posterior(tmp_path / "posterior.npz").fixed == ("d", "c")


def test_where_all_is_fixed_there_is_no_experiment(data):
    found = pp.sample_posterior(data, tiers=[["a", "b", "c", "d"]])
    assert len(found.ask_next("experiment")) == 0


def test_what_cannot_be_asked(posterior):
    with pytest.raises(PosteriorError, match="fixed names what no experiment can set"):
        posterior.ask_next(fixed=["a"])
    with pytest.raises(GraphError, match="unknown node 'q'"):
        posterior.ask_next("experiment", fixed=["q"])
    with pytest.raises(PosteriorError, match="kind must be"):
        posterior.ask_next("trial")
    with pytest.raises(PosteriorError, match="top must be"):
        posterior.ask_next(top=0)
    with pytest.raises(PosteriorError, match=r"reliability must be above 0\.5"):
        posterior.ask_next(reliability=0.25)
    with pytest.raises(GraphError, match="unknown node 'q'"):
        posterior.ask_next(about=["q"])


def test_gains_are_said_as_shares_of_all_that_is_open(posterior):
    for kind in ("belief", "experiment"):
        table = posterior.ask_next(kind)
        for row in table.itertuples():
            percent = 100 * row.gain / table.attrs["entropy"]
            said = f"{percent:.0f} %" if percent >= 1 else "less than 1 %"
            assert row.sentence.endswith(f": that should settle {said} of what is open.")
    empty = of_graphs([pp.Dag.from_edges("abc", [])] * 80, pp.BeliefSet(), num_chains=2)
    sentence = empty.ask_next(top=1)["sentence"].item()
    assert sentence.endswith("that should settle less than 1 % of what is open.")


def test_all_unknown_names_that_are_fixed_come_in_one_error(data):
    found = pp.sample_posterior(data)
    with pytest.raises(GraphError, match=r"unknown nodes 'nobody', 'B'; did you mean 'b' for 'B'"):
        found.ask_next("experiment", fixed=["nobody", "B", "a"])
