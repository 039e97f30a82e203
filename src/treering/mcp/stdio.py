"""Serving one agent over standard input and output. Standard output is the wire: nothing else is written there."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from treering.core.errors import InvalidInput
from treering.mcp.watch import watch
from treering.mcp.worker import Worker


def serve(server: Server[Any], worker: Worker) -> None:
    """Until the input ends, somebody ends it, or the agent is gone."""
    if sys.stdin is None or sys.stdout is None:  # closed by whoever started us
        raise InvalidInput("there is no standard input or output to serve over: an agent starts this, or use --http")

    def gone(*_: object) -> None:
        worker.stop()
        os._exit(0)  # the thread that reads standard input cannot be interrupted

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, gone)
    watch(gone)
    try:
        anyio.run(_serve, server)
    except* (BrokenPipeError, ConnectionError):
        gone()  # nobody listens any more


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
