"""`Session`: a document that changes step by step, is saved after each, and can be undone."""

from dataclasses import replace
from typing import Any

from pathprior.beliefs.belief_file import belief_row
from pathprior.beliefs.statement import Statement
from pathprior.data.preparation import Preparation
from pathprior.errors import DataError, StudioError
from pathprior.studio.changes import Around, Change, apply
from pathprior.studio.document import ME, Document, Entry
from pathprior.studio.folder import Folder, belief_names
from pathprior.studio.reading import Stated
from pathprior.studio.triage import describe_columns, totals_of, triage, variables_of
from pathprior.studio.within import Tiers, Within

MAX_STEPS = 200
"""Steps that can be undone."""


class StaleRevision(Exception):
    """A change was made to something that is no longer there."""


class Session:
    """One document, its history and its files.

    Every change names the revision that it was made to; a change to an older one is refused, so
    that two tabs never overwrite each other.
    """

    def __init__(self, folder: Folder, data: str | None = None) -> None:
        self.folder = folder
        saved = folder.load()
        self.document = saved
        if data is not None and data != saved.data:
            self.document = replace(saved, data=data, remedies=(), tiers=())
        self.revision = 1
        self._past: list[Document] = []
        self._future: list[Document] = []
        try:
            self.preparation, self._totals = self._prepare(self.document)
        except DataError as error:
            self.preparation, self._totals = None, str(error)
        folder.save(self.document, saved)

    # -- changing it -----------------------------------------------------------------------------

    def change(self, revision: int, change: Change) -> None:
        """Make a change, saved before this returns; refused changes leave everything as it was."""
        self._require(revision)
        before = self.document
        after = apply(before, change, Around(self.folder, self.variables))
        self._require_possible(before, after)
        self._become(after)
        if before.speaker == self.document.speaker:
            self._past = [*self._past[1 - MAX_STEPS :], before]
        else:  # nobody undoes what somebody else said
            self._past = []
        self._future = []

    def undo(self, revision: int) -> None:
        """Go back one step, if there is one."""
        self._step(revision, self._past, self._future)

    def redo(self, revision: int) -> None:
        """Go forward one step that was undone."""
        self._step(revision, self._future, self._past)

    def _step(self, revision: int, source: list[Document], target: list[Document]) -> None:
        self._require(revision)
        if source:
            before = self.document
            # numbers are never used again, also of beliefs that were undone
            number = max(before.next_number, source[-1].next_number)
            self._become(replace(source[-1], next_number=number))
            source.pop()
            target.append(before)

    def _become(self, document: Document) -> None:
        prepared = self.preparation, self._totals
        if _data_of(document) != _data_of(self.document):
            prepared = self._prepare(document)
        self.folder.save(document, self.document)
        self.revision += 1  # first: who asks about the old one meanwhile is not answered from this
        self.document, (self.preparation, self._totals) = document, prepared

    def _require(self, revision: int) -> None:
        if revision != self.revision:
            raise StaleRevision

    def _prepare(self, document: Document) -> tuple[Preparation | None, str]:
        """What becomes of the columns, and how many rows and columns that leaves."""
        if document.data is None:
            return None, ""
        preparation = triage(self.folder.place(document.data), document.remedies)
        return preparation, totals_of(preparation)

    def _require_possible(self, before: Document, after: Document) -> None:
        """Refuse what is newly stated if the tiers make it impossible."""
        new = [entry.belief for entry in after.entries if entry not in before.entries]
        known = set(self.variables)
        tiers = _known_tiers(after, known)
        if not new or not any(tiers):
            return
        within = Within.of(self.variables, tiers)
        for belief in new:
            clash = within.clash(belief) if {belief.x, belief.y} <= known else None
            if clash is not None:
                raise StudioError(f"{clash}; state something else, or move one of the two")

    # -- what there is ---------------------------------------------------------------------------

    @property
    def variables(self) -> tuple[str, ...]:
        """The columns that stay; without data, what the beliefs speak of."""
        if self.preparation is not None:
            return variables_of(self.preparation)
        return belief_names(tuple(entry.belief for entry in self.document.entries))

    def stated(self) -> Stated:
        """What is to be read for whoever speaks."""
        beliefs = tuple((entry.number, entry.pooled) for entry in self.document.visible)
        document, known = self.document, set(self.variables)
        return Stated(
            self.revision,
            self.variables,
            beliefs,
            document.expected_parents,
            _known_tiers(document, known),
        )

    def view(self) -> dict[str, Any]:
        """All that the page shows of it, as JSON values."""
        document, known = self.document, set(self.variables)
        return {
            "revision": self.revision,
            "data": document.data,
            "dataFiles": self.folder.data_files(document),
            "columns": []
            if self.preparation is None
            else describe_columns(self.preparation, document.remedies),
            "totals": self._totals,
            "variables": list(self.variables),
            "tiers": [list(tier) for tier in _known_tiers(document, known)],
            "experts": list(document.experts),
            "speaker": document.speaker,
            "files": {
                name: self.folder.belief_file(document, name).name
                for name in (ME, *document.experts)
            },
            "folder": self.folder.path.name,
            "beliefs": [_describe(entry, known) for entry in document.visible],
            "expectedParents": document.expected_parents,
            "canUndo": bool(self._past),
            "canRedo": bool(self._future),
        }


def _describe(entry: Entry, known: set[str]) -> dict[str, Any]:
    belief = entry.belief
    return {
        **belief_row(belief),
        "number": entry.number,
        "expert": entry.expert,
        "probability": list(belief.stated),
        "phrases": [belief.phrase]
        if isinstance(belief, Statement)
        else [event.phrase(belief.x, belief.y) for event in belief.named_events],
        "isStatement": isinstance(belief, Statement),
        "isOrphan": not {belief.x, belief.y} <= known,
    }


def _known_tiers(document: Document, known: set[str]) -> Tiers:
    """The tiers, without what is no variable."""
    return tuple(tuple(name for name in tier if name in known) for tier in document.tiers)


def _data_of(document: Document) -> tuple[Any, ...]:
    return document.data, document.remedies
