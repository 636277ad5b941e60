"""§6.4 of the paper: beliefs that agree with each other overrule a misleading one."""

import pytest

from pathprior.beliefs.belief import causes
from pathprior.prior.fit import fit_prior

BETWEEN = ["V1", "V2", "V3", "V4"]
VARIABLES = ["X", "Y", *BETWEEN, *(f"other {i}" for i in range(14))]
BELIEFS = [
    causes("X", "Y", 0.1),
    *(causes("X", v, 0.9) for v in BETWEEN),
    *(causes(v, "Y", 0.9) for v in BETWEEN),
]


@pytest.mark.parametrize("complete", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_gema_gives_the_printed_probabilities(complete):
    prior = fit_prior(
        BELIEFS,
        VARIABLES,
        expected_parents=None,
        repair="gema",
        complete=complete,
        num_samples=10**5,
    )
    fitted = prior.table.set_index(["x", "y"])["fitted"]
    assert 0.625 <= fitted.pop(("X", "Y")) <= 0.640
    assert fitted.between(0.810, 0.818).all()


def test_every_pair_of_beliefs_refutes_the_misleading_one():
    prior = fit_prior(BELIEFS, VARIABLES, expected_parents=None, num_samples=10**5)
    assert [conflict.sentence for conflict in prior.conflicts] == [
        f"X causes {v} (0.9) and {v} causes Y (0.9) force X causes Y to at least 0.8; you said 0.1"
        for v in BETWEEN
    ]
    bound = prior.probability("X", "causes", "Y")
    assert (bound.lower, bound.upper) == pytest.approx((0.8, 1))
