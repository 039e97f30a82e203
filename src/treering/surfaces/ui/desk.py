"""The desk: the open memory, in the one thread that may use it, and what takes long beside it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from treering.ledger.errors import StoreError
from treering.memory import Treering

T = TypeVar("T")

TAKING_IN = 0.2  # seconds that a page may spend on what hooks have queued
PATIENCE = 0.05  # seconds that a page waits for figures: then it is shown without, and asks again
MOST_PASTS = 4  # moments that are kept open: whoever moves the slider goes back and forth


class Asked(NamedTuple):
    """A request for a page, or for a change."""

    memory: Treering  # as it is, or as it was
    desk: Desk
    query: Mapping[str, str]
    id: str = ""
    wait: bool = False  # until all figures are there

    def get(self, name: str, default: str = "") -> str:
        return self.query.get(name, default).strip()

    @property
    def as_of(self) -> str:
        return self.get("as_of")


class Desk:
    """The memory and its past, one request after the other."""

    def __init__(self, opening: Callable[..., Treering], root: str) -> None:
        self._opening = opening
        self.root = root  # the folder below which files of proposals are written
        self._thread = ThreadPoolExecutor(1, "treering-ui")
        self._aside = ThreadPoolExecutor(1, "treering-ui-figures")
        self._figures: dict[str, tuple[int, Future[Any]]] = {}
        self._pasts: OrderedDict[str, Treering] = OrderedDict()
        self.memory: Treering = self._thread.submit(opening).result()

    def close(self) -> None:
        self._aside.shutdown(wait=False, cancel_futures=True)  # what is counted has a connection of its own
        self._thread.shutdown(cancel_futures=True)
        for memory in (*self._pasts.values(), self.memory):
            memory.close()

    async def ask(self, work: Callable[[Asked], T], query: Mapping[str, str], id: str = "", wait: bool = False) -> T:
        """Run a request in the thread of the memory, after those before it."""

        def job() -> T:
            as_of = query.get("as_of", "").strip()
            if not as_of:
                with suppress(StoreError):
                    self.memory.captured.receive(TAKING_IN)
            return work(Asked(self.past(as_of) if as_of else self.memory, self, query, id, wait))

        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    def reopen(self) -> None:
        """Open the memory anew, as its settings have changed. What was counted by the old ones is dropped."""
        old, self.memory = (*self._pasts.values(), self.memory), self._opening()
        self._pasts.clear()
        self._figures.clear()
        for memory in old:
            memory.close()

    def past(self, as_of: str) -> Treering:
        """Return the memory as it was at a moment."""
        if as_of not in self._pasts:
            self._pasts[as_of] = self._opening(as_of=as_of)
        self._pasts.move_to_end(as_of)
        while len(self._pasts) > MOST_PASTS:
            self._pasts.popitem(last=False)[1].close()
        return self._pasts[as_of]

    def figures(self, name: str, count: Callable[[Treering], T], wait: bool = False) -> T | None:
        """Return figures that take long to count: by a connection of their own, and anew only if something happened.

        What was counted last is returned while they are counted anew; None if there is nothing yet.
        """
        clock = self.memory.store.clock()
        at, future = self._figures.get(name, (-1, None))
        last: T | None = None
        if future is not None and future.done() and not future.exception():
            last = future.result()
        if future is None or (at != clock and future.done()):
            future = self._aside.submit(self._count, count)
            self._figures[name] = clock, future
        try:
            return future.result(None if wait else PATIENCE)  # type: ignore[no-any-return]
        except TookTooLong:
            return last

    def _count(self, count: Callable[[Treering], T]) -> T:
        with self._opening() as memory:
            return count(memory)
