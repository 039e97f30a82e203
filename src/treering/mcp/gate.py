"""The gate before the HTTP server: what is let in, on every route, before anything of it is read.

A page in the user's browser can send requests to this machine, under a name that it has made point here; so can any
program. None of them knows the token; a foreign Host or Origin is turned away even with it; and nothing is ever
answered with a header that would let a page read the answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from hmac import compare_digest
from ipaddress import ip_address
from time import monotonic
from typing import Any

from treering.core.tuples import NamedTuple

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
_POLICY_VIOLATION = 1008  # how a web socket is told


class Refusal(NamedTuple):
    """Why a request is not let in."""

    status: int
    reason: str
    header: tuple[bytes, bytes] | None = None


class Bucket:
    """Lets so many through at once, and so many more each second."""

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
    """Under which names the server may be addressed."""

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


def places(host: str, port: int, tls: bool) -> Places:
    """The names of a server that listens there. Where it listens on this machine, all names of this machine."""
    name = host.lower().strip("[]")
    own = {name} if name not in (*LOOPBACK, *ANYWHERE) else set(LOOPBACK)
    return Places(frozenset(own), port, "https" if tls else "http", name in ANYWHERE)


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine reaches an address. A name may point anywhere, but for one."""
    name = host.lower().strip("[]")
    return name == "localhost" or (_is_number(name) and ip_address(name).is_loopback)


class Gate:
    """An application that lets requests through to another one, or refuses them."""

    def __init__(self, app: App, token: str, places: Places, bucket: Bucket | None = None) -> None:
        self._app = app
        self._token = token.encode()
        self._places = places
        self._bucket = bucket or Bucket()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        elif refusal := self._refusal(scope):
            await _refuse(refusal, send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Refusal | None:
        headers = _Headers(scope["headers"])
        return self._stranger(headers) or _unfit(scope, headers) or self._too_often()

    def _stranger(self, headers: _Headers) -> Refusal | None:
        """Who does not know the token, or comes by a way that a browser takes."""
        host, origin = headers.one(b"host"), headers.one(b"origin")
        if host is None or not self._places.host(host):
            return Refusal(421, "this server is not called that")
        if headers.has(b"origin") and (origin is None or not self._places.origin(origin)):
            return Refusal(403, "requests of web pages are not answered")
        scheme, _, shown = (headers.one(b"authorization") or "").partition(" ")
        # Compared in a time that tells nothing of how much of it was right.
        right = compare_digest(shown.strip().encode("latin-1", "replace"), self._token)
        if scheme.lower() != "bearer" or not right:
            return Refusal(401, "the token is missing or wrong", (b"www-authenticate", b"Bearer"))
        return None

    def _too_often(self) -> Refusal | None:
        """Only who knows the token takes from the bucket: others cannot empty it."""
        return None if self._bucket.take() else Refusal(429, "too many requests", (b"retry-after", b"1"))


def _unfit(scope: Scope, headers: _Headers) -> Refusal | None:
    """What is no message of the protocol, by its head alone."""
    if scope["path"] != PATH:
        return Refusal(404, f"there is nothing here: the server is at {PATH}")
    if scope["method"] != "POST":
        return Refusal(405, "messages are posted", (b"allow", b"POST"))
    kind = (headers.one(b"content-type") or "").partition(";")[0].strip().lower()
    if kind != "application/json" or headers.has(b"content-encoding"):
        return Refusal(415, "a message is application/json, as it is")
    length = headers.one(b"content-length") if headers.has(b"content-length") else "0"
    if length is None or not length.isdecimal():
        return Refusal(400, "the length is no number")
    # One that is sent in pieces is counted by the SDK as it comes in.
    return Refusal(413, f"a message has at most {LARGEST:,} bytes") if int(length) > LARGEST else None


class _Headers:
    """The headers of a request. One that comes twice is none: readers would differ about which one holds."""

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._values: dict[bytes, list[bytes]] = {}
        for name, value in raw:
            self._values.setdefault(name.lower(), []).append(value)

    def has(self, name: bytes) -> bool:
        return name in self._values

    def one(self, name: bytes) -> str | None:
        found = self._values.get(name, ())
        return found[0].decode("latin-1") if len(found) == 1 else None


async def _refuse(refusal: Refusal, send: Send) -> None:
    body = refusal.reason.encode() + b"\n"
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    headers += [(b"connection", b"close")]  # what else was sent is not read
    headers += [refusal.header] if refusal.header else []
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _split(host: str) -> tuple[str, str]:
    """The name and the port of `name:port`, `name`, `[::1]:port` or `[::1]`."""
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
