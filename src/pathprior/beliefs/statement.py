"""`Statement`: what a source says of two variables, without a probability."""

from collections.abc import Iterable
from dataclasses import dataclass

from pathprior.beliefs.belief import VECTOR, Belief, check_strength, check_texts
from pathprior.beliefs.event import Event
from pathprior.errors import BeliefError

DEFAULT_WEIGHT = 1.0
"""How many statements one statement counts as."""


@dataclass(frozen=True, slots=True)
class Statement(Belief):
    """A source names an event of two variables; how often the source is right is not known.

    A belief without a probability: ``stated`` is empty. With ρ the reliability of the source, b the
    baseline and E the event, a pair whose relation is t makes the source say E with probability

        ρ if t ∈ E, otherwise (1 − ρ) · b(E) / (1 − b(t)).

    The answers to choose from are E and each relation outside it; a source that is wrong draws one
    that is not true from the baseline. If E is one relation, these are the four relations; if it
    leaves out one, as ``"associated"`` does, the only wrong answer to that one is E. Where E tells
    an edge from a longer path, t is one of six ties: a path with an edge and one without count as
    two answers each way.

    Parameters
    ----------
    x, y
        The two variables.
    relation
        An `Event` word such as ``"causes"``.
    strength
        How many statements it counts as: its factor is raised to this power, so that a source that
        was asked repeatedly counts once in all.
    source
        Who says so; statements of one source share one reliability.
    origin
        Where it was read, "file, line"; for error messages only.

    See Also
    --------
    says : the usual way.
    """

    stated: tuple[float, ...] = ()
    strength: float = DEFAULT_WEIGHT

    def __post_init__(self) -> None:
        try:
            _check(self)
            object.__setattr__(self, "relation", str(self.relation))
            object.__setattr__(self, "strength", float(self.strength))
        except BeliefError as error:
            raise self.error(str(error)) from None

    @property
    def event(self) -> Event:
        """What is said of the pair."""
        return Event(self.relation)

    @property
    def phrase(self) -> str:
        """The statement in words: ``survey says that x causes y``."""
        return f"{self.source} says that {self.event.phrase(self.x, self.y)}"


def says(source: str, x: str, relation: str, y: str, *, strength: float = 1.0) -> Statement:
    """Note what a source says of x and y, without a probability.

    How often the source is right is learned along with the graph, see `Statement`.

    Parameters
    ----------
    source
        Who says so; statements of one source share one reliability.
    x, relation, y
        Two variables and an event word, such as ``"causes"`` or ``"not-associated"``.
    strength
        How many statements it counts as.

    Examples
    --------
    >>> says("survey", "smoking", "causes", "cough").phrase
    'survey says that smoking causes cough'
    """
    return Statement(x, relation, y, (), strength, source)


def split_statements(
    beliefs: Iterable[Belief],
) -> tuple[tuple[Belief, ...], tuple[Statement, ...]]:
    """The beliefs with a probability, and the statements without one, each in their order."""
    members = tuple(beliefs)
    statements = tuple(member for member in members if isinstance(member, Statement))
    return tuple(m for m in members if not isinstance(m, Statement)), statements


def refuse_statements(beliefs: Iterable[Belief]) -> None:
    """Raise if there is a statement: a prior has nothing to learn its source's reliability from."""
    for statement in split_statements(beliefs)[1]:
        raise statement.error(
            f"{statement.phrase}: a statement has no probability to fit a prior to; pass it to "
            "learn or sample_posterior beside the beliefs, or believe it with a probability"
        )


def _check(statement: Statement) -> None:
    check_texts(statement)
    if not statement.source.strip():
        raise BeliefError("a statement without a probability needs a source: add one of them")
    if statement.source != statement.source.strip():  # belief files strip their values
        raise BeliefError(f"the source {statement.source!r} begins or ends with a blank: rename it")
    if statement.relation == VECTOR:
        raise BeliefError("a statement names one event, not a vector: use a word such as 'causes'")
    Event.parse(statement.relation)
    if statement.stated:
        raise BeliefError(f"a statement has no probability, not {statement.stated!r}: leave it out")
    check_strength(statement)
