"""The way of a secret address to the browser.

Everybody on a machine can read the command lines of all its programs. So the browser is started on
a page in the folder that its owner alone can read, and the page sends it on to the address.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path

from pathprior.errors import StudioError
from pathprior.files import reason

OTHERS = 0o077
"""What of a file's permissions is not its owner's."""


@contextmanager
def private_page(page: Path, address: str) -> Iterator[Path]:
    """Write a page that sends its reader on to ``address``, for its owner alone, while it is used.

    Raises
    ------
    StudioError
        If it cannot be written, or not so that others cannot read it.
    """
    try:
        page.unlink(missing_ok=True)  # of a studio that was killed
        # made anew and never through a link: nobody has it open
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(page, flags, 0o600), "w", encoding="utf-8") as file:
            # Windows keeps other permissions, which come with the folder
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & OTHERS:
                raise PermissionError("files there cannot be kept from others")
            file.write(_sending_to(address))
    except OSError as error:
        with suppress(OSError):  # what lies there may be a folder, or not ours
            page.unlink(missing_ok=True)
        raise StudioError(f"cannot write {page} to open it: {reason(error, page)}") from error
    try:
        yield page
    finally:
        page.unlink(missing_ok=True)


def _sending_to(address: str) -> str:
    shown = escape(address)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="referrer" content="no-referrer">\n'
        f'<meta http-equiv="refresh" content="0; url={shown}">\n<title>pathprior studio</title>\n'
        f'<p><a href="{shown}">Go to the studio</a></p>\n</html>\n'
    )
