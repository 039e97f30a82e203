"""The fold: one record, one event, the next record. It never refuses and has no opinions."""

from __future__ import annotations

from treering.core.codec import data_of
from treering.core.events import FORGOTTEN, PURGED, REMEMBERED, SURFACED
from treering.core.types import Memory, trust_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.core.events import Data, Event


def apply(record: Memory | None, event: Event) -> Memory | None:
    """The record after the event; None where there is no such memory."""
    if event.payload is None:  # purged, as only a whole memory can be
        return None
    kind, data = data_of(event)
    if kind == REMEMBERED:
        return _remembered(event, data)
    if kind == PURGED or record is None:
        return None
    if kind == FORGOTTEN:
        return _forgotten(record, event)
    if kind == SURFACED:
        return record._replace(accesses=record.accesses + 1, accessed=max(record.accessed, event.time))
    return record


def fold(events: Iterable[Event]) -> Memory | None:
    """The record that the events about it, in order, amount to."""
    record = None
    for event in events:
        record = apply(record, event)
    return record


def fold_each(events: Iterable[Event]) -> dict[str, Memory | None]:
    """The record of each subject that the events, in order, are about."""
    records: dict[str, Memory | None] = {}
    for event in events:
        records[event.subject] = apply(records.get(event.subject), event)
    return records


def _remembered(event: Event, data: Data) -> Memory:
    text = data.get
    return Memory(
        event.subject,
        data["content"],
        data["type"],
        data["scope"],
        "created",
        tuple(text("tags", ())),
        text("language", ""),
        text("problem", ""),
        text("approach", ""),
        text("gotchas", ""),
        text("trigger", ""),
        text("action", ""),
        text("outcome", ""),
        event.space,
        event.project,
        event.session,
        data["origin"],
        trust_in(data["origin"]),
        text("invariant", False),
        tuple(text("redacted", ())),
        text("at", event.time),
        event.time,
    )


def _forgotten(record: Memory, event: Event) -> Memory:
    return record._replace(
        status="forgotten",
        content="",
        tags=(),
        problem="",
        approach="",
        gotchas="",
        trigger="",
        action="",
        outcome="",
        updated=event.time,
    )
