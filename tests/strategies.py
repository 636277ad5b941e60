"""Hypothesis strategies shared by the tests."""

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from pathprior import Dag


@st.composite
def adjacencies(draw: st.DrawFn, min_nodes: int = 1, max_nodes: int = 8) -> NDArray[np.bool_]:
    """Adjacency matrices of DAGs whose node order is not topological."""
    num_nodes = draw(st.integers(min_nodes, max_nodes))
    density = draw(st.sampled_from([0.05, 0.2, 0.5, 0.9]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    upper = np.triu(rng.random((num_nodes, num_nodes)) < density, k=1)
    order = rng.permutation(num_nodes)
    return upper[np.ix_(order, order)]


@st.composite
def dags(draw: st.DrawFn, min_nodes: int = 1, max_nodes: int = 8) -> Dag:
    """DAGs with nodes named v0, v1, …"""
    adjacency = draw(adjacencies(min_nodes, max_nodes))
    return Dag(tuple(f"v{i}" for i in range(len(adjacency))), adjacency)
