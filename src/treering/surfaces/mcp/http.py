"""Serve several agents over HTTP: the token, the connections, the server."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import sys
from contextlib import suppress
from typing import Any, NamedTuple

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings

from treering.ledger.errors import StoreUnavailable, TreeringError
from treering.surfaces.connection import Connection
from treering.surfaces.mcp.gate import ANYWHERE, LARGEST, PATH, Gate, Places, places
from treering.surfaces.mcp.offer import Offer
from treering.surfaces.mcp.server import server
from treering.surfaces.mcp.worker import Worker

NAME = "mcp-token"
_BYTES = 32  # of chance: nobody guesses that many
SHORTEST = 32  # characters of a token that somebody has put there: less could be guessed
_LONGEST = 4_096  # characters that are read of a file that may be anything
_OTHERS = 0o077  # what nobody but the owner may do


def token_in(home: str) -> tuple[str, str]:
    """Return the token and the path of its file, which is made if it is not there."""
    path = os.path.join(home, NAME)
    try:
        if not os.path.lexists(path):
            _make(path)
        return _read(path), path
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be read or made ({error.strerror}): see who owns it") from None


def _make(path: str) -> None:
    """Write the token aside and link it, so that another server never finds half of it."""
    aside = f"{path}.{os.getpid()}-{secrets.token_hex(4)}"
    handle = os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(_BYTES) + "\n")
        with suppress(FileExistsError):  # another one was first, and its token holds
            os.link(aside, path)
    finally:
        os.unlink(aside)


def _read(path: str) -> str:
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle) as file:
        mode = os.fstat(handle).st_mode
        text = file.read(_LONGEST).strip()
    if os.name != "nt" and mode & _OTHERS:
        raise StoreUnavailable(f"{path} can be read by others: `chmod 600` it, or delete it and start again")
    if len(text) < SHORTEST or not text.isascii() or any(map(str.isspace, text)):
        raise StoreUnavailable(f"{path} holds no token of {SHORTEST} characters or more: delete it and start again")
    return text


MOST_CONNECTIONS = 256  # at once; each costs a file and some memory
KEEP_ALIVE = 30  # seconds that a connection without a request is kept
ENDING = 5  # seconds that requests may go on when the server is told to end


class CannotListen(TreeringError):
    """The address is taken, or not of this machine, or a certificate is missing."""


class Address(NamedTuple):
    """Where to listen, and how."""

    host: str
    port: int
    certificate: str = ""
    key: str = ""


def serve(offer: Offer, worker: Worker, root: str, address: Address, home: str) -> None:
    """Serve until interrupted."""
    worker.start()
    worker.opened.result()  # a store that cannot be opened is reported now
    token, path = token_in(home)
    with listening_at(address) as listening:
        port = listening.getsockname()[1]
        known = places(address.host, port, bool(address.certificate))
        host = f"[{address.host}]" if ":" in address.host else address.host
        sys.stderr.write(f"serving at {known.scheme}://{host}:{port}{PATH}; the token is in {path}\n")
        sys.stderr.flush()
        run(Gate(app_of(server(offer, worker, root), known), token, known), address, listening)


def run(app: Any, address: Address, listening: socket.socket) -> None:
    """Serve an application until interrupted."""
    # Once all is answered, uvicorn raises the signal again that it was ended with: that is how it is meant to end.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(settings_for(app, address)).run(sockets=[listening])


def settings_for(app: Any, address: Address) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=Connection,
        lifespan="on",
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=ENDING,
        ssl_certfile=address.certificate or None,
        ssl_keyfile=address.key or None,
    )


def app_of(made: Server[Any], known: Places | None = None) -> Any:
    """Return the SDK's application, without sessions; with its own checks of names behind ours, if they are few."""
    hosts: list[str] = []
    if known is not None:
        names = [f"[{name}]" if ":" in name else name for name in known.hosts]
        hosts = [f"{name}:{known.port}" for name in names] + names
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=known is not None and not known.any_number,
        allowed_hosts=hosts,
        allowed_origins=[f"{known.scheme}://{host}" for host in hosts] if known is not None else [],
    )
    return made.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=LARGEST,
        transport_security=security,
    )


def listening_at(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    both = address.host == ANYWHERE[1] and socket.has_dualstack_ipv6()
    for file in filter(None, (address.certificate, address.key)):
        if not os.path.isfile(file):
            raise CannotListen(f"{file} is not there: --tls-cert and --tls-key name files in PEM form")
    try:
        return socket.create_server((address.host, address.port), family=family, dualstack_ipv6=both)
    except OSError as error:
        where = f"{address.host}:{address.port}"
        raise CannotListen(f"cannot listen at {where} ({error.strerror}): choose another --host or --port") from None
