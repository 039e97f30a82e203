"""The store that keeps everything in memory: for tests, and for a memory that should leave no trace."""

from __future__ import annotations

import math

from treering.core.codec import data_of
from treering.core.events import PURGED, Head
from treering.core.ports import EVERYTHING
from treering.core.types import Filter, Hit, Memory, comes_from, visible

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
        self._writing = False

    def write(self, work: Callable[[], T]) -> T:
        if self._writing:
            return work()
        before = (dict(self._events), dict(self._records), set(self._left_out))
        self._writing = True
        try:
            return work()
        except BaseException:
            self._events, self._records, self._left_out = before
            raise
        finally:
            self._writing = False

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

    def records(self, where: Filter | None = None) -> Iterator[Memory]:
        if where is None:
            return iter(list(self._records.values()))
        found = [memory for memory in self._records.values() if _fits(memory, where)]
        return iter(sorted(found, key=lambda memory: (memory.created, memory.id), reverse=True))

    def search(self, terms: Sequence[str], where: Filter, k: int) -> list[Hit]:
        """Rarer words count more. A stand-in for BM25: it finds the same, and ranks the plain cases alike."""
        texts = {id: _words(memory) for id, memory in self._records.items() if memory.status != "forgotten"}
        scores: dict[str, float] = {}
        for term in terms:
            having = [id for id, words in texts.items() if any(_same(word, term) for word in words)]
            for id in having:
                scores[id] = scores.get(id, 0.0) + math.log(1 + len(texts) / len(having))
        hits = [Hit(self._records[id], score) for id, score in scores.items() if _fits(self._records[id], where)]
        return sorted(hits, key=lambda hit: (-hit.score, -hit.memory.created, hit.memory.id))[:k]

    def save(self, changes: Iterable[Change]) -> None:
        for old, new in changes:
            if new is not None:
                self._records[new.id] = new
            elif old is not None:
                self._records.pop(old.id, None)

    def reset(self) -> None:
        self._records, self._left_out = {}, set()

    def problems(self) -> Iterator[str]:
        return iter(())

    def close(self) -> None:
        """Nothing is held."""


def _field(event: Event, name: str) -> Any:
    return data_of(event)[1].get(name)


def _fits(memory: Memory, where: Filter) -> bool:
    return (
        memory.space == where.space
        and where.type in ("", memory.type)
        and where.scope in ("", memory.scope)
        and where.project in ("", memory.project)
        and where.session in ("", memory.session)
        and (not where.statuses or memory.status in where.statuses)
        and (not where.tag or where.tag in memory.tags)
        and (where.visible_to is None or visible(memory, where.visible_to))
    )


def _words(memory: Memory) -> set[str]:
    text = " ".join((memory.content, memory.details, *memory.tags)).lower()
    return set("".join(letter if letter.isalnum() else " " for letter in text).split())


def _same(word: str, term: str) -> bool:
    """Whether two words have one stem, roughly."""
    return word == term or (min(len(word), len(term)) > 3 and _stem(word) == _stem(term))


def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ies", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
