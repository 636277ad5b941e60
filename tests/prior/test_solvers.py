"""The convex fits and GEMA against sums written out over all configurations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.prior.listed.gema import fit_gema
from pathprior.prior.listed.listing import Listing
from pathprior.prior.listed.newton import fit_soft, project
from pathprior.prior.listed.problem import Constraint, build_problem
from tests.oracles.prior import count_table, gema, ipfp, soft_objective

SHAPES = {
    "pair": [(0, 1)],
    "chain": [(0, 1), (1, 2)],
    "triangle": [(0, 1), (1, 2), (0, 2)],
    "apart": [(0, 1), (2, 3)],
    "square": [(0, 1), (1, 2), (2, 3), (0, 3)],
}
EVENTS = {
    "causes": (0, 1, 1, 1),
    "associated": (0, 0, 0, 1),
    "confounded": (1, 1, 0, 1),
    "vector": (0, 1, 2, 3),
}


def list_shape(name, num_nodes=5):
    configurations, counts = count_table(SHAPES[name], num_nodes)
    columns = tuple(range(len(SHAPES[name])))
    return Listing(columns, configurations, counts / counts.sum())


def as_oracle(constraints):
    return [
        (
            c.column,
            [frozenset(r for r in range(4) if c.event_of[r] == e) for e in range(len(c.targets))],
            c.targets,
        )
        for c in constraints
    ]


def spread(problem, listing, theta):
    """J on the configurations from the weights of the events."""
    scores = np.log(listing.probabilities)
    start = 0
    for c in problem.constraints:
        codes = listing.configurations[:, c.column]
        scores = scores + theta[start + np.array(c.event_of)][codes]
        start += len(c.targets)
    joint = np.exp(scores - scores.max())
    return joint / joint.sum()


@st.composite
def coherent(draw):
    """Beliefs that are the marginals of a positive joint, on a random shape."""
    listing = list_shape(draw(st.sampled_from(sorted(SHAPES))))
    seed = draw(st.integers(0, 2**32 - 1))
    joint = listing.probabilities * np.exp(
        np.random.default_rng(seed).normal(0, 2, len(listing.probabilities))
    )
    joint /= joint.sum()
    constraints = []
    for k in range(draw(st.integers(1, 5))):
        column = draw(st.sampled_from(listing.columns))
        event_of = EVENTS[draw(st.sampled_from(sorted(EVENTS)))]
        mass = np.bincount(np.array(event_of)[listing.configurations[:, column]], weights=joint)
        constraints.append(Constraint(k, column, event_of, tuple(mass / mass.sum()), 10.0))
    return listing, constraints


@st.composite
def arbitrary(draw):
    """Beliefs with any positive probabilities, usually incoherent."""
    listing = list_shape(draw(st.sampled_from(["chain", "triangle", "square"])))
    constraints = []
    for k in range(draw(st.integers(1, 5))):
        event_of = EVENTS[draw(st.sampled_from(sorted(EVENTS)))]
        raw = np.array(draw(st.lists(st.floats(0.02, 1), min_size=4, max_size=4)))
        mass = np.bincount(event_of, weights=raw)
        constraints.append(
            Constraint(
                k,
                draw(st.sampled_from(listing.columns)),
                event_of,
                tuple(mass / mass.sum()),
                draw(st.floats(0.1, 100)),
            )
        )
    return listing, constraints


@settings(max_examples=15)
@given(coherent())
def test_projection_agrees_with_ipfp(case):
    listing, constraints = case
    problem = build_problem(listing, constraints)
    weights = project(problem)
    assert weights.has_converged
    expected = ipfp(listing.configurations, listing.probabilities, as_oracle(constraints))
    assert spread(problem, listing, weights.theta) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=15)
@given(arbitrary(), st.integers(0, 2**32 - 1))
def test_soft_fit_is_the_minimum(case, seed):
    listing, constraints = case
    problem = build_problem(listing, constraints)
    weights = fit_soft(problem)
    assert weights.has_converged
    joint = spread(problem, listing, weights.theta)
    assert (joint > 0).all()
    strengths = [c.strength for c in constraints]
    table = (listing.configurations, listing.probabilities, as_oracle(constraints), strengths)
    least = soft_objective(joint, *table)
    for other in np.random.default_rng(seed).dirichlet(np.ones(len(joint)), 5):
        for step in (1e-3, 0.1):
            moved = (1 - step) * joint + step * other
            assert soft_objective(moved, *table) >= least - 1e-10


@settings(max_examples=15)
@given(coherent())
def test_soft_fit_tends_to_the_projection(case):
    listing, constraints = case
    problem = build_problem(
        listing,
        [Constraint(c.belief, c.column, c.event_of, c.targets, 1e8) for c in constraints],
    )
    joint = spread(problem, listing, fit_soft(problem).theta)
    expected = spread(problem, listing, project(problem).theta)
    assert joint == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("shape", "stated"),
    [
        ("pair", [(0.4, 0.3, 0.2, 0.1)]),
        ("chain", [(0.4, 0.3, 0.2, 0.1), (0.1, 0.7, 0.1, 0.1)]),
        ("triangle", [(0.7, 0.1, 0.1, 0.1), (0.7, 0.1, 0.1, 0.1), (0.4, 0.4, 0.1, 0.1)]),
    ],
)
def test_gema_agrees_with_its_definition(shape, stated):
    listing = list_shape(shape)
    constraints = [Constraint(k, k, EVENTS["vector"], p, 1.0) for k, p in enumerate(stated)]
    problem = build_problem(listing, constraints)
    expected = gema(listing.configurations, listing.probabilities, as_oracle(constraints))
    assert spread(problem, listing, fit_gema(problem).theta) == pytest.approx(expected, abs=1e-9)


def test_patterns_merge_what_no_belief_tells_apart():
    listing = list_shape("triangle")
    one = build_problem(listing, [Constraint(0, 0, EVENTS["causes"], (0.8, 0.2), 1.0)])
    assert len(one.events) == 2
    assert one.reference.sum() == pytest.approx(1)
    vectors = [Constraint(k, k, EVENTS["vector"], (0.25,) * 4, 1.0) for k in range(3)]
    assert len(build_problem(listing, vectors).events) == 41


def test_hard_events_leave_the_patterns():
    listing = list_shape("triangle")
    hard = [Constraint(k, k, EVENTS["causes"], (1.0, 0.0), 1.0) for k in range(2)]
    problem = build_problem(listing, [*hard, Constraint(2, 2, EVENTS["causes"], (0.6, 0.4), 1.0)])
    assert len(problem.events) == 1  # x ⇒ y and y ⇒ z leave only x ⇒ z
    assert fit_soft(problem).has_converged


@pytest.mark.parametrize("tiny", [1e-3, 1e-6, 1e-9])
def test_projection_is_accurate_for_rare_events(tiny):
    listing = list_shape("chain")
    constraints = [
        Constraint(k, k, EVENTS["vector"], (1 - tiny - 0.2, 0.1, 0.1, tiny), 1.0) for k in range(2)
    ]
    problem = build_problem(listing, constraints)
    weights = project(problem)
    assert weights.has_converged
    marginals = problem.marginals(problem.joint(weights.theta)[0])
    assert marginals == pytest.approx(problem.target, rel=1e-9)


@pytest.mark.parametrize("strength", [0.01, 1e4])
def test_soft_fit_settles_for_extreme_beliefs(strength):
    listing = list_shape("triangle")
    stated = [(0.999, 0.001), (1 - 1e-9, 1e-9), (1e-9, 1 - 1e-9)]
    problem = build_problem(
        listing,
        [Constraint(k, k, EVENTS["causes"], p, strength) for k, p in enumerate(stated)],
    )
    weights = fit_soft(problem)
    assert weights.has_converged
    marginals = problem.marginals(problem.joint(weights.theta)[0])
    assert weights.theta * marginals == pytest.approx(strength * problem.target, rel=1e-6)


def test_projection_reports_that_it_ran_away():
    listing = list_shape("triangle")
    stated = [(0.8, 0.2), (0.9, 0.1), (0.6, 0.4)]  # incoherent
    constraints = [Constraint(k, k, EVENTS["causes"], p, 1.0) for k, p in enumerate(stated)]
    assert not project(build_problem(listing, constraints)).has_converged


@pytest.mark.parametrize("rare", [0.4, 0.05, 1e-4, 1e-7])
def test_projection_reports_what_can_only_just_hold(rare):
    """The marginals come as near as one likes: only steps that stay as long show it."""
    listing = list_shape("triangle")
    stated = [(1 - rare / 2, rare / 2), (1 - rare / 2, rare / 2), (1 - rare, rare)]
    constraints = [Constraint(k, k, EVENTS["causes"], p, 1.0) for k, p in enumerate(stated)]
    problem = build_problem(listing, constraints)
    weights = project(problem)
    assert not weights.has_converged
    marginals = problem.marginals(problem.joint(weights.theta)[0])
    assert marginals == pytest.approx(problem.target, rel=1e-6)
