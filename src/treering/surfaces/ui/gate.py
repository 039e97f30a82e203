"""The gate before the pages: who may come in, checked by the head of each request.

Any page in the user's browser can send requests to this machine, under a name that it has made
point here; so can any program of any user. None of them knows the token that `treering ui` printed.
It is good for one visit, which gets a cookie that the browser sends from our own pages alone. A
foreign Host or Origin is refused even with the cookie.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, NamedTuple, Protocol

from treering.surfaces.connection import ADMITTED

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")
OPEN = "/open"  # where the token becomes a cookie
VISITOR = "treering.visitor"  # set in the scope of a request that was let in: its cookie
MEMBER, DESK = "treering.member", "treering.desk"  # the same, in a team: who it is, and their memory
_BYTES = 32  # of chance: nobody guesses that many
_SAFE = ("GET", "HEAD")

# Nothing but our own files, no inline script or style, no frames around us or in us. `same-origin` keeps the Origin of
# a form that is sent, which `no-referrer` would blank.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


class Auth(Protocol):
    """Who may come in. A server for a team brings another one."""

    closed: str  # what a stranger is told
    free: tuple[str, ...]  # what a stranger may ask for

    async def admit(self, token: str) -> str:
        """Return a cookie for a token; nothing if the token is not good."""

    async def knows(self, cookie: str, scope: Scope) -> bool:
        """Tell whether a cookie was given out here, and note whose it is in the scope of the request."""

    def form_token(self, cookie: str) -> str:
        """Return what a form of this visitor has to send along."""


class OnePerson:
    """One token, good once, for the person who started the server."""

    closed = "open the address that `treering ui` prints: it is good once, then start it again"
    free: tuple[str, ...] = (OPEN,)

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(_BYTES)
        self._cookies: set[str] = set()
        self._key = secrets.token_bytes(_BYTES)

    async def admit(self, token: str) -> str:
        if not self.token or not hmac.compare_digest(token.encode(), self.token.encode()):
            return ""
        self.token = ""
        cookie = secrets.token_urlsafe(_BYTES)
        self._cookies.add(cookie)
        return cookie

    async def knows(self, cookie: str, scope: Scope) -> bool:
        return any(hmac.compare_digest(cookie.encode(), one.encode()) for one in self._cookies)

    def form_token(self, cookie: str) -> str:
        return hmac.new(self._key, cookie.encode(), hashlib.sha256).hexdigest()


class Refusal(NamedTuple):
    """Why a request is not let in."""

    status: int
    reason: str


class Gate:
    """Let in what comes from our own pages, and put the headers on every answer."""

    def __init__(self, app: App, auth: Auth, port: int, public: str = "") -> None:
        """`public` is the address that browsers know, if it is another one: https://memory.example.org."""
        self._app = app
        self._auth = auth
        self.cookie = f"treering-{port}"  # ports share their cookies: two dashboards need two names
        self._origins = {f"{name}:{port}": f"http://{name}:{port}" for name in NAMES}
        if public:
            self._origins[public.partition("://")[2]] = public
        self.secure = public.startswith("https:")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        refusal = await self._check(scope)
        if refusal is not None:
            await _refuse(refusal, sent)
            return
        await self._app(scope, receive, sent)

    async def _check(self, scope: Scope) -> Refusal | None:
        headers = Headers(scope["headers"])
        host = headers.one(b"host")
        if host not in self._origins:
            return Refusal(421, "this is not the name of this server")
        origin = headers.one(b"origin")
        if origin is not None and origin != self._origins[host]:
            return Refusal(403, "another page sent this request: it is refused")
        if scope["method"] not in _SAFE and origin is None:
            return Refusal(403, "a change has to come from a page of this server")
        scope[VISITOR] = scope[ADMITTED] = await self._visitor(headers, scope)
        if scope[VISITOR] or scope["path"] in self._auth.free:
            return None
        return Refusal(403, self._auth.closed)

    async def _visitor(self, headers: Headers, scope: Scope) -> str:
        try:
            found = SimpleCookie(headers.one(b"cookie") or "").get(self.cookie)
        except CookieError:
            return ""
        return found.value if found is not None and await self._auth.knows(found.value, scope) else ""


class Headers:
    """The headers of a request. One that comes twice is taken for a wrong one, as it would be ambiguous."""

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._values: dict[bytes, list[bytes]] = {}
        for name, value in raw:
            self._values.setdefault(name.lower(), []).append(value)

    def one(self, name: bytes) -> str | None:
        found = self._values.get(name)
        return None if found is None else found[0].decode("latin-1") if len(found) == 1 else ""


async def _refuse(refusal: Refusal, send: Send) -> None:
    body = f"{refusal.reason}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
