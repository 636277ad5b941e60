"""Changes of a document, each a small record from the page and a function on documents."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_file import belief_from_row
from pathprior.counting.expected_parents import make_base
from pathprior.errors import StudioError
from pathprior.studio.checks import (
    expected_parents_from,
    expert_name_from,
    remedy_from,
    tiers_from,
)
from pathprior.studio.document import ME, Document, Entry
from pathprior.studio.file_names import cut
from pathprior.studio.folder import Folder

Change = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Around:
    """What a change is checked against, besides the document.

    Attributes
    ----------
    folder
        The folder of the session.
    variables
        The columns that stay, or what beliefs speak of.
    """

    folder: Folder
    variables: tuple[str, ...]


def apply(document: Document, change: Change, around: Around) -> Document:
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
    return KINDS[kind](document, change, around)


def _add(document: Document, change: Change, around: Around) -> Document:
    return document.with_beliefs(document.speaker, (_belief(change),))


def _import(document: Document, change: Change, around: Around) -> Document:
    rows = _field(change, "beliefs", list)
    read = [belief_from_row(row, f"belief {k}") for k, row in enumerate(rows, 1)]
    there = set(document.of(document.speaker))
    new = [replace(belief, origin="") for belief in dict.fromkeys(read) if belief not in there]
    if not new:
        raise StudioError("there is nothing new in it: all of its beliefs are there already")
    return document.with_beliefs(document.speaker, tuple(new))


def _edit(document: Document, change: Change, around: Around) -> Document:
    changed = replace(_entry(document, change), belief=_belief(change))
    entries = (changed if e.number == changed.number else e for e in document.entries)
    return replace(document, entries=tuple(entries))


def _remove(document: Document, change: Change, around: Around) -> Document:
    removed = _entry(document, change)
    return replace(document, entries=tuple(e for e in document.entries if e is not removed))


def _tiers(document: Document, change: Change, around: Around) -> Document:
    tiers = tiers_from(change.get("tiers"))
    for name in (name for tier in tiers for name in tier):
        if name not in around.variables:
            raise StudioError(f"there is no variable {name!r} to put into a tier")
    return replace(document, tiers=tiers)


def _remedy(document: Document, change: Change, around: Around) -> Document:
    column = _field(change, "column", str)
    option, value = remedy_from(change.get("option"), change.get("value"))
    # a column is treated in one way; what becomes of its gaps is a second question
    others = tuple(
        (name, remedy)
        for name, remedy in document.remedies
        if name != column or (remedy[0] == "missing") != (option == "missing")
    )
    return replace(document, remedies=(*others, (column, (option, value))))


def _propose(document: Document, change: Change, around: Around) -> Document:
    column = _field(change, "column", str)
    kept = tuple((name, remedy) for name, remedy in document.remedies if name != column)
    return replace(document, remedies=kept)


def _open(document: Document, change: Change, around: Around) -> Document:
    name = _field(change, "name", str)
    around.folder.place(name)
    if name not in around.folder.data_files(document):
        raise StudioError(f"there is no data file {cut(name)!r} in the folder")
    return replace(document, data=name, remedies=(), tiers=())


def _expert(document: Document, change: Change, around: Around) -> Document:
    name = expert_name_from(change.get("name"), document.experts)
    return replace(around.folder.with_expert(document, name), speaker=name)


def _speak(document: Document, change: Change, around: Around) -> Document:
    name = _field(change, "name", str)
    if name not in (ME, *document.experts):
        raise StudioError(f"there is no expert {name!r}")
    return replace(document, speaker=name)


def _base(document: Document, change: Change, around: Around) -> Document:
    parents = expected_parents_from(change.get("expected_parents"))
    if len(around.variables) > 1:
        make_base(parents, len(around.variables))  # an error where so few cannot have so many
    return replace(document, expected_parents=parents)


KINDS: dict[str, Callable[[Document, Change, Around], Document]] = {
    "add": _add,
    "import": _import,
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
