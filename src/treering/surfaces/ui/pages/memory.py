"""One memory: what it says, where it comes from, what happened to it, its uses and its neighbours."""

from __future__ import annotations

from typing import Any

from treering.ledger.clock import format_time
from treering.ledger.errors import NotFound
from treering.ledger.events import Event
from treering.ledger.history import causes, effects
from treering.ledger.types import Memory
from treering.memory import Treering
from treering.surfaces.cli.events import described, gist, kind
from treering.surfaces.cli.everyday import use
from treering.surfaces.cli.render import plain
from treering.surfaces.ui.desk import Asked

USES = 20  # that are shown, the newest
NEIGHBOURS = 5
QUERY = 400  # characters of a text by which its neighbours are looked for
MOST_EVENTS = 100  # of a history, of causes and of effects


def read(asked: Asked) -> dict[str, Any]:
    memory, id = asked.memory, asked.id
    history = memory.history(id)
    out = memory.store.left_out()
    found = _found(memory, id)
    id = memory.whole_id(id)
    return {
        "id": id,
        "memory": plain(found) if found else None,
        "scores": {**memory.scores(found), "last_used": format_time(found.used)} if found else {},
        "kept": memory.captured.why([found.id]).get(found.id, "") if found else "",
        "history": told(history, out),
        "causes": told(causes(memory.store, history), out, memory, id),
        "effects": told(effects(memory.store, history), out, memory, id),
        "uses": [use(one) for one in memory.evolve.usage(found.id, USES)] if found else [],
        "neighbours": [plain(one) for one in _neighbours(asked, found)] if found else [],
        "links": _links(memory, found),
    }


def _found(memory: Treering, id: str) -> Memory | None:
    """Return the memory, or nothing for one that is undone: its history is still there."""
    try:
        return memory.get(id)
    except NotFound:
        return None


def told(
    events: list[Event], out: set[str], memory: Treering | None = None, known_is: str = ""
) -> list[dict[str, Any]]:
    """Return events for a page: as the log has them, with what happened in words, and the memory that they are about,
    unless that is the one which the page is about."""
    last = events[-MOST_EVENTS:]
    about = {event.subject for event in last} - {"", known_is}
    known = memory.store.several([*about]) if memory else {}
    return [
        {**described(event, out), "word": kind(event), "gist": gist(event), "about": _about(known.get(event.subject))}
        for event in last
    ]


def _about(found: Memory | None) -> dict[str, str] | None:
    return {"id": found.id, "text": found.content or found.details} if found is not None else None


def _neighbours(asked: Asked, found: Memory) -> list[Memory]:
    """Return what says the nearest; of the past, as it was then."""
    text = (found.content or found.details)[:QUERY]
    if not any(letter.isalnum() for letter in text):
        return []
    place = {"project": found.project, "session": found.session}
    hits = asked.desk.memory.recall(text, NEIGHBOURS + 1, log=False, silent=False, **place).hits  # type: ignore[arg-type]
    near = [hit.memory.id for hit in hits if hit.memory.id != found.id][:NEIGHBOURS]
    return [*asked.memory.store.several(near).values()]


def _links(memory: Treering, found: Memory | None) -> dict[str, list[dict[str, Any]]]:
    """Return the memories that it took the place of, or that took its place."""
    if found is None:
        return {}
    ids = {
        "supersedes": found.supersedes,
        "superseded_by": (found.superseded_by,),
        "merged": found.merged,
        "merged_into": (found.merged_into,),
    }
    known = memory.store.several([id for some in ids.values() for id in some if id])
    return {name: [plain(known[id]) for id in some if id in known] for name, some in ids.items()}
