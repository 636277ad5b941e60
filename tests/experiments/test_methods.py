import numpy as np

from pathprior.beliefs.belief import causes
from pathprior.experiments.methods import Fitting, Method, measure, run_methods
from pathprior.experiments.trial import Trial, first_rows
from pathprior.graph.dag import Dag
from pathprior.graph.distance import shd
from pathprior.network.bundled import load_network

ASIA = load_network("asia")


def test_a_trial_hides_order_and_names_but_not_the_graph():
    trial = Trial.draw(ASIA, 50, seed=4)
    assert trial.truth.nodes == trial.table.variables == tuple(sorted(trial.truth.nodes))
    assert not set(trial.truth.nodes) & set(ASIA.dag.nodes)
    assert trial.truth.num_edges == ASIA.dag.num_edges
    # each column still holds the sample of the node it stands for
    sampled = ASIA.sample_table(50, seed=4)
    order = np.random.default_rng(4).permutation(8)
    assert np.array_equal(trial.table.codes, sampled.codes[order])
    for k, v in enumerate(order):
        parents = {
            int(np.flatnonzero(order == p)[0]) for p in np.flatnonzero(ASIA.dag.adjacency[:, v])
        }
        assert parents == set(np.flatnonzero(trial.truth.adjacency[:, k]).tolist())


def test_smaller_samples_are_prefixes():
    table = ASIA.sample_table(100, seed=1)
    assert np.array_equal(first_rows(table, 40).codes, ASIA.sample_table(40, seed=1).codes)


def test_measures_of_the_truth_and_of_a_reversed_chain():
    chain = Dag.from_edges("abc", [("a", "b"), ("b", "c")])
    assert measure(chain, chain)["causes_recall"] == 1
    backwards = Dag.from_edges("abc", [("c", "b"), ("b", "a")])
    row = measure(backwards, chain)
    assert (row["shd"], row["dag_shd"]) == (0, 2)
    assert (row["causes_recall"], row["causes_precision"]) == (0, 0)
    partly = measure(Dag.from_edges("abc", [("a", "b")]), chain)
    assert (partly["causes_recall"], partly["causes_precision"]) == (1 / 3, 1)


def test_rows_of_every_method_and_size():
    trial = Trial.draw(ASIA, 200, seed=0)
    x, y = trial.truth.edges[0]
    methods = [
        Method("none", "greedy"),
        Method("soft", "turning", Fitting("soft", strength=3.0), has_operator=True),
    ]
    rows = run_methods(trial, [causes(x, y, 0.9)], methods, (50, 200))
    assert [(row["method"], row["num_rows"]) for row in rows] == [
        ("none", 50),
        ("soft", 50),
        ("none", 200),
        ("soft", 200),
    ]
    assert all(0 <= row["shd"] <= 28 for row in rows)
    assert shd(trial.truth, trial.truth) == 0
