"""The six ties of an ordered pair: its relations, with edges told from longer paths."""

from collections.abc import Callable, Collection
from enum import IntEnum

from pathprior.graph.relation import Relation
from pathprior.kernels.prior import ties


class Tie(IntEnum):
    """What a DAG says about (x, y): an edge if there is one, else a `Relation`.

    The codes of relations are kept. Of a pair whose edges nobody speaks of, edges may not be told
    apart: ``CAUSES`` and ``CAUSED_BY`` then stand for any path.
    """

    CAUSES = Relation.CAUSES
    CAUSED_BY = Relation.CAUSED_BY
    CONFOUNDED = Relation.CONFOUNDED
    UNRELATED = Relation.UNRELATED
    EDGE = ties.EDGE
    EDGE_BACK = ties.EDGE_BACK

    @property
    def symbol(self) -> str:
        """The arrow: ⇒, ⇐, ⇔ or ⇎, and → or ← for an edge."""
        return ties.ALPHABET[self].symbol

    @property
    def relation(self) -> Relation:
        """The relation that comes with it."""
        return Relation(int(ties.RELATION[self]))

    @property
    def reverse(self) -> "Tie":
        """The tie of (y, x) when this is the tie of (x, y)."""
        return Tie(ties.REVERSED[self])


def ties_where(holds: Callable[[ties.Letter], bool]) -> frozenset[Tie]:
    """The ties of which something holds."""
    return frozenset(tie for tie in Tie if holds(ties.ALPHABET[tie]))


def told_apart(ties: Collection[int]) -> frozenset[Tie]:
    """The ties that an event tells from the relations that go with them."""
    return frozenset(tie for tie in Tie if (tie in ties) != (int(tie.relation) in ties))


ALL_TIES = frozenset(Tie)
EDGES = ties_where(lambda tie: tie.has_edge)
WAYS = [Tie.CAUSES, Tie.CAUSED_BY]
LINKS = [Tie.EDGE, Tie.EDGE_BACK]
"""Paths both ways, and the edges that take their places, as columns of a table by tie."""
PATHLESS = ties_where(lambda tie: not tie.is_path)
LATER = tuple([tie for tie in Tie if ties.LATER[code] >> tie & 1] for code in Tie)
"""By tie: what insertions of edges can make of it, itself included."""


def say_ties(ties: Collection[int]) -> str:
    """The symbols of some ties; a path may run along an edge unless that is left out."""
    words = []
    for path, edge in ((Tie.CAUSES, Tie.EDGE), (Tie.CAUSED_BY, Tie.EDGE_BACK)):
        if path in ties:
            words.append(path.symbol if edge in ties else f"{path.symbol} without {edge.symbol}")
        elif edge in ties:
            words.append(edge.symbol)
    words += [tie.symbol for tie in Tie if tie in ties and tie in PATHLESS]
    return " or ".join(words)
