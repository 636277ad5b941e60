"""Posteriors as chains leave them, made of those that were enumerated."""

from dataclasses import replace

import numpy as np

import pathprior as pp
from pathprior.posterior.draws import Draws
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
