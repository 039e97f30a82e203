"""The rules of the policy `sessions`: rings are counted, in whole numbers; and the tiers of every policy."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ledger.lives import AGEING, HOUR, LIMITS, NOW, made, step, to
from treering.ledger.ageing import DAY, POLICIES, Limits, Step, final_step, session_tier, tier
from treering.ledger.codec import stamp
from treering.ledger.decide import Remember, remember
from treering.ledger.events import Event
from treering.ledger.sessions import Starts
from treering.ledger.types import STATUSES, Context


def happened(seq: int, time: int, session: str = "", project: str = "", **wish: Any) -> Event:
    draft = remember(Remember("x", project=project, session=session, **wish), Context())
    return stamp(draft, "writer", seq, b"", seq, time, b"")


def sessions_of(count: int, start: int = NOW, project: str = "") -> list[Event]:
    """So many sessions, an hour each, one after the other."""
    named = (f"{project}s{number}" for number in range(count))
    return [happened(seq, start + seq * HOUR, name, project) for seq, name in enumerate(named, 1)]


class TestSessions:
    @pytest.mark.parametrize("status", ("created", "active", "consolidated"))
    def test_what_was_unused_for_more_than_twenty_rings_is_archived(self, status: str) -> None:
        """The twenty-first."""
        assert to("sessions", made(status), rings=20) in ("", "active")
        found = step("sessions", made(status, accesses=2), rings=21)
        assert found == Step("archived", "unused", {"rings": 21, "accesses": 2})

    def test_the_next_ring_makes_a_memory_active(self) -> None:
        """It has lasted longer than its own session."""
        assert to("sessions", made("created", 100 * DAY), rings=0) == ""
        assert step("sessions", made("created"), rings=1) == Step("active", "grown", {"rings": 1})

    @given(rings=st.integers(0, 10**9), idle=st.integers(0, 10**6))
    def test_nothing_is_ever_forgotten(self, rings: int, idle: int) -> None:
        """However many rings, and however many days."""
        for status in AGEING:
            found = final_step("sessions", made(status, idle * DAY), NOW, rings, Limits(0, 0, 0, 0, 0))
            assert found is None or found.to != "forgotten"
        assert to("sessions", made("archived", idle * DAY), rings=rings) == ""

    @given(rings=st.integers(0, 50), accesses=st.integers(0, 50))
    def test_the_evidence_is_whole_numbers(self, rings: int, accesses: int) -> None:
        """No floating point at all, so that any reader reaches the same result."""
        for status in AGEING:
            found = step("sessions", made(status, accesses=accesses), rings=rings)
            assert all(type(value) is int for value in (found.evidence.values() if found else ()))

    @given(rings=st.integers(0, 50), before=st.integers(0, 10**6), after=st.integers(0, 10**6))
    def test_the_time_of_day_decides_nothing(self, rings: int, before: int, after: int) -> None:
        """Only the rings do."""
        for status in AGEING:
            memory = made(status, before * DAY)
            assert POLICIES["sessions"](memory, NOW + after * DAY, rings, LIMITS) == step("sessions", memory, rings)

    def test_the_tiers_end_at_three_ten_and_twenty_rings(self) -> None:
        """Working, active, archive-candidate, archived."""
        tiers = {rings: session_tier(rings) for rings in (0, 3, 4, 10, 11, 20, 21)}
        assert tiers == {
            0: "working",
            3: "working",
            4: "active",
            10: "active",
            11: "archive-candidate",
            20: "archive-candidate",
            21: "archived",
        }

    def test_an_invariant_is_active_at_the_least(self) -> None:
        """It never decays."""
        assert [session_tier(rings, invariant=True) for rings in (3, 4, 10**6)] == ["working", "active", "active"]

    def test_rings_are_counted_from_the_last_use(self) -> None:
        """A session that began before it does not count, nor the one that used it."""
        starts = Starts(sessions_of(5))
        counted = [starts.since(made(accessed=NOW + at * HOUR)) for at in (0, 1, 3, 5)]
        assert counted == [5, 4, 2, 0]
        assert starts.since(made(accessed=NOW + 2 * HOUR - 1)) == 4

    def test_a_memory_without_a_date_of_use_counts_from_its_own_date(self) -> None:
        """A store that knows no uses is as good as its dates."""
        assert Starts(sessions_of(5)).since(made(created=NOW + 3 * HOUR, accessed=0)) == 2

    def test_a_project_memory_counts_the_rings_of_its_project(self) -> None:
        """Work elsewhere does not age it; a user's memory ages with all work."""
        starts = Starts([*sessions_of(4, project="p"), *sessions_of(3, project="q"), *sessions_of(2)])
        assert starts.since(made(scope="project", project="p")) == 4
        assert starts.since(made(scope="session", project="p", session="s")) == 4
        assert starts.since(made(scope="project", project="r")) == 0
        assert starts.since(made(scope="user", project="p")) == 9
        assert starts.since(made(scope="session", session="s")) == 9

    def test_a_session_is_one_ring_however_much_happens_in_it(self) -> None:
        """And however long it goes on."""
        events = [happened(seq, NOW + seq * DAY, "s") for seq in range(1, 30)]
        assert Starts(events).since(made()) == 1

    def test_a_session_that_touches_two_projects_is_one_ring_to_the_user(self) -> None:
        """And one to each of the projects."""
        events = [happened(1, NOW + 1, "s", "p"), happened(2, NOW + 2, "s", "q")]
        starts = Starts(events)
        assert [starts.since(made(scope="project", project=name)) for name in ("p", "q")] == [1, 1]
        assert starts.since(made()) == 1

    def test_a_day_outside_any_session_is_one_ring(self) -> None:
        """Days are those of the calendar, in UTC."""
        midnight = NOW + DAY
        events = [happened(seq, at) for seq, at in enumerate((midnight - 1, midnight, midnight + HOUR), 1)]
        assert Starts(events).since(made()) == 2

    def test_an_old_fact_told_today_takes_no_ring_from_others(self) -> None:
        """Today began today, even if somebody tells of last year."""
        events = [happened(1, NOW + 1, "s"), happened(2, NOW + 2, "s", at=NOW - 365 * DAY)]
        assert Starts(events).since(made()) == 1


class TestTier:
    @pytest.mark.parametrize("name", ("half-life", "age"))
    def test_a_tier_is_hot_or_archive(self, name: str) -> None:
        """What is neither is called by its status."""
        words = {status: tier(made(status), name, 99) for status in STATUSES}
        assert words == {
            **{status: status for status in STATUSES},
            **dict.fromkeys(("created", "active", "consolidated"), "hot"),
            "archived": "archive",
        }

    def test_a_tier_of_the_sessions_policy_is_one_of_four(self) -> None:
        """Rings say which, until it is archived."""
        assert [tier(made(), "sessions", rings) for rings in (3, 4, 11, 21)] == [
            "working",
            "active",
            "archive-candidate",
            "archived",
        ]
        assert tier(made("archived"), "sessions", 0) == "archived"
