"""The store that keeps everything in memory: for tests, and for a memory that should leave no trace."""

from __future__ import annotations

from treering.core.codec import data_of, encode
from treering.core.events import PURGED, Head
from treering.core.ports import EVERYTHING
from treering.core.types import Filter, Memory, comes_from
from treering.stores.memory_index import MemoryIndex, fits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import Any, TypeVar

    from treering.core.events import Event
    from treering.core.ports import Change, EventQuery, Key

    T = TypeVar("T")


class MemoryStore:
    """See `core.ports.Store` for what each method promises."""

    def __init__(self) -> None:
        self.writer = ""
        self._events: dict[str, Event] = {}
        self._records: dict[str, Memory] = {}
        self._left_out: set[str] = set()
        self._looked: dict[str, int] = {}
        self.index = MemoryIndex(self.write)
        self._writing = False

    def write(self, work: Callable[[], T]) -> T:
        if self._writing:
            return work()
        before = (dict(self._events), dict(self._records), set(self._left_out), dict(self._looked), self.index.state)
        self._writing = self.index.tentative = True
        try:
            return work()
        except BaseException:
            self._events, self._records, self._left_out, self._looked, self.index.state = before
            raise
        finally:
            self._writing = self.index.tentative = False

    def view(self, work: Callable[[], T]) -> T:
        return work()

    def adopt(self, writer: str) -> None:
        self.writer = writer

    def clock(self) -> int:
        return max((event.clock for event in self._events.values()), default=0)

    def heads(self) -> dict[str, Head]:
        last = sorted(self._events.values(), key=lambda event: event.seq)
        return {event.writer: Head(event.seq, event.chain) for event in last}

    def append(self, events: Sequence[Event], keys: Iterable[Key] = ()) -> None:
        self._events.update((event.id, event) for event in events)

    def looked(self) -> dict[str, int]:
        return dict(self._looked)

    def look_on(self, writer: str, seq: int) -> None:
        self._looked[writer] = seq

    def erase(self, subject: str) -> None:
        for id, event in self._events.items():
            if event.subject == subject and event.kind != PURGED:
                self._events[id] = event._replace(payload=None, salt=None)

    def scrub(self) -> bool:
        return True

    def events(self, query: EventQuery = EVERYTHING) -> Iterator[Event]:
        found = [event for event in self._events.values() if self._asked_for(event, query)]
        found.sort(key=lambda event: event.order)
        if query.newest:
            found.reverse()
        return iter(found[: query.limit or None])

    def _asked_for(self, event: Event, query: EventQuery) -> bool:
        return (
            (query.ids is None or event.id in query.ids)
            and (query.subjects is None or event.subject in query.subjects)
            and query.space in ("", event.space)
            and query.session in ("", event.session)
            and (not query.kinds or event.kind in query.kinds)
            and (not query.source or comes_from(_field(event, "origin") or "", query.source))
            and (not query.naming or encode(query.naming) in (event.payload or ""))
            and event.clock > (query.since or -1)
            and not (query.live and event.id in self._left_out)
        )

    def effects(self, ids: Collection[str]) -> set[str]:
        return {event.id for event in self._events.values() if not set(ids).isdisjoint(event.causes)}

    def known(self, keys: Sequence[int]) -> set[int]:
        return set(keys) & {_field(event, "key") for event in self._events.values()}

    def left_out(self) -> set[str]:
        return set(self._left_out)

    def leave_out(self, ids: Iterable[str], back: Iterable[str]) -> None:
        self._left_out.difference_update(back)
        self._left_out.update(ids)

    def record(self, id: str) -> Memory | None:
        return self._records.get(id)

    def several(self, ids: Collection[str]) -> dict[str, Memory]:
        return {id: self._records[id] for id in ids if id in self._records}

    def records(self, where: Filter | None = None) -> Iterator[Memory]:
        if where is None:
            return iter(list(self._records.values()))
        found = [memory for memory in self._records.values() if fits(memory, where)]
        return iter(sorted(found, key=lambda memory: (memory.created, memory.id), reverse=True))

    def save(self, changes: Iterable[Change]) -> None:
        for old, new in changes:
            self.index.follow(old, new)
            if new is not None:
                self._records[new.id] = new
            elif old is not None:
                self._records.pop(old.id, None)

    def reset(self) -> None:
        self._records, self._left_out = {}, set()
        self.index.reset()

    def problems(self) -> Iterator[str]:
        return iter(())

    def close(self) -> None:
        """Nothing is held."""


def _field(event: Event, name: str) -> Any:
    return data_of(event)[1].get(name)
