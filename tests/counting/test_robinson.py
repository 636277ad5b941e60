from math import comb, exp, log

import pytest

from pathprior.counting.robinson import (
    count_dags,
    dags_by_sinks,
    log_num_dags,
    num_labelled_dags,
)
from pathprior.errors import CountingError
from tests.oracles.counting import num_dags_by_sources


def test_known_numbers():
    assert [count_dags(n) for n in range(1, 8)] == [
        *(1, 3, 25, 543, 29281, 3781503, 1138779265),
    ]


@pytest.mark.parametrize("num_nodes", [1, 2, 5, 13])
def test_by_sinks_follows_the_recursion(num_nodes):
    expected = [num_dags_by_sources(num_nodes, k) for k in range(1, num_nodes + 1)]
    assert list(dags_by_sinks(num_nodes)) == [0, *expected]


def test_by_sinks_adds_up():
    assert sum(dags_by_sinks(60)) == count_dags(60)


def test_logarithm_is_that_of_the_number():
    assert [log_num_dags(n) for n in range(300)] == [log(num_labelled_dags(n)) for n in range(300)]


def test_logarithm_of_thousands_of_nodes_follows_the_recursion():
    """N(n) = Σ_k (−1)^{k+1} C(n, k) 2^{k(n−k)} N(n−k), each term as its share of N(n)."""
    n = 5000
    shares = [
        (-1) ** (k + 1)
        * comb(n, k)
        * exp(log_num_dags(n - k) + k * (n - k) * log(2) - log_num_dags(n))
        for k in range(1, 12)
    ]
    assert sum(shares) == pytest.approx(1, rel=1e-6)


def test_several_hundred_nodes():
    assert count_dags(300).bit_length() == 46721


@pytest.mark.parametrize("num_nodes", [0, -3, 2.0, True, "5", None])
def test_bad_number_of_nodes(num_nodes):
    with pytest.raises(CountingError, match="num_nodes is"):
        count_dags(num_nodes)
