"""Answer how a conversation begins, before anything slow is loaded.

Agents put their first request to a model only when their servers have listed what they offer, and
the SDK takes a second to import. So this is answered from `offered.json`, which `make docs` writes,
by a process that has loaded next to nothing. The SDK and the store are loaded when something else is
asked, or when the client is quiet: at its start the agent needs the processor itself. The SDK hears
the first requests too, and what it answers to them is dropped.
"""

from __future__ import annotations

import os
import signal
import sys
from queue import Queue
from threading import Event, Lock, Thread
from time import sleep

import treering
from treering.text.json import read_json, write_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, BinaryIO

    Said = Mapping[str, Any]  # what `offer.said` returns

NAME, TITLE = "treering", "Treering"
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")  # of the protocol that begin with `initialize`
MODERN = "2026-07-28"  # the protocol without a handshake
APPS = "io.modelcontextprotocol/ui"  # the extension by which a client says that it shows apps
MIME = "text/html;profile=mcp-app"
OFFERED = os.path.join(os.path.dirname(__file__), "offered.json")
# What is offered to whom: the words of a command line without those that only say where the memory is.
OFFERS = {
    "default": ("mcp",),
    "all": ("mcp", "--tools", "all"),
    "server-memory": ("mcp", "--compat", "server-memory"),
}
_PLACES = ("--home", "--store", "--space", "--project")
_META = "io.modelcontextprotocol/"
_WHO = {"name": NAME, "title": TITLE, "version": treering.__version__}
_QUIET = 1.5  # seconds without a request, after which the agent is busy with something else
_WAITING = 64  # lines that are read ahead
_FIRST_PRIVATE = 3  # number of a file that is no standard one
_PAUSE = 2.0  # seconds between two looks: it costs microseconds, and nobody misses what is gone for two seconds
_SYNCHRONIZE = 0x0010_0000  # the right to wait for a process on Windows
_TIMED_OUT = 0x102  # it is still there

_wire: list[Wire] = []  # the one of this process, once it has begun


def begin(words: Sequence[str]) -> None:
    """Begin to serve if these words of a command line do, and return when the rest is to be loaded."""
    offer = _offer_of(words)
    if offer and sys.stdin is not None and sys.stdout is not None and has_sdk():
        with open(OFFERED, encoding="utf-8") as file:
            wire_for(lambda: read_json(file.read())[offer])  # type: ignore[index]


def wire_for(said: Callable[[], Said]) -> Wire:
    """Return the wire of this process, after the beginning of the conversation."""
    if not _wire:
        _wire.append(Wire(said()))
        _wire[0].begin()
    return _wire[0]


def has_sdk() -> bool:
    """Tell whether the SDK is installed, without importing it."""
    if "mcp" in sys.modules:
        return sys.modules["mcp"] is not None
    return any(finder.find_spec("mcp", None) is not None for finder in sys.meta_path)


def _offer_of(words: Sequence[str]) -> str:
    """Return the name of what is offered; empty for what is not known here."""
    rest, given = [], iter(words)
    for word in given:
        if word not in _PLACES:
            rest.append(word)
        elif not next(given, ""):
            return ""
    return next((name for name, line in OFFERS.items() if line == tuple(rest)), "")


def greeting(said: Said, version: str) -> dict[str, Any]:
    """Return the answer to `initialize`."""
    told = {"capabilities": said["capabilities"], "serverInfo": _WHO, "instructions": said["instructions"]}
    return {"protocolVersion": version, **told}


def discovery(said: Said) -> dict[str, Any]:
    """Return the answer to `server/discover`."""
    able = said["capabilities"] | ({"extensions": {APPS: {}}} if said["app"] else {})
    return modern({"supportedVersions": [MODERN], "capabilities": able, "instructions": said["instructions"]})


def lists(said: Said, apps: bool) -> dict[str, dict[str, Any]]:
    """Return the answers to all that a client asks when it begins: Claude Code waits for each of them."""
    tools = [*said["tools"], *(said["app"] if apps else ())]
    return {"tools/list": {"tools": tools}, **said["lists"]}


