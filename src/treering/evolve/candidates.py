"""Find the memories that evolution should look at, by priority, each with the numbers behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import NamedTuple

from treering.evolve import rules
from treering.evolve.groups import clusters, similar_pairs
from treering.evolve.near import compare
from treering.evolve.rules import (
    ARCHIVE,
    CRITERIA,
    DEPRECATE,
    INDUCE,
    LOW_Q,
    MERGE,
    PAIRS,
    REFINE,
    STALE,
    UNLINKED,
)
from treering.ledger.ageing import HOT
from treering.ledger.codec import data_of
from treering.ledger.events import PROPOSED
from treering.ledger.ledger import batches
from treering.ledger.types import RECALLABLE, Filter, Memory, one_of
from treering.ledger.usage import Record
from treering.recall.index.profiles import text_of
from treering.skills.proposals.rules import SKILL_DRAFT
from treering.stores.port.ledger import EventQuery, Reader

PRIORITIES = ("critical", "high", "medium", "low")
# Pairs compared word by word, a fraction of a millisecond each; the next survey finds the rest.
MOST_PAIRS = 20_000
_PORTION = 500  # memories or pairs whose texts are read at a time


class Candidate(NamedTuple):
    """A possible action, on which memories, and why."""

    priority: str
    criterion: str
    action: str  # what it suggests
    memories: tuple[Memory, ...]
    numbers: Mapping[str, float]
    missing: tuple[str, ...] = ()  # what would still have to be shown before it may be done

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(memory.id for memory in self.memories)


class Survey:
    """One pass over all memories of a space that notes what stands out. Only texts of those are read."""

    def __init__(
        self,
        store: Reader,
        space: str,
        now: int,
        known: Mapping[str, Record],
        progress: Callable[[int], None] = lambda done: None,
    ) -> None:
        self._store = store
        self._space = space
        self._now = now
        self._known = known
        self._progress = progress
        self._low: list[tuple[float, str]] = []  # Q and id
        self._idle: list[tuple[int, str]] = []  # when it was last used, and id
        self._processes: dict[tuple[str, ...], list[str]] = {}  # ids by place
        self.size = 0
        for memory in store.records(Filter(space, statuses=RECALLABLE)):
            self._note(memory)

    def candidates(self, criteria: str = "") -> Iterator[Candidate]:
        """Yield candidates by priority, the strongest case first within each."""
        if criteria:
            one_of("criteria", criteria, CRITERIA)
        wanted = (criteria,) if criteria else CRITERIA
        # Both before the first action, so that a dry run and a run see the same.
        low = list(self.low_q()) if LOW_Q in wanted else []
        pairs = list(self.similar_pairs()) if PAIRS in wanted else []
        yield from (one for one in low if one.priority == "critical")
        yield from (one for one in low if one.priority == "high")
        yield from (one for one in pairs if one.priority == "medium")
        yield from self.stale() if STALE in wanted else ()
        yield from (one for one in pairs if one.priority == "low")
        yield from self.unlinked_processes() if UNLINKED in wanted else ()

    def low_q(self) -> Iterator[Candidate]:
        """Yield memories that were used and did not help."""
        for memory in self._read(id for _, id in sorted(self._low)):
            if not self._is_low(memory):  # it has changed since it was looked at
                continue
            known, numbers = self._record(memory), rules.numbers(memory, self._record(memory))
            worn = memory.q < rules.DEPRECATE_Q and known.usage >= rules.DEPRECATE_USAGE
            action = DEPRECATE if worn else REFINE
            missing = rules.to_deprecate(memory, known) if worn else rules.to_refine(memory, known, "")
            yield Candidate("critical" if worn else "high", LOW_Q, action, (memory,), numbers, missing + _held(memory))

    def stale(self) -> Iterator[Candidate]:
        """Yield memories that were not used for long, the longest first."""
        for memory in self._read(id for _, id in sorted(self._idle)):
            if not self._is_stale(memory):
                continue
            numbers = {"idle_days": round(rules.idle_days(memory, self._now), 1), "accesses": memory.accesses}
            yield Candidate("medium", STALE, ARCHIVE, (memory,), numbers, _held(memory))

    def similar_pairs(self) -> Iterator[Candidate]:
        """Yield pairs that say the same, the most alike first."""
        index = self._store.index
        active = index.numbers(Filter(self._space, statuses=RECALLABLE))
        found = []
        pairs = similar_pairs(index, index.all_places(self._space), self._progress, active)
        for portion in batches(islice(pairs, MOST_PAIRS), _PORTION):
            memories = index.found(sorted({number for pair in portion for number in (pair.one, pair.other)}))
            for pair in portion:
                one, other = memories.get(pair.one), memories.get(pair.other)
                if one is None or other is None or one.type != other.type:
                    continue
                alike = compare(text_of(one), text_of(other), pair.cosine)
                if alike.score > rules.MERGE_LIKENESS:
                    found.append((alike.score, one, other))
        for score, one, other in sorted(found, key=lambda pair: (-pair[0], pair[1].id, pair[2].id)):
            yield self._pair(score, one, other)

    def _pair(self, score: float, one: Memory, other: Memory) -> Candidate:
        known = [self._record(one), self._record(other)]
        missing = rules.to_merge([one, other], known, score, "") + _held(one) + _held(other)
        numbers = {"likeness": round(score, 4), "usage": max(each.usage for each in known)}
        numbers |= {"q": round(max(one.q, other.q), 4)}
        return Candidate("low" if missing else "medium", PAIRS, MERGE, (one, other), numbers, missing)

    def unlinked_processes(self) -> Iterator[Candidate]:
        """Yield groups of processes that do the same and are in no proposed skill."""
        linked = set(_in_proposals(self._store, self._space))
        for ids in self._processes.values():
            loose = [id for id in ids if id not in linked]
            if len(loose) < rules.PROCESSES:
                continue
            memories = {memory.id: memory for memory in self._read(loose)}
            for group in clusters([(id, memory.trigger or text_of(memory)) for id, memory in memories.items()]):
                numbers = {"processes": len(group.ids), "cohesion": round(group.cohesion, 4)}
                yield Candidate("low", UNLINKED, INDUCE, tuple(memories[id] for id in group.ids), numbers)

    def _note(self, memory: Memory) -> None:
        self.size += 1
        if self.size % 10_000 == 0:
            self._progress(self.size)
        if self._is_low(memory):
            self._low.append((memory.q, memory.id))
        if self._is_stale(memory):
            self._idle.append((memory.used, memory.id))
        if memory.type == "procedural":
            place = (memory.scope, memory.project, memory.session if memory.scope == "session" else "")
            self._processes.setdefault(place, []).append(memory.id)

    def _is_low(self, memory: Memory) -> bool:
        used = self._record(memory).usage >= rules.REFINE_USAGE
        return used and memory.q < rules.REFINE_Q and memory.status in RECALLABLE

    def _is_stale(self, memory: Memory) -> bool:
        return memory.status in HOT and not rules.to_archive(memory, self._now)

    def _record(self, memory: Memory) -> Record:
        return self._known.get(memory.id, Record())

    def _read(self, ids: Iterable[str]) -> Iterator[Memory]:
        """Read memories by their ids, a portion at a time."""
        return chain.from_iterable(self._store.several(portion).values() for portion in batches(ids, _PORTION))


def _held(memory: Memory) -> tuple[str, ...]:
    why = rules.protected(memory)
    return (f"{memory.id} is {why}: it needs a justification",) if why else ()


def _in_proposals(store: Reader, space: str) -> Iterator[str]:
    """Yield the ids of processes that a skill was proposed from."""
    for event in store.events(EventQuery(kinds=(PROPOSED,), space=space, live=True)):
        data = data_of(event)[1]  # nothing, where it was purged with its memory
        if data.get("kind") == SKILL_DRAFT:
            yield from data["memories"]
