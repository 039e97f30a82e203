"""Now: the last sessions, what each prompt was shown and why, and what was captured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from treering.ledger.clock import format_time
from treering.ledger.codec import data_of
from treering.ledger.errors import NotFound
from treering.ledger.events import CAPTURED, RECALLED, Event
from treering.ledger.types import Memory
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery
from treering.surfaces.cli.render import plain
from treering.surfaces.ui.desk import Asked

SESSIONS = 5  # that are shown: yesterday's are among them
EVENTS = 300  # of the last recalls and captures: five busy sessions
BESIDE = 3  # memories that came next, and were not shown


def read(asked: Asked) -> dict[str, Any]:
    memory = asked.memory
    sessions = _sessions(memory)
    found = asked.desk.figures("waiting", waiting)
    why = _why(memory, asked.get("why")) if asked.get("why") else None
    return {"sessions": sessions, "waiting": found, "why": why, "clock": memory.store.clock()}


def waiting(memory: Treering) -> dict[str, int]:
    """Count what waits for a person. This looks for contradictions in what is new, which may take a while."""
    return {
        "contradictions": len(memory.truth.contradictions()),
        "invariants": len(memory.truth.to_confirm()),
        "proposals": len(memory.proposals.list("pending")),
    }


def _sessions(memory: Treering) -> list[dict[str, Any]]:
    query = EventQuery(space=memory.context.space, kinds=(RECALLED, CAPTURED), newest=True, limit=EVENTS)
    out = memory.store.left_out()
    events = [event for event in memory.store.events(query) if event.payload is not None]
    groups: dict[str, list[Event]] = {}
    for event in events:
        groups.setdefault(event.session, []).append(event)
    chosen = [*groups.items()][:SESSIONS]
    known = memory.store.several([*_named(event for _, group in chosen for event in group)])
    kept = memory.captured.why(known)
    return [_session(session, group, out, known, kept) for session, group in chosen]


def _named(events: Iterable[Event]) -> dict[str, None]:
    """Return the ids of the memories that events show or keep."""
    found: dict[str, None] = {}
    for event in events:
        if event.kind == CAPTURED:
            found[event.subject] = None
        else:
            found |= dict.fromkeys(hit["id"] for hit in data_of(event)[1]["hits"])
    return found


def _session(
    name: str, events: Sequence[Event], out: set[str], known: dict[str, Memory], kept: dict[str, str]
) -> dict[str, Any]:
    items = []
    for event in events:
        item = _recall(event, known) if event.kind == RECALLED else _captured(event, known, kept, event.id in out)
        if item is not None:
            items.append(item)
    project = next((event.project for event in events if event.project), "")
    return {"session": name, "project": project, "last": format_time(events[0].time), "items": items}


def _recall(event: Event, known: dict[str, Memory]) -> dict[str, Any]:
    data = data_of(event)[1]
    hits = [{**hit, "memory": plain(known[hit["id"]]) if hit["id"] in known else None} for hit in data["hits"]]
    told = {"what": "recall", "id": event.id, "time": format_time(event.time), "query": data["query"]}
    return {**told, "type": data["type"], "confidence": data["confidence"], "hits": hits}


def _captured(event: Event, known: dict[str, Memory], kept: dict[str, str], gone: bool) -> dict[str, Any] | None:
    memory = known.get(event.subject)
    told = {"what": "captured", "id": event.subject, "time": format_time(event.time), "kind": data_of(event)[1]["kind"]}
    if memory is None and not gone:
        return None  # it was purged
    return {**told, "why": kept.get(event.subject, ""), "gone": gone, "memory": plain(memory) if memory else None}


def _why(memory: Treering, id: str) -> dict[str, Any]:
    """Return why a recall showed what it showed, and what came next: asked again, without a trace."""
    whole = memory.whole_id(id)
    event = next(iter(memory.store.events(EventQuery(ids=(whole,)))), None)
    if event is None or event.kind != RECALLED or event.payload is None:
        raise NotFound("recall", id, "the page Now lists the last ones")
    data = data_of(event)[1]
    shown = [hit["id"] for hit in data["hits"]]
    found = memory.recall(
        data["query"],
        max(len(shown), 1) + BESIDE,
        project=event.project,
        session=event.session,
        at=format_time(event.time),
        log=False,
        silent=False,
        explain=True,
    )
    rows = [
        {
            "memory": plain(hit.memory),
            "score": round(hit.score, 4),
            "shown": hit.memory.id in shown,
            "later": hit.memory.created > event.time,
            "parts": {name: round(value, 4) for name, value in hit.why.parts.items() if value},
            "factors": {name: round(value, 3) for name, value in hit.why.factors.items() if value != 1},
        }
        for hit in found.hits
    ]
    told = {"id": whole, "query": data["query"], "confidence": data["confidence"]}
    return {**told, "silence": found.silence, "hits": rows}
