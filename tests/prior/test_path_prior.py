"""Fitted priors as distributions over all DAGs."""

import math
import pickle
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.beliefs.belief import Belief, associated, causes, confounded, not_causes, relation
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.beliefs.event import Event
from pathprior.errors import BeliefError, GraphError, PriorError
from pathprior.graph.dag import Dag
from pathprior.graph.relation import Relation
from pathprior.prior.fit import fit_prior
from pathprior.prior.prior_file import load_prior
from tests.oracles.graph import all_dags
from tests.oracles.prior import count_table

FOUR = ("a", "b", "c", "d")
few = settings(max_examples=25)
DAGS = [Dag(FOUR, graph) for graph in all_dags(4)]

# drawn at random, beliefs may only just hold together
pytestmark = pytest.mark.filterwarnings("ignore::pathprior.prior.promise.UnmetBeliefWarning")


@st.composite
def belief_lists(draw, max_size=4):
    beliefs = []
    for x, y in draw(
        st.lists(
            st.sampled_from(list(permutations(FOUR, 2))), min_size=1, max_size=max_size, unique=True
        )
    ):
        event = draw(st.sampled_from(list(Event)))
        beliefs.append(Belief(x, event.value, y, (draw(st.floats(0.05, 0.95)),)))
    return beliefs


def log_probs(prior, dags=DAGS):
    return np.array([prior.log_prob(dag) for dag in dags])


@few
@given(belief_lists(), st.sampled_from(["soft", "gema"]), st.booleans())
def test_probabilities_sum_to_one(beliefs, repair, complete):
    prior = fit_prior(beliefs, FOUR, repair=repair, complete=complete)
    assert prior.is_normalised
    assert np.exp(log_probs(prior)).sum() == pytest.approx(1, abs=1e-9)


@few
@given(belief_lists())
def test_log_prob_is_log_of_joint_over_number_of_dags(beliefs):
    prior = fit_prior(beliefs, FOUR)
    joint = prior.joint()
    assert joint["num_dags"].sum() == 543
    assert joint["J"].sum() == pytest.approx(1)
    rows = {tuple(row[: len(prior.pairs)]): row for row in joint.itertuples(index=False)}
    for dag in DAGS[::7]:
        names = [(prior.variables[i], prior.variables[j]) for i, j in prior.pairs]
        row = rows[
            tuple(
                (dag.tie if k in prior.alphabets.edges else dag.relation)(x, y).symbol
                for k, (x, y) in enumerate(names)
            )
        ]
        assert prior.log_prob(dag) == pytest.approx(math.log(row.J / row.num_dags), abs=1e-9)
        assert prior.log_prob(dag, per_graph=False) == pytest.approx(math.log(row.J), abs=1e-9)


@few
@given(belief_lists())
def test_fitted_probabilities_are_those_of_the_distribution(beliefs):
    prior = fit_prior(beliefs, FOUR)
    weight = np.exp(log_probs(prior))
    for row in prior.table.itertuples():
        held = [dag.tie(row.x, row.y) in Event(row.event).ties for dag in DAGS]
        assert weight[held].sum() == pytest.approx(row.fitted, abs=1e-9)
        assert prior.probability(row.x, row.event, row.y).fitted == pytest.approx(row.fitted)
    assert (np.diff(prior.table["change"].abs()) <= 1e-8).all()


@few
@given(belief_lists(), st.permutations(FOUR))
def test_relabelling_variables_relabels_the_answer(beliefs, names):
    rename = dict(zip(FOUR, names, strict=True))
    renamed = [Belief(rename[b.x], b.relation, rename[b.y], b.stated) for b in beliefs]
    prior, other = fit_prior(beliefs, FOUR), fit_prior(renamed, FOUR)
    for dag in DAGS[::11]:
        edges = [(rename[x], rename[y]) for x, y in dag.edges]
        assert other.log_prob(Dag.from_edges(FOUR, edges)) == pytest.approx(
            prior.log_prob(dag), abs=1e-7
        )


@few
@given(belief_lists(), st.randoms(use_true_random=False))
def test_order_of_beliefs_does_not_matter(beliefs, random):
    shuffled = random.sample(beliefs, len(beliefs))
    assert log_probs(fit_prior(shuffled, FOUR)) == pytest.approx(
        log_probs(fit_prior(beliefs, FOUR)), abs=1e-7
    )


@few
@given(st.floats(0.1, 0.9), st.floats(0.1, 0.9), st.sampled_from(list(Event)))
def test_a_belief_that_already_holds_changes_nothing(p, q, event):
    beliefs = [causes("a", "b", p), associated("b", "c", q)]
    prior = fit_prior(beliefs, FOUR, repair="error")
    held = prior.probability("a", event.value, "c").fitted
    more = fit_prior([*beliefs, Belief("a", event.value, "c", (held,))], FOUR, repair="error")
    assert log_probs(more) == pytest.approx(log_probs(prior), abs=1e-6)


