"""The last run of a session, kept in its folder: what was found, the report, and from what."""

import json
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from pathprior.beliefs.belief_file import belief_row
from pathprior.errors import StudioError
from pathprior.files import saving
from pathprior.studio.document import Document
from pathprior.studio.folder import Folder
from pathprior.studio.settings import settings_of

FORMAT = 2
"""Raise it when what the page shows of a run changes its form."""
WHAT_COUNTS = ("data", "remedies", "tiers", "expected_parents")
"""The settings that a run depends on."""


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run that was made.

    Attributes
    ----------
    about
        What it was made from, see `fingerprint`.
    time_limit
        Seconds for weighing graphs.
    result
        What the page shows of it.
    report
        The report, as HTML.
    """

    about: str
    time_limit: float
    result: dict[str, Any]
    report: str


def fingerprint(folder: Folder, document: Document) -> str:
    """What a run depends on, in a few letters: everything said, and the data file as it is now."""
    settings = settings_of(document)
    said = [json.dumps(belief_row(entry.pooled)) for entry in document.entries]
    data: list[int] = []
    if document.data is not None:
        with suppress(OSError, StudioError):  # it has gone
            status = folder.place(document.data).stat()
            data = [status.st_size, status.st_mtime_ns]
    about = [data, sorted(said), *(settings[name] for name in WHAT_COUNTS)]
    return sha256(json.dumps(about).encode()).hexdigest()


def write_run(run: KeptRun, path: Path) -> None:
    """Keep a run, in place of the one before."""
    content = {
        "format": FORMAT,
        "about": run.about,
        "timeLimit": run.time_limit,
        "result": run.result,
        "report": run.report,
    }
    with saving(path, StudioError) as temporary:
        temporary.write_text(json.dumps(content, allow_nan=False), encoding="utf-8")


def read_run(path: Path) -> KeptRun | None:
    """The run that was kept last, if one was."""
    if not path.exists():
        return None
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != FORMAT:
            raise ValueError
        about, report, result = content["about"], content["report"], content["result"]
        limit = float(content["timeLimit"])
        if not (isinstance(result, dict) and isinstance(about, str) and isinstance(report, str)):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise StudioError(
            f"{path.name} holds no run that this release can show: run again"
        ) from None
    return KeptRun(about, limit, result, report)
