"""Where a session is to be found: the same port and the same secret in a folder each time.

Both follow from the folder and from a key that is made once for each user of the machine, so that
the address of yesterday still works, and nothing has to be kept for each folder.
"""

import hmac
import os
import secrets
from pathlib import Path

from platformdirs import user_state_path

from pathprior.errors import StudioError
from pathprior.files import reason

KEY_BYTES = 32
FIRST_PORT, NUM_PORTS = 20_000, 12_000
"""Below those that systems give to whoever asks for any."""


def key_file() -> Path:
    """Where the key of this user lies."""
    return user_state_path("pathprior") / "studio-key"


def read_key(path: Path) -> bytes:
    """The key of this user, made anew where there is none that only its owner can read.

    Raises
    ------
    StudioError
        If it can be neither read nor written.
    """
    try:
        if path.exists() and not _is_open(path) and len(key := path.read_bytes()) == KEY_BYTES:
            return key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        key = secrets.token_bytes(KEY_BYTES)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(key)
    except OSError as error:
        raise StudioError(
            f"cannot keep a key in {path}: {reason(error, path)}; the address is another each time"
        ) from error
    return key


def usual_port(key: bytes, folder: str) -> int:
    """The port of a folder: the same each time, and seldom that of another."""
    return FIRST_PORT + int.from_bytes(_derived(key, "port", folder)[:8]) % NUM_PORTS


def secret_of(key: bytes, folder: str, port: int) -> str:
    """The secret of a folder on a port.

    On another port it is another: whoever has taken the usual one may have been visited there.
    """
    return _derived(key, "secret", str(port), folder).hex()[:40]


def _derived(key: bytes, *about: str) -> bytes:
    return hmac.digest(key, "\0".join(about).encode(errors="surrogateescape"), "sha256")


def _is_open(path: Path) -> bool:
    """Whether others can read a file, where permissions say so, or it is theirs."""
    if os.name != "posix":
        return False
    status = path.stat()
    return bool(status.st_mode & 0o077) or status.st_uid != os.getuid()
