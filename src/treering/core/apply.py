"""The fold: one record, one event, the next record. It never refuses and has no opinions."""

from __future__ import annotations

from treering.core.codec import data_of
from treering.core.events import (
    ABSORBED,
    FORGOTTEN,
    JUDGED,
    MERGED,
    MOVED,
    PURGED,
    QUEUED,
    REMEMBERED,
    SUCCEEDED,
    SUMMARISED,
    SUPERSEDED,
    SURFACED,
    USED,
    VERIFIED,
)
from treering.core.lifecycle import TRANSITIONS, WAKING
from treering.core.types import CONFIDENCE, RELEVANCE, Memory, Move, moved, trust_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from treering.core.events import Data, Event

    Change = Callable[[Memory, Event, Data], Memory]


MOST_USES = 10**9  # of a memory: more are nobody's, and would not fit a row


def apply(record: Memory | None, event: Event) -> Memory | None:
    """The record after the event; None where there is no such memory."""
    if event.payload is None:  # purged, as only a whole memory can be
        return None
    kind, data = data_of(event)
    if kind == REMEMBERED:
        return _remembered(event, data)
    if kind == PURGED or record is None:
        return None
    change = _CHANGES.get(kind)
    return change(record, event, data) if change else record


def fold(events: Iterable[Event]) -> Memory | None:
    """The record that the events about it, in order, amount to."""
    record = None
    for event in events:
        record = apply(record, event)
    return record


def fold_each(events: Iterable[Event], before: Mapping[str, Memory] = {}) -> dict[str, Memory | None]:
    """The record of each subject that the events, in order, are about; `before` has those that were there."""
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
    """Use strengthens: it counts, and what had faded is active again."""
    at = data.get("at", event.time)
    used = record._replace(accesses=record.accesses + 1, accessed=max(record.accessed, at), queued=0)
    return _to("active", used, event, "used") if record.status in WAKING else used


def _summarised(record: Memory, event: Event, data: Data) -> Memory:
    """Knowledge that was just made is in use, however old the episodes are that it was made of."""
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
    told = record._replace(superseded_by=record.superseded_by or data["by"])
    return _to("superseded", told, event, data.get("rule", "superseded"))


def _judged(record: Memory, event: Event, data: Data) -> Memory:
    """Q moves towards what was earned. What people say counts as feedback, what came of it as impact."""
    reward, rate = data["reward"], data["rate"]
    q = _taken_back(record.q, data.get("instead_reward", 0.0), data.get("instead_rate", 0.0))
    moved = {"q": q + rate * (reward - q)}
    if data["by"] == "explicit":
        moved["feedback"] = record.feedback + rate * (reward - record.feedback)
    elif data["by"] == "outcome":
        moved["impact"] = record.impact + rate * (reward - record.impact)
    return record._replace(**moved)


def _taken_back(q: float, reward: float, rate: float) -> float:
    """What Q was before a step towards a reward. Exactly that, if nothing else has moved it since."""
    return min(1.0, max(0.0, (q - rate * reward) / (1 - rate))) if rate < 1 else q


def _merged(record: Memory, event: Event, data: Data) -> Memory:
    if data["into"] in record.merged:  # two machines have merged them two ways: the first holds
        return record
    told = record._replace(merged_into=record.merged_into or data["into"])
    return _to("merged", told, event, "merge")


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
    """The record at its new status. Two machines may have moved it two ways: what the table forbids did not happen."""
    if status not in TRANSITIONS[record.status]:
        return record
    return record._replace(status=status, moves=(*record.moves, moved(Move(status, event.time, rule))), queued=0)


_CHANGES: dict[str, Change] = {
    SURFACED: _used,
    USED: _used,
    MOVED: _moved,
    FORGOTTEN: _forgotten,
    SUPERSEDED: _superseded,
    SUCCEEDED: _succeeded,
    VERIFIED: _verified,
    QUEUED: _queued,
    JUDGED: _judged,
    MERGED: _merged,
    ABSORBED: _absorbed,
    SUMMARISED: _summarised,
}
