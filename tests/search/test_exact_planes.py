"""The best graph of many variables: parent sets, clusters, and the proof, against all of them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.errors import SearchError
from pathprior.graph.dag import Dag
from pathprior.kernels.exact.clusters import LEAST_VIOLATION, find_clusters
from pathprior.kernels.exact.node_orders import climb_orders, round_order
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.score.counted import CountedScorer
from pathprior.search import exact, exact_planes, parent_sets
from pathprior.search.cutting_planes import Planes, find_cycles
from pathprior.search.driver import SearchOptions
from pathprior.search.exact_planes import search_by_planes
from pathprior.search.graph_result import as_result
from pathprior.search.interrupt import StopRequest
from pathprior.search.parent_sets import ParentSets, ScoredFamilies, num_sets, set_steps
from pathprior.search.path_terms import PathTerms
from pathprior.search.stop_reason import StopReason
from tests.oracles.graph import relation
from tests.oracles.parent_sets import (
    cluster_weight,
    lightest_cluster,
    subsets,
    undominated,
)

SCORES = ["bdeu", "averaged-bdeu", "k2", "bic"]
RULES = [
    {},
    {"max_parents": 1},
    {"max_parents": 2, "expected_parents": None},
    {"required": [("a", "b"), ("c", "b")]},
    {"forbidden": [("c", "d"), ("d", "c")], "max_parents": 3},
    {"tiers": [["a"], ["b", "c"], ["d"]], "expected_parents": None},
]


def draw_data(seed, num_variables, num_rows=60):
    """Columns that depend on a few others, some of them on how these go together."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 2, num_rows)]
    for _ in range(1, num_variables):
        some = [columns[k] for k in rng.integers(0, len(columns), 2)]
        cause = (some[0] + some[1]) % 2 if rng.random() < 0.5 else some[0]
        noise = rng.random(num_rows) < 0.25
        columns.append(np.where(noise, rng.integers(0, 2 + rng.integers(2), num_rows), cause))
    names = [chr(ord("a") + k) for k in rng.permutation(num_variables)]
    return pd.DataFrame(dict(zip(names, columns, strict=True)))


