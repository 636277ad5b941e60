"""Statements that say the same: of one source they count once, of several that is worth knowing."""

import warnings
from collections.abc import Sequence
from dataclasses import replace

from pathprior.beliefs.statement import Statement
from pathprior.errors import PathPriorWarning

LEAST_COPIED = 5
"""Statements of a source that must all be another's as well to ask whether it has them from there:
fewer may well be the same by chance."""
MAX_NAMED = 5
"""Most statements, or sources, that one warning names."""

Content = tuple[str, str, frozenset[int]]
"""Two variables in order, and the ties of the first with the second that a statement allows."""


class RepeatedStatementWarning(PathPriorWarning):
    """A source says the same thing twice, or all that it says is also what another says."""


def content(statement: Statement) -> Content:
    """What is said, whichever way round: x causes y is the same as y is caused by x."""
    if statement.x < statement.y:
        return statement.x, statement.y, frozenset(statement.event.ties)
    return statement.y, statement.x, frozenset(tie.reverse for tie in statement.event.ties)


def count_once(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Leave out what a source has said before; the first stays, with the largest strength.

    Who says a thing twice has not learned anything in between.

    Warns
    -----
    RepeatedStatementWarning
        If anything is left out, or if at least `LEAST_COPIED` statements, all those of a source,
        are also those of another.
    """
    first: dict[tuple[str, Content], Statement] = {}
    repeated: dict[tuple[str, Content], list[str]] = {}
    for statement in statements:
        key = statement.source, content(statement)
        if key not in first:
            first[key] = statement
            continue
        places = repeated.setdefault(key, [first[key].origin])
        places.append(statement.origin)
        if statement.strength > first[key].strength:
            first[key] = replace(first[key], strength=statement.strength)
    if repeated:
        named = [first[key].phrase + _where(places) for key, places in repeated.items()]
        warnings.warn(
            f"what a source says repeatedly counts once: {_some(named)}",
            RepeatedStatementWarning,
            stacklevel=2,
        )
    kept = tuple(first.values())
    copies = _copies(kept)
    if copies:
        warnings.warn(
            f"all that one source says another says as well: {_some(copies)}; if one has it from "
            "the other, give both one source, or the same evidence counts twice",
            RepeatedStatementWarning,
            stacklevel=2,
        )
    return kept


def others_who_say(statements: Sequence[Statement]) -> list[str]:
    """Of each statement the other sources that say the same, separated by commas."""
    who: dict[Content, list[str]] = {}
    for statement in statements:
        who.setdefault(content(statement), []).append(statement.source)
    return [
        ", ".join(name for name in who[content(one)] if name != one.source) for one in statements
    ]


def _copies(statements: Sequence[Statement]) -> list[str]:
    """Each source all of whose statements another makes, with the first such."""
    said: dict[str, set[Content]] = {}
    for statement in statements:
        said.setdefault(statement.source, set()).add(content(statement))
    found, told = [], set[frozenset[str]]()
    for name, own in said.items():
        fuller = (other for other in said if other != name and own <= said[other])
        other = next(fuller, None)
        if other is None or len(own) < LEAST_COPIED or frozenset((name, other)) in told:
            continue
        told.add(frozenset((name, other)))  # two that say just the same are told once
        found.append(f"{name!r} ({len(own)} statements) and {other!r}")
    return found


def _where(places: Sequence[str]) -> str:
    known = [place for place in places if place]
    return f" ({'; '.join(known)})" if known else f" ({len(places)} times)"


def _some(named: Sequence[str]) -> str:
    more = f"; and {len(named) - MAX_NAMED} more" if len(named) > MAX_NAMED else ""
    return "; ".join(named[:MAX_NAMED]) + more
