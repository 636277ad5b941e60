from itertools import combinations

import numpy as np
import pytest

from pathprior.errors import ExperimentError
from pathprior.experiments.experts import Coherence, Experts, can_exist, draw_beliefs, is_coherent
from pathprior.network.bundled import load_network
from pathprior.prior.fit import fit_prior

DAG = load_network("asia").dag


def draw(seed=0, *, experts=Experts.TRUE, coherence=Coherence.ANY, components=2, size=3):
    return draw_beliefs(
        DAG,
        num_components=components,
        component_size=size,
        coherence=coherence,
        experts=experts,
        rng=np.random.default_rng(seed),
    )


def favoured(belief):
    return int(np.argmax(belief.stated))


def is_right(belief):
    return favoured(belief) == DAG.relation(belief.x, belief.y)


def test_components_are_disjoint_and_complete():
    beliefs = draw()
    pairs = [{belief.x, belief.y} for belief in beliefs]
    first, second = set().union(*pairs[:3]), set().union(*pairs[3:])
    assert len(beliefs) == 6
    assert len(first) == len(second) == 3
    assert not first & second


def test_true_experts_favour_the_truth_and_share_the_rest_in_proportion_to_u():
    uninformative = fit_prior([], DAG.nodes)  # no belief: U itself
    assert uninformative.is_coherent
    for belief in draw():
        assert is_right(belief)
        assert 0.5 <= max(belief.stated) <= 0.99
        if favoured(belief) > 1:  # U has ⇒ and ⇐ alike
            assert belief.stated[0] == pytest.approx(belief.stated[1])


def test_calibrated_experts_are_right_as_often_as_they_say():
    beliefs = [b for seed in range(150) for b in draw(seed, experts=Experts.CALIBRATED)]
    stated = np.array([max(belief.stated) for belief in beliefs])
    right = np.array([is_right(belief) for belief in beliefs])
    assert right.mean() == pytest.approx(stated.mean(), abs=0.04)
    sure = stated > 0.85
    assert right[sure].mean() == pytest.approx(stated[sure].mean(), abs=0.05)


def test_misled_experts_are_wrong_in_three_of_ten():
    beliefs = [b for seed in range(150) for b in draw(seed, experts=Experts.MISLED)]
    assert np.mean([is_right(belief) for belief in beliefs]) == pytest.approx(0.7, abs=0.04)


@pytest.mark.parametrize("coherence", [Coherence.COHERENT, Coherence.INCOHERENT])
def test_every_component_is_as_asked(coherence):
    for seed in range(3):
        beliefs = draw(seed, coherence=coherence, components=1, size=4)
        prior = fit_prior(beliefs, DAG.nodes)
        assert prior.is_coherent == (coherence is Coherence.COHERENT)


@pytest.mark.parametrize("size", [3, 4])
def test_coherence_agrees_with_the_fit(size):
    for seed in range(8):
        beliefs = draw(seed, components=1, size=size)
        vectors = [belief.stated for belief in beliefs]
        assert (
            is_coherent(vectors, size, DAG.num_nodes) == fit_prior(beliefs, DAG.nodes).is_coherent
        )


def test_the_same_seed_gives_the_same_beliefs():
    assert draw(5) == draw(5)
    assert draw(5) != draw(6)


def test_settings_that_cannot_exist():
    assert [can_exist(size, Coherence.COHERENT) for size in range(1, 5)] == [
        False,
        True,
        True,
        True,
    ]
    assert [can_exist(size, Coherence.INCOHERENT) for size in range(1, 5)] == [
        False,
        False,
        True,
        True,
    ]
    with pytest.raises(ExperimentError, match="3 components of 4 nodes"):
        draw(components=3, size=4)


def test_pairs_come_in_the_order_of_the_nodes():
    nodes = list(dict.fromkeys(name for b in draw(components=1) for name in (b.x, b.y)))
    assert [(b.x, b.y) for b in draw(components=1)] == list(combinations(nodes, 2))
