"""Candidates: what could be improved, by priority, each with the numbers behind it and what is still missing."""

from __future__ import annotations

import pytest

from tests.evolve.worn import World
from treering.evolve.candidates import PRIORITIES, Candidate
from treering.evolve.rules import CRITERIA
from treering.ledger.errors import InvalidInput
from treering.ledger.types import Context, Memory

FACT = "The staging database is called amber"
RESTART = "Restart the worker with `make restart` after a deploy."
SAME = "After a deploy, restart the worker with `make restart`."
RELEASE = (
    "Run the tests, tag the commit and push the tag",
    "Tag the commit and push the tag after the tests",
    "Push a tag of the commit when the tests are done",
)


def worn(world: World, q: float, usage: int, text: str = FACT, bad: int = 4) -> Memory:
    note = world.memory.remember(text)
    return world.set_q(world.wear(note, usage, min(bad, usage), k=1), q)


def found(world: World, criteria: str = "", limit: int = 0) -> list[Candidate]:
    return world.memory.evolve.candidates(criteria, limit)


class TestLowQ:
    @pytest.mark.parametrize(
        ("q", "usage", "expected"),
        [
            (0.199, 10, [("critical", "deprecate")]),
            (0.2, 10, [("high", "refine")]),
            (0.199, 9, [("high", "refine")]),
            (0.299, 5, [("high", "refine")]),
            (0.3, 5, []),
            (0.299, 4, []),
            (0.0, 0, []),
        ],
    )
    def test_the_numbers_decide_what_is_pressing(
        self, world: World, q: float, usage: int, expected: list[tuple[str, str]]
    ) -> None:
        """At each boundary."""
        worn(world, q, usage)
        assert [(one.priority, one.action) for one in found(world, "low_q")] == expected

    def test_the_numbers_are_told(self, world: World) -> None:
        """And what lacks nothing says so."""
        fact = worn(world, 0.1, 10)
        (one,) = found(world, "low_q")
        assert (one.ids, one.criterion) == ((fact.id,), "low_q")
        assert one.numbers == {"q": 0.1, "usage": 10, "good": 0, "bad": 4}
        assert one.missing == ()

    def test_what_is_missing_is_told(self, world: World) -> None:
        """A pattern of failure, a better text, or a justification."""
        worn(world, 0.1, 10, bad=2)
        (one,) = found(world, "low_q")
        assert "2 of 10 uses were judged bad and 4 must be" in one.missing[0]
        world = World()
        worn(world, 0.25, 5)
        (one,) = found(world, "low_q")
        assert one.missing
        world = World()
        note = world.memory.remember(FACT, invariant=True)
        world.set_q(world.wear(note, 10, 10), 0.1)
        (one,) = found(world, "low_q")
        assert "an invariant" in one.missing[0]

    def test_the_worst_come_first(self, world: World) -> None:
        """Within a priority, by Q."""
        texts = ("Penguins live in the zoo", "Rotate the api keys", "Water the office plants", "Feed the office dog")
        for text, q in zip(texts, (0.15, 0.05, 0.1, 0.12), strict=True):
            worn(world, q, 10, text)
        assert [one.numbers["q"] for one in found(world, "low_q")] == [0.05, 0.1, 0.12, 0.15]

    def test_what_is_out_of_sight_is_no_candidate(self, world: World) -> None:
        """It has been dealt with."""
        fact = worn(world, 0.1, 10)
        world.memory.evolve.deprecate(fact.id, reason="x")
        assert found(world) == []


class TestStale:
    def test_ninety_days_make_a_candidate(self, world: World) -> None:
        """Not a moment less."""
        fact = world.memory.remember(FACT)
        world.pass_(days=90)
        world.time -= 1
        assert found(world, "stale") == []
        world.time += 1
        (one,) = found(world, "stale")
        assert (one.ids, one.priority, one.action, one.missing) == ((fact.id,), "medium", "archive", ())
        assert one.numbers == {"idle_days": 90.0, "accesses": 0}

    def test_the_longest_idle_come_first(self, world: World) -> None:
        """However they were remembered."""
        for day, text in ((3, "Penguins"), (1, "Plants"), (9, "Keys"), (5, "Doors")):
            world.memory.remember(f"{text} are counted every month", at=f"2025-06-0{day}")
        world.pass_(days=1)
        days = [one.numbers["idle_days"] for one in found(world, "stale")]
        assert days == sorted(days, reverse=True)
        assert len(days) == 4

    def test_what_is_archived_or_used_is_not_stale(self, world: World) -> None:
        """Any more."""
        gone, used = world.memory.remember(FACT), world.memory.remember("Penguins live in the zoo")
        world.pass_(days=90)
        world.memory.evolve.archive(gone.id)
        world.show(used, k=1)
        assert found(world, "stale") == []


