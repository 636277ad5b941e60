"""Who may talk to the server: only the page that it served itself, on this machine.

Five locks. The server listens on 127.0.0.1 alone. The first part of every path is a secret, see
`address`. The Host must be the address it listens on, so that no name that somebody points at
127.0.0.1 (DNS rebinding) gets anywhere. And what a browser sends for another page is refused by its
Origin and Sec-Fetch-Site; but anybody who knows the address may lead the browser to the page.
Where the system tells who is at the other end, that must be the same user, see `peers`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hmac import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pathprior.studio.peers import MayEnter

SAFE_METHODS = ("GET", "HEAD")

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Locks:
    """What a request must have."""

    token: str
    port: int

    def refusal(self, method: str, path: str, headers: Mapping[str, str]) -> str | None:
        """Say why a request is refused; None if it may pass. Names of headers are in lower case."""
        hosts = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        host = headers.get("host", "")
        if host not in hosts:
            return "wrong host"
        given, _, inner = path.removeprefix("/").partition("/")
        if not path.startswith("/") or not compare_digest(given.encode(), self.token.encode()):
            return "wrong token"
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return "foreign origin"
        is_ours = headers.get("sec-fetch-site", "none") in ("same-origin", "none")
        if not is_ours and not (method == "GET" and not inner and _is_visit(headers)):
            return "foreign page"
        if method not in SAFE_METHODS and origin is None:
            return "no origin"
        return None


def _is_visit(headers: Mapping[str, str]) -> bool:
    """Whether a browser goes to a page, in a tab of its own, instead of making it part of one."""
    fetched = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
    return fetched == ("navigate", "document")


class Guard:
    """Lets requests pass that have what it takes, and adds headers to what is answered."""

    def __init__(self, app: ASGIApp, locks: Locks, may_enter: MayEnter) -> None:
        self._app = app
        self._locks = locks
        self._may_enter = may_enter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, or refuse."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        _, port = scope["client"]
        why = self._locks.refusal(scope["method"], scope["path"], Headers(scope=scope))
        if why is None and not self._may_enter(port):
            why = "another user of this machine"
        if why is not None:
            await PlainTextResponse(why, status_code=403)(scope, receive, send_with_headers)
            return
        inner = "/" + scope["path"].split("/", 2)[2] if scope["path"].count("/") > 1 else "/"
        await self._app({**scope, "path": inner}, receive, send_with_headers)
