"""Keep the queue of consolidation: groups of episodes that wait to be summed up, or have been."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from treering.consolidate import rules
from treering.consolidate.summaries.group import Episode, groups, label
from treering.ledger.ageing import DAY
from treering.ledger.codec import data_of
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.events import GROUPED, SUMMARISED, Event
from treering.ledger.ledger import Ledger, batches
from treering.ledger.types import DRAFT, LIKELY, RECALLABLE, Context, Filter, Memory, visible
from treering.recall.index.cells import unit
from treering.recall.index.profiles import text_of
from treering.stores.port.ledger import EventQuery, Reader

if TYPE_CHECKING:
    from treering.models.port import Matrix

Summaries = dict[str, tuple[Memory, tuple[str, ...], tuple[str, ...]]]  # a summary, its sources and flags, by group

OPEN = ("created", "active")  # statuses of episodes that are still told one by one
SUMMABLE = (*OPEN, "archived")  # those of a group may fade while it waits
LATELY = 30 * DAY
_OUTDATED = "outdated"
_ORDER = ("waiting", _OUTDATED, "drafted")
_NAMED = 5  # of the groups that a name may mean
SHOWN = (*SUMMABLE, "consolidated")


class Group(NamedTuple):
    """Episodes that belong together."""

    id: str
    memories: tuple[str, ...]  # oldest first
    reason: str  # strength or topic
    queued: int
    event: str  # that put it into the queue
    summary: str = ""  # the memory that sums it up
    draft: bool = False  # whether that is only put together
    flags: tuple[str, ...] = ()  # what it lacks, or has from nowhere

    @property
    def status(self) -> str:
        """waiting, drafted, outdated (a source of its summary no longer holds) or summarised."""
        if not self.summary:
            return "waiting"
        if any(flag.startswith(_OUTDATED) for flag in self.flags):
            return "outdated"
        return "drafted" if self.draft else "summarised"


class Queue:
    """All groups of a space."""

    def __init__(self, store: Reader, space: str) -> None:
        self.store = store
        self.space = space

    def groups(self) -> list[Group]:
        """Return the current groups, oldest first. Each episode is in one, the latest found."""
        summaries = self._summaries()
        # Two machines may have grouped the same before they met: it is one, under one name.
        every = (self._with_summary(self._plain(event), summaries) for event in self._events(GROUPED))
        found = {group.id: group for group in every}
        taken: set[str] = set()
        standing = []
        for group in reversed(found.values()):
            if group.summary or (taken.isdisjoint(group.memories) and self._summable(group)):
                standing.append(group)
                taken.update(group.memories)
        return standing[::-1]

    def group(self, id: str) -> Group:
        """Return one group, by its name or the beginning of it."""
        known = {group.id: group for group in map(self._plain, self._events(GROUPED))}
        able = [id] if id in known else [name for name in known if id and name.startswith(id)]
        if len(able) > 1:
            more = f" and {len(able) - _NAMED} more" if len(able) > _NAMED else ""
            raise InvalidInput(f"{id!r} could be any of {', '.join(sorted(able)[:_NAMED])}{more}")
        if not able:
            raise NotFound("group", id, "`treering consolidate list` shows those that there are")
        return self._with_summary(known[able[0]], self._summaries())

    def next(self, seen_by: Context | None = None) -> Group | None:
        """Return the group that waits longest for somebody who can write: one without a summary,
        then one with an outdated summary, then one with a draft. In a project, only groups that are
        visible there."""
        open = [group for group in self.groups() if group.status in _ORDER]
        if seen_by is not None and seen_by.project:
            open = [group for group in open if all(visible(memory, seen_by) for memory in self.sources(group))]
        return min(open, key=lambda group: (_ORDER.index(group.status), group.queued, group.id), default=None)

    def sources(self, group: Group) -> list[Memory]:
        """Return the episodes of a group that are still there, oldest first."""
        return [memory for memory in heirs(self.store, group.memories) if memory.status in SHOWN]

    def summed(self) -> set[str]:
        """Return the ids of the memories that have a summary."""
        return {id for _, sources, _ in self._summaries().values() for id in sources}

    def _summable(self, group: Group) -> bool:
        there = self.store.several(group.memories).values()
        return sum(memory.status in SUMMABLE for memory in there) >= rules.LEAST

    def _events(self, kind: str) -> Iterator[Event]:
        found = self.store.events(EventQuery(kinds=(kind,), space=self.space, live=True))
        return (event for event in found if event.payload is not None)

    def _summaries(self) -> Summaries:
        """Return, by group, the memory that sums it up, its sources, and its flags."""
        events = list(self._events(SUMMARISED))
        there = self.store.several({event.subject for event in events})
        found = {}
        for event in events:
            memory, data = there.get(event.subject), data_of(event)[1]
            if memory is not None and memory.status in RECALLABLE:
                flags = (*data.get("dropped", ()), *data.get("invented", ()), *self._outdated(data["sources"]))
                found[data["group"]] = (memory, tuple(data["sources"]), flags)
        return found

    def _outdated(self, sources: Sequence[str]) -> list[str]:
        """Return a flag for each source of a summary that no longer holds."""
        there = self.store.several(sources)
        gone = [id for id in sources if id not in there or there[id].status not in (*RECALLABLE, "merged")]
        return [f"{_OUTDATED}: {id} holds no longer" for id in gone]

    def _plain(self, event: Event) -> Group:
        data = data_of(event)[1]
        return Group(data["group"], tuple(data["memories"]), data["reason"], event.time, event.id)

    def _with_summary(self, group: Group, summaries: Summaries) -> Group:
        if group.id not in summaries:
            return group
        memory, _, flags = summaries[group.id]
        return group._replace(summary=memory.id, draft=DRAFT in memory.tags, flags=flags)


def fill(
    ledger: Ledger,
    context: Context,
    now: int,
    since: int | None = None,
    until: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> list[str]:
    """Put new groups into the queue, and return their names. Only episodes from `since` to `until`
    are grouped, and of the archived ones those of the last month, as a story may go on for
    weeks."""
    store, space = ledger.store, context.space
    queue = Queue(store, space)
    summed = queue.summed()
    found = [
        memory
        for memory in store.records(Filter(space, statuses=SUMMABLE, since=since, until=until))
        if memory.id not in summed and _belongs(memory) and (memory.status in OPEN or memory.created > now - LATELY)
    ]
    known = {group.id for group in queue.groups()} | dismissed(store, space)
    drafts = []
    for group in groups(list(_episodes(store, found, progress))):
        name = rules.group_named(group.members)
        if name not in known:
            drafts.append((name, rules.grouped(group.members, group.reason, context)))
    for batch in batches(drafts, 1_000):
        ledger.commit(lambda batch=batch: [draft for _, draft in batch])  # type: ignore[misc]
    return [name for name, _ in drafts]


def dismissed(store: Reader, space: str) -> set[str]:
    """Return the groups that somebody has undone, which are not found again."""
    out = store.left_out()
    events = store.events(EventQuery(kinds=(GROUPED,), space=space))
    return {data_of(event)[1]["group"] for event in events if event.id in out and event.payload is not None}


def heirs(store: Reader, ids: Sequence[str]) -> list[Memory]:
    """Return memories, each replaced by the one that superseded it."""
    there = store.several(ids)
    now = [there[id].superseded_by or id for id in ids if id in there]
    return [*store.several(dict.fromkeys(now)).values()]


def about(sources: Sequence[Memory]) -> tuple[str, ...]:
    """Return the words that episodes share."""
    return label([text_of(source) for source in sources])


def _belongs(memory: Memory) -> bool:
    """Tell whether a memory may be summed up: an episode, but no fact, however faded, and nothing that is only kept
    for a time."""
    return memory.type == "episodic" and not memory.invariant and LIKELY not in memory.tags


def _episodes(store: Reader, memories: Sequence[Memory], progress: Callable[[int], None]) -> Iterator[Episode]:
    done = 0
    for batch in batches(memories):
        vectors = _vectors(store, batch)
        for memory in batch:
            place = "\0".join((memory.scope, memory.project, memory.session if memory.scope == "session" else ""))
            yield Episode(
                memory.id,
                place,
                text_of(memory),
                memory.created,
                memory.session,
                vectors.get(memory.id),
                bool(memory.queued),
                memory.tags,
            )
        done += len(batch)
        progress(done)


def _vectors(store: Reader, memories: Sequence[Memory]) -> dict[str, Matrix]:
    """Return the unit vectors of memories by id, as far as the index has them."""
    numbers = store.index.named([memory.id for memory in memories])
    rows = {one.number: one.vector for one in store.index.profiles(list(numbers.values())) if one.vector}
    known = [(id, rows[number]) for id, number in numbers.items() if number in rows]
    if not known:
        return {}
    matrix = unit(np.frombuffer(b"".join(row for _, row in known), np.int8).reshape(len(known), -1))
    return {id: matrix[at] for at, (id, _) in enumerate(known)}
