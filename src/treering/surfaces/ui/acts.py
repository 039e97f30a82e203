"""The changes: each is one call of the memory, as the command of the same name makes it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from treering.ledger.config import FILE_NAME, SECRETS
from treering.ledger.errors import CannotUndo, InvalidInput
from treering.ledger.people import ADMIN
from treering.ledger.types import person_in
from treering.stores.port.ledger import EventQuery
from treering.surfaces.cli.change import noticed
from treering.surfaces.cli.render import counted
from treering.surfaces.cli.settings import ENVIRONMENT, change, rows, written
from treering.surfaces.ui.desk import Asked

# Settings that say which programs run, and where texts are sent: no page in a browser decides on that.
TERMINAL_ONLY = frozenset(
    {*SECRETS, "store", "stores", "capture_in", "sync_ssh", "embedder", "model", "llm_base_url", "skill_folders"}
)
YES = "purge"  # the word that a person types, as a purge is for good


class Notice(NamedTuple):
    """What was done, and the form that undoes it: where it goes, and its fields. Without fields it cannot be undone."""

    text: str
    command: str
    undo: str = "/undo"
    fields: tuple[tuple[str, str], ...] = ()


class Done(NamedTuple):
    """What an act has to say of itself. An act that wrote events need not say what undoes it."""

    text: str
    command: str
    undo: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    lasting: bool = False  # it cannot be undone


Act = Callable[[Asked], Done]


def done(act: Act, asked: Asked) -> Notice:
    """Act, and name the events that were written, so that one click takes all of it back."""
    store = asked.memory.store
    before, writer = store.clock(), store.writer
    found = act(asked)
    if found.lasting or found.undo:
        return Notice(found.text, found.command, found.undo, found.fields)
    # Without what others wrote meanwhile: hooks act as `hook`, other machines write under other names, and on a server
    # every event names its person.
    here = asked.memory.context
    me = f"{here.actor}:{person}" if (person := person_in(here.space)) else here.actor
    events = [
        ("event", event.id)
        for event in store.events(EventQuery(space=here.space, since=before))
        if event.actor == me and event.writer in (writer, store.writer)
    ]
    return Notice(found.text, found.command, fields=tuple(events))


def _edit(asked: Asked) -> Done:
    text, memory = asked.get("text"), asked.memory
    if not text:
        raise InvalidInput("the new text is empty: `forget` takes a memory out of sight")
    if text.replace("\r\n", "\n") == memory.get(asked.id).content:
        raise InvalidInput("the text is the same: nothing was changed")
    made = memory.supersede(asked.id, text.replace("\r\n", "\n"), reason=asked.get("reason"))
    note = noticed(memory, made)
    return Done(
        f"{made.id} supersedes {made.supersedes[-1]}" + (f"; {note}" if note else ""), f"treering edit {asked.id} TEXT"
    )


def _forget(asked: Asked) -> Done:
    gone = asked.memory.forget(asked.id, reason=asked.get("reason"))
    return Done(f"forgot {gone.id}", f"treering forget {gone.id}")


def _restore(asked: Asked) -> Done:
    back = asked.memory.restore(asked.id)
    return Done(f"restored {back.id}", f"treering restore {back.id}")


def _purge(asked: Asked) -> Done:
    if asked.get("sure") != YES:
        raise InvalidInput(f"a purge is for good: type {YES} if you mean it; nothing was purged")
    id = asked.memory.whole_id(asked.id)
    asked.memory.purge(id, reason=asked.get("reason"))
    return Done(f"purged {id}", f"treering purge {id}", lasting=True)


def _undo(asked: Asked) -> Done:
    events = asked.get("event").split()
    if not events:
        raise CannotUndo("name at least one event to undo")
    undone = asked.memory.undo(*events, reason=asked.get("reason"))
    told = [_counted(undone.left_out, "no longer count")] if undone.left_out else []
    told += [_counted(undone.back, "again count")] if undone.back else []
    return Done(f"undone: {', '.join(told) or 'no event is touched by it'}", f"treering undo {' '.join(events)}")


def _counted(events: Collection[object], does: str) -> str:
    return f"{counted(len(events), 'event')} {does}{'s' if len(events) == 1 else ''}"


def _revoke(asked: Asked) -> Done:
    session, source = asked.get("session"), asked.get("source")
    undone = asked.memory.revoke(session=session, source=source, reason=asked.get("reason"))
    what = f"session {session}" if session else f"source {source}"
    option = f"--session {session}" if session else f"--source {source}"
    return Done(f"undone all of {what}: {_counted(undone.left_out, 'no longer count')}", f"treering undo {option}")


def _release(asked: Asked) -> Done:
    gone = [id for one in asked.memory.captured.undo(asked.id, reason=asked.get("reason")) for id in one.gone]
    return Done(f"took back {counted(len(gone), 'memory', 'memories')}", f"treering undo --captured {asked.id}")


def _feedback(asked: Asked) -> Done:
    judged = asked.memory.feedback(asked.get("recall"), asked.id, asked.get("verdict"))
    command = f"treering feedback {asked.get('recall')} {judged.id} {asked.get('verdict')}"
    return Done(f"{judged.id} was {asked.get('verdict').replace('_', ' ')}: its Q is {judged.q:.3f}", command)


def _accept(asked: Asked) -> Done:
    made = asked.memory.proposals.accept(
        asked.id, asked.desk.root, overwrite=bool(asked.get("overwrite")), text=asked.query.get("text", "")
    )
    where = f": {made.path}" if made.path else ""
    return Done(f"accepted {made.proposal}{where}", f"treering review accept {made.proposal}")


def _reject(asked: Asked) -> Done:
    gone = asked.memory.proposals.reject(asked.id, asked.get("reason"))
    return Done(f"rejected {gone.id}", f"treering review reject {gone.id}")


def _resolve(asked: Asked) -> Done:
    one = asked.memory.truth.resolve(asked.id, keep=asked.get("keep"), reason=asked.get("reason"))
    kept = {"older": one.older.id, "newer": one.newer.id, "both": f"{one.older.id} and {one.newer.id}"}[one.keep]
    return Done(f"resolved {one.id}: kept {kept}", f"treering review accept {one.id} --keep {asked.get('keep')}")


def _confirm(asked: Asked) -> Done:
    answer, text = asked.get("answer"), asked.get("text")
    found = asked.memory.truth.confirm(asked.id, answer, text=text, reason=asked.get("reason"))
    said = {"yes": "confirmed", "no": "forgot", "change": "changed to"}[answer]
    command = "accept" if answer == "yes" else "reject"
    return Done(f"{said} {found.id}", f"treering review {command} {asked.id}")


def _promote(asked: Asked) -> Done:
    made = asked.memory.proposals.promote(asked.id, asked.desk.root)
    return Done(f"promoted {made.name}: live now at {made.path}", f"treering review promote {made.name}")


def _set(asked: Asked) -> Done:
    name, home = asked.id, asked.memory.workspace.home
    asked.memory.ledger.demand(ADMIN)
    if name in TERMINAL_ONLY:
        raise InvalidInput(f"{name} is for a terminal: `treering config set {name} VALUE`")
    if not home:
        raise InvalidInput("a memory without a folder has no settings to keep")
    before = next((row for row in rows(home) if row["name"] == name), None)
    value = None if asked.get("default") else asked.get("value")
    change(home, [(name, value)])
    asked.desk.reopen()
    (now,) = (row for row in rows(home) if row["name"] == name)
    over = f"; TREERING_{name.upper()} overrides it" if now["from"] == ENVIRONMENT else ""
    known = before is not None and before["from"] == FILE_NAME
    back = ("value", written(before["value"])) if before is not None and known else ("default", "yes")
    told = f"{name} is {written(now['value']) or 'none'} now{over}"
    return Done(told, f"treering config set {name} {value or ''}".rstrip(), f"/settings/{name}", (back,))


ACTS: dict[str, Act] = {
    "/memories/{id}/edit": _edit,
    "/memories/{id}/forget": _forget,
    "/memories/{id}/restore": _restore,
    "/memories/{id}/purge": _purge,
    "/memories/{id}/feedback": _feedback,
    "/captured/{id}/undo": _release,
    "/undo": _undo,
    "/revoke": _revoke,
    "/proposals/{id}/accept": _accept,
    "/proposals/{id}/reject": _reject,
    "/contradictions/{id}/resolve": _resolve,
    "/invariants/{id}/confirm": _confirm,
    "/drafts/{id}/promote": _promote,
    "/settings/{id}": _set,
}
