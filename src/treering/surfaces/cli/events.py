"""Events as people and programs read them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from treering.ledger.clock import format_time
from treering.ledger.codec import data_of
from treering.ledger.events import (
    ABSORBED,
    ACCEPTED,
    ADMITTED,
    ASKED,
    BEGAN,
    CAPTURED,
    DISMISSED,
    ECHOED,
    ENDED,
    EVOLVED,
    FORGOTTEN,
    GRAPHED,
    GROUPED,
    JUDGED,
    LOADED,
    MERGED,
    MOVED,
    NOTED,
    PROMOTED,
    PROMPTED,
    PROPOSED,
    PRUNED,
    PURGED,
    QUEUED,
    RAISED,
    RAN,
    READ,
    RECALLED,
    REJECTED,
    REMEMBERED,
    REVOKED,
    RUBBED,
    SETTLED,
    SKILL_JUDGED,
    SUCCEEDED,
    SUMMARISED,
    SUPERSEDED,
    SURFACED,
    TENDED,
    TURNED_OUT,
    UNDONE,
    USED,
    VERIFIED,
    WEIGHED,
    WORDED,
)
from treering.surfaces.cli.render import line, table, when

if TYPE_CHECKING:
    from treering.ledger.events import Data, Event
    from treering.surfaces.cli.render import Page

WORDS = {
    REMEMBERED: "remembered",
    FORGOTTEN: "forgot",
    PURGED: "purged",
    RECALLED: "recalled",
    SURFACED: "surfaced",
    USED: "used",
    ECHOED: "echoed",
    CAPTURED: "captured",
    MOVED: "moved",
    QUEUED: "queued",
    SUPERSEDED: "superseded",
    SUCCEEDED: "succeeded",
    VERIFIED: "confirmed",
    RAISED: "contradiction",
    SETTLED: "resolved",
    RAN: "hygiene",
    ENDED: "session ended",
    WEIGHED: "weighed",
    JUDGED: "judged",
    TURNED_OUT: "turned out",
    MERGED: "merged",
    ABSORBED: "absorbed",
    BEGAN: "evolution",
    EVOLVED: "evolved",
    PROPOSED: "proposed",
    WORDED: "worded",
    ACCEPTED: "accepted",
    REJECTED: "rejected",
    PROMOTED: "promoted",
    LOADED: "loaded",
    SKILL_JUDGED: "judged skill",
    PROMPTED: "prompt",
    RUBBED: "friction",
    READ: "read",
    ASKED: "asked",
    GROUPED: "grouped",
    SUMMARISED: "summarised",
    GRAPHED: "graph read",
    PRUNED: "graph pruned",
    NOTED: "insight",
    TENDED: "consolidation",
    UNDONE: "undid",
    REVOKED: "revoked",
    ADMITTED: "gave a token",
    DISMISSED: "took a token back",
}
_HEADINGS = {"causes": "rests on", "effects": "what rests on it"}


def described(event: Event, left_out: Collection[str]) -> dict[str, Any]:
    """Return an event for JSON."""
    return {
        "id": event.id,
        "kind": event.kind,
        "time": format_time(event.time),
        "clock": event.clock,
        "actor": event.actor,
        "space": event.space,
        "project": event.project,
        "session": event.session,
        "subject": event.subject,
        "causes": list(event.causes),
        "undone": event.id in left_out,
        "data": data_of(event)[1] if event.payload is not None else None,
        "digest": event.digest.hex(),
        "chain": event.chain.hex(),
    }


def entry(event: Event, left_out: Collection[str]) -> tuple[str, ...]:
    """Return an event as a line of the log."""
    mark = "undone" if event.id in left_out else ""
    return event.id, when(event.time), mark, line(event.session), f"{kind(event)}: {gist(event)}"


def row(event: Event, left_out: Collection[str]) -> tuple[str | int, ...]:
    """Return an event as a row of a table."""
    mark = "undone" if event.id in left_out else ""
    return event.id, event.time, mark, event.session, f"{kind(event)}: {gist(event)}"


def blocks(parts: Mapping[str, Sequence[Event]], left_out: Collection[str], page: Page) -> Iterator[str]:
    """Return the events of a history, each with who, when and where."""
    for name, events in parts.items():
        if name in _HEADINGS:
            yield page.bold(f"{_HEADINGS[name]}:" + ("" if events else " nothing"))
        for event in events:
            yield from _block(event, left_out, page)


def _block(event: Event, left_out: Collection[str], page: Page) -> Iterator[str]:
    mark = "  (undone)" if event.id in left_out else ""
    yield f"{page.bold(event.id)}  {kind(event)}{mark}"
    where = " · ".join(f"{name} {line(value)}" for name in ("project", "session") if (value := getattr(event, name)))
    origin = str(data_of(event)[1].get("origin", "")) if event.kind == REMEMBERED else ""
    source = line(origin) if origin != event.actor else ""
    fields = (
        ("when", format_time(event.time)),
        ("by", event.actor),
        ("in", where),
        ("from", source),
        ("what", gist(event)),
    )
    yield from (f"  {text}" for text in table([field for field in fields if field[1]], page.inset()))


def kind(event: Event) -> str:
    """Return what happened, in a word."""
    return WORDS[event.kind]


def gist(event: Event) -> str:
    """Return what it was about, on a line."""
    name, data = data_of(event)
    about = _about(name, event, data)
    reason = data.get("reason", "")
    return line(f"{about} ({reason})" if reason else about)


def _about(name: str, event: Event, data: Data) -> str:
    if event.payload is None:
        return "(erased)"
    tell = _GISTS.get(name)
    return tell(event, data) if tell else event.subject


def _evidence(data: Data) -> str:
    numbers = [f"{name.replace('_', ' ')} {value:g}" for name, value in data.get("evidence", {}).items()]
    if data.get("forced"):
        numbers.append(f"forced, {data.get('replay', {}).get('helpful_lost', 0)} helpful lost")
    return ", ".join((data.get("rule", "faded"), *numbers))


def _matter(data: Data) -> str:
    return ", ".join(data["memories"] or data.get("tokens", ()))


# What an event was about; where nothing is said here, its subject says it.
_GISTS: dict[str, Callable[[Event, Data], str]] = {
    REMEMBERED: lambda event, data: str(data["content"]),
    RECALLED: lambda event, data: f"{data['query']} → {', '.join(hit['id'] for hit in data['hits']) or 'silence'}",
    WEIGHED: lambda event, data: ", ".join(f"{channel} {weight:g}" for channel, weight in data["weights"].items()),
    UNDONE: lambda event, data: ", ".join(data["events"]),
    ADMITTED: lambda event, data: f"to {data['person']}, a {data['role']}",
    DISMISSED: lambda event, data: f"from {data['person']}",
    REVOKED: lambda event, data: " ".join(f"{key} {data[key]}" for key in ("session", "source") if key in data),
    MOVED: lambda event, data: f"{event.subject} {data['from']} → {data['to']}: {_evidence(data)}",
    QUEUED: lambda event, data: f"{event.subject} for consolidation: {_evidence(data)}",
    SUPERSEDED: lambda event, data: (
        f"{event.subject} by {data['by']}" + (f": {_evidence(data)}" if data.get("rule") else "")
    ),
    SUCCEEDED: lambda event, data: f"{event.subject} takes the place of {data['old']}",
    VERIFIED: lambda event, data: f"{event.subject}: {data['answer']}",
    RAISED: lambda event, data: f"{data['older']} and {data['newer']} ({data['kind']})",
    SETTLED: lambda event, data: f"{' '.join(event.causes[:1])}: {data['keep']} kept",
    RAN: lambda event, data: f"by {data['policy']}",
    ENDED: lambda event, data: event.session,
    CAPTURED: lambda event, data: f"{event.subject} ({data['kind']})",
    JUDGED: lambda event, data: f"{event.subject} {data['verdict']} in {data['recall']} ({data['by']})",
    TURNED_OUT: lambda event, data: f"{data.get('session') or ', '.join(event.causes)}: {data['outcome']}",
    MERGED: lambda event, data: f"{event.subject} into {data['into']}: {_evidence({'rule': 'merge', **data})}",
    ABSORBED: lambda event, data: f"{event.subject} speaks for {data['merged']}",
    BEGAN: lambda event, data: f"began ({data['trigger']})",
    EVOLVED: lambda event, data: ", ".join(f"{count} {kind}" for kind, count in data["actions"].items() if count),
    PROPOSED: lambda event, data: f"{data['fingerprint']} {data.get('action') or data['kind']}: {_matter(data)}",
    WORDED: lambda event, data: f"{data['proposal']} as {data['name']} by {data['model']}",
    ACCEPTED: lambda event, data: " ".join(filter(None, (data["proposal"], data.get("path", "")))),
    REJECTED: lambda event, data: f"{data['proposal']}: {data.get('note', '')}".rstrip(": "),
    PROMOTED: lambda event, data: f"{data['name']} {data['path']}",
    LOADED: lambda event, data: str(data["name"]),
    SKILL_JUDGED: lambda event, data: f"{data['name']} {data['verdict']} ({data['by']})",
    PROMPTED: lambda event, data: str(data["prompt"]),
    RUBBED: lambda event, data: " ".join(
        str(data[name]) for name in ("kind", "count", "tool", "what", "error") if data.get(name)
    ),
    READ: lambda event, data: f"{data['file']} up to byte {data['offset']:,}",
    GROUPED: lambda event, data: f"{data['group']} ({data['reason']}): {', '.join(data['memories'])}",
    SUMMARISED: lambda event, data: f"{event.subject} sums up {', '.join(data['sources'])} ({data['by']})",
    GRAPHED: lambda event, data: (
        f"{event.subject}: {len(data['entities'])} entities, {len(data['relations'])} relations by {data['model']}"
    ),
    PRUNED: lambda event, data: f"{data['entities']} entities, {data['relations']} relations",
    NOTED: lambda event, data: f"{data['kind']}: {_matter(data)}",
    TENDED: lambda event, data: f"{data['trigger']}: {', '.join(step['step'] for step in data['steps'])}",
    ASKED: lambda event, data: (
        f"{data['model']} for {data['purpose']}: {data['outcome']}, {data['asked']} + {data['answered']} tokens"
    ),
}
