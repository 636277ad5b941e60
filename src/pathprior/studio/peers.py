"""Who is at the other end of a connection, where Linux says so.

The secret of a folder stays the same, and a tab that was left open asks for it at a port that
anybody may have taken meanwhile. So another user of the machine may know it, and is still refused.
"""

import os
import socket
import struct
from collections.abc import Callable
from pathlib import Path

TABLE = Path("/proc/net/tcp")
ESTABLISHED = "01"
"""Of an end that is still held; one that was let go looks like root's."""

MayEnter = Callable[[int], bool]
"""Tells from the port at the other end whether who has it may come in."""


def peer_check(server: tuple[str, int]) -> MayEnter:
    """What tells whether a connection to ``server`` comes from our own user, or from root.

    Where the system does not say, all may come in: they still have to know the secret. It is tried
    with a connection of our own, so somebody has to listen.
    """
    if not hasattr(os, "getuid"):
        return lambda port: True

    def may_enter(port: int) -> bool:
        return owner(server, port) in (os.getuid(), 0)

    with socket.create_connection(server, timeout=5) as own:
        is_told = owner(server, own.getsockname()[1]) == os.getuid()
    return may_enter if is_told else lambda port: True


def owner(server: tuple[str, int], port: int) -> int | None:
    """The user who holds the other end of a connection to ``server``; None if nobody is seen."""
    ends = f"{_written(server[0], port)} {_written(*server)}"
    try:
        lines = TABLE.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    for line in lines[1:]:
        fields = line.split()
        if f"{fields[1]} {fields[2]}" == ends and fields[3] == ESTABLISHED:
            return int(fields[7])
    return None


def _written(address: str, port: int) -> str:
    """An end as the table has it: the address as the machine holds it, in hexadecimal."""
    (number,) = struct.unpack("=I", socket.inet_aton(address))
    return f"{number:08X}:{port:04X}"
