"""`Planes`: families in fractions, a bound on all graphs, tightened by clusters without cycles.

Of each node the families come to one, and in each cluster of nodes those without a parent in it to
one at least; the DAGs are the solutions in whole numbers. Whatever prices λ ≥ 0 the clusters have,
no DAG scores more than

    Σ_v max over families of v of (score + Σ prices of the clusters that it keeps) − Σ λ,

so that a bound is one whatever the accuracy of the programme that proposed the prices. Pairs whose
paths count are nodes of their own, with ties for families, and what ties and families have to do
with each other is priced in the same way (`PathTerms`).
"""

from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import block_diag, csr_array, hstack, vstack

from pathprior.kernels.exact.clusters import LEAST_VIOLATION, find_clusters
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.search.parent_sets import ParentSets
from pathprior.search.path_terms import PathTerms

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
MOST_CLUSTERS = 60
"""Clusters that are added at a time."""
MOST_FOUND = 2000
"""Clusters that are looked at."""
NOTHING = 1e-9
"""Fractions below it are none."""
INFEASIBLE = 2
"""What SciPy says of a programme without a solution."""


@dataclass(frozen=True, slots=True, eq=False)
class Fractions:
    """The best fractions, and what they prove.

    Attributes
    ----------
    values, ties
        By family; by pair and tie.
    bound
        No DAG of these families scores more.
    losses
        By how much the bound falls, at least, for DAGs with this family.
    """

    values: Floats
    ties: Floats
    bound: float
    losses: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """A best choice of a family of each node, as far as the time went.

    Attributes
    ----------
    chosen
        The family of each node, of the best choice found; None if none was.
    ties
        The tie of each pair that is claimed along with them.
    bound
        No choice that keeps all that is known scores more: −∞ if there is none.
    is_best
        Whether nothing is better than ``chosen``.
    """

    chosen: Ints | None
    ties: Ints
    bound: float
    is_best: bool


