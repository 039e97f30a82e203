"""Hygiene: every move that is due is made and told, and can be taken back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ageing import DAY, HOUR, Aged, pass_rings, put
from tests.world import Clock, memory_on, picture, store_in_memory
from treering.consolidate import hygiene
from treering.consolidate.hygiene import Report
from treering.ledger import decide
from treering.ledger.ageing import POLICIES, Due, Step, strength
from treering.ledger.config import Config
from treering.ledger.errors import CannotUndo, IllegalMove, InvalidInput
from treering.ledger.events import MOVED, QUEUED, RAN
from treering.ledger.ledger import batches
from treering.ledger.types import Context, move_of
from treering.ledger.verify import verify
from treering.stores.port.ledger import EventQuery


@pytest.fixture
def world() -> Aged:
    return Aged()


class TestMoves:
    def test_created_becomes_active_at_its_first_retrieval(self, world: Aged) -> None:
        """Within its first hour, by the recall alone."""
        note = world.memory.remember("the quick brown fox")
        assert note.status == "created"
        assert world.memory.recall("quick fox", silent=False).hits
        again = world.memory.get(note.id)
        assert (again.status, move_of(again.moves[0]).rule) == ("active", "used")

    def test_looking_without_a_trace_makes_nothing_active(self, world: Aged) -> None:
        """A recall that is not logged is no use."""
        note = world.memory.remember("the quick brown fox")
        assert world.memory.recall("quick fox", silent=False, log=False).hits
        assert world.status(note) == "created"

    def test_created_becomes_active_when_it_is_one_hour_old(self, world: Aged) -> None:
        """And not before."""
        note = world.memory.remember("x")
        world.time = note.created + HOUR - 1
        assert world.run().moves == ()
        world.time += 1
        assert [move.step.rule for move in world.run().moves] == ["grown"]
        assert world.status(note) == "active"

    def test_active_goes_to_the_queue_when_it_was_used_twice_and_has_faded(self, world: Aged) -> None:
        """It stays active; the event has the evidence."""
        note = world.memory.remember("x")
        for _ in range(2):
            world.use(note)
        world.pass_(days=21)
        report = world.run()
        assert report.counts == {"queue": 1}
        again = world.memory.get(note.id)
        assert (again.status, again.queued) == ("active", world.time)
        (said,) = world.events(QUEUED)
        assert said["evidence"] == {"strength": round(strength(again, world.time), 4), "accesses": 2, "idle_days": 21}

    def test_active_is_archived_when_it_was_hardly_used_and_has_faded(self, world: Aged) -> None:
        """With its evidence, the policy and the rule."""
        note = world.memory.remember("x")
        world.pass_(days=1)
        world.run()
        world.pass_(days=20)
        assert world.run().counts == {"archived": 1}
        assert world.status(note) == "archived"
        said = world.events(MOVED)[-1]
        assert (said["from"], said["to"], said["rule"], said["policy"]) == ("active", "archived", "faded", "half-life")
        assert said["evidence"]["idle_days"] == 21

    @pytest.mark.parametrize("status", ("archived", "consolidated"))
    def test_what_was_archived_or_consolidated_is_active_when_it_is_retrieved(self, world: Aged, status: str) -> None:
        """And stays so: it was used today."""
        note = world.memory.remember("the quick brown fox")
        world.pass_(days=1)
        world.run()
        put(world.memory, world.memory.get(note.id), status)
        world.pass_(days=30)
        assert world.memory.recall("quick fox", silent=False).hits
        assert world.status(note) == "active"
        assert world.run().moves == ()

    def test_archived_is_still_found(self, world: Aged) -> None:
        """Below live ones, and never hidden."""
        note = world.memory.remember("the quick brown fox")
        world.pass_(days=40)
        world.run()
        assert world.status(note) == "archived"
        assert [hit.memory.id for hit in world.memory.recall("quick fox", log=False).hits] == [note.id]

    def test_archived_is_forgotten_after_ninety_days(self, world: Aged) -> None:
        """Not a moment earlier; its text is gone, and comes back."""
        note = world.memory.remember("the quick brown fox")
        world.pass_(days=40)
        world.run()
        world.pass_(days=90)
        world.time -= 1
        assert world.run().moves == ()
        world.time += 1
        assert world.run().counts == {"forgotten": 1}
        assert world.memory.get(note.id).content == ""
        assert world.memory.restore(note.id).content == note.content

    def test_with_no_days_in_the_archive_a_faded_memory_is_forgotten_at_once(self, world: Aged) -> None:
        """The seed's bare rule is a setting."""
        note = world.memory.remember("x")
        world.pass_(days=40)
        assert world.run(forget_days=0).counts == {"forgotten": 1}
        assert world.status(note) == "forgotten"

    @pytest.mark.parametrize("days", (0, 90))
    def test_what_is_restored_does_not_fade_again_at_once(self, world: Aged, days: int) -> None:
        """Somebody wants it."""
        note = world.memory.remember("x")
        world.settings(forget_days=days)
        for _ in range(2):
            world.pass_(days=100)
            world.run()
        assert world.status(note) == "forgotten"
        assert world.memory.restore(note.id).status in ("created", "active")
        assert world.run().counts.get("forgotten", 0) == 0
        world.pass_(days=1)
        world.run()
        assert world.status(note) == "active"

    def test_undoing_a_restoring_forgets_again(self, world: Aged) -> None:
        """With all that the restoring did."""
        note = world.memory.remember("x")
        for _ in range(2):
            world.pass_(days=100)
            world.run()
        before = picture(world.memory.store)
        world.memory.restore(note.id)
        restoring = next(iter(world.memory.store.events(EventQuery(kinds=("events.undone.v1",), newest=True))))
        world.memory.undo(restoring.id)
        assert picture(world.memory.store) == before

    def test_what_was_archived_is_restored_as_if_it_had_been_used(self, world: Aged) -> None:
        """The move is undone by name; and twice is once too often."""
        note = world.memory.remember("x")
        world.pass_(days=40)
        world.run()
        back = world.memory.restore(note.id)
        assert (back.status, back.accesses, back.accessed) == ("active", 1, world.time)
        assert [move_of(word).status for word in back.moves] == ["active"]
        with pytest.raises(InvalidInput, match="is active: there is nothing to restore"):
            world.memory.restore(note.id)

    def test_what_never_left_is_not_restored(self, world: Aged) -> None:
        """Neither a new memory nor one that has grown."""
        note = world.memory.remember("x")
        for status in ("created", "active"):
            assert world.status(note) == status
            with pytest.raises(InvalidInput, match=f"is {status}: there is nothing to restore"):
                world.memory.restore(note.id)
            world.pass_(days=1)
            world.run()


