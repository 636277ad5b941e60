"""Events: the named sets of relations that a belief can give a probability."""

from difflib import get_close_matches
from enum import StrEnum

from pathprior.errors import BeliefError
from pathprior.graph.relation import Relation

ALL_RELATIONS = frozenset(Relation)


class Event(StrEnum):
    """Something that holds or fails for an ordered pair (x, y): a set of relations with a name."""

    CAUSES = "causes"
    CAUSED_BY = "caused-by"
    NOT_CAUSES = "not-causes"
    ASSOCIATED = "associated"
    NOT_ASSOCIATED = "not-associated"
    CONFOUNDED = "confounded"

    @property
    def relations(self) -> frozenset[Relation]:
        """The relations for which the event holds."""
        return _RELATIONS[self]

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

_RELATIONS = {
    Event.CAUSES: frozenset({Relation.CAUSES}),
    Event.CAUSED_BY: frozenset({Relation.CAUSED_BY}),
    Event.NOT_CAUSES: ALL_RELATIONS - {Relation.CAUSES},
    Event.ASSOCIATED: ALL_RELATIONS - {Relation.UNRELATED},
    Event.NOT_ASSOCIATED: frozenset({Relation.UNRELATED}),
    Event.CONFOUNDED: frozenset({Relation.CONFOUNDED}),
}

_PHRASES = {
    Event.CAUSES: "{x} causes {y}",
    Event.CAUSED_BY: "{x} is caused by {y}",
    Event.NOT_CAUSES: "{x} does not cause {y}",
    Event.ASSOCIATED: "{x} and {y} are associated",
    Event.NOT_ASSOCIATED: "{x} and {y} are not associated",
    Event.CONFOUNDED: "{x} and {y} are confounded",
}


def unknown_word(word: object, known: tuple[str, ...]) -> BeliefError:
    """Make the error for a relation word that is not one of ``known``."""
    near = get_close_matches(str(word).lower(), known, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"use one of {', '.join(known)}"
    return BeliefError(f"unknown relation {word!r}; {hint}")
