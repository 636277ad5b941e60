"""What a posterior answers."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.errors import GraphError, PathPriorWarning, PosteriorError
from pathprior.graph.relation import Relation
from pathprior.posterior.drawing import Chains, Sample
from pathprior.posterior.draws import Draws
from pathprior.posterior.median import edges_above
from pathprior.posterior.posterior import Posterior
from pathprior.posterior.settling import PosteriorStop, unsettled_rows

WORDS = ["causes", "caused-by", "confounded", "not-associated"]


def replaced(posterior, draws):
    rest = posterior.prior, posterior.best, posterior.best_score
    return Posterior(
        posterior.variables, draws, *rest, PosteriorStop.TIME_LIMIT, posterior.settings, 2.0
    )


@pytest.fixture(scope="module")
def sampled(posterior, draw_chains):
    return replaced(posterior, draw_chains(posterior.draws, num_chains=4, num_draws=500, seed=0))


def test_tables_agree(posterior, data):
    assert posterior.is_exact
    assert posterior.stopped_because is PosteriorStop.EXACT
    assert posterior.variables == tuple(data.columns)
    adjacencies = posterior.adjacencies
    assert (adjacencies == adjacencies.T).all(axis=None)
    assert (
        adjacencies.loc["a", "b"] == posterior.edges.loc["a", "b"] + posterior.edges.loc["b", "a"]
    )
    paths = posterior.paths
    assert list(paths.columns) == ["x", "y", *WORDS]
    np.testing.assert_allclose(paths[WORDS].sum(axis=1), 1)
    for row in paths.to_dict("records"):  # an edge is a path
        assert row["causes"] >= posterior.edges.loc[row["x"], row["y"]] - 1e-12


@pytest.mark.parametrize("kind", ["posterior", "sampled"])
def test_one_probability_whichever_way_it_is_asked(kind, request):
    posterior = request.getfixturevalue(kind)
    row = posterior.paths.iloc[0]
    for word, relation in zip(WORDS, Relation, strict=True):
        asked = posterior.probability(row["x"], word, row["y"])
        assert asked == pytest.approx(row[word])
        assert asked == pytest.approx(
            posterior.probability(lambda dag, r=relation: dag.relation(row["x"], row["y"]) is r)
        )
    assert posterior.probability("a", "causes", "b") == pytest.approx(
        posterior.probability("b", "caused-by", "a")
    )
    number = posterior.probability(lambda dag: dag.num_edges)
    assert number == pytest.approx(posterior.edges.to_numpy().sum())
    share = sum(graph.weight for graph in posterior.graphs if ("a", "b") in graph.dag.edges)
    tolerance = 1e-9 if kind == "posterior" else 0.05  # of chains every other draw
    assert share == pytest.approx(posterior.edges.loc["a", "b"], abs=tolerance)


def test_beliefs(posterior, sampled):
    table = posterior.beliefs()
    columns = ["x", "y", "event", "baseline", "stated", "fitted"]
    answers = ["before", "after", "error", "is_settled", "log_bayes_factor", "is_bound"]
    doubts = ["low", "high", "weakest", "chance_to_show"]
    words = [*doubts, "evidence", "is_contradicted", "sentence"]
    assert list(table.columns) == [*columns, *answers, *words]
    assert (table["error"] == 0).all()
    names = ["x", "y", "event"]
    pd.testing.assert_frame_equal(
        table[columns].sort_values(names, ignore_index=True),
        posterior.prior.table[columns].sort_values(names, ignore_index=True),
    )
    for row in table.to_dict("records"):
        assert row["after"] == posterior.probability(row["x"], row["event"], row["y"])
    again = sampled.beliefs().set_index(names).loc[list(table[names].itertuples(index=False))]
    again = again.reset_index()
    assert (again["error"] > 0).all()
    assert (abs(again["after"] - table["after"]) < 4 * again["error"]).all()


def test_errors_of_chains_are_honest(posterior, draw_chains):
    truth = posterior.errors
    names = ["kind", "x", "event", "y"]
    numbers = ["probability", "error", "r_hat", "effective_samples", "is_settled"]
    assert list(truth.columns) == names + numbers
    assert truth["kind"].value_counts().to_dict() == {"path": 24, "edge": 12, "belief": 5}
    assert (truth["error"] == 0).all()
    assert np.isinf(truth["effective_samples"]).all()
    z = []
    for seed in range(20):
        draws = draw_chains(posterior.draws, num_chains=3, num_draws=300, seed=seed)
        errors = replaced(posterior, draws).errors
        assert (errors[names] == truth[names]).all(axis=None)
        often = truth["probability"].between(0.05, 0.95)
        z.append(((errors["probability"] - truth["probability"]) / errors["error"])[often])
    assert len(z[0]) > 15
    assert 0.85 < np.sqrt(np.mean(np.square(z))) < 1.15
    assert np.max(np.abs(z)) < 4.5


def test_the_table_of_errors_holds_the_probabilities_of_the_others(sampled):
    errors = sampled.errors
    for row in errors[errors["kind"] == "edge"].to_dict("records"):
        assert row["probability"] == pytest.approx(sampled.edges.loc[row["x"], row["y"]])
    for row in errors[errors["kind"] != "edge"].to_dict("records"):
        estimate = sampled.estimate(row["x"], row["event"], row["y"])
        assert estimate.value == pytest.approx(row["probability"])
        assert estimate.error == pytest.approx(row["error"])
        assert estimate.r_hat == pytest.approx(row["r_hat"])
        assert estimate.effective_samples == pytest.approx(row["effective_samples"])


def test_graphs(posterior, sampled):
    graphs = posterior.graphs
    assert len(graphs) == posterior.draws.num_draws == 543
    assert sum(graph.weight for graph in graphs) == pytest.approx(1)
    assert graphs[0].dag.nodes == posterior.variables
    assert graphs[0].weight == max(graph.weight for graph in graphs)
    assert graphs[0].score == pytest.approx(posterior.best_score)
    assert posterior.prior.log_prob(graphs[0].dag) > -np.inf
    thinned = sampled.graphs
    assert sum(graph.weight for graph in thinned) == pytest.approx(1)
    assert len({graph.dag for graph in thinned}) == len(thinned) <= 1000
    assert min(graph.weight for graph in thinned) == pytest.approx(1 / 1000)


def test_the_best_graph(posterior, data, beliefs):
    fit = pp.learn(data, beliefs)
    plain = pp.learn(data, beliefs, score="bdeu").posterior(unseen=0)
    assert plain.best_score == pytest.approx(fit.score)
    again = fit.posterior()
    assert again.best == fit.dag  # of equals the one that was learned
    pd.testing.assert_frame_equal(again.edges, posterior.edges)
    pd.testing.assert_frame_equal(again.paths, posterior.paths)


def test_median_graph(posterior):
    dag = posterior.median_graph()
    assert dag.nodes == posterior.variables
    likely = posterior.edges.to_numpy() > 0.5
    np.testing.assert_array_equal(dag.adjacency, likely)  # no cycle here
    assert posterior.median_graph(1.0).num_edges == 0
    with pytest.raises(PosteriorError, match="between 0 and 1, not 50"):
        posterior.median_graph(50)


def test_cycles_are_cut_at_the_weakest_edge():
    probabilities = np.zeros((4, 4))
    probabilities[[0, 1, 2, 3], [1, 2, 0, 0]] = [0.6, 0.55, 0.7, 0.52]
    expected = probabilities.copy()
    expected[1, 2] = 0
    np.testing.assert_array_equal(edges_above(probabilities, 0.5), expected > 0)


@settings(max_examples=50)
@given(st.integers(2, 7), st.integers(0, 2**32 - 1))
def test_any_threshold_gives_a_graph(size, seed):
    probabilities = np.random.default_rng(seed).random((size, size)).round(1)
    np.fill_diagonal(probabilities, 0)
    kept = edges_above(probabilities, 0.3)
    pp.Dag(tuple(map(str, range(size))), kept)  # no cycle
    assert not (kept & (probabilities <= 0.3)).any()
    left_out = (probabilities > 0.3) & ~kept
    for u, v in np.argwhere(left_out):  # what was left out closes a cycle of stronger edges
        stronger = (probabilities > 0.3) & (probabilities >= probabilities[u, v])
        reached = np.linalg.matrix_power(stronger.astype(float) + np.eye(size), size)
        assert reached[v, u] > 0


def test_what_cannot_be_asked(posterior, data):
    with pytest.raises(GraphError, match="unknown node 'q'"):
        posterior.probability("q", "causes", "a")
    with pytest.raises(PosteriorError, match="no beliefs"):
        pp.sample_posterior(data).beliefs()


# -- chains -------------------------------------------------------------------------------------


def test_chains_that_settle(posterior, data, beliefs):
    found = pp.sample_posterior(data, beliefs, method="chains")
    assert found.stopped_because is PosteriorStop.SETTLED
    assert len(unsettled_rows(found.errors, 0.02)) == 0
    assert found.best_score == pytest.approx(posterior.best_score)
    assert f"4 chains of {found.draws.num_draws} graphs" in repr(found)
    text = str(found)
    assert "Largest error 0.0" in text
    assert "after" in text
    assert max(map(len, text.splitlines())) <= 80


def test_the_start_is_the_best_where_no_draw_is_better(monkeypatch, posterior, data, beliefs):
    worst = int(posterior.draws.scores.argmin())
    only = np.full((2, 10), worst)
    draws = Draws(
        posterior.draws.variables, posterior.draws.graphs[only], posterior.draws.scores[0][only]
    )
    drawn = Sample(draws, PosteriorStop.TIME_LIMIT)
    monkeypatch.setattr(Chains, "run", lambda *_: drawn)
    fit = pp.learn(data, beliefs, score="bdeu")
    with pytest.warns(PathPriorWarning, match="not settled"):
        found = fit.posterior(method="chains", unseen=0)
    assert found.best == fit.dag
    assert found.best_score == pytest.approx(fit.score)


# -- views --------------------------------------------------------------------------------------


def test_text(posterior, data):
    lines = str(posterior).splitlines()
    assert lines[0] == "Posterior(4 variables, all 543 graphs)"
    assert lines[1] == "Every graph within the rules was weighed."
    assert lines[2].split() == ["x", "event", "y", "baseline", "stated", "fitted", "after"]
    first = posterior.beliefs().iloc[0]
    text = " ".join(" ".join(lines).split())
    assert f"{first['sentence']} Evidence: {first['evidence']}" in text
    assert max(map(len, lines)) <= 80
    assert len(str(pp.sample_posterior(data)).splitlines()) == 2


def test_notebook(posterior, sampled):
    page = posterior._repr_html_()
    assert page.startswith("<p>Posterior(4 variables, all 543 graphs)")
    assert "<svg" in page
    assert "after" in page
    assert "Largest error" in sampled._repr_html_()
