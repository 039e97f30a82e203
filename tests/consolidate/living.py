"""A memory that lives through episodes, and what becomes of them."""

from __future__ import annotations

from typing import Any

from tests.evolve import worn
from tests.evolve.worn import DAY, HOUR, NOON, SECOND, picture
from treering.consolidate.api import Task
from treering.consolidate.pipeline import Step
from treering.consolidate.queue import Group
from treering.graph import index
from treering.ledger.types import Context, Filter, Memory
from treering.stores.port.ledger import Reader, Store
from treering.stores.sqlite.graph import SqliteGraphRows

__all__ = ["BUILD", "DAY", "DOOR", "HOUR", "NOON", "SECOND", "SUMMED", "World", "picture", "rows"]

# Three episodes of one matter, and three of another.
BUILD = (
    "The nightly build failed on node 7 because the cache of Redis was full",
    "Nightly build failed again on node 7: the Redis cache was full",
    "The Redis cache on node 7 was full, so the nightly build failed once more",
)
SUMMED = "The nightly build fails on node 7 when the cache of Redis is full"
DOOR = (
    "Marta could not open the warehouse door with her badge this morning",
    "The badge of Marta did not open the warehouse door again",
    "Marta's badge: the warehouse door stayed shut, security opened it",
)


class World(worn.World):
    """Everybody works on the shop, unless it is said otherwise."""

    def __init__(self, store: Store | None = None, seed: int = 0, context: Context | None = None, **more: Any) -> None:
        super().__init__(store, seed, context or Context(project="shop"), **more)

    def live(self, *texts: str, **options: Any) -> list[Memory]:
        """Episodes, one each three hours, each of a session of its own."""
        found = []
        for text in texts or BUILD:
            self.pass_(hours=3)
            session = options.get("session", f"day{self.time // (3 * HOUR)}")
            found.append(self.memory.remember(text, **{"type": "episodic", **options, "session": session}))
        return found

    def task(self) -> Task:
        found = self.memory.maintenance.next_group()
        assert found is not None
        return found

    def summed(self, *texts: str, **options: Any) -> tuple[list[Memory], Memory]:
        """Episodes that somebody has summed up, and the summary."""
        notes = self.live(*texts, **options)
        return notes, self.memory.maintenance.submit(self.task().group.id, SUMMED)

    def drafted(self) -> Group:
        """Episodes of which there is a draft."""
        self.live()
        self.step("episodes")
        (group,) = self.memory.maintenance.groups()
        return group

    def step(self, name: str) -> Step:
        """One step of the pipeline, by hand."""
        return self.memory.maintenance.consolidate(steps=[name]).steps[-1]

    def statuses(self, notes: list[Memory]) -> set[str]:
        return {self.now(note).status for note in notes}

    def use(self, note: Memory, times: int = 1, session: str = "") -> None:
        """So many recalls of a session show it."""
        for _ in range(times):
            self.show(note, session=session or note.session)

    def end(self, session: str) -> None:
        self.pass_(hours=1)
        self.memory.maintenance.end_session(session)


def rows(store: Reader) -> list[tuple[Any, ...]]:
    """All graph rows of a store, once everything has been read: who names and tells what, and which names are one."""
    index.catch_up(store)
    rows = store.index.graph
    seen = [(*one, holder) for one, holder in rows.mentions(Filter())]
    told = [(*one, holder) for one, holder in rows.statements(Filter())]
    return [*sorted(seen), *sorted(told), *sorted(rows.aliases())]


def tables(store: Store) -> list[tuple[Any, ...]]:
    """Every row of every table of a store in SQLite."""
    assert isinstance(store.index.graph, SqliteGraphRows)
    db = store.index.graph._db
    names = [name for (name,) in db.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    return [(name, *row) for name in names for row in db.rows(f'SELECT * FROM "{name}"')]
