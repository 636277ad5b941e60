"""Enumerated posteriors against the definition."""

from dataclasses import dataclass
from functools import partial
from itertools import product
from math import inf, log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.counting.base import expected_edges
from pathprior.errors import PosteriorError
from pathprior.kernels.counting.enumerate import enumerate_parents
from pathprior.posterior.exact import enumerate_posterior, family_scores
from pathprior.score.bdeu import Bdeu
from pathprior.score.score import Scorer
from tests.oracles.graph import all_dags, edge_matrix, relation
from tests.oracles.posterior import edge_posteriors, everything, probabilities, relations
from tests.oracles.score import local_score
from tests.problems import make_problem

pytestmark = pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")

NAMES = "dacbe"  # not in the order of their names
RULES = {"required": [("a", "c")], "forbidden": [("d", "a")], "max_parents": 1}
HARD = pp.causes("d", "c", 1)


def random_data(size, seed):
    rng = np.random.default_rng(seed)
    common = rng.integers(0, 6, 40)
    codes = [np.where(rng.random(40) < 0.6, common, rng.integers(0, 6, 40)) for _ in range(size)]
    return pd.DataFrame({NAMES[v]: codes[v] % (2 + v % 2) for v in range(size)})


def random_beliefs(size, seed):
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(3):
        x, y = (NAMES[v] for v in rng.choice(size, 2, replace=False))
        p = float(rng.uniform(0.1, 0.9))
        made.append(
            [
                pp.causes(x, y, p),
                pp.associated(x, y, p),
                pp.not_causes(x, y, p),
                pp.relation(x, y, rng.dirichlet(np.ones(4)).tolist()),
            ][rng.integers(4)]
        )
    return made


def by_definition(data, prior, *, score="bdeu", required=(), forbidden=(), max_parents=10):
    place = {name: v for v, name in enumerate(data.columns)}
    codes = data.to_numpy().T
    local = partial(local_score, codes, [len(set(row)) for row in codes.tolist()], score=score)
    return probabilities(
        len(codes),
        local,
        prior.pairs,
        prior.log_weights,
        log(prior.edge_odds),
        edge_matrix(frozenset((place[u], place[v]) for u, v in required), len(codes)),
        edge_matrix(frozenset((place[u], place[v]) for u, v in forbidden), len(codes)),
        max_parents,
    )


def check(posterior, expected):
    size = len(posterior.variables)
    every = everything(size)
    assert posterior.draws.num_draws == np.count_nonzero(expected)
    edges = np.tensordot(expected, every.adjacencies, 1)
    np.testing.assert_allclose(posterior.edges.to_numpy(), edges, atol=1e-10)
    words = ("causes", "caused-by", "confounded", "not-associated")
    for row in posterior.paths.to_dict("records"):
        x, y = posterior.variables.index(row["x"]), posterior.variables.index(row["y"])
        for code, word in enumerate(words):
            probability = expected @ (every.relations[:, x, y] == code)
            assert row[word] == pytest.approx(probability, abs=1e-10)


def test_relations_of_many_graphs_are_those_of_each():
    """Of the oracle: the one for many at a time, and the paper's words."""
    graphs = np.array(all_dags(4))
    found = relations(graphs)
    for graph, codes in zip(graphs, found, strict=True):
        for x, y in product(range(4), repeat=2):
            assert codes[x, y] == relation(graph, x, y)


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_beliefs(size, seed):
    data = random_data(size, seed)
    prior = pp.fit_prior(random_beliefs(size, seed), data.columns)
    check(pp.sample_posterior(data, prior, score="bdeu", unseen=0), by_definition(data, prior))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("score", ["bdeu", "averaged-bdeu", "k2", "bic"])
def test_hard_beliefs_rules_and_scores(seed, score):
    data = random_data(4, seed)
    beliefs = [HARD, pp.not_associated("b", "d", 0.3)]
    prior = pp.fit_prior(beliefs, data.columns, expected_parents=None if seed else 0.7)
    for rules in ({}, RULES):
        if rules:  # with one parent each and without d → a the certain belief cannot hold
            beliefs = [pp.not_causes("d", "c", 1)]
            prior = pp.fit_prior(beliefs, data.columns, expected_parents=0.7, **rules)
        posterior = pp.sample_posterior(data, prior, score=score, unseen=0, **rules)
        check(posterior, by_definition(data, prior, score=score, **rules))
        certain = posterior.beliefs()["stated"] == 1
        assert posterior.beliefs()["after"][certain].tolist() == pytest.approx([1.0])


