"""What the colours of edges and beliefs mean, the same in all pictures."""

from collections.abc import Iterable
from enum import Enum

from pathprior.report import style
from pathprior.search.support import EdgeSupport, Support

EDGE_COLOURS = {
    Support.DATA: style.DATA,
    Support.BELIEFS: style.BELIEFS,
    Support.BOTH: style.BOTH,
    Support.NEITHER: style.NEITHER,
}
EDGE_PHRASES = {
    Support.DATA: "supported by the data",
    Support.BELIEFS: "supported by the beliefs",
    Support.BOTH: "supported by both",
    Support.NEITHER: "supported by neither",
}


EVIDENCE_CLASS = {True: "agrees", False: "disagrees", None: ""}
"""How the pages mark what the data say of a belief: green and red are for evidence alone."""


class Verdict(Enum):
    """What one network says of a belief, with the legend's words and the colour.

    That it holds there is no evidence: another network may be as good. So it is never green.
    """

    HELD = "belief that holds here", style.HELD
    NOT_HELD = "belief that does not hold here", style.NOT_HELD
    WEAK = "belief decided by weak edges", style.WEAK

    def __init__(self, phrase: str, colour: str) -> None:
        self.phrase = phrase
        self.colour = colour


def supports_found(edges: Iterable[EdgeSupport]) -> tuple[Support, ...]:
    """Return the kinds of support that occur, in the order of a legend."""
    found = {edge.support for edge in edges}
    return tuple(support for support in Support if support in found)


def open_edges(edges: Iterable[EdgeSupport]) -> list[tuple[str, str]]:
    """The edges that could be turned: neither data nor experiments nor rules say which way."""
    return [(edge.parent, edge.child) for edge in edges if not edge.is_direction_fixed]
