"""`BeliefSet`: an ordered, immutable collection of beliefs."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import overload

from pathprior import showing
from pathprior.beliefs.belief import Belief
from pathprior.beliefs.statement import Statement
from pathprior.errors import BeliefError, PathPriorWarning
from pathprior.nearest import unknown_message

MAX_PLACES = 10
"""Most places in a file that one message names."""

MAX_NAMED = 5
"""Most duplicates that one warning names."""


class DuplicateBeliefWarning(PathPriorWarning):
    """The same belief, from the same source, is stated twice."""


@dataclass(frozen=True, slots=True, init=False)
class BeliefSet(Sequence[Belief]):
    """Beliefs in the order they were stated; several on one pair are allowed.

    Two beliefs that give one event different probabilities are two studies that disagree, which the
    fit reports as a conflict. An exact duplicate only earns a `DuplicateBeliefWarning`.
    """

    beliefs: tuple[Belief, ...] = ()

    def __init__(self, beliefs: Iterable[Belief] = ()) -> None:
        if isinstance(beliefs, str | PathLike):
            raise BeliefError(f"beliefs are a list, not {beliefs!r}; read a file with read_beliefs")
        if isinstance(beliefs, Belief):
            raise BeliefError("beliefs are a list, not a single one; put it in brackets")
        members = tuple(beliefs)
        seen: dict[Belief, Belief] = {}
        repeated: list[Belief] = []
        for belief in members:
            if not isinstance(belief, Belief):
                raise BeliefError(
                    f"a belief set holds beliefs, not {belief!r}; make one with causes(x, y, p)"
                )
            if belief in seen and not isinstance(belief, Statement):  # those count once
                repeated.append(belief)
            seen.setdefault(belief, belief)
        if repeated:
            warnings.warn(_said_again(seen, repeated), DuplicateBeliefWarning, stacklevel=2)
        object.__setattr__(self, "beliefs", members)

    def __len__(self) -> int:
        return len(self.beliefs)

    def __iter__(self) -> Iterator[Belief]:
        return iter(self.beliefs)

    @overload
    def __getitem__(self, index: int) -> Belief: ...
    @overload
    def __getitem__(self, index: slice) -> "BeliefSet": ...
    def __getitem__(self, index: int | slice) -> "Belief | BeliefSet":
        if isinstance(index, slice):
            return self.part(self.beliefs[index])
        return self.beliefs[index]

    def part(self, members: Iterable[Belief]) -> "BeliefSet":
        """Return some of these beliefs; what is doubtful about them was said of the whole."""
        some = object.__new__(BeliefSet)
        object.__setattr__(some, "beliefs", tuple(members))
        return some

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that occur in a belief, in order of first appearance."""
        return tuple(dict.fromkeys(name for belief in self for name in (belief.x, belief.y)))

    def require_variables(self, variables: Sequence[str]) -> None:
        """Raise one error unless every belief speaks of ``variables``; suggest the nearest."""
        known = set(variables)
        unknown: dict[str, Belief] = {}
        for belief in self:
            for name in (belief.x, belief.y):
                if name not in known:
                    unknown.setdefault(name, belief)
        if not unknown:
            return
        message = unknown_message("variable", unknown, sorted(known))
        first, *others = unknown.values()
        if not others:
            raise first.error(message)
        places = dict.fromkeys(belief.origin for belief in (first, *others) if belief.origin)
        where = f"; first named in {' and '.join([*places][:MAX_PLACES])}" if places else ""
        raise BeliefError(message + where)

    def to_csv(self, path: str | PathLike[str]) -> None:
        """Write the beliefs as CSV; `read_beliefs` gives them back exactly."""
        from pathprior.beliefs.belief_file import write_csv

        write_csv(self.beliefs, path)

    def to_json(self, path: str | PathLike[str]) -> None:
        """Write the beliefs as a JSON array of objects; `read_beliefs` gives them back exactly."""
        from pathprior.beliefs.belief_file import write_json

        write_json(self.beliefs, path)

    # -- showing it: the report registers how -----------------------------------------------------

    def _repr_html_(self) -> str:
        return showing.html(self)


def _said_again(first: Mapping[Belief, Belief], repeated: Sequence[Belief]) -> str:
    """What is to be said of duplicates, once of all."""
    named = []
    for belief in repeated[:MAX_NAMED]:
        places = " and ".join(b.origin for b in (first[belief], belief) if b.origin)
        named.append(f"{belief.phrase}{f' ({places})' if places else ''}")
    if len(repeated) == 1:
        return (
            f"duplicate belief {named[0]}: it counts twice where beliefs disagree; remove one, or "
            "name two sources"
        )
    more = f"; and {len(repeated) - MAX_NAMED:,} more" if len(repeated) > MAX_NAMED else ""
    return (
        f"{len(repeated):,} duplicate beliefs, which count again where beliefs disagree: "
        f"{'; '.join(named)}{more}; remove them, or name other sources"
    )
