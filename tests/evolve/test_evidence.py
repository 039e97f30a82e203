"""The evidence table at its boundaries: what is just enough is allowed, what is not is refused with its numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.evolve.worn import DAY, World
from treering.evolve import rules
from treering.ledger.errors import InvalidInput, NotEnoughEvidence, TreeringError
from treering.ledger.events import MERGED, MOVED, PROPOSED, SUPERSEDED
from treering.ledger.types import Memory
from treering.ledger.usage import Record

FACT = "Restart the worker with `make restart` after a deploy."


SAME = "After a deploy, restart the worker with `make restart`."


BETTER = "Restart every worker with `make restart` after a deploy."


@pytest.fixture
def world() -> World:
    return World()


def refused(world: World, act: Callable[[], object], *numbers: str) -> None:
    """It is refused for want of evidence, with these words, and nothing has changed."""
    before = world.dump()
    with pytest.raises(NotEnoughEvidence) as error:
        act()
    for words in numbers:
        assert re.search(words, str(error.value)), str(error.value)
    assert len(error.value.missing) == len(numbers)
    assert world.dump() == before


class TestDeprecate:
    def worn(self, world: World, q: float, usage: int, bad: int, good: int = 0) -> Memory:
        return world.set_q(world.wear(world.memory.remember(FACT), usage, bad, good), q)

    @pytest.mark.parametrize(
        ("q", "usage", "bad", "good"), [(0.199, 10, 4, 0), (0.1999999, 10, 10, 0), (0.199, 10, 4, 3), (0.0, 12, 4, 2)]
    )
    def test_just_enough_is_enough(self, world: World, q: float, usage: int, bad: int, good: int) -> None:
        """The event holds the numbers that were looked at."""
        fact = self.worn(world, q, usage, bad, good)
        assert world.memory.evolve.deprecate(fact.id, reason="it keeps failing").status == "deprecated"
        (told,) = world.told(MOVED)
        assert (told["from"], told["to"], told["rule"]) == ("active", "deprecated", "deprecate")
        assert told["evidence"] == {"q": round(q, 4), "usage": usage, "good": good, "bad": bad}
        assert told["reason"] == "it keeps failing"

    @pytest.mark.parametrize(
        ("q", "usage", "bad", "good", "numbers"),
        [
            (0.2, 10, 4, 0, ["Q is 0.2 and must be below 0.2"]),
            (0.199, 9, 3, 0, ["usage is 9 and must be at least 10"]),
            (0.199, 10, 3, 0, ["3 of 10 uses were judged bad and 4 must be"]),
            (0.199, 12, 3, 0, ["3 of 12 uses were judged bad and 4 must be"]),
            (0.199, 13, 4, 0, ["4 of 13 uses were judged bad and 5 must be"]),
            (0.199, 10, 4, 4, ["4 of its uses were judged good and 4 bad"]),
            (0.199, 10, 4, 5, ["5 of its uses were judged good and 4 bad"]),
            (0.5, 0, 0, 0, ["Q is 0.5 ", "usage is 0 ", "0 of 0 uses were judged bad and 3 must be"]),
        ],
    )
    def test_what_is_missing_is_named(
        self, world: World, q: float, usage: int, bad: int, good: int, numbers: list[str]
    ) -> None:
        """Each number, what it is and what it must be; and nothing happens."""
        fact = self.worn(world, q, usage, bad, good)
        refused(world, lambda: world.memory.evolve.deprecate(fact.id, reason="a hunch"), *numbers)

    def test_a_hunch_cannot_be_forced(self, world: World) -> None:
        """Force is about what would be lost, and a justification about what is protected: neither is evidence."""
        fact = self.worn(world, 0.2, 10, 4)
        refused(
            world,
            lambda: world.memory.evolve.deprecate(fact.id, reason="x", force=True, justification="y"),
            "Q is 0.2 ",
        )

    def test_it_needs_a_reason(self, world: World) -> None:
        """In words."""
        fact = self.worn(world, 0.1, 10, 10)
        for nothing in ("", "  "):
            with pytest.raises(InvalidInput, match="needs a reason"):
                world.memory.evolve.deprecate(fact.id, reason=nothing)
        assert world.now(fact) == fact

    def test_uses_that_do_not_count_are_no_evidence(self, world: World) -> None:
        """Undone recalls, looks without a trace, and judgements that were taken back."""
        fact = self.worn(world, 0.1, 10, 3)
        last = world.memory.evolve.usage(fact.id)[0].recall
        world.memory.undo(last)
        world.memory.recall(FACT, log=False)
        refused(world, lambda: world.memory.evolve.deprecate(fact.id, reason="x"), "usage is 9 ")

    def test_what_a_session_came_to_is_no_judgement_of_each_of_its_uses(self, world: World) -> None:
        """Ten uses in one session that failed are one failure."""
        fact = world.memory.remember(FACT)
        for _ in range(10):
            world.show(fact, session="one")
        world.memory.evolve.outcome("one", "failure")
        world.set_q(fact, 0.1)
        refused(world, lambda: world.memory.evolve.deprecate(fact.id, reason="x"), "1 of 10 uses were judged bad")

    def test_it_rests_on_the_judgements(self, world: World) -> None:
        """Undoing one of them, or saying otherwise, takes it back."""
        fact = world.memory.remember(FACT)
        recalls = world.judge(fact, "not_helpful", 10)
        world.memory.evolve.deprecate(fact.id, reason="it keeps failing")
        world.memory.feedback(recalls[4], fact.id, "helpful")
        assert world.now(fact).status == "active"


class TestRefine:
    def worn(self, world: World, q: float, usage: int) -> Memory:
        return world.set_q(world.wear(world.memory.remember(FACT), usage, 0), q)

    @pytest.mark.parametrize(("q", "usage"), [(0.299, 5), (0.2999999, 6), (0.0, 5)])
    def test_just_enough_is_enough(self, world: World, q: float, usage: int) -> None:
        """The event holds the numbers that were looked at, and the improvement."""
        fact = self.worn(world, q, usage)
        new = world.memory.evolve.refine(fact.id, BETTER, reason="all of them")
        assert (new.content, new.q, world.now(fact).status) == (BETTER, 0.5, "superseded")
        (told,) = world.told(SUPERSEDED)
        assert (told["by"], told["rule"], told["reason"]) == (new.id, "refine", "all of them")
        assert told["evidence"] == {"q": round(q, 4), "usage": usage, "good": 0, "bad": 0}

    @pytest.mark.parametrize(
        ("q", "usage", "reason", "numbers"),
        [
            (0.3, 5, "all of them", ["Q is 0.3 and must be below 0.3"]),
            (0.299, 4, "all of them", ["usage is 4 and must be at least 5"]),
            (0.299, 5, "", ["the improvement is not stated"]),
            (0.5, 0, "", ["Q is 0.5 ", "usage is 0 ", "the improvement is not stated"]),
        ],
    )
    def test_what_is_missing_is_named(
        self, world: World, q: float, usage: int, reason: str, numbers: list[str]
    ) -> None:
        """And no new text is left behind."""
        fact = self.worn(world, q, usage)
        refused(world, lambda: world.memory.evolve.refine(fact.id, BETTER, reason=reason), *numbers)
        refused(world, lambda: world.memory.evolve.refine(fact.id, BETTER, reason=reason, force=bool(reason)), *numbers)

    @pytest.mark.parametrize("text", ("", "  \n", FACT, f" {FACT} "))
    def test_the_same_again_or_nothing_is_no_improvement(self, world: World, text: str) -> None:
        """It needs a new text."""
        fact = self.worn(world, 0.1, 5)
        before = world.dump()
        with pytest.raises(InvalidInput, match="needs a new text"):
            world.memory.evolve.refine(fact.id, text, reason="better")
        assert world.dump() == before


class TestMerge:
    def pair(self, world: World, usage: int = 5, **options: Any) -> tuple[Memory, Memory]:
        one, other = world.memory.remember(FACT), world.memory.remember(SAME, **options)
        for _ in range(usage):
            world.show(one)
        return world.now(one), world.now(other)

    def test_just_enough_is_enough(self, world: World) -> None:
        """Five uses of one of the two, and the same meaning in other words."""
        one, other = self.pair(world)
        kept = world.memory.evolve.merge(one.id, other.id)
        assert kept.id == one.id
        (told,) = world.told(MERGED)
        assert told["evidence"]["likeness"] > 0.95
        assert told["evidence"]["usage"] >= 0

    def test_four_uses_are_not_enough(self, world: World) -> None:
        """Of the one that is used most."""
        one, other = self.pair(world, 4)
        refused(world, lambda: world.memory.evolve.merge(one.id, other.id), "usage is 4 and must be at least 5")

    def test_five_uses_of_either_are_enough(self, world: World) -> None:
        """Recall may have shown only one of them, whichever."""
        one, other = world.memory.remember(FACT), world.memory.remember(SAME)
        for _ in range(5):
            world.show(other, k=1)
        assert world.memory.evolve.merge(one.id, other.id).id in (one.id, other.id)

    @pytest.mark.parametrize(
        "text",
        [
            "After a deploy, restart the worker with `make stop`.",
            "After 2 deploys, restart the worker with `make restart`.",
            "After a deploy, never restart the worker with `make restart`.",
            "After a deploy, restart the worker with `make -k restart`.",
            "Penguins live in the zoo of Lyon.",
        ],
    )
    def test_what_only_looks_alike_is_not_merged(self, world: World, text: str) -> None:
        """How alike they are is said, and what differs."""
        one, other = world.memory.remember(FACT), world.memory.remember(text)
        world.wear(one, 5, 0)
        refused(
            world,
            lambda: world.memory.evolve.merge(one.id, other.id),
            r"likeness is 0\.\d{3} \(.+\) and must be above 0.95",
        )

    @pytest.mark.parametrize(("likeness", "enough"), [(0.95, False), (0.9500001, True), (1.0, True), (0.949, False)])
    def test_likeness_must_be_above_and_not_at_the_boundary(self, likeness: float, enough: bool) -> None:
        """The rule itself, as no two texts are exactly so much alike."""
        memories = [Memory("a-1", FACT), Memory("a-2", SAME)]
        missing = rules.to_merge(memories, [Record(5), Record(0)], likeness, "")
        assert (missing == ()) is enough
        assert all(f"likeness is {likeness:.3f} and must be above 0.95" in words for words in missing)

    def test_types_must_be_the_same(self, world: World) -> None:
        """A fact is no process, in whatever words."""
        one, other = self.pair(world, type="procedural")
        refused(world, lambda: world.memory.evolve.merge(one.id, other.id), r"2 types \(procedural, semantic\)")

    @pytest.mark.parametrize("options", [{"project": "p"}, {"session": "s", "scope": "session"}])
    def test_walls_must_be_the_same(self, world: World, options: dict[str, Any]) -> None:
        """What a project or a session says for itself is told to nobody else by a merge."""
        one, other = self.pair(world, **options)
        refused(world, lambda: world.memory.evolve.merge(one.id, other.id), "not seen by the same people")

    def test_two_projects_are_two_walls(self, world: World) -> None:
        """Even where nobody is told who said it."""
        one, other = world.memory.remember(FACT, project="p"), world.memory.remember(SAME, project="q")
        for _ in range(5):
            world.show(one, project="p")
        refused(world, lambda: world.memory.evolve.merge(one.id, other.id), "not seen by the same people")

    def test_two_sessions_of_one_person_are_none(self, world: World) -> None:
        """What is told everywhere may have been said anywhere."""
        here = world.memory.remember(FACT, session="s", scope="user")
        there = world.memory.remember(SAME, session="t", scope="user")
        world.wear(here, 5, 0)
        assert world.memory.evolve.merge(here.id, there.id).status == "active"

    def test_one_memory_is_no_pair(self, world: World) -> None:
        """Even if it is named twice."""
        one, _ = self.pair(world)
        before = world.dump()
        for ids in ((), (one.id,), (one.id, one.id)):
            with pytest.raises(TreeringError, match="2"):
                world.memory.evolve.merge(*ids)
        assert world.dump() == before

    def test_of_three_the_two_that_are_least_alike_decide(self, world: World) -> None:
        """A chain of likenesses is none."""
        one, other = self.pair(world)
        third = world.memory.remember("After a deploy, restart the worker with `make stop`.")
        refused(world, lambda: world.memory.evolve.merge(one.id, other.id, third.id), "likeness is 0")

    def test_what_is_retired_is_not_merged(self, world: World) -> None:
        """Nor into."""
        one, other = self.pair(world)
        world.memory.forget(other.id)
        with pytest.raises(TreeringError, match="forgotten"):
            world.memory.evolve.merge(one.id, other.id)


class TestArchive:
    def test_ninety_days_are_enough(self, world: World) -> None:
        """To the microsecond; the event holds them."""
        fact = world.memory.remember(FACT)
        world.time = fact.created + 90 * DAY
        assert world.memory.evolve.archive(fact.id).status == "archived"
        (told,) = world.told(MOVED)
        assert (told["to"], told["rule"], told["evidence"]) == ("archived", "archive", {"idle_days": 90, "accesses": 0})

    @pytest.mark.parametrize(("days", "said"), [(89.99, "89.99"), (0, "0"), (89.99999, "89.99")])
    def test_less_is_not(self, world: World, days: float, said: str) -> None:
        """And how long it was is said, never as much as it must be."""
        fact = world.memory.remember(FACT)
        world.pass_(days=days)
        refused(
            world, lambda: world.memory.evolve.archive(fact.id), rf" {said}\d* days ago and must have been idle for 90"
        )

    def test_use_starts_the_days_anew(self, world: World) -> None:
        """Being shown, or being restored."""
        fact = world.memory.remember(FACT)
        world.pass_(days=89)
        world.show(fact)
        world.pass_(days=89)
        refused(world, lambda: world.memory.evolve.archive(fact.id), "89 days ago")

    def test_what_happened_long_ago_and_was_told_now_is_as_old_as_it_happened(self, world: World) -> None:
        """By the date that it was given."""
        fact = world.memory.remember(FACT, at="2025-06-01")
        assert world.memory.evolve.archive(fact.id).status == "archived"


class TestInduce:
    def processes(self, world: World, count: int = 3, **options: Any) -> list[str]:
        texts = ("Run the tests, tag the commit and push the tag", "Tag the commit and push the tag after the tests")
        more = ("Push a tag of the commit when the tests are done", "Tag the commit, then push the tag")
        made = []
        for text in (*texts, *more)[:count]:
            row = {"type": "procedural", "trigger": "when making a release", **options}
            made.append(world.memory.remember(text, **row).id)
        return made

    def test_three_alike_are_enough(self, world: World) -> None:
        """A draft for a person; nothing else changes."""
        ids = self.processes(world)
        before = world.dump()[1]
        proposed = world.memory.proposals.induce(*ids)
        assert (proposed.kind, proposed.memories, proposed.status) == ("skill-draft", tuple(sorted(ids)), "pending")
        assert world.dump()[1] == before
        assert world.told(PROPOSED)[0]["evidence"] == {"processes": 3}

    def test_two_are_not(self, world: World) -> None:
        """Nor three names for two."""
        ids = self.processes(world, 2)
        refused(world, lambda: world.memory.proposals.induce(*ids), "2 processes are given and there must be 3")
        refused(world, lambda: world.memory.proposals.induce(*ids, ids[0]), "2 processes are given and there must be 3")

    def test_all_must_be_processes(self, world: World) -> None:
        """The one that is none is named."""
        ids = self.processes(world, 2)
        fact = world.memory.remember(FACT)
        refused(world, lambda: world.memory.proposals.induce(*ids, fact.id), f"{fact.id} is no process")

    def test_they_must_do_the_same(self, world: World) -> None:
        """Three processes of three matters are no skill."""
        ids = self.processes(world, 2)
        other = world.memory.remember("Water the plants", type="procedural", trigger="when it is hot in the office")
        refused(world, lambda: world.memory.proposals.induce(*ids, other.id), "not alike enough")

    def test_what_is_retired_makes_no_skill(self, world: World) -> None:
        """A process that was forgotten, deprecated or superseded is none."""
        ids = self.processes(world)
        world.memory.forget(ids[0])
        before = world.dump()
        with pytest.raises(TreeringError):
            world.memory.proposals.induce(*ids)
        assert world.dump() == before
