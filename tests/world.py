"""A memory with a clock and dice of its own, so that a test decides what time it is."""

from __future__ import annotations

from collections.abc import Callable

from treering.api import Treering
from treering.config import Config
from treering.core.ports import Reader, Store
from treering.core.types import Context, Memory
from treering.ledger import Ledger
from treering.stores.memory import MemoryStore
from treering.stores.sqlite import SqliteStore

NOON = 1_767_268_800_000_000  # 2026-01-01T12:00:00Z
SECOND = 1_000_000


class Clock:
    """A wall clock that can be set."""

    def __init__(self, start: int = NOON) -> None:
        self.time = start

    def __call__(self) -> int:
        self.time += SECOND
        return self.time


class Dice:
    """Bytes that are the same in every run, and differ from call to call."""

    def __init__(self, seed: int = 0) -> None:
        self.thrown = seed * 1_000_003

    def __call__(self, count: int) -> bytes:
        self.thrown += 1
        block = self.thrown.to_bytes(8, "big", signed=True)
        return (block[::-1] * (count // 8 + 1))[:count]


def memory_on(
    store: Store, clock: Callable[[], int] | None = None, seed: int = 0, context: Context | None = None
) -> Treering:
    ledger = Ledger(store, clock or Clock(), Dice(seed))
    return Treering(store, Config(), context or Context(), lambda: ledger)


def fresh(clock: Callable[[], int] | None = None, seed: int = 0) -> Treering:
    """A memory on the quickest store that is a real one."""
    return memory_on(SqliteStore(":memory:"), clock, seed)


def picture(store: Reader) -> dict[str, Memory]:
    """All that a store believes."""
    return {memory.id: memory for memory in store.records()}


STORES: tuple[Callable[[], Store], ...] = (MemoryStore, lambda: SqliteStore(":memory:"))
