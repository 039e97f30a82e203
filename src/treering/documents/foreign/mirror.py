"""Keep texts as memories so that they come back exactly as they were given.

A mirror holds what has one tag, in this process, up to date with the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from treering.documents.foreign.things import named, tag
from treering.ledger.events import UNDOINGS, Head
from treering.ledger.types import RECALLABLE, RETIRED, TRANSITIONS, Filter
from treering.stores.port.ledger import EventQuery
from treering.text.redact import reveal

if TYPE_CHECKING:
    from treering.ledger.types import Memory
    from treering.memory import Treering

    T = TypeVar("T")
    Name = tuple[str, ...]
    Held = Mapping[Name, list[Memory]]


LONGEST_MARGIN = 100  # blanks at an end of a text: more are not kept


def row(text: str, title: str, *tags: str) -> dict[str, Any]:
    """Return a text as arguments of `remember`. For one in which nothing can be seen, the memory says just that."""
    bare = text.strip()
    if not reveal(bare)[0]:
        return {"content": f"{title} is empty", "tags": (*tags, tag("blank", text[:LONGEST_MARGIN]))}
    start, end = text.find(bare), text.find(bare) + len(bare)
    margins = (("before", text[:start][-LONGEST_MARGIN:]), ("after", text[end:][:LONGEST_MARGIN]))
    return {"content": bare, "tags": (*tags, *(tag(label, blanks) for label, blanks in margins if blanks))}


def text_of(memory: Memory) -> str:
    """Return what was given, without secrets and hidden signs, which are never stored."""
    blank = named(memory, "blank")
    if blank is not None:
        return blank
    return f"{named(memory, 'before') or ''}{memory.content}{named(memory, 'after') or ''}"


# What evolution has merged or deprecated is still what somebody has put here: only they take it away.
_THERE = tuple(status for status in (*RECALLABLE, *RETIRED) if status != "superseded")
CATCHING_UP = 2_000  # new events: to read more of them takes longer than to read all that lies here


class Mirror:
    """The memories of one place that have a tag, under the names that a function finds in them.

    A process that is asked again and again reads only what is new in the ledger, whoever wrote it.
    """

    def __init__(
        self, memory: Treering, tag: str, named: Callable[[Memory], Name | None], project: str | None = None
    ) -> None:
        self._memory = memory
        self._named = named
        self._tag = tag
        place = memory.context.project if project is None else project
        self._place = (memory.context.space, "project" if place else "user", place)
        self._heads: dict[str, Head] | None = None  # up to where the ledger was read; None for not at all
        self._held: dict[Name, list[Memory]] = {}
        self._by_id: dict[str, tuple[Name, Memory]] = {}
        self._turn = RLock()  # threads take turns, as they share what is held

    def read(self, work: Callable[[Held], T]) -> T:
        """Run work that only reads on what is there now: for each name its memories, the oldest first."""
        store = self._memory.store
        with self._turn:
            tentative = store.index.in_transaction
            try:
                return store.view(lambda: work(self._caught_up()))
            finally:
                if tentative:  # what somebody's transaction shows may never have been
                    self._heads = None

    def write(self, work: Callable[[Held], T]) -> T:
        """Run work that writes, as one transaction, on what is there before it. It may run more than once."""
        tried = 0

        def attempt() -> T:
            nonlocal tried
            tried += 1
            if tried > 1:
                self._heads = None
            return work(self._caught_up())

        with self._turn:
            tentative = self._memory.store.index.in_transaction
            try:
                return self._memory.together(attempt)
            except BaseException:
                tentative = True
                raise
            finally:
                if tentative:
                    self._heads = None

    def put(self, row: Mapping[str, Any], before: Sequence[Memory], reason: str) -> Memory:
        """Remember a row of arguments in the place of the memories before it: in `write` only."""
        made = self._memory.remember(**row, anyway=True)
        for old in before:
            # They supersede, as somebody says what holds now: that needs no evidence, and history has the rest. What
            # evolution has retired cannot be superseded any more.
            if "superseded" in TRANSITIONS[old.status]:
                self._memory.supersede(old.id, made.id, reason=reason)
            else:
                self._memory.forget(old.id, reason=reason)
        return made

    def names(self, ids: Collection[str]) -> dict[str, Name]:
        """Return the names of those memories that are the newest of theirs, as of the last time
        that somebody looked.
        """
        found = {id: self._by_id[id][0] for id in ids if id in self._by_id}
        return {id: name for id, name in found.items() if self._held[name][-1].id == id}

    def _caught_up(self) -> Held:
        heads = self._memory.store.heads()
        if heads != self._heads:
            touched = self._touched(heads)
            if touched is None:
                self._load()
            else:
                self._take(touched)
            self._heads = heads
        return self._held

    def _touched(self, heads: Mapping[str, Head]) -> set[str] | None:
        """Return the memories that new events are about; None if all has to be read."""
        known = self._heads
        if known is None or any(heads.get(writer, Head()).seq < head.seq for writer, head in known.items()):
            return None
        new = {writer: range(known.get(writer, Head()).seq + 1, head.seq + 1) for writer, head in heads.items()}
        if sum(map(len, new.values())) > CATCHING_UP:
            return None
        ids = tuple(f"{writer}-{seq}" for writer, numbers in new.items() for seq in numbers)
        events = list(self._memory.store.events(EventQuery(ids=ids)))
        if any(event.kind in UNDOINGS for event in events):
            return None
        return {event.subject for event in events if event.subject}

    def _load(self) -> None:
        self._held, self._by_id = {}, {}
        space, scope, project = self._place
        where = Filter(space, scope=scope, statuses=_THERE, project=project, tag=self._tag)
        for memory in sorted(self._memory.store.records(where), key=_age):
            self._put(memory)

    def _take(self, ids: Collection[str]) -> None:
        there = self._memory.store.several(ids)
        for id in ids:
            if id not in there and id in self._by_id:
                self._drop(id)
        for memory in sorted(there.values(), key=_age):
            self._put(memory)

    def _put(self, memory: Memory) -> None:
        """Hold a memory as it is now; let go of it if it does not belong here any more."""
        place = (memory.space, memory.scope, memory.project)
        belongs = place == self._place and memory.status in _THERE and self._tag in memory.tags
        name = self._named(memory) if belongs else None
        known = self._by_id.get(memory.id)
        if known is not None and known[0] != name:
            self._drop(memory.id)
        if name is None:
            return
        self._by_id[memory.id] = (name, memory)
        several = self._held.setdefault(name, [])
        several[:] = sorted((*(one for one in several if one.id != memory.id), memory), key=_age)

    def _drop(self, id: str) -> None:
        name, _ = self._by_id.pop(id)
        rest = [one for one in self._held[name] if one.id != id]
        if rest:
            self._held[name] = rest
        else:
            del self._held[name]


def _age(memory: Memory) -> tuple[int, str, int]:
    """Return a key that sorts memories by when they were made."""
    writer, _, seq = memory.id.rpartition("-")
    return memory.created, writer, int(seq)
