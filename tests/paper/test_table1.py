"""Table 1 of the paper: three incoherent beliefs on five variables, and the joint they induce."""

import math

import numpy as np
import pytest

from pathprior.beliefs.belief import relation
from pathprior.graph.dag import Dag
from pathprior.prior.fit import fit_prior

VARIABLES = list("XYZAB")
K = [
    relation("X", "Y", (0.8, 0.132, 0.028, 0.04), strength=10),
    relation("Y", "Z", (0.9, 0.066, 0.014, 0.02), strength=10),
    relation("X", "Z", (0.6, 0.264, 0.056, 0.08), strength=10),
]
K_PRIME = np.array(
    [
        [0.764, 0.159, 0.032, 0.045],
        [0.879, 0.082, 0.016, 0.023],
        [0.646, 0.231, 0.051, 0.073],
    ]
)
C_1 = ("⇒", "⇒", "⇒")
C_49 = ("⇎", "⇒", "⇒")
C_64 = ("⇎", "⇎", "⇎")


def rows(prior):
    return {tuple(row[:3]): row for row in prior.joint().itertuples(index=False)}


def values(prior, column):
    joint = rows(prior)
    return [getattr(joint[configuration], column) for configuration in (C_1, C_49, C_64)]


@pytest.fixture(scope="module")
def gema():
    return fit_prior(K, VARIABLES, expected_parents=None, repair="gema")


def test_gema_gives_the_printed_marginals(gema):
    assert gema.marginals == pytest.approx(K_PRIME, abs=1e-3)


def test_gema_gives_the_printed_joint(gema):
    assert len(gema.joint()) == 41
    j_1, j_49, j_64 = values(gema, "J")
    assert j_1 == pytest.approx(0.6443, abs=2e-4)
    assert j_49 == pytest.approx(4.55e-4, rel=0.02)
    assert j_64 == pytest.approx(2.79e-5, rel=0.02)
    assert values(gema, "num_dags") == [2800, 1045, 309]


def test_gema_gives_the_printed_scores(gema):
    chain = Dag.from_edges(VARIABLES, [("X", "Y"), ("Y", "Z")])
    assert gema.log_prob(chain) == pytest.approx(-8.377, abs=1e-3)
    collider = Dag.from_edges(VARIABLES, [("X", "Z"), ("Y", "Z")])
    assert gema.log_prob(collider) == pytest.approx(-14.647, abs=0.03)
    assert gema.log_prob(collider) == pytest.approx(math.log(values(gema, "J")[1] / 1045))


def test_soft_fit():
    prior = fit_prior(K, VARIABLES, expected_parents=None, repair="soft")
    assert values(prior, "J") == pytest.approx([0.597308, 1.2155e-2, 7.3533e-4], rel=5e-5)
    assert prior.marginals[0] == pytest.approx([0.73391, 0.1844, 0.03164, 0.05005], rel=1.5e-4)


def test_beliefs_are_incoherent_as_the_caption_says():
    prior = fit_prior(K, VARIABLES, expected_parents=None)
    assert not prior.is_coherent
    bound = prior.probability("X", "causes", "Z")
    assert (bound.lower, bound.upper) == pytest.approx((0.7, 1))
