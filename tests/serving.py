"""A server on this machine that answers as a test has it."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

Reply = tuple[int, dict[str, str], bytes]
Answering = Callable[[dict[str, Any]], Reply]


class Server:
    """A server that answers each request by the next of its replies, and the last one ever after."""

    def __init__(self, *replies: Answering) -> None:
        self.replies = list(replies)
        self.seen: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.url = ""

    def reply(self, handler: BaseHTTPRequestHandler) -> Reply:
        question = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        self.seen.append(question)
        self.headers.append(dict(handler.headers))
        self.paths.append(handler.path)
        answering = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return answering(question)


@contextmanager
def serving(*replies: Answering) -> Iterator[Server]:
    server = Server(*replies)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            code, headers, body = server.reply(self)
            self.send_response(code)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = Thread(target=http.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        server.url = f"http://127.0.0.1:{http.server_port}/v1"
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()


def saying(code: int, body: bytes = b"", **headers: str) -> Answering:
    return lambda _: (code, {name.replace("_", "-"): value for name, value in headers.items()}, body)


@contextmanager
def talking(talk: Callable[[socket.socket, Event], None]) -> Iterator[str]:
    """A server that says byte by byte what it likes, until the event is set. One after the other is listened to."""
    done = Event()

    def listen() -> None:
        while not done.is_set():
            with suppress(OSError):
                connection, _ = listening.accept()
                with connection:
                    connection.recv(1 << 16)
                    talk(connection, done)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.05)
        thread = Thread(target=listen, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        finally:
            done.set()
            thread.join()


def silent(connection: socket.socket, done: Event) -> None:
    done.wait()


def dripping(head: bytes, drop: bytes, pause: float = 0.02) -> Callable[[socket.socket, Event], None]:
    """Each byte comes in time, and the answer never does."""

    def talk(connection: socket.socket, done: Event) -> None:
        connection.sendall(head)
        while not done.wait(pause):
            connection.sendall(drop)

    return talk
