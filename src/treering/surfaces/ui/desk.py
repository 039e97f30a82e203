"""The desk: the open memory, in the one thread that may use it, and what takes long beside it."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from contextlib import AbstractContextManager, nullcontext, suppress
from threading import Lock, Thread
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from treering.ledger.errors import InvalidInput, NotFound, StoreError
from treering.ledger.events import PURGED
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery

T = TypeVar("T")

_MOMENT = re.compile("-?[0-9]{1,18}")  # that any store can hold

TAKING_IN = 0.2  # seconds that a page may spend on what hooks have queued
BUSY = 1.0  # seconds that a change waits for others who write: all pages wait with it
PATIENCE = 0.05  # seconds that a page waits for all its figures: then it is shown without, and asks again
REST = 5.0  # times as long as it took to count a figure, until it is counted anew: pages need the processor too
MOST_PASTS = 4  # moments that are kept open: whoever moves the slider goes back and forth
MOST_KEPT = 3  # figures of one name that are kept: a past that can be searched is a copy of the memory as it was


class Figure:
    """What takes long to count: as it was counted last, and what is being counted."""

    def __init__(self) -> None:
        self.last: Any = None
        self.mark: Hashable = None  # of what it was counted
        self.purges = 0  # that were there when it was counted: it tells nothing that was purged since
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

    def place(self, name: str) -> tuple[int, str] | None:
        """Return a place in a list, as an address names it: a moment and an id; None for its beginning."""
        moment, _, id = self.get(name).partition(".")
        if not moment:
            return None
        if not _MOMENT.fullmatch(moment):
            raise InvalidInput(f"{name} is a place in the list, not {moment[:40]!r}")
        return int(moment), id


class Desk:
    """The memory and its past, one request after the other."""

    def __init__(self, opening: Callable[..., Treering], root: str) -> None:
        self._opening = opening
        self.root = root  # the folder below which files of proposals are written
        self._thread = ThreadPoolExecutor(1, "treering-ui")
        self._one_count = Lock()
        self._figures: OrderedDict[tuple[str, str], Figure] = OrderedDict()
        self._purges: tuple[Hashable, int] = (None, 0)  # the state of the store, and how many it had then
        self._gone: list[Treering] = []  # closed by the next request: the one that left them may still hold them
        self._pasts: OrderedDict[str, Treering] = OrderedDict()
        self.memory: Treering = self._thread.submit(opening).result()
        self._thread.submit(lambda: self.memory.captured)  # read what the first page needs while the browser starts

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)
        for memory in (*self._gone, *self._pasts.values(), self.memory):
            memory.close()

    async def ask(self, work: Callable[[Asked], T], query: Mapping[str, str], id: str = "", wait: bool = False) -> T:
        """Run a request in the thread of the memory, after those before it; others go on while it waits for figures."""
        waited: set[str] | None = set() if wait else None

        def job() -> T:
            while self._gone:
                self._gone.pop().close()
            as_of = query.get("as_of", "").strip()
            if not as_of:
                self._receive()
            memory = self.past(as_of) if as_of else self.memory
            with self.memory.store.hurried(BUSY):
                return work(Asked(memory, self, query, id, perf_counter() + PATIENCE, waited))

        while True:
            try:
                return await asyncio.get_running_loop().run_in_executor(self._thread, job)
            except Counting as counting:
                await asyncio.gather(asyncio.wrap_future(counting.future), return_exceptions=True)
                assert waited is not None
                waited.add(counting.name)  # whatever happens meanwhile, nothing is waited for twice

    def _receive(self) -> None:
        """Take in what hooks have queued: at once what is quick, and beside the pages what wants a whole recall."""
        with suppress(StoreError), self.memory.store.hurried(PATIENCE):
            self.memory.captured.receive(TAKING_IN)
            inbox, queue = self.memory.workspace.inbox, self._figure("queue", "")
            if queue.future.done() and perf_counter() >= queue.rests and inbox is not None and inbox.waiting():
                self._start(queue, lambda memory: memory.captured.receive(), None, nullcontext())

    def reopen(self) -> None:
        """Open the memory anew, as its settings have changed. What was counted by the old ones is dropped."""
        old, self.memory = (*self._pasts.values(), self.memory), self._opening()
        self._gone += old
        self._pasts.clear()
        self._figures.clear()

    def past(self, as_of: str) -> Treering:
        """Return the memory as it was at a moment."""
        if as_of not in self._pasts:
            self._pasts[as_of] = self._opening(as_of=as_of)
        self._pasts.move_to_end(as_of)
        while len(self._pasts) > MOST_PASTS:
            self._pasts.popitem(last=False)[1].close()
        return self._pasts[as_of]

    def figures(
        self, name: str, count: Callable[[Treering], T], asked: Asked, key: str = "", mark: Hashable = None
    ) -> T | None:
        """Return figures that take long to count: by a connection of their own, and anew if something happened, or if
        the mark is another. Of one name, those for a few keys are kept.

        What was counted last is returned while they are counted anew; None if there is nothing yet.
        """
        one, waited = self._figure(name, key), asked.waited
        mark = mark or self.memory.store.clock()
        wanted = perf_counter() >= one.rests if waited is None else name not in waited
        if one.mark != mark and wanted and one.future.done():
            self._start(one, count, mark, self._one_count)
        if waited is not None and name not in waited and not one.future.done():
            raise Counting(name, one.future)
        with suppress(TookTooLong):
            error = one.future.exception(max(0.0, asked.until - perf_counter()))
            if error is None:
                one.last = one.future.result()
            elif one.last is None or isinstance(error, NotFound):
                raise error
        return one.last  # type: ignore[no-any-return]

    def _figure(self, name: str, key: str) -> Figure:
        """Return a figure as it was counted; a new one if anything was purged since."""
        purges, found = self._purged(), self._figures.get((name, key))
        if found is None or found.purges != purges:
            found = self._figures[name, key] = Figure()
            found.purges = purges
        self._figures.move_to_end((name, key))
        for old in [one for one in self._figures if one[0] == name][:-MOST_KEPT]:
            self._figures.pop(old).future.cancel()
        return found

    def _purged(self) -> int:
        """Count the purges, if anything was written since they were counted."""
        version = self.memory.store.version()
        if version != self._purges[0]:
            self._purges = version, sum(1 for _ in self.memory.store.events(EventQuery(kinds=(PURGED,))))
        return self._purges[1]

    def searchable(self, asked: Asked) -> Treering | None:
        """Return the past that a request is about, with all its memories folded; None as long as they are not."""

        def fold(_: Treering) -> Treering:
            past = self._opening(as_of=asked.as_of)
            past.recall("fold", 1, log=False)
            return past

        return self.figures("past", fold, asked, asked.as_of, "as it was")

    def _start(
        self, one: Figure, count: Callable[[Treering], Any], mark: Hashable, turn: AbstractContextManager[object]
    ) -> None:
        """Count in a thread that nobody waits for when the server ends: what it writes, it writes as a whole."""
        future = one.future = Future[Any]()
        one.mark = mark

        def run() -> None:
            with turn:
                if not future.set_running_or_notify_cancel():
                    return
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
