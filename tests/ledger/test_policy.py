"""The rules of the policies `half-life` and `age`, at their limits: due just over one, and not due just under it."""

from __future__ import annotations

from math import log
from typing import Any

import pytest

from tests.ledger.lives import HOUR, LIMITS, NOW, made, step, to
from treering.ledger import ageing
from treering.ledger.ageing import CROWDED, DAY, HALF_LIFE, QUEUE, Limits, Step, due, final_step, importance, strength
from treering.ledger.types import TYPES, Memory


def idle_until(memory: Memory, left: float) -> int:
    """How long a memory must lie unused until its strength falls to this, to the microsecond."""
    low, high = 0, 10_000 * DAY
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _left(memory, middle) >= left else (low, middle)
    return high


def _left(memory: Memory, idle: int) -> float:
    return strength(lain(memory, idle), NOW)


def lain(memory: Memory, idle: int) -> Memory:
    """The same memory, made and last used so long ago."""
    return memory._replace(created=NOW - idle, updated=NOW - idle, accessed=NOW - idle if memory.accesses else 0)


class TestHalfLife:
    def test_created_becomes_active_when_it_is_one_hour_old(self) -> None:
        """Whether or not anybody asked for it."""
        assert step("half-life", made("created", HOUR - 1)) is None
        assert step("half-life", made("created", HOUR)) == Step("active", "grown", {"age_days": 0.04})

    def test_created_is_archived_when_its_importance_is_under_a_tenth_in_its_first_day(self) -> None:
        """By the constants of the scores no memory gets there: recency alone is worth more. So one is made up whose
        last change lies behind its making."""
        worthless = {"type": "episodic", "relevance": 0.0, "confidence": 0.0, "impact": 0.0}
        for share, moved in ((0.1001, ""), (0.0999, "archived")):
            since = round(10 * DAY * log(0.25 / share))
            memory = made("created", HOUR - 1, updated=NOW - since, **worthless)
            assert importance(memory, NOW) == pytest.approx(share)
            assert to("half-life", memory) == moved
        found = step("half-life", memory)
        assert found == Step("archived", "unimportant", {"importance": 0.0999, "age_days": 0.04})

    def test_created_is_not_archived_for_its_importance_after_its_first_day(self) -> None:
        """From then on strength decides."""
        worthless = {"type": "episodic", "relevance": 0.0, "confidence": 0.0, "impact": 0.0, "updated": 0}
        assert to("half-life", made("created", DAY - 1, **worthless)) == "archived"
        assert to("half-life", made("created", DAY, **worthless)) == "active"

    @pytest.mark.parametrize("type", TYPES)
    def test_no_memory_of_today_is_unimportant(self, type: str) -> None:
        """Even with nothing known in its favour: recency is worth a fifth for a whole day."""
        least = made("created", DAY, type=type, relevance=0.0, confidence=0.0, impact=0.0)
        assert importance(least, NOW) > ageing.UNIMPORTANT

    @pytest.mark.parametrize("type", TYPES)
    @pytest.mark.parametrize("accesses", (2, 3, 10))
    def test_active_is_queued_when_strength_is_under_three_tenths_and_it_was_used_twice(
        self, type: str, accesses: int
    ) -> None:
        """It waits for consolidation, and stays active."""
        memory = made(type=type, accesses=accesses)
        limit = idle_until(memory, 0.3)
        assert to("half-life", lain(memory, limit - 1)) == ""
        found = step("half-life", lain(memory, limit))
        assert found is not None
        assert (found.to, found.rule, found.evidence["accesses"]) == (QUEUE, "faded", accesses)
        assert found.evidence["strength"] == pytest.approx(0.3)

    def test_what_waits_for_consolidation_is_not_queued_again(self) -> None:
        """Nor archived, however long it waits: it was useful."""
        for idle in (30 * DAY, 3_000 * DAY):
            assert to("half-life", made(idle=idle, accesses=2, accessed=NOW - idle)) == QUEUE
            assert to("half-life", made(idle=idle, accesses=2, accessed=NOW - idle, queued=NOW - DAY)) == ""

    @pytest.mark.parametrize("type", TYPES)
    @pytest.mark.parametrize("accesses", (0, 1))
    def test_active_is_archived_when_strength_is_under_a_tenth_and_it_was_used_less_than_twice(
        self, type: str, accesses: int
    ) -> None:
        """Nobody needed it."""
        memory = made(type=type, accesses=accesses)
        limit = idle_until(memory, 0.1)
        assert to("half-life", lain(memory, limit - 1)) == ""
        found = step("half-life", lain(memory, limit))
        assert found is not None
        assert (found.to, found.rule, found.evidence["accesses"]) == ("archived", "faded", accesses)

    def test_what_was_used_less_than_twice_is_not_queued(self) -> None:
        """Between three tenths and one tenth it stays as it is."""
        memory = made(accesses=1)
        assert to("half-life", lain(memory, idle_until(memory, 0.3))) == ""

    def test_archived_is_forgotten_when_strength_is_under_a_hundredth_and_it_was_there_for_ninety_days(self) -> None:
        """Both, not one of the two."""
        faded, quarter = idle_until(made(), 0.01), 90 * DAY

        def archived(idle: int, kept: int) -> Memory:
            return lain(made("archived", moves=(f"archived@{NOW - kept}@faded",)), idle)

        assert to("half-life", archived(400 * DAY, quarter - 1)) == ""
        assert to("half-life", archived(faded - 1, quarter)) == ""
        assert to("half-life", archived(faded, quarter)) == "forgotten"
        found = step("half-life", archived(400 * DAY, quarter))
        assert found is not None
        assert (found.rule, found.evidence["archived_days"]) == ("gone", 90)

    def test_with_no_days_in_the_archive_strength_alone_forgets(self) -> None:
        """The bare rule: a fact that nobody used is gone after five weeks."""
        bare = Limits(forget_days=0)
        limit = idle_until(made(), 0.01)
        assert 34 * DAY < limit < 36 * DAY
        for idle, status in ((limit - 1, "archived"), (limit, "forgotten")):
            found = final_step("half-life", lain(made("created"), idle), NOW, 0, bare)
            assert found is not None
            assert found.to == status

    def test_consolidated_stays_as_it_is(self) -> None:
        """The table has no rule that ages it."""
        assert to("half-life", made("consolidated", 3_000 * DAY)) == ""


