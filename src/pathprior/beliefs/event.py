"""Events: the named sets of ties that a belief can give a probability."""

from enum import StrEnum

from pathprior.errors import BeliefError
from pathprior.graph.tie import ALL_TIES, EDGES, Tie, ties_where, told_apart
from pathprior.kernels.prior.ties import APART, BY_EDGE, NO_PATH
from pathprior.nearest import nearest, suggestion


class Event(StrEnum):
    """Something that holds or fails for an ordered pair (x, y): a set of ties with a name."""

    CAUSES = "causes"
    CAUSED_BY = "caused-by"
    NOT_CAUSES = "not-causes"
    ASSOCIATED = "associated"
    NOT_ASSOCIATED = "not-associated"
    CONFOUNDED = "confounded"
    DIRECT = "direct"
    NOT_DIRECT = "not-direct"

    @property
    def ties(self) -> frozenset[Tie]:
        """The ties for which the event holds."""
        return _TIES[self]

    @property
    def told(self) -> frozenset[Tie]:
        """The ties that it tells from the relations that go with them."""
        return told_apart(self.ties)

    @property
    def is_about_edge(self) -> bool:
        """Whether it tells an edge from a longer path."""
        return not EDGES.isdisjoint(self.told)

    def phrase(self, x: str, y: str) -> str:
        """Say the event of (x, y) in words."""
        return _PHRASES[self].format(x=x, y=y)

    @classmethod
    def parse(cls, word: str) -> "Event":
        """Return the event called ``word``, or raise an error with the nearest known word."""
        try:
            return cls(word)
        except ValueError:
            raise unknown_word(word, tuple(cls)) from None


RELATION_EVENTS = (Event.CAUSES, Event.CAUSED_BY, Event.CONFOUNDED, Event.NOT_ASSOCIATED)
"""The events of one relation each, in the order of `Relation`."""

_CAUSES = ties_where(lambda tie: tie.forward > NO_PATH)
_ASSOCIATED = ties_where(lambda tie: tie.common > APART)
_DIRECT = ties_where(lambda tie: tie.forward == BY_EDGE)
_TIES = {
    Event.CAUSES: _CAUSES,
    Event.CAUSED_BY: ties_where(lambda tie: tie.backward > NO_PATH),
    Event.NOT_CAUSES: ALL_TIES - _CAUSES,
    Event.ASSOCIATED: _ASSOCIATED,
    Event.NOT_ASSOCIATED: ALL_TIES - _ASSOCIATED,
    Event.CONFOUNDED: ties_where(lambda tie: tie.common > APART and not tie.is_path),
    Event.DIRECT: _DIRECT,
    Event.NOT_DIRECT: ALL_TIES - _DIRECT,
}

_PHRASES = {
    Event.CAUSES: "{x} causes {y}",
    Event.CAUSED_BY: "{x} is caused by {y}",
    Event.NOT_CAUSES: "{x} does not cause {y}",
    Event.ASSOCIATED: "{x} and {y} are associated",
    Event.NOT_ASSOCIATED: "{x} and {y} are not associated",
    Event.CONFOUNDED: "{x} and {y} are confounded",
    Event.DIRECT: "{x} directly causes {y}",
    Event.NOT_DIRECT: "{x} does not directly cause {y}",
}


def unknown_word(word: object, known: tuple[str, ...]) -> BeliefError:
    """Make the error for a relation word that is not one of ``known``."""
    words = tuple(map(str, known))
    is_near = nearest(word, words)
    hint = suggestion("word", [word], words) if is_near else f"use one of {', '.join(words)}"
    return BeliefError(f"unknown relation {word!r}; {hint}")
