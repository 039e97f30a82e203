"""The gate before a server: each request is checked by its head, before its body is read.

A page in the user's browser can send requests to this machine, under a name that it has made point
here; so can any program. None of them knows the token, a file that only its owner can read; a
foreign Host or Origin is refused even with it; and no answer has a header that would let a page
read it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from hmac import compare_digest
from ipaddress import ip_address
from time import monotonic
from typing import Any, NamedTuple, Protocol

from treering.surfaces.connection import ADMITTED

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

PATH = "/mcp"
LARGEST = 1 << 20  # bytes of a request: ten times the largest memory
# Requests that are let in at once, and per second: dozens of agents at work ask less, and what runs wild is slowed
# before it fills the ledger.
BURST, PER_SECOND = 100, 20.0
LOOPBACK = ("127.0.0.1", "localhost", "::1")
ANYWHERE = ("0.0.0.0", "::")
BODY_SECONDS = 30  # within which a request has to be there as a whole
# What is still read of a refused request: a connection closed while more comes in would take the answer with it.
LINGER_BYTES, LINGER_SECONDS = 1 << 18, 1.0
_POLICY_VIOLATION = 1008  # how a web socket is told


class Refusal(NamedTuple):
    """Why a request is not let in."""

    status: int
    reason: str
    header: tuple[bytes, bytes] | None = None


class Bucket:
    """A limit of so many at once, and so many more each second."""

    def __init__(self, burst: int = BURST, rate: float = PER_SECOND, clock: Callable[[], float] = monotonic) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._left, self._at = float(burst), clock()

    def take(self) -> bool:
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Places(NamedTuple):
    """The names under which the server may be addressed."""

    hosts: frozenset[str]
    port: int
    scheme: str
    any_number: bool = False  # it listens everywhere: any address in numbers is its own, as no name can be made of one

    def host(self, given: str) -> bool:
        name, port = _split(given.lower())
        usual = {"http": "80", "https": "443"}[self.scheme]
        if (port or usual) != str(self.port):
            return False
        return name in self.hosts or (self.any_number and _is_number(name))

    def origin(self, given: str) -> bool:
        scheme, separator, rest = given.partition("://")
        return bool(separator) and scheme == self.scheme and "/" not in rest and self.host(rest)


class Named(Protocol):
    """What knows the names under which a server may be addressed."""

    def host(self, given: str) -> bool: ...

    def origin(self, given: str) -> bool: ...


def places(host: str, port: int, tls: bool) -> Places:
    """Return the names of a server that listens there; for a loopback, all of this machine."""
    name = host.lower().strip("[]")
    own = {name} if name not in (*LOOPBACK, *ANYWHERE) else set(LOOPBACK)
    return Places(frozenset(own), port, "https" if tls else "http", name in ANYWHERE)


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches an address. No name but `localhost` is sure."""
    name = host.lower().strip("[]")
    return name == "localhost" or (_is_number(name) and ip_address(name).is_loopback)


class Gate:
    """An application that lets requests through to another one, or refuses them."""

    def __init__(self, app: App, token: str, places: Named, bucket: Bucket | None = None) -> None:
        self._app = app
        self._token = token.encode()
        self._places = places
        self._bucket = bucket or Bucket()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        elif refusal := await self._refusal(scope):
            await _refuse(refusal, receive, send)
        else:
            scope[ADMITTED] = True
            await self._app(scope, _in_time(receive), send)

    async def knows(self, shown: str, scope: Scope) -> bool:
        """Tell whether a token is good. It is compared in a time that tells nothing of how much of it was right."""
        return compare_digest(shown.encode("latin-1", "replace"), self._token)

    async def _refusal(self, scope: Scope) -> Refusal | None:
        headers = _Headers(scope["headers"])
        return await self._stranger(headers, scope) or _unfit(scope, headers) or self._too_often(scope)

    async def _stranger(self, headers: _Headers, scope: Scope) -> Refusal | None:
        """Refuse who does not know the token, or comes by a way that a browser takes."""
        host, origin = headers.one(b"host"), headers.one(b"origin")
        if host is None or not self._places.host(host):
            return Refusal(421, "the Host header names another server")
        if headers.has(b"origin") and (origin is None or not self._places.origin(origin)):
            return Refusal(403, "requests from web pages are refused")
        scheme, _, shown = (headers.one(b"authorization") or "").partition(" ")
        if scheme.lower() != "bearer" or not await self.knows(shown.strip(), scope):
            return Refusal(401, "the token is missing or wrong", (b"www-authenticate", b"Bearer"))
        return None

    def _too_often(self, scope: Scope) -> Refusal | None:
        """Refuse too many requests; without the token nobody gets here to empty the bucket."""
        return None if self._bucket.take() else Refusal(429, "too many requests", (b"retry-after", b"1"))


def _unfit(scope: Scope, headers: _Headers) -> Refusal | None:
    """Refuse what is no message of the protocol, by its head alone."""
    if scope["path"] != PATH:
        return Refusal(404, f"there is nothing here: the server is at {PATH}")
    if scope["method"] != "POST":
        return Refusal(405, "send messages with POST", (b"allow", b"POST"))
    kind = (headers.one(b"content-type") or "").partition(";")[0].strip().lower()
    if kind != "application/json" or headers.has(b"content-encoding"):
        return Refusal(415, "send application/json without a content encoding")
    length = headers.one(b"content-length") if headers.has(b"content-length") else "0"
    if length is None or not length.isdecimal():
        return Refusal(400, "the Content-Length header is not a number")
    # One that is sent in pieces is counted by the SDK as it comes in.
    return Refusal(413, f"a message has at most {LARGEST:,} bytes") if int(length) > LARGEST else None


class _Headers:
    """The headers of a request. One that comes twice is none, as it would be ambiguous."""

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._values: dict[bytes, list[bytes]] = {}
        for name, value in raw:
            self._values.setdefault(name.lower(), []).append(value)

    def has(self, name: bytes) -> bool:
        return name in self._values

    def one(self, name: bytes) -> str | None:
        found = self._values.get(name, ())
        return found[0].decode("latin-1") if len(found) == 1 else None


def _in_time(receive: Receive) -> Receive:
    """Return a `receive` that takes a body which is too slow for a connection that was closed."""
    ends = monotonic() + BODY_SECONDS
    whole = False

    async def received() -> Message:
        nonlocal whole
        if whole:
            return await receive()
        try:
            async with asyncio.timeout(max(0.0, ends - monotonic())):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        whole = not message.get("more_body", False)
        return message

    return received


async def _refuse(refusal: Refusal, receive: Receive, send: Send) -> None:
    body = refusal.reason.encode() + b"\n"
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    headers += [(b"connection", b"close")]
    headers += [refusal.header] if refusal.header else []
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    await _linger(receive)
    await send({"type": "http.response.body", "body": b""})


async def _linger(receive: Receive) -> None:
    """Read a little of what a refused request still sends, and throw it away."""
    left = LINGER_BYTES
    try:
        async with asyncio.timeout(LINGER_SECONDS):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body", False):
                    return
    except TimeoutError:
        return


def _split(host: str) -> tuple[str, str]:
    """Return the name and the port of `name:port`, `name`, `[::1]:port` or `[::1]`."""
    if host.startswith("["):
        name, _, rest = host[1:].partition("]")
        return (name, rest[1:]) if rest.startswith(":") or not rest else ("", "")
    name, _, port = host.partition(":")
    return name, port


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
