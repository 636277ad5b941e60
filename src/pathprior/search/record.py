"""The record of a run, `summary.json`: what it found, and all to repeat it bit for bit."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pathprior.errors import ReportError
from pathprior.files import reason
from pathprior.search.family_parts import has_parts
from pathprior.search.settings import LearnSettings
from pathprior.versions import versions

if TYPE_CHECKING:
    from pathprior.search.missing_cells import MissingCells
    from pathprior.search.result import Fit


FORMAT = "pathprior.run"
VERSION = 5


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
    """What a run was given besides its settings; of the data these columns, or all."""

    data: InputFile
    beliefs: InputFile | None
    repair: str
    pool: str
    columns: tuple[str, ...] | None = None

    def describe(self) -> dict[str, str]:
        """Each file in words, by what it holds, and the columns if not all were used."""
        files = {
            name: f"{file.path}, SHA-256 {file.sha256}"
            for name, file in (("data", self.data), ("beliefs", self.beliefs))
            if file is not None
        }
        return files if self.columns is None else files | {"columns": ", ".join(self.columns)}


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run as its summary tells it.

    Attributes
    ----------
    settings
        The options as they were given, with which the run can be repeated.
    network_sha256
        Of the network file that the run wrote: equal if and only if a repetition found the same
        network, parameters included.
    versions
        Under which the run was made; others may round differently.
    """

    inputs: RunInputs
    settings: LearnSettings
    network_sha256: str
    versions: Mapping[str, str]


