"""Linear programs, bounds and the sentences about conflicts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.beliefs.belief import (
    LEAST_STRENGTH,
    MOST_STRENGTH,
    associated,
    causes,
    confounded,
    not_associated,
    not_causes,
    relation,
)
from pathprior.errors import BeliefError, PriorError
from pathprior.prior.fit import fit_prior
from pathprior.prior.listed import linear_program
from pathprior.prior.listed.linear_program import MarginalProgram
from pathprior.prior.listed.listing import Listing
from pathprior.prior.listed.problem import Constraint, build_problem
from pathprior.prior.promise import UnmetBeliefWarning
from tests.oracles.prior import count_table

FIVE = list("xyzvw")


def sentences(*beliefs, variables=FIVE, **options):
    return [conflict.sentence for conflict in fit_prior(beliefs, variables, **options).conflicts]


def test_the_sentence_of_a_chain():
    expected = (
        "x causes y (0.8) and y causes z (0.9) force x causes z to at least 0.7; you said 0.6"
    )
    chain = [causes("x", "y", 0.8), causes("y", "z", 0.9), causes("x", "z", 0.6)]
    assert sentences(*chain) == [expected]
    assert sentences(*chain, complete=True) == [expected]
    (other,) = sentences(*reversed(chain))
    assert "force x causes z to at least 0.7; you said 0.6" in other


def test_the_sentence_of_vectors_names_the_statements_that_matter():
    assert sentences(
        relation("x", "y", (0.8, 0.132, 0.028, 0.04)),
        relation("y", "z", (0.9, 0.066, 0.014, 0.02)),
        relation("x", "z", (0.6, 0.264, 0.056, 0.08)),
    ) == ["x causes y (0.8) and y causes z (0.9) force x causes z to at least 0.7; you said 0.6"]


def test_the_sentence_tells_completed_numbers_from_stated_ones():
    (sentence,) = sentences(
        causes("x", "y", 0.95),
        not_causes("z", "y", 0.95),
        not_causes("x", "z", 0.95),
        complete=True,
    )
    assert "completed to" in sentence


def test_studies_that_disagree():
    beliefs = [causes("x", "y", 0.8, source="cohort"), causes("x", "y", 0.6, source="trial")]
    assert sentences(*beliefs, pool="joint") == [
        "two statements disagree on one thing: x causes y is 0.8 (cohort) and 0.6 (trial)"
    ]
    assert sentences(causes("x", "y", 0.8), not_causes("x", "y", 0.5)) == [
        "x causes y (0.8) forces x does not cause y to at most 0.2; you said 0.5"
    ]
    assert sentences(confounded("x", "y", 0.5), associated("y", "x", 0.4)) == [
        "x and y are confounded (0.5) forces y and x are associated to at least 0.5; you said 0.4"
    ]


def test_hard_beliefs_are_named_in_conflicts():
    assert sentences(causes("x", "y", 1), causes("y", "z", 1), causes("x", "z", 0.6)) == [
        "x causes y (1) and y causes z (1) force x causes z to at least 1; you said 0.6"
    ]


def test_overlapping_and_disjoint_groups_are_all_found():
    prior = fit_prior(
        [
            causes("x", "y", 0.1),
            causes("x", "v", 0.9),
            causes("v", "y", 0.9),
            causes("x", "w", 0.9),
            causes("w", "y", 0.9),
        ],
        FIVE,
    )
    groups = [{(b.x, b.y) for b in conflict.beliefs} for conflict in prior.conflicts]
    assert groups == [
        {("x", "y"), ("x", "v"), ("v", "y")},
        {("x", "y"), ("x", "w"), ("w", "y")},
    ]
    assert all(conflict.bounds.lower == pytest.approx(0.8) for conflict in prior.conflicts)
    apart = fit_prior(
        [causes(a, b, p) for a, b in (("x", "y"), ("v", "w")) for p in (0.2, 0.3)], FIVE
    )
    assert len(apart.conflicts) == 2


def test_groups_are_minimal():
    chain = [causes(a, b, 0.9) for a, b in ("xy", "yz", "zv")]
    prior = fit_prior([*chain, causes("x", "v", 0.5), causes("x", "w", 0.5)], FIVE)
    (conflict,) = prior.conflicts
    assert conflict.beliefs == (*chain, causes("x", "v", 0.5))
    for left_out in conflict.beliefs:
        rest = [belief for belief in conflict.beliefs if belief is not left_out]
        assert fit_prior(rest, FIVE).is_coherent


@pytest.mark.parametrize(
    ("stated", "lower", "upper"), [((0.8, 0.8), 0.6, 1), ((0.8, 0.9), 0.7, 1), ((0.9, 0.9), 0.8, 1)]
)
def test_intervals_of_the_paper(stated, lower, upper):
    prior = fit_prior([causes("x", "y", stated[0]), causes("y", "z", stated[1])], FIVE)
    bound = prior.probability("x", "causes", "z")
    assert (bound.lower, bound.upper) == pytest.approx((lower, upper))
    assert lower <= bound.fitted <= upper
    assert prior.probability("z", "caused-by", "x") == bound


def test_coherent_on_the_boundary_is_coherent_but_repaired():
    beliefs = [causes("x", "y", 0.8), causes("y", "z", 0.9), causes("x", "z", 0.7)]
    said = r"^not met as stated: x causes y 0\.667\d*, stated 0\.8; y causes z .* move them apart"
    with pytest.warns(UnmetBeliefWarning, match=said):
        prior = fit_prior(beliefs, FIVE)
    assert prior.is_coherent
    assert prior.conflicts == ()
    assert np.isfinite(prior.log_weights).all()
    assert prior.joint()["J"].min() > 1e-6
    with pytest.raises(PriorError, match="probability zero"):
        fit_prior(prior.beliefs, FIVE, repair="error")


def test_repair_error_says_why():
    chain = [causes("x", "y", 0.8), causes("y", "z", 0.9), causes("x", "z", 0.6)]
    with pytest.raises(PriorError, match=r"at least 0\.7; you said 0\.6"):
        fit_prior(chain, FIVE, repair="error")


def test_contradictory_hard_beliefs_name_a_minimal_set():
    beliefs = [
        causes("v", "w", 1),
        causes("x", "y", 1),
        causes("y", "z", 1),
        causes("w", "z", 1),
        causes("x", "z", 0),
    ]
    with pytest.raises(
        BeliefError,
        match=r"^x causes y \(1\), y causes z \(1\) and x causes z \(0\) are certain but",
    ):
        fit_prior(beliefs, FIVE)


def test_impossible_events_name_the_belief():
    with pytest.raises(BeliefError, match=r"x and y are confounded \(0\.1\) gives ⇔"):
        fit_prior([confounded("x", "y", 0.1)], ["x", "y"])
    with pytest.raises(BeliefError, match="common cause needs a third variable"):
        fit_prior([relation("x", "y", (0.4, 0.4, 0.1, 0.1))], ["x", "y"])
    fit_prior([relation("x", "y", (0.5, 0.4, 0, 0.1))], ["x", "y"])


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1))
def test_generated_columns_find_the_same_optimum(seed):
    pairs = [(0, 1), (1, 2), (2, 3), (0, 3)]
    configurations, counts = count_table(pairs, 5)
    listing = Listing(tuple(range(4)), configurations, counts / counts.sum())
    rng = np.random.default_rng(seed)
    stated = rng.dirichlet(np.ones(4), 4)
    constraints = [Constraint(k, k, (0, 1, 2, 3), tuple(stated[k]), 1.0) for k in range(4)]
    problem = build_problem(listing, constraints)
    rows = np.arange(problem.num_events)
    whole = MarginalProgram(problem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linear_program, "BATCH", 5)
        grown = MarginalProgram(problem)
        slack = grown.least_slack(rows)
        assert slack == pytest.approx(whole.least_slack(rows), abs=1e-7)
        first = rows[:8]  # two beliefs
        assert whole.is_feasible(first)
        held = problem.events[:, 3] == 12
        a, b = grown.bounds(first, held), whole.bounds(first, held)
        assert (a.lower, a.upper) == pytest.approx((b.lower, b.upper), abs=1e-7)
        assert len(grown._columns) < len(problem.events)


@pytest.mark.parametrize("strength", [LEAST_STRENGTH, MOST_STRENGTH])
def test_beliefs_of_extreme_strengths_are_fitted(strength):
    """Alone and beside a usual one, where they disagree."""
    for other in (strength, 10.0):
        prior = fit_prior(
            [
                causes("a", "b", 0.9, strength=strength),
                causes("b", "c", 0.9, strength=other),
                not_associated("a", "c", 0.9, strength=other),
            ],
            "abcd",
        )
        assert np.isfinite(prior.log_weights).all()
