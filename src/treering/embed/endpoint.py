"""Any server that speaks OpenAI's `/v1/embeddings`: a service far away, or a program on this machine."""

from __future__ import annotations

from http.client import HTTPException
from ipaddress import ip_address
from time import monotonic, sleep
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

import msgspec

from treering.core.errors import InvalidInput, TreeringError
from treering.embed.rows import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from http.client import HTTPResponse

    from treering.core.ports import Matrix

BATCH = 32  # texts in one request: servers of all kinds take as many, and a lost one costs little
TIMEOUT = 10.0  # seconds for an answer,
TIMEOUT_EACH = 2.0  # and for each text: ten times what a small model on a busy laptop takes
ATTEMPTS = 3  # one, and two more when the server was busy or not to be reached
FIRST_PAUSE = 0.5  # seconds before the second attempt, and twice as long before each further one
LONGEST_PAUSE = 10.0  # seconds, whatever the server asks for: someone is waiting for an answer
LARGEST_ANSWER = 1 << 26  # bytes; 32 vectors of 8,192 numbers in full precision are a tenth of it
SHORTEST_CUT = 500  # characters: there is no model that cannot read so much
_QUOTED = 200  # characters of what the server said that an error repeats
_BLOCK = 1 << 16
_BUSY = frozenset({408, 429, 500, 502, 503, 504})
_TOO_LONG = frozenset({400, 413, 422, 500})  # what servers answer to texts that do not fit,
_TOO_LONG_WORDS = ("token", "context", "too long", "too large")  # and what they say then


class _Row(msgspec.Struct):
    index: int
    embedding: list[float]


class _Answer(msgspec.Struct):
    data: list[_Row]


class EndpointFailed(TreeringError):
    """The server did not give the vectors that it was asked for."""


class _Unready(Exception):
    """An attempt failed in a way that may pass."""

    def __init__(self, problem: str, pause: float = 0.0) -> None:
        super().__init__(problem)
        self.pause = pause


class _TooLong(Exception):
    """What was sent does not fit into the model."""


