"""`Latent`: what a chain draws beside its graph, and what the graph is weighed by, given that."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.prior.graph_prior import Codes
from pathprior.posterior.array_records import Arrays
from pathprior.score.score import Scorer


class DrawnGraph(NamedTuple):
    """The graph of a chain, as latents read it."""

    parents: Words
    codes: Codes  # what it says of each pair of the prior


class Given(NamedTuple):
    """What graphs are weighed by, given what was drawn; None where that has no say."""

    scorer: Scorer | None = None
    log_weights: NDArray[np.float64] | None = None  # of the pairs of the prior


class Latent(Protocol):
    """Something drawn from its distribution given the graph, and in turn with it.

    A chain draws a graph given all its latents, then each of them given the graph and the others:
    together a Markov chain whose graphs have the distribution with the latents averaged out. Each
    chain has latents of its own.

    Attributes
    ----------
    stream
        Numbers that tell its random numbers from those of other latents.
    begins_with_chain
        Whether it is drawn anew where the chain begins, or begins again, and not just after.
    """

    stream: tuple[int, ...]
    begins_with_chain: bool

    def refresh(self, graph: DrawnGraph, generator: np.random.Generator) -> None:
        """Draw anew, given the graph."""

    def given(self) -> Given:
        """What graphs are weighed by from now on."""

    def averaged(self, codes: Codes) -> float:
        """What the score of a graph gains where this is averaged out; 0 where it is left given."""

    def state(self) -> Arrays:
        """All that `restore` needs."""

    def restore(self, state: Arrays) -> None:
        """Go back to where `state` was asked for."""

    def fixed(self) -> Arrays:
        """What it was made with, and does not change."""
