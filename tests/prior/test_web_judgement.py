"""Judgements taken together, on a problem whose moments are exact: all DAGs of three nodes."""

from dataclasses import replace

import numpy as np
import pytest

from pathprior.prior.listed.problem import Constraint
from pathprior.prior.web.judgement import Evidence, Judgement
from pathprior.prior.web.moments import SoftEquations, relations_of
from tests.oracles.graph import all_dags, relation

PAIRS = [(0, 1), (1, 2)]
CODES = np.array([[relation(dag, x, y) for x, y in PAIRS] for dag in all_dags(3)], np.int8)
BELIEFS = [
    Constraint(0, 0, (0, 1, 1, 1, 0, 1), (0.6, 0.4), 10.0),
    Constraint(1, 1, (1, 1, 1, 0, 1, 1), (0.3, 0.7), 10.0),
]
NOISE = 0.01


def exact(equations):
    """Probabilities of relations, and of relations together with events."""
    weights = np.exp(equations.field()[np.arange(2), CODES].sum(axis=1))
    weights /= weights.sum()
    relations = relations_of(CODES).astype(float)
    return weights @ relations, relations.T @ (weights[:, None] * equations.events(CODES))


def judge(equations, num_blocks=8, shift=0.0):
    """A judgement with exact moments whose four chains are off by ± NOISE around ``shift``."""
    relations, products = exact(equations)
    of_chain = shift + NOISE * np.array([-1, 1, -1, 1])[:, None]
    side = np.array([1.0, -1.0, 0, 0, 0, 0, -1.0, 0, 0, 1.0, 0, 0])
    blocks = np.tile(relations + of_chain * side, (num_blocks, 1, 1))
    return Judgement(equations, blocks.astype(np.float32), products)


def gaps(equations):
    return equations.wanted - equations.events_of(exact(equations)[0])


@pytest.fixture(scope="module")
def solved():
    equations = SoftEquations.start(BELIEFS, 2)
    for _ in range(20):
        equations = Evidence((judge(equations),)).corrected()
    assert np.abs(gaps(equations)).max() < 1e-6
    return equations


def moved(equations, *steps):
    return replace(equations, theta=equations.theta + np.array(steps))


def test_a_finding_has_the_averages_and_the_spread_of_the_chains(solved):
    found = Evidence((judge(solved),)).at(solved)
    np.testing.assert_allclose(found.relations.ravel(), exact(solved)[0], atol=1e-7)
    # 16 parts, each off by NOISE
    np.testing.assert_allclose(found.events.standard_errors, NOISE / np.sqrt(15), rtol=1e-4)


def test_judgements_are_carried_over_to_nearby_weights(solved):
    near = moved(solved, 0.1, -0.05, 0.0, 0.05)
    carried = Evidence((judge(near),)).at(solved).relations.ravel()
    there, here = exact(near)[0], exact(solved)[0]
    assert np.abs(carried - here).max() < 0.1 * np.abs(there - here).max()


def test_probabilities_carried_over_too_far_remain_probabilities(solved):
    found = Evidence((judge(solved),)).at(moved(solved, 8.0, 0, 0, 0))
    assert found.events.marginals.min() < 0
    assert found.relations.min() == 0
    np.testing.assert_allclose(found.relations.sum(axis=1), 1)


def test_a_newton_step_closes_the_gaps_of_one_judgement(solved):
    far = moved(solved, 0.3, 0, 0, -0.3)
    after = Evidence((judge(far),)).corrected()
    assert np.abs(gaps(after)).max() < 0.1 * np.abs(gaps(far)).max()


def test_a_newton_step_closes_the_gaps_of_two(solved):
    some, others = moved(solved, 0.02, 0, 0.01, 0), moved(solved, 0, -0.01, 0, 0)
    both = Evidence((judge(some),)).joined(judge(others, num_blocks=24))
    assert len(both.judgements) == 2
    assert both.num_blocks == 32
    assert np.abs(gaps(both.corrected())).max() < 0.05 * np.abs(gaps(some)).max()


