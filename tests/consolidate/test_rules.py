"""The rules of the slow loop: what may be summed up, what a summary is, and what reaches more people."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from tests.ledger.lives import HOUR, NOW, made
from treering.consolidate import rules
from treering.consolidate.rules import PROMOTED_AT_ONCE, WIDER, Proof, Summary, group_named, may_widen
from treering.ledger.ageing import importance
from treering.ledger.codec import decode
from treering.ledger.errors import IllegalMove, InvalidInput
from treering.ledger.events import GROUPED, MERGED, MOVED, SUMMARISED, Draft
from treering.ledger.types import (
    RECALLABLE,
    STATUSES,
    TRANSITIONS,
    TRUSTS,
    TYPES,
    Context,
    Memory,
    least_trusted,
    trust_in,
)

HERE = Context(project="elsewhere", session="now")
LIMIT = 1_000  # characters


def episode(number: int, **fields: Any) -> Memory:
    """One of the shop's, an hour after the one before."""
    there = {"scope": "project", "project": "shop", "session": f"s{number}", "trust": "agent"}
    return made(idle=HOUR * (9 - number), type="episodic", **{**there, **fields})._replace(id=f"a-{number}")


def three(**fields: Any) -> list[Memory]:
    return [episode(number, **fields) for number in (1, 2, 3)]


def told(draft: Draft) -> dict[str, Any]:
    data: dict[str, Any] = decode(draft.payload)
    return data


class TestGroups:
    def test_the_name_of_a_group_follows_from_its_members(self) -> None:
        """In whatever order; other members are another group."""
        names = {group_named(ids) for ids in permutations(("a-1", "a-2", "b-1"))}
        assert len(names) == 1
        assert names.isdisjoint({group_named(["a-1", "a-2"]), group_named(["a-1", "a-2", "b-2"])})

    @pytest.mark.parametrize("count", (0, 1, 2))
    def test_less_than_three_are_no_group(self, count: int) -> None:
        """Two may be chance."""
        with pytest.raises(InvalidInput, match="at least 3"):
            rules.grouped([f"a-{number}" for number in range(count)], "topic", HERE)

    def test_a_group_rests_on_its_episodes_and_holds_none_of_their_words(self) -> None:
        """So that it falls with any of them, and a purge need not look into it."""
        draft = rules.grouped(["a-1", "a-2", "a-3"], "strength", HERE)
        assert (draft.kind, draft.causes, draft.subject) == (GROUPED, ("a-1", "a-2", "a-3"), "")
        assert told(draft) == {"group": group_named(["a-3", "a-2", "a-1"]), "memories": ["a-1", "a-2", "a-3"],
                               "reason": "strength"}  # fmt: skip


