"""`Belief`: what somebody holds to be true of one pair of variables, and how to state one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import fsum
from numbers import Real

from pathprior.beliefs.event import RELATION_EVENTS, Event, unknown_word
from pathprior.beliefs.nearly_certain import refuse_nearly_certain
from pathprior.errors import BeliefError
from pathprior.files import unwritable
from pathprior.graph.tie import ALL_TIES, Tie

DEFAULT_STRENGTH = 3.0
LEAST_STRENGTH, MOST_STRENGTH = 1e-6, 1e6
"""Beyond them a belief says nothing, or everything, and the soft fit meets the limits of floats."""

VECTOR = "vector"
"""The relation word of a belief that gives all four probabilities ⟨⇒, ⇐, ⇔, ⇎⟩."""

RELATION_WORDS = (*(event.value for event in Event), VECTOR)

# Four decimals written out by hand may miss 1 by rounding; a real mistake misses by more.
_SUM_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Belief:
    """A probability for one event of one ordered pair, or for each of its four relations.

    A belief constrains only what it says: P(event) = p, the rest left open.

    Parameters
    ----------
    x, y
        The two variables.
    relation
        An `Event` word such as ``"causes"``, or ``"vector"``.
    stated
        One probability, or four in the order ⟨⇒, ⇐, ⇔, ⇎⟩ for ``"vector"``. 0 and 1 are hard: a
        graph that contradicts them is excluded. What is so near to them that floats do not tell it
        apart, or below 10⁻³⁰⁰, is refused.
    strength
        Weight of the belief where beliefs disagree (the soft fit): how many studies' worth;
        from 10⁻⁶ to 10⁶.
    source
        Free text, carried to every report.
    origin
        Where it was read, "file, line"; for error messages only.

    See Also
    --------
    causes, not_causes, associated, not_associated, confounded, direct, not_direct, relation : the
        usual ways.
    """

    x: str
    relation: str
    y: str
    stated: tuple[float, ...]
    strength: float = DEFAULT_STRENGTH
    source: str = ""
    origin: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "stated", _check(self))
            object.__setattr__(self, "relation", str(self.relation))
            object.__setattr__(self, "strength", float(self.strength))
        except BeliefError as error:
            raise self.error(str(error)) from None

    @property
    def events(self) -> tuple[frozenset[Tie], ...]:
        """The partition of the six ties that the belief speaks about, stated event first."""
        if self.relation == VECTOR:
            return tuple(event.ties for event in RELATION_EVENTS)
        ties = Event(self.relation).ties
        return (ties, ALL_TIES - ties)

    @property
    def probabilities(self) -> tuple[float, ...]:
        """One probability per member of `events`; they sum to 1."""
        if self.relation == VECTOR:
            total = fsum(self.stated)
            return tuple(p / total for p in self.stated)
        return (self.stated[0], 1.0 - self.stated[0])

    @property
    def named_events(self) -> tuple[Event, ...]:
        """The events that `stated` gives a probability, in the same order."""
        return RELATION_EVENTS if self.relation == VECTOR else (Event(self.relation),)

    @property
    def told(self) -> frozenset[Tie]:
        """The ties that it tells from the relations that go with them."""
        return self.named_events[0].told

    @property
    def is_about_edge(self) -> bool:
        """Whether the belief tells an edge from a longer path."""
        return self.named_events[0].is_about_edge

    @property
    def is_hard(self) -> bool:
        """Whether the belief excludes some relation altogether."""
        return 0.0 in self.probabilities

    @property
    def phrase(self) -> str:
        """The belief in words, with its numbers: ``x causes y (0.8)``."""
        numbers = ", ".join(f"{p:g}" for p in self.stated)
        if self.relation == VECTOR:
            return f"{self.x} to {self.y} ⟨⇒, ⇐, ⇔, ⇎⟩ ({numbers})"
        return f"{Event(self.relation).phrase(self.x, self.y)} ({numbers})"

    def error(self, message: str) -> BeliefError:
        """Make an error about this belief that says where it was read."""
        return BeliefError(f"{self.origin}: {message}" if self.origin else message)


def causes(
    x: str, y: str, probability: float, *, strength: float = DEFAULT_STRENGTH, source: str = ""
) -> Belief:
    """Believe that x causes y, directly or not: P(x ⇒ y) = ``probability``."""
    return Belief(x, Event.CAUSES, y, (probability,), strength, source)


def not_causes(
    x: str, y: str, probability: float, *, strength: float = DEFAULT_STRENGTH, source: str = ""
) -> Belief:
    """Believe that x does not cause y: P(⇐ or ⇔ or ⇎) = ``probability``."""
    return Belief(x, Event.NOT_CAUSES, y, (probability,), strength, source)


def associated(
    x: str, y: str, probability: float, *, strength: float = DEFAULT_STRENGTH, source: str = ""
) -> Belief:
    """Believe that x and y are associated: P(⇒ or ⇐ or ⇔) = ``probability``."""
    return Belief(x, Event.ASSOCIATED, y, (probability,), strength, source)


def not_associated(
    x: str, y: str, probability: float, *, strength: float = DEFAULT_STRENGTH, source: str = ""
) -> Belief:
    """Believe that x and y are not associated: P(⇎) = ``probability``."""
    return Belief(x, Event.NOT_ASSOCIATED, y, (probability,), strength, source)


def confounded(
    x: str, y: str, probability: float, *, strength: float = DEFAULT_STRENGTH, source: str = ""
) -> Belief:
    """Believe that x and y share a cause and neither causes the other: P(⇔) = ``probability``."""
    return Belief(x, Event.CONFOUNDED, y, (probability,), strength, source)


def direct(
    x: str, y: str, probability: float, *, strength: float = DEFAULT_STRENGTH, source: str = ""
) -> Belief:
    """Believe that x directly causes y: P(x → y) = ``probability``.

    Directly among the variables of the problem: an edge, whatever else leads from x to y.
    """
    return Belief(x, Event.DIRECT, y, (probability,), strength, source)


def not_direct(
    x: str, y: str, probability: float, *, strength: float = DEFAULT_STRENGTH, source: str = ""
) -> Belief:
    """Believe that x does not directly cause y: P(no edge x → y) = ``probability``."""
    return Belief(x, Event.NOT_DIRECT, y, (probability,), strength, source)


def relation(
    x: str,
    y: str,
    probabilities: Sequence[float],
    *,
    strength: float = DEFAULT_STRENGTH,
    source: str = "",
) -> Belief:
    """Give all four probabilities of the pair, in the order ⟨⇒, ⇐, ⇔, ⇎⟩."""
    return Belief(x, VECTOR, y, tuple(probabilities), strength, source)


def check_texts(belief: Belief) -> None:
    """Raise unless the names are those of two variables, and they and the source can be kept."""
    for name in (belief.x, belief.y):
        if not isinstance(name, str) or not name:
            raise BeliefError(f"a variable name must be a non-empty string, not {name!r}")
        if name != name.strip():  # belief files and the command line strip names
            raise BeliefError(f"the variable name {name!r} begins or ends with a blank: rename it")
    if not isinstance(belief.source, str):
        raise BeliefError(f"source must be a text, not {belief.source!r}")
    for text in (belief.x, belief.y, belief.source):
        if flaw := unwritable(text):
            raise BeliefError(f"{text!r} holds {flaw}, which files do not keep: retype it")
    if belief.x == belief.y:
        raise BeliefError(f"a belief needs two different variables, not {belief.x!r} twice")


def check_strength(belief: Belief) -> None:
    """Raise unless the strength is one that floats can work with."""
    strength = belief.strength
    if not isinstance(strength, Real) or not LEAST_STRENGTH <= strength <= MOST_STRENGTH:
        raise BeliefError(
            f"strength {strength!r} must be a number from {LEAST_STRENGTH:g} to {MOST_STRENGTH:g}"
        )


def _check(belief: Belief) -> tuple[float, ...]:
    """Return the stated probabilities as floats, or raise an error that names the bad value."""
    check_texts(belief)
    if belief.relation not in RELATION_WORDS:
        raise unknown_word(belief.relation, RELATION_WORDS)
    size = len(RELATION_EVENTS) if belief.relation == VECTOR else 1
    if len(belief.stated) != size:
        raise BeliefError(
            f"relation {belief.relation!s} takes {size} "
            f"{'probability' if size == 1 else 'probabilities'}, not {len(belief.stated)}: "
            f"{tuple(belief.stated)!r}"
        )
    for p in belief.stated:
        if not isinstance(p, Real) or isinstance(p, bool):
            raise BeliefError(f"a probability must be a number, not {p!r}")
        if not 0 <= p <= 1:
            raise BeliefError(f"probability {p:g} is outside [0, 1]")
        refuse_nearly_certain(p)
    stated = tuple(float(p) for p in belief.stated)
    if belief.relation == VECTOR and abs(fsum(stated) - 1) > _SUM_TOLERANCE:
        raise BeliefError(f"the four probabilities {stated!r} sum to {fsum(stated):g}, not 1")
    check_strength(belief)
    return stated