@dataclass(slots=True, eq=False)
class Planes:
    """The clusters known so far, at first all nodes; they hold for all families of these."""

    num_nodes: int
    terms: PathTerms
    clusters: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.clusters = [(1 << self.num_nodes) - 1]

    def add(self, clusters: list[int]) -> int:
        """Add those that are new; return how many these are."""
        known = set(self.clusters)
        new = [cluster for cluster in dict.fromkeys(clusters) if cluster not in known]
        self.clusters += new
        return len(new)

    def solve(self, families: ParentSets) -> Fractions | None:
        """The best fractions; None if there are none."""
        first, links, rows, least = self._programme(families)
        worths = np.concatenate([families.scores, self.terms.weights])
        is_allowed = self._is_allowed(families)
        most: Any = np.column_stack([np.zeros(len(worths)), is_allowed])
        answer = linprog(
            -worths,
            A_ub=-rows,
            b_ub=-least,
            A_eq=vstack([first, links]),
            b_eq=np.repeat([1.0, 0.0], [first.shape[0], links.shape[0]]),
            bounds=most,
            method="highs-ds",
        )
        if answer.status == INFEASIBLE:
            return None
        prices, of_links, found = np.zeros(len(least)), np.zeros(links.shape[0]), np.zeros(0)
        if answer.x is not None:  # else it did not settle, which says nothing
            prices = np.maximum(-answer.ineqlin.marginals, 0.0)
            of_links, found = answer.eqlin.marginals[first.shape[0] :], answer.x
        values = worths + rows.T @ prices + links.T @ of_links
        own, of_ties = np.split(np.where(is_allowed, values, -inf), [len(families.scores)])
        best = np.maximum.reduceat(own, families.first[:-1])
        best_ties = of_ties.reshape(-1, NUM_TIES).max(axis=1)
        bound = float(best.sum() + best_ties.sum() - prices @ least)
        losses = np.repeat(best, np.diff(families.first)) - own
        some = np.where(found > NOTHING, found, 0.0) if len(found) else np.zeros(len(worths))
        fractions, ties = np.split(some, [len(own)])
        return Fractions(fractions, ties.reshape(-1, NUM_TIES), bound, losses)

    def find(self, families: ParentSets, fractions: Floats) -> int:
        """Add clusters that the fractions violate; return how many."""
        some = np.flatnonzero(fractions)
        children, sets = families.children[some], families.sets[some]
        clusters, weights = np.empty(MOST_FOUND, np.int64), np.empty(MOST_FOUND)
        count = find_clusters(children, sets, fractions[some], self.num_nodes, clusters, weights)
        lightest = np.argsort(weights[:count], kind="stable")[:MOST_CLUSTERS]
        return self.add(clusters[lightest].tolist())

    def find_lightest(self, families: ParentSets, fractions: Floats, time_limit: float) -> int:
        """Add the most violated cluster of all, by a programme in whole numbers; return how many.

        y_v says whether v is in the cluster, z_i ≤ y_child whether family i has a parent in it.
        """
        some = np.flatnonzero(fractions)
        n, m = self.num_nodes, len(some)
        members = (families.sets[some][:, None] >> np.arange(n) & 1).astype(float)
        is_child = np.eye(n)[families.children[some]]
        within = np.block(
            [
                [-is_child, np.eye(m)],
                [-members, np.eye(m)],
                [-np.ones((1, n)), np.zeros((1, m))],
            ]
        )
        answer = milp(
            np.concatenate([np.ones(n), -fractions[some]]),
            constraints=LinearConstraint(
                csr_array(within), -np.inf, np.concatenate([np.zeros(2 * m), [-2.0]])
            ),
            integrality=np.repeat([1, 0], [n, m]),
            bounds=Bounds(0, 1),
            options={"time_limit": time_limit},
        )
        if answer.x is None or answer.fun >= 1.0 - LEAST_VIOLATION:
            return 0
        return self.add([sum(1 << v for v in range(n) if answer.x[v] > 0.5)])

    def choose(self, families: ParentSets, time_limit: float) -> Whole:
        """The best whole families that keep what is known; they may have cycles still."""
        first, links, rows, least = self._programme(families)
        worths = np.concatenate([families.scores, self.terms.weights])
        answer = milp(
            -worths,
            constraints=[
                LinearConstraint(first, 1, 1),
                LinearConstraint(links, 0, 0),
                LinearConstraint(rows, least, np.inf),
            ],
            integrality=np.ones(len(worths), np.int64),
            bounds=Bounds(0, self._is_allowed(families).astype(float)),
            options={"time_limit": time_limit, "mip_rel_gap": 0.0},
        )
        nothing = np.empty(0, np.int64)
        if answer.status == INFEASIBLE:
            return Whole(None, nothing, -inf, True)
        bound = inf if answer.mip_dual_bound is None else -float(answer.mip_dual_bound)
        if answer.x is None:
            return Whole(None, nothing, bound, False)
        own, ties = np.split(answer.x, [len(families.scores)])
        claimed = ties.reshape(-1, NUM_TIES).argmax(axis=1)
        return Whole(np.flatnonzero(own > 0.5), claimed, bound, answer.status == 0)

    def _is_allowed(self, families: ParentSets) -> NDArray[np.bool_]:
        """By family, and by tie of the pairs."""
        return np.concatenate([np.ones(len(families.scores), np.bool_), self.terms.is_allowed])

    def _programme(self, families: ParentSets) -> tuple[Any, Any, Any, Floats]:
        """Rows that are one, that are zero, that are at least so much, and how much."""
        num_families, num_pairs = len(families.scores), self.terms.num_pairs
        num_ties = NUM_TIES * num_pairs
        pairs = csr_array(
            (np.ones(num_ties), np.arange(num_ties), np.arange(0, num_ties + 1, NUM_TIES)),
            shape=(num_pairs, num_ties),
        )
        nodes = csr_array(
            (np.ones(num_families), np.arange(num_families), families.first),
            shape=(families.num_nodes, num_families),
        )
        clusters = np.array(self.clusters, np.int64)[:, None]
        is_child = (clusters >> families.children & 1).astype(bool)
        is_kept = csr_array((is_child & (families.sets & clusters == 0)).astype(float))
        cut_rows, cut_least = self.terms.rows(families)
        rows = vstack([hstack([is_kept, csr_array((len(clusters), num_ties))]), cut_rows])
        least = np.concatenate([np.ones(len(clusters)), cut_least])
        return block_diag([nodes, pairs]).tocsr(), self.terms.links(families), rows.tocsr(), least


def find_cycles(parents: list[int]) -> list[int]:
    """Cycles of a graph in which each node has at least one parent left, as sets of nodes.

    One from each node that is on or below a cycle; none of a DAG.
    """
    left = sum(1 << v for v in range(len(parents)))
    while True:
        free = sum(1 << v for v in range(len(parents)) if left >> v & 1 and not parents[v] & left)
        if not free:
            break
        left ^= free
    cycles = []
    for v in range(len(parents)):
        if left >> v & 1:
            path = [v]
            while True:
                above = parents[path[-1]] & left
                u = (above & -above).bit_length() - 1
                if u in path:
                    break
                path.append(u)
            cycles.append(sum(1 << u for u in path[path.index(u) :]))
    return list(dict.fromkeys(cycles))
