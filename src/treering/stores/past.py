"""A store as it was at a moment: the same ledger, without what came later. It can only be read."""

from __future__ import annotations

from itertools import islice

from treering.core.apply import fold_each
from treering.core.events import UNDOINGS
from treering.core.ports import EVERYTHING, EventQuery
from treering.core.undoing import left_out
from treering.stores.sqlite import SqliteStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import TypeVar

    from treering.core.events import Event, Head
    from treering.core.ports import Store
    from treering.core.types import Filter, Memory
    from treering.stores.index import SqliteIndex

    T = TypeVar("T")


class PastStore:
    """One memory is folded when it is asked for; a list or a search folds all of them, once."""

    def __init__(self, present: Store, until: int) -> None:
        self._present = present
        self._until = until
        self._out: set[str] | None = None
        self._folded: SqliteStore | None = None

    @property
    def index(self) -> SqliteIndex:
        return self._all().index

    @property
    def writer(self) -> str:
        return self._present.writer

    def view(self, work: Callable[[], T]) -> T:
        return self._present.view(work)

    def heads(self) -> dict[str, Head]:
        return self._present.heads()

    def clock(self) -> int:
        return self._present.clock()

    def events(self, query: EventQuery = EVERYTHING) -> Iterator[Event]:
        out = self.left_out() if query.live else ()
        asked = self._present.events(query._replace(live=False, limit=0))
        found = (event for event in asked if event.time <= self._until and event.id not in out)
        return islice(found, query.limit or None)

    def effects(self, ids: Collection[str]) -> set[str]:
        return {event.id for event in self.events(EventQuery(ids=tuple(self._present.effects(ids))))}

    def left_out(self) -> set[str]:
        if self._out is None:
            self._out = left_out(self, self.events(EventQuery(kinds=UNDOINGS, newest=True)))
        return self._out

    def record(self, id: str) -> Memory | None:
        return fold_each(self.events(EventQuery(subjects=(id,), live=True))).get(id)

    def several(self, ids: Collection[str]) -> dict[str, Memory]:
        folded = fold_each(self.events(EventQuery(subjects=tuple(ids), live=True)))
        return {id: memory for id, memory in folded.items() if memory is not None}

    def records(self, where: Filter | None = None) -> Iterator[Memory]:
        return self._all().records(where)

    def close(self) -> None:
        self._present.close()
        if self._folded is not None:
            self._folded.close()

    def _all(self) -> SqliteStore:
        if self._folded is None:
            folded = SqliteStore(":memory:")
            records = fold_each(event for event in self.events(EventQuery(live=True)) if event.subject)
            folded.write(lambda: folded.save((None, record) for record in records.values()))
            self._folded = folded
        return self._folded
