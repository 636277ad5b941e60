"""The desk behind HTTP: routes that parse, call and answer."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from functools import wraps
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    FileResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from pathprior.beliefs.nearly_certain import json_number
from pathprior.errors import PathPriorError, StudioError
from pathprior.files import saving
from pathprior.report import style
from pathprior.studio.desk import Desk
from pathprior.studio.document import ME
from pathprior.studio.exports import DAGITTY, REPORT, SCRIPT
from pathprior.studio.guard import Guard, Locks
from pathprior.studio.imports import read_file, read_graph
from pathprior.studio.peers import MayEnter
from pathprior.studio.session import Session, StaleRevision
from pathprior.studio.workers import Message, Say

MAX_JSON = 1 << 20
MAX_DATA = 1 << 29
"""Most bytes of a change, and of a data file that is dropped on the page."""
ALIVE = 15.0
"""Seconds after which a silent stream of events says that it is still there."""

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
}

Endpoint = Callable[[Request], Awaitable[Response]]


class Studio:
    """The application of one session."""

    def __init__(
        self,
        session: Session,
        locks: Locks,
        may_enter: MayEnter,
        serving: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self._session = session
        self._serving = serving
        self._listeners: set[asyncio.Queue[tuple[str, Any] | None]] = set()
        self._lock = asyncio.Lock()
        self.desk: Desk
        routes = [
            Route("/", self._page("index.html")),
            *(Route(f"/{name}", self._page(name)) for name in _page_files()),
            Route("/style.css", self._style),
            Route("/cytoscape.js", self._library),
            Route("/api/state", self._state),
            Route("/api/events", self._events),
            Route("/api/change", _answering(self._change), methods=["POST"]),
            Route("/api/range", _answering(self._range), methods=["POST"]),
            Route("/api/data/{name}", _answering(self._upload), methods=["PUT"]),
            Route("/api/read/{what}", _answering(self._read), methods=["POST"]),
            Route("/api/run", _answering(self._run), methods=["POST"]),
            Route("/api/cancel", _answering(self._cancel), methods=["POST"]),
            Route("/api/keep", _answering(self._keep), methods=["POST"]),
            Route("/api/file/{name}", _answering(self._file)),
            Route("/report", self._report),
        ]
        self._app = Starlette(routes=routes, lifespan=self._lifespan)
        self.guarded = Guard(self._app, locks, may_enter)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        self.desk = Desk(self._session, self._publish, lambda call: loop.call_soon_threadsafe(call))
        try:
            with self._serving():
                yield
        finally:
            self.hang_up()
            self.desk.close()

    def hang_up(self) -> None:
        """End all streams of events, and let go of who waits for an answer."""
        self.desk.hang_up()
        for listener in self._listeners:
            listener.put_nowait(None)

    # -- the page --------------------------------------------------------------------------------

    def _page(self, name: str) -> Endpoint:
        content = (files("pathprior.studio") / "page" / name).read_bytes()
        media_type = TYPES["." + name.rpartition(".")[2]]

        async def serve(request: Request) -> Response:
            return Response(content, media_type=media_type)

        return serve

    async def _style(self, request: Request) -> Response:
        """The report's colours and type, and what the studio adds."""
        sheets = (
            files("pathprior.report") / "template" / "report.css",
            files("pathprior.studio") / "page" / "studio.css",
        )
        rules = [sheet.read_text(encoding="utf-8") for sheet in sheets]
        return Response("\n".join([style.css_variables(), *rules]), media_type=TYPES[".css"])

    async def _library(self, request: Request) -> Response:
        vendored = files("pathprior.report") / "vendor" / "cytoscape.min.js"
        return Response(vendored.read_bytes(), media_type=TYPES[".js"])

    # -- what is said ----------------------------------------------------------------------------

    async def _state(self, request: Request) -> Response:
        return JSONResponse(self.desk.view())

    async def _change(self, request: Request) -> Response:
        body = await _read_json(request)
        revision, change = body.get("revision"), body.get("change")
        if not isinstance(revision, int) or not isinstance(change, dict):
            return PlainTextResponse("expected a revision and a change", status_code=400)
        async with self._lock:
            try:
                # reading a data file may take a while
                await asyncio.to_thread(self.desk.change, revision, change)
            except StaleRevision:
                return JSONResponse(self.desk.view(), status_code=409)
            self.desk.changed()
        return JSONResponse({"revision": self._session.revision})

    async def _range(self, request: Request) -> Response:
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()

        def take(message: Message) -> None:
            if not answer.done():  # the page may have gone
                answer.set_result(message)

        self.desk.ask_range(await _read_json(request), take)
        message = await answer
        if message.say is Say.ERROR:
            return PlainTextResponse(message.content, status_code=422)
        return JSONResponse(message.content)

    async def _read(self, request: Request) -> Response:
        """Read beliefs from elsewhere; a change adds them."""
        read = {"file": read_file, "graph": read_graph}.get(request.path_params["what"])
        if read is None:
            return PlainTextResponse("a file is read, or a graph", status_code=404)
        return JSONResponse(read(await _read_json(request), self._session.variables))

    async def _upload(self, request: Request) -> Response:
        """Put a dropped file into the folder, unless another has its name."""
        folder, name = self._session.folder, request.path_params["name"]
        with saving(folder.arrival(name), StudioError) as temporary:
            with temporary.open("wb") as file:
                async for piece in _limited(request, MAX_DATA):
                    file.write(piece)
            folder.arrival(name)  # nobody has put one there meanwhile
        return JSONResponse({"name": name})

    async def _events(self, request: Request) -> Response:
        listener: asyncio.Queue[tuple[str, Any] | None] = asyncio.Queue()
        self._listeners.add(listener)

        async def stream() -> AsyncIterator[str]:
            try:
                yield _event("state", self.desk.view())
                while True:
                    try:
                        said = await asyncio.wait_for(listener.get(), ALIVE)
                    except TimeoutError:
                        yield ": alive\n\n"
                        continue
                    if said is None:
                        return
                    yield _event(*said)
            finally:
                self._listeners.discard(listener)

        return StreamingResponse(stream(), media_type="text/event-stream")

    def _publish(self, kind: str, content: Any) -> None:
        for listener in self._listeners:
            listener.put_nowait((kind, content))

    # -- what is found ---------------------------------------------------------------------------

    async def _run(self, request: Request) -> Response:
        limit = (await _read_json(request)).get("timeLimit")
        if isinstance(limit, bool) or not isinstance(limit, int | float):
            return PlainTextResponse("expected a timeLimit in seconds", status_code=400)
        self.desk.start_run(limit)
        return JSONResponse({})

    async def _cancel(self, request: Request) -> Response:
        self.desk.cancel_run()
        return JSONResponse({})

    async def _keep(self, request: Request) -> Response:
        return JSONResponse({"names": self.desk.keep()})

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        path = self._session.folder.belief_file(self._session.document, ME)
        match name:
            case _ if name == path.name:
                content = path.read_text(encoding="utf-8") if path.exists() else ""
            case str() if name == SCRIPT:
                content = self.desk.script()
            case str() if name == DAGITTY:
                content = self.desk.dagitty()
            case _:
                return PlainTextResponse(f"there is no file {name!r} to keep", status_code=404)
        shown = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
        return PlainTextResponse(content, headers=shown)

    async def _report(self, request: Request) -> Response:
        if not self.desk.report.exists():
            return PlainTextResponse("there is no report yet: run first", status_code=404)
        # it runs scripts of its own, whose hashes it names, and may not talk to this server
        policy = {"Content-Security-Policy": "sandbox allow-scripts"}
        name = REPORT if "save" in request.query_params else None
        return FileResponse(
            self.desk.report, media_type=TYPES[".html"], filename=name, headers=policy
        )


