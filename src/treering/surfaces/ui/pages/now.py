"""Now: the last sessions, what each prompt was shown and why, and what was captured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from treering.ledger.clock import format_time
from treering.ledger.codec import data_of
from treering.ledger.errors import NotFound
from treering.ledger.events import CAPTURED, PROMPTED, RECALLED, Event
from treering.ledger.types import Memory
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery
from treering.surfaces.cli.render import plain
from treering.surfaces.ui.desk import Asked
from treering.truth import claims

SESSIONS = 5  # on a page
EVENTS = 300  # on a page at the most: five busy sessions
BESIDE = 3  # memories that came next, and were not shown
SOON = 500  # events that a page compares with the others: more take long, and are for `treering maintain`
SAME = 80  # characters by which a prompt is known to be the one that was answered


def read(asked: Asked) -> dict[str, Any]:
    memory = asked.memory
    before, _ = asked.place("before") or (0, "")
    events, older = _window(memory, before)
    return {
        "sessions": _sessions(memory, events),
        "older": older,
        "waiting": asked.desk.figures("waiting", waiting, asked),
        "why": _why(memory, asked.get("why")) if asked.get("why") else None,
        "clock": memory.store.clock(),
    }


def waiting(memory: Treering) -> dict[str, int]:
    """Count what waits for a person. This looks for contradictions in what is new, unless that takes long."""
    new = memory.truth.to_compare()
    return {
        "new": new if new > SOON else 0,
        "contradictions": len(claims.asked(memory.truth.contradictions(look=new <= SOON))),
        "invariants": len(memory.truth.to_confirm()),
        "proposals": len(memory.proposals.list("pending")),
    }


def _window(memory: Treering, before: int) -> tuple[list[Event], int]:
    """Return the last events before a moment of the ledger, of a few sessions, and where older ones begin."""
    kinds = (RECALLED, CAPTURED, PROMPTED)
    query = EventQuery(space=memory.context.space, kinds=kinds, newest=True, until=max(0, before - 1))
    found: list[Event] = []
    names: set[str] = set()
    for event in memory.store.events(query):
        if event.payload is None:
            continue
        names.add(event.session)
        if len(names) > SESSIONS or len(found) == EVENTS:
            return found, found[-1].clock
        found.append(event)
    return found, 0


def _sessions(memory: Treering, events: Sequence[Event]) -> list[dict[str, Any]]:
    out = memory.store.left_out()
    groups: dict[str, list[Event]] = {}
    for event in events:
        groups.setdefault(event.session, []).append(event)
    known = memory.store.several([*_named(events)])
    kept = memory.captured.why(known)
    return [_session(session, group, out, known, kept) for session, group in groups.items()]


def _named(events: Iterable[Event]) -> dict[str, None]:
    """Return the ids of the memories that events show or keep."""
    found: dict[str, None] = {}
    for event in events:
        if event.kind == CAPTURED:
            found[event.subject] = None
        elif event.kind == RECALLED:
            found |= dict.fromkeys(hit["id"] for hit in data_of(event)[1]["hits"])
    return found


def _session(
    name: str, events: Sequence[Event], out: set[str], known: Mapping[str, Memory], kept: Mapping[str, str]
) -> dict[str, Any]:
    asked = {data_of(event)[1]["query"][:SAME] for event in events if event.kind == RECALLED}
    items = []
    for event in events:
        if event.kind == RECALLED:
            items.append(_recall(event, known))
        elif event.kind == CAPTURED:
            if event.subject in known or event.id in out:  # another one was purged
                items.append(_captured(event, known, kept, event.id in out))
        elif data_of(event)[1]["prompt"][:SAME] not in asked:
            items.append(_prompt(event))
    project = next((event.project for event in events if event.project), "")
    ends = {"first": format_time(events[-1].time), "last": format_time(events[0].time)}
    return {"session": name, "project": project, **ends, "items": items}


def _recall(event: Event, known: Mapping[str, Memory]) -> dict[str, Any]:
    data = data_of(event)[1]
    hits = [{**hit, "memory": plain(known[hit["id"]]) if hit["id"] in known else None} for hit in data["hits"]]
    told = {"what": "recall", "id": event.id, "time": format_time(event.time), "query": data["query"]}
    return {**told, "type": data["type"], "confidence": data["confidence"], "hits": hits}


def _prompt(event: Event) -> dict[str, Any]:
    """Return a prompt for which nothing was looked up: it has no words to look for, or wants no memory."""
    told = {"what": "prompt", "id": event.id, "time": format_time(event.time)}
    return {**told, "query": data_of(event)[1]["prompt"]}


def _captured(event: Event, known: Mapping[str, Memory], kept: Mapping[str, str], gone: bool) -> dict[str, Any]:
    memory = known.get(event.subject)
    told = {"what": "captured", "id": event.subject, "time": format_time(event.time), "kind": data_of(event)[1]["kind"]}
    return {**told, "why": kept.get(event.subject, ""), "gone": gone, "memory": plain(memory) if memory else None}


def _why(memory: Treering, id: str) -> dict[str, Any]:
    """Return why a recall showed what it showed, and what came next: asked again, without a trace."""
    whole = memory.whole_id(id)
    event = next(iter(memory.store.events(EventQuery(ids=(whole,)))), None)
    if event is None or event.kind != RECALLED or event.payload is None:
        raise NotFound("recall", id, "the page Now lists the last ones")
    data = data_of(event)[1]
    shown = {hit["id"]: hit["score"] for hit in data["hits"]}
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
    rows: list[dict[str, Any]] = [
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
    # What was shown then and would not be found now: the memory has changed, or others fit better.
    missing = memory.store.several([id for id in shown if id not in {row["memory"]["id"] for row in rows}])
    bare = {"shown": True, "later": False, "parts": {}, "factors": {}}
    rows += [{"memory": plain(one), "score": round(shown[one.id], 4), **bare} for one in missing.values()]
    told = {"id": whole, "query": data["query"], "confidence": data["confidence"], "time": format_time(event.time)}
    return {**told, "silence": found.silence, "hits": rows}
