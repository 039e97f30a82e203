"""Commands that change what is known."""

from __future__ import annotations

import sys
from os.path import exists

from treering.cli.ageing import noticed
from treering.cli.render import Answer, columns, line, plain
from treering.core.errors import InvalidInput, TreeringError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.cli.render import Page
    from treering.core.events import Event
    from treering.core.types import Memory
    from treering.ledger import Undone

_FIELDS = ("type", "scope", "project", "session", "language", "invariant", "origin", "at")
_STRUCTURE = ("problem", "approach", "gotchas", "trigger", "action", "outcome")


class NotConfirmed(TreeringError):
    """Somebody has to say yes, and nobody did. Nothing was changed."""


def remember(memory: Treering, call: Call) -> Answer:
    text = _from_stdin() if call["text"] == "-" else call["text"]
    options = {name: call[name] for name in (*_FIELDS, *_STRUCTURE)}
    options |= {name: _share(name, call[name]) for name in ("confidence", "relevance")}
    made = memory.remember(text, tags=call["tag"], sources=call["from"], anyway=call["anyway"], **options)
    if echo := made.accesses > 0:  # a new one has been used by nobody
        note = "that was recalled, and is known: nothing new was stored (--anyway stores it)"
    else:
        note = noticed(memory, made)
    return Answer({**plain(made), "echo": echo}, lambda page: [made.id], note=note)


def _share(name: str, text: str) -> float | None:
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        raise InvalidInput(f"{name} must be a number from 0 to 1, not {text!r}") from None


def forget(memory: Treering, call: Call) -> Answer:
    gone = memory.together(lambda: [memory.forget(id, reason=call["reason"]) for id in call["id"]])
    return _answer("forgot", gone)


def restore(memory: Treering, call: Call) -> Answer:
    return _answer("restored", memory.together(lambda: [memory.restore(id) for id in call["id"]]))


def purge(memory: Treering, call: Call) -> Answer:
    ids = [memory.whole_id(id) for id in call["id"]]
    if memory.ledger and not call["yes"]:  # a view of the past has no ledger, and says so
        _confirm(memory, ids)
    made = [one.path for one in memory.proposals() if one.path and not {*ids}.isdisjoint(one.memories)]
    memory.purge(*ids, reason=call["reason"])
    return Answer({"purged": ids, "files": made}, lambda page: (f"purged {id}" for id in ids), note=_still_there(made))


def undo(memory: Treering, call: Call) -> Answer:
    done = memory.undo(*call["event"], reason=call["reason"], dry_run=call["dry_run"])
    return _undone(memory, done, call["dry_run"])


def revoke(memory: Treering, call: Call) -> Answer:
    done = memory.revoke(session=call["session"], source=call["source"], reason=call["reason"], dry_run=call["dry_run"])
    return _undone(memory, done, call["dry_run"])


def _answer(verb: str, memories: list[Memory]) -> Answer:
    lines = [f"{verb} {memory.id}  {line(memory.content)}".rstrip() for memory in memories]
    return Answer([plain(memory) for memory in memories], lambda page: lines)


def _from_stdin() -> str:
    if sys.stdin is None:  # closed by whoever started us
        raise InvalidInput("there is no standard input to read from")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"what came in is not valid UTF-8 at byte {error.start:,}") from None


def _confirm(memory: Treering, ids: Iterable[str]) -> None:
    from treering.cli.events import gist

    if sys.stdin is None or not sys.stdin.isatty():
        raise NotConfirmed("a purge is for good, and there is nobody to ask: say --yes if you mean it")
    for id in ids:
        history: Any = memory.history(id)
        sys.stderr.write(f"  {id}  {gist(history[0])}\n")
    sys.stderr.write("This erases the above for good. Type yes to go on: ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise NotConfirmed("nothing was purged")


def _undone(memory: Treering, done: Undone, rehearsed: bool) -> Answer:
    from treering.core.ports import EventQuery

    value = {name: [*getattr(done, name)] for name in ("left_out", "back", "gone", "changed")}
    query = EventQuery(ids=(*done.left_out, *done.back))
    events = {event.id: event for event in memory.store.events(query)}
    files = [*dict.fromkeys(path for id in done.left_out if (path := _file_of(events[id])))]
    return Answer(
        {"dry_run": rehearsed, "event": None if rehearsed else done.event.id, **value, "files": files},
        lambda page: _told(done, events, rehearsed, page),
        note=_still_there(files),
    )


def _still_there(files: Iterable[str]) -> str:
    """Files that were made of what is gone: nobody but a person takes them away."""
    return "\n".join(
        f"{line(path)} was made of it and is still there: delete it, if it should go" for path in files if exists(path)
    )


def _file_of(event: Event) -> str:
    """The file that a person had written because of an event: nobody else takes it away."""
    from treering.core.codec import data_of
    from treering.core.events import ACCEPTED, PROMOTED

    return str(data_of(event)[1].get("path", "")) if event.kind in (ACCEPTED, PROMOTED) else ""


def _told(done: Undone, events: dict[str, Event], rehearsed: bool, page: Page) -> Iterator[str]:
    from treering.cli.events import entry

    yield "nothing is changed; this would happen:" if rehearsed else f"done by event {done.event.id}"
    for title, ids in (("count no longer", done.left_out), ("count again", done.back)):
        if ids:
            yield page.bold(f"events that {title}: {len(ids)}")
            rows = (entry(events[id], ()) for id in ids)
            yield from (f"  {row}" for row in columns(rows, page.inset()))
    for title, ids in (("are gone", done.gone), ("are changed", done.changed)):
        if ids:
            yield page.bold(f"memories that {title}: {len(ids)}")
            yield from (f"  {id}" for id in ids)
    if not events:
        yield "no event is touched by it"
