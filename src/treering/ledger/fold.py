"""Fold events into records, and work out which events count.

The fold never refuses. Undo, revoke and quarantine all leave events out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from treering.ledger import events as kinds
from treering.ledger.codec import data_of
from treering.ledger.events import Data, Event
from treering.ledger.types import CONFIDENCE, RELEVANCE, TRANSITIONS, WAKING, Memory, Move, moved, trust_in
from treering.stores.port.ledger import EventQuery, LedgerReader

Change = Callable[[Memory, Event, Data], Memory]

MOST_USES = 10**9  # of a memory: more are nobody's, and would not fit a row


def apply(record: Memory | None, event: Event) -> Memory | None:
    """Return the record after the event; None if there is no such memory."""
    if event.payload is None:  # purged, as only a whole memory can be
        return None
    kind, data = data_of(event)
    if kind == kinds.REMEMBERED:
        return _remembered(event, data)
    if kind == kinds.PURGED or record is None:
        return None
    change = _CHANGES.get(kind)
    return change(record, event, data) if change else record


def fold(events: Iterable[Event]) -> Memory | None:
    """Return the record that the events about it, in order, amount to."""
    record = None
    for event in events:
        record = apply(record, event)
    return record


def fold_each(events: Iterable[Event], before: Mapping[str, Memory] = {}) -> dict[str, Memory | None]:
    """Return the record of each subject of the events, in order, starting from those in `before`."""
    records: dict[str, Memory | None] = {}
    for event in events:
        subject = event.subject
        records[subject] = apply(records[subject] if subject in records else before.get(subject), event)
    return records


def _remembered(event: Event, data: Data) -> Memory:
    text = data.get
    at = text("at", event.time)
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
        text("trust") or trust_in(data["origin"]),
        text("invariant", False),
        tuple(text("redacted", ())),
        at,
        at,
        confidence=text("confidence", CONFIDENCE),
        relevance=text("relevance", RELEVANCE),
    )


def _used(record: Memory, event: Event, data: Data) -> Memory:
    """Count a use, and make active again what had faded."""
    at = data.get("at", event.time)
    used = record._replace(accesses=record.accesses + 1, accessed=max(record.accessed, at), queued=0)
    return _to("active", used, event, "used") if record.status in WAKING else used


def _summarised(record: Memory, event: Event, data: Data) -> Memory:
    """Count new knowledge as just used, however old the episodes that it was made of."""
    return record._replace(accessed=max(record.accessed, event.time))


def _moved(record: Memory, event: Event, data: Data) -> Memory:
    if data["to"] == "forgotten":
        return _forgotten(record, event, data)
    return _to(data["to"], record, event, data["rule"])


def _forgotten(record: Memory, event: Event, data: Data) -> Memory:
    gone = record._replace(
        content="",
        tags=(),
        problem="",
        approach="",
        gotchas="",
        trigger="",
        action="",
        outcome="",
    )
    return _to("forgotten", gone, event, data.get("rule", "forgotten"))


def _superseded(record: Memory, event: Event, data: Data) -> Memory:
    linked = record._replace(superseded_by=record.superseded_by or data["by"])
    return _to("superseded", linked, event, data.get("rule", "superseded"))


def _judged(record: Memory, event: Event, data: Data) -> Memory:
    """Move Q towards the reward. What people say also counts as feedback, an outcome as impact."""
    reward, rate = data["reward"], data["rate"]
    q = _taken_back(record.q, data.get("instead_reward", 0.0), data.get("instead_rate", 0.0))
    moved = {"q": q + rate * (reward - q)}
    if data["by"] == "explicit":
        moved["feedback"] = record.feedback + rate * (reward - record.feedback)
    elif data["by"] == "outcome":
        moved["impact"] = record.impact + rate * (reward - record.impact)
    return record._replace(**moved)


def _taken_back(q: float, reward: float, rate: float) -> float:
    """Return Q before a step towards a reward; exact if nothing else has moved it since."""
    return min(1.0, max(0.0, (q - rate * reward) / (1 - rate))) if rate < 1 else q


def _merged(record: Memory, event: Event, data: Data) -> Memory:
    if data["into"] in record.merged:  # two machines have merged them two ways: the first holds
        return record
    linked = record._replace(merged_into=record.merged_into or data["into"])
    return _to("merged", linked, event, "merge")


def _absorbed(record: Memory, event: Event, data: Data) -> Memory:
    if data["merged"] in record.merged:  # another machine has done the same
        return record
    return record._replace(
        q=data["q"],
        accesses=min(MOST_USES, record.accesses + max(0, data["accesses"])),
        accessed=max(record.accessed, data["accessed"]),
        merged=(*record.merged, data["merged"]),
        tags=tuple(dict.fromkeys((*record.tags, *data.get("tags", ())))),
    )


def _succeeded(record: Memory, event: Event, data: Data) -> Memory:
    return record._replace(supersedes=(*record.supersedes, data["old"]))


def _verified(record: Memory, event: Event, data: Data) -> Memory:
    return record._replace(verified=event.time) if data["answer"] == "yes" else record


def _queued(record: Memory, event: Event, data: Data) -> Memory:
    return record._replace(queued=event.time) if record.status == "active" else record


def _to(status: str, record: Memory, event: Event, rule: str) -> Memory:
    """Return the record at its new status, or unchanged if the table forbids the move.

    Two machines may have moved it two ways.
    """
    if status not in TRANSITIONS[record.status]:
        return record
    return record._replace(status=status, moves=(*record.moves, moved(Move(status, event.time, rule))), queued=0)


_CHANGES: dict[str, Change] = {
    kinds.SURFACED: _used,
    kinds.USED: _used,
    kinds.MOVED: _moved,
    kinds.FORGOTTEN: _forgotten,
    kinds.SUPERSEDED: _superseded,
    kinds.SUCCEEDED: _succeeded,
    kinds.VERIFIED: _verified,
    kinds.QUEUED: _queued,
    kinds.JUDGED: _judged,
    kinds.MERGED: _merged,
    kinds.ABSORBED: _absorbed,
    kinds.SUMMARISED: _summarised,
}


def left_out(ledger: LedgerReader, undoings: Iterable[Event]) -> set[str]:
    """Return the ids of all events that undoings, newest first, leave out of the fold.

    The newest undoing always holds. An older one holds unless a newer one that holds leaves it out.
    So the answer depends on the set of events alone, not on the order in which they arrived.
    """
    out: set[str] = set()
    for undoing in undoings:
        if undoing.id not in out:
            out |= resting_on(ledger, targets(ledger, undoing))
    return out


def targets(ledger: LedgerReader, undoing: Event) -> set[str]:
    """Return the events that an undoing names: earlier ones of its space, and never a purge."""
    kind, data = data_of(undoing)
    query = EventQuery(space=undoing.space)
    if kind == kinds.UNDONE:
        query = query._replace(ids=tuple(data.get("events", ())))  # none of an undoing that was erased
    elif data.get("session"):
        query = query._replace(session=data["session"])
    else:
        query = query._replace(source=data["source"])
    found = ledger.events(query)
    return {event.id for event in found if event.order < undoing.order and event.kind != kinds.PURGED}


def resting_on(ledger: LedgerReader, ids: set[str]) -> set[str]:
    """Return the events and everything whose causes lead to them."""
    reached, edge = set(ids), set(ids)
    while edge:
        edge = ledger.effects(edge) - reached
        reached |= edge
    return reached
