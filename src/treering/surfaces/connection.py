"""A connection of a server of ours: no stranger who says nothing keeps others out."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

ADMITTED = "treering.admitted"  # in the scope of a request: true of one that was let in
# Connections that were not let in yet: beyond these the oldest is closed.
MOST_STRANGERS, MOST_STRANGERS_OF_A_PEER = 64, 32
HEAD_SECONDS = 10  # within which the head of a request has to be there


class Connection(H11Protocol):
    """A connection that says in time what it wants, and makes room for others until it was let in."""

    _waiting: asyncio.TimerHandle | None = None  # until the head of a request is there
    _admitted = False
    born = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.born = self.loop.time()
        self._watch()
        there = [one for one in self.connections if isinstance(one, Connection) and not one.transport.is_closing()]
        strangers = [one for one in there if not one.admitted]
        peer = self.client and self.client[0]
        _close_oldest([one for one in strangers if one.client and one.client[0] == peer], MOST_STRANGERS_OF_A_PEER)
        _close_oldest(strangers, MOST_STRANGERS)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._heard()

    @property
    def admitted(self) -> bool:
        """Tell whether a request on this connection was let in."""
        self._admitted = self._admitted or bool(self.scope and self.scope.get(ADMITTED))
        return self._admitted

    def _watch(self) -> None:
        """Give the head of a request its time; a request that is being answered has all it needs."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._heard()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _heard(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


def _close_oldest(connections: list[Connection], most: int) -> None:
    if len(connections) > most:
        min(connections, key=lambda one: one.born).transport.abort()
