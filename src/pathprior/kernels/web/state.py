"""What chains over closures are given, what they change and what they work in."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.graph.ancestors import Words

Chances = NDArray[np.float32]
Codes = NDArray[np.int8]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Nodes = NDArray[np.uint32]
"""Lists of nodes: unsigned, so that no index is checked for being negative."""


class Tilting(NamedTuple):
    """What closures weigh beside the number of their DAGs, see `pathprior.kernels.web.chains`."""

    pairs: Ints
    partners: Words  # partners[v]: the nodes paired with v
    number: Ints  # number[v, x]: the pair of v and x
    log_beta: float
    field: Floats  # by pair and relation
    tied: Words  # tied[x]: the nodes that x has a bonus with
    bonus: Floats  # bonus[x, y]: of y covering x; without any row where there is none


class Ensemble(NamedTuple):
    """Where chains are, one after the other."""

    ancestors: Words
    descendants: Words
    random: Words


class Passed(NamedTuple):
    """What chains pass through, by record and chain."""

    codes: Codes  # of each pair: its relation
    covers: Codes  # of each pair whose edge is asked for: whether one end covers the other
    counts: Ints  # cover pairs and ordered pairs


class Closure(NamedTuple):
    """One chain under way."""

    sides: Words  # side (above, below) × node × word: the ancestors of each and its descendants
    above: Words  # of the sides the first
    below: Words  # and the second
    codes: Codes
    counts: Ints
    random: Words


class Learning(NamedTuple):
    """With which chances nodes join a place, and what was seen of them.

    ``chances`` is node × stage (first, second) × side (above, below) × context × other node, the
    context 2 [something has joined] + [the set of the first stage is not empty]; ``seen`` has a
    last axis in addition, (times asked, times in).
    """

    chances: Chances
    seen: Ints
    is_on: bool


class Places(NamedTuple):
    """Where a node that was taken out may be planted.

    ``sets[place, side]`` are the nodes to be above it and below it there, and ``ends[place, side]``
    those of them that are next to it.
    """

    sets: Words
    ends: Words
    queue: Nodes  # nodes that are still to be asked
    orders: Nodes  # all but the one, the lowest first and the highest first


class Partners(NamedTuple):
    """The nodes paired with the one, and the field of each pair by the relation of (other, one)."""

    nodes: Nodes
    tilts: Floats


class Asking(NamedTuple):
    """Who asks nodes to join, and which place and side of it."""

    v: int
    place: int
    stage: int
    side: int
    is_bound: int  # whether the first stage has found something
    is_given: bool  # whether the set is there, and only its chance is to be found
    is_learning: bool