def learn_by_planes(data, beliefs=None, **options):
    """Whatever the search before them found, here nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "MAX_NODES", 0)
        patch.setattr(exact, "MAX_BRANCHED", 0)
        for name in ("search_classes", "climb"):
            patch.setattr(
                exact, name, lambda problem, *_: as_result(problem, problem.start.adjacency)
            )
        return pp.learn(data, beliefs, search="exact", **options)


@given(
    st.integers(0, 10**6),
    st.integers(5, 9),
    st.sampled_from(RULES),
    st.sampled_from(SCORES),
)
@settings(max_examples=40, deadline=None)
@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_it_is_the_best_of_all(seed, num_variables, rules, score):
    data = draw_data(seed, num_variables)
    best = pp.learn(data, score=score, search="exact", **rules)
    fit = learn_by_planes(data, score=score, **rules)
    assert fit.score == pytest.approx(best.score, abs=1e-7)
    assert fit.bound == pytest.approx(fit.score, abs=1e-4)
    assert fit.optimality == "proven"
    assert fit.stopped_because is StopReason.PROVEN
    fit.problem.rules.require(fit.dag.reorder(fit.problem.rules.variables))


@pytest.mark.parametrize("seed", [1, 2])
def test_of_a_dozen_variables(seed):
    data = draw_data(seed, 12, 200)
    best = pp.learn(data, search="exact", expected_parents=None)
    fit = learn_by_planes(data, expected_parents=None)
    assert fit.score == pytest.approx(best.score, abs=1e-7)
    assert fit.optimality == "proven"


def test_real_columns_experiments_and_scores_without_a_kernel(monkeypatch):
    checkup = pp.load_network("checkup").sample(80, seed=2)
    real = checkup.select_dtypes("float").iloc[:, :6]
    mixed = checkup.iloc[:, :6]
    set_by_hand = [None] * 40 + ["b"] * 15 + ["c"] * 5
    tables = [
        (real, {}),
        (mixed, {"score": "mixed"}),
        (draw_data(7, 5), {"interventions": set_by_hand}),
        (draw_data(8, 5), {"interventions": set_by_hand, "interventions_kind": "soft"}),
    ]
    for data, options in tables:
        best = pp.learn(data, search="exact", **options)
        fit = learn_by_planes(data, **options)
        assert fit.score == pytest.approx(best.score, abs=1e-7)
        assert fit.optimality == "proven"
    best = pp.learn(draw_data(5, 5), search="exact", max_parents=2, required=[("a", "b")])
    monkeypatch.setattr(CountedScorer, "kernel", lambda scorer: None)
    own = learn_by_planes(draw_data(5, 5), max_parents=2, required=[("a", "b")])
    assert own.score == pytest.approx(best.score, abs=1e-7)


BELIEFS = [
    pp.causes, pp.not_causes, pp.associated, pp.not_associated, pp.confounded, pp.direct,
]  # fmt: skip


@given(st.integers(0, 10**6), st.integers(1, 4), st.booleans(), st.sampled_from(RULES[2:]))
@settings(max_examples=15, deadline=None)
@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_with_beliefs_too(seed, num_beliefs, is_sure, rules):
    rng, data = np.random.default_rng(seed), draw_data(seed, 6)
    beliefs = [pp.causes("a", "b", 1.0)] if is_sure else []
    for _ in range(num_beliefs):
        x, y = (str(name) for name in rng.choice(list("abcdef"), 2, replace=False))
        make, probability = BELIEFS[rng.integers(6)], float(rng.choice([0.05, 0.4, 0.9]))
        beliefs.append(make(x, y, probability, strength=20))
    best = pp.learn(data, beliefs, search="exact", **rules)
    assert best.optimality == "proven"
    fit = learn_by_planes(data, beliefs, **rules)
    assert fit.score == pytest.approx(best.score, abs=1e-7)
    assert fit.optimality == "proven"


@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_with_beliefs_what_is_proved_at_any_round_is_true():
    """They contradict the data and each other, so that no graph has the best of each pair."""
    data = draw_data(5, 5, 100)
    beliefs = [pp.causes(x, y, 0.8, strength=20) for x, y in ("ab", "bc", "ca", "ed")]
    best = pp.learn(data, beliefs, search="exact")
    begun = as_result(best.problem, best.problem.start.adjacency)
    bounds = []
    for num_rounds in (1, 12, 10**6):
        stop = StopRequest()

        def watch(step, score, num_edges, stop=stop, num_rounds=num_rounds):
            if step >= num_rounds:
                stop.interrupt()

        result = search_by_planes(best.problem, options_of(), lambda *_: begun, stop, watch)
        assert result.score <= best.score + 1e-7 <= result.bound + 2e-4
        bounds.append(result.bound)
    assert bounds[0] > best.score + 1.0
    assert bounds[-1] == pytest.approx(best.score, abs=1e-4)


@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_constant_columns_take_no_room(monkeypatch):
    data = draw_data(6, 5, 50).assign(k=1, l=2)
    work = 50 * num_sets(5, 5) + 10 * (5 * num_sets(4, 4) + 2)
    monkeypatch.setattr(parent_sets, "MOST_WORK", work)
    fit = learn_by_planes(data)
    assert fit.score == pytest.approx(pp.learn(data, search="exact").score, abs=1e-7)
    assert fit.optimality == "proven"


# -- parent sets -----------------------------------------------------------------------------------


@pytest.mark.kernel
@given(st.integers(0, 10**6), st.sampled_from(RULES), st.sampled_from(SCORES), st.integers(1, 4))
@settings(max_examples=30, deadline=None)
@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_what_is_left_out_scores_no_more_than_a_subset(seed, rules, score, most):
    problem = pp.learn(draw_data(seed, 5), score=score, search="greedy", **rules).problem
    most = max(most, int(problem.rules.required.sum(axis=0).max()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parent_sets, "_choose_most", lambda *_: min(most, problem.rules.max_parents))
        found = ScoredFamilies(problem, StopRequest()).list_best()
    odds = problem.weights.log_edge_odds
    for v in range(5):
        required = frozenset(np.flatnonzero(problem.rules.required[:, v]).tolist())
        free = ~problem.rules.forbidden[:, v] & ~problem.rules.required[:, v]
        expected = undominated(
            lambda parents, v=v: problem.scorer.local(v, sorted(parents)) + odds * len(parents),
            required,
            frozenset(np.flatnonzero(free).tolist()),
            min(most, problem.rules.max_parents),
        )
        own = slice(found.first[v], found.first[v + 1])
        listed = {
            frozenset(u for u in range(5) if number >> u & 1): value
            for number, value in zip(found.sets[own].tolist(), found.scores[own], strict=True)
        }
        # sets that score as their subsets do may be listed or not, as rounding has it
        for parents in listed.keys() ^ expected.keys():
            value = listed.get(parents, expected.get(parents))
            others = [expected[other] for other in expected if other < parents]
            assert value == pytest.approx(max(others), abs=1e-9)
        for parents in listed.keys() & expected.keys():
            assert listed[parents] == pytest.approx(expected[parents], abs=1e-8)
        assert (np.diff(found.scores[own]) <= 0).all()


def test_sets_have_places_of_their_own():
    steps = set_steps(7, 4)
    small = [nodes for nodes in subsets(range(7)) if len(nodes) <= 4]
    places = [sum(int(steps[i, v]) for i, v in enumerate(sorted(nodes))) for nodes in small]
    assert sorted(places) == list(range(num_sets(7, 4)))


def test_a_limit_on_parents_is_said_with_what_it_proves(monkeypatch):
    data = draw_data(3, 6, 200)
    monkeypatch.setattr(parent_sets, "MOST_WORK", 200 * num_sets(6, 3) + 10 * 6 * num_sets(5, 2))
    fit = learn_by_planes(data)
    assert fit.bound_parents == 2
    assert fit.optimality == "proven with at most 2 parents"
    assert fit.stopped_because is StopReason.LIMITED
    best = pp.learn(data, search="exact", max_parents=2)
    assert fit.score == pytest.approx(best.score, abs=1e-7)
    assert learn_by_planes(data, max_parents=2).optimality == "proven"


def test_penalties_make_a_limit_none(monkeypatch):
    """Under BIC families of 4 binary parents cost more than 30 rows can gain."""
    rng = np.random.default_rng(0)
    data = pd.DataFrame(rng.integers(0, 2, (30, 6)), columns=list("abcdef"))
    data["f"] = data["a"] ^ data["b"]
    work = 30 * num_sets(6, 4) + 10 * 6 * num_sets(5, 3)
    monkeypatch.setattr(parent_sets, "MOST_WORK", work)
    assert learn_by_planes(data, score="bic").optimality == "proven"
    assert learn_by_planes(data, score="bic").score == pytest.approx(
        pp.learn(data, score="bic", search="exact").score
    )
    assert learn_by_planes(data, score="bdeu").bound_parents == 3


# -- clusters --------------------------------------------------------------------------------------


@st.composite
def fractional_families(draw):
    """Fractions of families of six nodes, one in all for each."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    children, sets, fractions = [], [], []
    for v in range(6):
        others = np.setdiff1d(np.arange(6), v)
        for share in rng.dirichlet(np.ones(3)):
            chosen = others[rng.random(5) < 0.4]
            children.append(v)
            sets.append(sum(1 << int(u) for u in chosen))
            fractions.append(share)
    return np.array(children), np.array(sets), np.array(fractions)