def test_noise_of_judgements_averages_out(solved):
    """Errors of opposite sign in two judgements of the same weights leave no step."""
    alone = Evidence((judge(solved, shift=0.5 * NOISE),))
    both = alone.joined(judge(solved, shift=-0.5 * NOISE))
    assert np.abs(alone.corrected().theta - solved.theta).max() > 0.01
    np.testing.assert_allclose(both.corrected().theta, solved.theta, atol=1e-5)


def test_gaps_beyond_noise_are_not_averaged(solved):
    far, less = (judge(moved(solved, step, 0, 0, 0)) for step in (2.0, 1.0))
    near = judge(moved(solved, 0.02, 0, 0, 0))
    assert not Evidence((less,)).at(less.equations).is_near
    assert Evidence((near,)).at(near.equations).is_near
    for first, second in ((far, less), (far, near), (less, near)):
        (alone,) = Evidence((first,)).joined(second).judgements
        assert alone is second


def test_a_step_that_makes_gaps_grow_beyond_noise_is_left_out(solved):
    near, far = judge(moved(solved, 0.02, 0, 0, 0)), judge(moved(solved, 2.0, 0, 0, 0))
    evidence = Evidence((near,))
    assert evidence.joined(far) is evidence


def test_noise_of_the_step_before_counts_as_noise(solved):
    beside = moved(solved, 1e-6, 0, 0, 0)
    evidence = Evidence((judge(solved),))
    off, further = (judge(beside, shift=shift * NOISE) for shift in (0.65, 0.85))
    assert not Evidence((off,)).at(beside).is_near
    assert len(evidence.joined(off).judgements) == 2
    assert evidence.joined(further) is evidence


def test_judgements_of_the_same_weights_are_always_averaged(solved):
    far = moved(solved, 2.0, 0, 0, 0)
    assert len(Evidence((judge(far),)).joined(judge(far, shift=NOISE)).judgements) == 2


def test_a_finding_is_good_if_gaps_and_errors_are_small(solved):
    found = Evidence((judge(solved),)).at(solved)
    error = found.events.max_standard_error
    assert found.is_good(2.01 * error)
    assert not found.is_good(1.99 * error)
    off = moved(solved, 0.5, 0, 0, 0)
    assert not Evidence((judge(off),)).at(off).is_good(0.02)


def test_errors_of_weights_are_the_spread_of_the_steps_that_parts_ask_for(solved):
    evidence = Evidence((judge(solved),))
    found = evidence.at(solved)
    up, down = (
        Evidence((judge(solved, shift=shift),)).corrected().field() for shift in (NOISE, -NOISE)
    )
    half = (up - down) / 2
    half -= (half * found.relations).sum(axis=1, keepdims=True)
    # 16 parts, each off by NOISE
    np.testing.assert_allclose(evidence.weight_errors(found), np.abs(half) / np.sqrt(15), rtol=0.02)


def test_an_event_too_rare_to_be_met_is_no_gap_and_has_an_error():
    """One in a million: no record has it, and no spread."""
    beliefs = [Constraint(0, 0, (0, 1, 1, 1, 0, 1), (1e-6, 1 - 1e-6), 1000.0), BELIEFS[1]]
    equations = SoftEquations.start(beliefs, 2)
    without = CODES[CODES[:, 0] != 0]
    relations = relations_of(without).astype(float)
    products = relations.T @ equations.events(without) / len(without)
    side = np.array([0, 0, 0, 0, 0, 0, -1.0, 0, 0, 1.0, 0, 0])
    noise = NOISE * np.array([-1, 1, -1, 1])[:, None] * side
    blocks = np.tile(relations.mean(axis=0) + noise, (8, 1, 1)).astype(np.float32)
    equations = replace(
        equations,
        target=np.where(
            equations.owner == 1, equations.events_of(relations.mean(axis=0)), equations.target
        ),
    )
    evidence = Evidence((Judgement(equations, blocks, products),))
    found = evidence.at(equations)
    assert found.events.standard_errors[0] < 1e-9
    assert found.is_near
    once = np.sqrt(1e6 / found.events.num_effective)
    assert evidence.weight_errors(found)[0, 0] == pytest.approx(once, rel=0.01)
