"""The members who are there: each with a memory of their own view, and who comes with which token."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

from treering.ledger.errors import NotFound
from treering.ledger.people import Member, Token, standing, token_of, tokens
from treering.memory import Treering
from treering.surfaces.mcp.tools.nonces import Nonces
from treering.surfaces.mcp.worker import Worker
from treering.surfaces.ui.desk import Desk

MOST = 32  # members whose memories are open at once: each has connections and caches
VISIT = 43_200.0  # seconds after which a browser has to show the token again
MOST_VISITS = 1_000
_BYTES = 32  # of chance: nobody guesses that many

Opening = Callable[..., Treering]  # takes a member, and how they act


class Present:
    """A member's memory: for their agents, and for their browser."""

    def __init__(self, opening: Opening, member: Member, root: str) -> None:
        self.member = member
        self.nonces = Nonces()
        self._opening, self._root = opening, root
        self._desk: Desk | None = None
        self._worker: Worker | None = None
        self._opened = Lock()

    def worker(self) -> Worker:
        """Return what runs the requests of agents."""
        with self._opened:
            if self._worker is None:
                made = Worker(partial(self._opening, self.member, actor="agent"), idle=None)
                made.start()
                made.opened.result()
                self._worker = made
            return self._worker

    def desk(self) -> Desk:
        """Return what reads and changes for the pages."""
        with self._opened:
            if self._desk is None:
                self._desk = Desk(partial(self._opening, self.member, actor="user"), self._root)
            return self._desk

    def close(self) -> None:
        if self._worker is not None:
            self._worker.stop()
        if self._desk is not None:
            self._desk.close()


class Visit(NamedTuple):
    """A browser that has shown a token."""

    token: str  # its id
    until: float


class Members:
    """Who is there, and who may come in. A token is looked up at each request, so that none holds after it is taken
    back, whichever server was told."""

    def __init__(self, opening: Opening, looking: Callable[[], Treering], root: str) -> None:
        self._opening, self._root = opening, root
        self._thread = ThreadPoolExecutor(1, "treering-tokens")
        self._memory: Treering = self._thread.submit(looking).result()
        self._there: OrderedDict[Member, Present] = OrderedDict()
        self._visits: OrderedDict[str, Visit] = OrderedDict()
        self._key = secrets.token_bytes(_BYTES)

    def close(self) -> None:
        for one in self._there.values():
            one.close()
        self._thread.submit(self._memory.close)
        self._thread.shutdown()

    async def of_token(self, shown: str) -> Member | None:
        """Return who shows a token; nobody if it does not hold."""
        found = await self._asked(lambda: token_of(self._memory.store, self._memory.context.space, shown))
        return _member(found)

    async def of_visit(self, cookie: str) -> Member | None:
        """Return whose browser sends a cookie."""
        visit = self._visits.get(cookie)
        if visit is None or visit.until < monotonic():
            return None
        return _member(await self._asked(partial(self._standing, visit.token)))

    async def admit(self, shown: str) -> str:
        """Return a cookie for a token; nothing if it does not hold."""
        found = await self._asked(lambda: token_of(self._memory.store, self._memory.context.space, shown))
        if found is None:
            return ""
        cookie = secrets.token_urlsafe(_BYTES)
        self._visits[cookie] = Visit(found.id, monotonic() + VISIT)
        while len(self._visits) > MOST_VISITS:
            self._visits.popitem(last=False)
        return cookie

    def leave(self, cookie: str) -> None:
        self._visits.pop(cookie, None)

    def form_token(self, cookie: str) -> str:
        """Return what a form of this visit has to send along."""
        return hmac.new(self._key, cookie.encode(), hashlib.sha256).hexdigest()

    def present(self, member: Member) -> Present:
        """Return a member's memory, opened when it is first asked for."""
        if member not in self._there:
            self._there[member] = Present(self._opening, member, self._root)
        self._there.move_to_end(member)
        while len(self._there) > MOST:
            asyncio.get_running_loop().run_in_executor(None, self._there.popitem(last=False)[1].close)
        return self._there[member]

    def people(self) -> list[str]:
        """Return everybody who has a token that holds."""
        found = tokens(self._memory.store, self._memory.context.space)
        return sorted({one.person for one in found if not one.revoked})

    def _standing(self, id: str) -> Token | None:
        try:
            return standing(self._memory.store, self._memory.context.space, id)[0]
        except NotFound:
            return None

    async def _asked(self, work: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


def _member(token: Token | None) -> Member | None:
    return Member(token.role, token.person) if token is not None else None


@contextmanager
def opened(members: Members) -> Iterator[Members]:
    try:
        yield members
    finally:
        members.close()