def summarise(
    fit: "Fit", network: Path, *, inputs: RunInputs | None = None, folder: Path
) -> dict[str, Any]:
    """Scores, inputs, settings, seed and versions: what it takes to repeat and to judge a run.

    ``settings`` are the options as they were given, ``resolved`` what the search made of them.

    Parameters
    ----------
    network
        The network file written for ``fit``.
    inputs
        The files read; without them the run cannot be repeated from its summary.
    folder
        Where the summary will lie: input paths are kept relative to it, so that a project can be
        moved as a whole.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "score": fit.score,
        "data_score": fit.data_score,
        "prior_score": fit.prior_score,
        "num_rows": fit.problem.data.num_rows,
        "num_variables": fit.problem.data.num_variables,
        "num_edges": fit.dag.num_edges,
        "num_steps": len(fit.steps),
        "stopped_because": str(fit.stopped_because),
        "optimality": fit.optimality,
        "num_truncated_swaps": fit.num_truncated_swaps,
        "missing": _missing(fit.missing),
        "sources": fit.sources().to_dict("records") if fit.has_statements else None,
        "families": fit.families().to_dict("records") if has_parts(fit) else None,
        "network_sha256": InputFile.of(network).sha256,
        "inputs": keep_inputs(inputs, folder),
        "settings": asdict(fit.settings),
        "resolved": asdict(fit.resolved),
        "repair": None if inputs is None else inputs.repair,
        "pool": None if inputs is None else inputs.pool,
        "versions": versions(),
    }


def _missing(missing: "MissingCells | None") -> dict[str, Any] | None:
    """What was missing, what was done, and how far rounds agreed."""
    if missing is None:
        return None
    return {
        "treatment": missing.treatment,
        "num_rows": missing.num_rows,
        "num_cells": missing.num_cells,
        "by_column": missing.by_column,
        "num_rounds_compared": len(missing.rounds),
        "mean_distance": missing.mean_distance if missing.rounds else None,
    }


def keep_inputs(inputs: RunInputs | None, folder: Path) -> dict[str, Any]:
    """The inputs of a run as its record keeps them, paths relative to ``folder``.

    ``columns`` is there only if not all columns of the data were used.
    """
    if inputs is None:
        return {"data": None, "beliefs": None}
    columns = {} if inputs.columns is None else {"columns": list(inputs.columns)}
    return columns | {
        name: None if file is None else _keep(file, folder)
        for name, file in (("data", inputs.data), ("beliefs", inputs.beliefs))
    }


def read_summary(
    path: Path, *, data: Path | None = None, beliefs: Path | None = None
) -> RecordedRun:
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
    if part.content.get("format") != FORMAT or part.content.get("version") != VERSION:
        raise ReportError(
            f"{path} is no summary of version {VERSION}, the one this release repeats: learn anew"
        )
    files = part.part("inputs")
    if files.content.get("data") is None:
        raise ReportError(f"{path} names no data file: it was not written by 'pathprior learn'")
    has_beliefs = files.content.get("beliefs") is not None
    if beliefs is not None and not has_beliefs:
        raise ReportError(f"the run of {path} had no beliefs: leave {beliefs} out")
    return RecordedRun(
        RunInputs(
            _unchanged(files.part("data"), data),
            _unchanged(files.part("beliefs"), beliefs) if has_beliefs else None,
            part.text("repair"),
            part.text("pool"),
            _columns(files),
        ),
        _read_settings(part.part("settings")),
        part.text("network_sha256"),
        {name: str(version) for name, version in part.part("versions").content.items()},
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """A JSON object of a summary whose entries are checked as they are taken."""

    path: Path
    content: Any

    def __post_init__(self) -> None:
        if not isinstance(self.content, dict):
            raise ReportError(f"{self.path} is no summary of a run: use one that learn wrote")

    def take(self, name: str) -> Any:
        if name not in self.content:
            raise ReportError(f"{self.path} lacks {name!r}: use a summary that learn wrote")
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
            f"then {recorded.text('sha256')[:12]}…): put the old file back, or learn anew"
        )
    return file


def _columns(files: _Part) -> tuple[str, ...] | None:
    columns = files.content.get("columns")
    if columns is None:
        return None
    if not isinstance(columns, list) or not all(isinstance(name, str) for name in columns):
        raise ReportError(f"{files.path}: 'columns' must be a list of names, not {columns!r}")
    return tuple(columns)


def _read_settings(recorded: _Part) -> LearnSettings:
    recorded = _Part(recorded.path, _BEFORE | recorded.content)
    values = {field.name: recorded.take(field.name) for field in fields(LearnSettings)}
    for name, kinds in _KINDS.items():
        value = values[name]
        # a bool is an int to Python, but no number of anything
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise ReportError(f"{recorded.path}: setting {name!r} cannot be {value!r}")
    for name in ("kinds", "required", "forbidden", "tiers", "start"):
        value = values[name]
        if value is None:
            continue
        if not all(
            isinstance(names, list)
            and all(isinstance(text, str) for text in names)
            and (name != "kinds" or len(names) == 2)
            for names in value
        ):
            raise ReportError(f"{recorded.path}: setting {name!r} cannot be {value!r}")
        values[name] = tuple(tuple(names) for names in value)
    values["reliability"] = tuple(_source(shape, recorded) for shape in values["reliability"])
    return LearnSettings(**values)


def _source(shape: Any, recorded: _Part) -> tuple[str, tuple[float, float]]:
    """A source and its two numbers; what these may be is checked where they are used."""
    match shape:
        case [str() as name, [int() | float() as right, int() | float() as wrong]]:
            return name, (right, wrong)
    raise ReportError(f"{recorded.path}: setting 'reliability' cannot be {shape!r}")


_BEFORE = {"effort": "quick", "time_limit": None}
"""What runs did that were recorded before there were these settings."""

_NONE = type(None)
_KINDS: dict[str, tuple[type, ...]] = {
    "reliability": (list,),
    "kinds": (list,),
    "interventions": (str, _NONE),
    "interventions_kind": (str,),
    "missing": (str,),
    "score": (str,),
    "equivalent_sample_size": (int, float),
    "expected_parents": (int, float, str, _NONE),
    "search": (str,),
    "swap_equivalent": (bool, _NONE),
    "max_parents": (int, _NONE),
    "required": (list,),
    "forbidden": (list,),
    "tiers": (list,),
    "constant_columns": (str,),
    "start": (list, _NONE),
    "tabu": (int, _NONE),
    "shakes": (int, _NONE),
    "restarts": (int,),
    "effort": (str,),
    "time_limit": (int, float, _NONE),
    "seed": (int,),
}
