"""`Folder`: the one folder that a session reads and writes, and its files in it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_file import read_beliefs, write_csv, write_json
from pathprior.errors import BeliefError, StudioError
from pathprior.files import holding, unwritable
from pathprior.studio.document import ME, Document
from pathprior.studio.file_names import (
    LONGEST,
    cut,
    expert_files,
    is_data_name,
    may_hold_data,
    same_file,
)
from pathprior.studio.settings import read_settings, settings_of, write_settings


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
            raise StudioError(f"{cut(name)!r} is not a file in the folder of this session")
        return found

    def arrival(self, name: str) -> Path:
        """Where a data file that is brought in goes: an error unless its name is plainly that."""
        if not is_data_name(name):
            raise StudioError(
                f"{cut(name)!r} is not taken: a data file ends in .csv, .tsv or .txt (also .gz), "
                f".parquet, .xlsx or .xls, and has at most {LONGEST} letters, no dot first, no "
                "colon and no control characters"
            )
        path = self.place(name)
        if path.exists() or same_file(name) in map(same_file, self._own):
            raise StudioError(
                f"there is a file {name} in the folder already: open it, or rename yours"
            )
        return path

    def data_files(self, document: Document) -> list[str]:
        """Names of the files that may hold data, sorted."""
        ours = {same_file(file) for file in (*self._own, *document.files)}
        return sorted(
            path.name
            for path in self.path.iterdir()
            if path.is_file()
            and not path.name.startswith(".")
            and same_file(path.name) not in ours
            and may_hold_data(path.name)
        )

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other studios off the belief file; raise where one has it."""
        with holding(self.path / f".{self._stem}.studio.lock") as is_ours:
            if not is_ours:
                raise StudioError(
                    f"another studio has {self.beliefs} open, and two would overwrite each other's "
                    "files: use its page, end it, or take another file with --beliefs"
                )
            yield

    def load(self) -> Document:
        """What an earlier session has left; an empty document if there was none."""
        document = Document()
        if self._settings.exists():
            document = read_settings(self._settings, self.beliefs)
        for expert in (ME, *document.experts):
            document = document.with_beliefs(expert, _read(self.belief_file(document, expert)))
        return document

    def with_expert(self, document: Document, name: str) -> Document:
        """The document with one more expert, in a file that nobody else has.

        A belief file that lies there under the expert's name is taken up; any other stays as it is.
        """
        ours = {same_file(file) for file in (*self._own, *document.files)}
        there = {same_file(path.name) for path in self.path.iterdir()}
        first, *others = islice(expert_files(self.beliefs, name), 2 + len(ours | there))
        is_other = same_file(first) in there and not (self.path / first).exists()  # by its capitals
        if same_file(first) not in ours and not is_other:
            with suppress(StudioError, BeliefError, OSError):  # it is something else
                return document.with_expert(name, first, _read(self.place(first)))
        free = next(file for file in others if same_file(file) not in ours | there)
        return document.with_expert(name, free, ())

    def save(self, document: Document, before: Document) -> None:
        """Write the files in which a document differs from the one before, each atomically."""
        for expert in (ME, *document.experts):
            path = self.belief_file(document, expert)
            is_new = expert not in (ME, *before.experts)
            # what a new expert's file holds was taken up, and stays as it is written
            if not path.exists() if is_new else document.of(expert) != before.of(expert):
                write = write_json if path.suffix.lower() == ".json" else write_csv
                write(document.of(expert), path)
        if settings_of(document) != settings_of(before):
            write_settings(document, self._settings)

    def belief_file(self, document: Document, expert: str) -> Path:
        """Where the beliefs of one expert lie."""
        if expert == ME:
            return self.path / self.beliefs
        return self.path / document.files[document.experts.index(expert)]

    @property
    def opening(self) -> Path:
        """Where the page lies that leads the browser to the session."""
        return self.path / f".{self._stem}.studio.html"

    @property
    def last_run(self) -> Path:
        """Where the last run is kept."""
        return self.path / f"{self._stem}.studio-run.json"

    @property
    def _own(self) -> tuple[str, ...]:
        """Names that are the session's, besides those of experts' files."""
        return self.beliefs, self._settings.name, self.last_run.name

    @property
    def _stem(self) -> str:
        return Path(self.beliefs).stem

    @property
    def _settings(self) -> Path:
        return self.path / f"{self._stem}.studio.json"


def _read(path: Path) -> tuple[Belief, ...]:
    """The beliefs in a file, which may not be there or hold none."""
    return () if not path.exists() or _is_bare(path) else tuple(read_beliefs(path))


def _is_bare(path: Path) -> bool:
    """Whether a belief file is as we leave it when there is no belief."""
    return path.read_bytes().strip() in (b"", b"[]", b"x,relation,y,probability,strength,source")


def belief_names(beliefs: tuple[Belief, ...]) -> tuple[str, ...]:
    """The variables that beliefs speak of, in order of first appearance."""
    return tuple(dict.fromkeys(name for belief in beliefs for name in (belief.x, belief.y)))
