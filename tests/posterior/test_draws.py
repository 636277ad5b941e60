"""Averages over draws."""

import numpy as np

from pathprior.posterior.draws import Draws


def some_draws(number: int) -> Draws:
    """Every graph a weight; what graphs they are does not matter."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(1, number))
    parents = np.zeros((1, number, 2, 1), np.uint64)
    return Draws(("x", "y"), parents, scores, scores - np.log(np.exp(scores).sum()))


def test_an_average_is_the_sum_by_weight():
    draws, rng = some_draws(2000), np.random.default_rng(1)
    held, numbers = rng.random((2000, 3)) < 0.5, rng.normal(size=(2000, 4))
    np.testing.assert_allclose(draws.average(held), draws.weights @ held, rtol=1e-12)
    np.testing.assert_allclose(draws.average(numbers), draws.weights @ numbers, rtol=1e-10)


def test_an_average_is_the_same_to_the_bit_whatever_stands_beside():
    draws = some_draws(29281)
    held = np.random.default_rng(1).random((29281, 5)) < 0.5
    together = draws.average(held)
    assert [float(draws.average(held[:, k])) for k in range(5)] == together.tolist()
    assert draws.average(held[:, 2:3]).tolist() == together[2:3].tolist()