@few
@given(st.lists(st.sampled_from(list(permutations(FOUR, 2))), min_size=1, max_size=4, unique=True))
def test_uninformative_beliefs_give_the_uniform_prior(pairs):
    _, counts = count_table([(0, 1)], 4)
    uniform = tuple(counts / counts.sum())
    prior = fit_prior([relation(x, y, uniform) for x, y in pairs], FOUR)
    assert log_probs(prior) == pytest.approx(np.full(543, -math.log(543)), abs=1e-9)


def test_completion_is_the_papers():
    prior = fit_prior([causes("a", "b", 0.8)], [*FOUR, "e"], expected_parents=None, complete=True)
    vector = [
        prior.probability("a", event, "b").fitted
        for event in ("causes", "caused-by", "confounded", "not-associated")
    ]
    assert vector == pytest.approx([0.8, 0.132, 0.028, 0.040], abs=5e-4)


def test_a_partial_belief_leaves_the_rest_as_uninformative_as_it_can():
    open_, complete = (fit_prior([causes("a", "b", 0.8)], FOUR, complete=c) for c in (False, True))
    assert log_probs(open_) == pytest.approx(log_probs(complete))


def test_both_orientations_of_a_pair_are_one_pair():
    prior = fit_prior([causes("a", "b", 0.5), causes("b", "a", 0.2)], FOUR)
    assert prior.pairs.tolist() == [[0, 1]]
    assert prior.is_coherent
    assert prior.marginals[0, :2] == pytest.approx([0.5, 0.2])
    assert prior.probability("b", "causes", "a").fitted == pytest.approx(0.2)


def test_hard_beliefs_exclude_and_only_they_do():
    prior = fit_prior([causes("a", "b", 1), confounded("c", "d", 0), causes("a", "c", 0.7)], FOUR)
    scores = log_probs(prior)
    allowed = [
        dag.relation("a", "b") == Relation.CAUSES and dag.relation("c", "d") != Relation.CONFOUNDED
        for dag in DAGS
    ]
    assert np.array_equal(np.isfinite(scores), allowed)
    assert np.exp(scores).sum() == pytest.approx(1)
    assert prior.table["change"].abs().max() < 1e-9


@pytest.mark.parametrize("repair", ["soft", "gema", "independent"])
def test_no_repair_rules_out_a_dag_that_breaks_no_hard_belief(repair):
    beliefs = [causes("a", "b", 0.99), causes("b", "c", 0.99), causes("a", "c", 0.01)]
    assert np.isfinite(log_probs(fit_prior(beliefs, FOUR, repair=repair))).all()


def test_independent_weights_are_ratios_of_one_belief_each():
    beliefs = [causes("a", "b", 0.8), causes("b", "c", 0.9), causes("a", "c", 0.6)]
    prior = fit_prior(beliefs, FOUR, repair="independent")
    _, counts = count_table([(0, 1)], 4)
    u = counts[0] / 543
    assert np.exp(prior.log_weights[0]) == pytest.approx(
        [0.8 / u] + [0.2 / (1 - u)] * 3 + [0.8 / u, 0.2 / (1 - u)]
    )
    assert not prior.is_normalised
    assert not prior.is_coherent


def test_stronger_beliefs_move_less():
    weak = [causes("a", "b", 0.8), causes("b", "c", 0.9), causes("a", "c", 0.6, strength=1)]
    strong = [*weak[:2], causes("a", "c", 0.6, strength=100)]
    moved = [
        abs(fit_prior(b, FOUR).probability("a", "causes", "c").fitted - 0.6) for b in (weak, strong)
    ]
    assert moved[1] < moved[0]


def test_no_beliefs_is_the_uniform_prior():
    prior = fit_prior([], FOUR)
    assert prior.is_coherent
    assert prior.is_normalised
    assert prior.pairs.shape == (0, 2)
    assert prior.log_weights.shape == (0, 6)
    assert len(prior.table) == 0
    assert prior.joint()["J"].tolist() == [1.0]
    assert prior.log_prob(DAGS[0]) == pytest.approx(-math.log(543))
    assert prior.probability("a", "causes", "b").upper == pytest.approx(1)


def test_log_prob_takes_the_nodes_in_any_order():
    prior = fit_prior([causes("a", "b", 0.8)], FOUR)
    dag = Dag.from_edges(FOUR, [("a", "b")])
    assert prior.log_prob(dag.reorder("dcba")) == prior.log_prob(dag)
    with pytest.raises(GraphError, match="different nodes"):
        prior.log_prob(Dag.from_edges("ab"))


