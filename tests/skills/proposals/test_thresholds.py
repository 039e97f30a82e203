"""How much must speak for a proposal, at each limit; and what counts once however often it comes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.evolve.worn import DAY
from tests.skills.proposals.desk import AGAIN, COMMAND, FACT, PROMPTS, TOKEN, Desk, refused, said, transcript, tries
from treering.ledger.errors import InvalidInput
from treering.ledger.events import PROMPTED, RECALLED
from treering.skills.proposals.rules import Thresholds
from treering.text.words import tokens


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    (folder := tmp_path / "talk").mkdir()
    return folder


class TestReuse:
    @pytest.mark.parametrize("sessions, made", ((2, 0), (3, 1)))
    def test_three_surfacings_make_an_upgrade(self, desk: Desk, sessions: int, made: int) -> None:
        desk.reuse(sessions=sessions)
        assert len(desk.analyzed().added) == made

    @pytest.mark.parametrize("least, made", ((5, 1), (6, 0)))
    def test_the_least_number_can_be_set(self, desk: Desk, least: int, made: int) -> None:
        desk.reuse(sessions=5)
        assert len(desk.memory.proposals.analyze(Thresholds(reuse_min=least)).added) == made

    @pytest.mark.parametrize("least, made", ((3, 1), (4, 0)))
    def test_the_least_number_of_sessions_can_be_set(self, desk: Desk, least: int, made: int) -> None:
        desk.reuse(sessions=3)
        assert len(desk.memory.proposals.analyze(Thresholds(1, least)).added) == made

    def test_a_session_counts_once(self, desk: Desk) -> None:
        """Ten recalls of one session, in however many processes, are one surfacing; a replay adds nothing."""
        note = desk.memory.remember(FACT)
        for _ in range(5):
            desk.show(note, session="s1")
            desk.pass_(days=2)
        for _ in range(5):
            desk.memory = desk.seen_by(desk.memory.context)
            desk.show(note, session="s1")
        (reuse,) = desk.memory.proposals.signals().reuse
        assert (reuse.times, reuse.sessions) == (1, ("s1",))

    def test_a_day_outside_of_any_session_counts_as_one(self, desk: Desk) -> None:
        """Its hours do not."""
        note = desk.memory.remember(FACT)
        for _ in range(3):
            for _ in range(2):
                desk.show(note)
                desk.pass_(hours=1)
            desk.time += DAY
        assert desk.memory.proposals.signals().reuse[0].times == 3

    def test_a_session_of_two_machines_counts_once(self) -> None:
        """Both have seen some of it."""
        one, two = Desk(seed=1), Desk(seed=900)
        note = one.memory.remember(FACT)
        two.memory.ledger.take_in(list(one.store.events()))
        for desk in (one, two):
            desk.show(note, session="shared")
        one.show(note, session="alone")
        one.memory.ledger.take_in(list(two.store.events()))
        assert one.memory.proposals.signals().reuse[0].times == 2

    def test_it_tells_where_and_when(self, desk: Desk) -> None:
        """The evidence has the shape that others expect."""
        note = desk.reuse(sessions=2)
        desk.pass_(days=1)
        desk.show(note, session="session2", project="shop")
        (proposal,) = (desk.memory.proposals.get(id) for id in desk.analyzed().added)
        told = proposal.evidence
        assert (told["memoryId"], told["reuseCount"]) == (note.id, 3)
        assert (told["sessions"], told["projects"]) == (["session0", "session1", "session2"], ["shop"])
        assert told["lastSurfaced"] - told["firstSurfaced"] == DAY + 3_600_000_000
        assert "surfaced 3x across 3 sessions" in proposal.reason

    @pytest.mark.parametrize("bad, good, made", ((1, 0, 0), (1, 1, 1), (2, 1, 0), (0, 0, 1)))
    def test_what_was_judged_bad_does_not_graduate(self, desk: Desk, bad: int, good: int, made: int) -> None:
        """If more of it was bad than good."""
        note = desk.reuse(sessions=4)
        desk.judge(note, "not_helpful", bad)
        desk.judge(note, "helpful", good)
        assert len(desk.analyzed().added) == made

    def test_what_recall_no_longer_shows_does_not_graduate(self, desk: Desk) -> None:
        note, other = desk.reuse(), desk.reuse("Queues are emptied on Sunday nights")
        desk.memory.forget(note.id)
        desk.memory.supersede(other.id, "Queues are emptied on Monday nights")
        assert desk.analyzed().added == ()

    @pytest.mark.parametrize("origin, told", (("tool:web", True), ("document:a.md:3", True), ("user", False)))
    def test_what_comes_from_outside_says_so(self, desk: Desk, origin: str, told: bool) -> None:
        """In the draft, and to whoever reviews it."""
        proposal = desk.upgrade(origin=origin)
        assert ("comes from outside" in proposal.text) is told
        (review,) = desk.memory.proposals.reviews()
        assert (review.risk >= 0.5) is told


class TestMisses:
    @pytest.mark.parametrize("prompts, made", ((2, 0), (3, 1)))
    def test_three_prompts_on_a_matter_make_an_addition(self, desk: Desk, prompts: int, made: int) -> None:
        desk.miss(*PROMPTS[:prompts])
        assert len(desk.analyzed().added) == made

    @pytest.mark.parametrize("least, made", ((4, 1), (5, 0)))
    def test_the_least_number_can_be_set(self, desk: Desk, least: int, made: int) -> None:
        desk.miss(*PROMPTS)
        assert len(desk.memory.proposals.analyze(Thresholds(miss_min=least)).added) == made

    @pytest.mark.parametrize("distinct, least, made", ((1, 2, 0), (2, 2, 1), (2, 3, 0), (1, 1, 1)))
    def test_distinct_prompts_are_wanted(self, desk: Desk, distinct: int, least: int, made: int) -> None:
        """A script that asks the same again and again is one; capitals and blanks make no other prompt."""
        same = (PROMPTS[0], PROMPTS[0].upper(), f"  {PROMPTS[0].replace(' ', '  ')} ")
        desk.miss(*same, *PROMPTS[1:distinct])
        assert desk.memory.proposals.signals().unique == distinct
        assert len(desk.memory.proposals.analyze(Thresholds(miss_min_distinct=least)).added) == made

    def test_a_prompt_counts_once_in_a_session(self, desk: Desk) -> None:
        for _ in range(4):
            desk.miss(*PROMPTS[:2], session="one")
        assert (desk.memory.proposals.signals().misses, desk.analyzed().added) == (2, ())

    def test_what_was_answered_is_no_miss(self, desk: Desk) -> None:
        """Nor is what was narrowed, which may have looked in the wrong place, or looked up without a trace."""
        desk.memory.remember(FACT)
        desk.memory.recall(FACT, session="a")
        desk.memory.recall(PROMPTS[0], session="b", type="procedural")
        desk.memory.recall(PROMPTS[0], session="c", log=False)
        assert desk.memory.proposals.signals().misses == 0

    def test_a_prompt_is_redacted_and_capped(self, desk: Desk) -> None:
        """At 1,000 characters; its words are taken when it is written, from what is left."""
        desk.miss(f"deploy the shop with {TOKEN} " + "and more words " * 100)
        (data,) = desk.told(RECALLED)
        assert len(data["query"]) == 1_000
        assert TOKEN not in str(data)
        assert data["tokens"] == tokens(data["query"]) != []

    @pytest.mark.parametrize("prompt", ("ok thanks!!", "/deploy the shop", "deploying it", "hm"))
    def test_what_asks_for_nothing_is_no_miss(self, desk: Desk, prompt: str) -> None:
        desk.miss(prompt)
        assert (desk.memory.proposals.signals().misses, "tokens" in desk.told(RECALLED)[0]) == (0, False)


class TestFriction:
    @pytest.mark.parametrize("least, made", ((3, 1), (4, 0)))
    def test_prompts_that_ask_for_the_same_make_a_draft(self, desk: Desk, talk: Path, least: int, made: int) -> None:
        """In different sessions, in nearly the same words."""
        for number, text in enumerate(AGAIN):
            transcript(talk / f"{number}.jsonl", said(text, f"u{number}", f"s{number}"))
        desk.memory.captured.mine(str(talk))
        assert len(desk.memory.proposals.analyze(Thresholds(asked_min=least)).added) == made

    @pytest.mark.parametrize("least, made", ((2, 1), (3, 0)))
    def test_loops_make_a_draft(self, desk: Desk, talk: Path, least: int, made: int) -> None:
        for session in ("s1", "s2"):
            transcript(talk / f"{session}.jsonl", *tries(session, session=session))
        desk.memory.captured.mine(str(talk))
        (id,) = desk.memory.proposals.analyze(Thresholds(rub_min=least)).added or ("",)
        assert bool(id) is bool(made)
        if made:
            text = desk.memory.proposals.get(id).text
            assert (COMMAND in text, "the server is not there" in text) == (True, True)

    def test_rejections_with_a_reason_make_a_draft(self, desk: Desk, talk: Path) -> None:
        """Those without one do not tell what about."""
        for session in ("s1", "s2"):
            transcript(talk / f"{session}.jsonl", *refused(session, "never delete the build folder", session))
            transcript(talk / f"{session}.jsonl", *refused(f"{session}x", "", session))
        desk.memory.captured.mine(str(talk))
        (id,) = desk.analyzed().added
        proposal = desk.memory.proposals.get(id)
        assert "never delete the build folder" in proposal.text
        assert proposal.evidence["count"] == 2

    def test_what_asks_for_nothing_is_not_noted(self, desk: Desk, talk: Path) -> None:
        transcript(
            talk / "a.jsonl", said("yes please", "u1"), said("/clear the whole list", "u2"), said(AGAIN[0], "u3")
        )
        assert desk.memory.captured.mine(str(talk)).prompts == 1
        assert [data["prompt"] for data in desk.told(PROMPTED)] == [AGAIN[0]]


@pytest.mark.parametrize("field", Thresholds._fields)
@pytest.mark.parametrize("value", (-1, 0, "3", 2.5, None, True))
def test_a_threshold_is_a_whole_number_above_zero(desk: Desk, field: str, value: Any) -> None:
    with pytest.raises(InvalidInput):
        desk.memory.proposals.analyze(Thresholds(**{field: value}))
