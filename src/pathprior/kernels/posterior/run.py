"""Runs one chain: moves drawn from a mix, and a draw after every so many."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.columns import READY
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.inner import allocating_entry, inner
from pathprior.kernels.posterior.block import redraw_block
from pathprior.kernels.posterior.bridge import bridge
from pathprior.kernels.posterior.redraw import redraw, reverse_redraw
from pathprior.kernels.posterior.reverse import reverse, turn
from pathprior.kernels.posterior.state import WAITING, Chain, Families, Target, score_family
from pathprior.kernels.posterior.walk import walk
from pathprior.kernels.random import draw_unit
from pathprior.kernels.steps import FINISHED, NEEDS_SCORES

MOVES = ("walk", "reverse", "redraw", "reverse_redraw", "turn", "bridge", "redraw_block")
"""The moves, in the order of their shares in a mix."""


@inner
def make_move(target: Target, families: Families, chain: Chain, shares: Any) -> int:
    """Make one move of the mix; ``shares`` are running sums that end at 1."""
    chance = draw_unit(chain.random)
    if chance < shares[0]:
        return walk(target, families, chain)
    if chance < shares[1]:
        return reverse(target, families, chain)
    if chance < shares[2]:
        return redraw(target, families, chain)
    if chance < shares[3]:
        return reverse_redraw(target, chain)
    if chance < shares[4]:
        return turn(target, families, chain)
    if chance < shares[5]:
        return bridge(target, families, chain)
    return redraw_block(target, chain)


@inner
def total_score(target: Target, chain: Chain) -> float:
    """log π of the present graph, without its constant."""
    total = 0.0
    for v in range(chain.local.shape[0]):
        total += chain.local[v]
    for k in range(chain.codes.shape[0]):
        total += target.prior.log_weights[k, chain.codes[k]]
    return total


@allocating_entry
def score_start(families: Families, chain: Chain) -> int:
    """Score the families of the present graph; NEEDS_SCORES if the driver must score one."""
    for v in range(chain.local.shape[0]):
        chain.local[v] = score_family(families, chain.tally, v, chain.graph.parents[v])
        if chain.tally.entry != READY:
            return NEEDS_SCORES
    return FINISHED


@allocating_entry
def run_chain(
    target: Target,
    families: Families,
    chain: Chain,
    shares: NDArray[np.float64],
    moves_per_draw: int,
    draws: Words,
    scores: NDArray[np.float64],
) -> int:
    """Fill ``draws`` and ``scores``; NEEDS_SCORES if the driver must score a family.

    A move that waits is made again from the same random numbers once the family is scored.
    """
    tally = chain.tally
    while tally.num_draws < scores.shape[0]:
        while tally.num_moves < moves_per_draw:
            for i in range(4):
                chain.scratch.random[i] = chain.random[i]
            if make_move(target, families, chain, shares) == WAITING:
                for i in range(4):
                    chain.random[i] = chain.scratch.random[i]
                return NEEDS_SCORES
            tally.num_moves += 1
        at = tally.num_draws
        scores[at] = total_score(target, chain)
        for v in range(draws.shape[1]):
            for w in range(draws.shape[2]):
                draws[at, v, w] = chain.graph.parents[v, w]
        tally.num_moves = 0
        tally.num_draws += 1
    tally.num_draws = 0
    return FINISHED
