"""Serve one agent over standard input and output, which are the wire: nothing else is written there."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

from treering.ledger.errors import InvalidInput
from treering.surfaces.mcp.front import Wire, wire_for
from treering.surfaces.mcp.offer import Offer, said
from treering.surfaces.mcp.worker import Worker


def serve(offer: Offer, worker: Worker, root: str) -> None:
    """Serve until the input ends, a signal comes, or the agent is gone."""
    if sys.stdin is None or sys.stdout is None:  # closed by whoever started us
        raise InvalidInput("there is no standard input or output to serve over: an agent starts this, or use --http")
    wire = wire_for(partial(said, offer))
    wire.close = worker.stop
    worker.start()
    import anyio

    from treering.surfaces.mcp.server import server

    worker.opened.result()  # a store that cannot be opened is reported now
    try:
        anyio.run(_serve, server(offer, worker, root), wire)
    except* (BrokenPipeError, ConnectionError):
        wire.end()  # nobody listens any more


async def _serve(made: Any, wire: Wire) -> None:
    from mcp.server.stdio import stdio_server

    ends: Any = _Input(wire), _Output(wire)
    async with stdio_server(*ends) as (incoming, outgoing):
        await made.run(incoming, outgoing, made.create_initialization_options())


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
