"""The swap-equivalent operator on named graphs: same data score, best prior (paper, §7.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pathprior.errors import SearchError
from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.graph.ancestors import relation_code
from pathprior.kernels.graph.swap import TRUNCATED, swap_equivalent

DEFAULT_BUDGET = 100_000


@dataclass(frozen=True, slots=True)
class SwapResult:
    """The best Markov-equivalent DAG found.

    Attributes
    ----------
    dag
        The given DAG if no equivalent one is better by more than 1e-9.
    log_prior
        Σ_k log_weights[k, relation of pair k in ``dag``].
    is_exact
        Whether the search finished within its budget, so that no member of the class is better.
    """

    dag: Dag
    log_prior: float
    is_exact: bool


def best_equivalent(
    dag: Dag,
    pairs: Sequence[tuple[str, str]],
    log_weights: ArrayLike,
    *,
    required: Iterable[tuple[str, str]] = (),
    forbidden: Iterable[tuple[str, str]] = (),
    budget: int = DEFAULT_BUDGET,
) -> SwapResult:
    """Find the DAG with the highest path prior in the Markov equivalence class of ``dag``.

    Branch and bound over the reversible edges; a score-equivalent data score is the same for all
    members. Edges on which no belief depends keep their direction where they can. The largest
    number of parents is the same in all members: the parents of a node are its component's common
    ones and a clique inside it, and the largest clique has a last node in every member.

    Parameters
    ----------
    dag
        The graph to start from; it must satisfy the constraints below.
    pairs
        Ordered pairs of nodes, one per belief.
    log_weights
        One row ⟨⇒, ⇐, ⇔, ⇎⟩ per pair; −inf rules a relation out.
    required, forbidden
        Edges (parent, child) the result must or may not have.
    budget
        Largest number of search nodes.

    Raises
    ------
    SearchError
        If the weights do not fit the pairs, or ``dag`` breaks a constraint.
    """
    index_pairs = _index_pairs(dag, pairs)
    weights = _check_weights(log_weights, len(index_pairs))
    if budget < 1:
        raise SearchError(f"the budget must be at least 1 search node, not {budget}")
    parents, ancestors = dag.parent_words.copy(), dag.ancestor_words.copy()
    status = swap_equivalent(
        parents,
        ancestors,
        index_pairs,
        weights,
        _forbidden_words(dag, required, forbidden),
        budget,
    )
    adjacency = np.zeros_like(dag.adjacency)
    for v in range(dag.num_nodes):
        adjacency[:, v] = unpack_row(parents[v], dag.num_nodes)
    relations = [relation_code(ancestors, x, y) for x, y in index_pairs]
    return SwapResult(
        dag=Dag(dag.nodes, adjacency),
        log_prior=float(weights[np.arange(len(weights)), relations].sum()),
        is_exact=not status & TRUNCATED,
    )


def _index_pairs(dag: Dag, pairs: Sequence[tuple[str, str]]) -> NDArray[np.int64]:
    indices = [(dag.index(x), dag.index(y)) for x, y in pairs]
    for i, j in indices:
        if i == j:
            raise SearchError(f"a belief needs two different nodes, not {dag.nodes[i]!r} twice")
    return np.array(indices, dtype=np.int64).reshape(-1, 2)


def _check_weights(log_weights: ArrayLike, num_pairs: int) -> NDArray[np.float64]:
    weights = np.array(log_weights, dtype=np.float64, order="C")
    if weights.size == 0:
        weights = weights.reshape(-1, 4)
    if weights.shape != (num_pairs, 4):
        raise SearchError(f"log_weights has shape {weights.shape}; the pairs need {(num_pairs, 4)}")
    if np.isnan(weights).any() or np.isposinf(weights).any():
        raise SearchError("log_weights must be finite or −inf; found NaN or +inf")
    return weights


def _forbidden_words(
    dag: Dag, required: Iterable[tuple[str, str]], forbidden: Iterable[tuple[str, str]]
) -> NDArray[np.uint64]:
    """Row v: nodes that may not be parents of v; required u → v becomes forbidden v → u."""
    mask = np.zeros_like(dag.adjacency)
    for parent, child in forbidden:
        u, v = dag.index(parent), dag.index(child)
        if dag.adjacency[u, v]:
            raise SearchError(f"the given DAG has the forbidden edge {parent!r} → {child!r}")
        mask[v, u] = True
    for parent, child in required:
        u, v = dag.index(parent), dag.index(child)
        if not dag.adjacency[u, v]:
            raise SearchError(f"the given DAG lacks the required edge {parent!r} → {child!r}")
        mask[u, v] = True
    return pack_rows(mask)