class TestAge:
    @pytest.mark.parametrize("status", ("created", "active", "consolidated"))
    def test_hot_and_unused_for_over_sixty_days_is_archived(self, status: str) -> None:
        """Counted from the last use."""
        assert to("age", made(status, 60 * DAY, accessed=NOW - 60 * DAY)) in ("", "active")
        found = step("age", made(status, 400 * DAY, accessed=NOW - 60 * DAY - 1, accesses=3))
        assert found == Step("archived", "unused", {"idle_days": 60.0, "accesses": 3})

    def test_a_memory_without_a_date_of_use_ages_from_its_own_date(self) -> None:
        """A store that knows no uses is as good as its dates."""
        assert to("age", made(idle=60 * DAY, accessed=0)) == ""
        assert to("age", made(idle=60 * DAY + 1, accessed=0)) == "archived"

    def test_archived_for_over_ninety_days_is_forgotten(self) -> None:
        """And unused for as long."""

        def archived(idle: int, kept: int) -> Memory:
            return made("archived", idle, moves=(f"archived@{NOW - kept}@unused",))

        assert to("age", archived(400 * DAY, 90 * DAY)) == ""
        assert to("age", archived(90 * DAY, 400 * DAY)) == ""
        found = step("age", archived(90 * DAY + 1, 90 * DAY + 1))
        assert found == Step("forgotten", "expired", {"archived_days": 90.0, "idle_days": 90.0})

    def test_created_becomes_active_when_it_is_one_hour_old(self) -> None:
        """Under every policy that knows the time."""
        assert to("age", made("created", HOUR - 1)) == ""
        assert to("age", made("created", HOUR)) == "active"

    def test_the_limits_are_settings(self) -> None:
        """Of days unused, and of days in the archive."""
        limits = Limits(age_archive_days=5, age_forget_days=7)
        assert to("age", made(idle=5 * DAY), limits=limits) == ""
        assert to("age", made(idle=5 * DAY + 1), limits=limits) == "archived"
        kept = made("archived", 100 * DAY)
        assert to("age", kept._replace(moves=(f"archived@{NOW - 7 * DAY}@unused",)), limits=limits) == ""
        assert to("age", kept._replace(moves=(f"archived@{NOW - 7 * DAY - 1}@unused",)), limits=limits) == "forgotten"


def hot(count: int, first: int = 0, **fields: Any) -> list[Memory]:
    """Active memories, the first of them used longest ago."""
    return [made(idle=(count - at) * HOUR, **fields)._replace(id=f"a-{first + at}") for at in range(count)]


