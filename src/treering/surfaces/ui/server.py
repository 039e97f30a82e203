"""Serve the dashboard until somebody ends it, or nobody looks any more."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import tempfile
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from treering.ledger.errors import TreeringError
from treering.memory import Treering
from treering.surfaces.connection import Connection
from treering.surfaces.ui.app import App
from treering.surfaces.ui.desk import Desk
from treering.surfaces.ui.gate import HOST, OPEN, OnePerson

IDLE = 600.0  # seconds without a request after which the server ends: a page that is looked at asks more often
LOOK = 1.0  # seconds between two looks at that
ENDING = 2  # seconds that requests may go on when the server is told to end
MOST_CONNECTIONS = 128  # at once: one person has a few tabs, and half as many strangers are let wait


class CannotListen(TreeringError):
    """The port is taken."""


def serve(opening: Callable[..., Treering], root: str, home: str, port: int, browser: bool, idle: float = IDLE) -> None:
    """Serve until interrupted, or idle for too long."""
    with _listening(port) as listening:
        port = listening.getsockname()[1]
        desk = Desk(opening, root)
        auth = OnePerson()
        app = App(desk, auth, port)
        address = f"http://{HOST}:{port}{OPEN}?token={auth.token}"
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()
        page = _redirect_file(address, home) if browser else ""
        if page:
            webbrowser.open(f"file://{page}")
        try:
            _run(app, listening, idle)
        finally:
            if page:
                with suppress(OSError):
                    os.unlink(page)
            desk.close()


def server_for(app: App) -> uvicorn.Server:
    config = uvicorn.Config(
        app,
        http=Connection,
        lifespan="off",
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=ENDING,
    )
    return uvicorn.Server(config)


def _run(app: App, listening: socket.socket, idle: float) -> None:
    server = server_for(app)
    # A request that the end breaks off is no fault to tell of.
    logging.getLogger("uvicorn.error").addFilter(lambda record: not server.should_exit)

    async def watch() -> None:
        while not server.should_exit:
            await asyncio.sleep(min(LOOK, idle))
            server.should_exit = server.should_exit or time.monotonic() - app.last > idle

    async def both() -> None:
        watching = asyncio.create_task(watch())
        await server.serve(sockets=[listening])
        watching.cancel()

    # Once all is answered, uvicorn raises the signal again that it was ended with: that is how it is meant to end.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        asyncio.run(both())


def _redirect_file(address: str, home: str) -> str:
    """Write a page that leads to the address, for nobody else to read: everybody sees the arguments of a browser."""
    handle, path = tempfile.mkstemp(prefix="ui-", suffix=".html", dir=home)
    with os.fdopen(handle, "w") as file:
        file.write(f'<!doctype html><title>Treering</title><meta http-equiv="refresh" content="0; url={address}">\n')
    return path


def _listening(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        raise CannotListen(f"cannot listen at {HOST}:{port} ({error.strerror}): choose another --port") from None
