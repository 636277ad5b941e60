import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.kernels.listed.loglinear import add_marginals, add_moments, add_scores
from tests.oracles import prior_kernels as oracle

pytestmark = pytest.mark.kernel


@st.composite
def patterns(draw):
    """Events of a few beliefs with two to four events each, numbered through."""
    sizes = draw(st.lists(st.integers(2, 4), min_size=1, max_size=4))
    num_patterns = draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    starts = np.cumsum([0, *sizes])
    columns = [
        start + rng.integers(0, n, num_patterns)
        for start, n in zip(starts[:-1], sizes, strict=True)
    ]
    events = np.stack(columns, axis=1).astype(np.int16)
    return events, int(starts[-1]), rng


@given(patterns())
def test_kernels_agree_with_plain_sums(case):
    events, num_events, rng = case
    weights, theta = rng.random(len(events)), rng.normal(size=num_events)

    out = np.zeros(len(events))
    add_scores(events, theta, out)
    assert out == pytest.approx(oracle.scores(events, theta))

    out = np.zeros(num_events)
    add_marginals(events, weights, out)
    assert out == pytest.approx(oracle.marginals(events, weights, num_events))

    out = np.zeros((num_events, num_events))
    add_moments(events, weights, out)
    assert out == pytest.approx(np.array(oracle.moments(events, weights, num_events)))
