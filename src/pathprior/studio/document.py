"""`Document`: all that a session has said so far, as one immutable value."""

from dataclasses import dataclass, replace

from pathprior.beliefs.belief import Belief
from pathprior.counting.expected_parents import AUTO, ExpectedParents

ME = ""
"""The name under which the user speaks; the others are experts."""

Remedy = tuple[str, bool | int | str]
"""An option of `Preparation.change` and its value, such as ``("bins", 3)``."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A belief, who stated it, and the number by which it is known."""

    number: int
    expert: str
    belief: Belief

    @property
    def pooled(self) -> Belief:
        """The belief as it is pooled: an expert is the source of what he or she says."""
        return replace(self.belief, source=self.expert) if self.expert else self.belief


@dataclass(frozen=True, slots=True)
class Document:
    """What was said.

    Attributes
    ----------
    data
        Name of the data file, in the folder of the session.
    remedies
        What becomes of columns, other than proposed, by column and in order.
    tiers
        Variables in tiers, the earliest first.
    experts
        Who else speaks, besides the user.
    files
        The name of each expert's belief file, which nobody else has.
    speaker
        Who speaks now: `ME` or one of the experts.
    entries
        The beliefs, in the order in which they were stated.
    expected_parents
        The base that beliefs are measured against, see `fit_prior`.
    next_number
        Of the next entry; numbers are never used again.
    """

    data: str | None = None
    remedies: tuple[tuple[str, Remedy], ...] = ()
    tiers: tuple[tuple[str, ...], ...] = ()
    experts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    speaker: str = ME
    entries: tuple[Entry, ...] = ()
    expected_parents: ExpectedParents = AUTO
    next_number: int = 1

    @property
    def visible(self) -> tuple[Entry, ...]:
        """The beliefs that whoever speaks may see: an expert only his or her own."""
        return tuple(entry for entry in self.entries if self.speaker in (ME, entry.expert))

    def of(self, expert: str) -> tuple[Belief, ...]:
        """What one expert said."""
        return tuple(entry.belief for entry in self.entries if entry.expert == expert)

    def with_expert(self, name: str, file: str, beliefs: tuple[Belief, ...]) -> "Document":
        """The same, with one more expert who said ``beliefs``."""
        added = replace(self, experts=(*self.experts, name), files=(*self.files, file))
        return added.with_beliefs(name, beliefs)

    def with_beliefs(self, expert: str, beliefs: tuple[Belief, ...]) -> "Document":
        """The same, with beliefs of one expert added at the end."""
        first = self.next_number
        added = tuple(Entry(first + k, expert, belief) for k, belief in enumerate(beliefs))
        return replace(self, entries=(*self.entries, *added), next_number=first + len(added))
