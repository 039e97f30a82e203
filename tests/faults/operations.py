"""The kinds of operation that a fault may hit, each with what it will have changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple

import treering
from tests.faults.harness import Export, bring_in, forgotten, live

KINDS = ("remember", "remember_many", "forget", "restore", "undo", "revoke", "purge", "import", "rebuild", "recall")
MANY = 5  # texts of one remember_many
SESSIONS = 4  # that memories are spread over, so that revoking one leaves others


class Operation(NamedTuple):
    """Something to be done, decided before it is begun."""

    kind: str
    run: Callable[[], object]
    becomes: Mapping[str, str | None] = {}  # what the memories that it touches say afterwards; None: gone
    new: tuple[str, ...] = ()  # texts that will be there afterwards, under ids not known yet


class Planner:
    """Decides on operations that are possible on a store as it stands, all from one seed."""

    def __init__(self, memory: treering.Treering, random: Random, exports: Sequence[Export]) -> None:
        self.memory = memory
        self.random = random
        self.exports = exports

    def plan(self, kind: str) -> list[Operation]:
        """The operation, after those that make it possible."""
        operation: Operation | None = getattr(self, f"_{kind}")()
        if operation is not None:
            return [operation]
        needed = "forget" if kind == "restore" and live(self.memory) else "remember_many"
        return [*self.plan(needed)]

    def text(self) -> str:
        words = (f"w{self.random.getrandbits(40):010x}" for _ in range(self.random.choice((3, 8, 30, 300))))
        return " ".join(words)

    def _row(self) -> dict[str, object]:
        random = self.random
        return {
            "content": self.text(),
            "session": f"s{random.randrange(SESSIONS)}",
            "tags": [f"t{random.getrandbits(16):04x}"],
            "origin": random.choice(("user", "agent", f"document:docs/{random.randrange(50)}.md:7")),
        }

    def _remember(self) -> Operation:
        row = self._row()
        run = self.memory.remember_many
        return Operation("remember", lambda: run([row]), new=(str(row["content"]),))

    def _remember_many(self) -> Operation:
        rows = [self._row() for _ in range(MANY)]
        texts = tuple(str(row["content"]) for row in rows)
        return Operation("remember_many", lambda: self.memory.remember_many(rows), new=texts)

    def _forget(self) -> Operation | None:
        if not (choices := live(self.memory)):
            return None
        id = self.random.choice(choices).id
        return Operation("forget", lambda: self.memory.forget(id), {id: ""})

    def _restore(self) -> Operation | None:
        if not (choices := forgotten(self.memory)):
            return None
        id = self.random.choice(choices).id
        text = _original(self.memory, id)
        return Operation("restore", lambda: self.memory.restore(id), {id: text})

    def _undo(self) -> Operation | None:
        """Undo the event that made a memory: it is gone, with all that rests on it."""
        if not (choices := live(self.memory)):
            return None
        id = self.random.choice(choices).id
        return Operation("undo", lambda: self.memory.undo(id), {id: None})

    def _revoke(self) -> Operation | None:
        sessions = sorted({record.session for record in self.memory.store.records() if record.session})
        if not sessions:
            return None
        session = self.random.choice(sessions)
        gone = [record.id for record in self.memory.store.records() if record.session == session]
        return Operation("revoke", lambda: self.memory.revoke(session=session), dict.fromkeys(gone))

    def _purge(self) -> Operation | None:
        if not (choices := [*self.memory.store.records()]):
            return None
        ids = [record.id for record in self.random.sample(choices, min(2, len(choices)))]
        return Operation("purge", lambda: self.memory.purge(*ids), dict.fromkeys(ids))

    def _import(self) -> Operation:
        known = self.memory.store.heads()
        fresh = [export for export in self.exports if export.writer not in known]
        export = self.random.choice(fresh or self.exports)
        new = export.texts if fresh else ()
        return Operation("import", lambda: bring_in(self.memory, export.path), new=new)

    def _rebuild(self) -> Operation:
        return Operation("rebuild", lambda: self.memory.ledger.rebuild())

    def _recall(self) -> Operation:
        """It makes profiles of what is new, and logs what it shows; no memory says anything else for it."""
        texts = [record.content for record in live(self.memory)] or ["nothing"]
        query = " ".join(
            reversed(self.random.choice(texts).split()[:4])
        )  # a query stays in the log, whatever is purged
        return Operation("recall", lambda: self.memory.recall(query, silent=False))


def _original(memory: treering.Treering, id: str) -> str:
    from treering.core.codec import data_of

    _, data = data_of(memory.history(id)[0])
    return str(data["content"])


def after(before: Mapping[str, str], operation: Operation) -> dict[str, str]:
    """What memories that were there before say once the operation is done."""
    changed: dict[str, str | None] = {**before, **operation.becomes}
    return {id: text for id, text in changed.items() if text is not None}
