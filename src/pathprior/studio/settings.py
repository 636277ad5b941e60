"""The settings file of a session: what of a document is in no belief file, as JSON."""

import json
from pathlib import Path
from typing import Any

from pathprior.errors import StudioError
from pathprior.files import saving, unwritable
from pathprior.studio.checks import (
    expected_parents_from,
    expert_name_from,
    remedy_from,
    tiers_from,
)
from pathprior.studio.document import Document
from pathprior.studio.file_names import expert_files, same_file

FORMAT = 2
"""Raise it when the settings file changes its meaning."""
WITHOUT_FILES = 1
"""The format in which experts had names alone."""


def settings_of(document: Document) -> dict[str, Any]:
    """What of a document is in no belief file, as JSON values."""
    return {
        "data": document.data,
        "remedies": [[column, option, value] for column, (option, value) in document.remedies],
        "tiers": [list(tier) for tier in document.tiers],
        "experts": dict(zip(document.experts, document.files, strict=True)),
        "expected_parents": document.expected_parents,
    }


def write_settings(document: Document, path: Path) -> None:
    """Write what is in no belief file."""
    content = {"format": FORMAT, **settings_of(document)}
    with saving(path, StudioError) as temporary:
        text = json.dumps(content, indent=1, ensure_ascii=False)
        temporary.write_text(text + "\n", encoding="utf-8")


def read_settings(path: Path, beliefs: str) -> Document:
    """The document that `write_settings` wrote, without beliefs.

    ``beliefs`` is the name of the user's belief file.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] == WITHOUT_FILES:
            content["experts"] = _named_after(content["experts"], beliefs)
        elif content["format"] != FORMAT:
            raise ValueError
        return _document(content, beliefs)
    except StudioError as error:
        raise StudioError(f"{path}: {error}; mend it there, or move the file away") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise StudioError(f"{path} is not a settings file of this release: move it away") from None


def _named_after(experts: list[str], beliefs: str) -> dict[str, str]:
    """Files of experts, each the first of their names that nobody before has."""
    found: dict[str, str] = {}
    for expert in experts:
        taken = {same_file(file) for file in found.values()}
        files = expert_files(beliefs, expert)
        found[expert] = next(file for file in files if same_file(file) not in taken)
    return found


def _document(content: dict[str, Any], beliefs: str) -> Document:
    data, experts = content["data"], content["experts"]
    if not (data is None or isinstance(data, str)):
        raise StudioError(f"data is the name of a file, not {data!r}")
    for k, name in enumerate(experts):
        if expert_name_from(name, list(experts)[:k]) != name:
            raise StudioError(f"the expert's name {name!r} begins or ends with a blank")
    taken = {same_file(beliefs)}
    for file in experts.values():
        is_plain = Path(file).name == file and "\\" not in file and not unwritable(file)
        if same_file(file) in taken or not is_plain or Path(file).suffix != Path(beliefs).suffix:
            raise StudioError(f"{file!r} cannot be the belief file of an expert")
        taken.add(same_file(file))
    return Document(
        data=data,
        remedies=tuple(
            (str(column), remedy_from(option, value))
            for column, option, value in content["remedies"]
        ),
        tiers=tiers_from(content["tiers"]),
        experts=tuple(experts),
        files=tuple(experts.values()),
        expected_parents=expected_parents_from(content["expected_parents"]),
    )
