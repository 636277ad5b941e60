"""Log Bayes factors, and what is said of them."""

from math import inf, isnan, log, nan

import pytest

from pathprior.beliefs.evidence import SETTLED, TOO_FEW, evidence_of, weigh


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        (0.99, "hardly any"),
        (-1.0, "some against"),
        (2.99, "some for"),
        (-3.0, "strong against"),
        (5.0, "very strong for"),
        (-inf, "very strong against"),
    ],
)
def test_words(factor, words):
    assert evidence_of(factor).words == words


def test_odds_after_over_odds_before():
    found = weigh(0.8, 0.12, 0.88, inf)
    assert found.log_factor == pytest.approx(log(0.12 / 0.88) - log(0.8 / 0.2))
    assert (found.words, found.number, found.is_bound) == ("strong against", "−3.4", False)
    # a complement that rounding would have lost
    assert weigh(0.5, 1.0, 1e-30, inf).log_factor == pytest.approx(30 * log(10))


def test_draws_that_all_agree_give_a_bound():
    found = weigh(0.8, 0.0, 1.0, 98.0)
    assert found.log_factor == pytest.approx(-log(99) - log(4))
    assert found.is_bound
    assert found.number == "≤ −6.0"
    assert weigh(0.5, 1.0, 0.0, 98.0).words == "at least strong for"
    assert weigh(0.99, 1.0, 0.0, 98.0).words == TOO_FEW
    assert weigh(0.5, 1.0, 0.0, inf).log_factor == inf  # all graphs were weighed


def test_what_data_cannot_change():
    assert weigh(1.0, 1.0, 0.0, inf).words == SETTLED
    assert isnan(weigh(nan, 0.5, 0.5, inf).log_factor)
    assert weigh(nan, 0.5, 0.5, inf).number == "–"


def test_agreement_is_with_the_direction_of_what_was_stated():
    against = evidence_of(-2.0)
    assert against.agrees(0.8) is False
    assert against.agrees(0.1) is True
    assert against.agrees(0.5) is None
    assert evidence_of(0.5).agrees(0.8) is None
    assert weigh(1.0, 1.0, 0.0, inf).agrees(1.0) is None
