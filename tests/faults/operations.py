"""The kinds of operation that a fault may hit, each with what it will have changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

import treering
from tests.faults.harness import Export, bring_in, forgotten, live, recallable
from treering import truth
from treering.harvest import facts

KINDS = (
    *("remember", "remember_many", "forget", "restore", "undo", "revoke", "purge", "import", "rebuild", "recall"),
    *("supersede", "look", "resolve", "confirm", "hygiene", "session_end", "harvest", "vault_read"),
)
# What makes an operation possible that is not, on a store as it stands.
NEEDS = {
    "restore": "forget",
    "look": "quarrel",
    "resolve": "look",
    "confirm": "rule",
    "hygiene": "old",
    "session_end": "old",
}
LONG_AGO = "2020-01-01"
MANY = 5  # texts of one remember_many
FEW = 2  # facts of a document or a vault: every one of them adds to the calls to the disk that are made to fail
SESSIONS = 4  # that memories are spread over, so that revoking one leaves others


class Operation(NamedTuple):
    """Something to be done, decided before it is begun."""

    kind: str
    run: Callable[[], object]
    becomes: Mapping[str, str | None] = {}  # what the memories that it touches say afterwards; None: gone
    new: tuple[str, ...] = ()  # texts that will be there afterwards, under ids not known yet
    events: int = 0  # that it writes, all of them or none; 0: it is not known, or it goes in portions


class Planner:
    """Decides on operations that are possible on a store as it stands, all from one seed."""

    def __init__(self, memory: treering.Treering, random: Random, exports: Sequence[Export]) -> None:
        self.memory = memory
        self.random = random
        self.exports = exports

    def plan(self, kind: str) -> Iterator[Operation]:
        """The operation, after those that make it possible: each is to be run before the next is asked for."""
        operation: Operation | None = getattr(self, f"_{kind}")()
        if operation is None:
            yield from self.plan(NEEDS.get(kind, "remember_many"))
            yield from self.plan(kind)
        else:
            yield operation

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

    def _old(self) -> Operation:
        """Memories whose time has come."""
        rows = [{**self._row(), "at": LONG_AGO} for _ in range(FEW)]
        texts = tuple(str(row["content"]) for row in rows)
        return Operation("remember_many", lambda: self.memory.remember_many(rows), new=texts)

    def _quarrel(self) -> Operation:
        """Two memories that cannot both hold."""
        subject = f"The lock timeout of {self.text()[:23]}"
        texts = (f"{subject} is 5 s", f"{subject} is 30 s")
        run = self.memory.remember_many
        return Operation("remember_many", lambda: run({"content": text} for text in texts), new=texts)

    def _rule(self) -> Operation:
        text = self.text()
        run = self.memory.remember
        return Operation("remember", lambda: run(text, invariant=True), new=(text,))

    def _supersede(self) -> Operation | None:
        if not (choices := recallable(self.memory)):
            return None
        id, text = self.random.choice(choices).id, self.text()
        return Operation("supersede", lambda: self.memory.supersede(id, text), new=(text,), events=3)

    def _look(self) -> Operation | None:
        if not self.memory.to_compare():
            return None
        return Operation("look", lambda: self.memory.find_contradictions())

    def _resolve(self) -> Operation | None:
        # Only read: asking the memory itself would look, and that is an operation of its own.
        if not (choices := truth.contradictions(self.memory.store, self.memory.context.space)):
            return None
        one, keep = self.random.choice(choices), self.random.choice("AB")
        return Operation("resolve", lambda: self.memory.resolve(one.id, keep=keep), events=3)

    def _confirm(self) -> Operation | None:
        """A person says no, or what holds instead."""
        if not (choices := [record for record in recallable(self.memory) if record.invariant]):
            return None
        id, text, run = self.random.choice(choices).id, self.text(), self.memory.confirm
        if self.random.random() < 0.5:
            return Operation("confirm", lambda: run(id, "no"), {id: ""}, events=2)
        return Operation("confirm", lambda: run(id, "change", text=text), new=(text,), events=4)

    def _hygiene(self) -> Operation | None:
        if not self.memory.hygiene(dry_run=True).moves:
            return None
        return Operation("hygiene", lambda: self.memory.hygiene())

    def _session_end(self) -> Operation | None:
        if not self.memory.hygiene(dry_run=True).moves:
            return None
        name = f"s{self.random.randrange(SESSIONS)}"
        return Operation("session_end", lambda: self.memory.end_session(name))

    def _harvest(self) -> Operation:
        words = [self.text().split()[:3] for _ in range(FEW)]
        text = "# Notes\n" + "".join(f"\n## {one}\n\nThe {two} is kept in the {three}.\n" for one, two, three in words)
        path = self._file("notes.md", text)
        new = tuple(fact.text for fact in facts(text, path))
        return Operation("harvest", lambda: self.memory.harvest([path]), new=new)

    def _vault_read(self) -> Operation:
        texts = tuple(self.text() for _ in range(FEW))
        rows = (f"- {text}\n  <!-- id: v-{self.random.getrandbits(40):x} | created: {LONG_AGO} -->" for text in texts)
        path = self._file("continuity.md", "\n".join(rows) + "\n")
        folder, run = os.path.dirname(path), self.memory.read_vault
        return Operation("vault_read", lambda: run(folder), new=texts, events=FEW)

    def _file(self, name: str, text: str) -> str:
        """A file in a folder of its own, beside the exports."""
        folder = os.path.join(os.path.dirname(self.exports[0].path), f"f{self.random.getrandbits(40):010x}")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


def _original(memory: treering.Treering, id: str) -> str:
    from treering.core.codec import data_of

    _, data = data_of(memory.history(id)[0])
    return str(data["content"])


def after(before: Mapping[str, str], operation: Operation) -> dict[str, str]:
    """What memories that were there before say once the operation is done."""
    changed: dict[str, str | None] = {**before, **operation.becomes}
    return {id: text for id, text in changed.items() if text is not None}
