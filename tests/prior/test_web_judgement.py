"""Judgements taken together, on a problem whose moments are exact: all DAGs of three nodes."""

from dataclasses import replace

import numpy as np
import pytest

from pathprior.prior.problem import Constraint
from pathprior.prior.web_diagnostics import Agreement
from pathprior.prior.web_judgement import Evidence, Judgement
from pathprior.prior.web_moments import Moments, SoftEquations
from tests.oracles.graph import all_dags, relation

PAIRS = [(0, 1), (1, 2)]
CODES = np.array([[relation(dag, x, y) for x, y in PAIRS] for dag in all_dags(3)], np.int8)
BELIEFS = [
    Constraint(0, 0, (0, 1, 1, 1), (0.6, 0.4), 10.0),
    Constraint(1, 1, (1, 1, 1, 0), (0.3, 0.7), 10.0),
]
ERROR = 0.01


def judge(equations, num_rounds=100, error=ERROR):
    """The judgement that endless chains would give, said to have the standard error ``error``."""
    weights = np.exp(equations.field()[np.arange(2), CODES].sum(axis=1))
    weights /= weights.sum()
    events = equations.events(CODES).astype(float)
    marginals = weights @ events
    products = events.T @ (weights[:, None] * events)
    agreement = Agreement(marginals, np.full(len(marginals), error), 1.0, 1e4, 1e4)
    return Judgement(
        equations, agreement, np.zeros((2, 4)), Moments(marginals, products), num_rounds
    )


@pytest.fixture(scope="module")
def solved():
    equations = SoftEquations.start(BELIEFS, 2)
    for _ in range(20):
        equations = Evidence.of(judge(equations)).corrected()
    assert np.abs(judge(equations).gaps).max() < 1e-6
    return equations


def moved(equations, *steps):
    return replace(equations, theta=equations.theta + np.array(steps))


def test_a_newton_step_closes_the_gaps_of_one_judgement(solved):
    judged = judge(moved(solved, 0.3, 0, 0, -0.3))
    after = judge(Evidence.of(judged).corrected())
    assert np.abs(after.gaps).max() < 0.1 * np.abs(judged.gaps).max()


def test_two_judgements_count_by_their_rounds(solved):
    near, nearer = moved(solved, 0.02, 0, 0.01, 0), moved(solved, 0, -0.01, 0, 0)
    first, second = judge(near, num_rounds=100), judge(nearer, num_rounds=300)
    both = Evidence.of(first).joined(second)
    np.testing.assert_allclose(both.equations.theta, (near.theta + 3 * nearer.theta) / 4)
    np.testing.assert_allclose(both.gaps, (first.gaps + 3 * second.gaps) / 4)
    assert both.num_rounds == 400
    assert both.num_effective == 2e4
    # the ridge of the Newton matrix leaves a twentieth
    assert np.abs(judge(both.corrected()).gaps).max() < 0.1 * np.abs(both.gaps).max()


def test_noise_of_judgements_averages_out(solved):
    """Errors of opposite sign in two judgements of the same weights leave no step."""
    judged = judge(solved)
    noise = np.array([ERROR, -ERROR, 0.5 * ERROR, -0.5 * ERROR])

    def shifted(sign):
        marginals = judged.events.marginals + sign * noise
        return replace(judged, events=replace(judged.events, marginals=marginals))

    corrected = Evidence.of(shifted(1)).joined(shifted(-1)).corrected()
    np.testing.assert_allclose(corrected.theta, solved.theta, atol=1e-5)


def test_gaps_beyond_noise_are_not_averaged(solved):
    far, near = judge(moved(solved, 2.0, 0, 0, 0)), judge(moved(solved, 0.02, 0, 0, 0))
    assert not far.is_near
    assert near.is_near
    for first, second in ((far, near), (near, far)):
        joined = Evidence.of(first).joined(second)
        assert joined.equations is second.equations
        assert joined.num_rounds == second.num_rounds


def test_a_judgement_is_good_if_gaps_and_errors_are_small(solved):
    assert judge(solved).is_good(0.02)
    assert not judge(solved, error=0.011).is_good(0.02)
    assert not judge(moved(solved, 0.5, 0, 0, 0)).is_good(0.02)