class TestSummaries:
    def test_a_summary_is_a_fact_that_rests_on_its_sources_and_lies_where_they_lie(self) -> None:
        """Wherever whoever wrote it stands; it is as old as the newest of them."""
        sources = three()
        draft = rules.summarise(Summary("what it comes to", "agent"), sources, LIMIT, HERE)
        data = told(draft)
        assert draft.causes == ("a-1", "a-2", "a-3")
        assert (draft.project, draft.session) == ("shop", "")
        assert (data["type"], data["scope"], data["at"]) == ("semantic", "project", sources[-1].created)
        assert data["tags"] == ["summary"]

    def test_a_summary_of_what_one_session_said_stays_in_that_session(self) -> None:
        """Its walls hold for what is made of it."""
        draft = rules.summarise(
            Summary("what it comes to", "llm", "m"), three(scope="session", session="mine"), LIMIT, HERE
        )
        assert (told(draft)["scope"], draft.project, draft.session) == ("session", "shop", "mine")

    @pytest.mark.parametrize("by", ("llm", "agent", "extract"))
    @pytest.mark.parametrize("trust", TRUSTS)
    def test_a_summary_is_trusted_as_the_least_of_its_sources(self, trust: str, by: str) -> None:
        """Or as whoever wrote it, however much the others are trusted; an extract is nobody's but theirs."""
        sources = [episode(1, trust=trust), episode(2, trust=TRUSTS[0]), episode(3, trust=TRUSTS[0])]
        for writer in ("user", "agent"):
            data = told(rules.summarise(Summary("text", by), sources, LIMIT, HERE._replace(actor=writer)))
            most = {"extract": trust, "llm": "agent", "agent": writer}[by]
            assert (data.get("trust") or trust_in(data["origin"])) == least_trusted(trust, most)

    @pytest.mark.parametrize(
        ("made_by", "sure"),
        [
            (Summary("text of it", "agent"), 0.7),
            (Summary("text of it", "llm", "m"), 0.7),
            (Summary("text of it", "extract"), 0.5),
            (Summary("text of it", "agent", dropped=("number 7",)), 0.5),
            (Summary("text of it", "llm", "m", invented=("Bob",)), 0.5),
        ],
    )
    def test_what_is_a_draft_or_lacks_something_is_less_sure(self, made_by: Summary, sure: float) -> None:
        """And only a draft is tagged as one."""
        data = told(rules.summarise(made_by, three(), LIMIT, HERE))
        assert data.get("confidence", 0.7) == sure
        assert ("draft" in data["tags"]) == (made_by.by == "extract")

    def test_tags_that_most_sources_have_are_kept(self) -> None:
        """More than half; and none that say what a summary is."""
        sources = [episode(1, tags=("ops", "summary")), episode(2, tags=("ops", "draft", "x")), episode(3, tags=("x",))]
        sources.append(episode(4, tags=("ops",)))
        data = told(rules.summarise(Summary("text of it", "agent"), sources, LIMIT, HERE))
        assert data["tags"] == ["ops", "summary"]

    def test_a_summary_that_is_too_long_is_refused(self) -> None:
        """At the limit it is taken."""
        rules.summarise(Summary("x" * LIMIT, "agent"), three(), LIMIT, HERE)
        with pytest.raises(InvalidInput, match="too long"):
            rules.summarise(Summary("x" * (LIMIT + 1), "agent"), three(), LIMIT, HERE)

    def test_sources_are_consolidated_by_events_that_rest_on_the_summary(self) -> None:
        """So that undoing it brings them back."""
        sources = [episode(1), episode(2, status="created")]
        first, *moves = rules.summarised("a-9", "group-1", "a-7", Summary("t", "agent"), sources, HERE)
        assert (first.kind, first.subject, first.causes) == (SUMMARISED, "a-9", ("a-9", "a-7"))
        assert told(first) == {"group": "group-1", "sources": ["a-1", "a-2"], "by": "agent"}
        assert [(move.kind, move.subject, move.causes) for move in moves] == [
            (MOVED, "a-1", ("a-9",)),
            (MOVED, "a-2", ("a-9",)),
        ]
        assert [told(move)["to"] for move in moves] == ["consolidated"] * 2

    def test_what_a_summary_lacks_or_has_from_nowhere_is_written_down(self) -> None:
        """With the model that wrote it."""
        made_by = Summary("t", "llm", "small", ("number 7",), ("Bob",))
        first, *_ = rules.summarised("a-9", "group-1", "a-7", made_by, three(), HERE)
        data = told(first)
        assert (data["model"], data["dropped"], data["invented"]) == ("small", ["number 7"], ["Bob"])
        assert made_by.flagged and not Summary("t", "agent").flagged

    @pytest.mark.parametrize("status", STATUSES)
    def test_only_what_the_table_lets_through_is_consolidated(self, status: str) -> None:
        """A source that is forgotten or superseded is not."""
        if "consolidated" in TRANSITIONS[status]:
            rules.summarised("a-9", "g", "a-7", Summary("t", "agent"), three(status=status), HERE)
        else:
            with pytest.raises(IllegalMove):
                rules.summarised("a-9", "g", "a-7", Summary("t", "agent"), three(status=status), HERE)

    def test_what_is_told_can_be_consolidated(self) -> None:
        """In its first hour too, and when it was archived while it waited for that."""
        told = {status for status in STATUSES if "consolidated" in TRANSITIONS[status]}
        assert told == {"created", "active", "archived"}


def earned(scope: str = "session", **fields: Any) -> Memory:
    """A memory of just the importance that is asked for: .25 + .02 + .05 + .05 of its type, and .13 of relevance."""
    walls = {"scope": scope, "project": "shop", "session": "s1", "trust": "agent", "accesses": 1}
    known = {"confidence": 0.0, "relevance": 0.65, "impact": 0.5, "accesses": 1}
    return made(**{"status": "active", **walls, **known, **fields})


MUCH = Proof(99, frozenset({"shop", "mill"}))


