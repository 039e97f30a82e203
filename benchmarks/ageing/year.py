"""A year of sessions on a real store: memories are made and used through the ledger, and each session ends tidily."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.ageing.lives import Life, Session
from benchmarks.texts import Notes
from treering.consolidate.hygiene import Report
from treering.ledger import decide
from treering.ledger.ageing import tier
from treering.ledger.config import Config
from treering.ledger.ledger import Ledger
from treering.ledger.sessions import DAY, Starts
from treering.ledger.types import Context, Memory
from treering.ledger.workspace import Workspace
from treering.memory import Treering
from treering.recall.recalls import Recalls
from treering.stores.port.ledger import EventQuery, Store
from treering.stores.sqlite.store import SqliteStore

MIDNIGHT = 1_767_225_600_000_000  # 2026-01-01T00:00:00Z
HOUR = DAY // 24
_MORNING, _LENGTH = 9 * HOUR, 2 * HOUR  # when a session begins, and how long it is
_SECOND = 1_000_000
EVERY = 5  # sessions from one sample to the next: as many as a line of the terminal has columns
WAITING = "to consolidate"

# What each policy calls its tiers, those at hand first.
TIERS = {
    "half-life": ("hot", WAITING, "archive", "forgotten"),
    "age": ("hot", "archive", "forgotten"),
    "sessions": ("working", "active", "archive-candidate", "archived"),
}

ABOUT = {
    "half-life": "What is not used fades with the half-life of its type, and each use makes that longer: what was used "
    "once or never is archived within days or weeks. What was useful waits to be consolidated, and what has faded "
    "altogether is forgotten after 90 days in the archive.",
    "age": "What was not used for 60 days is archived, and forgotten after 90 more. Where more than 20 are hot, the "
    "five that were used longest ago make room once a day, however young they are.",
    "sessions": "What the last 20 sessions of its project did not use is archived, so a quiet week changes nothing. "
    "Nothing is ever forgotten: the archive only grows.",
}


class Sample(NamedTuple):
    """The size of each tier at the end of a day."""

    day: int
    sizes: dict[str, int]


class Year(NamedTuple):
    policy: str
    memories: int
    sessions: int
    samples: tuple[Sample, ...]
    statuses: dict[str, int]  # at the end
    moves: dict[str, int]  # made by hygiene: status, status and rule
    wanted: int  # uses that the year asked for
    reactivated: int  # of them, those that brought a memory back from the archive
    missed: int  # of them, those that came too late: the memory was forgotten
    retired: int  # memories that were forgotten and wanted later, once or more


class _Clock:
    def __init__(self) -> None:
        self.time = MIDNIGHT

    def __call__(self) -> int:
        self.time += _SECOND
        return self.time


class _World:
    """A memory, its clock, and what has happened so far."""

    def __init__(self, store: Store, policy: str) -> None:
        self.store, self.policy, self.clock = store, policy, _Clock()
        self.ledger = Ledger(store, self.clock, os.urandom)
        self.memory = Treering(Workspace(store, Config(decay=policy), Context(), self.ledger, _nothing, self.clock))
        self.ids: dict[int, str] = {}  # the id of each life that has begun
        self.moves: Counter[str] = Counter()
        self.late: Counter[str] = Counter()  # the forgotten that were wanted, and how often
        self.wanted = self.reactivated = 0

    def hold(self, session: Session, born: Sequence[tuple[int, Life, str]], wanted: Sequence[int]) -> None:
        """A session: it uses what it wants, remembers what is new, and ends."""
        here = Context(project=session.project, session=session.name)
        self.clock.time = MIDNIGHT + session.day * DAY + _MORNING
        self._use([self.ids[place] for place in wanted], here)
        wishes = [decide.Remember(text, life.type, life.scope, invariant=life.invariant) for _, life, text in born]
        events = self.ledger.commit(lambda: [decide.remember(wish, here) for wish in wishes])
        self.ids.update((place, event.id) for (place, _, _), event in zip(born, events, strict=True))
        self.clock.time = MIDNIGHT + session.day * DAY + _MORNING + _LENGTH
        # As a session ends, but for what is done with memories that were looked for.
        self.ledger.commit(lambda: [decide.ended(here)])
        self._count(self.memory.maintenance.hygiene())

    def _use(self, ids: Sequence[str], here: Context) -> None:
        found = self.store.several(ids)
        self.wanted += len(ids)
        self.late.update(id for id in ids if found[id].status == "forgotten")
        there = [found[id] for id in ids if found[id].status != "forgotten"]
        self.reactivated += sum(memory.status == "archived" for memory in there)
        self.ledger.commit(lambda: [decide.used(memory, here) for memory in there])

    def _count(self, report: Report) -> None:
        for memory, step in report.moves:
            self.moves[f"{memory.status} → {step.to}, {step.rule}"] += 1

    def sample(self, day: int) -> Sample:
        starts = Starts(self.store.events(EventQuery(live=True)) if self.policy == "sessions" else ())
        sizes = Counter(self._tier(memory, starts) for memory in self.store.records())
        return Sample(day, {name: sizes[name] for name in TIERS[self.policy]})

    def _tier(self, memory: Memory, starts: Starts) -> str:
        return WAITING if memory.queued else tier(memory, self.policy, starts.since(memory))


def run(
    path: str,
    policy: str,
    held: Sequence[Session],
    known: Sequence[Life],
    progress: Callable[[int], None] = lambda done: None,
) -> Year:
    """Live through the year in a new store at a path."""
    store = SqliteStore(path)
    world = _World(store, policy)
    born: list[list[tuple[int, Life, str]]] = [[] for _ in held]
    wanted: list[list[int]] = [[] for _ in held]
    for place, (life, text) in enumerate(zip(known, Notes().take(len(known)), strict=True)):
        born[life.born].append((place, life, text))
        for number in life.wanted:
            wanted[number].append(place)
    samples = []
    for number, session in enumerate(held, 1):
        world.hold(session, born[number - 1], wanted[number - 1])
        if number % EVERY == 0 or number == len(held):
            samples.append(world.sample(session.day))
            progress(number)
    statuses = Counter(memory.status for memory in store.records())
    store.close()
    return Year(
        policy,
        len(known),
        len(held),
        tuple(samples),
        dict(sorted(statuses.items())),
        dict(sorted(world.moves.items())),
        world.wanted,
        world.reactivated,
        world.late.total(),
        len(world.late),
    )


def _nothing() -> Recalls:
    raise AssertionError("the year uses memories without looking for them")
