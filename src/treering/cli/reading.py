"""Commands that look: nothing is written here."""

from __future__ import annotations

import sys

from treering.cli.render import Answer, Progress, card, columns, line, plain, when
from treering.core.policy import HOT
from treering.moment import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.core.rings import Ring
    from treering.core.types import Memory, Recall, Why


def show(memory: Treering, call: Call) -> Answer:
    found = memory.get(call["id"])
    scores = {"last_used": shown(found.used), **memory.scores(found)}
    return Answer({**plain(found), **scores}, lambda page: card(found, page, scores))


def list(memory: Treering, call: Call) -> Answer:
    names = ("type", "scope", "status", "project", "session", "tag", "limit")
    found = memory.list(**{name: call[name] for name in names})
    return Answer(
        map(plain, found),
        lambda page: columns(map(_entry, found), page),
        empty="no memories to show: `treering remember` makes one",
    )


def recall(memory: Treering, call: Call) -> Answer:
    names = ("k", "type", "scope", "project", "session", "strategy", "budget", "explain")
    options = {name: call[name] for name in names if call[name] != ""}
    with Progress("getting ready:") as progress:
        memory.prepare(progress)
    found = memory.recall(
        call["query"],
        since=call["since"] or None,
        until=call["until"] or None,
        log=not call["no_log"],
        silent=not call["unsure"],
        superseded=call["superseded"],
        retired=call["retired"],
        **options,
    )
    hint = "; --unsure shows what comes nearest" if found.confidence else ""
    # For a person who looks on; in a pipe it would be noise.
    judged = f"recall {found.id}: `treering feedback last ID helpful` says what helped"
    note = judged if found.id and found.hits and sys.stderr.isatty() else ""
    return Answer(_recalled(found), lambda page: found.fence.splitlines(), note=note, empty=found.silence + hint)


def _recalled(found: Recall) -> dict[str, Any]:
    """A recall for JSON."""
    value = found._asdict()
    value["abstained"] = found.abstained
    value["cutoff"] = found.cutoff._asdict() if found.cutoff else None
    value["hits"] = [{**plain(hit.memory), "score": hit.score, "why": _why(hit.why)} for hit in found.hits]
    return value


def _why(why: Why) -> dict[str, Any]:
    channels = {name: found._asdict() for name, found in why.channels.items()}
    return {**why._asdict(), "channels": channels}


def history(memory: Treering, call: Call) -> Answer:
    from treering.cli.events import described, told
    from treering.history import causes, effects

    events: Any = memory.history(call["id"])
    parts = {"events": events}
    if call["causes"]:
        parts["causes"] = causes(memory.store, events)
    if call["effects"]:
        parts["effects"] = effects(memory.store, events)
    out = memory.store.left_out()
    return Answer(
        {name: [described(event, out) for event in part] for name, part in parts.items()},
        lambda page: told(parts, out, page),
    )


def log(memory: Treering, call: Call) -> Answer:
    from treering.cli.events import described, entry
    from treering.core.ports import EventQuery
    from treering.wishes import name

    session = name(call["session"], memory.config.content_limit)
    query = EventQuery(space=memory.context.space, session=session, newest=True, limit=call["limit"])
    events, out = memory.store.events(query), memory.store.left_out()
    return Answer(
        (described(event, out) for event in events),
        lambda page: columns((entry(event, out) for event in events), page),
        empty="no events yet",
    )


def rings(memory: Treering, call: Call) -> Answer:
    from treering.core import rings as core
    from treering.core.ports import EventQuery

    found = core.rings(memory.store.events(EventQuery(space=memory.context.space)))
    value = [{**ring._asdict(), "first": shown(ring.first), "last": shown(ring.last)} for ring in found]
    return Answer(value, lambda page: columns(map(_ring, found), page), empty="no rings yet")


def _entry(memory: Memory) -> tuple[str, ...]:
    tags = "".join(f" #{tag}" for tag in memory.tags)
    text = line(memory.content + tags)
    if memory.status not in HOT:
        text = f"({memory.status}) {text}".rstrip()
    return memory.id, memory.type, when(memory.created), line(memory.project), text


def _ring(ring: Ring) -> tuple[str, ...]:
    counts = (
        f"{getattr(ring, name)} {name}"
        for name in ("added", "recalls", "superseded", "moved", "forgotten", "undone", "purged")
        if getattr(ring, name)
    )
    name = line(ring.session) or "(no session)"
    return name, line(ring.project), when(ring.first), ", ".join(counts) or f"{ring.events} events"
