"""Memories that have been shown and judged: what evolution works on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from tests.ageing import DAY, HOUR
from tests.world import NOON, SECOND, Dice, Hashed, picture, store_in_memory
from treering.ledger import decide
from treering.ledger.codec import data_of, draft
from treering.ledger.config import Config
from treering.ledger.events import JUDGED, Event
from treering.ledger.ledger import Ledger
from treering.ledger.types import Context, Memory, Recall
from treering.ledger.workspace import Workspace
from treering.memory import Treering
from treering.recall.recalls import Recalls
from treering.stores.port.ledger import EventQuery, Store

__all__ = ["DAY", "HOUR", "NOON", "SECOND", "World", "ids_of", "picture"]


class World:
    """A memory whose clock stands still until it is told to go on, and which uses and judges what it is told to."""

    def __init__(
        self,
        store: Store | None = None,
        seed: int = 0,
        context: Context | None = None,
        swap: float = 0.0,
        **settings: Any,
    ) -> None:
        self.time = NOON
        self.store = store or store_in_memory()
        self.seed = seed
        self.swap = swap
        self.config = Config(**{"swap": swap, **settings})
        self.memory = self.seen_by(context or Context())

    def seen_by(self, context: Context) -> Treering:
        """The same store for somebody who stands elsewhere."""
        dice: Callable[[int], bytes] = Random(self.seed).randbytes if self.swap else Dice(self.seed)
        self.seed += 1
        ledger = Ledger(self.store, self._now, dice)
        recalling = cache(lambda: Recalls(self.store, Hashed(), dice, self.swap))
        return Treering(Workspace(self.store, self.config, context, ledger, recalling, self._now))

    def _now(self) -> int:
        return self.time

    def settings(self, **settings: Any) -> None:
        self.memory.workspace.config = Config(**{"swap": self.swap, **settings})

    def pass_(self, days: float = 0, hours: float = 0) -> None:
        self.time += round(days * DAY + hours * HOUR)

    def show(self, note: Memory, query: str = "", k: int = 5, **narrowed: Any) -> str:
        """A recall that shows a memory."""
        return self.asked(note, query, k, **narrowed).id

    def asked(self, note: Memory, query: str = "", k: int = 5, **narrowed: Any) -> Recall:
        found = self.memory.recall(query or note.content, k, silent=False, **narrowed)
        assert note.id in ids_of(found)
        return found

    def asked_often(self, note: Memory, times: int, query: str = "", k: int = 5) -> list[str]:
        """So many recalls that showed it. The first is answered; of the others there is only their log."""
        if not times:
            return []
        first = self.asked(note, query, k)
        logged = [decide.recalled(first, k, 0, self.memory.context) for _ in range(times - 1)]
        return [first.id, *(event.id for event in self.memory.ledger.commit(lambda: logged))]

    def judge(self, note: Memory, verdict: str, times: int = 1, query: str = "", k: int = 5) -> list[str]:
        """So many recalls that showed it, each with a verdict. Their ids."""
        recalls = self.asked_often(note, times, query, k)
        for recall in recalls:
            self.memory.feedback(recall, note.id, verdict)
        return recalls

    def wear(self, note: Memory, usage: int = 10, bad: int = 10, good: int = 0, query: str = "", k: int = 5) -> Memory:
        """A memory that has been used so often, and judged for some of it. What went well nobody marked helpful."""
        self.judge(note, "not_helpful", bad, query, k)
        for recall in self.asked_often(note, good, query, k):
            self.memory.evolve.outcome(recall, "success")
        self.asked_often(note, usage - bad - good, query, k)
        return self.now(note)

    def worn(self, text: str, usage: int = 10, bad: int = 10, **options: Any) -> Memory:
        return self.wear(self.memory.remember(text, **options), usage, bad)

    def set_q(self, note: Memory, q: float) -> Memory:
        """Bring Q to an exact value, by words of nobody whose word is counted."""
        for reward in (0.0, q):
            data = {"recall": "none-0", "verdict": "set", "by": "test", "reward": reward, "rate": 1.0}
            self.memory.ledger.commit(lambda data=data: [draft(JUDGED, data, Context(), note.id, (note.id,))])  # type: ignore[misc]
        assert self.now(note).q == q
        return self.now(note)

    def now(self, note: Memory) -> Memory:
        return self.memory.get(note.id)

    def events(self, *kinds: str, live: bool = False) -> list[Event]:
        return list(self.store.events(EventQuery(kinds=kinds, live=live)))

    def told(self, *kinds: str, live: bool = False) -> list[dict[str, Any]]:
        return [data_of(event)[1] for event in self.events(*kinds, live=live)]

    def dump(self) -> tuple[list[Event], dict[str, Memory], set[str]]:
        """All that a store knows."""
        return list(self.store.events()), picture(self.store), set(self.store.left_out())

    def rebuilt(self) -> dict[str, Memory]:
        """What the ledger alone amounts to."""
        self.memory.ledger.rebuild()
        return picture(self.store)


def ids_of(found: Recall) -> list[str]:
    return [hit.memory.id for hit in found.hits]
