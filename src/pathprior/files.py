"""Writing files so that a reader never sees half of one, and saying why it failed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile


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
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(
        dir=target.parent, prefix=f".{target.name}.", suffix=target.suffix, delete=False
    ) as handle:
        temporary = Path(handle.name)
    try:
        yield temporary
        # NamedTemporaryFile makes the file private; give it the permissions a plain open() would
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise
