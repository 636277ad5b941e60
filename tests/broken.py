"""Broken files and a bound on the time they may take, for the tests of the doors."""

import faulthandler
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hypothesis import strategies as st

SIGNS = ("\0", "\r\n", "\r", "\n", '"', '""', "\\", ",", ";", "\t", " ", "[", "]", "{", "}", ":")
WORDS = ("null", "true", "NaN", "nan", "inf", "-1", "1e999", "0.5", "9" * 40, "9" * 5000, "\\ud800")
TEXTS = ("é", "変数", "\u2028", "\x1b[31m", "$x^$", "x" * 200_000, "[" * 5000)
BYTES = (b"\xff", b"\xef\xbb\xbf", b"\xff\xfe")
PIECES = (*(text.encode() for text in SIGNS + WORDS + TEXTS), *BYTES)


@st.composite
def broken_bytes(draw: st.DrawFn, contents: Sequence[bytes]) -> bytes:
    """A valid file after a few deletions, insertions and repetitions, in some encoding."""
    content = draw(st.sampled_from(contents))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        stop = start + draw(st.sampled_from([0, 0, 1, 2, 10, 50]))
        insert = draw(
            st.sampled_from(PIECES) | st.just(content[start:stop] * 2) | st.binary(max_size=8)
        )
        content = content[:start] + insert + content[stop:]
    encoding = draw(st.sampled_from(["", "", "", "utf-16", "utf-16-le", "utf-8-sig", "latin-1"]))
    if encoding:
        content = content.decode("utf-8", "replace").encode(encoding, "replace")
    return content


@contextmanager
def bounded(seconds: float = 20.0) -> Iterator[None]:
    """Fail if the block takes longer; if it never ends, end the tests and show where it hangs."""
    faulthandler.dump_traceback_later(10 * seconds, exit=True, file=sys.__stderr__)
    start = time.perf_counter()
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
    assert time.perf_counter() - start < seconds
