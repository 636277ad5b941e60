"""`Folder`: the one folder that a session reads and writes, and its files in it."""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_file import read_beliefs, write_csv, write_json
from pathprior.data.formats import format_of
from pathprior.errors import DataError, StudioError
from pathprior.files import saving, unwritable
from pathprior.studio.document import ME, Document, settings_of, with_settings

LONGEST_FILE_NAME = 100
"""Most letters in the name of a data file that is brought in."""
MOST_BYTES = 255
"""Most bytes that a file system has for a name."""

FORMAT = 1
"""Raise it when the settings file changes its meaning."""


@dataclass(frozen=True, slots=True)
class Folder:
    """Where a session lives.

    Attributes
    ----------
    path
        The folder; nothing outside it is read or written.
    beliefs
        Name of the user's belief file; those of experts and the settings are named after it.
    """

    path: Path
    beliefs: str

    def place(self, name: str) -> Path:
        """The path of a file by its name; an error for names that lead elsewhere.

        A link counts as where it leads to.
        """
        found = self.path / name
        is_plain = name and Path(name).name == name and "\\" not in name and not unwritable(name)
        if not is_plain or found.resolve().parent != self.path.resolve():
            raise StudioError(f"{_cut(name)!r} is not a file in the folder of this session")
        return found

    def arrival(self, name: str) -> Path:
        """Where a data file that is brought in goes: an error unless its name is plainly that.

        Other files mean something to other programs: shells, Python and mail programs all run or
        read what they find under some name.
        """
        is_plain = (
            len(name) <= LONGEST_FILE_NAME
            and name.isprintable()
            and len(os.fsencode(name)) <= MOST_BYTES
            and not name.startswith(".")
            and ":" not in name  # on Windows it leads to another stream of the file before it
            and _may_hold_data(Path(name))
        )
        if not is_plain:
            raise StudioError(
                f"{_cut(name)!r} is not taken: a data file ends in .csv, .tsv or .txt (also .gz), "
                f".parquet, .xlsx or .xls, and has at most {LONGEST_FILE_NAME} letters, no dot "
                "first, no colon and no control characters"
            )
        path = self.place(name)
        ours = {self.beliefs.casefold(), self._settings.name.casefold()}
        if path.exists() or name.casefold() in ours:
            raise StudioError(
                f"there is a file {name} in the folder already: open it, or rename yours"
            )
        return path

    def data_files(self) -> list[str]:
        """Names of the files that may hold data, sorted."""
        ours = {self.beliefs, self._settings.name}
        return sorted(
            path.name
            for path in self.path.iterdir()
            if path.is_file()
            and not path.name.startswith((".", f"{self._stem}-"))
            and path.name not in ours
            and _may_hold_data(path)
        )

    def load(self) -> Document:
        """What an earlier session has left; an empty document if there was none."""
        document = Document()
        if self._settings.exists():
            document = with_settings(document, _read_settings(self._settings))
        for expert in (ME, *document.experts):
            path = self.belief_file(expert)
            if path.exists() and not _is_bare(path):
                document = document.with_beliefs(expert, tuple(read_beliefs(path)))
        return document

    def save(self, document: Document, before: Document) -> None:
        """Write the files in which a document differs from the one before, each atomically."""
        for expert in (ME, *document.experts):
            now = document.of(expert)
            if now != before.of(expert) or (expert and expert not in before.experts):
                path = self.belief_file(expert)
                write = write_json if path.suffix.lower() == ".json" else write_csv
                write(now, path)
        if settings_of(document) != settings_of(before):
            content = {"format": FORMAT, **settings_of(document)}
            with saving(self._settings, StudioError) as temporary:
                text = json.dumps(content, indent=1, ensure_ascii=False)
                temporary.write_text(text + "\n", encoding="utf-8")

    def belief_file(self, expert: str) -> Path:
        """Where the beliefs of one expert lie."""
        if expert == ME:
            return self.path / self.beliefs
        letters = re.sub(r"[^\w]+", "-", expert.casefold()).strip("-") or "expert"
        return self.path / f"{self._stem}-{letters}{Path(self.beliefs).suffix}"

    @property
    def opening(self) -> Path:
        """Where the page lies that leads the browser to the session."""
        return self.path / f".{self._stem}.studio.html"

    @property
    def _stem(self) -> str:
        return Path(self.beliefs).stem

    @property
    def _settings(self) -> Path:
        return self.path / f"{self._stem}.studio.json"


def _cut(name: str) -> str:
    """As much of a name as one wants to read."""
    return name if len(name) <= LONGEST_FILE_NAME else name[:LONGEST_FILE_NAME] + "…"


def _may_hold_data(path: Path) -> bool:
    try:
        return bool(format_of(path))
    except DataError:
        return False


def _is_bare(path: Path) -> bool:
    """Whether a belief file is as we leave it when there is no belief."""
    return path.read_bytes().strip() in (b"", b"[]", b"x,relation,y,probability,strength,source")


def _read_settings(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.pop("format") != FORMAT:
            raise ValueError
        with_settings(Document(), content)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise StudioError(f"{path} is not a settings file of this release: move it away") from None
    return dict(content)


def belief_names(beliefs: tuple[Belief, ...]) -> tuple[str, ...]:
    """The variables that beliefs speak of, in order of first appearance."""
    return tuple(dict.fromkeys(name for belief in beliefs for name in (belief.x, belief.y)))
