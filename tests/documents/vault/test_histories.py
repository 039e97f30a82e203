"""Random histories, written to a vault again and again: the files alone always amount to what the ledger holds."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.world import SECOND, Clock, Hashed, memory_on, store_in_memory
from treering.documents.vault.fact import Fact
from treering.documents.vault.folder import rows, segments
from treering.documents.vault.lines import item
from treering.documents.vault.segments import holds_any
from treering.documents.vault.session import parse, render
from treering.documents.vault.state import Entry, entries
from treering.documents.vault.state import replay as lives_in
from treering.documents.vault.vault import read, replay, write
from treering.ledger import decide
from treering.ledger.errors import TreeringError
from treering.ledger.events import PURGED, SURFACED, USED
from treering.ledger.sessions import DAY, happened
from treering.ledger.types import Context, Hit, Memory, Recall, Why, least_trusted, trust_in
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery

_QUICK = "/dev/shm" if os.path.isdir("/dev/shm") else None  # a thousand small files, each of them synced

Step = tuple[Any, ...]
_pick = st.integers(0, 30)
_session = st.sampled_from(["", "monday", "tue: day", "c"])
_project = st.sampled_from(["", "acme", 'p|<!-- "x" -->'])
_text = st.sampled_from(["alpha", "beta word", "# head\n\n- list", "<!-- id: forged -->", "alpha word"])
_at = st.sampled_from([None, None, None, "2025-12-01", "2026-03-01T10:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01"])

STEPS = st.one_of(
    st.tuples(st.just("remember"), _text, _session, _project, _at, st.booleans()),
    st.tuples(st.just("remember"), _text, _session, _project, st.none(), st.just(False)),
    st.tuples(st.just("recall"), _session, _project),
    st.tuples(st.just("recall"), _session, _project),
    st.tuples(st.just("forget"), _pick),
    st.tuples(st.just("restore"), _pick),
    st.tuples(st.just("undo"), _pick),
    st.tuples(st.just("revoke"), _session),
    st.tuples(st.just("purge"), _pick),
    st.tuples(st.just("supersede"), _pick, _pick),
    st.tuples(st.just("merge"), _text, _session),
    st.tuples(st.just("jump"), st.sampled_from([-3 * DAY, 3_600 * SECOND, DAY, 40 * DAY])),
    st.tuples(st.just("sessions"), st.integers(1, 25), _project),
    st.just(("hygiene",)),
    st.tuples(st.just("deprecate"), _pick),
    st.tuples(st.just("refine"), _pick, _text),
    st.tuples(st.just("join"), _pick, st.sampled_from(["", "all of it"])),
    st.just(("evolve",)),
    st.tuples(st.just("by_hand"), _text, _pick),
    st.just(("write",)),
)


class World:
    """A memory whose vault is written now and then, and another one that is merged into it."""

    def __init__(self, folder: str) -> None:
        self.clock = Clock()
        self.memory = memory_on(store_in_memory(), self.clock, seed=1, embedder=Hashed())
        self.other = memory_on(store_in_memory(), self.clock, seed=2, embedder=Hashed())
        self.folder = folder
        self.seen: dict[str, str] = {}
        self.number = 0

    def run(self, step: Step) -> None:
        name, *rest = step
        try:
            getattr(self, "do_" + name)(*rest)
        except TreeringError as error:
            assert name not in ("write", "by_hand"), error

    def do_remember(self, text: str, session: str, project: str, at: str | None, invariant: bool) -> None:
        self.number += 1
        self.memory.remember(
            f"{text} {self.number}",
            session=session,
            project=project,
            at=at,
            invariant=invariant,
            scope="" if self.number % 3 else "session" if session else "user",
            tags=["a,b", "c"] if self.number % 2 else [],
            trigger="when\n- problem: it" if self.number % 4 == 0 else "",
        )

    def do_recall(self, session: str, project: str) -> None:
        self.memory.recall("alpha word", k=3, session=session, project=project, silent=False)

    def do_sessions(self, count: int, project: str) -> None:
        """Time passes: sessions that have nothing to do with what is known."""
        for _ in range(count):
            self.number += 1
            self.memory.remember(f"busy {self.number}", session=f"later {self.number}", project=project)

    def do_forget(self, pick: int) -> None:
        self.some(pick, self.memory.forget)

    def do_restore(self, pick: int) -> None:
        self.some(pick, self.memory.restore)

    def do_purge(self, pick: int) -> None:
        self.some(pick, self.memory.purge)

    def do_undo(self, pick: int) -> None:
        events = list(self.memory.store.events())
        if events:
            self.memory.undo(events[-1 - pick % len(events)].id)

    def do_revoke(self, session: str) -> None:
        self.memory.revoke(session=session)

    def do_supersede(self, old: int, new: int) -> None:
        self.some(old, lambda one: self.some(new, lambda other: self.memory.supersede(one, other, reason="it: is")))

    def do_merge(self, text: str, session: str) -> None:
        self.other.ledger.take_in(list(self.memory.store.events()))
        self.number += 1
        self.other.remember(f"{text} {self.number}", session=session)
        known = sorted(memory.id for memory in self.other.list())
        self.other.forget(known[0])
        self.memory.ledger.take_in(list(self.other.store.events()))

    def do_jump(self, by: int) -> None:
        self.clock.time += by

    def do_hygiene(self) -> None:
        """Much is archived, and some of it forgotten."""
        self.clock.time += 20 * DAY
        self.memory.maintenance.hygiene()

    def do_deprecate(self, pick: int) -> None:
        def act(id: str) -> None:
            shown(self.memory, id, 10, "not_helpful")
            self.memory.evolve.deprecate(id, reason="it: fails", justification="asked", force=True)

        self.some(pick, act)

    def do_refine(self, pick: int, text: str) -> None:
        def act(id: str) -> None:
            shown(self.memory, id, 5, "not_helpful")
            self.number += 1
            words = f"{text} {self.number}"
            self.memory.evolve.refine(id, words, reason="clearer: now", justification="asked", force=True)

        self.some(pick, act)

    def do_join(self, pick: int, text: str) -> None:
        """Somebody says the same again, and one of the two speaks for both, or a new one does."""

        def act(id: str) -> None:
            note = self.memory.get(id)
            walls: dict[str, Any] = {name: getattr(note, name) for name in ("type", "scope", "project", "session")}
            twin = self.memory.remember(f"{note.content}.", sources=[id], trigger=note.trigger, **walls)
            shown(self.memory, id, 5)
            self.number += 1
            words = f"{text} {self.number}" if text else ""
            self.memory.evolve.merge(
                id, twin.id, text=words, reason="the same: twice", justification="asked", force=True
            )

        self.some(pick, act)

    def do_evolve(self) -> None:
        self.clock.time += 95 * DAY
        self.memory.evolve.run()

    def do_by_hand(self, text: str, pick: int) -> None:
        """Somebody writes a session file, which is read and continued."""
        self.number += 1
        os.makedirs(os.path.join(self.folder, "sessions"), exist_ok=True)
        known = [entry.fact.id for entry in entries(lives_in(segments(self.folder))[0])]
        path = Path(self.folder, "sessions", f"2026-01-0{1 + pick % 3}-by-hand-{self.number}.md")
        mentioned = f"- {known[pick % len(known)]}\n" if known else ""
        row = "\n".join(item(f"{text} {self.number}", {"id": f"hand-{self.number}"}))
        path.write_text(f"## Memory References\n### Created\n{row}\n### Referenced\n{mentioned}")
        read(self.memory.ledger, Context(), self.folder, 100_000, mine=True)
        self.do_write()

    def do_write(self) -> None:
        write(self.memory.store, self.folder, "default", self.clock())
        self.check()

    def some(self, pick: int, act: Callable[[str], object]) -> None:
        ids = sorted(memory.id for memory in self.memory.store.records())
        if ids:
            act(ids[pick % len(ids)])

    def check(self) -> None:
        told = entries(lives_in(segments(self.folder))[0])
        assert sorted(_numbers(entry) for entry in told) == expected(self.memory)
        assert replay(self.folder).differences == ()
        assert write(self.memory.store, self.folder, "default", self.clock()).files == ()
        self.never_changed()

    def never_changed(self) -> None:
        """Session files stay as they are; what was purged is in none of them."""
        now = {path.name: path.read_text() for path in Path(self.folder, "sessions").glob("*.md")}
        purged = {event.subject for event in self.memory.store.events(EventQuery(kinds=(PURGED,)))}
        names = {one.id: one.by for segment in segments(self.folder) for one in segment.named}
        purged = {names.get(id, id) for id in purged}
        for name, before in self.seen.items():
            parsed = parse(name, name, before.split("\n"))
            if not holds_any(parsed, purged):
                assert now[name] == before
        for name, text in now.items():
            again = parse(name, name, text.split("\n"))
            if "purged: yes" not in text and "generated: treering" in text:
                assert render(again) == text
            for told in again.created:
                assert told.purged == (told.fact.id in purged)
        self.seen = now


def shown(memory: Treering, id: str, times: int, verdict: str = "") -> None:
    """Let recalls show a memory, and somebody judge it each time."""
    found = Recall("", "alpha", (Hit(memory.get(id), 1.0, Why({}, {}, {})),))
    asked = memory.ledger.commit(lambda: [decide.recalled(found, 1, 1, Context()) for _ in range(times)])
    for event in asked if verdict else ():
        memory.feedback(event.id, id, verdict)


Numbers = tuple[str, int, int, int, bool]


def _numbers(entry: Entry) -> Numbers:
    fact = entry.fact
    return (fact.text, fact.created, entry.last_used, entry.uses, bool(entry.by))


def expected(memory: Treering) -> list[Numbers]:
    """What the ledger says of the same facts, worked out from its records and events alone."""
    told = ("created", "active", "consolidated", "archived", "superseded")
    return sorted(_record(memory, record) for record in memory.store.records() if record.status in told)


def _record(memory: Treering, record: Memory) -> Numbers:
    live = EventQuery(subjects=(record.id,), kinds=(SURFACED, USED), live=True)
    uses = [(e.project, e.session or happened(e) // DAY, happened(e) // SECOND) for e in memory.store.events(live)]
    created = record.created // SECOND
    last = max([created, *(at for *_, at in uses)])
    return (record.content, created, last, len({use[1] for use in uses}), record.status == "superseded")


def stripped(told: list[Entry]) -> list[tuple[Any, ...]]:
    """Entries without their ids: a fact is named by what it says. One that was written by hand comes from its file."""
    texts = {entry.fact.id: entry.fact.text for entry in told}
    return sorted(
        (
            entry.fact._replace(id="", origin=_believed(entry.fact)),
            entry.last_used,
            entry.uses,
            entry.tier,
            texts.get(entry.by, entry.by),
            entry.reason,
        )
        for entry in told
    )


def _believed(fact: Fact) -> str:
    """An origin as a reader takes it over: one that is trusted more than the fact itself is not its own."""
    if least_trusted(trust_in(fact.origin), fact.trust) != trust_in(fact.origin):
        return ""
    return fact.origin.partition("sessions/")[0].removesuffix("document:")


def standing(told: list[Entry]) -> list[Entry]:
    """Those that can be told elsewhere: they hold, or what superseded them in the end does."""
    by = {entry.fact.id: entry.by for entry in told}

    def holds(id: str, steps: int = 0) -> bool:
        return id in by and steps <= len(by) and (not by[id] or holds(by[id], steps + 1))

    return [entry for entry in told if holds(entry.fact.id)]


def check(steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory(dir=_QUICK) as home:
        world = World(os.path.join(home, "vault"))
        for step in steps:
            world.run(step)
        world.run(("write",))
        same_when_written_at_once(world, home)
        comes_back(world, home)
        reading_it_here_adds_nothing(world)


def same_when_written_at_once(world: World, home: str) -> None:
    """However often a vault was written, it says the same."""
    once = os.path.join(home, "once")
    write(world.memory.store, once, "default", world.clock())
    if not any(segment.named for segment in segments(world.folder)):
        for name in ("continuity.md", "archive.md"):
            assert rows(once, name) == rows(world.folder, name)
    assert stripped(entries(lives_in(segments(once))[0])) == stripped(entries(lives_in(segments(world.folder))[0]))


def comes_back(world: World, home: str) -> None:
    """Store, vault, new store, vault: facts, uses, dates, tiers and supersessions are the same, but for the ids."""
    told = entries(lives_in(segments(world.folder))[0])
    new = memory_on(store_in_memory(), world.clock, seed=3, embedder=Hashed())
    context = Context(project="elsewhere", session="now", actor="user")
    done = read(new.ledger, context, world.folder, 100_000, mine=True)
    assert done.added == len(standing(told))
    if done.passed_over:  # then some rings are not told any more
        return
    second = os.path.join(home, "second")
    write(new.store, second, "default", world.clock())
    assert replay(second).equal
    assert stripped(entries(lives_in(segments(second))[0])) == stripped(told)
    before = len([*new.store.events()])
    again = read(new.ledger, context, world.folder, 100_000, mine=True)
    assert (again.added, again.used, again.superseded) == (0, 0, 0)
    assert len([*new.store.events()]) == before


def reading_it_here_adds_nothing(world: World) -> None:
    """The store that wrote a vault knows all that it says."""
    before = len([*world.memory.store.events()])
    read(world.memory.ledger, Context(), world.folder, 100_000)
    assert len([*world.memory.store.events()]) == before


_settings = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    database=None,
)


@settings(_settings, max_examples=50)
@given(st.lists(STEPS, max_size=20))
def test_files_alone_amount_to_what_the_ledger_holds(steps: list[Step]) -> None:
    """Remember, recall, forget, restore, undo, revoke, purge, supersede, deprecate, refine, evolve, machines and
    memories that are merged, wrong clocks, and many writes."""
    check(steps)


@pytest.mark.long
@settings(_settings, max_examples=5_000)
@given(st.lists(STEPS, max_size=60))
def test_many_long_histories(steps: list[Step]) -> None:
    """The same, for longer."""
    check(steps)
