import pytest

import pathprior as pp
from pathprior.errors import CountingError


def test_sparse_pairs():
    found = pp.baseline(37, edge_odds=1 / 37)
    assert found.unrelated == pytest.approx(0.763841473, abs=5.1e-10)
    assert found.associated == pytest.approx(1 - found.unrelated, abs=1e-12)
    assert (found.causes, found.expected_parents) == (
        pytest.approx(found.caused_by),
        pytest.approx(32.5258 / 37, abs=1e-5),
    )


def test_expected_parents_and_their_odds_are_the_same():
    found = pp.baseline(20, expected_parents=1.5)
    assert found.expected_parents == pytest.approx(1.5, rel=1e-11)
    assert pp.baseline(20, edge_odds=found.edge_odds) == found


def test_all_dags_alike():
    found = pp.baseline(37, expected_parents=None)
    counted = pp.count_configurations([("x", "y")], 37)
    assert (found.causes, found.caused_by, found.confounded, found.unrelated) == tuple(
        counted.probabilities
    )
    assert found.edge_odds == 1


def test_one_parent_unless_told_but_never_more_than_uniform_dags_have():
    assert pp.baseline(37) == pp.baseline(37, expected_parents=1)
    assert pp.baseline(4) == pp.baseline(4, expected_parents=None)
    assert pp.baseline(4).expected_parents < 1
    assert pp.baseline(5).expected_parents == pytest.approx(1)


def test_two_variables_have_no_common_cause():
    found = pp.baseline(2, edge_odds=0.5)
    assert (found.causes, found.caused_by, found.confounded) == (0.25, 0.25, 0)


def test_prints_a_table():
    lines = str(pp.baseline(37, edge_odds=0.1)).splitlines()
    assert lines[0] == "two of 37 variables, expected parents: 2.249 (edge odds 0.1)"
    assert lines[4] == "  x ⇎ y  not associated       0.136797037"


def test_one_of_both():
    with pytest.raises(CountingError, match="give one of them"):
        pp.baseline(37, expected_parents=1, edge_odds=0.1)


@pytest.mark.parametrize("num_variables", [1, 0, 2.0, True, "37"])
def test_bad_numbers_of_variables(num_variables):
    with pytest.raises(CountingError, match="num_variables"):
        pp.baseline(num_variables)
