"""Commands that look: nothing is written here."""

from __future__ import annotations

from treering.cli.render import Answer, card, columns, line, plain, when, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.cli.render import Page
    from treering.core.rings import Ring
    from treering.core.types import Hit, Memory


def show(memory: Treering, call: Call) -> Answer:
    found = memory.get(call["id"])
    return Answer(plain(found), lambda page: card(found, page))


def list(memory: Treering, call: Call) -> Answer:
    names = ("type", "scope", "status", "project", "session", "tag", "limit")
    found = memory.list(**{name: call[name] for name in names})
    return Answer(
        map(plain, found),
        lambda page: columns(map(_entry, found), page),
        empty="no memories to show: `treering remember` makes one",
    )


def recall(memory: Treering, call: Call) -> Answer:
    names = ("k", "type", "scope", "project", "session")
    found = memory.recall(call["query"], **{name: call[name] for name in names})
    hits = [{**plain(hit.memory), "score": hit.score} for hit in found.hits]
    value = {"query": found.query, "abstained": found.abstained, "hits": hits}
    return Answer(value, lambda page: _hits(found.hits, page), empty="nothing is known about that")


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
    from treering.moment import shown

    found = core.rings(memory.store.events(EventQuery(space=memory.context.space)))
    value = [{**ring._asdict(), "first": shown(ring.first), "last": shown(ring.last)} for ring in found]
    return Answer(value, lambda page: columns(map(_ring, found), page), empty="no rings yet")


def _entry(memory: Memory) -> tuple[str, ...]:
    tags = "".join(f" #{tag}" for tag in memory.tags)
    text = line(memory.content + tags) or f"({memory.status})"
    return memory.id, memory.type, when(memory.created), line(memory.project), text


def _hits(hits: tuple[Hit, ...], page: Page) -> Iterator[str]:
    for hit in hits:
        memory = hit.memory
        facts = [memory.type, when(memory.created), line(memory.project), f"score {hit.score:.2f}"]
        yield f"{page.bold(memory.id)}  {page.dim(' · '.join(fact for fact in facts if fact))}"
        yield from (f"  {text}" for text in wrapped(memory.content, page.inset().width))


def _ring(ring: Ring) -> tuple[str, ...]:
    counts = (
        f"{getattr(ring, name)} {name}" for name in ("added", "forgotten", "undone", "purged") if getattr(ring, name)
    )
    name = line(ring.session) or "(no session)"
    return name, line(ring.project), when(ring.first), ", ".join(counts) or f"{ring.events} events"