def _page_files() -> list[str]:
    folder = files("pathprior.studio") / "page"
    return sorted(item.name for item in folder.iterdir() if item.name.endswith(".js"))


def _answering(endpoint: Endpoint) -> Endpoint:
    """Answer our own errors with their sentence."""

    @wraps(endpoint)
    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except PathPriorError as error:
            return PlainTextResponse(str(error), status_code=422)
        except _TooLarge as error:
            return PlainTextResponse(f"more than {error.limit} bytes", status_code=413)
        except (ClientDisconnect, asyncio.CancelledError):  # nobody hears it, or the server ends
            return Response(status_code=400)
        except _NotJson:
            return PlainTextResponse("expected a JSON object", status_code=400)

    return answer


class _NotJson(Exception):
    pass


class _TooLarge(Exception):
    def __init__(self, limit: int) -> None:
        self.limit = limit


async def _read_json(request: Request) -> dict[str, Any]:
    body = b"".join([piece async for piece in _limited(request, MAX_JSON)])
    try:
        content = json.loads(body, parse_float=json_number)
    except (ValueError, RecursionError):
        raise _NotJson from None
    if not isinstance(content, dict):
        raise _NotJson
    return content


async def _limited(request: Request, limit: int) -> AsyncIterator[bytes]:
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > limit:
            raise _TooLarge(limit)
        yield piece


def _event(kind: str, content: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps(content, ensure_ascii=True, allow_nan=False)}\n\n"
