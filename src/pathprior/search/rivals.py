"""Edges that only statements hold up, each beside all others that could stand in its place.

A statement speaks of a path, which many edges can make. The best graph makes it by the one that
costs the data least, seldom the true one. So whatever the data would rather be without is weighed
once more when the search has ended: given all other edges, which one is it, or none? Its rivals are
the edges that change the relation of a pair which it changes, and agree with what was said better
than none does. With statements counted in full, as a posterior counts them, each has its odds
against none. The one that is more probable than all others and none together is taken; if there is
no such edge, none is.
"""

from dataclasses import dataclass, replace
from math import log

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.graph.ancestors import insert_edge, remove_edge
from pathprior.kernels.graph.graph_state import Graph, can_insert
from pathprior.kernels.prior.graph_prior import Codes
from pathprior.kernels.steps import INSERT, REMOVE, STEP
from pathprior.problem.pair_codes import Change, changed, graph_of, read_codes
from pathprior.problem.problem import Problem
from pathprior.problem.statement_weights import StatementWeights
from pathprior.search.driver import SearchResult
from pathprior.search.method import Search, Watch
from pathprior.search.reliability import as_counted, graph_codes
from pathprior.search.support import data_losses

Edge = tuple[int, int]

MAJORITY = 0.5
"""An edge is taken if it is at least so probable among its rivals and none."""


@dataclass(frozen=True, slots=True)
class Rivals(Search):
    """A search after which edges that statements alone hold up are weighed, see `weigh_rivals`."""

    search: Search

    def run(self, problem: Problem, watch: Watch) -> SearchResult:
        """See `Method.run`."""
        found = self.search.run(problem, watch)
        return found if watch.stop.is_set else weigh_rivals(found.problem or problem, found)


def weigh_rivals(problem: Problem, result: SearchResult) -> SearchResult:
    """Put the most probable edge, or none, in the place of each that only statements hold up.

    The dearest is weighed first, each once, and none that the rules require. The score may fall:
    what is taken is probable together with what it stands among, not the best by itself.
    """
    counted = as_counted(problem)
    dag = Dag(problem.rules.variables, result.adjacency)
    judged = {(int(u), int(v)) for u, v in np.argwhere(problem.rules.required)}
    steps = []
    while (edge := _dearest(problem, dag, judged)) is not None:
        chosen = _most_probable(problem, dag, edge)
        judged |= {edge} | ({chosen} if chosen else set())
        if chosen == edge:
            continue
        for move, moved in ((REMOVE, edge), (INSERT, chosen)):
            if moved is not None:
                last, dag = dag, _turned(dag, moved)
                steps.append((move, *moved, *_gains(problem, counted, last, dag, moved[1])))
    if not steps:
        return result
    made = np.array(steps, STEP).view(np.recarray)
    return replace(
        result,
        adjacency=dag.adjacency,
        data_score=result.data_score + float(made.data_gain.sum()),
        prior_score=result.prior_score + float(made.prior_gain.sum()),
        log=np.concatenate([result.log, made]).view(np.recarray),
    )


def _dearest(problem: Problem, dag: Dag, judged: set[Edge]) -> Edge | None:
    """Of the edges without which data and beliefs would gain, the one that costs them most."""
    believed = problem.statements.log_believed
    graph, here = graph_of(dag), believed(graph_codes(problem, dag))
    costs = {}
    for (parent, child), loss in data_losses(dag, problem.scorer).items():
        edge = dag.index(parent), dag.index(child)
        if edge not in judged:
            there = believed(_codes_after(problem, graph, remove_edge, edge))
            costs[edge] = float(there - here) - loss - problem.weights.log_edge_odds
    dearest = max(costs, key=costs.__getitem__, default=None)
    return dearest if dearest is not None and costs[dearest] > 0 else None


def _most_probable(problem: Problem, dag: Dag, edge: Edge) -> Edge | None:
    """The edge that most likely stands where ``edge`` does; None if no edge is likely enough."""
    rest = _turned(dag, edge)
    rivals = _rivals(problem, rest, graph_codes(problem, dag))
    if not rivals:
        return None
    best = max(rivals, key=rivals.__getitem__)
    total = np.logaddexp.reduce([0.0, *rivals.values()])
    return best if rivals[best] - total >= log(MAJORITY) else None


def _rivals(problem: Problem, rest: Dag, related: Codes) -> dict[Edge, float]:
    """Log odds against none of each edge that stands for one by which pairs are ``related``."""
    graph, limits = graph_of(rest), problem.rules.limits()
    unrelated = graph_codes(problem, rest)
    touched = related != unrelated
    silent = problem.statements.log_prior(unrelated)
    found = {}
    for v in _above(rest, problem.weights.pairs[touched]):
        tails = [u for u in range(rest.num_nodes) if can_insert(graph, limits, u, v)]
        if not tails:
            continue
        codes = np.array([_codes_after(problem, graph, insert_edge, (u, v)) for u in tails])
        gains = problem.statements.log_prior(codes) - silent
        is_rival = (gains > 0) & (codes != unrelated)[:, touched].any(axis=1)
        parents = np.flatnonzero(rest.adjacency[:, v]).tolist()
        alone = problem.scorer.local(v, parents)
        for k in np.flatnonzero(is_rival).tolist():
            data_gain = problem.scorer.local(v, sorted([*parents, tails[k]])) - alone
            found[tails[k], v] = float(gains[k]) + data_gain + problem.weights.log_edge_odds
    return found


def _above(dag: Dag, pairs: NDArray[np.int64]) -> list[int]:
    """The only nodes where an edge can end that changes the relation of one of these pairs."""
    ancestors = unpack_row(dag.ancestor_words[np.unique(pairs)], dag.num_nodes)
    return np.flatnonzero(ancestors.any(axis=0)).tolist()


def _codes_after(problem: Problem, graph: Graph, change: Change, edge: Edge) -> Codes:
    """What the graph with one edge more or less says of each pair."""
    return read_codes(problem.weights, changed(graph, change, edge))


def _turned(dag: Dag, edge: Edge) -> Dag:
    """The graph without the edge if it has it, with it if it has not."""
    adjacency = dag.adjacency.copy()
    adjacency[edge] = not adjacency[edge]
    return Dag(dag.nodes, adjacency)


def _gains(
    problem: Problem, counted: StatementWeights, last: Dag, dag: Dag, child: int
) -> tuple[float, float]:
    """What data and prior gain by another graph, in which one child has other parents."""
    there, here = (
        problem.scorer.local(child, np.flatnonzero(each.adjacency[:, child]).tolist())
        for each in (last, dag)
    )
    told = [counted.log_prior(graph_codes(problem, each)) for each in (last, dag)]
    edges = problem.weights.log_edge_odds * (dag.num_edges - last.num_edges)
    return here - there, float(told[1] - told[0]) + edges
