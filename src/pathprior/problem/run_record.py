"""The record of a run, ``summary.json``: the files that it read, its settings, what it found.

From it a run is repeated, bit for bit.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from pathprior.errors import ReportError
from pathprior.files import reason
from pathprior.problem.settings import ProblemSettings
from pathprior.versions import versions

Settings = TypeVar("Settings", bound=ProblemSettings)


@dataclass(frozen=True, slots=True)
class Command(Generic[Settings]):
    """A command that keeps a record.

    Attributes
    ----------
    name
        Of the command.
    format, version
        Of its records.
    settings
        What it can be asked.
    found
        Under which name the SHA-256 of the file is kept that tells whether a repetition found the
        same.
    """

    name: str
    format: str
    version: int
    settings: type[Settings]
    found: str


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that a run read, and the SHA-256 of what was in it."""

    path: Path
    sha256: str

    @classmethod
    def of(cls, path: Path) -> "InputFile":
        """Hash a file, in bounded memory."""
        try:
            with path.open("rb") as stream:
                return cls(path, hashlib.file_digest(stream, "sha256").hexdigest())
        except OSError as error:
            raise ReportError(f"cannot read {path}: {reason(error, path)}") from error


@dataclass(frozen=True, slots=True)
class RunInputs:
    """The files that a run read."""

    data: InputFile
    beliefs: InputFile | None

    @classmethod
    def of(cls, data: Path, beliefs: Path | None) -> "RunInputs":
        """Hash the files."""
        return cls(InputFile.of(data), None if beliefs is None else InputFile.of(beliefs))

    def describe(self) -> dict[str, str]:
        """Each file in words, by what it holds."""
        return {
            name: f"{file.path}, SHA-256 {file.sha256}"
            for name, file in (("data", self.data), ("beliefs", self.beliefs))
            if file is not None
        }


@dataclass(frozen=True, slots=True)
class RecordedRun(Generic[Settings]):
    """A run as its summary tells it.

    Attributes
    ----------
    settings
        The options as they were given, with which the run can be repeated.
    sha256
        Of the file of results that tells whether a repetition found the same.
    versions
        Under which the run was made; others may round differently.
    """

    inputs: RunInputs
    settings: Settings
    sha256: str
    versions: Mapping[str, str]


def record_run(
    command: Command[Settings],
    settings: Settings,
    found: Path,
    *,
    inputs: RunInputs | None = None,
    folder: Path,
) -> dict[str, Any]:
    """What it takes to repeat a run.

    Parameters
    ----------
    found
        The file of results by which a repetition is judged.
    inputs
        The files read; without them the run cannot be repeated from its summary.
    folder
        Where the summary will lie: input paths are kept relative to it, so that a project can be
        moved as a whole.
    """
    files = (None, None) if inputs is None else (inputs.data, inputs.beliefs)
    return {
        "format": command.format,
        "version": command.version,
        command.found: InputFile.of(found).sha256,
        "inputs": {
            name: None if file is None else _keep(file, folder)
            for name, file in zip(("data", "beliefs"), files, strict=True)
        },
        "settings": asdict(settings),
        "versions": versions(),
    }


def read_record(
    command: Command[Settings], path: Path, *, data: Path | None = None, beliefs: Path | None = None
) -> RecordedRun[Settings]:
    """Read what a summary says about its run, and check that the inputs are still the same.

    Parameters
    ----------
    data, beliefs
        Where the inputs lie now, if they were moved.

    Raises
    ------
    ReportError
        If the summary cannot be read or does not suffice, or an input has changed.
    """
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReportError(f"cannot read {path}: {reason(error, path)}") from error
    except (ValueError, RecursionError) as error:
        raise ReportError(f"{path} is no JSON file: {error}") from error
    part = _Part(path, summary)
    said = part.content.get("format"), part.content.get("version")
    if said != (command.format, command.version):
        raise ReportError(
            f"{path} is no summary of 'pathprior {command.name}' of version {command.version}, "
            "which is what this release repeats: run it anew"
        )
    files = part.part("inputs")
    if files.content.get("data") is None:
        raise ReportError(
            f"{path} names no data file: it was not written by 'pathprior {command.name}'"
        )
    has_beliefs = files.content.get("beliefs") is not None
    if beliefs is not None and not has_beliefs:
        raise ReportError(f"the run of {path} had no beliefs: leave {beliefs} out")
    return RecordedRun(
        RunInputs(
            _unchanged(files.part("data"), data),
            _unchanged(files.part("beliefs"), beliefs) if has_beliefs else None,
        ),
        _read_settings(command.settings, part.part("settings")),
        part.text(command.found),
        {name: str(version) for name, version in part.part("versions").content.items()},
    )


def _read_settings(kind: type[Settings], recorded: "_Part") -> Settings:
    for each in kind.declared():
        recorded.take(each.name)
    try:
        return kind.restore(recorded.content)
    except ValueError as error:
        raise ReportError(f"{recorded.path}: {error}") from None


@dataclass(frozen=True, slots=True)
class _Part:
    """A JSON object of a summary whose entries are checked as they are taken."""

    path: Path
    content: Any

    def __post_init__(self) -> None:
        if not isinstance(self.content, dict):
            raise ReportError(f"{self.path} is no summary of a run: use one that the command wrote")

    def take(self, name: str) -> Any:
        if name not in self.content:
            raise ReportError(f"{self.path} lacks {name!r}: use a summary that the command wrote")
        return self.content[name]

    def part(self, name: str) -> "_Part":
        return _Part(self.path, self.take(name))

    def text(self, name: str) -> str:
        value = self.take(name)
        if not isinstance(value, str):
            raise ReportError(f"{self.path}: {name!r} must be a text, not {value!r}")
        return value


def _keep(file: InputFile, folder: Path) -> dict[str, str]:
    try:
        path = os.path.relpath(file.path, folder)
    except ValueError:  # on another drive
        path = os.path.abspath(file.path)
    return {"path": Path(path).as_posix(), "sha256": file.sha256}


def _unchanged(recorded: _Part, moved_to: Path | None) -> InputFile:
    path = moved_to
    if path is None:
        path = Path(os.path.normpath(recorded.path.parent / recorded.text("path")))
        if not os.path.exists(path):  # Path.exists raises where a name is too long
            raise ReportError(f"{path}, which {recorded.path} names, is gone: say where it is now")
    file = InputFile.of(path)
    if file.sha256 != recorded.text("sha256"):
        raise ReportError(
            f"{path} has changed since the run of {recorded.path} (SHA-256 {file.sha256[:12]}…, "
            f"then {recorded.text('sha256')[:12]}…): put the old file back, or run anew"
        )
    return file
