"""A graph to start from: one that keeps the edge rules and breaks no hard belief."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import SearchError
from pathprior.graph.dag import Dag
from pathprior.graph.edge_rules import EdgeRules
from pathprior.graph.possible_ties import PossibleTies, blame
from pathprior.graph.tie import LATER, say_ties
from pathprior.kernels.graph.ancestors import insert_edge, remove_edge
from pathprior.kernels.graph.graph_state import Graph, can_insert
from pathprior.kernels.prior.graph_prior import read_code

MAX_TRIES = 10_000
"""Edges tried before the search for a start graph gives up."""


class UndecidedError(SearchError):
    """Whether any graph is left was not found out."""


def find_start(rules: EdgeRules, pairs: NDArray[np.int64], log_weights: NDArray[np.float64]) -> Dag:
    """Find a graph with the required edges that keeps the rules and every hard belief.

    Every such graph grows from the required edges by insertions, and insertions only lead
    ⇎ → ⇔ → ⇒ or ⇐, which may get their edge. So: depth first, insert an edge that mends the first
    broken belief, or else any that can lie on a path to its ends; go back where a pair can never be
    mended.

    Raises
    ------
    SearchError
        If there is none, or if `MAX_TRIES` edges were not enough to tell.
    """
    dag = Dag(rules.variables, rules.required)
    is_allowed = np.isfinite(log_weights)
    hard = np.flatnonzero(~is_allowed.all(axis=1))
    if len(hard) == 0:
        return dag
    _require_possible(rules, pairs[hard], is_allowed[hard])
    graph = Graph(dag.parent_words.copy(), dag.ancestor_words.copy())
    mender = _Mender(rules, graph, pairs[hard], is_allowed[hard])
    outcome = mender.run()
    if outcome:
        adjacency = np.zeros_like(rules.required)
        for u, v in mender.inserted:
            adjacency[u, v] = True
        return Dag(rules.variables, rules.required | adjacency)
    beliefs = ", ".join(_say(rules, pairs[k], is_allowed[k]) for k in hard)
    under = f" under {' and '.join(rules.options)}" if rules.options else ""
    if outcome is None:
        raise UndecidedError(
            f"could not decide within {MAX_TRIES} tries whether a graph can hold the hard beliefs "
            f"({beliefs}){under}: pass one as start"
        )
    raise SearchError(f"no graph holds the hard beliefs ({beliefs}){under}: drop one of them")


def require_hard_beliefs(
    dag: Dag, pairs: NDArray[np.int64], log_weights: NDArray[np.float64]
) -> None:
    """Raise if ``dag`` breaks a hard belief; the pairs are positions in its nodes."""
    for (x, y), weights in zip(pairs, log_weights, strict=True):
        tie = dag.tie(dag.nodes[x], dag.nodes[y])
        if not np.isfinite(weights[tie]):
            # what is said of paths is not said of the edge alone
            excluded = tie if np.isfinite(weights[tie.relation]) else tie.relation
            raise SearchError(
                f"the start graph has {dag.nodes[x]} {excluded.symbol} {dag.nodes[y]}, which a "
                "hard belief excludes: start from another graph"
            )


class _Mender:
    """Depth-first search for insertions that mend every broken pair."""

    def __init__(
        self,
        rules: EdgeRules,
        graph: Graph,
        pairs: NDArray[np.int64],
        is_allowed: NDArray[np.bool_],
    ) -> None:
        self.rules = rules
        self.limits = rules.limits()
        self.graph = graph
        self.pairs = pairs
        self.is_allowed = is_allowed
        self.inserted: list[tuple[int, int]] = []

    def run(self) -> bool | None:
        """Whether it succeeded, with `inserted` the edges; None if it had to give up."""
        seen = {self.graph.parents.tobytes()}
        num_tries = 0
        if self._is_dead():
            return False
        levels = [self._edges_to_try()]
        while levels:
            if self._first_broken() is None:
                return True
            edge = next(levels[-1], None)
            if edge is None:
                levels.pop()
                if self.inserted:
                    remove_edge(self.graph.parents, self.graph.ancestors, *self.inserted.pop())
                continue
            num_tries += 1
            if num_tries > MAX_TRIES:
                return None
            insert_edge(self.graph.parents, self.graph.ancestors, *edge)
            key = self.graph.parents.tobytes()
            if key in seen or self._is_dead():
                remove_edge(self.graph.parents, self.graph.ancestors, *edge)
                continue
            seen.add(key)
            self.inserted.append(edge)
            levels.append(self._edges_to_try())
        return False

    def _tie(self, k: int) -> int:
        return int(read_code(self.graph, *self.pairs[k]))

    def _first_broken(self) -> int | None:
        for k in range(len(self.pairs)):
            if not self.is_allowed[k, self._tie(k)]:
                return k
        return None

    def _is_dead(self) -> bool:
        """Whether some pair is beyond mending: insertions never undo a path or a common cause."""
        for k in range(len(self.pairs)):
            code = self._tie(k)
            if not self.is_allowed[k, LATER[code]].any():
                return True  # the usual case, told at once
        possible = PossibleTies(self.rules, self.graph)
        return any(
            not (possible.of(x, y) & allowed).any()
            for (x, y), allowed in zip(self.pairs.tolist(), self.is_allowed, strict=True)
        )

    def _edges_to_try(self) -> Iterator[tuple[int, int]]:
        """Legal insertions above the first broken pair, those that mend it at once first."""
        broken = self._first_broken()
        if broken is None:
            return
        num_nodes = self.graph.parents.shape[0]
        others: list[tuple[int, int]] = []
        x, y = (int(end) for end in self.pairs[broken])
        above = PossibleTies(self.rules, self.graph).above(x, y)
        candidates = [(x, y), (y, x)]
        candidates += [(u, v) for v in (x, y) for u in range(num_nodes)]
        candidates += [(u, v) for v in np.flatnonzero(above).tolist() for u in range(num_nodes)]
        for u, v in dict.fromkeys(candidates):
            if u == v or not can_insert(self.graph, self.limits, u, v):
                continue
            insert_edge(self.graph.parents, self.graph.ancestors, u, v)
            is_mended = bool(self.is_allowed[broken, self._tie(broken)])
            remove_edge(self.graph.parents, self.graph.ancestors, u, v)
            if is_mended:
                yield u, v
            else:
                others.append((u, v))
        yield from others


def _require_possible(
    rules: EdgeRules, pairs: NDArray[np.int64], is_allowed: NDArray[np.bool_]
) -> None:
    """Refuse a belief if the rules leave its pair none of the ties that it allows."""
    possible = PossibleTies(rules)
    for (x, y), allowed in zip(pairs.tolist(), is_allowed, strict=True):
        if not (possible.of(x, y) & allowed).any():
            raise SearchError(
                f"no graph holds the hard belief {_say(rules, (x, y), allowed)}, ruled out by "
                f"{blame(rules, x, y, np.flatnonzero(allowed))}: drop it or change the rule"
            )


def _say(rules: EdgeRules, pair: Sequence[int], allowed: NDArray[np.bool_]) -> str:
    ties = say_ties(np.flatnonzero(allowed).tolist())
    return f"{rules.variables[pair[0]]} {ties} {rules.variables[pair[1]]}"
