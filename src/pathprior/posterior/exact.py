"""The posterior by enumeration: every graph within the rules, weighed. No Monte Carlo."""

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.robinson import num_labelled_dags
from pathprior.errors import PosteriorError
from pathprior.kernels.counting.enumerate import enumerate_parents
from pathprior.kernels.graph.relations import fill_ties
from pathprior.posterior.draws import Draws
from pathprior.problem.problem import Problem

MAX_NODES = 5
"""Most variables whose graphs are enumerated: 29,281 DAGs; six have 3,781,503."""


def enumerate_posterior(problem: Problem) -> Draws:
    """List every DAG within the rules that has a positive posterior probability.

    P(G | data, beliefs) = exp(Σ_v s_v(Pa_v) + |E| log β + Σ_k log λ_k(r_k(G))) / Z, Z the sum over
    all of them; statements multiply it by P(statements | G). Each local score is computed once.
    O(N(n) · (n + pairs)).
    """
    variables = problem.rules.variables
    size = len(variables)
    if size > MAX_NODES:
        raise PosteriorError(
            f"method='exact' lists every graph, which goes for at most {MAX_NODES} variables, not "
            f"{size}: use method='chains'"
        )
    sets = np.empty((num_labelled_dags(size), size), np.int64)
    enumerate_parents(size, sets)
    scores = family_scores(problem)[np.arange(size), sets].sum(axis=1)
    graphs = sets.astype(np.uint64)[:, :, None]
    codes = np.empty((len(sets), len(problem.weights.pairs)), np.uint8)
    fill_ties(graphs, problem.weights.pairs, codes)
    scores += problem.statements.log_prior(codes)
    is_possible = scores > -np.inf
    if not is_possible.any():
        raise PosteriorError(
            "the score rules out every graph that the rules and the hard beliefs allow: loosen them"
        )
    graphs, scores = graphs[is_possible][None], scores[is_possible][None]
    below = scores - scores.max()
    return Draws(variables, graphs, scores, below - np.log(np.exp(below).sum()))


def family_scores(problem: Problem) -> NDArray[np.float64]:
    """Score of each child with each parent set (as bits), its edges' log β in it.

    −∞ where the rules exclude the set.
    """
    rules = problem.rules
    size = len(rules.variables)
    table = np.full((size, 1 << size), -np.inf)
    for child in range(size):
        for bits in range(1 << size):
            chosen = np.array([bits >> u & 1 for u in range(size)], dtype=bool)
            is_allowed = (
                not (chosen & rules.forbidden[:, child]).any()
                and not (rules.required[:, child] & ~chosen).any()
                and chosen.sum() <= rules.max_parents
            )
            if is_allowed:
                parents = np.flatnonzero(chosen).tolist()
                base = len(parents) * problem.weights.log_edge_odds
                table[child, bits] = problem.scorer.local(child, parents) + base
    return table
