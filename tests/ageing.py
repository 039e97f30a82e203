"""A memory whose clock stands still until it is told to go on, and ways to let it age."""

from __future__ import annotations

from typing import Any

from tests.world import NOON, SECOND, Hashed, memory_on, store_in_memory
from treering.consolidate.hygiene import Report
from treering.ledger import decide
from treering.ledger.codec import data_of, draft
from treering.ledger.config import Config
from treering.ledger.events import MOVED
from treering.ledger.types import Context, Memory
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery, Store

HOUR, DAY = 3_600 * SECOND, 86_400 * SECOND


class Aged:
    """A memory whose clock stands still until it is told to go on."""

    def __init__(self, store: Store | None = None, seed: int = 0, context: Context | None = None) -> None:
        self.time = NOON
        self.memory = memory_on(store or store_in_memory(), self._now, seed, context, Hashed())

    def _now(self) -> int:
        return self.time

    def settings(self, **settings: Any) -> None:
        self.memory.workspace.config = Config(**settings)

    def run(self, decay: str = "", **limits: int) -> Report:
        if decay or limits:
            self.settings(decay=decay or self.memory.config.decay, **limits)
        return self.memory.maintenance.hygiene()

    def pass_(self, days: float = 0, hours: float = 0) -> None:
        self.time += round(days * DAY + hours * HOUR)

    def use(self, memory: Memory) -> None:
        self.memory.ledger.commit(lambda: [decide.used(memory, Context())])

    def status(self, memory: Memory) -> str:
        return self.memory.get(memory.id).status

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        return [data_of(event)[1] for event in self.memory.store.events(EventQuery(kinds=kinds))]


def put(memory: Treering, note: Memory, status: str) -> None:
    """Move a memory as a later version, or another machine, may have moved it."""
    data = {"from": note.status, "to": status, "rule": "test"}
    memory.ledger.commit(lambda: [draft(MOVED, data, Context(), note.id, (note.id,))])
    assert memory.get(note.id).status == status


def pass_rings(world: Aged, count: int) -> None:
    """So many sessions after now, each of which remembers something of its own."""
    for number in range(count):
        world.pass_(hours=1)
        world.memory.remember(f"ring{number}", session=f"ring-{number}", type="procedural")
