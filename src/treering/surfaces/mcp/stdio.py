"""Serve one agent over standard input and output, which are the wire: nothing else is written there.

The SDK takes a second to import, and an agent that waits for its tools may not wait that long. So how a conversation
begins is answered before the SDK is there. It hears those requests too, and what it answers to them is dropped.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from queue import Queue
from threading import Event, Lock, Thread
from time import sleep
from typing import Any, BinaryIO

from treering.ledger.errors import InvalidInput
from treering.surfaces.mcp.offer import Offer, client_of, discovery, greeting, listings, modern, shows_apps
from treering.surfaces.mcp.worker import Worker

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")  # of the protocol that begin with `initialize`
_HEAD_START = 0.3  # seconds that a client has to begin, before what is slow is imported beside it
_WAITING = 64  # lines that are read ahead
_FIRST_PRIVATE = 3  # number of a file that is no standard one


def serve(offer: Offer, worker: Worker, root: str) -> None:
    """Serve until the input ends, a signal comes, or the agent is gone."""
    if sys.stdin is None or sys.stdout is None:  # closed by whoever started us
        raise InvalidInput("there is no standard input or output to serve over: an agent starts this, or use --http")

    def gone(*_: object) -> None:
        worker.stop()
        os._exit(0)  # the thread that reads standard input cannot be interrupted

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, gone)
    watch(gone)
    wire = Wire(offer)
    Thread(target=wire.read, name="treering-input", daemon=True).start()
    wire.begun.wait(_HEAD_START)
    worker.start()
    import anyio

    from treering.surfaces.mcp.server import server

    worker.opened.result()  # a store that cannot be opened is reported now
    try:
        anyio.run(_serve, server(offer, worker, root), wire)
    except* (BrokenPipeError, ConnectionError):
        gone()  # nobody listens any more


async def _serve(made: Any, wire: Wire) -> None:
    from mcp.server.stdio import stdio_server

    ends: Any = _Input(wire), _Output(wire)
    async with stdio_server(*ends) as (incoming, outgoing):
        await made.run(incoming, outgoing, made.create_initialization_options())


class Wire:
    """Standard input and output, line by line."""

    def __init__(self, offer: Offer) -> None:
        self._offer = offer
        self._incoming = _private(0, "rb", lambda: os.open(os.devnull, os.O_RDONLY))
        self._outgoing = _private(1, "wb", lambda: os.dup(2))
        self._lines: Queue[str | None] = Queue(_WAITING)
        self._lock = Lock()
        self._answered: set[str | int] = set()  # requests whose answer by the SDK is dropped
        self._is_modern: bool | None = None  # the form in which the client speaks, once it has
        self._apps: bool | None = None  # whether the client shows apps, once it has said so
        self._is_read = False  # by the SDK
        self.begun = Event()  # what begins a conversation is answered, or is not for us to answer

    def read(self) -> None:
        """Read until the input ends, and answer what can be answered until the SDK reads."""
        for raw in self._incoming:
            line = raw.decode("utf-8", "replace")
            if not self._is_read:
                self._begin(line)
            self._lines.put(line)
        self.begun.set()
        self._lines.put(None)

    def _begin(self, line: str) -> None:
        """Answer a line that begins a conversation."""
        try:
            asked = json.loads(line)
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict) or "id" not in asked:
            return
        id, method = asked["id"], asked.get("method")
        result = self._result(method, asked.get("params")) if type(id) in (int, str) else None
        if result is not None:
            self._answered.add(id)
            answer = {"jsonrpc": "2.0", "id": id, "result": result}
            with suppress(OSError):  # nobody listens
                self._put(json.dumps(answer, ensure_ascii=False) + "\n")
        if result is None or method == "tools/list":
            self.begun.set()

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
                return discovery(self._offer)
            found = listings(self._offer, shows_apps(client)).get(str(method))
            return modern(found) if found is not None else None
        if method == "initialize" and self._apps is None and _is_greeting(given):
            self._apps = shows_apps(given["capabilities"])
            return greeting(self._offer, given["protocolVersion"])
        if self._apps is not None and not given:
            return listings(self._offer, self._apps).get(str(method))
        return None


def _is_greeting(params: dict[str, Any]) -> bool:
    """Tell whether these are parameters of `initialize` that the SDK takes as they are."""
    if params.get("protocolVersion") not in VERSIONS:
        return False
    who = params.get("clientInfo")
    named = isinstance(who, dict) and all(isinstance(who.get(name), str) for name in ("name", "version"))
    return named and isinstance(params.get("capabilities"), dict)


def _answers(line: str) -> str | int | None:
    """Return the id of the request that a line answers; None if it answers none."""
    message = json.loads(line)
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


class _Input:
    """The wire as the SDK reads it."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def __aiter__(self) -> _Input:
        return self

    async def __anext__(self) -> str:
        from anyio import to_thread

        line = await to_thread.run_sync(self._wire.next)
        if line is None:
            raise StopAsyncIteration
        return line


class _Output:
    """The wire as the SDK writes it."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def write(self, line: str) -> None:
        from anyio import to_thread

        await to_thread.run_sync(self._wire.write, line)

    async def flush(self) -> None:
        return  # every line is


PAUSE = 2.0  # seconds between two looks: it costs microseconds, and nobody misses what is gone for two seconds
_SYNCHRONIZE = 0x0010_0000  # the right to wait for a process on Windows
_TIMED_OUT = 0x102  # it is still there


def watch(gone: Callable[[], None], pause: float = PAUSE) -> None:
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
