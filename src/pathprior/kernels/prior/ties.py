"""The alphabet of ties: all that a graph can say of an ordered pair (x, y).

A tie says how x acts on y, how y acts on x and, where neither does, whether they have a common
ancestor. The first four are the relations (`pathprior.kernels.graph.ancestors`); where two nodes
are adjacent, the edge takes the place of the relation. What searches, chains and fits must know of
ties follows from these letters: what insertions can make of them, which come with an edge, which
relation goes with each, what they are to a reader who starts at y.

To add a tie, put its letter at the end of `ALPHABET`, say in `tie_code` how a graph shows it and in
`tie_after_insertion` when an edge brings it about, and name it in `pathprior.graph.tie`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pathprior.kernels.graph.ancestors import (
    CAUSED_BY,
    CAUSES,
    CONFOUNDED,
    UNRELATED,
    Words,
    has_bit,
    relation_code,
)
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.inner import inner

NO_PATH, BY_PATH, BY_EDGE = range(3)
"""How one node acts on another."""
APART, JOINED = range(2)
"""Whether two nodes have a common ancestor."""


class Letter(NamedTuple):
    """What one tie says."""

    name: str
    symbol: str
    forward: int  # how x acts on y
    backward: int  # how y acts on x
    common: int  # whether something acts on both; a path says that it does

    @property
    def is_path(self) -> bool:
        """Whether one acts on the other."""
        return self.forward > NO_PATH or self.backward > NO_PATH

    @property
    def has_edge(self) -> bool:
        """Whether they are adjacent."""
        return BY_EDGE in (self.forward, self.backward)


ALPHABET = (
    Letter("CAUSES", "⇒", BY_PATH, NO_PATH, JOINED),
    Letter("CAUSED_BY", "⇐", NO_PATH, BY_PATH, JOINED),
    Letter("CONFOUNDED", "⇔", NO_PATH, NO_PATH, JOINED),
    Letter("UNRELATED", "⇎", NO_PATH, NO_PATH, APART),
    Letter("EDGE", "→", BY_EDGE, NO_PATH, JOINED),
    Letter("EDGE_BACK", "←", NO_PATH, BY_EDGE, JOINED),
)
"""By code."""
EDGE, EDGE_BACK = 4, 5
"""x → y and x ← y."""
NUM_TIES = len(ALPHABET)


# -- sets of ties, as bits ---------------------------------------------------------------------


def find_ties(holds: Callable[[Letter], bool]) -> int:
    """The set of ties of which something holds."""
    return sum(1 << code for code, letter in enumerate(ALPHABET) if holds(letter))


def _can_grow(letter: Letter, other: Letter) -> bool:
    """Whether insertions can lead from one tie to another: what there is stays, or is a path."""
    return (
        other.forward >= letter.forward
        and other.backward >= letter.backward
        and (other.is_path or other.common >= letter.common)
    )


ANY_TIE = find_ties(lambda letter: True)
WITH_EDGE = find_ties(lambda letter: letter.has_edge)
JOINED_WITHOUT_EDGE = find_ties(lambda letter: letter.common != APART and not letter.has_edge)
"""Those of nodes that are associated and not adjacent."""
COMMON = find_ties(lambda letter: letter.common != APART and not letter.is_path)
"""Those of nodes that are associated by common ancestors alone."""
NOT_BACK = find_ties(lambda letter: not (letter.backward or letter.has_edge))
NOT_FORWARD = find_ties(lambda letter: not (letter.forward or letter.has_edge))
"""Those without an edge and without a path y ⇒ x, and without one x ⇒ y."""
LATER = np.array([find_ties(lambda b, a=a: _can_grow(a, b)) for a in ALPHABET])  # type: ignore[misc]
"""By tie: what insertions can make of it, itself included."""


# -- what each tie is otherwise ------------------------------------------------------------------


def _code_of(forward: int, backward: int, common: int) -> int:
    wanted = (forward, backward, common)
    return next(code for code, letter in enumerate(ALPHABET) if letter[2:] == wanted)


REVERSED = tuple(_code_of(tie.backward, tie.forward, tie.common) for tie in ALPHABET)
"""By tie: that of (y, x)."""
RELATION = np.array(
    [
        _code_of(min(tie.forward, BY_PATH), min(tie.backward, BY_PATH), min(tie.common, JOINED))
        for tie in ALPHABET
    ]
)
"""By tie: the relation that goes with it, which is that of the path for an edge."""
ABOVE_ENDS, INTO_Y, INTO_X, NOWHERE = range(4)
"""Into ancestors of an end, into an end, nowhere."""
GROWS = np.array(
    [
        ABOVE_ENDS
        if not letter.is_path
        else NOWHERE
        if letter.has_edge
        else INTO_Y
        if letter.forward
        else INTO_X
        for letter in ALPHABET
    ]
)
"""By tie: where insertions end that can change it."""


@inner
def has_edge(code: int) -> bool:
    """Whether nodes of that tie are adjacent."""
    return (WITH_EDGE >> code) & 1 != 0


# -- reading -------------------------------------------------------------------------------------


@inner
def tie_code(parents: Words, ancestors: Words, x: int, y: int) -> int:
    """The code of (x, y): its edge, or else its relation."""
    code = relation_code(ancestors, x, y)
    if code == CAUSES and has_bit(parents[y], x):
        return EDGE
    if code == CAUSED_BY and has_bit(parents[x], y):
        return EDGE_BACK
    return code


@inner
def tie_after_insertion(graph: Graph, code: int, x: int, y: int, u: int, v: int) -> int:
    """What (x, y) becomes when u → v is inserted; it is one of the ties later than ``code``.

    Nobody asks that of a tie that grows `NOWHERE`.
    anc'(z) = anc(z) ∪ anc(u) for z in desc(v), and the others stay, so a pair changes only

    - to x ⇒ y if y ∈ desc(v) and x ∈ anc(u), and to x ⇐ y the other way round;
    - from ⇎ to ⇔ if one end is in desc(v) and anc(u) meets the ancestors of the other end;
    - to x → y if u, v are x, y, and to x ← y the other way round.
    """
    ancestors = graph.ancestors
    new = code
    if has_bit(ancestors[y], v):
        if has_bit(ancestors[u], x):
            new = CAUSES
        elif code == UNRELATED and relation_code(ancestors, u, x) != UNRELATED:
            new = CONFOUNDED
    if has_bit(ancestors[x], v):
        if has_bit(ancestors[u], y):
            new = CAUSED_BY
        elif code == UNRELATED and relation_code(ancestors, u, y) != UNRELATED:
            new = CONFOUNDED
    if u == x and v == y:
        new = EDGE
    elif u == y and v == x:
        new = EDGE_BACK
    return new
