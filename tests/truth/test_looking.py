"""When contradictions are looked for: not while writing, but before anybody is told what contradicts what."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import treering
from tests.ageing import Aged
from tests.faults.harness import done, fork
from tests.truth.test_contradictions import SPACES, TABS, pairs
from tests.truth.test_truth import QUICK, SLOW, as_of, event_of
from tests.world import fresh, memory_on, picture, store_in_memory
from treering.ledger.errors import ReadOnly
from treering.ledger.events import ENDED, RAISED, UNDONE
from treering.ledger.types import Context
from treering.ledger.verify import verify
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery
from treering.stores.sqlite.store import SqliteStore
from treering.truth import claims
from treering.truth.claims import PORTION

THIRD = "The request timeout is 9 seconds"


@pytest.fixture
def memory() -> Treering:
    return fresh()


def raised(memory: Treering) -> list[str]:
    """What was ever raised, whatever became of it."""
    return [event.id for event in memory.store.events(EventQuery(kinds=(RAISED,)))]


class TestCatchingUp:
    def test_writing_raises_nothing(self) -> None:
        """Whatever is written, and whichever way: it is only noted that it waits."""
        memory = memory_on(store_in_memory(), context=Context(actor="user"))
        rule = memory.remember(SLOW, invariant=True)
        memory.remember_many([{"content": QUICK}, {"content": TABS}])
        memory.supersede(memory.remember("Indent as you like").id, SPACES)
        memory.truth.confirm(rule.id)
        assert raised(memory) == []
        assert memory.truth.to_compare() == len(list(memory.store.events()))
        assert len(memory.truth.contradictions()) == 2

    def test_what_was_looked_at_does_not_wait(self, memory: Treering) -> None:
        """But what was written since does, and is compared with all there is."""
        memory.remember(SLOW)
        assert (memory.truth.to_compare(), memory.truth.contradictions(), memory.truth.to_compare()) == (1, [], 0)
        newer = memory.remember(QUICK)
        assert memory.truth.to_compare() == 1
        assert [one.newer.id for one in memory.truth.contradictions()] == [newer.id]

    def test_looking_comes_to_an_end(self, memory: Treering) -> None:
        """What it raises is itself written, and raises nothing."""
        memory.remember(SLOW)
        memory.remember(QUICK)
        for _ in range(3):
            assert len(memory.truth.contradictions()) == 1
        assert (memory.truth.to_compare(), len(raised(memory))) == (0, 1)

    def test_a_session_that_ends_is_looked_at(self, memory: Treering) -> None:
        """And its end is on record before."""
        memory.remember(SLOW, session="s")
        memory.remember(QUICK, session="s")
        memory.maintenance.end_session("s")
        kinds = [event.kind for event in memory.store.events()]
        assert kinds.index(ENDED) < kinds.index(RAISED)

    def test_one_memory_is_looked_at_when_it_is_asked_about(
        self, memory: Treering, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It alone, where many wait: those wait on."""
        monkeypatch.setattr(claims, "PORTION", 3)
        for text in (SLOW, QUICK, TABS, SPACES):
            memory.remember(text)
        waiting = memory.truth.to_compare()
        (one,) = memory.truth.contradictions(about="1")
        assert one.older.content == SLOW
        assert raised(memory) == [one.id]
        assert memory.truth.to_compare() >= waiting
        assert len(memory.truth.contradictions()) == len(raised(memory)) == 2

    def test_too_much_waits_until_it_is_asked_for(self, memory: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
        """It would take minutes; one memory never does."""
        monkeypatch.setattr(claims, "PATIENCE", 3)
        monkeypatch.setattr(claims, "PORTION", 3)
        for text in (SLOW, QUICK, TABS, SPACES):
            memory.remember(text)
        assert (memory.truth.contradictions(), memory.truth.to_compare()) == ([], 4)
        assert len(memory.truth.contradictions(about="2")) == 1
        assert memory.maintenance.end_session("s").moves == ()
        assert len(raised(memory)) == 1
        assert len(memory.truth.look()) == 1
        assert len(memory.truth.contradictions()) == 2

    def test_as_much_as_patience_allows_is_looked_at(self, memory: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
        """Up to the last one."""
        monkeypatch.setattr(claims, "PATIENCE", 2)
        memory.remember(SLOW)
        memory.remember(QUICK)
        assert len(memory.truth.contradictions()) == 1

    def test_a_rebuild_makes_nothing_wait(self, memory: Treering) -> None:
        """What was raised is in the ledger."""
        memory.remember(SLOW)
        memory.remember(QUICK)
        (one,) = memory.truth.contradictions()
        memory.truth.look()
        memory.ledger.rebuild()
        assert memory.truth.to_compare() == 0
        assert memory.truth.contradictions() == [one]

    def test_a_view_of_the_past_is_not_looked_at(self, tmp_path: Path) -> None:
        """It can only be read: what nobody had raised then is not raised now."""
        world = Aged(SqliteStore(str(tmp_path / "treering.db")))
        for text in (SLOW, QUICK, TABS):
            world.memory.remember(text)
        before = list(world.memory.store.events())
        past = as_of(world, world.time)
        assert (past.read_only, world.memory.read_only) == (True, False)
        assert past.truth.contradictions(all=True) == past.truth.contradictions(about="1") == []
        for again in (False, True):
            with pytest.raises(ReadOnly):
                past.truth.look(again=again)
        assert list(world.memory.store.events()) == before
        assert world.memory.ledger.store.looked() == {}
        world.pass_(days=1)
        (one,) = world.memory.truth.contradictions()
        assert past.truth.contradictions(all=True) == []
        assert as_of(world, world.time).truth.contradictions() == [one]


class TestFinding:
    def merged(self) -> tuple[Treering, list[str]]:
        """Two machines that contradict each other, and hear of each other."""
        one, two = memory_on(store_in_memory(), seed=1), memory_on(store_in_memory(), seed=2)
        ids = [one.remember(SLOW).id, two.remember(QUICK).id]
        assert one.truth.contradictions() == two.truth.contradictions() == []
        one.ledger.take_in(list(two.store.events()))
        return one, ids

    @pytest.mark.parametrize("again", (False, True))
    def test_what_came_with_a_merge_is_looked_at(self, again: bool) -> None:
        """As what was written here is; and looking twice raises nothing more."""
        memory, ids = self.merged()
        assert memory.truth.look(again=again) == raised(memory)
        assert {one for pair in pairs(memory.truth.contradictions()) for one in pair} == set(ids)
        assert memory.truth.look(again=again) == []
        assert len(memory.truth.contradictions()) == 1

    def test_what_came_with_a_merge_is_told_without_being_looked_for(self) -> None:
        """Whoever asks what contradicts what."""
        memory, ids = self.merged()
        assert {one for pair in pairs(memory.truth.contradictions()) for one in pair} == set(ids)

    def test_a_pair_is_raised_once_whatever_became_of_it(self, memory: Treering) -> None:
        """Resolved, or undone by somebody who says that it was none."""
        for text in (SLOW, QUICK, TABS, SPACES):
            memory.remember(text)
        one, two = memory.truth.contradictions()
        memory.truth.resolve(one.id, keep="both")
        memory.undo(two.id)
        assert memory.truth.look(again=True) == []
        assert memory.truth.contradictions() == []

    def test_what_is_undone_is_not_looked_at(self, memory: Treering) -> None:
        """It was never there; once it is back, it is looked at."""
        memory.remember(SLOW)
        memory.undo(memory.remember(QUICK).id)
        assert memory.truth.contradictions(all=True) == []
        memory.undo(event_of(memory, UNDONE))
        assert len(memory.truth.contradictions()) == 1

    def test_what_was_forgotten_is_looked_at_once_it_is_back(self, memory: Treering) -> None:
        """Though it was written long before."""
        memory.remember(SLOW)
        quick = memory.forget(memory.remember(QUICK).id)
        assert memory.truth.contradictions(all=True) == []
        memory.restore(quick.id)
        assert len(memory.truth.contradictions()) == 1

    def test_what_two_machines_resolved_each_another_way_stands_again(self) -> None:
        """Each side superseded the other, and neither would be told: somebody has to say it once more."""
        one, other = memory_on(store_in_memory(), seed=1), memory_on(store_in_memory(), seed=2)
        slow, quick = one.remember(SLOW), one.remember(QUICK)
        (found,) = one.truth.contradictions()
        other.ledger.take_in([*one.store.events()])
        one.truth.resolve(found.id, keep="A")
        other.truth.resolve(found.id, keep="B")
        one.ledger.take_in([event for event in other.store.events() if event.writer == other.store.writer])
        assert [one.get(id).status for id in (slow.id, quick.id)] == ["superseded", "superseded"]
        assert [standing.id for standing in one.truth.contradictions()] == [found.id]
        one.truth.resolve(found.id, keep="B")
        assert [one.get(id).status for id in (slow.id, quick.id)] == ["superseded", "created"]
        assert one.truth.contradictions() == [] and verify(one.ledger.store).problems == ()

    def test_what_two_machines_raised_is_one(self) -> None:
        """Resolving it once is enough, on both."""
        one, other = memory_on(store_in_memory(), seed=1), memory_on(store_in_memory(), seed=2)
        one.remember(SLOW)
        one.remember(QUICK)
        other.ledger.take_in([*one.store.events()])
        assert len(one.truth.contradictions()) == len(other.truth.contradictions()) == 1
        one.ledger.take_in([event for event in other.store.events() if event.writer == other.store.writer])
        (found,) = one.truth.contradictions()
        one.truth.resolve(found.id, keep="both")
        assert one.truth.contradictions() == []

    def test_what_is_purged_is_not_looked_at(self, memory: Treering) -> None:
        """There is nothing to look at."""
        memory.remember(SLOW)
        memory.purge(memory.remember(QUICK).id)
        assert memory.truth.look() == []

    def test_every_space_is_looked_at_within_its_walls(self) -> None:
        """From wherever one looks; what is raised is told in its own space alone."""
        store = store_in_memory()
        here, there = memory_on(store), memory_on(store, context=Context("elsewhere"))
        here.remember(SLOW)
        there.remember(QUICK)
        there.remember(THIRD)
        (id,) = here.truth.look()
        (event,) = store.events(EventQuery(ids=(id,)))
        assert event.space == "elsewhere"
        assert here.truth.contradictions(all=True) == []
        assert [one.id for one in there.truth.contradictions()] == [id]

    def test_many_are_looked_at_in_portions(self, memory: Treering) -> None:
        """And nothing between two portions is missed; progress is told."""
        known = memory.remember(SLOW)
        rows = [{"content": f"filler{number}"} for number in range(2 * PORTION)]
        made = memory.remember_many([*rows, {"content": QUICK}])
        told: list[int] = []
        assert len(memory.truth.look(progress=told.append)) == 1
        assert told == [PORTION, 2 * PORTION, 2 * PORTION + 2]
        assert pairs(memory.truth.contradictions()) == [(known.id, made[-1].id)]

    def test_a_look_that_is_interrupted_goes_on_where_it_stopped(self, memory: Treering) -> None:
        """What was raised until then stays, and is not looked at again."""
        memory.remember_many([{"content": SLOW}, {"content": QUICK}])
        memory.remember_many({"content": f"filler{number}"} for number in range(2 * PORTION))
        memory.remember_many([{"content": TABS}, {"content": SPACES}])
        with pytest.raises(KeyboardInterrupt):
            memory.truth.look(progress=_interrupted)
        first = raised(memory)
        assert len(first) == 1
        assert memory.ledger.store.looked() == {memory.store.writer: PORTION}
        assert memory.truth.to_compare() == PORTION + 4 + len(first)
        second = memory.truth.look()
        assert raised(memory) == [*first, *second]
        assert len(second) == 1

    def test_a_portion_that_fails_is_looked_at_again(self, memory: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
        """All of it is written, or nothing."""
        memory.remember(SLOW)
        memory.remember(QUICK)
        before = (picture(memory.store), list(memory.store.events()))
        store = memory.ledger.store
        with monkeypatch.context() as patched:
            patched.setattr(store, "look_on", _interrupted)
            with pytest.raises(KeyboardInterrupt):
                memory.truth.contradictions()
        assert (picture(memory.store), list(memory.store.events())) == before
        assert (store.looked(), memory.truth.to_compare()) == ({}, 2)
        assert len(memory.truth.contradictions()) == 1


class TestTogether:
    def test_two_that_take_turns_raise_a_pair_once(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each has looked at what the other was about to look at."""
        monkeypatch.setattr(claims, "PORTION", 1)
        with treering.open(tmp_path) as one, treering.open(tmp_path) as two:
            for text in (SLOW, QUICK, TABS, SPACES):
                one.remember(text)
            found: list[str] = []
            one.truth.look(progress=lambda _: found.extend(two.truth.look()))
            assert found
            assert len(raised(one)) == 2
            assert one.truth.contradictions() == two.truth.contradictions()
            assert one.truth.look(again=True) == []

    def test_processes_that_look_at_once_raise_a_pair_once(self, tmp_path: Path) -> None:
        """While others write: nothing is missed, and nobody is turned away."""
        with treering.open(tmp_path) as memory:
            for text in (SLOW, QUICK, TABS, SPACES):
                memory.remember(text)
        looking = [fork(partial(_on, tmp_path, _look)) for _ in range(3)]
        writing = [fork(partial(_on, tmp_path, partial(_write, name=name))) for name in range(2)]
        assert done(*looking, *writing)
        with treering.open(tmp_path) as memory:
            assert len(memory.truth.contradictions()) == len(raised(memory)) == 2 + 2
            assert memory.truth.look(again=True) == []
            assert verify(memory.ledger.store).clean


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def _on(home: Path, work: Callable[[Treering], object]) -> None:
    with treering.open(home) as memory:
        work(memory)


def _look(memory: Treering) -> None:
    for _ in range(5):
        memory.truth.contradictions()


def _write(memory: Treering, name: int) -> None:
    """Two that contradict each other, and nothing of another's."""
    subject = ("database", "gateway")[name]
    for days in (3, 14):
        memory.remember(f"The {subject} certificate is kept for {days} days")
