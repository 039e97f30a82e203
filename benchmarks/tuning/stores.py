"""A set as one memory: each corpus is a project behind its own walls, so that all queries are asked in one store."""

from __future__ import annotations

import json
import os
import shutil
from functools import cache

from benchmarks.recall.sets import MEMORIES, Corpus, Query
from treering.ledger import decide
from treering.ledger.clock import now, parse_time
from treering.ledger.config import Config
from treering.ledger.ledger import Ledger
from treering.ledger.types import Context
from treering.ledger.workspace import Workspace
from treering.memory import Treering
from treering.models.embed import embedder_named
from treering.recall.recalls import Recalls
from treering.stores.sqlite.store import SqliteStore

FILE = "tuning.db"
SHOWN = 10  # hits of a recall, each of which is judged
_ORIGINS = {"user": "user", "assistant": "agent"}


class Clock:
    """It stands where it is set: every query is asked when the set says."""

    def __init__(self) -> None:
        self.time = now()

    def __call__(self) -> int:
        return self.time

    def set(self, query: Query) -> None:
        self.time = parse_time(query.at) if query.at else now()


class Store:
    """A memory that holds a set, or a copy of one."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.clock = Clock()
        os.makedirs(folder, exist_ok=True)
        store = SqliteStore(os.path.join(folder, FILE))
        ledger = Ledger(store, self.clock, os.urandom)
        self.recalling = Recalls(store, embedder_named(Config().embedder), os.urandom)
        self.memory = Treering(Workspace(store, Config(), Context(), ledger, cache(lambda: self.recalling), self.clock))

    def fill(self, data: str, name: str, corpora: list[Corpus]) -> dict[str, str]:
        """The ids of the rows, by those of the memories."""
        roles, ids = _roles(data, name), {}
        for corpus in corpora:
            rows = [
                {
                    "content": row.content,
                    "at": row.at,
                    "session": row.session,
                    "project": corpus.name,
                    "origin": _ORIGINS.get(roles[corpus.name, row.id], ""),
                }
                for row in corpus.rows
            ]
            made = self.memory.remember_many(rows)
            ids.update({memory.id: row.id for memory, row in zip(made, corpus.rows, strict=True)})
            self.recalling.prepare(Context(project=corpus.name))
        return ids

    def copy(self, folder: str) -> Store:
        """Another one that holds the same. It is closed for that, as nothing is to be asked here."""
        self.memory.close()
        shutil.copytree(self.folder, folder)
        return Store(folder)

    def weigh(self, weights: dict[str, float | str]) -> None:
        if weights:
            self.memory.ledger.commit(lambda: [decide.weigh(weights, Context())])

    def judge(self, corpus: str, query: Query, ids: dict[str, str]) -> None:
        """Ask as a user does, and say of everything that is shown whether it answers."""
        self.clock.set(query)
        found = self.memory.recall(query.text, SHOWN, project=corpus)
        for hit in found.hits:
            verdict = "helpful" if ids[hit.memory.id] in query.relevant else "not_helpful"
            self.memory.feedback(found.id, hit.memory.id, verdict)


def _roles(data: str, name: str) -> dict[tuple[str, str], str]:
    with open(os.path.join(data, name, MEMORIES), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file if line.strip()]
    return {(line["corpus"], line["id"]): line.get("role") or "" for line in lines}