def modern(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result as the protocol has it since 2026-07-28."""
    more = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "_meta": {f"{_META}serverInfo": _WHO}}
    return {**more, **result}


def client_of(params: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the capabilities that a client sends with each request since 2026-07-28; None before."""
    told = params.get("_meta")
    meta = told if isinstance(told, dict) else {}
    able = meta.get(f"{_META}clientCapabilities")
    return able if meta.get(f"{_META}protocolVersion") == MODERN and isinstance(able, dict) else None


def shows_apps(client: Mapping[str, Any]) -> bool:
    """Tell whether a client with these capabilities shows apps."""
    extensions = client.get("extensions")
    settings = extensions.get(APPS) if isinstance(extensions, dict) else None
    kinds = settings.get("mimeTypes") if isinstance(settings, dict) else None
    return isinstance(kinds, list) and MIME in kinds


class Wire:
    """Standard input and output, line by line."""

    def __init__(self, said: Said) -> None:
        self._said = said
        self._incoming = _private(0, "rb", lambda: os.open(os.devnull, os.O_RDONLY))
        self._outgoing = _private(1, "wb", lambda: os.dup(2))
        self._lines: Queue[str | None] = Queue(_WAITING)
        self._lock = Lock()
        self._answered: set[str | int] = set()  # requests whose answer by the SDK is dropped
        self._is_modern: bool | None = None  # the form in which the client speaks, once it has
        self._apps: bool | None = None  # whether the client shows apps, once it has said so
        self._is_read = False  # by the SDK
        self._heard = 0  # lines
        self._needed = Event()  # something is asked that is not for us to answer, or nothing more is
        self.close: Callable[[], object] = lambda: None  # what is to be done before the process ends

    def begin(self) -> None:
        """Answer what is known here, until something else is asked or nothing is for a while."""
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, self.end)
        watch(self.end)
        Thread(target=self._read, name="treering-input", daemon=True).start()
        heard = -1
        while not self._needed.wait(_QUIET) and heard != self._heard:
            heard = self._heard

    def end(self, *_: object) -> None:
        """End the process: the thread that reads standard input cannot be interrupted."""
        self.close()
        os._exit(0)

    def _read(self) -> None:
        """Read until the input ends, and answer what can be answered until the SDK reads."""
        for raw in self._incoming:
            line = raw.decode("utf-8", "replace")
            if not self._is_read:
                self._answer(line)
            self._heard += 1
            self._lines.put(line)
        self._needed.set()
        self._lines.put(None)

    def _answer(self, line: str) -> None:
        """Answer a line that belongs to the beginning of a conversation."""
        try:
            asked = read_json(line, strict=True)
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict):
            asked = {"id": None}
        if "id" not in asked:
            return
        id: Any = asked["id"]
        result = self._result(asked.get("method"), asked.get("params")) if type(id) in (int, str) else None
        if result is None:
            self._needed.set()
            return
        self._answered.add(id)
        try:
            self._put(write_json({"jsonrpc": "2.0", "id": id, "result": result}) + "\n")
        except OSError:  # nobody listens
            self._needed.set()

    def next(self) -> str | None:
        """Return the next line for the SDK; None at the end."""
        self._is_read = True
        return self._lines.get()

    def write(self, line: str) -> None:
        """Write a line of the SDK, unless it answers what was answered before."""
        if self._answered and (id := _answers(line)) in self._answered:
            self._answered.discard(id)
        else:
            self._put(line)

    def _put(self, line: str) -> None:
        with self._lock:
            self._outgoing.write(line.encode())
            self._outgoing.flush()

    def _result(self, method: Any, params: Any) -> dict[str, Any] | None:
        """Return the answer to a request that begins a conversation; the first one decides on the form of all."""
        given = params if isinstance(params, dict) else {}
        client = client_of(given)
        if self._is_modern is None:
            self._is_modern = client is not None
        if self._is_modern:
            if client is None or {*given} != {"_meta"}:
                return None
            if method == "server/discover":
                return discovery(self._said)
            found = lists(self._said, shows_apps(client)).get(str(method))
            return modern(found) if found is not None else None
        if method == "initialize" and self._apps is None and _is_greeting(given):
            self._apps = shows_apps(given["capabilities"])
            return greeting(self._said, given["protocolVersion"])
        if self._apps is None or not _is_plain(given):
            return None
        return {} if method == "ping" else lists(self._said, self._apps).get(str(method))


def _is_greeting(params: dict[str, Any]) -> bool:
    """Tell whether these are parameters of `initialize` that the SDK takes as they are."""
    if params.get("protocolVersion") not in VERSIONS:
        return False
    who = params.get("clientInfo")
    named = isinstance(who, dict) and all(isinstance(who.get(name), str) for name in ("name", "version"))
    return named and isinstance(params.get("capabilities"), dict)


def _is_plain(params: dict[str, Any]) -> bool:
    """Tell whether there is nothing in the parameters of a request, but for a name by which progress would be told."""
    meta = params.get("_meta", {})
    token = meta.get("progressToken", "") if isinstance(meta, dict) else None
    return {*params} <= {"_meta"} and type(token) in (int, str) and {*meta} <= {"progressToken"}


def _answers(line: str) -> str | int | None:
    """Return the id of the request that a line answers; None if it answers none."""
    message: Any = read_json(line)
    return None if "method" in message else message.get("id")


def _private(standard: int, mode: str, instead: Callable[[], int]) -> BinaryIO:
    """Return a standard stream that nobody else has: what is printed by mistake, or by a child, is not on the wire."""
    stream: Any = sys.stdin if standard == 0 else sys.stdout
    if sys.platform == "win32":  # there a child takes a handle, not this number
        return stream.buffer  # type: ignore[no-any-return]
    import fcntl

    kept = fcntl.fcntl(standard, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE)
    other = instead()
    os.dup2(other, standard)
    os.close(other)
    return os.fdopen(kept, mode)  # type: ignore[return-value]


def watch(gone: Callable[[], None], pause: float = _PAUSE) -> None:
    """Call `gone` from a thread of its own once the process that started this one has ended, even
    if the pipe between them stays open in another process."""
    lives = _lives()

    def look() -> None:
        while lives():
            sleep(pause)
        gone()

    Thread(target=look, name="treering-parent", daemon=True).start()


def _lives() -> Callable[[], bool]:
    """Return a function that tells whether the parent is still there. An orphan on Unix gets
    another parent; on Windows the number stays."""
    parent = os.getppid()
    if sys.platform != "win32":
        return lambda: os.getppid() == parent
    import ctypes

    kernel = ctypes.windll.kernel32
    handle = kernel.OpenProcess(_SYNCHRONIZE, False, parent)
    return lambda: not handle or kernel.WaitForSingleObject(handle, 0) == _TIMED_OUT
