"""A memory with a clock and dice of its own, so that a test decides what time it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from treering.ledger.config import Config
from treering.ledger.ledger import Ledger
from treering.ledger.types import Context, Memory
from treering.ledger.workspace import Workspace
from treering.memory import Treering
from treering.models.embed.static import StaticEmbedder
from treering.models.port import Embedder
from treering.recall.index.cells import unit
from treering.recall.recalls import Recalls
from treering.stores.files import IN_MEMORY
from treering.stores.port.ledger import Reader, Store
from treering.stores.sqlite.store import SqliteStore
from treering.text.words import folded

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


class Hashed:
    """An embedder that knows no meanings: texts point the same way as far as they share words."""

    name = "hashed"
    dimensions = 32

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in folded(text):
                mixed = crc32(word.encode("utf-8", "replace")) * 2_654_435_761  # neighbours go far apart
                row[mixed >> 8 & 31] += 1 if mixed >> 16 & 1 else -1
        return unit(rows)

    def question(self, words: Sequence[tuple[str, float]], text: str) -> NDArray[np.float32]:
        return self.embed([text])


@cache
def static() -> Embedder:
    """The embedder that everybody has, read once."""
    return StaticEmbedder()


def store_in_memory() -> SqliteStore:
    """A real store that leaves no file behind, and is quicker than one that does."""
    return SqliteStore(IN_MEMORY)


def memory_on(
    store: Store,
    clock: Callable[[], int] | None = None,
    seed: int = 0,
    context: Context | None = None,
    embedder: Embedder | None = None,
) -> Treering:
    """A memory on a store, as `compose.open` makes one."""
    now, dice = clock or Clock(), Dice(seed)
    ledger = Ledger(store, now, dice)
    recalling = cache(lambda: Recalls(store, embedder or static(), dice))
    return Treering(Workspace(store, Config(), context or Context(), ledger, recalling, now))


def fresh(clock: Callable[[], int] | None = None, seed: int = 0) -> Treering:
    """A memory on a store of its own."""
    return memory_on(store_in_memory(), clock, seed)


def picture(store: Reader) -> dict[str, Memory]:
    """All that a store believes."""
    return {memory.id: memory for memory in store.records()}
