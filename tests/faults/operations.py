"""The kinds of operation that a fault may hit, each with what it will have changed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

import treering
from tests.faults.harness import Export, bring_in, forgotten, live, recallable
from treering.consolidate.rules import grouped
from treering.documents.harvest import facts
from treering.evolve.rules import DEPRECATE_Q, DEPRECATE_USAGE, MERGE_USAGE, to_deprecate
from treering.ledger import decide
from treering.ledger.ageing import HOT
from treering.ledger.clock import format_time as told
from treering.ledger.codec import draft
from treering.ledger.events import JUDGED, RECALLED, SURFACED, TURNED_OUT
from treering.ledger.history import same_words
from treering.ledger.types import Context, Hit, Memory, Recall, Why
from treering.ledger.usage import OUTCOMES, VERDICTS, record, shown_ranks
from treering.skills.proposals.rules import Thresholds
from treering.stores.port.ledger import EventQuery
from treering.truth import claims

KINDS = (
    *("remember", "remember_many", "forget", "restore", "undo", "revoke", "purge", "import", "rebuild", "recall"),
    *("supersede", "look", "resolve", "confirm", "hygiene", "session_end", "harvest", "vault_read"),
    *("feedback", "outcome", "deprecate", "refine", "merge", "evolve"),
    *("mine", "analyze", "accept", "reject", "use_skill"),
    *("submit",),
)
# What makes an operation possible that is not, on a store as it stands.
NEEDS = {
    "restore": "forget",
    "look": "quarrel",
    "resolve": "look",
    "confirm": "rule",
    "hygiene": "old",
    "session_end": "old",
    "feedback": "shown",
    "outcome": "shown",
    "deprecate": "worn",
    "refine": "worn",
    "merge": "twins",
    "evolve": "old",
    "analyze": "reused",
    "accept": "analyze",
    "reject": "analyze",
    "submit": "episodes",
}
LONG_AGO = "2020-01-01"
MANY = 5  # texts of one remember_many
FEW = 2  # facts of a document or a vault: every one of them adds to the calls to the disk that are made to fail
LATEST = 30  # recalls among which one is judged: looking at all of them would take longer than what is tried
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
        needed = [NEEDS.get(kind, "remember_many")]
        while (operation := self._possible(kind)) is None:
            for need in needed:
                yield from self.plan(need)
            if needed[0] in NEEDS:  # what could be done was of no use: the next time it is done with something new
                needed.insert(0, NEEDS[needed[0]])
        yield operation

    def _possible(self, kind: str) -> Operation | None:
        operation: Operation | None = getattr(self, f"_{kind}")()
        return operation

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
        return Operation("undo", lambda: self.memory.undo(id), dict.fromkeys((id, *self._made_of([id]))))

    def _revoke(self) -> Operation | None:
        sessions = sorted({record.session for record in self.memory.store.records() if record.session})
        if not sessions:
            return None
        session = self.random.choice(sessions)
        gone = [record.id for record in self.memory.store.records() if record.session == session]
        gone += self._made_of(gone)
        return Operation("revoke", lambda: self.memory.revoke(session=session), dict.fromkeys(gone))

    def _purge(self) -> Operation | None:
        if not (choices := [*self.memory.store.records()]):
            return None
        ids = [record.id for record in self.random.sample(choices, min(2, len(choices)))]
        # What says the same goes along, as does what sums it up.
        gone = same_words(self.memory.store, ids, self.memory.context.space)
        return Operation("purge", lambda: self.memory.purge(*ids), dict.fromkeys(gone))

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
        if not self.memory.truth.to_compare():
            return None
        return Operation("look", lambda: self.memory.truth.look())

    def _resolve(self) -> Operation | None:
        # Only read: asking the memory itself would look, and that is an operation of its own.
        if not (choices := claims.contradictions(self.memory.store, self.memory.context.space)):
            return None
        one, keep = self.random.choice(choices), self.random.choice("AB")
        return Operation("resolve", lambda: self.memory.truth.resolve(one.id, keep=keep), events=3)

    def _confirm(self) -> Operation | None:
        """A person says no, or what holds instead."""
        if not (choices := [record for record in recallable(self.memory) if record.invariant]):
            return None
        id, text, run = self.random.choice(choices).id, self.text(), self.memory.truth.confirm
        if self.random.random() < 0.5:
            return Operation("confirm", lambda: run(id, "no"), {id: ""}, events=2)
        return Operation("confirm", lambda: run(id, "change", text=text), new=(text,), events=4)

    def _hygiene(self) -> Operation | None:
        if not self.memory.maintenance.hygiene(dry_run=True).moves:
            return None
        return Operation("hygiene", lambda: self.memory.maintenance.hygiene())

    def _session_end(self) -> Operation | None:
        if not self.memory.maintenance.hygiene(dry_run=True).moves:
            return None
        name = f"s{self.random.randrange(SESSIONS)}"
        return Operation("session_end", lambda: self.memory.maintenance.end_session(name))

    def _shown(self) -> Operation:
        """A memory that a recall has shown, and nobody has judged."""
        text = self.text()
        return Operation("remember", lambda: show(self.memory, (text,), 1), new=(text,))

    def _worn(self) -> Operation:
        """A memory that was shown often and never helped."""
        text = self.text()
        return Operation("remember", lambda: show(self.memory, (text,), DEPRECATE_USAGE, "not_helpful"), new=(text,))

    def _twins(self) -> Operation:
        """Two memories that say the same, one of which is used."""
        text = " ".join(self.text().split()[:8])
        texts = (f"{text}!", f"{text}.")  # neither is part of the other: what is purged of one must be gone
        return Operation("remember_many", lambda: show(self.memory, texts, MERGE_USAGE), new=texts)

    def _feedback(self) -> Operation | None:
        if not (choices := self._unjudged()):
            return None
        recall = self.random.choice(choices)
        id, verdict = self.random.choice(sorted(shown_ranks(recall))), self.random.choice(VERDICTS)
        return Operation("feedback", lambda: self.memory.feedback(recall.id, id, verdict), events=1)

    def _outcome(self) -> Operation | None:
        """What a recall led to falls back on each memory that it showed."""
        if not (choices := self._unjudged()):
            return None
        recall, outcome = self.random.choice(choices), self.random.choice(OUTCOMES)
        return Operation(
            "outcome", lambda: self.memory.evolve.outcome(recall.id, outcome), events=1 + len(shown_ranks(recall))
        )

    def _unjudged(self) -> list[treering.Event]:
        """Recalls of which nobody has said anything, and all of what they showed is there."""
        store = self.memory.store
        found = store.events(EventQuery(kinds=(RECALLED,), live=True, newest=True, limit=LATEST))
        judged = (JUDGED, TURNED_OUT)
        return [
            recall
            for recall in found
            if shown_ranks(recall)
            and len(store.several(shown_ranks(recall))) == len(shown_ranks(recall))
            and not any(store.events(EventQuery(ids=tuple(store.effects([recall.id])), kinds=judged, live=True)))
        ]

    def _deprecate(self) -> Operation | None:
        if not (choices := self._failing()):
            return None
        id, run = self.random.choice(choices).id, self.memory.evolve.deprecate
        return Operation("deprecate", lambda: run(id, reason="it fails", force=True), events=1)

    def _refine(self) -> Operation | None:
        if not (choices := self._failing()):
            return None
        id, text, run = self.random.choice(choices).id, self.text(), self.memory.evolve.refine
        return Operation("refine", lambda: run(id, text, reason="better", force=True), new=(text,), events=3)

    def _failing(self) -> list[Memory]:
        """Those of which there is all the evidence that they do not help."""
        return [
            note
            for note in recallable(self.memory)
            if note.q < DEPRECATE_Q and not to_deprecate(note, record(self.memory.evolve.usage(note.id)))
        ]

    def _merge(self) -> Operation | None:
        """With a new text, or without one."""
        told = {note.content: note for note in recallable(self.memory)}
        cut = {text.removesuffix("!"): note for text, note in told.items() if text.endswith("!")}
        twins = [(note, told[f"{text}."]) for text, note in cut.items() if f"{text}." in told]
        both = [pair for pair in twins if len(self.memory.evolve.usage(pair[0].id)) >= MERGE_USAGE]
        if not both:
            return None
        ids, run = [note.id for note in self.random.choice(both)], self.memory.evolve.merge
        if self.random.random() < 0.5:
            return Operation("merge", lambda: run(ids, reason="the same", force=True), events=2)
        text = self.text()
        return Operation("merge", lambda: run(ids, text=text, reason="the same", force=True), new=(text,), events=5)

    def _evolve(self) -> Operation | None:
        """A run that archives what nobody has used for years, and does what else there is evidence for."""
        if not any(note.status in HOT and last_day(note) == LONG_AGO for note in recallable(self.memory)):
            return None
        return Operation("evolve", lambda: self.memory.evolve.run())

    def _harvest(self) -> Operation:
        words = [self.text().split()[:3] for _ in range(FEW)]
        text = "# Notes\n" + "".join(f"\n## {one}\n\nThe {two} is kept in the {three}.\n" for one, two, three in words)
        path = self._file("notes.md", text)
        new = tuple(fact.text for fact in facts(text, path))
        return Operation("harvest", lambda: self.memory.documents.harvest([path]), new=new)

    def _vault_read(self) -> Operation:
        texts = tuple(self.text() for _ in range(FEW))
        rows = (f"- {text}\n  <!-- id: v-{self.random.getrandbits(40):x} | created: {LONG_AGO} -->" for text in texts)
        path = self._file("continuity.md", "\n".join(rows) + "\n")
        folder, run = os.path.dirname(path), self.memory.documents.read_vault
        return Operation("vault_read", lambda: run(folder), new=texts, events=FEW)

    def _mine(self) -> Operation:
        """What the user asked, and how far the transcript was read."""
        asked = f"where is it said that {' '.join(self.text().split()[:8])}?"
        message = {"role": "user", "content": asked}
        row = {"type": "user", "uuid": asked.replace(" ", "-"), "sessionId": "mined", "message": message}
        path = self._file("talk.jsonl", json.dumps(row) + "\n")
        return Operation("mine", lambda: self.memory.captured.mine(path), events=2)

    def _reused(self) -> Operation:
        """A memory that session after session was shown."""
        text = self.text()
        return Operation("remember", lambda: self.memory.together(lambda: reuse(self.memory, text)), new=(text,))

    def _analyze(self) -> Operation | None:
        done = {id for one in self.memory.proposals.list() for id in one.memories}
        able = {one.memory for one in self.memory.proposals.signals().reuse if one.times >= Thresholds().reuse_min}
        if not able.difference(done).intersection(note.id for note in recallable(self.memory)):
            return None
        return Operation("analyze", lambda: self.memory.proposals.analyze())

    def _accept(self) -> Operation | None:
        """A file is written in a folder of its own, and an event."""
        if not (choices := [one for one in self.memory.proposals.list("pending") if one.target]):
            return None  # one that acts on a memory asks for evidence, which time alone brings
        id, root = self.random.choice(choices).id, os.path.dirname(self._file("README.md", "a project"))
        return Operation("accept", lambda: self.memory.proposals.accept(id, root), events=1)

    def _reject(self) -> Operation | None:
        if not (choices := self.memory.proposals.list("pending")):
            return None
        id = self.random.choice(choices).id
        return Operation("reject", lambda: self.memory.proposals.reject(id, "no"), events=1)

    def _use_skill(self) -> Operation:
        name = f"skill-{self.random.getrandbits(40):010x}"
        path = self._file(f"skills/{name}/SKILL.md", f'---\nname: {name}\ndescription: "Use it"\n---\nDo it.\n')
        root = path.partition("/skills/")[0]
        return Operation("use_skill", lambda: self.memory.skills.use(name, root), events=1)

    def _made_of(self, ids: Sequence[str]) -> list[str]:
        """What sums up any of these, was promoted, merged or refined from one, and falls with it."""
        fallen = {*ids}
        for event in self.memory.store.events():  # what an event rests on comes before it
            if not fallen.isdisjoint(event.causes):
                fallen.add(event.id)
        groups = self.memory.maintenance.groups()
        sums = {group.summary for group in groups if group.summary and not fallen.isdisjoint(group.memories)}
        return [record.id for record in self.memory.store.records() if record.id in fallen | sums]

    def _episodes(self) -> Operation:
        """Three episodes of one matter that wait to be summed up."""
        words = " ".join(self.text().split()[:3])
        texts = tuple(f"{word} it was {words}" for word in ("At first", "Later on", "At last"))
        return Operation("remember_many", lambda: queue(self.memory, texts), new=texts)

    def _submit(self) -> Operation | None:
        """A summary: a memory, what it sums up, and a move of each of these."""
        if not (choices := [group for group in self.memory.maintenance.groups() if group.status == "waiting"]):
            return None
        group = self.random.choice(choices)
        words = self.memory.get(group.memories[0]).content.split()[-3:]
        text = f"It was {' '.join(reversed(words))}"  # part of no episode: what is purged of it must be gone
        return Operation(
            "submit",
            lambda: self.memory.maintenance.submit(group.id, text),
            new=(text,),
            events=2 + len(group.memories),
        )

    def _file(self, name: str, text: str) -> str:
        """A file in a folder of its own, beside the exports."""
        folder = os.path.join(os.path.dirname(self.exports[0].path), f"f{self.random.getrandbits(40):010x}")
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


def show(memory: treering.Treering, texts: Sequence[str], times: int, verdict: str = "") -> None:
    """Remember texts, and let recalls show the first of them so many times: all of it, or nothing."""

    def work() -> None:
        note, *_ = memory.remember_many({"content": text} for text in texts)
        # A query stays in the log, whatever is purged.
        query = " ".join(reversed(note.content.split()[:4]))
        found = Recall("", query, (Hit(note, 1.0, Why({}, {}, {})),))
        asked = memory.ledger.commit(lambda: [decide.recalled(found, 1, 1, memory.context) for _ in range(times)])
        for recall in asked if verdict else ():
            memory.feedback(recall.id, note.id, verdict)

    memory.together(work)


def reuse(memory: treering.Treering, text: str) -> None:
    """Remember a text, and let as many sessions be shown it as a proposal takes."""
    note, places = memory.remember(text), (Context(session=f"s{number}") for number in range(Thresholds().reuse_min))
    memory.ledger.commit(lambda: [draft(SURFACED, {"rank": 1}, place, note.id) for place in places])


def queue(memory: treering.Treering, texts: Sequence[str]) -> None:
    """Remember episodes, and put them into the queue: all of it, or nothing."""

    def work() -> None:
        notes = memory.remember_many({"content": text, "type": "episodic"} for text in texts)
        memory.ledger.commit(lambda: [grouped([note.id for note in notes], "topic", memory.context)])

    memory.together(work)


def last_day(note: Memory) -> str:
    """The day on which it was last used."""
    return told(note.used)[:10]


def _original(memory: treering.Treering, id: str) -> str:
    from treering.ledger.codec import data_of

    _, data = data_of(memory.history(id)[0])
    return str(data["content"])


def after(before: Mapping[str, str], operation: Operation) -> dict[str, str]:
    """What memories that were there before say once the operation is done."""
    changed: dict[str, str | None] = {**before, **operation.becomes}
    return {id: text for id, text in changed.items() if text is not None}
