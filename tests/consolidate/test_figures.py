"""Health: figures that are shares of what can be counted."""

from __future__ import annotations

from treering.consolidate.reflection.figures import (
    JUNK_AGE,
    WEEK,
    WEEKS,
    Answers,
    Census,
    CountedRecall,
    Share,
    Week,
    week_of,
    weeks,
)
from treering.ledger.sessions import DAY
from treering.ledger.types import Memory

MONDAY = 1_767_571_200_000_000  # 2026-01-05T00:00:00Z
SUBSTANTIVE = "how do we rotate the database credentials"


def recall(
    query: str = SUBSTANTIVE,
    *shown: str,
    at: int = MONDAY,
    session: str = "s",
    narrowed: bool = False,
    missed: bool = False,
) -> CountedRecall:
    return CountedRecall("r-1", at, at, session, query, "general", "hybrid", shown, narrowed, missed)


def prompts(answers: Answers) -> tuple[int, int]:
    return answers.weeks[week_of(MONDAY)][1], answers.weeks[week_of(MONDAY)][2]


class TestCensus:
    def test_junk_is_live_and_old_and_was_never_used(self) -> None:
        """Each of the three, and to the microsecond."""
        census = Census(MONDAY)
        old = Memory("m-1", "x", created=MONDAY - JUNK_AGE - 1)
        for memory in (old, old._replace(created=MONDAY - JUNK_AGE), old._replace(accesses=1)):
            census.take(memory)
        assert (census.junk, census.live) == (1, 3)
        census.take(old._replace(status="superseded"))
        assert (census.junk, census.live) == (1, 3)
        assert census.statuses == {"created": 3, "superseded": 1}

    def test_q_is_told_by_tenths_and_the_best_is_in_the_last(self) -> None:
        """Only of what recall may answer with."""
        census = Census(MONDAY)
        for q in (0.0, 0.09, 0.5, 0.99, 1.0):
            census.take(Memory("m-1", "x", q=q))
        census.take(Memory("m-1", "x", q=0.5, status="deprecated"))
        assert census.q == [2, 0, 0, 0, 0, 1, 0, 0, 0, 2]


class TestAnswers:
    def test_a_prompt_counts_once_in_a_session_and_again_in_the_next(self) -> None:
        """As elsewhere: a hook that fires twice adds nothing."""
        answers = Answers({})
        for session, missed in (("s", True), ("s", True), ("t", True), ("t", False)):
            answers.take(recall(session=session, missed=missed), None)
        assert prompts(answers) == (3, 2)

    def test_what_asks_for_nothing_or_was_narrowed_is_no_prompt(self) -> None:
        """Its silence says nothing about what is known."""
        answers = Answers({})
        answers.take(recall("ok thanks"), None)
        answers.take(recall(narrowed=True), None)
        assert prompts(answers) == (0, 0)
        assert answers.recalls == 2

    def test_tokens_are_counted_as_often_as_they_are_shown_and_used_where_somebody_said_so(self) -> None:
        """What nobody judged was surfaced, and is not known to be of use."""
        answers = Answers({"m-1": 10, "m-2": 100})
        answers.take(recall(SUBSTANTIVE, "m-1", "m-2"), {"m-1": "helpful", "m-2": ""})
        answers.take(recall(SUBSTANTIVE, "m-1", "m-2"), None)
        answers.take(recall(SUBSTANTIVE), None)
        assert (answers.surfaced, answers.judged, answers.used) == (220, 110, 10)
        assert (answers.known, answers.shown, answers.recalls) == (1, 2, 3)


class TestWeeks:
    def test_a_week_begins_on_monday(self) -> None:
        """The microsecond before belongs to the last one."""
        assert week_of(MONDAY) == week_of(MONDAY + WEEK - 1) == week_of(MONDAY - 1) + 1

    def test_weeks_are_told_from_the_first_in_which_anything_happened_without_gaps(self) -> None:
        """A quiet week is one too."""
        census, answers = Census(MONDAY), Answers({})
        census.take(Memory("m-1", "x", created=MONDAY - 2 * WEEK))
        answers.take(recall(missed=True), None)
        before = MONDAY - 2 * WEEK
        assert weeks(census, answers, MONDAY + DAY) == (
            Week(before, 1, 1, 0, 0, 0),
            Week(before + WEEK, 0, 1, 0, 0, 0),
            Week(MONDAY, 0, 1, 1, 1, 1),
        )

    def test_what_is_older_than_half_a_year_is_in_the_total_alone(self) -> None:
        """So that a store that took in the notes of ten years has a short list."""
        census = Census(MONDAY)
        for age in (0, WEEKS, 520):
            census.take(Memory("m-1", "x", created=MONDAY - age * WEEK))
        told = weeks(census, Answers({}), MONDAY)
        assert len(told) == WEEKS
        assert [told[0].total, told[-1].total] == [2, 3]

    def test_an_empty_store_has_a_week_in_which_nothing_happened(self) -> None:
        """And no share of nothing is more than none."""
        assert weeks(Census(MONDAY), Answers({}), MONDAY) == (Week(MONDAY),)
        assert Share().rate == 0.0