class TestSimilarPairs:
    def test_two_that_say_the_same_are_a_pair(self, world: World) -> None:
        """Ready to be merged once one of them has been used five times; until then it is of low priority."""
        one, other = world.memory.remember(RESTART), world.memory.remember(SAME)
        world.memory.remember("After a deploy, restart the worker with `make stop`.")
        (pair,) = found(world, "similar_pairs")
        assert (set(pair.ids), pair.priority, pair.action) == ({one.id, other.id}, "low", "merge")
        assert "usage is 0 and must be at least 5" in pair.missing[0]
        world.wear(one, 5, 0, k=1)
        (pair,) = found(world, "similar_pairs")
        assert (pair.priority, pair.missing) == ("medium", ())
        assert pair.numbers["likeness"] > 0.95
        assert pair.numbers["usage"] == 5

    @pytest.mark.parametrize(
        "row", [{"type": "procedural"}, {"project": "p"}, {"session": "s", "scope": "session"}], ids=str
    )
    def test_types_and_walls_part_them(self, world: World, row: dict[str, str]) -> None:
        """What could not be merged is no candidate."""
        world.memory.remember(RESTART)
        world.memory.remember(SAME, **row)  # type: ignore[arg-type]
        assert found(world, "similar_pairs") == []

    def test_what_is_out_of_sight_is_in_no_pair(self, world: World) -> None:
        """Forgotten, or merged already."""
        one, other = world.memory.remember(RESTART), world.memory.remember(SAME)
        world.wear(one, 5, 0, k=1)
        world.memory.evolve.merge(one.id, other.id)
        assert found(world, "similar_pairs") == []

    def test_new_memories_are_looked_at_without_a_recall(self, world: World) -> None:
        """They are made ready first."""
        world.memory.remember(RESTART)
        world.memory.remember(SAME)
        assert len(found(world, "similar_pairs")) == 1


class TestUnlinkedProcesses:
    def test_three_that_do_the_same_are_a_candidate(self, world: World) -> None:
        """Two are not."""
        row = {"type": "procedural", "trigger": "when making a release"}
        ids = [world.memory.remember(text, **row).id for text in RELEASE[:2]]  # type: ignore[arg-type]
        assert found(world, "unlinked_processes") == []
        ids.append(world.memory.remember(RELEASE[2], **row).id)  # type: ignore[arg-type]
        world.memory.remember("Water the plants", type="procedural", trigger="when it is hot in the office")
        (one,) = found(world, "unlinked_processes")
        assert (set(one.ids), one.priority, one.action) == (set(ids), "low", "induce")
        assert one.numbers["processes"] == 3

    def test_what_has_been_proposed_is_linked(self, world: World) -> None:
        """Until the proposal is undone."""
        row = {"type": "procedural", "trigger": "when making a release"}
        ids = [world.memory.remember(text, **row).id for text in RELEASE]  # type: ignore[arg-type]
        proposed = world.memory.proposals.induce(*ids)
        assert found(world, "unlinked_processes") == []
        world.memory.undo(proposed.event)
        assert len(found(world, "unlinked_processes")) == 1

    def test_walls_part_them(self, world: World) -> None:
        """Processes of three projects are no skill of any."""
        for text, project in zip(RELEASE, "pqr", strict=True):
            world.memory.remember(text, type="procedural", trigger="when making a release", project=project)
        assert found(world, "unlinked_processes") == []


class TestAll:
    def planted(self, world: World) -> None:
        world.memory.remember("Water the office plants", at="2025-01-01")
        world.memory.remember(RESTART)
        world.memory.remember(SAME)
        for text in RELEASE:
            world.memory.remember(text, type="procedural", trigger="when making a release")
        worn(world, 0.25, 6, "Penguins live in the zoo of Lyon")
        worn(world, 0.1, 12)

    def test_they_come_by_priority(self, world: World) -> None:
        """The most pressing first, of every criterion."""
        self.planted(world)
        priorities = [one.priority for one in found(world)]
        assert priorities == sorted(priorities, key=PRIORITIES.index)
        assert {one.criterion for one in found(world)} == set(CRITERIA)
        assert priorities[0] == "critical"

    @pytest.mark.parametrize("criteria", CRITERIA)
    def test_one_criterion_is_that_part_of_all(self, world: World, criteria: str) -> None:
        """In the same order."""
        self.planted(world)
        assert found(world, criteria) == [one for one in found(world) if one.criterion == criteria]
        assert found(world, criteria)

    def test_a_limit_takes_the_first(self, world: World) -> None:
        """And none takes all."""
        self.planted(world)
        assert found(world, limit=2) == found(world)[:2]

    def test_looking_changes_nothing(self, world: World) -> None:
        """Whatever is found."""
        self.planted(world)
        before = world.dump()
        found(world)
        assert world.dump() == before

    def test_another_space_is_not_looked_at(self, world: World) -> None:
        """Nor its uses."""
        self.planted(world)
        assert world.seen_by(Context("elsewhere")).evolve.candidates() == []

    def test_what_makes_no_sense_is_refused(self, world: World) -> None:
        """A criterion that there is none of, or a senseless limit."""
        for criteria, limit in (("boring", 0), ("", -1)):
            with pytest.raises(InvalidInput):
                found(world, criteria, limit)
