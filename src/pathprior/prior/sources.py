"""Sources: beliefs that name the same one are one mind, those of different ones are evidence.

One mind's beliefs are fitted together, as probabilities of one joint. What independent sources say
multiplies (Bayes' rule): P(G) ∝ P₀(G) Π_s Π_k λ_sk(event_sk(G)), each source's λ fitted by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.prior.unmet import Unmet
from pathprior.prior.web.diagnostics import WebDiagnostics


class Pool(StrEnum):
    """What beliefs of different sources are to each other."""

    SOURCES = "sources"
    """Evidence of its own: the log weights of the sources add up."""
    JOINT = "joint"
    """Beliefs of one mind, whatever their source, as in the paper."""


@dataclass(frozen=True, slots=True, eq=False)
class SourceFit:
    """What one source makes of its own beliefs, before it meets the others."""

    name: str
    """As the beliefs name it; empty for those that name none, and for all together if joint."""
    beliefs: tuple[Belief, ...]
    columns: tuple[int, ...]
    """Rows of `PathPrior.pairs` that it speaks of."""
    log_weights: NDArray[np.float64]
    """log λ by pair and tie code, of its pairs only."""
    marginals: NDArray[np.float64]
    """Fitted probabilities by pair and tie code, of its pairs only."""
    is_coherent: bool
    """Whether some joint has all probabilities that it states."""
    webs: tuple[WebDiagnostics, ...] = ()
    """How the fits of its parts without a listing went."""
    rare_pairs: tuple[int, ...] = ()
    """Rows of its pairs that could be listed, but favour configurations too rare in a sample."""
    unmet: tuple[Unmet, ...] = ()
    """What it says that its fit does not meet, though no conflict is known."""

    def __post_init__(self) -> None:
        for array in (self.log_weights, self.marginals):
            array.flags.writeable = False


def by_source(beliefs: Sequence[Belief], pool: Pool) -> dict[str, tuple[Belief, ...]]:
    """The beliefs of each mind, in order of first appearance; one without beliefs if there is none.

    Spaces around a source's name do not make another source.
    """
    minds: dict[str, list[Belief]] = {}
    for belief in beliefs:
        minds.setdefault(belief.source.strip(), []).append(belief)
    if pool is Pool.JOINT and len(minds) > 1:
        return {"": tuple(beliefs)}
    return {name: tuple(stated) for name, stated in minds.items()} or {"": ()}


def source_words(name: str) -> str:
    """A source in a sentence; who names none speaks for himself."""
    return name or "you"
