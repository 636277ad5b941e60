"""The bound on what a move adds to the prior, against listing the members of both classes."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pathprior.graph.bitset import pack_rows
from pathprior.graph.dag import Dag
from pathprior.graph.equivalence import essential_matrix
from pathprior.kernels.classes.state import Reach
from pathprior.kernels.prior.class_moves import ANY, bound_prior_gain
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.kernels.steps import INSERT, REMOVE, REVERSE
from tests.kernels import entered
from tests.oracles.class_moves import OBSERVED, changed_members
from tests.oracles.equivalence import Signature
from tests.oracles.graph import Edges, edge_matrix, edge_set
from tests.oracles.interventional import (
    Family,
    cut_by,
    members_under,
    random_families,
    signatures,
)
from tests.oracles.prior import log_prior
from tests.oracles.ties import random_weights, tie
from tests.strategies import dags

pytestmark = pytest.mark.kernel

KINDS = {"insert": INSERT, "remove": REMOVE, "reverse": REVERSE}
KNOWN: dict[tuple[Family, tuple[Signature, ...]], tuple[Edges, ...]] = {}


def members_of(edges: Edges, family: Family) -> tuple[Edges, ...]:
    own = (family, signatures(edges, family))
    if own not in KNOWN:
        KNOWN[own] = members_under(edges, family)
    return KNOWN[own]


def closed(adjacency: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Row v: v and everything that leads to it."""
    graph = nx.from_numpy_array(adjacency, create_using=nx.DiGraph)
    return pack_rows(nx.to_numpy_array(nx.transitive_closure(graph, reflexive=True)).T > 0)


@pytest.mark.parametrize("is_observed", [True, False])
@given(dags(min_nodes=2, max_nodes=5), st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_no_move_adds_more_to_the_prior_than_its_bound(
    is_observed: bool, dag: Dag, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    n = dag.num_nodes
    family = OBSERVED if is_observed else random_families(n, 10)[seed % 10]
    every = np.array([rng.permutation(pair) for pair in combinations(range(n), 2)], dtype=np.int64)
    pairs = rng.permutation(every)[:3]
    log_weights = random_weights(rng, len(pairs), 3.0)

    def prior(edges: Edges) -> float:
        return log_prior(edge_matrix(edges, n), pairs, log_weights)

    edges = edge_set(dag.adjacency)
    best = max(members_of(edges, family), key=prior)
    adjacency = edge_matrix(best, n)
    essential = essential_matrix(dag, cut_by(family, n))
    weights = GraphPrior(pairs, log_weights, 0.0)
    ancestors = closed(adjacency)
    reach = Reach(
        certain=closed(essential & ~essential.T),
        below=closed(essential.T),
        codes=np.array([tie(adjacency, x, y) for x, y in pairs]),
    )
    most = log_weights.max(axis=1).sum() - prior(best)
    for kind, x, y, changed in changed_members(edges, n, family):
        gain = max(prior(member) for member in members_of(changed, family)) - prior(best)
        for parent in (x, ANY):
            bound = entered(bound_prior_gain)(weights, ancestors, reach, KINDS[kind], parent, y)
            assert gain <= bound + 1e-9
            assert bound <= most + 1e-9