class TestPromotion:
    def test_what_is_just_important_enough_is_told_to_its_project(self) -> None:
        """An importance of .5 and two uses; a little less of either is not enough."""
        assert importance(earned(), NOW) == pytest.approx(0.5)
        just = earned(relevance=0.65 + 1e-9)
        assert may_widen(just, Proof(2), NOW) and may_widen(just, Proof(3), NOW)
        assert not may_widen(just, Proof(1), NOW)
        assert not may_widen(earned(relevance=0.645), Proof(2), NOW)
        assert not may_widen(just._replace(q=0.49), Proof(2), NOW)
        assert not may_widen(just, Proof(9, blamed=True), NOW)

    def test_what_two_projects_used_is_told_to_its_user(self) -> None:
        """One is not enough, and neither importance nor many uses help."""
        for count, enough in ((1, False), (2, True), (3, True)):
            proof = Proof(9, frozenset(map(str, range(count))))
            assert may_widen(earned("project", relevance=0.0, impact=0.0), proof, NOW) is enough
        assert not may_widen(earned("project", accesses=99, relevance=1.0, confidence=1.0), Proof(99), NOW)

    @pytest.mark.parametrize("type", TYPES)
    def test_only_some_types_are_told_further(self, type: str) -> None:
        """Episodes to the project, facts and processes to either, what is at work to neither."""
        rich: dict[str, Any] = {"type": type, "relevance": 1.0, "confidence": 1.0, "accesses": 9}
        assert may_widen(earned(**rich), MUCH, NOW) == (type in ("semantic", "procedural", "episodic"))
        assert may_widen(earned("project", **rich), MUCH, NOW) == (type in ("semantic", "procedural"))

    @pytest.mark.parametrize("scope", ("session", "project", "user"))
    def test_what_came_from_outside_is_never_told_further(self, scope: str) -> None:
        """However important and much used; nor is what the user has already."""
        rich = earned(scope, relevance=1.0, confidence=1.0, accesses=99)
        assert may_widen(rich, MUCH, NOW) == (scope != "user")
        assert not may_widen(rich._replace(trust="external"), MUCH, NOW)

    def test_what_belongs_to_no_project_stays_in_its_session(self) -> None:
        """There is nobody to tell it to."""
        assert not may_widen(earned(relevance=1.0, project=""), MUCH, NOW)

    @pytest.mark.parametrize("relevance", (0.0, 0.5, 1.0))
    @pytest.mark.parametrize("scope", tuple(WIDER))
    def test_who_is_told_further_has_a_share_of_the_importance(self, scope: str, relevance: float) -> None:
        """Eight tenths in the project, seven for the user, or all that its relevance adds; it is as sure as before."""
        share = {"session": 0.8, "project": 0.7}[scope]
        source = earned(scope, relevance=relevance, confidence=1.0, accesses=0, impact=0.0)
        data = told(rules.widened(source, NOW, HERE))
        copy = source._replace(relevance=data["relevance"], confidence=data["confidence"])
        least = importance(source._replace(relevance=0.0), NOW)
        assert importance(copy, NOW) == pytest.approx(max(least, share * importance(source, NOW)), abs=1e-4)
        assert copy.confidence == source.confidence

    def test_a_memory_is_told_further_as_it_is(self) -> None:
        """Its words, type, tags, age and origin; its walls are those of the wider scope."""
        source = earned(type="procedural", tags=("ops",), trigger="when", action="do", origin="agent", idle=HOUR)
        draft = rules.widened(source, NOW, HERE)
        data = told(draft)
        assert (data["content"], data["type"], data["scope"]) == (source.content, "procedural", "project")
        assert (data["tags"], data["trigger"], data["action"]) == (["ops"], "when", "do")
        assert (draft.project, draft.session, data["at"], draft.causes) == ("shop", "", source.created, ("a-1",))
        alone = rules.widened(source._replace(scope="project"), NOW, HERE)
        assert told(alone)["scope"] == "user"

    def test_a_memory_is_merged_into_the_one_that_speaks_for_it(self) -> None:
        """It rests on both, and says by which rule and on what numbers."""
        merged = rules.promoted(earned(), "a-2", {"uses": 4}, HERE)
        assert (merged.kind, merged.subject, merged.causes) == (MERGED, "a-1", ("a-1", "a-2"))
        assert told(merged) == {"into": "a-2", "from": "active", "rule": "promote", "evidence": {"uses": 4}}

    @pytest.mark.parametrize("status", [status for status in STATUSES if status not in RECALLABLE])
    def test_what_is_not_told_any_more_is_not_told_further(self, status: str) -> None:
        """Somebody was quicker."""
        with pytest.raises(IllegalMove):
            rules.promoted(earned(status=status), "a-2", {}, HERE)

    def test_at_most_twenty_of_a_session_are_told_further_at_once(self) -> None:
        """The figure of the design."""
        assert PROMOTED_AT_ONCE == 20
