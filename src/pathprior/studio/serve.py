"""Starts the server: on this machine alone, behind a secret address."""

import os
import secrets
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import uvicorn

from pathprior.errors import StudioError
from pathprior.studio.address import key_file, read_key, secret_of, usual_port
from pathprior.studio.app import Studio
from pathprior.studio.folder import Folder
from pathprior.studio.guard import Locks
from pathprior.studio.opening import private_page
from pathprior.studio.peers import peer_check
from pathprior.studio.session import Session

ADDRESS = "127.0.0.1"


def serve(
    data: Path | None,
    beliefs: Path | None,
    *,
    port: int | None,
    announce: Callable[[str, Sequence[str]], None],
    browse: Callable[[str], object] | None,
) -> None:
    """Serve a session until Ctrl-C, without ``port`` at the address that the folder always has.

    Once it listens, ``announce`` is called with its address and with what else there is to say, and
    then ``browse`` with the address of a page that leads there and that only its owner can read.
    """
    folder = _folder(data, beliefs)
    with ExitStack() as hold:
        hold.enter_context(folder.held())
        _serve(folder, data, hold, port=port, announce=announce, browse=browse)


def _serve(
    folder: Folder,
    data: Path | None,
    hold: ExitStack,
    *,
    port: int | None,
    announce: Callable[[str, Sequence[str]], None],
    browse: Callable[[str], object] | None,
) -> None:
    session = Session(folder, None if data is None else data.name)
    listening, locks, remarks = _settle(str(folder.path / folder.beliefs), port)
    address = f"http://{ADDRESS}:{locks.port}/{locks.token}/"

    @contextmanager
    def serving() -> Iterator[None]:
        """Open the page once somebody listens, and leave no way to it when nobody does."""
        with ExitStack() as until_the_end:
            until_the_end.callback(hold.close)  # a signal that ends the process unwinds no more
            page = None
            if browse is not None:
                try:
                    page = until_the_end.enter_context(private_page(folder.opening, address))
                except StudioError as error:
                    remarks.append(f"{error}. Open the address yourself.")
            announce(address, remarks)
            if browse is not None and page is not None:
                browse(page.resolve().as_uri())
            yield

    may_enter = peer_check((ADDRESS, locks.port))
    _run(Studio(session, locks, may_enter, serving), listening)


def _run(studio: Studio, listening: socket.socket) -> None:
    server = _Server(
        uvicorn.Config(
            studio.guarded,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # nobody may say to be somebody else
            timeout_graceful_shutdown=2,
        )
    )
    server.before_end = studio.hang_up
    with _ended_by_interrupt():
        server.run(sockets=[listening])


@contextmanager
def _ended_by_interrupt() -> Iterator[None]:
    """Within it Ctrl-C is the way to the end, which nobody need hear of as of an interruption.

    The server ends in order, and then raises the signal again for whoever handled it before.
    """
    previous = signal.getsignal(signal.SIGINT)
    if previous is signal.SIG_IGN:  # as in the background of a script
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with suppress(KeyboardInterrupt):
            yield
    finally:
        signal.signal(signal.SIGINT, previous or signal.SIG_DFL)


def _settle(name: str, port: int | None) -> tuple[socket.socket, Locks, list[str]]:
    """Listen, at the usual address of what has a name, and say where that cannot be."""
    remarks = []
    try:
        key = read_key(key_file())
    except StudioError as error:
        remarks.append(f"{error}.")
        key = secrets.token_bytes()
    usual = usual_port(key, name)
    try:
        listening = _listen(usual if port is None else port)
    except StudioError:
        if port is not None:
            raise
        remarks.append(
            f"Port {usual}, where this folder usually is, is taken by another program: the "
            "address is another this time."
        )
        listening = _listen(0)
    found = listening.getsockname()[1]
    return listening, Locks(secret_of(key, name, found), found), remarks


class _Server(uvicorn.Server):
    """Ends streams of events before it waits for requests to end."""

    before_end: Callable[[], None]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.before_end()
        await super().shutdown(sockets)


def _folder(data: Path | None, beliefs: Path | None) -> Folder:
    """The folder of the files given, or the current one."""
    place = (data or beliefs or Path("beliefs.csv")).resolve().parent
    if data is not None and not data.is_file():
        raise StudioError(f"there is no data file {data}")
    if beliefs is not None and beliefs.resolve().parent != place:
        raise StudioError(
            f"{beliefs} is not in the folder of {data}: a session reads and writes one folder alone"
        )
    return Folder(place, beliefs.name if beliefs is not None else "beliefs.csv")


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # elsewhere it would let two listen on one port, and one hear what is meant for the other
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((ADDRESS, port))
        listening.listen()  # who comes before the server is ready waits
    except (OSError, OverflowError) as error:
        listening.close()
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise StudioError(
            f"cannot listen on port {port}: {why}; --port 0 finds a free one"
        ) from None
    return listening
