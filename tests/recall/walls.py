"""A store with memories behind every wall there is, and what may be seen of it from where."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from tests.world import Clock, Dice, Hashed
from treering.ledger.config import Config
from treering.ledger.events import RECALLED, SURFACED
from treering.ledger.ledger import Ledger
from treering.ledger.types import Context, Memory, Recall, visible
from treering.ledger.workspace import Workspace
from treering.memory import Treering
from treering.models.port import Embedder
from treering.recall.recalls import Recalls
from treering.stores.port.ledger import EventQuery, Store

SPACES = ("default", "other")
PROJECTS = ("", "alpha", "beta")
SESSIONS = ("", "s1", "s2")
VIEWERS = tuple(Context(*names) for names in product(SPACES, PROJECTS, SESSIONS))

# What is said everywhere: a statement whose value differs from place to place, a text that is the same in all of
# them, and one about a person. {0} is a mark of the memory.
SAID = (
    ("The BlueHarbor deploy port is {0}", "semantic", "2026-01-01T00:00:00Z"),
    ("Every BlueHarbor deploy needs the canary checklist", "procedural", "2026-02-01T00:00:00Z"),
    ("Marta Silva keeps the release notes of BlueHarbor in {0}. She said so at length.", "episodic", "2026-03-01"),
)
BETWEEN = "2026-01-15"  # the first of them and the others
QUESTIONS = (
    "What is the BlueHarbor deploy port?",
    "canary checklist for every deploy",
    'where does "Marta Silva" keep the release notes, and who said so at length',
    "cnary cheklist BluHarbor relaese",  # nothing matches: slips of the pen are looked for
)
K = 500

_MARK = re.compile(r"mark_\d+")
_ID = re.compile(r"[a-z2-9]{8}-\d+")


class Town:
    """Memories behind every wall, seen through one recaller: what it keeps from one viewer must not serve another."""

    def __init__(self, store: Store, embedder: Embedder | None = None) -> None:
        clock, dice = Clock(), Dice()
        self.store = store
        self.ledger = Ledger(store, clock, dice)
        recalling = Recalls(store, embedder or Hashed(), dice)
        self.doors = {
            space: Treering(Workspace(store, Config(), Context(space), self.ledger, lambda: recalling, clock))
            for space in SPACES
        }
        self.memories: dict[str, Memory] = {}
        self.marks: dict[str, str] = {}
        self.crowd: set[str] = set()

    def settle(self) -> None:
        """Somebody in every place remembers the same things."""
        for space, project, session in product(SPACES, PROJECTS, SESSIONS):
            for scope in scopes(project, session):
                for text, type, at in SAID:
                    self.add(text, space, type=type, at=at, scope=scope, project=project, session=session)

    def gather(self) -> None:
        """Some speak to everybody, of other things: a memory stands out only where there are others."""
        for space, topic in product(SPACES, ("roses", "trains", "cheese", "violins", "glaciers")):
            self.crowd.add(self.add(f"{topic} were talked about in town, {{0}}", space, scope="user").id)

    def add(self, text: str, space: str = "default", **options: Any) -> Memory:
        mark = f"mark_{len(self.memories) + 1_000}"
        memory = self.doors[space].remember(text.format(mark), tags=[mark], **options)
        self.memories[memory.id], self.marks[mark] = memory, memory.id
        return memory

    def recall(self, query: str, viewer: Context, **options: Any) -> set[str]:
        """Ask, and give the ids of all that the answer tells of in any way."""
        given = {"k": K, "silent": False, "explain": True, **options}
        found = self.doors[viewer.space].recall(query, project=viewer.project, session=viewer.session, **given)
        told = self.told(found)
        self.check(told, viewer)
        return told

    def check(self, told: set[str], viewer: Context) -> None:
        leaks = [self.memories[id] for id in told if not visible(self.memories[id], viewer)]
        assert not leaks, f"{viewer} was told of {leaks}"

    def told(self, found: Recall) -> set[str]:
        ids = {hit.memory.id for hit in found.hits}
        for hit in found.hits:
            ids.update(hit.why.same_as, filter(None, [hit.why.older_than]))
        return ids | self.named_in(found.fence) | self.named_in(found.silence) | self._logged(found.id)

    def named_in(self, text: str) -> set[str]:
        """The memories whose id or mark a text holds."""
        marked = {self.marks[mark] for mark in _MARK.findall(text) if mark in self.marks}
        return marked | {id for id in _ID.findall(text) if id in self.memories}

    def _logged(self, recall: str) -> set[str]:
        """What the ledger says of a recall, beside the question itself."""
        if not recall:
            return set()
        (event,) = self.store.events(EventQuery(ids=(recall,), kinds=(RECALLED,)))
        told = json.loads(event.payload or "{}")
        del told["query"]
        effects = self.store.events(EventQuery(ids=tuple(self.store.effects([recall])), kinds=(SURFACED,)))
        return self.named_in(json.dumps(told)) | {effect.subject for effect in effects}

    def seen_by(self, viewer: Context) -> set[str]:
        return {id for id, memory in self.memories.items() if visible(memory, viewer)}


def scopes(project: str, session: str) -> Iterator[str]:
    """The scopes that a memory can have for somebody who stands there."""
    yield "user"
    if project:
        yield "project"
    if session:
        yield "session"


def ways(strategies: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Every way to ask, for every strategy."""
    narrowed: tuple[dict[str, Any], ...] = (
        {},
        {"type": "procedural"},
        *({"scope": scope} for scope in ("user", "project", "session")),
        {"since": BETWEEN},
        {"until": BETWEEN},
        {"since": "2026-01-20", "until": "2026-02-20", "type": "procedural", "scope": "user"},
        {"budget": 200},
        {"k": 1},
        {"silent": True},
        {"log": False},
    )
    for strategy, options in product(strategies, narrowed):
        yield {"strategy": strategy, **options}
