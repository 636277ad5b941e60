"""Averages over draws: one answer to the last digit, whichever way it is asked for."""

import numpy as np

from pathprior.kernels.counting.enumerate import enumerate_parents
from pathprior.posterior.draws import Draws
from pathprior.posterior.indicators import all_pairs, relation_codes, relation_probabilities

NAMES = ("w", "x", "y", "z")
NUM_DAGS = 543


def all_graphs() -> Draws:
    """Every graph on four nodes, with a weight."""
    parents = np.empty((NUM_DAGS, len(NAMES)), np.int64)
    enumerate_parents(len(NAMES), parents)
    scores = np.random.default_rng(0).normal(size=(1, NUM_DAGS))
    log_weights = scores - np.log(np.exp(scores).sum())
    return Draws(NAMES, parents.astype(np.uint64)[None, :, :, None], scores, log_weights)


def test_an_average_is_the_sum_by_weight():
    draws, rng = all_graphs(), np.random.default_rng(1)
    held, numbers = rng.random((NUM_DAGS, 3)) < 0.5, rng.normal(size=(NUM_DAGS, 4))
    np.testing.assert_allclose(draws.average(held), draws.weights @ held, rtol=1e-12)
    np.testing.assert_allclose(draws.average(numbers), draws.weights @ numbers, rtol=1e-10)


def test_what_stands_beside_changes_no_digit():
    draws = all_graphs()
    held = np.random.default_rng(1).random((NUM_DAGS, 5)) < 0.5
    together = draws.average(held)
    assert [float(draws.average(held[:, k])) for k in range(5)] == together.tolist()


def test_relations_asked_one_by_one_are_those_of_all_pairs():
    draws = all_graphs()
    pairs = all_pairs(len(NAMES))
    (codes,) = relation_codes(draws, pairs)
    alone = [draws.average(codes[0] == relation) for relation in range(4)]
    assert np.array(alone).T.tolist() == relation_probabilities(draws, pairs).tolist()
