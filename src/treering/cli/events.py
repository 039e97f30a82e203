"""Events as people and programs read them."""

from __future__ import annotations

from treering.cli.render import line, table, when
from treering.core.codec import data_of
from treering.core.events import (
    FORGOTTEN,
    PURGED,
    RECALLED,
    REMEMBERED,
    REVOKED,
    SURFACED,
    UNDONE,
    WEIGHED,
)
from treering.moment import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

    from treering.cli.render import Page
    from treering.core.events import Data, Event

_WORDS = {
    REMEMBERED: "remembered",
    FORGOTTEN: "forgot",
    PURGED: "purged",
    RECALLED: "recalled",
    SURFACED: "surfaced",
    WEIGHED: "weighed",
    UNDONE: "undid",
    REVOKED: "revoked",
}
_HEADINGS = {"causes": "rests on", "effects": "what rests on it"}


def described(event: Event, left_out: Collection[str]) -> dict[str, Any]:
    """An event for JSON."""
    return {
        "id": event.id,
        "kind": event.kind,
        "time": shown(event.time),
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
    """An event as a line of the log."""
    mark = "undone" if event.id in left_out else ""
    return event.id, when(event.time), mark, line(event.session), f"{kind(event)}: {gist(event)}"


def told(parts: Mapping[str, Sequence[Event]], left_out: Collection[str], page: Page) -> Iterator[str]:
    """The events of a history, each with who, when and where."""
    for name, events in parts.items():
        if name in _HEADINGS:
            yield page.bold(f"{_HEADINGS[name]}:" + ("" if events else " nothing"))
        for event in events:
            yield from _block(event, left_out, page)


def _block(event: Event, left_out: Collection[str], page: Page) -> Iterator[str]:
    mark = "  (undone)" if event.id in left_out else ""
    yield f"{page.bold(event.id)}  {kind(event)}{mark}"
    where = " · ".join(f"{name} {line(value)}" for name in ("project", "session") if (value := getattr(event, name)))
    fields = (("when", shown(event.time)), ("by", event.actor), ("in", where), ("what", gist(event)))
    yield from (f"  {text}" for text in table([field for field in fields if field[1]], page.inset()))


def kind(event: Event) -> str:
    """What happened, in a word."""
    return _WORDS.get(event.kind, event.kind)


def gist(event: Event) -> str:
    """What it was about, on a line."""
    name, data = data_of(event)
    about = _about(name, event, data)
    reason = data.get("reason", "")
    return line(f"{about} ({reason})" if reason else about)


def _about(name: str, event: Event, data: Data) -> str:
    if name == REMEMBERED:
        return str(data.get("content", "(erased)"))
    if name == RECALLED:
        return f"{data['query']} → {', '.join(hit['id'] for hit in data['hits']) or 'silence'}"
    if name == WEIGHED:
        return ", ".join(f"{channel} {weight:g}" for channel, weight in data["weights"].items())
    if name == UNDONE:
        return ", ".join(data["events"])
    if name == REVOKED:
        return " ".join(f"{key} {data[key]}" for key in ("session", "source") if key in data)
    return event.subject
