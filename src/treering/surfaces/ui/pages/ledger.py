"""Ledger: everything that happened, newest first; who said it, and a way to take it back."""

from __future__ import annotations

from itertools import islice
from typing import Any

from treering.ledger.errors import InvalidInput
from treering.ledger.events import Event
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
    after = asked.place("after")
    query = EventQuery(
        space=memory.context.space,
        session=memory.workspace.name(asked.get("session")),
        source=memory.workspace.name(asked.get("source")),
        kinds=kinds,
        newest=True,
        until=max(0, after[0]) if after else 0,
    )
    older = (
        event for event in memory.store.events(query) if not after or _place(event) < (after[0], *_split(after[1]))
    )
    found = [*islice(older, SIZE + 1)]
    return {
        "events": told(found[:SIZE], out, memory),
        "next": f"{found[SIZE - 1].clock}.{found[SIZE - 1].id}" if len(found) > SIZE else "",
        "kinds": [*dict.fromkeys(WORDS.values())],
        "one": _one(memory, asked.get("event"), out) if asked.get("event") else None,
    }


def _place(event: Event) -> tuple[int, str, int]:
    return event.clock, event.writer, event.seq


def _split(id: str) -> tuple[str, int]:
    """Return the writer and the number of an event."""
    writer, _, number = id.rpartition("-")
    return writer, number_in(number) or 0


def _one(memory: Treering, id: str, out: set[str]) -> dict[str, Any]:
    """Return one event, what it rests on, and what rests on it."""
    found = [*memory.store.events(EventQuery(ids=(memory.whole_id(id),), space=memory.context.space))]
    if not found:
        raise InvalidInput(f"there is no event {id!r}: the ledger lists them")
    return {
        "event": told(found, out, memory)[0],
        "causes": told(causes(memory.store, found), out, memory, found[0].subject),
        "effects": told(effects(memory.store, found), out, memory, found[0].subject),
    }
