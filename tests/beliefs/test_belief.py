import numpy as np
import pytest

from pathprior.beliefs.belief import (
    Belief,
    associated,
    causes,
    confounded,
    direct,
    not_associated,
    not_causes,
    not_direct,
    relation,
)
from pathprior.beliefs.belief_set import BeliefSet, DuplicateBeliefWarning
from pathprior.beliefs.event import Event
from pathprior.errors import BeliefError
from pathprior.graph.relation import Relation
from pathprior.graph.tie import Tie


@pytest.mark.parametrize(
    ("make", "held"),
    [
        (causes, "⇒→"),
        (not_causes, "⇐←⇔⇎"),
        (associated, "⇒→⇐←⇔"),
        (not_associated, "⇎"),
        (confounded, "⇔"),
        (direct, "→"),
        (not_direct, "⇒⇐←⇔⇎"),
    ],
)
def test_a_belief_splits_the_six_ties_into_its_event_and_the_rest(make, held):
    belief = make("x", "y", 0.7, strength=3, source="cohort")
    ties = frozenset(tie for tie in Tie if tie.symbol in held)
    assert belief.events == (ties, frozenset(Tie) - ties)
    assert belief.is_about_edge == (make in (direct, not_direct))
    assert belief.probabilities == (0.7, 1 - 0.7)
    assert (belief.strength, belief.source) == (3.0, "cohort")


def test_a_vector_has_four_events_in_the_order_of_relation():
    belief = relation("x", "y", np.array([0.1, 0.7, 0.1, 0.1]))
    assert [{tie.relation for tie in event} for event in belief.events] == [{r} for r in Relation]
    assert belief.probabilities == pytest.approx((0.1, 0.7, 0.1, 0.1))
    assert belief.named_events[3] is Event.NOT_ASSOCIATED


def test_a_vector_off_by_rounding_is_normalised():
    belief = relation("x", "y", (0.333333, 0.333333, 0.333333, 0.000001))
    assert sum(belief.probabilities) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: causes("x", "y", 1.2), r"probability 1\.2 is outside \[0, 1\]"),
        (lambda: causes("x", "y", -0.1), r"-0\.1 is outside"),
        (lambda: causes("x", "y", float("nan")), "nan is outside"),
        (lambda: causes("x", "y", "0.5"), "must be a number, not '0.5'"),
        (lambda: causes("x", "y", True), "must be a number, not True"),
        (lambda: causes("x", "x", 0.5), "two different variables, not 'x' twice"),
        (lambda: causes("", "y", 0.5), "non-empty string, not ''"),
        (lambda: causes("x", "y", 0.5, strength=0), "strength 0 must be a number from"),
        (lambda: causes("x", "y", 0.5, strength=5e-324), "strength 5e-324 must be a number from"),
        (lambda: causes("x", "y", 0.5, strength=1e300), r"strength 1e\+300 must be a number from"),
        (
            lambda: causes("x", "y", 0.5, strength=float("nan")),
            "strength nan must be a number from",
        ),
        (lambda: relation("x", "y", (0.5, 0.5, 0.5, 0)), r"sum to 1\.5, not 1"),
        (lambda: relation("x", "y", (0.5, 0.5)), "takes 4 probabilities, not 2"),
        (lambda: Belief("x", "cause", "y", (0.5,)), "unknown relation 'cause'; did you mean"),
        (lambda: Event.parse("zzz"), "use one of causes, caused-by"),
        (lambda: BeliefSet([("x", "y", 0.5)]), r"not \('x', 'y', 0\.5\)"),
    ],
)
def test_errors_name_the_value(make, message):
    with pytest.raises(BeliefError, match=message):
        make()


def test_hard_beliefs():
    assert causes("x", "y", 1).is_hard
    assert not causes("x", "y", 0.99).is_hard
    assert relation("x", "y", (0.5, 0.5, 0, 0)).is_hard


def test_phrases():
    assert causes("smoking", "cancer", 0.8).phrase == "smoking causes cancer (0.8)"
    assert associated("x", "y", 0.25).phrase == "x and y are associated (0.25)"


def test_set_is_a_sequence():
    a, b = causes("x", "y", 0.8), causes("y", "z", 0.9)
    beliefs = BeliefSet(belief for belief in (a, b))
    assert list(beliefs) == [a, b]
    assert beliefs[1:] == BeliefSet([b])
    assert beliefs.variables == ("x", "y", "z")


def test_disagreeing_studies_are_allowed_and_exact_duplicates_warn():
    BeliefSet([causes("x", "y", 0.8), causes("x", "y", 0.6)])
    BeliefSet([causes("x", "y", 0.8, source="a"), causes("x", "y", 0.8, source="b")])
    with pytest.warns(DuplicateBeliefWarning, match=r"x causes y \(0\.8\)"):
        BeliefSet([causes("x", "y", 0.8), causes("x", "y", 0.8)])


def test_unknown_variable_suggests_the_nearest():
    beliefs = BeliefSet([causes("smokng", "cancer", 0.8)])
    with pytest.raises(BeliefError, match="unknown variable 'smokng'; did you mean 'smoking'"):
        beliefs.require_variables(("smoking", "cancer"))