@pytest.mark.kernel
@given(fractional_families())
@settings(max_examples=40, deadline=None)
def test_clusters_are_violated_and_the_lightest_is_found(families):
    children, sets, fractions = families
    listed = [
        (v, frozenset(u for u in range(6) if nodes >> u & 1), share)
        for v, nodes, share in zip(children.tolist(), sets.tolist(), fractions, strict=True)
    ]
    clusters, weights = np.empty(50, np.int64), np.empty(50)
    count = find_clusters(children, sets, fractions, 6, clusters, weights)
    for nodes, weight in zip(clusters[:count].tolist(), weights[:count], strict=True):
        cluster = frozenset(v for v in range(6) if nodes >> v & 1)
        assert weight == pytest.approx(cluster_weight(listed, cluster))
        assert weight < 1 - LEAST_VIOLATION
    assert len(set(clusters[:count].tolist())) == count
    nobody = GraphPrior(np.empty((0, 2), np.int64), np.empty((0, 6)), 0.0)
    planes = Planes(6, PathTerms(nobody, 6))
    planes.clusters = []
    some = ParentSets(np.arange(0, 19, 3), sets, np.zeros(18), None)
    least = lightest_cluster(listed, 6)
    if planes.find_lightest(some, fractions, 60.0):
        nodes = planes.clusters[-1]
        cluster = frozenset(v for v in range(6) if nodes >> v & 1)
        assert cluster_weight(listed, cluster) == pytest.approx(least, abs=1e-6)
    else:
        assert least >= 1 - LEAST_VIOLATION - 1e-6
    if count:
        assert weights[:count].min() >= least - 1e-9


