"""Trace where a memory comes from, what became of it, and what rests on it."""

from __future__ import annotations

from collections.abc import Iterable

from treering.ledger.codec import data_of
from treering.ledger.events import MERGED, PURGED, QUESTIONS, REMEMBERED, SUMMARISED, UNDOINGS, Event
from treering.ledger.fold import resting_on, targets
from treering.ledger.types import PROMOTE, STATUSES, Filter
from treering.stores.port.ledger import EventQuery, Reader, record_of


def about(store: Reader, id: str, space: str) -> list[Event]:
    """Return every event about a memory, and every undoing of one of them, in the order of the fold."""
    events = list(store.events(EventQuery(subjects=(id,), space=space)))
    ids = {event.id for event in events}
    for undoing in store.events(EventQuery(kinds=UNDOINGS)):
        if ids and not ids.isdisjoint(targets(store, undoing)):
            events.append(undoing)
    return sorted(events, key=lambda event: event.order)


def live(store: Reader, id: str) -> list[Event]:
    """Return the events about a memory that count."""
    return list(store.events(EventQuery(subjects=(id,), live=True)))


def causes(store: Reader, events: list[Event]) -> list[Event]:
    """Return all that the events rest on, however far back."""
    reached = {event.id: event for event in events}
    edge = {cause for event in events for cause in event.causes} - set(reached)
    while edge:
        found = list(store.events(EventQuery(ids=tuple(edge))))
        reached.update((event.id, event) for event in found)
        edge = {cause for event in found for cause in event.causes} - set(reached)
    return _others(reached, events)


def effects(store: Reader, events: list[Event]) -> list[Event]:
    """Return all that rests on the events, however far on."""
    ids = resting_on(store, {event.id for event in events})
    return _others({event.id: event for event in store.events(EventQuery(ids=tuple(ids)))}, events)


def fate(store: Reader, id: str, space: str) -> str:
    """Return why there is no such memory, for whoever asks for it."""
    events = list(store.events(EventQuery(subjects=(id,), space=space)))
    if any(event.kind == PURGED for event in events):
        return "it has been purged"
    for undoing in store.events(EventQuery(kinds=UNDOINGS, space=space, newest=True)):
        if id in targets(store, undoing):
            return f"it was undone by event {undoing.id}; `treering undo {undoing.id}` brings it back"
    if any(event.kind == REMEMBERED for event in events):
        return "what it rests on has been undone; see `treering log`"
    if any(store.events(EventQuery(ids=(id,), space=space))):
        return "that is an event, not a memory: `treering log` tells of it"
    return "`treering list` shows all memories"


def same_words(store: Reader, ids: Iterable[str], space: str) -> dict[str, bool]:
    """Return the memories and all others with their words, and whether each was made of another.

    Those are the ones that they speak for, that were promoted from them, or that summarise them.
    """
    made: dict[str, list[str]] = {}
    for event in store.events(EventQuery(kinds=(SUMMARISED, MERGED), space=space)):
        if event.payload is None:
            continue
        data = data_of(event)[1]
        if event.kind == SUMMARISED:
            for source in data["sources"]:
                made.setdefault(source, []).append(event.subject)
        elif data.get("rule") == PROMOTE and event.subject in _causes(store, data["into"]):
            made.setdefault(event.subject, []).append(data["into"])
    summaries = {summary for copies in made.values() for summary in copies}
    found = {id: id in summaries for id in ids}
    waiting = [*found]
    while waiting:
        id = waiting.pop(0)
        memory = record_of(store, id)
        twins = [twin for twin in (memory.merged if memory is not None else ()) if record_of(store, twin) is not None]
        for other, of_another in [(twin, False) for twin in twins] + [(copy, True) for copy in made.get(id, ())]:
            if other not in found:
                found[other] = of_another
                waiting.append(other)
    return found


def of_project(store: Reader, project: str, space: str) -> tuple[list[str], list[str]]:
    """Return the memories of a project, forgotten and undone ones too, and the events that keep what was asked and
    tried there."""
    memories = dict.fromkeys(one.id for one in store.records(Filter(space, project=project, statuses=STATUSES)))
    asked = []
    for event in store.events(EventQuery(kinds=(REMEMBERED, *QUESTIONS), space=space)):
        if event.project != project or event.payload is None:
            continue
        if event.kind in QUESTIONS:
            asked.append(event.id)
        elif data_of(event)[1]["scope"] != "user":
            memories[event.id] = None
    return [*memories], asked


def _causes(store: Reader, id: str) -> tuple[str, ...]:
    return next((event.causes for event in store.events(EventQuery(ids=(id,)))), ())


def _others(reached: dict[str, Event], events: list[Event]) -> list[Event]:
    given = {event.id for event in events}
    others = (event for id, event in reached.items() if id not in given)
    return sorted(others, key=lambda event: event.order)
