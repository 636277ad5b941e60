"""Posteriors as chains leave them, made of those that were enumerated."""

from dataclasses import replace

import numpy as np

import pathprior as pp
from pathprior.posterior.draws import Draws
from pathprior.posterior.settings import PosteriorSettings
from pathprior.posterior.settling import PosteriorStop


def draw_chains(exact: Draws, *, num_chains: int, num_draws: int, seed: int) -> Draws:
    """Independent draws from a posterior that was enumerated."""
    rng = np.random.default_rng(seed)
    chosen = rng.choice(len(exact.graphs), (num_chains, num_draws), p=exact.weights)
    return Draws(exact.variables, exact.graphs[chosen], exact.scores[0][chosen])


def sampled(exact: pp.Posterior, *, num_draws: int = 100) -> pp.Posterior:
    """What three chains of independent draws would have given."""
    draws = draw_chains(exact.draws, num_chains=3, num_draws=num_draws, seed=1)
    return replace(exact, draws=draws, stopped_because=PosteriorStop.TIME_LIMIT)


def of_graphs(graphs: list[pp.Dag], beliefs: pp.BeliefSet, *, num_chains: int) -> pp.Posterior:
    """As if chains had drawn these graphs, one chain after the other, all of the same score."""
    nodes = graphs[0].nodes
    variables = tuple(sorted(nodes))
    words = np.array([dag.reorder(variables).parent_words for dag in graphs])
    parents = words.reshape(num_chains, -1, *words.shape[1:])
    draws = Draws(variables, parents, np.zeros(parents.shape[:2]))
    prior = pp.fit_prior(beliefs, variables)
    return pp.Posterior(
        nodes, draws, prior, graphs[0], 0.0, PosteriorStop.SETTLED, PosteriorSettings(), 2.0
    )