def test_tiers_and_constant_columns():
    data = random_data(4, 0).assign(b=0)
    posterior = pp.sample_posterior(data, tiers=[["c"], ["a", "d"]])
    edges = posterior.edges
    assert edges.loc["b"].sum() == edges["b"].sum() == 0
    assert edges.loc[["a", "d"], "c"].tolist() == [0, 0]
    assert edges.loc["c", "a"] > 0
    kept = pp.sample_posterior(data, constant_columns="keep")
    assert kept.edges["b"].sum() > 0


@pytest.mark.parametrize("size", [1, 2])
def test_hardly_any_variables(size):
    posterior = pp.sample_posterior(random_data(2, 0).iloc[:, :size])
    assert posterior.draws.num_draws == pp.count_dags(size)
    assert len(posterior.paths) == size - 1


@pytest.mark.kernel
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_graph_comes_once(size):
    sets = np.empty((pp.count_dags(size), size), np.int64)
    assert enumerate_parents(size, sets) == len(sets)
    bits = 1 << np.arange(size)
    expected = sorted(tuple((bits @ graph).tolist()) for graph in all_dags(size))
    assert sorted(map(tuple, sets.tolist())) == expected


@pytest.mark.parametrize("size", [3, 4, 5])
def test_the_sum_over_subsets_gives_the_same_edges(size):
    """The oracle of edge posteriors beyond five variables."""
    data = random_data(size, size)
    for expected_parents in (None, 0.5):
        rules = {"max_parents": 2, "forbidden": [("a", "d")], "required": [("c", "a")]}
        problem = make_problem(data, None, Bdeu(), expected_parents=expected_parents, **rules)
        posterior = pp.sample_posterior(
            data, score="bdeu", expected_parents=expected_parents, **rules
        )
        names = list(problem.rules.variables)
        edges = posterior.edges.loc[names, names].to_numpy()
        np.testing.assert_allclose(edge_posteriors(family_scores(problem)), edges, atol=1e-12)


@pytest.mark.parametrize(("size", "odds"), [(6, 1.0), (7, 0.3)])
def test_the_sum_over_subsets_without_data(size, odds):
    """All edges are alike then, so that each has its share of the expected number."""
    num_parents = np.array([bits.bit_count() for bits in range(1 << size)])
    found = edge_posteriors(np.tile(num_parents * log(odds), (size, 1)))
    share = expected_edges(size, odds) / (size * (size - 1))
    np.testing.assert_allclose(found[~np.eye(size, dtype=bool)], share, rtol=1e-9)


@settings(max_examples=30)
@given(st.permutations("abcd"), st.integers(0, 5))
def test_the_order_of_columns_has_no_influence(order, seed):
    data = random_data(4, seed)
    beliefs = random_beliefs(4, seed)
    first = pp.sample_posterior(data, beliefs)
    second = pp.sample_posterior(data[order], beliefs)
    assert tuple(second.edges.columns) == second.variables == tuple(order)
    pd.testing.assert_frame_equal(
        first.edges, second.edges.loc[first.edges.index, first.edges.columns]
    )
    for row in second.paths.to_dict("records"):
        assert row["causes"] == pytest.approx(first.probability(row["x"], "causes", row["y"]))


def test_scores_are_those_of_learn():
    data, beliefs = random_data(4, 1), random_beliefs(4, 1)
    draws = enumerate_posterior(make_problem(data, beliefs, Bdeu()))
    fit = pp.learn(data, beliefs)
    assert draws.scores.max() == pytest.approx(fit.score)


@dataclass(frozen=True)
class OnlyFamilies(Scorer):
    """A score of one's own that rules out what is not listed."""

    families: frozenset
    is_score_equivalent = False

    def bind(self, dataset):
        return self

    def local(self, child, parents):
        return 0.0 if (child, tuple(parents)) in self.families else -inf

    def estimate(self, dag, *, equivalent_sample_size):
        raise NotImplementedError


def test_a_score_may_rule_out_families():
    data = random_data(3, 0)  # a, c and d by their names
    families = frozenset([(0, ()), (1, ()), (1, (0,)), (2, ()), (2, (0, 1))])
    posterior = pp.sample_posterior(data, score=OnlyFamilies(families), expected_parents=None)
    assert posterior.draws.num_draws == 4
    assert posterior.edges.loc["a", "c"] == pytest.approx(1 / 2)
    assert posterior.probability(lambda dag: dag.num_edges) == pytest.approx(0.5 + 1)
    with pytest.raises(PosteriorError, match="rules out every graph"):
        pp.sample_posterior(data, score=OnlyFamilies(frozenset()))


def test_too_many_variables():
    data = random_data(5, 0).assign(f=[0, 1] * 20)
    with pytest.raises(PosteriorError, match="at most 5 variables, not 6"):
        pp.sample_posterior(data, method="exact")
