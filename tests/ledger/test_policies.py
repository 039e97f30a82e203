"""The three policies at work, one after the other and in any order; hygiene twice is hygiene once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ageing import DAY, Aged, pass_rings
from tests.world import NOON, SECOND, picture
from treering.ledger.ageing import POLICIES, Limits
from treering.ledger.config import Config
from treering.ledger.types import TRANSITIONS, move_of
from treering.ledger.verify import verify
from treering.stores.port.ledger import EventQuery


@pytest.fixture
def world() -> Aged:
    return Aged()


class TestAge:
    def test_room_is_made_once_a_day_and_for_five_at_a_time(self, world: Aged) -> None:
        """The oldest first, until there are twenty."""
        notes = [world.memory.remember("x", at=(NOON + number * SECOND) / SECOND) for number in range(28)]
        world.pass_(hours=2)
        world.settings(decay="age")
        for left in (23, 18):
            report = world.run()
            archived = [note.id for note in world.memory.list(status="archived")]
            assert sorted(archived) == sorted(note.id for note in notes[: 28 - left])
            assert report.counts["archived"] == 5
            assert world.run().moves == ()
            world.pass_(days=1)
        assert world.run().moves == ()

    def test_a_day_ends_at_midnight(self, world: Aged) -> None:
        """In UTC, whoever looks."""
        for _ in range(30):
            world.memory.remember("x")
        world.settings(decay="age")
        midnight = (NOON // DAY + 1) * DAY
        world.time = midnight - SECOND
        assert world.run().counts["archived"] == 5
        world.time = midnight - 1
        assert world.run().moves == ()
        world.time = midnight
        assert world.run().counts["archived"] == 5

    def test_a_run_of_today_that_made_no_room_does_not_keep_the_next_from_it(self, world: Aged) -> None:
        """Only making room counts."""
        for _ in range(20):
            world.memory.remember("x")
        world.pass_(hours=2)
        assert world.run("age").counts == {"active": 20}
        world.memory.remember("one too many")
        assert world.run().counts == {"archived": 5}

    def test_another_machine_with_a_wrong_clock_does_not_let_room_be_made_twice(self) -> None:
        """Its run of a day that is yet to come is not the last one of today."""
        ahead, world = Aged(seed=1), Aged(seed=2)
        ahead.time += 10_000 * DAY
        for one in (ahead, world):
            for number in range(30):
                one.memory.remember(f"note{number}")
            assert one.run("age").counts["archived"] == 5
        world.memory.ledger.take_in(list(ahead.memory.store.events()))
        assert "archived" not in world.run().counts

    def test_undoing_the_run_lets_room_be_made_again(self, world: Aged) -> None:
        """An undone run did not happen."""
        for _ in range(21):
            world.memory.remember("x")
        report = world.run("age")
        world.memory.undo(report.event)
        assert world.run().counts["archived"] == 5

    def test_what_was_archived_to_make_room_is_forgotten_after_ninety_days(self, world: Aged) -> None:
        """Not before it has been unused for as long."""
        for _ in range(21):
            world.memory.remember("x")
        world.run("age")
        world.pass_(days=90)
        assert "forgotten" not in world.run().counts
        world.time += 1
        assert world.run().counts["forgotten"] == 5

    def test_a_store_made_without_dates_of_use_ages_from_its_dates(self, world: Aged) -> None:
        """An import has none: the first run goes by when each thing happened."""
        for days in (10, 59, 61, 400):
            world.memory.remember("x", at=(NOON - days * DAY) / SECOND)
        assert all(memory.accessed == 0 for memory in world.memory.list())
        world.run("age")
        assert [memory.status for memory in world.memory.list()] == ["active", "active", "archived", "archived"]


class TestSessions:
    def test_a_memory_is_archived_by_the_twenty_first_ring(self, world: Aged) -> None:
        """After its own."""
        note = world.memory.remember("x", session="first")
        world.settings(decay="sessions")
        pass_rings(world, 20)
        world.run()
        assert world.status(note) == "active"
        pass_rings(world, 1)
        world.pass_(hours=1)
        world.memory.remember("one more", session="the last")
        world.run()
        assert world.status(note) == "archived"

    def test_the_tier_follows_the_rings(self, world: Aged) -> None:
        """Working, active, archive-candidate."""
        note = world.memory.remember("x", session="first")
        world.settings(decay="sessions")
        seen = []
        for number in range(21):
            seen.append(world.memory.scores(note)["tier"])
            world.pass_(hours=1)
            world.memory.remember("y", session=f"ring-{number}")
        assert seen == ["working"] * 4 + ["active"] * 7 + ["archive-candidate"] * 10

    def test_hygiene_is_no_ring(self, world: Aged) -> None:
        """Looking through memories does not age them: with the day of a run counted, a second run would find more."""
        early = world.memory.remember("early", session="first")
        world.pass_(hours=1)
        late = world.memory.remember("late", session="second")
        pass_rings(world, 20)
        world.pass_(days=1)
        report = world.run("sessions")
        assert {move.memory.id: move.step.to for move in report.moves}[early.id] == "archived"
        assert world.status(late) == "active"
        assert world.run().moves == ()
        world.pass_(days=1)
        assert world.run().moves == ()

    def test_a_contradiction_is_no_ring(self, world: Aged) -> None:
        """It belongs to the session that said so."""
        note = world.memory.remember("The request timeout is 5 seconds", session="first")
        world.pass_(hours=1)
        world.memory.remember("The request timeout is 30 seconds", session="second", project="p")
        assert len(world.memory.truth.contradictions()) == 1
        world.settings(decay="sessions")
        pass_rings(world, 19)
        world.run()
        assert world.status(note) == "active"
        raised = next(iter(world.memory.store.events(EventQuery(kinds=("contradiction.raised.v1",)))))
        assert (raised.session, raised.project) == ("second", "p")

    def test_two_machines_come_to_the_same_result(self) -> None:
        """Each with half of the sessions, and then with all of them, in whichever order they heard of them."""
        one, two = Aged(seed=1), Aged(seed=2)
        note = one.memory.remember("x", session="first")
        for world, name in ((one, "a"), (two, "b")):
            for number in range(12):
                world.pass_(hours=1)
                world.memory.remember("y", session=f"{name}-{number}")
        moves = []
        for world, other in ((one, two), (two, one)):
            world.memory.ledger.take_in(list(other.memory.store.events()))
            world.settings(decay="sessions")
        for world in (one, two):
            world.time = NOON + 100 * DAY if world is one else NOON
            planned = world.memory.maintenance.hygiene(dry_run=True)
            moves.append(sorted((move.memory.id, move.step) for move in planned.moves))
        assert moves[0] == moves[1]
        assert (note.id, "archived") in [(id, step.to) for id, step in moves[0]]

    def test_nothing_is_ever_forgotten(self, world: Aged) -> None:
        """Not after years."""
        world.settings(decay="sessions", forget_days=0, age_forget_days=0)
        world.memory.remember("x")
        pass_rings(world, 30)
        for _ in range(3):
            world.pass_(days=1_000)
            world.run()
        assert {memory.status for memory in world.memory.store.records()} <= {"active", "archived", "created"}


class TestSwitching:
    def test_switching_policy_changes_no_history(self, world: Aged) -> None:
        """Every event that was there stays as it was; only new moves come to it."""
        for number in range(25):
            world.memory.remember(f"fact{number}", session=f"s{number}")
            world.pass_(days=4)
        for policy in (*POLICIES, *POLICIES):
            before = list(world.memory.store.events())
            world.run(policy)
            assert list(world.memory.store.events())[: len(before)] == before
            world.pass_(days=20)
        assert verify(world.memory.ledger.store).problems == ()

    def test_what_one_policy_archived_another_does_not_bring_back(self, world: Aged) -> None:
        """Only use does."""
        note = world.memory.remember("x")
        world.pass_(days=40)
        world.run("half-life")
        for policy in ("age", "sessions"):
            world.run(policy)
            assert world.status(note) == "archived"


_rows = st.fixed_dictionaries(
    {
        "content": st.sampled_from(["red apples", "green pears", "blue plums"]),
        "type": st.sampled_from(["episodic", "semantic", "procedural", "working"]),
        "invariant": st.sampled_from([False, False, False, True]),
        "project": st.sampled_from(["", "p"]),
        "session": st.sampled_from(["", *(f"s{number}" for number in range(25))]),
        "at": st.integers(0, 300).map(lambda days: (NOON - days * DAY) / SECOND),
    }
)


_limits = st.builds(Limits, *[st.sampled_from([0, 1, 30, 90])] * 3, st.integers(0, 4), st.integers(0, 3))


_store = st.lists(_rows, max_size=30)


_quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _random(rows: list[dict[str, Any]], used: list[int], limits: Limits, policy: str, days: float) -> Aged:
    world = Aged()
    world.memory.workspace.config = Config(decay=policy, **limits._asdict())
    notes = world.memory.remember_many(rows)
    for pick in used:
        if notes:
            world.pass_(hours=5)
            world.use(notes[pick % len(notes)])
    world.pass_(days=days)
    return world


_random_args = (
    _store,
    st.lists(st.integers(0, 40), max_size=20),
    _limits,
    st.sampled_from(list(POLICIES)),
    st.sampled_from([0.0, 0.01, 1.0, 7.0, 40.0, 400.0]),
)


@_quick
@given(*_random_args)
def test_hygiene_twice_equals_once(
    rows: list[dict[str, Any]], used: list[int], limits: Limits, policy: str, days: float
) -> None:
    """Under every policy and any limits: the second run finds nothing to do, and writes nothing."""
    world = _random(rows, used, limits, policy, days)
    world.run()
    before = (picture(world.memory.store), list(world.memory.store.events()))
    assert world.run().moves == ()
    assert (picture(world.memory.store), list(world.memory.store.events())) == before
    assert verify(world.memory.ledger.store).problems == ()


@_quick
@given(*_random_args)
def test_hygiene_moves_no_invariant_and_takes_no_step_that_the_table_forbids(
    rows: list[dict[str, Any]], used: list[int], limits: Limits, policy: str, days: float
) -> None:
    """What moved is what the report says, and each move is told on the memory."""
    world = _random(rows, used, limits, policy, days)
    before = picture(world.memory.store)
    report = world.run()
    moved = {move.memory.id: move.step for move in report.moves}
    for id, memory in picture(world.memory.store).items():
        if id not in moved or memory.invariant:
            assert memory == before[id]
            assert id not in moved
        elif moved[id].to == "queue":
            assert memory == before[id]._replace(queued=world.time)
        else:
            assert memory.status == moved[id].to in TRANSITIONS[before[id].status]
            assert move_of(memory.moves[-1]) == (memory.status, world.time, moved[id].rule)


@_quick
@given(*_random_args)
def test_undoing_a_run_restores_every_record(
    rows: list[dict[str, Any]], used: list[int], limits: Limits, policy: str, days: float
) -> None:
    """Exactly, the words of the forgotten included."""
    world = _random(rows, used, limits, policy, days)
    before = picture(world.memory.store)
    report = world.run()
    if report.event:
        world.memory.undo(report.event)
    assert picture(world.memory.store) == before
    assert verify(world.memory.ledger.store).problems == ()
