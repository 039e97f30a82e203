"""What each event does to a memory, and what the table of moves keeps it from doing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.world import NOON
from treering.ledger import events as kinds
from treering.ledger.ageing import DAY
from treering.ledger.codec import encode, stamp
from treering.ledger.decide import Remember, remember
from treering.ledger.events import Draft, Event
from treering.ledger.fold import apply, fold
from treering.ledger.schemas import SCHEMAS
from treering.ledger.types import RECALLABLE, STATUSES, TRANSITIONS, Context, Memory, Move, move_of, moved
from treering.stores.sqlite.rows import memory_of, memory_row

LATER = NOON + DAY
HERE = Context(actor="user")


def happened(kind: str, data: dict[str, Any], time: int = LATER, seq: int = 2) -> Event:
    return stamp(Draft(kind, encode(data), "user", "default", subject="w-1"), "w", seq, b"", time, time, b"")


def made(status: str = "created", **wish: Any) -> Memory:
    memory = apply(None, stamp(remember(Remember("a fact", **wish), HERE), "w", 1, b"", NOON, NOON, b""))
    assert memory is not None
    return memory._replace(status=status)


def after(record: Memory, *events: Event) -> Memory:
    found: Memory | None = record
    for event in events:
        found = apply(found, event)
    assert found is not None
    return found


def move(to: str, rule: str = "faded", time: int = LATER, **data: Any) -> Event:
    return happened(kinds.MOVED, {"from": "?", "to": to, "rule": rule, **data}, time)


USES = [happened(kinds.SURFACED, {"rank": 1}), happened(kinds.USED, {})]


class TestUse:
    @pytest.mark.parametrize("use", USES, ids=lambda event: event.kind)
    @pytest.mark.parametrize("status", ("created", "consolidated", "archived"))
    def test_a_use_makes_it_active_again(self, use: Event, status: str) -> None:
        """The first retrieval of a new one; what had been consolidated or archived; and the move is told."""
        memory = after(made(status), use)
        assert (memory.status, memory.accesses, memory.accessed) == ("active", 1, LATER)
        assert move_of(memory.moves[-1]) == Move("active", LATER, "used")

    @pytest.mark.parametrize("use", USES, ids=lambda event: event.kind)
    @pytest.mark.parametrize("status", [status for status in STATUSES if status not in RECALLABLE] + ["active"])
    def test_a_use_moves_nothing_else(self, use: Event, status: str) -> None:
        """It counts, and that is all."""
        assert after(made(status), use) == made(status)._replace(accesses=1, accessed=LATER)

    def test_a_use_takes_it_off_the_queue(self) -> None:
        """What is needed as it is waits no longer for consolidation."""
        memory = after(made("active"), happened(kinds.QUEUED, {"evidence": {}}))
        assert memory.queued == LATER
        assert after(memory, USES[0]).queued == 0

    def test_a_use_that_is_told_later_counts_from_when_it_was(self) -> None:
        """And never takes a later one back."""
        earlier = happened(kinds.USED, {"at": LATER - DAY // 2})
        assert after(made(), earlier).accessed == LATER - DAY // 2
        both = after(made(), USES[1], earlier)
        assert (both.accesses, both.accessed) == (2, LATER)

    def test_a_use_is_no_change_of_what_is_said(self) -> None:
        """Importance counts recency from the last change of the memory, not from its use."""
        assert after(made(), USES[0]).updated == made().updated == NOON


class TestMoves:
    @pytest.mark.parametrize("now", STATUSES)
    @pytest.mark.parametrize("to", [status for status in STATUSES if status != "forgotten"])
    def test_a_move_happens_if_the_table_has_it(self, now: str, to: str) -> None:
        """What it forbids did not happen: another machine had moved the memory before."""
        memory = after(made(now), move(to))
        if to in TRANSITIONS[now]:
            assert memory == made(now)._replace(status=to, moves=(f"{to}@{LATER}@faded",))
        else:
            assert memory == made(now)

    def test_a_status_that_nobody_knows_is_no_move(self) -> None:
        """As a newer version, or a forger, may write it."""
        assert after(made(), move("dreaming")) == made()

    def test_a_move_to_forgotten_clears_the_text(self) -> None:
        """Whoever forgets it, a person or a policy."""
        full = made("archived", tags=("t",), problem="p", approach="a", gotchas="g")
        memory = after(full, move("forgotten", "gone"))
        assert (memory.status, memory.content, memory.details, memory.tags) == ("forgotten", "", "", ())
        assert (memory.updated, memory.since) == (full.updated, LATER)  # it does not look new for being forgotten
        assert move_of(memory.moves[-1]).rule == "gone"

    def test_every_move_is_kept_in_order(self) -> None:
        """With its time and its rule: that is the history of its status."""
        memory = after(made(), move("active", "grown", NOON + 1), move("archived", "faded", NOON + 2), USES[0])
        assert [move_of(word) for word in memory.moves] == [
            Move("active", NOON + 1, "grown"),
            Move("archived", NOON + 2, "faded"),
            Move("active", LATER, "used"),
        ]
        assert memory.since == LATER

    def test_a_memory_that_never_moved_came_to_its_status_when_it_was_made(self) -> None:
        """Even one of long ago."""
        assert made(at=NOON - 100 * DAY).since == NOON - 100 * DAY

    def test_what_leaves_the_queue_by_a_move_waits_no_longer(self) -> None:
        """An archived memory is in no queue: using it would take it off, and so does every other way out."""
        queued = after(made("active"), happened(kinds.QUEUED, {"evidence": {}}))
        for to in ("archived", "consolidated", "forgotten"):
            assert after(queued, move(to, time=LATER + 1)).queued == 0

    @pytest.mark.parametrize("status", [status for status in STATUSES if status != "active"])
    def test_only_what_is_active_waits_for_consolidation(self, status: str) -> None:
        """A queueing that meets another status comes too late."""
        assert after(made(status), happened(kinds.QUEUED, {"evidence": {}})) == made(status)

    @given(st.sampled_from(STATUSES), st.integers(-(2**60), 2**60), st.sampled_from(["faded", "left", "x-y"]))
    def test_a_move_is_read_as_it_was_written(self, status: str, at: int, rule: str) -> None:
        """In one word, so that a row of them is one text."""
        word = moved(Move(status, at, rule))
        assert move_of(word) == Move(status, at, rule)
        assert len(word.split()) == 1


class TestTruth:
    def test_superseded_knows_by_what(self) -> None:
        """It is out of the queue, and the move is told."""
        memory = after(made("active")._replace(queued=5), happened(kinds.SUPERSEDED, {"by": "w-9"}))
        assert (memory.status, memory.superseded_by, memory.queued) == ("superseded", "w-9", 0)
        assert move_of(memory.moves[-1]) == Move("superseded", LATER, "superseded")
        assert memory.content == "a fact"

    def test_of_two_that_supersede_it_the_first_holds(self) -> None:
        """Two machines may each have named one."""
        one, two = (happened(kinds.SUPERSEDED, {"by": by}, LATER + at) for at, by in enumerate(("w-8", "w-9")))
        assert after(made(), one, two) == after(made(), one)

    def test_superseded_is_terminal(self) -> None:
        """No use, move or policy brings it back; only a person can forget it."""
        memory = after(made(), happened(kinds.SUPERSEDED, {"by": "w-9"}))
        for to in STATUSES:
            changed = after(memory, move(to, time=LATER + 1))
            assert changed.status == ("forgotten" if to == "forgotten" else "superseded")
        assert after(memory, *USES).status == "superseded"

    def test_what_is_forgotten_can_turn_out_to_be_superseded(self) -> None:
        """One machine forgot it, another superseded it: it stays forgotten, and comes back as superseded."""
        told = after(made(), happened(kinds.FORGOTTEN, {}), happened(kinds.SUPERSEDED, {"by": "w-9"}))
        assert told.status == "forgotten"
        assert fold_without(kinds.FORGOTTEN).status == "superseded"

    def test_a_memory_knows_all_whose_place_it_took(self) -> None:
        """In order."""
        memory = after(made(), *(happened(kinds.SUCCEEDED, {"old": old}) for old in ("w-8", "w-9")))
        assert memory == made()._replace(supersedes=("w-8", "w-9"))

    @pytest.mark.parametrize(("answer", "verified"), [("yes", LATER), ("no", 0), ("change", 0)])
    def test_only_a_yes_confirms(self, answer: str, verified: int) -> None:
        """The other answers say that it does not hold."""
        assert after(made(invariant=True), happened(kinds.VERIFIED, {"answer": answer})).verified == verified


def judged(by: str, reward: float, rate: float = 0.1) -> Event:
    return happened(kinds.JUDGED, {"recall": "w-5", "verdict": "x", "by": by, "reward": reward, "rate": rate})


class TestJudgements:
    @pytest.mark.parametrize(
        ("reward", "rate", "q"), [(1.0, 0.1, 0.55), (0.0, 0.1, 0.45), (0.5, 1.0, 0.5), (0.0, 1.0, 0.0)]
    )
    def test_q_moves_towards_what_was_earned(self, reward: float, rate: float, q: float) -> None:
        """By the share that the event names, whatever the settings are now."""
        assert after(made(), judged("implicit", reward, rate)) == made()._replace(q=q)

    def test_five_bad_uses_bring_it_below_what_a_refinement_needs_and_ten_below_a_deprecation(self) -> None:
        """With the rate of the settings, and not a use sooner."""
        qs = [after(made(), *[judged("explicit", 0.0)] * count).q for count in range(11)]
        assert qs[4] >= 0.3 > qs[5]
        assert qs[8] >= 0.2 > qs[9]

    def test_what_people_say_is_feedback_and_what_came_of_it_is_impact(self) -> None:
        """What is read off an answer is neither: it only moves Q."""
        said, came, read = (after(made(), judged(by, 1.0)) for by in ("explicit", "outcome", "implicit"))
        assert (said.feedback, said.impact) == (0.1, 0.5)
        assert (came.feedback, came.impact) == (0.0, 0.55)
        assert (read.feedback, read.impact) == (0.0, 0.5)

    @pytest.mark.parametrize("status", STATUSES)
    def test_a_judgement_is_no_use_and_moves_no_status(self, status: str) -> None:
        """Also of what is out of sight by now: it was shown."""
        before = made(status)
        assert after(before, judged("explicit", 1.0)) == before._replace(q=0.55, feedback=0.1)


def absorbed(merged: str = "w-9", q: float = 0.75, accesses: int = 3, accessed: int = LATER) -> Event:
    data = {"merged": merged, "q": q, "accesses": accesses, "accessed": accessed}
    return happened(kinds.ABSORBED, data)


class TestMerges:
    def test_merged_knows_into_what(self) -> None:
        """It keeps its text, is out of the queue, and the move is told."""
        memory = after(made("active")._replace(queued=5), happened(kinds.MERGED, {"into": "w-9", "from": "active"}))
        assert (memory.status, memory.merged_into, memory.queued, memory.content) == ("merged", "w-9", 0, "a fact")
        assert move_of(memory.moves[-1]) == Move("merged", LATER, "merge")

    def test_of_two_that_it_was_merged_into_the_first_holds(self) -> None:
        """Two machines may each have named one."""
        one, two = (happened(kinds.MERGED, {"into": into, "from": "x"}, LATER + at) for at, into in enumerate("89"))
        assert after(made(), one, two) == after(made(), one)

    def test_merged_is_terminal(self) -> None:
        """No use, move or supersession brings it back or elsewhere; only a person can forget it."""
        memory = after(made(), happened(kinds.MERGED, {"into": "w-9", "from": "created"}))
        for to in STATUSES:
            changed = after(memory, move(to, time=LATER + 1))
            assert changed.status == ("forgotten" if to == "forgotten" else "merged")
        assert after(memory, *USES, happened(kinds.SUPERSEDED, {"by": "w-7"})).status == "merged"

    def test_the_one_that_is_kept_has_the_uses_of_both(self) -> None:
        """And the Q that the merge decided on; the last use of either is its last use."""
        kept = after(made("active")._replace(accesses=2, accessed=NOON), absorbed())
        assert (kept.q, kept.accesses, kept.accessed, kept.merged) == (0.75, 5, LATER, ("w-9",))
        assert after(kept, absorbed("w-8", accessed=NOON)).accessed == LATER
        assert after(kept, absorbed("w-8")).merged == ("w-9", "w-8")

    def test_no_merge_takes_uses_away(self) -> None:
        """As a forger may write it."""
        assert after(made(), absorbed(accesses=-7)).accesses == 0

    def test_a_refinement_is_told_by_its_rule(self) -> None:
        """A supersession that is no news about the world."""
        memory = after(made(), happened(kinds.SUPERSEDED, {"by": "w-9", "rule": "refine"}))
        assert move_of(memory.moves[-1]) == Move("superseded", LATER, "refine")


def fold_without(kind: str) -> Memory:
    """A memory that was forgotten and superseded, without the events of a kind."""
    events = [
        stamp(remember(Remember("a fact"), HERE), "w", 1, b"", NOON, NOON, b""),
        happened(kinds.FORGOTTEN, {}),
        happened(kinds.SUPERSEDED, {"by": "w-9"}),
    ]
    memory = fold(event for event in events if event.kind != kind)
    assert memory is not None
    return memory


class TestMaking:
    def test_a_memory_starts_with_the_values_of_the_design(self) -> None:
        """Confidence 0.7, relevance 0.5, outcome impact 0.5, user feedback 0.0, Q 0.5."""
        memory = made()
        assert (memory.confidence, memory.relevance, memory.impact, memory.feedback, memory.q) == (
            0.7,
            0.5,
            0.5,
            0.0,
            0.5,
        )

    def test_confidence_and_relevance_can_be_said(self) -> None:
        """Also that there is none."""
        memory = made(confidence=0, relevance=1)
        assert (memory.confidence, memory.relevance) == (0.0, 1.0)

    def test_what_happened_earlier_is_as_old_as_it_is(self) -> None:
        """Its recency too: it was last changed when it happened."""
        memory = made(at=NOON - DAY)
        assert (memory.created, memory.updated, memory.used) == (NOON - DAY,) * 3


_datas: dict[str, dict[str, Any]] = {
    kinds.SURFACED: {"rank": 1},
    kinds.USED: {},
    kinds.QUEUED: {"evidence": {"strength": 0.2}},
    kinds.FORGOTTEN: {},
    kinds.SUPERSEDED: {"by": "w-9"},
    kinds.SUCCEEDED: {"old": "w-8"},
    kinds.VERIFIED: {"answer": "yes"},
    kinds.JUDGED: {"recall": "w-5", "verdict": "helpful", "by": "explicit", "reward": 1.0, "rate": 0.1},
    kinds.MERGED: {"into": "w-9", "from": "active"},
    kinds.ABSORBED: {"merged": "w-8", "q": 0.6, "accesses": 2, "accessed": NOON},
    kinds.ECHOED: {},
    kinds.CAPTURED: {"kind": "told", "mark": "m"},
    kinds.SUMMARISED: {"group": "group-1", "sources": ["w-8"], "by": "agent"},
    kinds.TURNED_OUT: {"outcome": "success"},
    kinds.BEGAN: {"trigger": "by_hand"},
    kinds.EVOLVED: {"evaluated": 1, "actions": {}},
    kinds.PROPOSED: {"key": "p1", "kind": "memory-action", "action": "archive", "memories": ["w-1"]},
    kinds.RAN: {"policy": "age", "moves": 1, "crowded": 0},
    kinds.ENDED: {},
}
_event = st.one_of(
    st.sampled_from(list(_datas)).map(lambda kind: (kind, _datas[kind])),
    st.tuples(st.just(kinds.MOVED), st.sampled_from(STATUSES).map(lambda to: {"from": "?", "to": to, "rule": "x"})),
)


@given(st.lists(st.tuples(_event, st.integers(-100, 100)), max_size=12))
def test_the_fold_takes_any_events_in_any_order(events: list[tuple[tuple[str, dict[str, Any]], int]]) -> None:
    """Every step between two statuses is in the table, every move is told, and a row of a table can hold it all."""
    memory = made()
    for seq, ((kind, data), days) in enumerate(events, 2):
        before = memory
        memory = after(memory, happened(kind, data, NOON + days * DAY, seq))
        assert memory.status == before.status or memory.status in TRANSITIONS[before.status]
        assert len(memory.moves) - len(before.moves) == (memory.status != before.status)
        assert memory.accessed >= before.accessed
        assert memory.status != "forgotten" or not memory.content
        assert 0 <= memory.q <= 1 and 0 <= memory.feedback <= 1 and 0 <= memory.impact <= 1
    assert [move_of(word).status for word in memory.moves][-1:] in ([], [memory.status])
    row = memory_row(memory, "", 1)
    assert memory_of(tuple(row[:-2])) == memory


def test_every_kind_of_event_that_is_about_a_memory_is_folded_here() -> None:
    """A new kind gets a test of its own."""
    about = {kind for kind in SCHEMAS if kind.startswith("memory.")}
    apart = {kinds.REMEMBERED, kinds.PURGED, kinds.RECALLED, kinds.MOVED}
    assert about - apart == {kind for kind in _datas if kind.startswith("memory.")}
