"""Beliefs in blocks, and a sweep of GEMA over them, against sums belief by belief."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.kernels.listed.gema import BLOCK_CELLS, sweep_blocks
from pathprior.prior.listed.gema import Blocks
from tests.oracles import prior_kernels as oracle

pytestmark = pytest.mark.kernel


@st.composite
def patterns(draw):
    """Events of up to eight beliefs in up to 400 patterns: one to three blocks."""
    sizes = draw(st.lists(st.integers(2, 4), min_size=1, max_size=8))
    num_patterns = draw(st.integers(1, 400))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    starts = np.cumsum([0, *sizes])
    drawn = starts[:-1] + rng.integers(0, sizes, (num_patterns, len(sizes)))
    return np.unique(drawn, axis=0).astype(np.int16), starts, rng


@given(patterns())
def test_cells_tell_the_events(case):
    events, _, _ = case
    blocks = Blocks.of(events)
    assert blocks.first[0] == 0
    assert blocks.first[-1] == events.shape[1]
    for b, cells in enumerate(blocks.cells):
        members = range(blocks.first[b], blocks.first[b + 1])
        assert len(members) > 0
        assert set(cells) == set(range(blocks.num_cells[b]))
        for k in members:
            assert (blocks.cell_events[k, cells] == events[:, k]).all()


def test_a_block_takes_all_that_fits():
    digits = np.indices((4,) * 6).reshape(6, -1).T + 4 * np.arange(6)
    blocks = Blocks.of(digits.astype(np.int16))
    assert blocks.first.tolist() == [0, 4, 6]
    assert blocks.num_cells.tolist() == [BLOCK_CELLS, 16]


@settings(max_examples=40)
@given(patterns())
def test_one_sweep(case):
    events, starts, rng = case
    joint = rng.random(len(events)) + 1e-3
    joint /= joint.sum()
    target = rng.random(starts[-1]) + 0.05
    for start, stop in pairwise(starts):
        target[start:stop] /= target[start:stop].sum()
    expected_joint, expected_factors = oracle.gema_sweep(events, target, joint)

    blocks, before, theta = Blocks.of(events), joint.copy(), np.zeros(starts[-1])
    change = sweep_blocks(
        blocks.cells, blocks.first, blocks.num_cells, blocks.cell_events, target, joint, theta
    )
    assert joint == pytest.approx(expected_joint)
    assert theta == pytest.approx(expected_factors)
    assert change == np.abs(joint - before).max()
