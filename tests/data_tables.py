"""Small coded tables for the tests of scores and searches."""

import numpy as np
from hypothesis import strategies as st

from pathprior.data.table import DataTable


def make_table(codes: np.ndarray, num_states: list[int]) -> DataTable:
    names = tuple(f"v{i}" for i in range(len(codes)))
    return DataTable(names, codes, tuple(tuple(map(str, range(r))) for r in num_states))


@st.composite
def tables(draw: st.DrawFn, max_variables: int = 6) -> DataTable:
    """Small tables of dependent columns; some states may never occur."""
    num_variables = draw(st.integers(2, max_variables))
    num_rows = draw(st.sampled_from([1, 3, 63, 64, 65, 130, 700]))
    num_states = draw(st.lists(st.integers(1, 5), min_size=num_variables, max_size=num_variables))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    common = rng.integers(0, 60, num_rows)
    is_noise = rng.random((num_variables, num_rows)) < 0.5
    raw = np.where(is_noise, rng.integers(0, 60, is_noise.shape), common)
    codes = (raw % np.array(num_states)[:, None]).astype(
        draw(st.sampled_from([np.uint8, np.uint16]))
    )
    return make_table(codes, num_states)
