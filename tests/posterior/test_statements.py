"""Posteriors with statements of unknown reliability, against the definition."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import betainc

import pathprior as pp
from pathprior.beliefs.reliability import mixture_quantiles
from pathprior.beliefs.repeated import count_once
from pathprior.errors import BeliefError, PosteriorError
from tests.oracles.posterior import everything
from tests.oracles.statements import HELD, all_averaged, ties

pytestmark = pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")

NAMES = "dacbe"  # not in the order of their names
SHAPES = {"expert": (4.0, 2.0), "survey": (3.0, 1.5)}
GIVEN = {"survey": (3.0, 1.5)}


def random_data(size, seed, num_rows=40):
    rng = np.random.default_rng(seed)
    common = rng.integers(0, 2, num_rows)
    noise = rng.random((size, num_rows)) < 0.4
    codes = [np.where(noise[v], rng.integers(0, 2, num_rows), common) for v in range(size)]
    return pd.DataFrame({NAMES[v]: codes[v] for v in range(size)})


def random_statements(size, seed, num_statements=5):
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(num_statements):
        x, y = (NAMES[v] for v in rng.choice(size, 2, replace=False))
        word = str(rng.choice(list(HELD)))
        source = str(rng.choice(list(SHAPES)))
        made.append(pp.says(source, x, word, y, strength=float(rng.choice([1, 1, 0.5, 2]))))
    return list(count_once(made))


def expected(exact_without, statements, edge_odds):
    """Weights of all graphs: without statements, times what the definition says of these."""
    size = len(exact_without.variables)
    place = {name: v for v, name in enumerate(NAMES)}
    draws = exact_without.draws  # all graphs are possible: each is in there
    order = [place[name] for name in draws.variables]
    bits = everything(size).adjacencies[:, order][:, :, order].transpose(0, 2, 1) @ 2 ** np.arange(
        size
    )
    row = {graph.tobytes(): k for k, graph in enumerate(draws.graphs[..., 0].astype(np.int64))}
    found = draws.weights[[row[graph.tobytes()] for graph in bits]]
    for source in {s.source for s in statements}:
        said = [
            (place[s.x], s.relation, place[s.y], s.strength)
            for s in statements
            if s.source == source
        ]
        found *= all_averaged(size, said, edge_odds, SHAPES[source])
    return found / found.sum()


def check_paths(posterior, weights, tolerance):
    relations = everything(len(posterior.variables)).relations
    for row in posterior.paths.to_dict("records"):
        x, y = NAMES.index(row["x"]), NAMES.index(row["y"])
        for code, word in enumerate(["causes", "caused-by", "confounded", "not-associated"]):
            probability = weights @ (relations[:, x, y] == code)
            assert row[word] == pytest.approx(probability, abs=tolerance)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [3, 4])
def test_every_graph_is_weighed_by_the_definition(size, seed):
    data, statements = random_data(size, seed), random_statements(size, seed)
    beliefs = [pp.causes("d", "c", 0.7), pp.associated("a", "d", 0.8)][: seed % 3]
    without = pp.sample_posterior(data, beliefs, unseen=0)
    posterior = pp.sample_posterior(
        data, [*beliefs, *statements], reliability=_given(statements), unseen=0
    )
    weights = expected(without, statements, posterior.prior.edge_odds)
    check_paths(posterior, weights, 1e-9)


def test_five_variables_on_a_sparse_base():
    data, statements = random_data(5, 8), random_statements(5, 8, 9)
    without = pp.sample_posterior(data)
    assert without.prior.edge_odds != 1
    posterior = pp.sample_posterior(data, statements, reliability=_given(statements), unseen=0)
    check_paths(posterior, expected(without, statements, without.prior.edge_odds), 1e-9)


def test_reliability_is_a_mixture_over_graphs():
    data, statements = random_data(4, 3), random_statements(4, 5, 8)
    without = pp.sample_posterior(data)
    weights = expected(without, statements, without.prior.edge_odds)
    table = pp.sample_posterior(data, statements, reliability=GIVEN, unseen=0).sources()
    every = ties(4)
    for row in table.to_dict("records"):
        mine = [s for s in statements if s.source == row["source"]]
        held = np.zeros(len(weights))
        for s in mine:
            codes = every[:, NAMES.index(s.x), NAMES.index(s.y)]
            held += s.strength * np.isin(codes, list(HELD[s.relation]))
        total = sum(s.strength for s in mine)
        a, b = SHAPES[row["source"]]
        assert row["statements"] == len(mine)
        assert row["strength"] == total
        assert row["hold"] == pytest.approx(weights @ held)
        assert row["before"] == a / (a + b)
        assert row["reliability"] == pytest.approx(weights @ (a + held) / (a + b + total))
        for end, share in (("low", 0.05), ("high", 0.95)):
            below = weights @ betainc(a + held, b + total - held, row[end])
            assert below == pytest.approx(share, abs=1e-9)


@pytest.mark.parametrize("seed", range(2))
def test_chains_agree_with_enumeration(seed):
    data, statements = random_data(4, seed), random_statements(4, seed, 7)
    beliefs = [pp.causes("d", "c", 0.8)]
    exact = pp.sample_posterior(data, [*beliefs, *statements])
    chains = pp.sample_posterior(
        data, [*beliefs, *statements], method="chains", precision=0.01, seed=seed
    )
    for name in ("causes", "caused-by", "confounded", "not-associated"):
        np.testing.assert_allclose(chains.paths[name], exact.paths[name], atol=0.03)
    columns = ["hold", "reliability", "low", "high"]
    np.testing.assert_allclose(chains.sources()[columns], exact.sources()[columns], atol=0.03)
    assert chains.best_score == pytest.approx(exact.best_score)
    # scores of draws are averaged over reliabilities: those of exact graphs
    known = {g.tobytes(): s for g, s in zip(exact.draws.graphs, exact.draws.scores[0], strict=True)}
    drawn = zip(chains.draws.graphs[::50], chains.draws.scores.ravel()[::50], strict=True)
    assert all(known[graph.tobytes()] == pytest.approx(score) for graph, score in drawn)


def test_chains_do_not_depend_on_jobs_and_go_on_from_a_checkpoint(tmp_path):
    data, statements = random_data(4, 1), random_statements(4, 2, 6)
    how = {"method": "chains", "num_chains": 2, "precision": 0.02}
    one = pp.sample_posterior(data, statements, **how)
    two = pp.sample_posterior(data, statements, num_jobs=2, **how)
    assert (one.draws.parents == two.draws.parents).all()
    assert (one.draws.scores == two.draws.scores).all()
    file = tmp_path / "chains.npz"
    pp.sample_posterior(data, statements, **(how | {"precision": 0.05}), checkpoint=file)
    resumed = pp.sample_posterior(data, statements, **how, checkpoint=file)
    assert (one.draws.scores == resumed.draws.scores).all()


def test_missing_cells_and_reliabilities_are_drawn_together():
    data, statements = random_data(3, 1).astype(object), random_statements(3, 2, 4)
    complete = pp.sample_posterior(data, statements).paths
    data.iloc[0, 0] = None
    how = {"missing": "em", "precision": 0.02, "num_chains": 2}
    found = pp.sample_posterior(data, statements, **how)
    # one cell of forty changes little
    np.testing.assert_allclose(found.paths["causes"], complete["causes"], atol=0.1)
    assert len(found.sources()) == len({s.source for s in statements})


def test_a_saved_posterior_keeps_its_statements(tmp_path):
    data, statements = random_data(3, 1), random_statements(3, 2)
    posterior = pp.sample_posterior(data, statements, reliability=_given(statements), unseen=0)
    posterior.save(tmp_path / "p.npz")
    again = pp.load_posterior(tmp_path / "p.npz")
    pd.testing.assert_frame_equal(again.sources(), posterior.sources())
    pd.testing.assert_frame_equal(again.statements(), posterior.statements())


def test_statements_have_a_probability_after_the_data():
    data = random_data(3, 1)
    said = [pp.says("x", "d", "causes", "a"), pp.says("y", "a", "not-associated", "c")]
    posterior = pp.sample_posterior(data, said)
    table = posterior.statements()
    for row in table.to_dict("records"):
        assert row["after"] == posterior.probability(row["x"], row["event"], row["y"])
    assert table["after"].is_monotonic_increasing
    assert set(table["source"]) == {"x", "y"}


def test_order_and_names_make_no_difference():
    data, statements = random_data(4, 4), random_statements(4, 4)
    turned = [
        pp.says(s.source, s.y, "caused-by", s.x) if s.relation == "causes" else s
        for s in reversed(statements)
    ]
    one = pp.sample_posterior(data, statements).probability("a", "causes", "b")
    two = pp.sample_posterior(data[list("bcad")], turned).probability("a", "causes", "b")
    assert one == pytest.approx(two, abs=1e-12)


def test_beside_a_fitted_prior():
    data, statements = random_data(3, 0), random_statements(3, 3)
    beliefs = [pp.causes("d", "a", 0.8)]
    prior = pp.fit_prior(beliefs, data.columns)
    one = pp.sample_posterior(data, [*beliefs, *statements]).paths
    two = pp.sample_posterior(data, prior, statements=statements).paths
    pd.testing.assert_frame_equal(one, two)


def test_without_statements_there_is_nothing_to_ask():
    posterior = pp.sample_posterior(random_data(2, 0))
    with pytest.raises(PosteriorError, match="no statements"):
        posterior.sources()
    with pytest.raises(PosteriorError, match="no statements"):
        posterior.statements()


def test_a_common_cause_needs_a_third():
    with pytest.raises(BeliefError, match="needs a third"):
        pp.sample_posterior(random_data(2, 0), [pp.says("x", "d", "confounded", "a")])


def test_quantiles_of_a_mixture():
    shapes, weights = np.array([[2.0, 3.0], [8.0, 1.0], [2.0, 3.0]]), np.array([0.2, 0.5, 0.3])
    for p in (0.01, 0.5, 0.99):
        (x,) = mixture_quantiles(shapes, weights, [p])
        assert 0.5 * betainc(2, 3, x) + 0.5 * betainc(8, 1, x) == pytest.approx(p)


def _given(statements):
    return {name: shape for name, shape in GIVEN.items() if name in {s.source for s in statements}}
