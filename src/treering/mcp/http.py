"""Serving several agents over HTTP, behind the gate."""

from __future__ import annotations

import os
import signal
import socket
import sys
from contextlib import suppress
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings

from treering.core.errors import TreeringError
from treering.core.tuples import NamedTuple
from treering.mcp.gate import ANYWHERE, LARGEST, PATH, Gate, Places, places
from treering.mcp.secret import token_in

MOST_CONNECTIONS = 128  # at once; each costs a file and some memory
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


def serve(server: Server[Any], address: Address, home: str) -> None:
    """Until it is interrupted."""
    token, path = token_in(home)
    with _listening(address) as listening:
        port = listening.getsockname()[1]
        known = places(address.host, port, bool(address.certificate))
        host = f"[{address.host}]" if ":" in address.host else address.host
        sys.stderr.write(f"serving at {known.scheme}://{host}:{port}{PATH}; the token is in {path}\n")
        sys.stderr.flush()
        config = uvicorn.Config(
            Gate(_app(server, known), token, known),
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
        # Once all is answered, uvicorn raises the signal again that it was ended with: that is how it is meant to end.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


def _app(server: Server[Any], known: Places) -> Any:
    """The SDK's application, with the SDK's own checks of names behind ours. No sessions: there is nothing to hoard."""
    names = [f"[{name}]" if ":" in name else name for name in known.hosts]
    hosts = [f"{name}:{known.port}" for name in names] + names
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=not known.any_number,
        allowed_hosts=hosts,
        allowed_origins=[f"{known.scheme}://{host}" for host in hosts],
    )
    return server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=LARGEST,
        transport_security=security,
    )


def _listening(address: Address) -> socket.socket:
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