def test_table_carries_source_and_strength():
    prior = fit_prior([not_causes("a", "b", 0.3, strength=2, source="trial")], FOUR)
    row = prior.table.iloc[0]
    assert (row.x, row.y, row.event, row.stated) == ("a", "b", "not-causes", 0.3)
    assert (row.strength, row.source) == (2.0, "trial")
    assert "exactly" in prior.table.attrs["reference"]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: fit_prior([causes("a", "q", 0.5)], FOUR), BeliefError, "unknown variable 'q'"),
        (lambda: fit_prior([], FOUR, repair="hard"), PriorError, "unknown repair 'hard'"),
        (lambda: fit_prior([], ["a", "a"]), GraphError, "duplicate node 'a'"),
        (lambda: fit_prior([], FOUR).probability("a", "cause", "b"), BeliefError, "did you mean"),
        (lambda: fit_prior([], FOUR).probability("a", "causes", "a"), PriorError, "'a' twice"),
    ],
)
def test_errors_name_the_value(call, error, message):
    with pytest.raises(error, match=message):
        call()


# -- saved priors ----------------------------------------------------------------------------------

SAVED = BeliefSet(
    [
        causes("a", "b", 1, source="läkare"),
        relation("c", "b", (0.2, 0.3, 0.1, 0.4), strength=3),
        causes("a", "c", 0.9),
    ]
)


@pytest.mark.parametrize("copy", ["save", "pickle"])
def test_saving_keeps_everything(tmp_path, copy):
    prior = fit_prior(SAVED, FOUR, complete=True, pool="joint")
    assert len(prior.conflicts) == 1
    if copy == "save":
        prior.save(tmp_path / "prior.json")
        loaded = load_prior(tmp_path / "prior.json")
    else:
        data = pickle.dumps(prior)
        assert len(data) < 5000  # weights only, no listing
        loaded = pickle.loads(data)
    assert loaded.beliefs == prior.beliefs
    assert np.array_equal(log_probs(loaded), log_probs(prior))
    assert loaded.table.equals(prior.table)
    assert loaded.conflicts == prior.conflicts
    assert loaded.joint().equals(prior.joint())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[: len(text) // 2], "not a saved prior, or damaged"),
        (lambda text: "", "not a saved prior, or damaged"),
        (lambda text: "[]", "not a saved prior; make one"),
        (lambda text: text.replace('"version": 6', '"version": 1'), "version 1 is not 6"),
        (lambda text: text.replace('"marginals"', '"other"'), "'marginals' is missing"),
        (lambda text: text.replace('"a"', '"q"', 1), "unknown variable 'a'"),
        (
            lambda text: text.replace('"log_weights": [', '"log_weights": [[0, 0, 0, 0, 0, 0],'),
            "4 rows",
        ),
        (lambda text: text.replace('"num_samples"', '"samples"'), "damaged"),
    ],
)
def test_damaged_files_are_refused(tmp_path, change, message):
    file = tmp_path / "prior.json"
    fit_prior(SAVED, FOUR).save(file)
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(PriorError, match=message):
        load_prior(file)


def test_missing_file(tmp_path):
    with pytest.raises(PriorError, match="cannot be read"):
        load_prior(tmp_path / "none.json")


# -- parts fitted on their own ---------------------------------------------------------------------


def test_unconnected_parts_are_fitted_on_their_own():
    variables = [f"v{i}" for i in range(10)]
    first = [causes("v0", "v1", 0.8), causes("v1", "v2", 0.7)]
    second = [causes("v3", "v4", 0.8), causes("v4", "v5", 0.9), causes("v3", "v5", 0.5)]
    prior = fit_prior([*first, *second], variables)
    assert prior.num_parts == 2
    assert not prior.is_normalised
    assert "2 unconnected parts" in prior.table.attrs["reference"]
    alone = fit_prior(first, variables)
    assert alone.is_normalised
    assert prior.log_weights[:2] == pytest.approx(alone.log_weights, abs=1e-9)
    assert prior.table.set_index("x").loc[["v0", "v1"], "change"].abs().max() < 1e-9
    assert [len(conflict.beliefs) for conflict in prior.conflicts] == [3]
    joint = prior.joint()
    assert len(joint) == 16 * 41
    assert joint["J"].sum() == pytest.approx(1)
    assert joint["U"].sum() == pytest.approx(1)
    dag = Dag.from_edges(variables, [("v0", "v1"), ("v3", "v4")])
    row = joint[(joint.iloc[:, :5] == ["⇒", "⇎", "⇒", "⇎", "⇎"]).all(axis=1)].iloc[0]
    assert prior.log_prob(dag, per_graph=False) == pytest.approx(math.log(row.J))


def test_bounds_reach_across_parts():
    variables = [f"v{i}" for i in range(10)]
    beliefs = [causes("v0", "v1", 0.9), causes("v2", "v3", 0.9), causes("v4", "v5", 0.9)]
    prior = fit_prior(beliefs, variables, num_samples=1000)
    assert prior.num_parts == 3
    answer = prior.probability("v0", "causes", "v3")
    assert (answer.lower, answer.upper) == pytest.approx((0, 1))
    assert 0 < answer.fitted < 1
