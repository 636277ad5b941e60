"""`Move`: a way from graph to graph that chains offer besides those that are compiled.

It says how probable the way back is; the chain decides by what both graphs are worth, so that the
distribution which it samples stays the same, whatever the move.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import GraphError
from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.posterior.state import Chain, Target
from pathprior.problem.pair_codes import graph_of, read_codes, weigh_pairs
from pathprior.score.score import Scorer

Matrix = NDArray[np.bool_]
STREAM = 3
"""Which numbers decide over moves: others than over latents."""


class Move(Protocol):
    """A proposal of the Metropolis–Hastings algorithm; made once for each draw of a chain."""

    def propose(self, adjacency: Matrix, generator: np.random.Generator) -> tuple[Matrix, float]:
        """Another graph, and log q(back) − log q(there).

        ``adjacency[u, v]`` is u → v, variables in the order of their names. What is no DAG within
        the rules is never accepted.
        """
        ...


def offer(move: Move, number: int, target: Target, chain: Chain, scorer: Scorer) -> bool:
    """Propose, and go there with probability min(1, π(there) q(back) / (π(here) q(there))).

    ``number`` is the place of the move among those of the chain.
    """
    num_nodes = len(chain.local)
    # the numbers of the chain decide: they are never the same twice
    generator = np.random.default_rng([*chain.random.tolist(), STREAM, number])
    here: Matrix = unpack_row(chain.graph.parents, num_nodes).T
    there, log_ratio = move.propose(here.copy(), generator)
    dag = _possible(there, target, num_nodes)
    if dag is None or np.array_equal(here, there):
        return False
    changed = np.flatnonzero((here != there).any(axis=0)).tolist()
    local = chain.local.copy()
    for v in changed:
        parents = np.flatnonzero(there[:, v]).tolist()
        local[v] = scorer.local(v, parents) + target.prior.log_edge_odds * len(parents)
    graph = graph_of(dag)
    weights, codes = target.prior.log_weights, read_codes(target.prior, graph)
    gain = float(local.sum() - chain.local.sum()) + weigh_pairs(target.prior, graph)
    gain -= float(weights[np.arange(len(weights)), chain.codes].sum())
    if not np.log(generator.random()) < gain + log_ratio:
        return False
    chain.graph.parents[...] = graph.parents
    chain.graph.ancestors[...] = graph.ancestors
    chain.children[...] = pack_rows(dag.adjacency)[None]
    chain.local[...], chain.codes[...] = local, codes
    return True


def _possible(adjacency: Matrix, target: Target, num_nodes: int) -> Dag | None:
    """The graph, if it is one within the rules."""
    limits = target.limits
    forbidden = unpack_row(limits.forbidden, num_nodes).T
    required = unpack_row(limits.required, num_nodes).T
    if (adjacency & forbidden).any() or (required & ~adjacency).any():
        return None
    if adjacency.sum(axis=0).max(initial=0) > limits.max_parents:
        return None
    try:
        return Dag(tuple(map(str, range(num_nodes))), adjacency)
    except GraphError:
        return None
