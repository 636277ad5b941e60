"""Changes of a document, each a small record from the page and a function on documents."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_file import belief_from_row
from pathprior.counting.expected_parents import AUTO
from pathprior.errors import StudioError
from pathprior.files import unwritable
from pathprior.studio.document import ME, Document, Entry

LONGEST_NAME = 60
"""Most letters of an expert's name, which is part of a file's name."""

Change = Mapping[str, Any]


def apply(document: Document, change: Change) -> Document:
    """Return the changed document; ``change`` is an object with a ``kind``, as JSON has it.

    Raises
    ------
    StudioError
        If there is no such kind of change, or it names something that does not exist.
    BeliefError
        If a belief says something impossible.
    """
    kind = change.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise StudioError(f"unknown change {kind!r}; use one of {', '.join(KINDS)}")
    return KINDS[kind](document, change)


def _add(document: Document, change: Change) -> Document:
    return document.with_beliefs(document.speaker, (_belief(change),))


def _edit(document: Document, change: Change) -> Document:
    changed = replace(_entry(document, change), belief=_belief(change))
    entries = (changed if e.number == changed.number else e for e in document.entries)
    return replace(document, entries=tuple(entries))


def _remove(document: Document, change: Change) -> Document:
    removed = _entry(document, change)
    return replace(document, entries=tuple(e for e in document.entries if e is not removed))


def _tiers(document: Document, change: Change) -> Document:
    tiers = [[str(name) for name in tier] for tier in _field(change, "tiers", list)]
    named = [name for tier in tiers for name in tier]
    for name in named:
        if named.count(name) > 1:
            raise StudioError(f"{name!r} is in two tiers; keep one")
    return replace(document, tiers=tuple(tuple(tier) for tier in tiers if tier))


def _remedy(document: Document, change: Change) -> Document:
    column, option = _field(change, "column", str), _field(change, "option", str)
    value = _field(change, "value", bool | int | str)
    if option not in OPTIONS:
        raise StudioError(f"unknown remedy {option!r}; use one of {', '.join(OPTIONS)}")
    # a column is treated in one way; what becomes of its gaps is a second question
    others = tuple(
        (name, remedy)
        for name, remedy in document.remedies
        if name != column or (remedy[0] == "missing") != (option == "missing")
    )
    return replace(document, remedies=(*others, (column, (option, value))))


def _propose(document: Document, change: Change) -> Document:
    column = _field(change, "column", str)
    kept = tuple((name, remedy) for name, remedy in document.remedies if name != column)
    return replace(document, remedies=kept)


def _open(document: Document, change: Change) -> Document:
    return replace(document, data=_field(change, "name", str), remedies=(), tiers=())


def _expert(document: Document, change: Change) -> Document:
    name = _field(change, "name", str).strip()
    if not name or len(name) > LONGEST_NAME or unwritable(name):
        raise StudioError(f"an expert's name has 1 to {LONGEST_NAME} letters, not {name!r}")
    if name.casefold() in map(str.casefold, document.experts):
        raise StudioError(f"there is an expert {name!r} already; choose another name")
    return replace(document, experts=(*document.experts, name), speaker=name)


def _speak(document: Document, change: Change) -> Document:
    name = _field(change, "name", str)
    if name not in (ME, *document.experts):
        raise StudioError(f"there is no expert {name!r}")
    return replace(document, speaker=name)


def _base(document: Document, change: Change) -> Document:
    parents = change.get("expected_parents")
    is_number = isinstance(parents, int | float) and not isinstance(parents, bool) and parents > 0
    if not is_number and parents not in (AUTO, None):
        raise StudioError(
            f"expected parents are a positive number, 'auto' or none, not {parents!r}"
        )
    return replace(document, expected_parents=parents)


KINDS: dict[str, Callable[[Document, Change], Document]] = {
    "add": _add,
    "edit": _edit,
    "remove": _remove,
    "tiers": _tiers,
    "remedy": _remedy,
    "propose": _propose,
    "open": _open,
    "expert": _expert,
    "speak": _speak,
    "base": _base,
}

OPTIONS = ("keep", "real", "drop", "bins", "top", "missing")


def _belief(change: Change) -> Belief:
    read = belief_from_row(_field(change, "belief", dict), "the belief")
    return replace(read, origin="")


def _entry(document: Document, change: Change) -> Entry:
    number = _field(change, "number", int)
    for entry in document.visible:
        if entry.number == number:
            return entry
    raise StudioError(f"there is no belief number {number}: it was removed")


def _field(change: Change, name: str, kind: Any) -> Any:
    value = change.get(name)
    if not isinstance(value, kind):
        raise StudioError(f"the change {change['kind']!r} cannot have {name} {value!r}")
    return value
