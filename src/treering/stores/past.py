"""Read a store as it was at a moment: the same ledger, without what came later."""

from __future__ import annotations

import heapq
import os
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import TypeVar

from treering.ledger.events import PURGED, REMEMBERED, UNDOINGS, Event, Head
from treering.ledger.fold import fold_each, left_out
from treering.ledger.types import Filter, Memory
from treering.stores.files import IN_MEMORY
from treering.stores.port.ledger import EVERYTHING, EventQuery, Store
from treering.stores.sqlite.search import SqliteIndex
from treering.stores.sqlite.store import SqliteStore

T = TypeVar("T")
Place = tuple[int, str]  # of a memory in a list: when it came, the last first, and its id

FIRST, MORE = 100, 1_000  # memories that a list folds at a time: few to begin with, as a page wants no more


class PastStore:
    """The store as it was: memories are folded by id, for a list a few at a time, and all once for a search.

    A list follows the memories of today, whose place, kind and time never change, and those that were undone since.
    """

    def __init__(self, present: Store, until: int) -> None:
        self._present = present
        self._until = until
        self._out: set[str] | None = None
        self._folded: SqliteStore | None = None
        self._folded_by = 0  # the process whose memory holds it

    @property
    def index(self) -> SqliteIndex:
        return self._all().index

    @property
    def writer(self) -> str:
        return self._present.writer

    def version(self) -> Hashable:
        return self._present.version(), self._folded and self._folded.version()

    def view(self, work: Callable[[], T]) -> T:
        folded = self._folded
        return self._present.view(work if folded is None else lambda: folded.view(work))

    def hurried(self, seconds: float) -> AbstractContextManager[None]:
        return nullcontext()  # nobody else has what is in memory

    def heads(self) -> dict[str, Head]:
        return self._present.heads()

    def clock(self) -> int:
        return self._present.clock()

    def events(self, query: EventQuery = EVERYTHING) -> Iterator[Event]:
        out = self.left_out() if query.live else ()
        asked = self._present.events(query._replace(live=False, limit=0))
        found = (event for event in asked if event.time <= self._until and event.id not in out)
        told = (event for event in found if event.payload is not None or event.kind == PURGED) if query.live else found
        return islice(told, query.limit or None)

    def effects(self, ids: Collection[str]) -> set[str]:
        return {event.id for event in self.events(EventQuery(ids=tuple(self._present.effects(ids))))}

    def left_out(self) -> set[str]:
        if self._out is None:
            self._out = left_out(self, self.events(EventQuery(kinds=UNDOINGS, newest=True)))
        return self._out

    def several(self, ids: Collection[str]) -> dict[str, Memory]:
        folded = fold_each(self.events(EventQuery(subjects=tuple(ids), live=True)))
        return {id: memory for id in ids if (memory := folded.get(id)) is not None}

    def records(self, where: Filter | None = None) -> Iterator[Memory]:
        if where is None or self._folded is not None:
            return self._all().records(where)
        until = self._until if where.until is None else min(where.until, self._until)
        lasting = where._replace(statuses=(), tag="", until=until)
        places = ((one.created, one.id) for one in self._present.records(lasting))
        return self._listed(heapq.merge(places, self._undone(lasting), reverse=True), where)

    def _listed(self, places: Iterator[Place], where: Filter) -> Iterator[Memory]:
        size = FIRST
        while ids := [id for _, id in islice(places, size)]:
            for one in self.several(ids).values():
                if (not where.statuses or one.status in where.statuses) and (not where.tag or where.tag in one.tags):
                    yield one
            size = MORE

    def _undone(self, where: Filter) -> list[Place]:
        """Return the memories that were undone since: they are among those of today no more."""
        since = self._present.left_out() - self.left_out()
        made = EventQuery(ids=tuple(since), kinds=(REMEMBERED,), space=where.space)
        folded = SqliteStore(IN_MEMORY)
        try:
            known = self.several([event.subject for event in self.events(made)])
            folded.write(lambda: folded.save((None, one) for one in known.values()))
            return [(one.created, one.id) for one in folded.records(where)]
        finally:
            folded.close()

    def close(self) -> None:
        self._present.close()
        if self._folded is not None:
            self._folded.close()

    def _all(self) -> SqliteStore:
        if self._folded is None or self._folded_by != os.getpid():
            folded = SqliteStore(IN_MEMORY)
            records = fold_each(event for event in self.events(EventQuery(live=True)) if event.subject)
            folded.write(lambda: folded.save((None, record) for record in records.values()))
            self._folded, self._folded_by = folded, os.getpid()
        return self._folded
