"""The desk: the open memory, in the one thread that may use it, and what takes long beside it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from contextlib import suppress
from threading import Lock, Thread
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from treering.ledger.errors import StoreError
from treering.memory import Treering

T = TypeVar("T")

TAKING_IN = 0.2  # seconds that a page may spend on what hooks have queued
PATIENCE = 0.05  # seconds that a page waits for all its figures: then it is shown without, and asks again
REST = 5.0  # times as long as it took to count a figure, until it is counted anew: pages need the processor too
MOST_PASTS = 4  # moments that are kept open: whoever moves the slider goes back and forth


class Figure:
    """What takes long to count: as it was counted last, and what is being counted."""

    def __init__(self) -> None:
        self.last: Any = None
        self.mark: Hashable = None  # of what it was counted: the clock of the ledger
        self.rests = 0.0  # until then it is not counted again
        self.future: Future[Any] = Future()
        self.future.set_result(None)


class Counting(Exception):
    """A request wants figures that are being counted: it is run again once they are there."""

    def __init__(self, name: str, future: Future[Any]) -> None:
        self.name, self.future = name, future


class Asked(NamedTuple):
    """A request for a page, or for a change."""

    memory: Treering  # as it is, or as it was
    desk: Desk
    query: Mapping[str, str]
    id: str = ""
    until: float = 0.0  # it waits for figures
    waited: set[str] | None = None  # the figures that were waited for; None for a page, which shows the last ones

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
        self._one_count = Lock()
        self._figures: dict[str, Figure] = {}
        self._pasts: OrderedDict[str, Treering] = OrderedDict()
        self.memory: Treering = self._thread.submit(opening).result()

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)
        for memory in (*self._pasts.values(), self.memory):
            memory.close()

    async def ask(self, work: Callable[[Asked], T], query: Mapping[str, str], id: str = "", wait: bool = False) -> T:
        """Run a request in the thread of the memory, after those before it; others go on while it waits for figures."""
        waited: set[str] | None = set() if wait else None

        def job() -> T:
            as_of = query.get("as_of", "").strip()
            if not as_of:
                with suppress(StoreError):
                    self.memory.captured.receive(TAKING_IN)
            memory = self.past(as_of) if as_of else self.memory
            return work(Asked(memory, self, query, id, perf_counter() + PATIENCE, waited))

        while True:
            try:
                return await asyncio.get_running_loop().run_in_executor(self._thread, job)
            except Counting as counting:
                await asyncio.wait([asyncio.wrap_future(counting.future)])
                assert waited is not None
                waited.add(counting.name)  # whatever happens meanwhile, nothing is waited for twice

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

    def figures(self, name: str, count: Callable[[Treering], T], asked: Asked, mark: Hashable = None) -> T | None:
        """Return figures that take long to count: by a connection of their own, and anew if something happened, or if
        the mark is another.

        What was counted last is returned while they are counted anew; None if there is nothing yet.
        """
        one, waited = self._figures.setdefault(name, Figure()), asked.waited
        mark = mark or self.memory.store.clock()
        wanted = perf_counter() >= one.rests if waited is None else name not in waited
        if one.mark != mark and wanted and one.future.done():
            self._start(one, count, mark)
        if waited is not None and name not in waited and not one.future.done():
            raise Counting(name, one.future)
        with suppress(TookTooLong):
            error = one.future.exception(max(0.0, asked.until - perf_counter()))
            if error is None:
                one.last = one.future.result()
            elif one.last is None:
                raise error
        return one.last  # type: ignore[no-any-return]

    def _start(self, one: Figure, count: Callable[[Treering], Any], mark: Hashable) -> None:
        """Count in a thread that nobody waits for when the server ends: what it writes, it writes as a whole."""
        future = one.future = Future[Any]()
        one.mark = mark

        def run() -> None:
            with self._one_count:
                began = perf_counter()
                try:
                    with self._opening() as memory:
                        found = count(memory)
                except Exception as error:  # noqa: BLE001 - whoever asks for it raises it
                    one.mark = None
                    future.set_exception(error)
                else:
                    future.set_result(found)
                one.rests = perf_counter() + REST * (perf_counter() - began)

        Thread(target=run, name="treering-ui-figures", daemon=True).start()
