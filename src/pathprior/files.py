"""Writing files so that a reader never sees half of one, and saying why it failed."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from pathprior.errors import PathPriorError

_UNWRITABLE = re.compile("[\0\r\ud800-\udfff]")


def unwritable(text: str) -> str | None:
    """Say what in a name files do not keep, if anything.

    UTF-8 has no half characters, C libraries stop at a NUL, and CSV readers break lines at a CR.
    """
    found = _UNWRITABLE.search(text)
    if found is None:
        return None
    return {"\0": "a NUL", "\r": "a carriage return"}.get(found[0], "half a character")


def reason(error: BaseException, path: str | os.PathLike[str]) -> str:
    """Say why ``path`` could not be read or written: the system's words, without its number."""
    if not isinstance(error, OSError) or error.strerror is None:
        return str(error).strip()
    culprit = error.filename
    is_elsewhere = culprit is not None and Path(culprit).parent != Path(path).parent
    return error.strerror + (f": {culprit}" if is_elsewhere else "")


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside ``path``; on success rename it to ``path``, else remove it.

    The rename is atomic, so a crash or a concurrent writer leaves the old file or a whole new one.
    Folders that had to be made for it go with the temporary.
    """
    target = Path(path)
    if target.is_dir():  # the rename would find out, but only after all the work
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    new_folders = [folder for folder in target.parents if not folder.exists()]
    temporary = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(
            dir=target.parent, prefix=".new-", suffix=target.suffix, delete=False
        ) as handle:
            temporary = Path(handle.name)
        yield temporary
        # NamedTemporaryFile makes the file private; give it the permissions a plain open() would
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(target)
    except BaseException:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        for folder in new_folders:
            with suppress(OSError):  # never made, or somebody else's files are in it
                folder.rmdir()
        raise


@contextmanager
def saving(path: str | os.PathLike[str], failure: type[PathPriorError]) -> Iterator[Path]:
    """Do as `replacing`, and raise ``failure`` where the file cannot be written."""
    try:
        with replacing(path) as temporary:
            yield temporary
    except (OSError, UnicodeEncodeError) as error:
        raise failure(f"cannot write {os.fspath(path)}: {reason(error, path)}") from error
