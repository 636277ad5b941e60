"""Learning from rows of experiments."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.data.door import read_dataset
from pathprior.errors import PathPriorWarning, SearchError
from pathprior.score.named import make_score
from tests.oracles.graph import all_dags

pytestmark = pytest.mark.kernel

NAMES = ("a", "b", "c", "d")


def chain(num_rows: int, seed: int, *, kind: str = "states", set_to: float = 0.5) -> pd.DataFrame:
    """Rows of a → b → c and d apart, a third observed, in a third each b and c set at random."""
    rng = np.random.default_rng(seed)
    target = np.array(["", "b", "c"])[np.arange(num_rows) % 3]
    if kind == "real":
        noise = rng.normal(size=(4, num_rows))
        a = noise[0]
        b = np.where(target == "b", 3.0 * noise[1], 0.8 * a + noise[1])
        c = np.where(target == "c", 3.0 * noise[2], 0.8 * b + noise[2])
        columns = [a, b, c, noise[3]]
    else:
        flips = rng.random((4, num_rows)) < np.array([[0.5], [0.2], [0.2], [0.5]])
        a = flips[0]
        b = np.where(target == "b", rng.random(num_rows) < set_to, a ^ flips[1])
        c = np.where(target == "c", rng.random(num_rows) < set_to, b ^ flips[2])
        columns = [column.astype(int) for column in (a, b, c, flips[3])]
    frame = pd.DataFrame(dict(zip(NAMES, columns, strict=True)))
    return frame.assign(target=target)


@pytest.mark.parametrize("search", ["equivalence", "turning", "greedy"])
@pytest.mark.parametrize("kind", ["states", "real"])
def test_experiments_direct_a_chain(search: str, kind: str) -> None:
    data = chain(600, 0, kind=kind)
    fit = pp.learn(data, interventions="target", search=search)
    assert fit.dag.edges == (("a", "b"), ("b", "c"))
    assert fit.cpdag.directed_edges == fit.cpdag.settled_edges == fit.dag.edges
    observed = data[data["target"] == ""].drop(columns="target")
    assert pp.learn(observed, search=search).cpdag.directed_edges == ()


@pytest.mark.parametrize(
    ("score", "kind"),
    [
        ("bdeu", "hard"),
        ("bic", "hard"),
        ("bge", "hard"),
        ("mixed", "hard"),
        ("bdeu", "soft"),
        ("families", "hard"),
        ("families", "soft"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_no_graph_scores_higher(score: str, kind: str, seed: int) -> None:
    data = chain(150, seed, kind="real" if score in ("bge", "mixed") else "states")
    if score == "mixed":
        data["a"] = np.where(data["a"] > 0, "high", "low")
    fit = pp.learn(data, interventions="target", interventions_kind=kind, score=score)
    dataset = read_dataset(data, interventions="target", interventions_kind=kind)
    scorer = make_score(score).bind(dataset)
    local = {
        (v, chosen): scorer.local(v, np.flatnonzero(chosen).tolist())
        for v, chosen in product(range(4), product((False, True), repeat=4))
        if not chosen[v]
    }
    log_odds = fit.problem.weights.log_edge_odds
    best = max(
        sum(local[v, tuple(dag[:, v].tolist())] for v in range(4)) + log_odds * dag.sum()
        for dag in all_dags(4)
    )
    assert fit.score == pytest.approx(best, rel=1e-10)


def test_the_class_search_keeps_its_sums() -> None:
    """Gains read off one member add up to the score, which they do not over Markov classes."""
    network = pp.load_network("asia")
    table = network.sample(900, seed=5)
    rng = np.random.default_rng(5)
    is_set = pd.DataFrame(False, index=table.index, columns=table.columns)
    for k, name in enumerate(("smoke", "lung", "either", "xray")):
        rows = slice(100 * k, 100 * k + 100)
        is_set.loc[table.index[rows], name] = True
        table.loc[table.index[rows], name] = rng.choice(["yes", "no"], 100)
    beliefs = [pp.causes("smoke", "dysp", 0.9), pp.causes("bronc", "xray", 0.2)]
    for given in (None, beliefs):
        fit = pp.learn(table, given, interventions=is_set)
        score = pp.score_graph(fit.dag, table, interventions=is_set)
        assert fit.data_score == pytest.approx(score, rel=1e-10)
        assert fit.steps[-1].score == pytest.approx(fit.score, rel=1e-10)
        turning = pp.learn(table, given, interventions=is_set, search="turning")
        assert fit.score >= turning.score - 1e-6


def test_the_order_of_columns_and_rows_has_no_influence() -> None:
    data = chain(300, 3)
    fit = pp.learn(data, interventions="target")
    mixed = data.sample(frac=1.0, random_state=0)[["target", "d", "c", "a", "b"]]
    again = pp.learn(mixed, interventions="target")
    assert set(again.dag.edges) == set(fit.dag.edges)
    assert again.score == pytest.approx(fit.score, rel=1e-12)


def test_a_variable_that_varies_only_where_it_was_set_gets_no_causes() -> None:
    data = chain(400, 1)
    data["target"] = "b"
    with pytest.warns(PathPriorWarning, match="vary only in the rows in which they were set"):
        fit = pp.learn(data, interventions="target", constant_columns="keep")
    assert ("b", "c") in fit.dag.edges
    assert fit.dag.parents("b") == ()
    with (
        pytest.raises(SearchError, match="'b' varies only in the rows in which it was set"),
        pytest.warns(PathPriorWarning, match="get none: 'b'"),
    ):
        pp.learn(data, interventions="target", required=[("a", "b")])
    soft = pp.learn(data, interventions="target", interventions_kind="soft")
    assert soft.cpdag.undirected_edges == ()


def test_rules_and_hard_beliefs_hold_against_experiments() -> None:
    data = chain(600, 0)
    fit = pp.learn(data, interventions="target", required=[("b", "a")], forbidden=[("b", "c")])
    assert ("b", "a") in fit.dag.edges
    assert ("b", "c") not in fit.dag.edges
    believed = pp.learn(data, [pp.causes("c", "a", 1.0)], interventions="target")
    assert believed.dag.relation("c", "a") is pp.Relation.CAUSES


def test_tables_are_fitted_to_the_rows_left_alone() -> None:
    data = chain(3000, 4, set_to=0.95)
    network = pp.learn(data, interventions="target").network()
    assert network.tables["b"][0, 1] == pytest.approx(0.2, abs=0.03)
    assert network.tables["c"][1, 1] == pytest.approx(0.8, abs=0.03)


def test_settings_keep_the_column() -> None:
    data = chain(90, 0)
    assert pp.learn(data, interventions="target").settings.interventions == "target"
    table = pd.DataFrame({"b": data["target"] == "b"})
    settings = pp.learn(data[list(NAMES)], interventions=table).settings
    assert (settings.interventions, settings.interventions_kind) == (None, "hard")
