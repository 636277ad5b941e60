"""Names of files that come into the folder of a session: whose they are, and which are taken."""

import os
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from unicodedata import normalize

from pathprior.data.formats import format_of
from pathprior.errors import DataError

LONGEST = 100
"""Most letters in the name of a data file that is brought in."""
MOST_BYTES = 255
"""Most bytes that a file system has for a name."""
MOST_BYTES_OF_EXPERT = 120


def same_file(name: str) -> str:
    """What two names share that some file system takes for one: capitals and accents may differ."""
    return normalize("NFC", normalize("NFC", name).casefold())


def expert_files(beliefs: str, expert: str) -> Iterator[str]:
    """Names for an expert's belief file, beside that of the user, the one to be hoped for first."""
    letters = re.sub(r"[^\w]+", "-", same_file(expert)).encode()[:MOST_BYTES_OF_EXPERT]
    mine = Path(beliefs)
    name = f"{mine.stem}-{letters.decode(errors='ignore').strip('-') or 'expert'}"
    yield f"{name}{mine.suffix}"
    for number in count(2):
        yield f"{name}-{number}{mine.suffix}"


def is_data_name(name: str) -> bool:
    """Whether a name is plainly that of a data file, and nothing else on any system.

    Other files mean something to other programs: shells, Python and mail programs all run or read
    what they find under some name.
    """
    return (
        len(name) <= LONGEST
        and name.isprintable()
        and len(os.fsencode(name)) <= MOST_BYTES
        and not name.startswith(".")
        and ":" not in name  # on Windows it leads to another stream of the file before it
        and may_hold_data(name)
    )


def may_hold_data(name: str) -> bool:
    """Whether the end of a name says that the file holds data."""
    try:
        return bool(format_of(Path(name)))
    except DataError:
        return False


def cut(name: str) -> str:
    """As much of a name as one wants to read."""
    return name if len(name) <= LONGEST else name[:LONGEST] + "…"
