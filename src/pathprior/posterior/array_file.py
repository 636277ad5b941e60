"""Files of arrays and one JSON text (npz), written whole or not at all; reading runs no code."""

import json
import zlib
from collections.abc import Callable
from lzma import LZMAError
from os import PathLike
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from pathprior.errors import PosteriorError
from pathprior.files import reason, saving
from pathprior.posterior.array_records import Arrays

ABOUT = "about"
"""Name of the array that holds the bytes of the JSON text."""

# what zip files, compressed streams, array headers and JSON raise where bytes are wrong
_BROKEN = (
    BadZipFile,
    LZMAError,
    zlib.error,
    EOFError,
    KeyError,
    MemoryError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)


def save_arrays(
    path: str | PathLike[str], about: dict[str, Any], arrays: Arrays, *, is_compressed: bool
) -> None:
    """Write arrays, and what they are."""
    text = json.dumps(about, ensure_ascii=False, allow_nan=False).encode()
    write: Callable[..., None] = np.savez_compressed if is_compressed else np.savez
    with saving(path, PosteriorError) as temporary, temporary.open("wb") as file:
        write(file, allow_pickle=False, **{ABOUT: np.frombuffer(text, np.uint8)}, **arrays)


def load_arrays(path: Path, format: str) -> tuple[dict[str, Any], Arrays] | None:
    """What `save_arrays` wrote; None if the file is damaged or of another format."""
    try:
        with path.open("rb") as handle, np.load(handle, allow_pickle=False) as content:
            arrays = dict(content)
        about = json.loads(arrays.pop(ABOUT).tobytes().decode("utf-8"))
    except OSError as error:
        raise PosteriorError(f"{path}: cannot be read: {reason(error, path)}") from None
    except _BROKEN:
        return None
    if not isinstance(about, dict) or about.get("format") != format:
        return None
    return about, arrays
