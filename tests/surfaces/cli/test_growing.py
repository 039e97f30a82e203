"""Commands that judge what was recalled, as somebody calls them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.cli.driving import Cli, Program
from tests.surfaces.cli.growth import BELL, DEPLOY, EARLIER, LONG_AGO, PLAIN, TOKEN, events, q, refused, worn

GROWING = ("feedback", "outcome", "observe", "usage", "evolve")


class TestFeedback:
    @pytest.mark.parametrize(
        ("verdict", "reward"), [("helpful", 1.0), ("partially_helpful", 0.5), ("not_helpful", 0.0)]
    )
    def test_a_verdict_moves_q(self, shop: Cli, verdict: str, reward: float) -> None:
        """It is told to people in a line, and to programs as the memory is now."""
        was = q(shop, "3")
        told = shop.fine("feedback", "last", "3", verdict, "--note", "seen twice", "--json").json
        assert {*told} == PLAIN and told["content"] == DEPLOY
        assert q(shop, "3") == pytest.approx(was + 0.1 * (reward - was), abs=1e-6)
        line = shop.fine("feedback", "41", "3", verdict).out
        assert line == f"{told['id']}  Q {told['q']:.3f}  {DEPLOY}\n"

    def test_a_recall_has_several_names(self, shop: Cli) -> None:
        """Its id, the number at its end, a beginning of its writer, and `last`; saying it again changes nothing."""
        id = shop.fine("show", "3", "--json").json["id"]
        writer = id.partition("-")[0]
        first = shop.fine("feedback", f"{writer}-41", id, "helpful", "--json").json
        before = events(shop)
        for recall, memory in (("41", "3"), (f"{writer[:5]}-41", f"{writer[:5]}-3"), ("last", id)):
            assert shop.fine("feedback", recall, memory, "helpful", "--json").json == first
        assert events(shop) == before

    def test_saying_otherwise_replaces_it(self, shop: Cli) -> None:
        """As if the first word had never been said."""
        was = q(shop, "3")
        shop.fine("feedback", "last", "3", "helpful")
        shop.fine("feedback", "last", "3", "not_helpful")
        assert q(shop, "3") == round(was * 0.9, 6)
        (use, *_) = shop.fine("usage", "3", "--json").json
        assert (use["outcome"], use["by"]) == ("not_helpful", "explicit")

    @pytest.mark.parametrize(
        ("words", "code", "message"),
        [
            (("last", "3", "great"), 1, "verdict must be one of helpful, partially_helpful, not_helpful, not 'great'"),
            (("last", "3", "Helpful"), 1, "verdict must be one of"),
            (("last", "3", ""), 1, "verdict must be one of"),
            (("last", "99", "helpful"), 1, "no memory '99'"),
            (("99", "3", "helpful"), 1, "no recall '99'"),
            (("1", "3", "helpful"), 1, "no recall '"),
            (("last", "1", "helpful"), 1, "did not show memory"),
            (("last", "41", "helpful"), 1, "no memory '"),
            (("", "3", "helpful"), 1, "an id is a text like"),
            (("\033[2J", "3", "helpful"), 1, "an id is a text like"),
            (("last", BELL, "helpful"), 1, "an id is a text like"),
            (("last", "3", BELL), 1, "verdict must be one of"),
            (("monday", "3", "helpful"), 1, "no recall 'monday'"),
            (("last", "3"), 2, "feedback needs a VERDICT"),
            ((), 2, "feedback needs a RECALL"),
            (("last", "3", "helpful", "again"), 2, "again"),
            (("last", "3", "helpful", "--note"), 2, "--note"),
            (("last", "3", "helpful", "--as-of", "2026-01-01"), 2, "leave out --as-of"),
            (("last", "3", "helpful", "--space", "elsewhere"), 1, "nothing has been recalled here yet"),
            (("41", "3", "helpful", "--space", "elsewhere"), 1, "no recall '"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, shop: Cli, words: tuple[str, ...], code: int, message: str) -> None:
        """With what to do instead."""
        refused(shop, ("feedback", *words), code, message)

    def test_without_a_recall_there_is_nothing_to_judge(self, cli: Cli) -> None:
        """Nor is a look without a trace one."""
        cli.remember(DEPLOY)
        cli.fine("recall", DEPLOY, "--no-log")
        refused(cli, ("feedback", "last", "1", "helpful"), 1, "no recall 'last': nothing has been recalled here yet")

    def test_what_is_undone_purged_or_forgotten(self, shop: Cli) -> None:
        """A recall that was undone cannot be judged; a memory out of sight can; one that is gone cannot."""
        shop.fine("forget", "3")
        assert shop.fine("feedback", "last", "3", "helpful", "--json").json["status"] == "forgotten"
        shop.fine("undo", "41")
        refused(shop, ("feedback", "41", "3", "helpful"), 1, "has been undone")
        earlier = shop.fine("usage", "3", "--json").json[0]["recall"]
        shop.fine("purge", "3", "--yes")
        refused(shop, ("feedback", earlier, "3", "helpful"), 1, "no memory '")

    def test_a_note_is_in_the_history(self, shop: Cli, home: Path) -> None:
        """Without what is never stored, and with nothing that a terminal would obey."""
        shop.fine("feedback", "last", "3", "helpful", "--note", f"because {BELL} of {TOKEN}")
        out = shop.fine("history", "3", "--json").out
        assert "because" in out and "[redacted: github-token]" in out
        assert not any(sign in out + shop.fine("history", "3").out for sign in ("\a", "\033", "\u202e"))
        assert not any(TOKEN.encode() in file.read_bytes() for file in home.iterdir())


class TestOutcome:
    @pytest.mark.parametrize("of", ["last", "41", "monday"])
    def test_it_falls_back_on_what_was_shown(self, shop: Cli, of: str) -> None:
        """At half of the rate; a second time it says that nothing is left to judge."""
        was = q(shop, "3")
        (told,) = shop.fine("outcome", of, "success", "--json").json
        assert {*told} == PLAIN and round(told["q"], 6) == round(was + 0.05 * (1 - was), 6)
        before = events(shop)
        again = shop.fine("outcome", of, "success")
        assert again.out == "" and again.err.startswith("recorded; ")
        assert shop.fine("outcome", of, "success", "--json").json == []
        assert events(shop) == before

    def test_it_may_turn_out_otherwise(self, shop: Cli) -> None:
        """The last word counts."""
        was = q(shop, "3")
        shop.fine("outcome", "monday", "success")
        assert shop.fine("outcome", "monday", "failure").out.startswith(shop.fine("show", "3", "--json").json["id"])
        assert q(shop, "3") == round(was * 0.95, 6)

    def test_what_somebody_said_counts_more(self, shop: Cli) -> None:
        """Before and after."""
        shop.fine("feedback", "last", "3", "helpful")
        was = q(shop, "3")
        assert shop.fine("outcome", "last", "failure", "--json").json == []
        assert q(shop, "3") == was

    def test_a_session_may_have_the_name_of_a_day(self, shop: Cli) -> None:
        """Or of a number, or of anything that a name can be."""
        for session in ("2026-11-16", "7", "a-1", "sprint 3", "größe"):
            shop.fine("recall", DEPLOY, "--until", EARLIER, "--session", session)
            assert len(shop.fine("outcome", session, "partial", "--json").json) == 1, session

    @pytest.mark.parametrize(
        ("words", "code", "message"),
        [
            (("last", "great"), 1, "outcome must be one of success, partial, failure, not 'great'"),
            (("last", ""), 1, "outcome must be one of"),
            (("tuesday", "success"), 1, "no recall or session 'tuesday'"),
            (("99", "success"), 1, "no recall or session '99'"),
            (("3", "success"), 1, "no recall or session '3'"),
            (("", "success"), 1, "no recall or session"),
            ((BELL, "success"), 1, "never stored"),
            ((f"token {TOKEN}", "success"), 1, "never stored"),
            (("last",), 2, "outcome needs an OUTCOME"),
            ((), 2, "outcome needs an OF"),
            (("last", "success", "--as-of", "2026-01-01"), 2, "leave out --as-of"),
            (("last", "success", "--space", "elsewhere"), 1, "nothing has been recalled here yet"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, shop: Cli, words: tuple[str, ...], code: int, message: str) -> None:
        """With what to do instead."""
        refused(shop, ("outcome", *words), code, message)


class TestObserve:
    def test_what_followed_is_read_and_not_stored(self, shop: Cli, home: Path) -> None:
        """A memory that was followed and worked; the words stay out of every file."""
        shop.fine("recall", "shop", "-k", "1")
        words = ("--answer", "I ran `make deploy` on Tuesday, quagmire", "--failed", "no deploy on Tuesdays, marzipan")
        told, *_ = shop.fine("observe", "last", *words, "--json").json
        assert {*told} == {"memory", "kind", "reward", "weight", "evidence"}
        assert (told["kind"], told["reward"]) == ("failed", 0.0)
        stored = b"".join(file.read_bytes() for file in home.iterdir())
        assert b"quagmire" not in stored and b"marzipan" not in stored

    def test_twice_is_once(self, shop: Cli) -> None:
        """Whatever followed then."""
        shop.fine("recall", "shop", "-k", "1")
        words = ("observe", "last", "--answer", "I ran `make deploy` on Tuesday", "--failed", "no deploy on Tuesdays")
        shop.fine(*words)
        before = events(shop)
        assert "judged already: this changes nothing" in shop.fine(*words).out and events(shop) == before

    def test_what_was_ignored_is_not_held_against_it(self, shop: Cli) -> None:
        """It is said, and nothing is written."""
        before = events(shop)
        (told,) = shop.fine("observe", "last", "--answer", "The kettle is green.", "--json").json
        assert told["kind"] == "ignored" and events(shop) == before

    def test_a_user_who_says_that_it_is_wrong_is_heard(self, shop: Cli) -> None:
        """As weakly as it was said."""
        was = q(shop, "3")
        words = ("--answer", "I deploy the shop with `make deploy`", "--reply", "No, `make deploy` is wrong")
        assert len(shop.fine("observe", "last", *words, "--json").json) == 1
        assert q(shop, "3") <= was

    def test_what_is_shown_of_it_can_be_shown(self, shop: Cli) -> None:
        """The evidence is of somebody else's making."""
        out = shop.fine("observe", "last", "--answer", f"make deploy {BELL}", "--result", BELL, "--reply", BELL).out
        assert not any(sign in out for sign in ("\a", "\033", "\u202e"))

    @pytest.mark.parametrize(
        ("words", "code", "message"),
        [
            (("last",), 2, "observe needs what followed"),
            (("last", "--answer", ""), 2, "observe needs what followed"),
            (("99", "--answer", "x"), 1, "no recall '99'"),
            (("3", "--answer", "x"), 1, "no recall '"),
            (("--answer", "x"), 2, "observe needs a RECALL"),
            (("last", "--answer", "x", "--as-of", "2026-01-01"), 2, "leave out --as-of"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, shop: Cli, words: tuple[str, ...], code: int, message: str) -> None:
        """With what to do instead."""
        refused(shop, ("observe", *words), code, message)

    def test_an_answer_comes_from_standard_input(self, program: Program, home: Path) -> None:
        """However long it is."""
        worn(home)
        result = program("observe", "last", "--answer", "-", "--json", stdin=b"I ran `make deploy`. " + b"x " * 100_000)
        assert result.code == 0 and len(result.json) == 1


class TestUsage:
    def test_the_newest_use_comes_first(self, shop: Cli) -> None:
        """In the shape of the seed, with more beside it: when, what came of it, and what was asked."""
        found = shop.fine("usage", "3", "--json").json
        assert len(found) == 11
        assert {"timestamp", "outcome", "context", "recall", "session", "project", "rank", "by"} <= {*found[0]}
        assert (found[0]["session"], found[0]["outcome"], found[0]["context"]) == ("monday", "", DEPLOY)
        assert {use["outcome"] for use in found[1:]} == {"not_helpful"}
        times = [use["timestamp"] for use in found]
        assert times == sorted(times, reverse=True) and times[0].endswith("Z")

    def test_a_limit_holds_and_0_is_all(self, shop: Cli) -> None:
        """Twenty, if nobody says."""
        assert [len(shop.fine("usage", "3", "--limit", n, "--json").json) for n in ("1", "5", "0")] == [1, 5, 11]
        refused(shop, ("usage", "3", "--limit", "-1"), 2, "--limit")
        refused(shop, ("usage", "3", "--limit", "many"), 2, "--limit")

    def test_people_see_a_line_for_each(self, shop: Cli) -> None:
        """And hear when there is none."""
        lines = shop.fine("usage", "3").out.splitlines()
        assert len(lines) == 11 and "monday" in lines[0] and "not_helpful" in lines[1]
        unused = shop.fine("usage", "1")
        assert (unused.out, unused.err) == ("", "it has not been used yet\n")
        assert shop.fine("usage", "1", "--json").json == []

    def test_the_past_knows_fewer(self, shop: Cli) -> None:
        """As of the fifth one."""
        moment = shop.fine("usage", "3", "--json").json[6]["timestamp"]
        assert len(shop.fine("usage", "3", "--as-of", moment, "--json").json) == 5
        assert shop("usage", "3", "--as-of", "2020-01-01").code == 1

    @pytest.mark.parametrize("id", ["99", "41", "nobody-1", "\033[2J", ""])
    def test_an_unknown_memory_is_refused(self, shop: Cli, id: str) -> None:
        """By its name."""
        refused(shop, ("usage", id), 1, "")


def test_what_was_retired_is_told_wherever_memories_are_shown(shop: Cli) -> None:
    """Listed, shown, logged and in its history, for people and for programs."""
    shop.fine("evolve", "merge", "3", "7", "--reason", "the same")
    assert [note["content"] for note in shop.fine("list", "--status", "merged", "--json").json] == [DEPLOY]
    assert "merged_into" in shop.fine("show", "3").out and "merged" in shop.fine("show", "7").out
    for words in (("log",), ("history", "3"), ("log", "--json"), ("rings",), ("history", "7", "--json")):
        assert shop.fine(*words).out
    kinds: dict[str, Any] = {}.fromkeys(events(shop))
    assert {"memory.merged.v1", "memory.absorbed.v1"} <= {*kinds}
    assert shop.fine("verify").code == 0 and shop.fine("doctor").code == 0


def test_a_memory_of_long_ago_is_judged_like_any_other(cli: Cli) -> None:
    """When it happened is no matter of when it was shown."""
    cli.remember(DEPLOY, "--at", LONG_AGO)
    cli.fine("recall", DEPLOY)
    assert cli.fine("feedback", "last", "1", "helpful", "--json").json["q"] == 0.55


def test_the_words_of_the_table_are_those_of_the_engine() -> None:
    """Help and completion name them without importing it."""
    from treering.evolve.rules import ACTIONS, CRITERIA
    from treering.skills.proposals.rules import STATUSES
    from treering.surfaces.cli import evolve, review

    assert (evolve.ACTIONS, evolve.CRITERIA, review.STATUSES) == (ACTIONS, CRITERIA, STATUSES)
