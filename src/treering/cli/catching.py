"""Commands about what was kept without being asked."""

from __future__ import annotations

from itertools import groupby

from treering.cli.render import Answer, columns, counted, line, when
from treering.core.errors import InvalidInput
from treering.moment import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from treering.api import Treering
    from treering.attending import Caught, Tended
    from treering.cli.parse import Call
    from treering.cli.render import Page


def captured(memory: Treering, call: Call) -> Answer:
    found = memory.captured(call["session"])
    sessions = [*dict.fromkeys(one.session for one in found)]
    kept = set(sessions[: call["limit"] or None])
    found = [one for one in found if one.session in kept]
    value = [described(one) for one in found]
    return Answer(value, lambda page: _listed(found, page), empty="nothing has been captured yet")


def described(one: Caught) -> dict[str, Any]:
    return {
        "id": one.memory.id,
        "kind": one.kind,
        "content": one.memory.content,
        "type": one.memory.type,
        "scope": one.memory.scope,
        "project": one.project,
        "session": one.session,
        "time": shown(one.time),
        "origin": one.memory.origin,
        "event": one.event,
    }


def _listed(found: Sequence[Caught], page: Page) -> Iterator[str]:
    ordered = sorted(found, key=lambda one: -max(other.time for other in found if other.session == one.session))
    for session, group in groupby(ordered, key=lambda one: one.session):
        caught = [*group]
        project = f", project {line(caught[0].project)}" if caught[0].project else ""
        yield f"session {line(session) or '(none)'}{project}, {when(caught[0].time)}"
        rows = [(one.memory.id, one.kind, line(one.memory.content or one.memory.details)) for one in caught]
        yield from (f"  {text}" for text in columns(rows, page.inset()))


def undo(memory: Treering, call: Call) -> Answer:
    ids, session = call["id"] or (), call["session"]
    if not ids and not session:
        raise InvalidInput("name memories, or a session with --session; `treering captured` lists both")
    done = memory.release(*ids, session=session, reason=call["reason"])
    gone = [id for one in done for id in one.gone]
    value = {"released": gone, "events": [one.event.id for one in done]}
    said = [f"took back {counted(len(gone), 'memory', 'memories')}"] if done else []
    said += [f"`treering undo {one.event.id}` brings {id} back" for one in done for id in one.gone]
    return Answer(value, lambda page: said, empty="nothing was captured there")


def tend(memory: Treering, call: Call) -> Answer:
    done = memory.tend(call["seconds"])
    return Answer({**done._asdict(), "consolidated": [*done.consolidated]}, lambda page: [_said(done)])


def _said(done: Tended) -> str:
    if done.busy:
        return "another process is at it"
    parts = [
        f"took in {counted(done.letters, 'letter')}",
        f"read on in {counted(done.sessions, 'session')}",
        f"kept {counted(done.caught, 'memory', 'memories')}",
        f"consolidated ({', '.join(done.consolidated)})" if done.consolidated else "",
        "evolved" if done.evolved else "",
    ]
    return ", ".join(filter(None, parts))
