"""Proposals and signals as pure functions: what they need, what they are called, and when they come back."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.capture import mine
from treering.ledger.codec import decode, draft, stamp
from treering.ledger.decide import recalled
from treering.ledger.errors import InvalidInput, NotEnoughEvidence
from treering.ledger.events import SURFACED, Draft, Event
from treering.ledger.sessions import DAY
from treering.ledger.types import Context, Memory, Recall
from treering.ledger.usage import Record, Rewards
from treering.skills import rules as crediting
from treering.skills.proposals import rules as proposing
from treering.skills.proposals.rules import FrictionGroup, Gap, Last, Thresholds
from treering.skills.signals import rules as signals
from treering.skills.signals.rules import Friction, Prompt, Reuse

HERE, ASKED = Context(), Thresholds()
NOTE = Memory("a-1", "Values need square brackets")


def events(*drafts: Draft, times: list[int] | None = None) -> list[Event]:
    """As a ledger would have them."""
    moments = times or [*range(1, len(drafts) + 1)]
    return [
        stamp(row, "abcdefgh", n, b"", n, time, b"0")
        for n, (row, time) in enumerate(zip(drafts, moments, strict=True), 1)
    ]


def surfaced(memory: str, session: str, project: str = "") -> Draft:
    return draft(SURFACED, {"rank": 1}, Context(session=session, project=project), memory)


def missed(query: str, session: str) -> Draft:
    return recalled(Recall("", query, ()), 5, 0, Context(session=session), missed=True)


def reuse(count: int) -> Reuse:
    (found,) = signals.reuse(events(*(surfaced("a-1", f"s{n}") for n in range(count))))
    return found


def gap(count: int) -> Gap:
    texts = [f"deploy the shop number{n}" for n in range(count)]
    return Gap(tuple(Prompt(f"e-{n}", text, ("deploy", "shop"), f"s{n}", n) for n, text in enumerate(texts)))


def rubbing(count: int) -> FrictionGroup:
    rows = (Friction(f"e-{n}", "retried", 3, "Bash", "make", "error", "", f"s{n}", n) for n in range(count))
    return FrictionGroup("retried", tuple(rows), ("bash", "make"))


def told(row: Draft) -> dict[str, Any]:
    data: dict[str, Any] = decode(row.payload)
    return data


class TestSignals:
    @given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["", "s1", "s2"])), max_size=12), st.randoms())
    def test_a_replay_adds_nothing_to_reuse(self, rows: list[tuple[str, str]], random: Random) -> None:
        """In whatever order: a memory surfaced as often as there are sessions that it surfaced in."""
        drafts = [surfaced(memory, session) for memory, session in rows]
        again = [*drafts, *random.sample(drafts, len(drafts))]
        counts = [
            {one.memory: one.times for one in signals.reuse(events(*these, times=[DAY] * len(these)))}
            for these in (drafts, again)
        ]
        assert counts[0] == counts[1]
        assert counts[0] == {memory: len({s for m, s in rows if m == memory}) for memory, _ in rows}

    def test_reuse_tells_sessions_projects_and_days(self) -> None:
        """A day outside of any session is one."""
        rows = (surfaced("a-1", "s1", "p"), surfaced("a-1", ""), surfaced("a-1", ""), surfaced("a-1", ""))
        (found,) = signals.reuse(events(*rows, times=[5, DAY, DAY + 1, 3 * DAY]))
        assert (found.times, found.projects, len(found.events)) == (3, ("p",), 3)

    def test_the_most_used_come_first(self) -> None:
        rows = [surfaced("b-1", "s1"), surfaced("a-1", "s1"), surfaced("a-1", "s2"), surfaced("c-1", "s1")]
        assert [one.memory for one in signals.reuse(events(*rows))] == ["a-1", "b-1", "c-1"]

    def test_a_prompt_counts_once_in_a_session(self) -> None:
        """Capitals and blanks make no other one; what asks for nothing is none."""
        rows = [missed("Deploy the shop", "s1"), missed(" deploy  the SHOP ", "s1"), missed("deploy the shop", "s2")]
        found = signals.misses(events(*rows, missed("yes please", "s3")))
        assert [(one.session, one.tokens) for one in found] == [("s1", ("deploy", "shop")), ("s2", ("deploy", "shop"))]

    def test_a_place_in_a_transcript_counts_once(self) -> None:
        """Of a loop, as far as it came."""
        prompts = [mine.prompted("u1", "deploy the shop", Context(session=session)) for session in ("s1", "s2")]
        assert len(signals.prompts(events(*prompts))) == 1
        loops = [mine.rubbed("t1", "retried", count, {"tool": "Bash"}, HERE) for count in (3, 6, 4)]
        (found,) = signals.rubs(events(*loops))
        assert (found.tries, found.tool, found.what) == (6, "Bash", "")

    def test_a_payload_that_is_gone_is_passed_over(self) -> None:
        rows = events(missed("deploy the shop", ""), mine.prompted("m", "deploy the shop", HERE))
        rows += events(mine.rubbed("m", "retried", 3, {}, HERE), crediting.loaded("a", HERE))
        bare = [event._replace(payload=None, salt=None) for event in rows]
        assert [*signals.misses(bare), *signals.prompts(bare), *signals.rubs(bare)] == []
        assert crediting.credits(bare) == {}


class TestEvidence:
    def test_an_upgrade_needs_surfacings_sessions_and_no_bad_name(self) -> None:
        proposing.upgrade(NOTE, reuse(3), Record(good=1, bad=1), ASKED, HERE)
        for few, known, asked in (
            (reuse(2), Record(), ASKED),
            (reuse(3), Record(bad=1), ASKED),
            (reuse(3), Record(), Thresholds(reuse_min_sessions=4)),
        ):
            with pytest.raises(NotEnoughEvidence):
                proposing.upgrade(NOTE, few, known, asked, HERE)

    def test_the_others_need_so_many_of_their_signals(self) -> None:
        proposing.addition(gap(3), ASKED, HERE)
        proposing.asked_again(gap(3), ASKED, HERE)
        proposing.rubbed(rubbing(2), ASKED, HERE)
        same = Gap(tuple(prompt._replace(text="deploy the shop") for prompt in gap(3).prompts))
        with pytest.raises(NotEnoughEvidence, match="alike"):
            proposing.addition(gap(2), ASKED, HERE)
        with pytest.raises(NotEnoughEvidence, match="distinct"):
            proposing.addition(same, ASKED, HERE)
        with pytest.raises(NotEnoughEvidence):
            proposing.asked_again(gap(2), ASKED, HERE)
        with pytest.raises(NotEnoughEvidence):
            proposing.rubbed(rubbing(1), ASKED, HERE)

    def test_the_words_of_a_matter_are_those_of_most_prompts(self) -> None:
        """In the order of the first, which has them all if nothing is shared."""
        colours = ("red", "blue", "green")
        assert Gap(tuple(Prompt("e", word, ("deploy", "shop", word), "s", 1) for word in colours)).tokens == (
            "deploy",
            "shop",
        )
        assert Gap(tuple(Prompt("e", word, (word,), "s", 1) for word in colours)).tokens == ("red",)

    def test_it_rests_on_the_first_signal_and_on_the_last_ones(self) -> None:
        """Not on all of a thousand."""
        causes = proposing.addition(gap(30), ASKED, HERE).causes
        assert causes == ("e-0", *(f"e-{n}" for n in range(21, 30)))
        assert proposing.addition(gap(3), ASKED, HERE).causes == ("e-0", "e-1", "e-2")


class TestIds:
    def test_more_of_the_same_has_the_same_id(self) -> None:
        for few, many in (
            (
                proposing.upgrade(NOTE, reuse(3), Record(), ASKED, HERE),
                proposing.upgrade(NOTE, reuse(9), Record(), ASKED, HERE),
            ),
            (proposing.addition(gap(3), ASKED, HERE), proposing.addition(gap(9), ASKED, HERE)),
            (proposing.asked_again(gap(3), ASKED, HERE), proposing.asked_again(gap(9), ASKED, HERE)),
            (proposing.rubbed(rubbing(2), ASKED, HERE), proposing.rubbed(rubbing(9), ASKED, HERE)),
        ):
            assert told(few)["fingerprint"] == told(many)["fingerprint"]
            assert told(few)["weight"] < told(many)["weight"]

    def test_something_else_has_another(self) -> None:
        """Another memory, another matter, another kind or another action."""
        rows = [
            proposing.upgrade(NOTE, reuse(3), Record(), ASKED, HERE),
            proposing.upgrade(NOTE._replace(id="a-2"), reuse(3), Record(), ASKED, HERE),
            proposing.addition(gap(3), ASKED, HERE),
            proposing.asked_again(gap(3), ASKED, HERE),
            proposing.rubbed(rubbing(2), ASKED, HERE),
            proposing.rubbed(rubbing(2)._replace(kind="rejected"), ASKED, HERE),
            proposing.act("archive", ["a-1"], {}, HERE, ""),
            proposing.act("deprecate", ["a-1"], {}, HERE, ""),
            proposing.act("merge", ["a-1", "a-2"], {}, HERE, ""),
        ]
        names = [told(row)["fingerprint"] for row in rows]
        assert len(set(names)) == len(rows)
        assert all(proposing.is_named(name, told(row)["kind"]) for name, row in zip(names, rows, strict=True))

    def test_the_order_of_memories_and_words_does_not_matter(self) -> None:
        one, other = (proposing.act("merge", ids, {}, HERE, "") for ids in (["a-1", "a-2"], ["a-2", "a-1"]))
        assert one == other
        turned = gap(3).prompts[0]._replace(tokens=("shop", "deploy"))
        assert (
            told(proposing.addition(Gap((turned, *gap(3).prompts[1:])), ASKED, HERE))["fingerprint"]
            == told(proposing.addition(gap(3), ASKED, HERE))["fingerprint"]
        )


class TestNews:
    @pytest.mark.parametrize(
        "before, now, comes", ((3, 5, False), (3, 6, True), (5, 9, False), (5, 10, True), (0, 99, False))
    )
    def test_what_was_rejected_comes_back_at_twice_the_weight(self, before: int, now: int, comes: bool) -> None:
        """And says what it was then."""
        row = proposing.addition(gap(now), ASKED, HERE)
        back = proposing.news(row, told(row), Last("rejected", before), HERE)
        assert (back is not None) is comes
        if back is not None:
            assert told(back) == {**told(row), "before": before}
            assert (back.causes, back.subject) == (row.causes, row.subject)

    @pytest.mark.parametrize("status", ("accepted", "applied", "moot"))
    def test_what_was_not_rejected_is_not_made_again(self, status: str) -> None:
        row = proposing.addition(gap(99), ASKED, HERE)
        assert proposing.news(row, told(row), Last(status, 3), HERE) is None
        assert proposing.news(row, told(row), None, HERE) == row

    @pytest.mark.parametrize("before, grows", ((3, True), (4, False), (5, False)))
    def test_what_waits_is_told_anew_if_more_speaks_for_it(self, before: int, grows: bool) -> None:
        row = proposing.addition(gap(4), ASKED, HERE)
        assert (proposing.news(row, told(row), Last("pending", before), HERE) == row) is grows


class TestDeciding:
    def test_a_rejection_rests_on_nothing(self) -> None:
        """It is not forgotten with what it speaks of; an acceptance is."""
        assert proposing.reject("skill-0", 3, "no", HERE).causes == ()
        assert proposing.accept("skill-0", "e-1", ["a-1"], 3, {}, HERE).causes == ("e-1",)

    def test_words_that_no_agent_would_load_are_refused(self) -> None:
        for name, description in (("../x", "y"), ("x", " "), ("x", "y" * 1_025), ("", "y")):
            with pytest.raises(InvalidInput):
                proposing.worded("skill-0", "e-1", [], {"name": name, "description": description}, "m", HERE)
        with pytest.raises(InvalidInput):
            proposing.promote("../x", "/x", "00", [], HERE)


class TestCredit:
    @given(
        st.lists(st.sampled_from(["helpful", "not_helpful", "partially_helpful", "success", "failure"]), max_size=20)
    )
    def test_q_stays_between_none_and_all(self, verdicts: list[str]) -> None:
        """And is where it was, if nothing was said."""
        rows = [crediting.judged("a-skill", verdict, Rewards(), HERE, "e-1") for verdict in verdicts]
        credit = crediting.credits(events(crediting.loaded("a-skill", HERE), *rows))["a-skill"]
        assert 0 < credit.q < 1
        assert credit.loads == 1
        assert verdicts or credit.q == 0.5

    def test_a_verdict_moves_more_than_an_outcome(self) -> None:
        q = {}
        for verdict in ("helpful", "success"):
            row = crediting.judged("a-skill", verdict, Rewards(), HERE, "e-1")
            q[verdict] = crediting.credits(events(row))["a-skill"].q
        assert q["helpful"] > q["success"] > 0.5
        with pytest.raises(InvalidInput):
            crediting.judged("a-skill", "eaten", Rewards(), HERE, "e-1")
