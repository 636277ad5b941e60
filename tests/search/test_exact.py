"""The best graph of all, against every graph looked at."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.errors import SearchError
from pathprior.score.counted import CountedScorer
from pathprior.search import exact
from pathprior.search.family_tables import weigh_all
from pathprior.search.interrupt import StopRequest
from pathprior.search.stop_reason import StopReason
from tests.oracles.graph import all_dags

NAMES = tuple("abcd")
STRENGTHS = st.sampled_from([3.0, 20.0, 50.0])
BELIEFS = [pp.causes, pp.not_causes, pp.associated, pp.not_associated, pp.confounded, pp.direct]


def draw_data(seed, num_rows=40, names=NAMES):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 2, num_rows)]
    for _ in names[1:]:
        other = columns[rng.integers(len(columns))]
        columns.append(np.where(rng.random(num_rows) < 0.3, rng.integers(0, 3, num_rows), other))
    order = rng.permutation(len(names))
    return pd.DataFrame({name: columns[k] for name, k in zip(names, order, strict=True)})


def best_of_all(fit):
    """The highest score, from the local scores and the weights of the prior."""
    problem = fit.problem
    rules, scorer, weights = problem.rules, problem.scorer, problem.weights
    highest = -np.inf
    for matrix in all_dags(len(rules.variables)):
        if (matrix & rules.forbidden).any() or (rules.required & ~matrix).any():
            continue
        if matrix.sum(axis=0).max() > rules.max_parents:
            continue
        families = [np.flatnonzero(column).tolist() for column in matrix.T]
        score = sum(scorer.local(v, parents) for v, parents in enumerate(families))
        dag = pp.Dag(rules.variables, matrix)
        prior = fit.prior.log_prob(dag) + fit.prior.log_sum_of_weights
        assert prior <= weights.log_weights.max(axis=1).sum() + 1e-9
        highest = max(highest, score + prior)
    return highest


@st.composite
def cases(draw):
    """Data, beliefs of any kind, hard ones among them, and rules that let them hold."""
    beliefs = []
    for _ in range(draw(st.integers(0, 5))):
        x, y = draw(st.permutations(NAMES))[:2]
        make = draw(st.sampled_from(BELIEFS))
        probability, strength = draw(st.sampled_from([0.05, 0.3, 0.8, 0.99])), draw(STRENGTHS)
        beliefs.append(make(x, y, probability, strength=strength))
    if draw(st.booleans()):
        beliefs.append(pp.causes("a", "b", 1.0))
    rules = draw(
        st.sampled_from(
            [
                {},
                {"max_parents": 1},
                {"required": [("a", "b")]},
                {"forbidden": [("c", "d"), ("d", "c")], "max_parents": 2},
                {"tiers": [["a"], ["b", "c"], ["d"]]},
            ]
        )
    )
    return draw(st.integers(0, 10**6)), beliefs, rules


@given(cases(), st.sampled_from(["bdeu", "averaged-bdeu", "k2", "bic"]))
@settings(max_examples=60)
@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_no_graph_is_better(case, score):
    seed, beliefs, rules = case
    options = {"search": "exact", "directions": "data", **rules}  # of classes nothing is proved
    fit = pp.learn(draw_data(seed), beliefs, score=score, **options)
    assert fit.score == pytest.approx(best_of_all(fit), abs=1e-8)
    assert fit.optimality == "proven"
    assert fit.bound == pytest.approx(fit.score)
    assert fit.stopped_because is StopReason.PROVEN


@given(cases(), st.sampled_from(["bdeu", "bic"]))
@settings(max_examples=150)
@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_branches_alone_find_it(case, score):
    """Whatever the search before them found, here nothing."""
    seed, beliefs, rules = case
    fit = learn_by_branches(draw_data(seed), beliefs, score=score, **rules)
    assert fit.optimality == "proven"
    assert fit.score == pytest.approx(best_of_all(fit), abs=1e-8)


def learn_by_branches(data, beliefs, **options):
    with pytest.MonkeyPatch.context() as patch:
        for name in ("search_classes", "climb"):
            patch.setattr(exact, name, lambda problem, *_: at_start(problem))
        return pp.learn(data, beliefs, search="exact", **options)


def at_start(problem):
    return exact.as_result(problem, problem.start.adjacency)


@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_branches_keep_families_far_below_the_best():
    """The best graph here: its paths are worth families that fall farther than the bound is off."""
    rng, names = np.random.default_rng(21), tuple("abcde")
    beliefs = []
    for _ in range(8):
        x, y = (str(name) for name in rng.choice(names, 2, replace=False))
        make = BELIEFS[rng.integers(len(BELIEFS))]
        beliefs.append(make(x, y, float(rng.choice([0.05, 0.3, 0.8, 0.99])), strength=20))
    fit = learn_by_branches(draw_data(21, num_rows=20, names=names), beliefs)
    assert fit.optimality == "proven"
    assert fit.score == pytest.approx(best_of_all(fit), abs=1e-8)


@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
@pytest.mark.parametrize("seed", range(2))
def test_of_five_variables(seed):
    names = tuple("abcde")
    beliefs = [
        pp.causes("a", "c", 0.9),
        pp.confounded("b", "c", 0.6),
        pp.not_associated("d", "e", 0.2),
        pp.not_direct("b", "a", 0.7),
    ]
    fit = pp.learn(draw_data(seed, names=names), beliefs, search="exact")
    assert fit.score == pytest.approx(best_of_all(fit), abs=1e-8)


@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
@pytest.mark.parametrize("budget", [1, 300])
def test_what_a_small_budget_proves_is_true(monkeypatch, budget):
    monkeypatch.setattr(exact, "BUDGET", budget)
    names = tuple("abcde")
    # they contradict each other, so that no graph has the best of each pair
    beliefs = [pp.causes(x, y, 0.9, strength=50) for x, y in ("ab", "bc", "cd", "de", "ea")]
    fit = pp.learn(draw_data(1, names=names), beliefs, search="exact")
    highest = best_of_all(fit)
    assert fit.score <= highest + 1e-8
    assert highest <= fit.bound + 1e-8
    if budget == 1:
        assert fit.stopped_because is StopReason.UNPROVEN
        assert fit.optimality == f"gap ≤ {fit.bound - fit.score:.3g}"
        assert fit.bound > fit.score + 0.1


def test_real_columns_and_scores_without_a_kernel(monkeypatch):
    checkup = pp.load_network("checkup").sample(80, seed=2)
    real = checkup.select_dtypes("float").iloc[:, :4]
    fit = pp.learn(real, search="exact")
    assert fit.score == pytest.approx(best_of_all(fit), abs=1e-8)
    monkeypatch.setattr(CountedScorer, "kernel", lambda scorer: None)
    own = pp.learn(draw_data(5), search="exact", max_parents=2)
    assert own.score == pytest.approx(best_of_all(own), abs=1e-8)


def test_rows_from_experiments():
    set_by_hand = [None] * 25 + ["b"] * 10 + ["c"] * 5
    fit = pp.learn(draw_data(7), interventions=set_by_hand, search="exact")
    assert fit.score == pytest.approx(best_of_all(fit), abs=1e-8)
    assert fit.optimality == "proven"


@given(
    st.integers(0, 10**6),
    st.integers(1, 200),
    st.sampled_from(["bdeu", "bic", "aic"]),
    st.sampled_from([6, 2, 1]),
)
@settings(max_examples=40)
@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_families_are_differences_of_sets(seed, num_rows, score, max_parents):
    """Sets are counted together, and every family is scored from them, as if by itself."""
    data = draw_data(seed, num_rows, names=tuple("abcdef"))
    data["f"] = np.random.default_rng(seed).integers(0, 20, num_rows)
    problem = pp.learn(data, score=score, constant_columns="keep", max_parents=max_parents).problem
    found = weigh_all(problem, StopRequest())
    for v in range(6):
        table = np.full(32, -np.inf)
        found.families.write(v, table)
        others = [u for u in range(6) if u != v]
        for place, own in enumerate(table):
            parents = [u for i, u in enumerate(others) if place >> i & 1]
            if len(parents) > max_parents:
                assert own == -np.inf
            else:
                edges = problem.weights.log_edge_odds * len(parents)
                assert own == pytest.approx(problem.scorer.local(v, parents) + edges, abs=1e-8)


def test_large_counts_and_many_equal_rows():
    data = draw_data(3, 20).sample(3000, replace=True, random_state=1)
    fit = pp.learn(data, search="exact")
    assert fit.score == pytest.approx(best_of_all(fit), abs=1e-8)


def test_it_is_better_than_the_quick_search_where_that_gets_stuck():
    rng = np.random.default_rng(3)
    fits = []
    for seed in range(6):
        data = pd.DataFrame(rng.integers(0, 3, (60, 7)) // 2, columns=list("abcdefg"))
        data["h"] = (data["a"] ^ data["b"] ^ data["c"]) ^ (rng.random(60) < 0.05)
        quick, best = (pp.learn(data, search=s, seed=seed) for s in ("greedy", "exact"))
        assert best.score >= quick.score - 1e-9
        fits.append(best.score - quick.score)
        steps = best.steps[-1].score if best.steps else best.score
        assert steps == pytest.approx(best.score)
    assert max(fits) > 1.0  # three causes that say nothing by themselves


def test_other_searches_prove_nothing():
    fit = pp.learn(draw_data(0), search="equivalence", effort="quick")
    assert fit.optimality == "local"
    assert fit.bound == np.inf
    fit = pp.learn(draw_data(0), search="equivalence")
    assert fit.optimality.startswith("found again")
    assert fit.bound == np.inf


def test_what_cannot_be_proved():
    with pytest.raises(SearchError, match="leave restarts out"):
        pp.learn(draw_data(0), search="exact", restarts=2)
    said = [pp.says("survey", "a", "causes", "b"), pp.says("survey", "b", "causes", "c")]
    assert pp.learn(draw_data(0), said, search="exact").optimality == "local"
    gaps = draw_data(0).astype(float).mask(np.eye(40, 4, dtype=bool))
    fit = pp.learn(gaps, missing="em", search="exact")
    assert fit.optimality == "local"
    assert fit.stopped_because is StopReason.CLASS_OPTIMUM
