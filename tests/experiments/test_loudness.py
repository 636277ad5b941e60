"""How far each repair's weights are apart: what docs/reproduction.md says about loudness."""

import numpy as np
import pytest

from pathprior.experiments.experiment import Scale
from pathprior.experiments.experts import Coherence, Experts, draw_beliefs
from pathprior.experiments.methods import Fitting
from pathprior.experiments.networks import NETWORKS_EXPERIMENT, load
from pathprior.experiments.trial import Trial

REPAIRS = [
    Fitting("gema"),
    Fitting("soft", strength=10.0),
    Fitting("soft", strength=1.0),
    Fitting("independent"),
]


def draw_priors(task):
    """The priors of one repeat of the networks, its true experts fitted by every repair."""
    seed = task["seed"]
    truth = Trial.draw(load(task["network"]), 1, seed=seed).truth
    beliefs = draw_beliefs(
        truth,
        num_components=3,
        component_size=4,
        coherence=Coherence.INCOHERENT,
        experts=Experts.TRUE,
        rng=np.random.default_rng([seed, 0]),
    )
    return [repair.fit(beliefs, truth.nodes) for repair in REPAIRS]


def test_gema_shouts_loudest():
    tasks = NETWORKS_EXPERIMENT.tasks(Scale.QUICK, 0)
    chosen = [t for t in tasks if (t["network"], t["experts"]) == ("alarm", "true")][:8]
    weights = np.array([[prior.log_weights for prior in draw_priors(task)] for task in chosen])
    ranges = (weights.max(axis=-1) - weights.min(axis=-1)).mean(axis=(0, 2))
    directions = np.abs(weights[..., 0] - weights[..., 1]).mean(axis=(0, 2))
    assert ranges == pytest.approx([8.4, 5.6, 2.2, 5.0], abs=0.051)
    assert directions == pytest.approx([3.5, 1.6, 0.2, 0.6], abs=0.051)