def test_cycles():
    assert find_cycles([0b10, 0, 0b11]) == []
    assert find_cycles([0b10, 0b01, 0b01]) == [0b11]
    assert sorted(find_cycles([0b0010, 0b0001, 0b1000, 0b0100])) == [0b0011, 0b1100]


# -- paths -----------------------------------------------------------------------------------------


def draw_dag(rng, num_nodes):
    order = rng.permutation(num_nodes)
    upper = np.triu(rng.random((num_nodes, num_nodes)) < 0.4, 1)
    return upper[np.ix_(np.argsort(order), np.argsort(order))]


def ties_of(matrix, pairs):
    """By the definition: an edge, or else the relation."""
    return np.array(
        [4 if matrix[x, y] else 5 if matrix[y, x] else relation(matrix, x, y) for x, y in pairs]
    )


@given(st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_cuts_hold_for_all_graphs_and_not_for_what_is_claimed_wrongly(seed):
    rng, n = np.random.default_rng(seed), 6
    pairs = np.array([[0, 1], [1, 2], [2, 0], [3, 4]])
    graphs = [draw_dag(rng, n) for _ in range(12)]
    parents = [[sum(1 << u for u in np.flatnonzero(c)) for c in dag.T] for dag in graphs]
    families = [(v, graph[v]) for v in range(n) for graph in parents]
    sets = np.array([nodes for _, nodes in families])
    every = ParentSets(np.arange(0, n * 12 + 1, 12), sets, np.zeros(n * 12), None)
    terms = PathTerms(GraphPrior(pairs, np.zeros((4, 6)), 0.0), n)

    def column(number, ties):
        """The families of a graph, and ties, one of each."""
        chosen = np.zeros((n, 12))
        chosen[:, number] = 1.0
        return np.concatenate([chosen.ravel(), np.eye(6)[ties].ravel()])

    truth = [ties_of(dag, pairs) for dag in graphs]
    for number in range(12):
        # what edges say is never claimed wrongly
        claimed = np.where(truth[number] < 4, rng.integers(0, 4, 4), truth[number])
        begin = len(terms.cuts)
        terms.correct(parents[number], claimed)
        rows, least = terms.rows(every)
        broken = rows @ column(number, claimed) < least - 1e-9
        assert broken[begin:].all()
        assert broken.any() == (claimed != truth[number]).any()
        assert terms.correct(parents[number], truth[number]) == 0
    fractions = np.full(n * 12, 1 / 12)
    terms.find(every, fractions, np.full((4, 6), 1 / 6))
    rows, least = terms.rows(every)
    links = terms.links(every)
    for number in range(12):
        assert (rows @ column(number, truth[number]) >= least - 1e-9).all()
        assert links @ column(number, truth[number]) == pytest.approx(0.0)


# -- orders ----------------------------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(4))
def test_orders_give_graphs(seed):
    problem = pp.learn(draw_data(seed, 7), search="greedy").problem
    found = ScoredFamilies(problem, StopRequest()).list_best()
    order, chosen = np.empty(7, np.int64), np.empty(7, np.int64)
    fractions = np.zeros(len(found.scores))
    fractions[found.first[:-1]] = 1.0  # the best families, which have cycles
    round_order(found.first, found.sets, found.scores, fractions, order)
    assert sorted(order) == list(range(7))
    score = climb_orders(found.first, found.sets, found.scores, 1e-9, order, chosen)
    parents = found.sets[chosen]
    matrix = (parents[None, :] >> np.arange(7)[:, None] & 1).astype(bool)
    dag = Dag(problem.rules.variables, matrix)  # which has no cycle
    odds = problem.weights.log_edge_odds
    by_hand = sum(problem.scorer.local(v, np.flatnonzero(matrix[:, v]).tolist()) for v in range(7))
    assert score == pytest.approx(by_hand + odds * dag.num_edges)


# -- the end ---------------------------------------------------------------------------------------


def options_of(time_limit=None):
    return SearchOptions(0, 0, False, time_limit=time_limit)


def test_what_is_proved_when_it_is_stopped_is_true():
    data = draw_data(4, 9, 100)
    best = pp.learn(data, search="exact", expected_parents=None)
    begun = as_result(best.problem, np.zeros((9, 9), bool))
    bounds = []
    for num_rounds in (1, 2, 4, 100):
        stop = StopRequest()

        def watch(step, score, num_edges, stop=stop, num_rounds=num_rounds):
            if step >= num_rounds:
                stop.interrupt()

        result = search_by_planes(best.problem, options_of(), lambda *_: begun, stop, watch)
        assert result.score <= best.score + 1e-7 <= result.bound + 2e-4
        bounds.append(result.bound)
    assert bounds[0] > best.score + 1.0
    assert bounds[-1] == pytest.approx(best.score, abs=1e-4)


def test_with_no_time_something_is_proved_of_few_parents():
    problem = pp.learn(draw_data(4, 9), search="greedy").problem
    begun = as_result(problem, np.zeros((9, 9), bool))
    result = search_by_planes(problem, options_of(0.0), lambda *_: begun, StopRequest())
    assert result.bound_parents == 0
    assert result.bound == pytest.approx(begun.score)


def test_a_stop_before_anything_is_known_keeps_what_was_found():
    data = draw_data(4, 6)
    problem = pp.learn(data, search="greedy").problem
    begun, stop = as_result(problem, np.zeros((6, 6), bool)), StopRequest()
    stop.interrupt()
    assert search_by_planes(problem, options_of(), lambda *_: begun, stop) is begun


def test_halves_where_whole_families_take_too_long(monkeypatch):
    """No time for whole families: branches alone prove the best."""
    whole = Planes.choose

    def hurried(planes, families, time_limit):
        found = whole(planes, families, time_limit)
        return replace(found, chosen=None, bound=np.inf, is_best=found.bound == -np.inf)

    data = draw_data(11, 8, 150)
    best = pp.learn(data, search="exact", expected_parents=None)
    monkeypatch.setattr(Planes, "choose", hurried)
    fit = learn_by_planes(data, expected_parents=None)
    assert fit.score == pytest.approx(best.score, abs=1e-7)
    assert fit.optimality == "proven"


def test_more_than_it_can():
    rng = np.random.default_rng(0)
    wide = pd.DataFrame(rng.integers(0, 2, (20, 63)), columns=[f"v{k:02}" for k in range(63)])
    with pytest.raises(SearchError, match="at most 62 variables, not 63"):
        pp.learn(wide, search="exact")


def test_many_required_parents():
    rng = np.random.default_rng(0)
    wide = pd.DataFrame(rng.integers(0, 2, (200, 30)), columns=[f"v{k:02}" for k in range(30)])
    required = [(f"v{k:02}", "v00") for k in range(1, 16)]
    with pytest.raises(SearchError, match="15 required parents"):
        pp.learn(wide, search="exact", required=required)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "score"), [("insurance", -14128.111), ("alarm", -11392.4304)])
def test_networks_of_the_literature(name, score):
    """Scores that no search of ours with a thousand restarts has beaten."""
    data = pp.load_network(name).sample(1000, seed=0)
    fit = pp.learn(data, search="exact")
    assert fit.score == pytest.approx(score, abs=1e-2)
    assert fit.optimality.startswith("proven with at most")
    assert exact_planes.MOST_SECONDS >= 600
