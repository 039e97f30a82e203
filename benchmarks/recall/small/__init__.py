"""Small stores of facts with scopes, aliases, superseded and pinned ones, and questions that want one, some or none.

Each file is a store. Half of them are held back: no weight and no floor is chosen on these.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import treering

FOLDER = Path(__file__).parent


class Query(NamedTuple):
    text: str
    want: tuple[str, ...]


class Store(NamedTuple):
    name: str
    project: str  # in which the questions are asked
    memories: tuple[dict[str, Any], ...]
    queries: tuple[Query, ...]


def stores(*, held: bool) -> Iterator[Store]:
    """Yield the stores to learn from, or those that are held back."""
    for path in sorted(FOLDER.glob("*.json")):
        told = json.loads(path.read_text("utf-8"))
        if told["held"] is held:
            queries = tuple(Query(one["q"], (*one["want"],)) for one in told["queries"])
            yield Store(path.stem, told.get("project", ""), (*told["memories"],), queries)


def fill(memory: treering.Treering, store: Store) -> dict[str, str]:
    """Remember the facts of a store, a day apart; return their ids by the names that the file gives them."""
    ids: dict[str, str] = {}
    for day, told in enumerate(store.memories, 1):
        if old := told.get("supersedes"):
            ids[told["id"]] = memory.supersede(ids[old], told["text"]).id
            continue
        project = told.get("project", "")
        scope = told.get("scope") or ("project" if project else "user")
        made = memory.remember(
            told["text"], project=project, scope=scope, invariant=told.get("pinned", False), at=f"2026-03-{day:02d}"
        )
        ids[told["id"]] = made.id
    return ids
