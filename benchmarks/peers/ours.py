"""Treering, and bare FTS5 below it."""

from __future__ import annotations

import os
from collections.abc import Sequence

import treering
from benchmarks import bare
from benchmarks.recall.baselines import Words
from benchmarks.recall.sets import Row


class Ours:
    """Asked without silence, which the others do not know."""

    def __init__(self, folder: str) -> None:
        self._memory = treering.open(os.path.join(folder, "home"))
        self._ids: dict[str, str] = {}

    def add(self, rows: Sequence[Row]) -> None:
        made = self._memory.remember_many(
            {"content": row.content, "at": row.at, "session": row.session} for row in rows
        )
        self._ids.update((memory.id, row.id) for memory, row in zip(made, rows, strict=True))

    def ready(self) -> None:
        self._memory.maintenance.prepare()

    def search(self, query: str, count: int) -> list[str]:
        found = self._memory.recall(query, count, log=False, silent=False)
        return [self._ids[hit.memory.id] for hit in found.hits]

    def close(self) -> None:
        self._memory.close()


class Bare:
    """FTS5 alone, as durable as ours."""

    def __init__(self, folder: str) -> None:
        self._db = bare.connect(os.path.join(folder, "words.db"))
        bare.create_words(self._db)
        self._words = Words(self._db)
        self._ids: list[str] = []

    def add(self, rows: Sequence[Row]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(bare.INSERT_TEXT, ((row.content,) for row in rows))
        self._db.execute("COMMIT")
        self._ids += [row.id for row in rows]

    def ready(self) -> None:
        pass

    def search(self, query: str, count: int) -> list[str]:
        return [self._ids[place] for place in self._words.find(query, count)]

    def close(self) -> None:
        self._db.close()
