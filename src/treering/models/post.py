"""Post JSON to a server and read its answer, with retries, bounds, and no key in any error."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from io import BufferedReader, RawIOBase
from ipaddress import ip_address
from socket import socket
from time import monotonic, sleep
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
)

from treering.ledger.errors import InvalidInput

ATTEMPTS = 3  # one, and two more when the server was busy or not to be reached
FIRST_PAUSE = 0.5  # seconds before the second attempt, and twice as long before each further one
LONGEST_PAUSE = 10.0  # seconds, whatever the server asks for: someone is waiting for an answer
_QUOTED = 200  # characters of what the server said that an error repeats
_BLOCK = 1 << 16
_BUSY = frozenset({408, 429, 500, 502, 503, 504})


class PostFailed(Exception):
    """There is no answer. The caller says for what, and what to do next."""

    def __init__(
        self, problem: str, code: int = 0, said: str = "", sent: bool = False, passing: bool = False, pause: float = 0.0
    ) -> None:
        super().__init__(problem)
        self.code = code  # of HTTP, if it came to that,
        self.said = said  # and what the server said to it, in brackets
        self.sent = sent  # the server has the question: it may have worked on it
        self.passing = passing  # it may be otherwise the next time
        self.pause = pause  # seconds that the server asks for


def _never(failure: PostFailed) -> bool:
    return False


class Poster:
    """One address of one server."""

    def __init__(self, url: str, tail: str, key: str = "") -> None:
        """Take the address up to `/v1`, or the whole of it, which ends with `tail`. The key is optional."""
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise InvalidInput("the key of the endpoint holds a space or something unprintable: copy it again")
        self.url, loopback = checked(url, tail)
        self._key = key
        self._opener = _opener(loopback)

    def post(
        self, question: bytes, timeout: float, largest: int, hopeless: Callable[[PostFailed], bool] = _never
    ) -> bytes:
        """Return the server's answer within so many seconds and bytes. Do not retry what is `hopeless`."""
        pause = FIRST_PAUSE
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._attempt(question, timeout, largest)
            except PostFailed as failure:
                if not failure.passing or hopeless(failure):
                    raise
                if attempt == ATTEMPTS:
                    raise _given_up(failure) from None
                sleep(min(max(pause, failure.pause), LONGEST_PAUSE))
                pause *= 2
        raise AssertionError("unreachable")

    def knows(self, text: str) -> bool:
        """Tell whether a text holds the key."""
        return bool(self._key) and self._key in text

    def _attempt(self, question: bytes, timeout: float, largest: int) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "treering"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            with self._opener.open(Request(self.url, question, headers), timeout=timeout) as response:
                return _read(response, largest)
        except HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except URLError as error:
            raise PostFailed(f"it cannot be reached ({error.reason})", passing=True) from None
        except TimeoutError:
            raise PostFailed(f"its answer took longer than {timeout:g} seconds", sent=True, passing=True) from None
        except (OSError, HTTPException) as error:
            why = self._unsaid(str(error))[:_QUOTED] or type(error).__name__
            raise PostFailed(f"the connection broke ({why})", sent=True, passing=True) from None

    def _refusal(self, error: HTTPError) -> PostFailed:
        """Return what an error status means: to wait, or to give up."""
        code, said = error.code, self._quoted(error)
        if code in _BUSY:
            wait = error.headers.get("Retry-After") or ""
            pause = float(wait) if wait.isdecimal() else 0.0
            return PostFailed(f"it answered {code}{said}", code, said, passing=True, pause=pause)
        return PostFailed(f"it answered {code}: {_HINTS.get(code, 'see what the server says')}{said}", code, said)

    def _quoted(self, error: HTTPError) -> str:
        try:
            said = error.read(_BLOCK).decode(errors="replace")
        except (OSError, HTTPException):
            return ""
        said = self._unsaid(said)[:_QUOTED]
        return f" ({said})" if said else ""

    def _unsaid(self, text: str) -> str:
        """Return what a server said as an error may repeat it: in one line, without the key."""
        text = "".join(letter for letter in text if letter.isprintable())
        return text.replace(self._key, "[the key]") if self._key else text


_HINTS = {
    **dict.fromkeys((301, 302, 303, 307, 308), "it moved; give the new address, as no key is sent on"),
    **dict.fromkeys((401, 403), "see whether the key is right"),
    404: "see whether the address and the name of the model are right",
}


def _given_up(failure: PostFailed) -> PostFailed:
    problem = f"{failure}, {ATTEMPTS} times; try again later"
    return PostFailed(problem, failure.code, failure.said, failure.sent)


def _read(response: HTTPResponse, largest: int) -> bytes:
    """Return the whole answer."""
    parts: list[bytes] = []
    size = 0
    while part := response.read1(_BLOCK):
        parts.append(part)
        size += len(part)
        if size > largest:
            raise PostFailed(f"its answer is larger than {largest:,} bytes", sent=True)
    if response.length:  # of what was announced and has not come
        raise PostFailed("its answer broke off", sent=True, passing=True)
    return b"".join(parts)


def checked(url: str, tail: str = "") -> tuple[str, bool]:
    """Return the address to send to, and whether it is on this machine. Refuse one that nothing should be sent to."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise InvalidInput(f"the address of the endpoint is invalid: {error}") from None
    if parts.username is not None or parts.query or parts.fragment:
        raise InvalidInput("the address of the endpoint must hold no user, query or fragment: a key is given apart")
    if parts.scheme not in ("http", "https") or not host or not url.isascii() or not url.isprintable() or " " in url:
        raise InvalidInput(f"{url!r} is no address of an endpoint: give one like https://api.openai.com/v1")
    loopback = _is_loopback(host)
    if parts.scheme == "http" and not loopback:
        raise InvalidInput(
            f"{url} would send memories and the key in the clear: use https; plain http is for this machine only"
        )
    path = parts.path.rstrip("/")
    if not path.endswith(tail):
        path = (path or "/v1") + tail
    return f"{parts.scheme}://{parts.netloc}{path}", loopback


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name
        return False


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Follow no redirection: it could carry the key to another host."""


class _Punctual(RawIOBase):
    """A socket read up to a deadline; a socket's own time-out counts only from byte to byte."""

    def __init__(self, socket: socket, deadline: float) -> None:
        self._socket = socket
        self._below = socket.makefile("rb", buffering=0)
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._deadline - monotonic()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(left)
        return self._below.readinto(buffer)

    def close(self) -> None:
        self._below.close()
        super().close()


def _answer(deadline: float, socket: socket, *options: Any, **more: Any) -> HTTPResponse:
    response = HTTPResponse(socket, *options, **more)
    response.fp.close()
    response.fp = BufferedReader(_Punctual(socket, deadline))
    return response


def _connection(kind: type[HTTPConnection], host: str, **options: Any) -> HTTPConnection:
    """Return a connection whose answer, head and body, arrives in time or not at all."""
    connection = kind(host, **options)
    connection.response_class = partial(_answer, monotonic() + options["timeout"])  # type: ignore[assignment]
    return connection


class _Plain(HTTPHandler):
    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_connection, HTTPConnection), req)


class _Secure(HTTPSHandler):
    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_connection, HTTPSConnection), req)


def _opener(loopback: bool) -> OpenerDirector:
    """Return what sends requests; it bypasses any proxy if the address is on this machine."""
    return build_opener(_Stay, _Plain, _Secure, *([ProxyHandler({})] if loopback else []))