def crowded(memories: list[Memory], limits: Limits = LIMITS, crowding: bool = True) -> list[str]:
    """The ids of those that make room."""
    found = due("age", memories, NOW, lambda memory: 0, limits, crowding)
    return [one.memory.id for one in found if one.step.rule == CROWDED]


class TestCrowding:
    def test_twenty_hot_are_not_too_many(self) -> None:
        """One more is."""
        assert crowded(hot(20)) == []
        assert crowded(hot(21)) == ["a-0", "a-1", "a-2", "a-3", "a-4"]

    def test_five_make_room_at_a_time(self) -> None:
        """Those that were used longest ago, however many there are."""
        assert crowded(hot(300)) == ["a-0", "a-1", "a-2", "a-3", "a-4"]

    def test_the_evidence_says_how_many_there_are(self) -> None:
        """And how long it was unused."""
        (first, *_) = due("age", hot(24), NOW, lambda memory: 0, LIMITS)
        assert first.step == Step("archived", CROWDED, {"hot": 24, "idle_days": 1.0})

    def test_the_limits_are_settings(self) -> None:
        """How many are too many, and how many go."""
        assert crowded(hot(4), Limits(age_hot=4)) == []
        assert crowded(hot(4), Limits(age_hot=3, age_batch=1)) == ["a-0"]
        assert len(crowded(hot(4), Limits(age_hot=0, age_batch=99))) == 4

    def test_the_day_decides_the_order_and_not_the_store(self) -> None:
        """Of those used at one moment, the one made first; of those, the lower id."""
        memories = hot(21, updated=NOW)
        assert crowded(memories[::-1]) == crowded(memories)
        alike = [made(idle=HOUR)._replace(id=f"a-{number}") for number in range(10, 31)]
        assert crowded(alike[::-1]) == [f"a-{number}" for number in range(10, 15)]

    def test_room_is_made_once_a_day(self) -> None:
        """Whoever has made room today does not make more."""
        assert crowded(hot(100), crowding=False) == []

    def test_every_place_has_room_of_its_own(self) -> None:
        """What is hot in one project does not crowd another, nor the user's own."""
        places = [*hot(20, 0), *hot(20, 100, scope="project", project="p"), *hot(20, 200, scope="project", project="q")]
        places += hot(20, 300, scope="session", session="s")
        assert crowded(places) == []
        assert crowded([*places, *hot(1, 900, scope="session", session="s")]) == [f"a-{n}" for n in range(300, 305)]

    def test_the_session_of_a_project_memory_is_no_place(self) -> None:
        """Sessions part only what is theirs alone."""
        one, two = hot(11, 0, scope="project", project="p", session="s"), hot(10, 50, scope="project", project="p")
        assert len(crowded([*one, *two])) == 5

    def test_invariants_do_not_crowd(self) -> None:
        """They are not counted, and they do not go."""
        assert crowded([*hot(20), *hot(20, 100, invariant=True)]) == []
        left = crowded([*hot(21), *hot(20, 100, invariant=True)])
        assert left == ["a-0", "a-1", "a-2", "a-3", "a-4"]

    def test_what_is_archived_anyway_does_not_crowd(self) -> None:
        """Room is made by the calendar first."""
        stale = [made(idle=61 * DAY)._replace(id=f"b-{number}") for number in range(5)]
        found = list(due("age", [*hot(20), *stale], NOW, lambda memory: 0, LIMITS))
        assert sorted((one.memory.id, one.step.rule) for one in found) == [(f"b-{n}", "unused") for n in range(5)]

    def test_what_is_archived_already_does_not_crowd(self) -> None:
        """Only what is hot takes up room."""
        assert crowded([*hot(20), *hot(20, 100, status="archived")]) == []

    def test_those_that_stay_take_their_own_steps(self) -> None:
        """A new one among too many grows up."""
        young = made("created", HOUR)._replace(id="b-1")
        found = {one.memory.id: one.step.to for one in due("age", [*hot(25), young], NOW, lambda memory: 0, LIMITS)}
        assert found == {**{f"a-{number}": "archived" for number in range(5)}, "b-1": "active"}

    @pytest.mark.parametrize("name", ("half-life", "sessions"))
    def test_other_policies_know_no_crowd(self, name: str) -> None:
        """However many there are."""
        assert list(due(name, hot(300), NOW, lambda memory: 0, LIMITS)) == []


def test_half_lives_are_those_of_the_design() -> None:
    """In days."""
    assert HALF_LIFE == {"episodic": 1.0, "semantic": 7.0, "procedural": 30.0, "working": 0.042}
