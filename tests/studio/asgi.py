"""Asks the application itself, without a server and without processes beside it."""

import asyncio
import json
from contextlib import asynccontextmanager

from pathprior.studio.app import Studio
from pathprior.studio.guard import Locks
from pathprior.studio.ranges import read_range
from pathprior.studio.readers import READING, RangeAsked
from pathprior.studio.reading import Reader
from pathprior.studio.workers import Message, Say

LOCKS = Locks("secret", 8000)
HEADERS = [(b"host", b"127.0.0.1:8000"), (b"origin", b"http://127.0.0.1:8000")]


class Inline:
    """Stands for a process that works: it answers at once, and knows no more than a worker does."""

    def __init__(self, make_handler, on_message):
        self._name = make_handler.__name__
        self._reader = Reader()
        self._tell = on_message

    def ask(self, topic, request):
        if self._name != "quick_handler":
            return 0
        read = self._reader.read if topic == READING else read_asked
        try:
            message = Message(topic, 1, Say.ANSWER, read(request))
        except Exception as error:  # as a worker does
            message = Message(topic, 1, Say.ERROR, str(error))
        self._tell(message)
        return 1

    def end(self):
        pass


def read_asked(asked):
    assert isinstance(asked, RangeAsked)
    return read_range(asked.stated, asked.x, asked.relation, asked.y, asked.source)


@asynccontextmanager
async def application(session):
    """A studio under way; calls raise whatever the application does not answer itself."""
    studio = Studio(session, LOCKS, lambda port: True)
    inner = studio.guarded._app
    async with inner.router.lifespan_context(inner):

        async def call(method, path, content=b""):
            """Ask, and return status and body; with None for content, hang up while asking."""
            body = content if isinstance(content, bytes) else json.dumps(content).encode()
            gone = {"type": "http.disconnect"}
            sent = {"type": "http.request", "body": body, "more_body": False}
            messages = iter([gone if content is None else sent])
            answered = []

            async def receive():
                for message in messages:
                    return message
                return await asyncio.Event().wait()  # who asks stays until there is an answer

            async def send(message):
                answered.append(message)

            scope = {
                "type": "http",
                "method": method,
                "path": f"/secret/{path}",
                "query_string": b"",
                "headers": HEADERS,
                "client": ("127.0.0.1", 50_000),
            }
            await studio.guarded(scope, receive, send)
            await asyncio.sleep(0)  # what was posted to the session's thread
            return answered[0]["status"], b"".join(m.get("body", b"") for m in answered[1:])

        yield call