class EndpointEmbedder:
    """Of a text that is too long for the model, as much counts as fits, as with models in this process."""

    def __init__(self, url: str, model: str, key: str = "") -> None:
        """From the address as clients take it, up to `/v1`, or the whole of it. No key is sent if none is given."""
        if not model:
            raise InvalidInput("an endpoint needs the name of a model: endpoint:URL#MODEL")
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise InvalidInput("the key of the endpoint holds a space or something unprintable: copy it again")
        self._url, loopback = _checked(url)
        self._model = model
        self._key = key
        self._opener = _opener(loopback)
        self._dimensions = 0
        self.name = f"endpoint:{self._url}#{model}"

    @property
    def dimensions(self) -> int:
        """Only an answer can tell; if there has been none yet, one is asked for."""
        if not self._dimensions:
            self._encode(["dimensions"])
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Matrix:
        return spoken(texts, self._encode, lambda: self.dimensions)

    def question(self, words: Sequence[tuple[str, float]], text: str) -> Matrix:
        return self.embed([text])

    def _encode(self, texts: list[str]) -> Matrix:
        import numpy

        batches = [self._vectors(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return numpy.concatenate(batches)

    def _vectors(self, texts: list[str]) -> Matrix:
        import numpy

        try:
            body = self._answer(msgspec.json.encode({"model": self._model, "input": texts}), len(texts))
        except _TooLong as error:
            half = len(texts) // 2
            if half:
                return numpy.concatenate([self._vectors(texts[:half]), self._vectors(texts[half:])])
            if len(texts[0]) < 2 * SHORTEST_CUT:
                raise self._failed(str(error)) from None
            return self._vectors([texts[0][: len(texts[0]) // 2]])
        return self._rows(body, len(texts))

    def _rows(self, body: bytes, count: int) -> Matrix:
        import numpy

        try:
            rows = msgspec.json.decode(body, type=_Answer).data
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._failed(f"its answer is not that of an embeddings endpoint ({error})") from None
        rows.sort(key=lambda row: row.index)
        if [row.index for row in rows] != list(range(count)):
            raise self._failed(f"it answered with {len(rows)} vectors, or ill-numbered ones, for {count} texts")
        self._check_widths({len(row.embedding) for row in rows})
        with numpy.errstate(over="ignore"):
            vectors = numpy.array([row.embedding for row in rows], numpy.float32)
        if not numpy.isfinite(vectors).all():
            raise self._failed("it answered with numbers too large for a vector")
        return vectors

    def _check_widths(self, widths: set[int]) -> None:
        if len(widths) == 1 and not self._dimensions:
            self._dimensions = max(widths)
        if widths != {self._dimensions} or not self._dimensions:
            raise self._failed(
                f"its vectors have {' and '.join(map(str, sorted(widths)))} numbers, where one length above 0 "
                f"is right{f', and it was {self._dimensions}' if self._dimensions else ''}: "
                "see whether the model behind it was changed"
            )

    def _answer(self, question: bytes, texts: int) -> bytes:
        """What the server says, after some patience."""
        timeout = TIMEOUT + TIMEOUT_EACH * texts
        pause = FIRST_PAUSE
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._attempt(question, timeout)
            except _Unready as error:
                if attempt == ATTEMPTS:
                    raise self._failed(f"{error}, {ATTEMPTS} times; try again later") from None
                sleep(min(max(pause, error.pause), LONGEST_PAUSE))
                pause *= 2
        raise AssertionError("unreachable")

    def _attempt(self, question: bytes, timeout: float) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "treering"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            with self._opener.open(Request(self._url, question, headers), timeout=timeout) as response:
                return self._read(response, timeout)
        except HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except URLError as error:
            raise _Unready(f"it cannot be reached ({error.reason})") from None
        except (OSError, HTTPException) as error:  # also a time-out
            raise _Unready(f"the connection broke ({error or type(error).__name__})") from None

    def _read(self, response: HTTPResponse, timeout: float) -> bytes:
        """The whole answer. A time-out counts from one byte to the next; this counts for all of them."""
        deadline = monotonic() + timeout
        parts: list[bytes] = []
        size = 0
        while part := response.read1(_BLOCK):
            parts.append(part)
            size += len(part)
            if size > LARGEST_ANSWER:
                raise self._failed(f"its answer is larger than {LARGEST_ANSWER:,} bytes")
            if monotonic() > deadline:
                raise _Unready(f"its answer took longer than {timeout:g} seconds")
        if response.length:  # of what was announced and has not come
            raise _Unready("its answer broke off")
        return b"".join(parts)

    def _refusal(self, error: HTTPError) -> Exception:
        """What an answer that is none means: to ask for less, to wait, or to give up."""
        code, said = error.code, self._quoted(error)
        if code in _TOO_LONG and any(word in said.lower() for word in _TOO_LONG_WORDS):
            return _TooLong(f"it answered {code}{said}")
        if code in _BUSY:
            wait = error.headers.get("Retry-After") or ""
            return _Unready(f"it answered {code}{said}", float(wait) if wait.isdecimal() else 0.0)
        return self._failed(f"it answered {code}: {_HINTS.get(code, 'see what the server says')}{said}")

    def _quoted(self, error: HTTPError) -> str:
        try:
            said = error.read(_BLOCK).decode(errors="replace")
        except (OSError, HTTPException):
            return ""
        said = "".join(letter for letter in said if letter.isprintable())
        if self._key:
            said = said.replace(self._key, "[the key]")
        return f" ({said[:_QUOTED]})" if said else ""

    def _failed(self, problem: str) -> EndpointFailed:
        return EndpointFailed(f"no vectors from {self._url} with the model {self._model!r}: {problem}")


_HINTS = {
    **dict.fromkeys((301, 302, 303, 307, 308), "it moved; give the new address, as no key is sent on"),
    **dict.fromkeys((401, 403), "see whether the key is right"),
    404: "see whether the address and the name of the model are right",
}


def _checked(url: str) -> tuple[str, bool]:
    """The address to send to, and whether it is on this machine."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise InvalidInput(f"the address of the endpoint makes no sense: {error}") from None
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
    if not path.endswith("/embeddings"):
        path = (path or "/v1") + "/embeddings"
    return f"{parts.scheme}://{parts.netloc}{path}", loopback


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name
        return False


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Follow no redirection: it could carry the key to another host."""


def _opener(loopback: bool) -> OpenerDirector:
    """What sends requests: past any proxy if the way ends on this machine."""
    return build_opener(_Stay, *([ProxyHandler({})] if loopback else []))
