"""Usage: how often a memory was shown and what came of it; what was said can be taken back."""

from __future__ import annotations

import pytest

from tests.evolve.test_feedback import FACT
from tests.evolve.worn import World
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.events import JUDGED, RECALLED, TURNED_OUT, UNDONE
from treering.ledger.types import Context, Memory


@pytest.fixture
def fact(world: World) -> Memory:
    return world.memory.remember(FACT)


class TestUndoing:
    def test_a_judgement_can_be_undone_and_brought_back(self, world: World, fact: Memory) -> None:
        """The others stay."""
        world.judge(fact, "not_helpful", 2)
        judgement = world.events(JUDGED)[0]
        undone = world.memory.undo(judgement.id)
        assert world.now(fact).q == pytest.approx(0.45)
        world.memory.undo(undone.event.id)
        assert world.now(fact).q == pytest.approx(0.405)
        assert world.rebuilt()[fact.id].q == world.now(fact).q

    def test_what_was_undone_can_be_judged_anew(self, world: World, fact: Memory) -> None:
        """It is not taken for said."""
        (recall,) = world.judge(fact, "helpful")
        world.memory.undo(world.events(JUDGED)[0].id)
        assert world.memory.feedback(recall, fact.id, "helpful").q == pytest.approx(0.55)

    def test_a_verdict_replaces_all_that_was_said_before(self, world: World, fact: Memory) -> None:
        """Also what somebody has brought back."""
        recall = world.show(fact)
        for verdict in ("helpful", "not_helpful"):
            world.memory.feedback(recall, fact.id, verdict)
        world.memory.undo(world.events(UNDONE)[0].id)
        assert world.memory.feedback(recall, fact.id, "partially_helpful").q == pytest.approx(0.5)

    def test_undoing_an_outcome_takes_back_what_each_memory_had_of_it(self, world: World, fact: Memory) -> None:
        """The judgements rest on it."""
        other = world.memory.remember("Deploy from the main branch at noon")
        world.show(fact, "deploy main branch", session="one")
        before = (world.now(fact), world.now(other))
        world.memory.evolve.outcome("one", "success")
        world.memory.undo(world.events(TURNED_OUT)[0].id)
        assert (world.now(fact), world.now(other)) == before

    def test_a_session_that_is_revoked_has_judged_nothing(self, world: World, fact: Memory) -> None:
        """Neither what it said nor what others said of its recalls."""
        hostile = world.seen_by(Context(session="hostile"))
        recall = hostile.recall(FACT, silent=False).id
        hostile.feedback(recall, fact.id, "not_helpful")
        again = hostile.recall(FACT, silent=False).id
        world.memory.feedback(again, fact.id, "not_helpful")
        assert world.now(fact).q == pytest.approx(0.405)
        world.memory.revoke(session="hostile")
        assert world.now(fact).q == 0.5
        assert world.memory.evolve.usage(fact.id) == []


class TestUsage:
    def test_each_recall_that_showed_it_is_told_newest_first(self, world: World, fact: Memory) -> None:
        """With time, outcome, what was asked, where, and at which rank."""
        other = world.memory.remember("Penguins live in the zoo of Lyon")
        first = world.show(fact, "deploy from the main branch", session="one", project="p")
        world.pass_(hours=1)
        second = world.memory.recall("main branch only", 5, silent=False).id
        world.memory.recall("penguins", 1, silent=False)
        world.memory.feedback(second, fact.id, "helpful")
        newest, oldest = world.memory.evolve.usage(fact.id)
        assert (newest.recall, newest.outcome, newest.context, newest.by) == (
            second,
            "helpful",
            "main branch only",
            "explicit",
        )
        assert (oldest.recall, oldest.outcome, oldest.session, oldest.project) == (first, "", "one", "p")
        assert newest.time - oldest.time == 3_600_000_000
        assert (oldest.rank, oldest.context) == (1, "deploy from the main branch")
        assert world.memory.evolve.usage(fact.id, 1) == [newest]
        assert world.memory.evolve.usage(other.id)[0].context == "penguins"

    def test_a_use_whose_session_ended_well_says_so_but_counts_only_once(self, world: World, fact: Memory) -> None:
        """Three recalls, one judgement, and three uses that were followed by success."""
        for _ in range(3):
            world.show(fact, session="one")
        world.memory.evolve.outcome("one", "success")
        uses = world.memory.evolve.usage(fact.id)
        assert [use.outcome for use in uses] == ["success"] * 3
        assert len([use for use in uses if use.judgement]) == 1

    def test_what_left_no_trace_is_no_use(self, world: World, fact: Memory) -> None:
        """Nor is what has been undone."""
        world.memory.recall(FACT, log=False)
        recall = world.show(fact)
        world.memory.undo(recall)
        assert world.memory.evolve.usage(fact.id) == []
        assert world.memory.evolve.usage(fact.id, 7) == []

    def test_unknown_memories_and_senseless_limits_are_refused(self, world: World, fact: Memory) -> None:
        """As everywhere."""
        with pytest.raises(NotFound):
            world.memory.evolve.usage("nobody-1")
        with pytest.raises(InvalidInput):
            world.memory.evolve.usage(fact.id, -1)

    def test_the_uses_of_one_memory_and_of_all_are_counted_alike(self, world: World) -> None:
        """In one pass or one by one."""
        from treering.ledger.usage import TOLD, record, records

        notes = [
            world.memory.remember(f"{word} Deploy from the main branch") for word in ("Monday", "Tuesday", "Friday")
        ]
        for number, verdict in enumerate(("helpful", "not_helpful", "partially_helpful", "not_helpful")):
            recall = world.memory.recall("deploy main branch", 3, silent=False, session=f"s{number % 2}").id
            world.memory.feedback(recall, notes[number % 3].id, verdict)
        world.memory.evolve.outcome("s0", "failure")
        known = records(world.events(*TOLD, live=True))
        for note in notes:
            assert known[note.id][:3] == record(world.memory.evolve.usage(note.id))[:3]
        assert {one.usage for one in known.values()} == {4}


def test_two_machines_that_judged_one_use_come_to_the_same_q() -> None:
    """Whoever takes in the other's ledger; and what is said anew replaces what both have said."""
    one, two = World(seed=1), World(seed=90)
    fact = one.memory.remember(FACT)
    recall = one.show(fact)
    two.memory.ledger.take_in(list(one.store.events()))
    one.memory.feedback(recall, fact.id, "not_helpful")
    two.pass_(hours=1)
    two.memory.feedback(recall, fact.id, "helpful")
    here, there = list(one.store.events()), list(two.store.events())
    one.memory.ledger.take_in(there)
    two.memory.ledger.take_in(here)
    assert one.now(fact) == two.now(fact)
    for world in (one, two):
        assert [use.outcome for use in world.memory.evolve.usage(fact.id)] == ["helpful"]  # the later word
    assert one.rebuilt() == two.rebuilt()
    assert one.memory.feedback(recall, fact.id, "partially_helpful").q == pytest.approx(0.5)


def test_the_log_names_what_was_shown_and_nothing_of_what_it_said() -> None:
    """A recall's event holds ids, ranks and chances."""
    world = World()
    fact = world.memory.remember(FACT)
    world.show(fact, "which branch")
    (told,) = world.told(RECALLED)
    assert FACT not in str(told)
    assert [(hit["id"], hit["rank"], hit["p"]) for hit in told["hits"]] == [(fact.id, 1, 1.0)]
