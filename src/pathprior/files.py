"""Writing files so that a reader never sees half of one, and saying why it failed."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

try:
    import fcntl
except ImportError:  # no locks that end with their process: nothing is cleared there
    fcntl = None  # type: ignore[assignment]

from pathprior.errors import PathPriorError

_PREFIX = ".new-"
_OURS = re.compile(r"\.new-[a-z0-9_]{8}(\..*)?")
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
    Folders that had to be made for it go with the temporary. What writers left in the folder that
    were killed is removed first. A temporary that was yielded is itself written as it is: renamed
    over, it would lose the lock that says that its writer lives.
    """
    target = Path(path)
    if _OURS.fullmatch(target.name) and target.is_file():
        yield target
        return
    if target.is_dir():  # the rename would find out, but only after all the work
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    new_folders = [folder for folder in target.parents if not folder.exists()]
    temporary = handle = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _clear(target.parent)
        handle = _begin(target)
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
    finally:
        if handle is not None:
            handle.close()


def _begin(target: Path) -> IO[bytes]:
    """Make an empty file beside ``target``, locked while the process lives that is to write it."""
    while True:
        handle = NamedTemporaryFile(  # noqa: SIM115  # it stays open for its lock
            dir=target.parent, prefix=_PREFIX, suffix=target.suffix, delete=False
        )
        if fcntl is None:
            handle.close()
            return handle
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        if _is_at(handle, handle.name):
            return handle
        handle.close()  # another process took it for one left behind, before it was locked


def _clear(folder: Path) -> None:
    """Remove temporaries of ours that no living process has locked."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(folder) as entries:
        left = [
            Path(entry.path)
            for entry in entries
            if _OURS.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)
        ]
        for path in left:
            # whatever says no, a live writer or the file system, it stays
            with suppress(OSError), path.open("r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_at(file, path):
                    path.unlink()


def _is_at(file: IO[bytes], path: str | os.PathLike[str]) -> bool:
    """Whether an open file is the one that lies at ``path``."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    return False


@contextmanager
def holding(path: str | os.PathLike[str]) -> Iterator[bool]:
    """Lock the file ``path`` while the block runs; yield whether no other process has it.

    The lock ends with its process, however that ends; the file goes with the block. True where the
    system has no locks, or nothing can be written.
    """
    try:
        file = _lock(Path(path))
    except OSError:
        yield True
        return
    if file is None:
        yield False
        return
    try:
        yield True
    finally:
        Path(path).unlink(missing_ok=True)  # before the lock ends: later it might be another's
        file.close()


def _lock(path: Path) -> IO[bytes] | None:
    """A locked file at ``path``; None where another process has locked it."""
    while True:
        file = path.open("ab")
        if fcntl is None:
            return file
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return None
        except OSError:  # a file system without locks
            return file
        if _is_at(file, path):
            return file
        file.close()  # its holder took it away before it was locked


@contextmanager
def saving(path: str | os.PathLike[str], failure: type[PathPriorError]) -> Iterator[Path]:
    """Do as `replacing`, and raise ``failure`` where the file cannot be written."""
    try:
        with replacing(path) as temporary:
            yield temporary
    except (OSError, UnicodeEncodeError) as error:
        raise failure(f"cannot write {os.fspath(path)}: {reason(error, path)}") from error
