"""Random restarts: climb again from disturbed copies of the first optimum, keep the best."""

from dataclasses import dataclass, replace

import numpy as np

from pathprior.graph.dag import Dag
from pathprior.graph.edge_rules import EdgeRules
from pathprior.kernels.graph.ancestors import insert_edge, remove_edge, reverse_edge
from pathprior.kernels.graph.graph_state import can_insert, can_reverse
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.problem.pair_codes import breaks_belief, graph_of
from pathprior.problem.problem import Problem
from pathprior.search.driver import BOUND_TOLERANCE, SearchResult
from pathprior.search.method import Search, Watch


@dataclass(frozen=True, slots=True)
class Restarts(Search):
    """The best of a search and of further ones from disturbances of its graph.

    Ties go to the earlier one. Each begins after as many random legal moves as there are variables.
    The restarts do not see each other, so the result does not depend on ``num_jobs``.

    Attributes
    ----------
    first, again
        What finds the graph that is disturbed, and what begins at its disturbances.
    number
        How many restarts there are.
    """

    first: Search
    again: Search
    number: int
    seed: int
    num_jobs: int = 1

    def run(self, problem: Problem, watch: Watch) -> SearchResult:
        """See `Method.run`."""
        from joblib import Parallel, cpu_count, delayed

        first = self.first.run(problem, watch)
        if watch.stop.is_set:
            return first
        here = first.problem or problem
        optimum = Dag(here.rules.variables, first.adjacency)

        def run(child: np.random.SeedSequence) -> SearchResult:
            generator = np.random.default_rng(child)
            disturbed = disturb(optimum, here.rules, here.weights, generator)
            start = possible_start(here, disturbed, optimum)
            return self.again.run(replace(here, start=start), watch.unseen)

        children = np.random.SeedSequence(self.seed).spawn(self.number)
        # Threads suffice: the kernels release the interpreter. More than processors only wait.
        num_threads = min(self.num_jobs, cpu_count())
        runs = Parallel(n_jobs=num_threads, prefer="threads")(
            delayed(run)(child) for child in children
        )
        best = first
        for result in runs:
            if result.score > best.score:
                best = result
        rounding = BOUND_TOLERANCE * max(1.0, abs(best.score))
        num_found = sum(result.score >= best.score - rounding for result in runs)
        if best is not first:
            num_found -= 1
        elif first.num_searches:
            num_found += first.found_again
        found = replace(
            best,
            num_searches=first.num_searches + len(runs),
            found_again=num_found,
            rounds=first.rounds,
        )
        return found.on(here, watch.why(first.reason))


def possible_start(problem: Problem, start: Dag, otherwise: Dag) -> Dag:
    """Take the parents of families away that the score rules out, all but required ones.

    ``otherwise`` where that breaks a hard belief.
    """
    if not problem.scorer.may_rule_out:
        return start
    adjacency = start.adjacency.copy()
    for v in range(start.num_nodes):
        if problem.scorer.local(v, np.flatnonzero(adjacency[:, v]).tolist()) == -np.inf:
            adjacency[:, v] = problem.rules.required[:, v]
    mended = Dag(start.nodes, adjacency)
    return otherwise if breaks_belief(problem.weights, graph_of(mended)) else mended


def disturb(dag: Dag, rules: EdgeRules, prior: GraphPrior, generator: np.random.Generator) -> Dag:
    """Make as many random legal moves as there are variables; no hard belief breaks."""
    graph = graph_of(dag)
    limits = rules.limits()
    adjacency = dag.adjacency.copy()
    num_nodes = dag.num_nodes
    if num_nodes < 2:
        return dag
    for _ in range(num_nodes):
        u, v = (int(i) for i in generator.choice(num_nodes, size=2, replace=False))
        if adjacency[v, u]:
            u, v = v, u
        is_reversal = bool(generator.integers(2))
        if not adjacency[u, v]:
            if not can_insert(graph, limits, u, v):
                continue
            insert_edge(graph.parents, graph.ancestors, u, v)
            if breaks_belief(prior, graph):
                remove_edge(graph.parents, graph.ancestors, u, v)
            else:
                adjacency[u, v] = True
        elif rules.required[u, v]:
            continue
        elif is_reversal:
            if not can_reverse(graph, limits, u, v):
                continue
            reverse_edge(graph.parents, graph.ancestors, u, v)
            if breaks_belief(prior, graph):
                reverse_edge(graph.parents, graph.ancestors, v, u)
            else:
                adjacency[u, v], adjacency[v, u] = False, True
        else:
            remove_edge(graph.parents, graph.ancestors, u, v)
            if breaks_belief(prior, graph):
                insert_edge(graph.parents, graph.ancestors, u, v)
            else:
                adjacency[u, v] = False
    return Dag(dag.nodes, adjacency)
