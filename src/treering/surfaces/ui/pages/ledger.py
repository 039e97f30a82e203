"""Ledger: everything that happened, newest first; who said it, and a way to take it back."""

from __future__ import annotations

from itertools import islice
from typing import Any

from treering.ledger.errors import InvalidInput
from treering.ledger.history import causes, effects
from treering.ledger.types import number_in
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery
from treering.surfaces.cli.events import WORDS
from treering.surfaces.ui.desk import Asked
from treering.surfaces.ui.pages.memory import told

SIZE = 50  # events on a page


def read(asked: Asked) -> dict[str, Any]:
    memory = asked.memory
    out = memory.store.left_out()
    kinds = tuple(kind for kind, word in WORDS.items() if word == asked.get("kind"))
    if asked.get("kind") and not kinds:
        raise InvalidInput(f"there is no event {asked.get('kind')!r}: choose one of {', '.join(WORDS.values())}")
    query = EventQuery(
        space=memory.context.space,
        session=memory.workspace.name(asked.get("session")),
        source=memory.workspace.name(asked.get("source")),
        kinds=kinds,
        newest=True,
    )
    found = [*islice(memory.store.events(query), _skipped(asked), _skipped(asked) + SIZE + 1)]
    return {
        "events": told(found[:SIZE], out),
        "next": _skipped(asked) + SIZE if len(found) > SIZE else 0,
        "kinds": [*dict.fromkeys(WORDS.values())],
        "one": _one(memory, asked.get("event"), out) if asked.get("event") else None,
    }


def _skipped(asked: Asked) -> int:
    return number_in(asked.get("after", "0") or "0") or 0


def _one(memory: Treering, id: str, out: set[str]) -> dict[str, Any]:
    """Return one event, what it rests on, and what rests on it."""
    found = [*memory.store.events(EventQuery(ids=(memory.whole_id(id),), space=memory.context.space))]
    if not found:
        raise InvalidInput(f"there is no event {id!r}: the ledger lists them")
    return {
        "event": told(found, out)[0],
        "causes": told(causes(memory.store, found), out),
        "effects": told(effects(memory.store, found), out),
    }
