"""Rebuild: every projection from the ledger, against bare inserts of the same rows; and other whole reads."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from time import perf_counter

import apsw

import treering
from benchmarks import bare
from benchmarks.figures import Figure, Plan, figure
from benchmarks.texts import Notes
from treering.ledger.events import Event
from treering.ledger.ledger import batches
from treering.ledger.transfer import export_file
from treering.ledger.verify import verify
from treering.stores.files import FILE_NAME

GOAL = 2.5
LINEAR = 1.2  # the full-text index merges more as it grows, so nothing on top of it is quite linear
_BATCH = 10_000  # rows made at a time, to spare memory


def figures(plan: Plan, folder: str) -> Iterator[Figure]:
    sizes = (plan.small, plan.size) if plan.quick else (plan.small, plan.size, 10 * plan.size)
    least: Figure | None = None
    for size in sizes:
        home = os.path.join(folder, f"rebuild-{size}")
        with treering.open(home) as memory:
            fill(memory, size)
            found = figure("rebuild", size, "s", _rebuilds(memory, home, plan.times(size)), GOAL)
            yield found
            if least is not None:
                yield _growth(found, least)
            least = least or found
            if size == plan.size:
                yield from _readings(memory, home, found)


def fill(memory: treering.Treering, size: int) -> None:
    """A store of so many memories."""
    notes = Notes()
    for start in range(0, size, _BATCH):
        memory.remember_many([{"content": text} for text in notes.take(min(_BATCH, size - start))])


def _rebuilds(memory: treering.Treering, home: str, repeats: int) -> list[tuple[float, float]]:
    pairs = []
    for _ in range(repeats):
        theirs = _copy(home)
        start = perf_counter()
        memory.ledger.rebuild()
        pairs.append((theirs, perf_counter() - start))
    return pairs


def _copy(home: str) -> float:
    path = home + ".db"
    if os.path.exists(path):
        os.unlink(path)
    return bare.copy(path, _stored(home))


def _stored(home: str) -> Iterator[list[bare.Row]]:
    """The rows of the ledger as SQLite holds them."""
    db = apsw.Connection(os.path.join(home, FILE_NAME), flags=apsw.SQLITE_OPEN_READONLY)
    rows = db.execute(f"SELECT {', '.join(Event._fields)} FROM events ORDER BY clock, writer, seq")
    yield from batches(rows, _BATCH)
    db.close()


def _growth(found: Figure, least: Figure) -> Figure:
    """How much longer one event takes than at the smallest size: for ours, and for the bare inserts."""
    times = found.size / least.size
    pair = (found.bare / least.bare / times, found.ours / least.ours / times)
    return figure("rebuild, growth of the time per event", found.size, "fold", [pair], LINEAR)


def _readings(memory: treering.Treering, home: str, rebuilt: Figure) -> Iterator[Figure]:
    """What reads everything, beside the same bare inserts; and what a memory takes on disk."""
    start = perf_counter()
    export_file(memory.store, home + ".jsonl")
    exported = perf_counter() - start
    start = perf_counter()
    report = verify(memory.ledger.store)
    verified = perf_counter() - start
    assert report.clean, report.problems
    yield figure("export", rebuilt.size, "s", [(rebuilt.bare, exported)])
    yield figure("verify", rebuilt.size, "s", [(rebuilt.bare, verified)])
    text = sum(len(json.loads(row[-1])["content"].encode()) for rows in _stored(home) for row in rows)
    ours, theirs = _size(os.path.join(home, FILE_NAME)), _size(home + ".db")
    pair = ((theirs - text) / rebuilt.size, (ours - text) / rebuilt.size)
    yield figure("bytes on disk for a memory, beyond its text", rebuilt.size, "B", [pair])


def _size(path: str) -> int:
    """Bytes of a database, wherever they are: what is still in the log belongs to it."""
    db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    size: int = db.pragma("page_count") * db.pragma("page_size")
    db.close()
    return size