class TestRun:
    def test_a_rehearsal_changes_nothing_and_says_what_would_be_done(self, world: Aged) -> None:
        """Every move and why; the run that follows makes just these."""
        for _ in range(3):
            world.memory.remember("x")
        world.pass_(days=40)
        before = (picture(world.memory.store), list(world.memory.store.events()))
        planned = world.memory.maintenance.hygiene(dry_run=True)
        assert (picture(world.memory.store), list(world.memory.store.events())) == before
        made = world.run()
        assert (planned.moves, planned.looked_at, planned.event) == (made.moves, 3, "")
        assert made.event

    def test_a_run_without_moves_writes_nothing(self, world: Aged) -> None:
        """Not even that it ran."""
        world.memory.remember("x")
        before = list(world.memory.store.events())
        assert world.run() == Report("half-life", 1, ())
        assert list(world.memory.store.events()) == before

    def test_undoing_a_run_takes_all_of_its_moves_back(self, world: Aged) -> None:
        """And undoing that makes them again."""
        for _ in range(3):
            world.memory.remember("x")
        world.pass_(days=40)
        before = picture(world.memory.store)
        report = world.run()
        after = picture(world.memory.store)
        undone = world.memory.undo(report.event)
        assert picture(world.memory.store) == before != after
        world.memory.undo(undone.event.id)
        assert picture(world.memory.store) == after

    def test_undoing_one_move_leaves_the_others(self, world: Aged) -> None:
        """Each is an event of its own."""
        one, two = world.memory.remember("x"), world.memory.remember("y")
        world.pass_(days=40)
        world.run()
        move = next(iter(world.memory.store.events(EventQuery(kinds=(MOVED,), subjects=(one.id,)))))
        world.memory.undo(move.id)
        assert (world.status(one), world.status(two)) == ("created", "archived")

    def test_a_run_that_was_undone_while_it_went_on_stops(self, world: Aged, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nothing is moved behind the back of whoever undid it."""
        world.memory.remember("x")
        world.memory.remember("y")
        world.pass_(days=40)

        def undoing(moves: Any) -> Any:
            first, second = moves
            yield [first]
            (run,) = world.memory.store.events(EventQuery(kinds=(RAN,)))
            world.memory.undo(run.id)
            yield [second]

        monkeypatch.setattr(hygiene, "batches", undoing)
        before = picture(world.memory.store)
        with pytest.raises(CannotUndo, match="run it again"):
            world.run()
        assert picture(world.memory.store) == before

    @pytest.mark.parametrize("when", ("before the run is told", "before the first move", "between two portions"))
    def test_what_somebody_used_meanwhile_is_not_moved(
        self, world: Aged, monkeypatch: pytest.MonkeyPatch, when: str
    ) -> None:
        """Between looking and moving others may have come by, at any moment."""
        notes = [world.memory.remember(f"note{number}") for number in range(3)]
        world.pass_(days=40)
        one = world.memory.maintenance.hygiene(dry_run=True).moves[-1].memory  # in the last portion
        plan = hygiene.plan

        def planned(*arguments: Any) -> Report:
            report = plan(*arguments)
            if when == "before the run is told":
                world.use(one)
            return report

        def using(moves: Any) -> Any:
            if when == "before the first move":
                world.use(one)
            for number, batch in enumerate(batches(moves, 1)):
                if number == 1 and when == "between two portions":
                    world.use(one)
                yield batch

        monkeypatch.setattr(hygiene, "plan", planned)
        monkeypatch.setattr(hygiene, "batches", using)
        report = world.memory.maintenance.hygiene()
        assert {move.memory.id for move in report.moves} == {note.id for note in notes} - {one.id}
        assert world.status(one) == "active"
        assert verify(world.memory.ledger.store).problems == ()

    def test_a_run_stays_in_its_space(self) -> None:
        """Spaces never show in one another, nor age one another."""
        store = store_in_memory()
        here, there = Aged(store, 1), Aged(store, 1, Context("elsewhere"))
        note = there.memory.remember("x")
        here.time += 40 * DAY
        assert here.run().looked_at == 0
        assert there.status(note) == "created"

    def test_a_run_goes_through_every_wall_of_its_space(self) -> None:
        """Projects and sessions are walls for recall, not for ageing."""
        world = Aged()
        world.memory.remember("x", project="p")
        world.memory.remember("y", scope="session", session="s")
        world.pass_(days=40)
        assert world.run().counts == {"archived": 2}

    @pytest.mark.parametrize("policy", POLICIES)
    def test_no_policy_touches_what_is_out_of_its_reach(self, world: Aged, policy: str) -> None:
        """Forgotten, superseded, and the other side exits."""
        notes = [world.memory.remember(f"fact {number} about apples") for number in range(5)]
        world.memory.forget(notes[0].id)
        world.memory.supersede(notes[1].id, notes[2].id)
        for note, status in zip(notes[3:], ("quarantined", "deprecated"), strict=True):
            put(world.memory, note, status)
        pass_rings(world, 30)
        world.pass_(days=400)
        before = picture(world.memory.store)
        report = world.run(policy)
        moved = {move.memory.id for move in report.moves}
        assert notes[2].id in moved
        for note in (notes[0], notes[1], notes[3], notes[4]):
            assert note.id not in moved
            assert world.memory.get(note.id) == before[note.id]

    def test_the_end_of_a_session_is_recorded_and_memories_are_looked_through(self, world: Aged) -> None:
        """In the name of that session."""
        note = world.memory.remember("x", session="s")
        world.pass_(hours=2)
        report = world.memory.maintenance.end_session("s")
        assert report.counts == {"active": 1}
        ended, ran, moved = list(world.memory.store.events())[-3:]
        assert [event.kind for event in (ended, ran, moved)] == ["session.ended.v1", RAN, MOVED]
        assert {event.session for event in (ended, ran, moved)} == {"s"}
        assert world.status(note) == "active"

    def test_there_is_no_session_to_end_outside_any(self, world: Aged) -> None:
        """It has to be named, or stood in."""
        with pytest.raises(InvalidInput, match="no session to end"):
            world.memory.maintenance.end_session()
        standing = Aged(context=Context(session="s"))
        standing.memory.maintenance.end_session()
        assert [event.session for event in standing.memory.store.events()] == ["s"]

    def test_progress_is_told(self, world: Aged) -> None:
        """How many have been moved so far."""
        for _ in range(3):
            world.memory.remember("x")
        world.pass_(days=40)
        told: list[int] = []
        world.memory.maintenance.hygiene(progress=told.append)
        assert told == [3]


def test_a_clock_that_goes_on_while_hygiene_runs_changes_nothing() -> None:
    """The moves are later than the moment they were decided on, by the time that they took."""
    clock = Clock()
    memory = memory_on(store_in_memory(), clock)
    for number in range(30):
        memory.remember(f"x {number}")
    for policy in POLICIES:
        memory.workspace.config = Config(decay=policy, forget_days=0)
        clock.time += 100 * DAY
        memory.maintenance.hygiene()
        assert memory.maintenance.hygiene().moves == ()


def test_an_illegal_move_is_refused() -> None:
    """Whoever asks for it: the table holds for hygiene, too."""
    world = Aged()
    note = world.memory.remember("x")
    world.memory.forget(note.id)
    due = Due(world.memory.get(note.id), Step("active", "grown", {}))
    with pytest.raises(IllegalMove):
        decide.moves([due], "age", "run", Context())
    with pytest.raises(IllegalMove):
        decide.leave(world.memory.get(note.id), "gone from its file", Context())
