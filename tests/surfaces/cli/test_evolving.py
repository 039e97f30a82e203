"""Commands that improve the memory, each with its evidence."""

from __future__ import annotations

from pathlib import Path

import pytest

import treering
from tests.surfaces.cli.driving import Cli
from tests.surfaces.cli.growth import (
    AGAIN,
    BETTER,
    DEPLOY,
    EARLIER,
    PLAIN,
    STEPS,
    TOKEN,
    events,
    only,
    q,
    refused,
    status,
    wear,
)


class TestCandidates:
    def test_the_most_pressing_comes_first(self, shop: Cli) -> None:
        """With its action, its memories and its numbers."""
        found = shop.fine("evolve", "candidates", "--json").json
        first = found[0]
        assert (first["priority"], first["criterion"], first["action"]) == ("critical", "low_q", "deprecate")
        assert first["ids"] == [first["memories"][0]["id"]] and first["memories"][0]["content"] == DEPLOY
        assert first["numbers"] == {"q": 0.1743, "usage": 11, "good": 0, "bad": 10} and first["missing"] == []
        ranks = [("critical", "high", "medium", "low").index(one["priority"]) for one in found]
        assert ranks == sorted(ranks)

    @pytest.mark.parametrize(
        ("criteria", "count"), [("low_q", 1), ("stale", 0), ("unlinked_processes", 0), ("similar_pairs", 1)]
    )
    def test_a_criterion_narrows(self, shop: Cli, criteria: str, count: int) -> None:
        """To those of its kind."""
        found = shop.fine("evolve", "candidates", "--criteria", criteria, "--json").json
        assert [one["criterion"] for one in found] == [criteria] * count

    def test_what_is_old_is_stale_and_what_became_a_proposal_is_linked(self, attic: Cli) -> None:
        """The processes of a proposal that is undone are candidates again."""
        stale = attic.fine("evolve", "candidates", "--criteria", "stale", "--limit", "0", "--json").json
        assert len(stale) == 9 and all(one["numbers"]["idle_days"] > 2_000 for one in stale)
        loose = ("evolve", "candidates", "--criteria", "unlinked_processes", "--json")
        assert attic.fine(*loose).json == []
        attic.fine("undo", "41")
        (group,) = attic.fine(*loose).json
        assert {one["content"] for one in group["memories"]} == {*STEPS}

    def test_people_see_the_numbers(self, shop: Cli) -> None:
        """And hear when there is nothing to do."""
        out = shop.fine("evolve", "candidates").out
        assert "critical" in out and "q 0.1743, usage 11, good 0, bad 10" in out and DEPLOY in out

    def test_nothing_to_do_is_no_error(self, cli: Cli) -> None:
        """On an empty store, too."""
        result = cli.fine("evolve", "candidates")
        assert (result.out, result.err) == ("", "no candidates: nothing needs attention\n")
        assert cli.fine("evolve", "candidates", "--json").json == []

    def test_a_limit_holds(self, attic: Cli) -> None:
        """And 0 is all."""
        assert len(attic.fine("evolve", "candidates", "--limit", "2", "--json").json) == 2
        assert len(attic.fine("evolve", "candidates", "--limit", "0", "--json").json) == 9

    def test_the_past_has_its_own(self, shop: Cli) -> None:
        """Read-only: nothing is written for looking."""
        moment = shop.fine("usage", "3", "--json").json[-1]["timestamp"]
        before = events(shop)
        assert shop.fine("evolve", "candidates", "--as-of", moment, "--criteria", "low_q", "--json").json == []
        assert (
            len(shop.fine("evolve", "candidates", "--as-of", "2090-01-01", "--criteria", "low_q", "--json").json) == 1
        )
        assert events(shop) == before

    def test_an_unknown_criterion_is_refused(self, shop: Cli) -> None:
        """With those that there are."""
        refused(shop, ("evolve", "candidates", "--criteria", "ugly"), 1, "criteria must be one of low_q, stale")
        refused(shop, ("evolve", "candidates", "--limit", "x"), 2, "--limit")


class TestActions:
    def test_deprecate(self, shop: Cli) -> None:
        """It is out of recall, says how it comes back, and comes back."""
        out = shop.fine("evolve", "deprecate", "3", "--reason", "it names a server that is gone").out
        id = shop.fine("show", "3", "--json").json["id"]
        assert out == f"deprecated {id}: `treering restore {id}` brings it back\n"
        assert status(shop, "3") == "deprecated"
        asked = ("recall", DEPLOY, "--until", EARLIER, "--no-log", "--json")
        assert shop.fine(*asked).json["hits"] == []
        assert [hit["id"] for hit in shop.fine(*asked, "--retired").json["hits"]] == [id]
        assert "it names a server that is gone" in shop.fine("history", "3").out
        shop.fine("restore", "3")
        assert status(shop, "3") == "active"

    def test_refine(self, shop: Cli) -> None:
        """The new one starts afresh and supersedes the old one; undoing brings that back."""
        told = shop.fine("evolve", "refine", "3", BETTER, "--reason", "says what comes first", "--json").json
        assert {*told} == PLAIN and (told["content"], told["q"]) == (BETTER, 0.5)
        old = shop.fine("show", "3", "--json").json
        assert (old["status"], old["superseded_by"], told["supersedes"]) == ("superseded", told["id"], [old["id"]])
        assert old["status_history"][-1]["rule"] == "refine"
        shop.fine("undo", told["id"])
        assert status(shop, "3") == "active"

    def test_refine_takes_its_text_from_an_option(self, shop: Cli) -> None:
        """And says who refines whom."""
        out = shop.fine("evolve", "refine", "3", "--text", BETTER, "--reason", "clearer").out
        old = shop.fine("show", "3", "--json").json
        new = old["superseded_by"]
        assert out == f"{new} refines {old['id']}: `treering undo {new}` takes it back\n"

    @pytest.mark.parametrize("text", ["", "The shop is deployed with `make deploy`, on Tuesdays"])
    def test_merge(self, shop: Cli, text: str) -> None:
        """One speaks for both; with a text it is a new one."""
        told = shop.fine("evolve", "merge", "3", "7", *(("--text", text) if text else ()), "--json").json
        assert {*told} == PLAIN and told["content"] == (text or AGAIN) and told["q"] == 0.5
        gone = [shop.fine("show", number, "--json").json for number in (("3", "7") if text else ("3",))]
        assert [one["status"] for one in gone] == ["merged"] * len(gone)
        assert told["merged"] == [one["id"] for one in gone]
        assert {one["merged_into"] for one in gone} == {told["id"]}
        assert [one["status"] for one in shop.fine("restore", "3", "--json").json] == ["active"]
        assert gone[0]["id"] not in shop.fine("show", told["id"], "--json").json["merged"]

    def test_merge_says_who_speaks_for_whom(self, shop: Cli) -> None:
        """In a line; naming one twice is naming it once."""
        out = shop.fine("evolve", "merge", "3", "7", "3").out
        ids = [shop.fine("show", number, "--json").json["id"] for number in ("7", "3")]
        assert out.startswith(f"{ids[0]} speaks for {ids[1]}")

    def test_archive(self, attic: Cli) -> None:
        """It is still found; and it comes back."""
        out = attic.fine("evolve", "archive", "3", "--reason", "spring cleaning").out
        assert out.startswith("archived ") and status(attic, "3") == "archived"
        assert attic.fine("evolve", "archive", "1", "--json").json["status"] == "archived"
        assert [one["status"] for one in attic.fine("restore", "3", "--json").json] == ["active"]

    def test_induce(self, attic: Cli) -> None:
        """The same evidence makes no second proposal; another name is another one."""
        first = attic.fine("evolve", "induce", "9", "3", "7", "--name", "out-of-memory", "--json").json
        assert first["id"] == only(attic) and len(first["memories"]) == 3
        other = attic.fine(
            *("evolve", "induce", "3", "7", "9", "--name", "heap", "--description", 'when "it" dies'),
            *("--content", "# Do\n\n1. this", "--reason", "asked", "--json"),
        ).json
        assert other["id"] != first["id"] and other["proposal"]["rationale"] == "asked"
        text = other["proposal"]["diff"]
        assert text.startswith('---\nname: heap\ndescription: "when \\"it\\" dies"\n')
        assert "\n## Approach\n\n# Do\n\n1. this\n" in text
        out = attic.fine("evolve", "induce", "3", "7", "9").out
        assert out.startswith("proposed ") and "`treering review show " in out

    @pytest.mark.parametrize(
        ("words", "code", "message"),
        [
            (("deprecate", "1", "--reason", "x"), 1, "Q is 0.5 and must be below 0.2; usage is 0 and must be at least"),
            (("deprecate", "3"), 2, "needs --reason"),
            (("deprecate", "3", "--reason", ""), 2, "needs --reason"),
            (("deprecate", "--reason", "x"), 2, "needs an ID"),
            (("deprecate", "3", "7", "--reason", "x"), 2, ""),
            (("deprecate", "99", "--reason", "x"), 1, "no memory '99'"),
            (("deprecate", "41", "--reason", "x"), 1, "no memory '"),
            (("deprecate", "3", "--reason", f"token {TOKEN}"), 1, "never stored"),
            (("deprecate", "3", "--reason", "x", "--as-of", "2026-01-01"), 2, "leave out --as-of"),
            (("deprecate", "3", "--reason", "x", "--space", "elsewhere"), 1, "no memory '"),
            (("refine", "1", "x", "--reason", "y"), 1, "Q is 0.5 and must be below 0.3"),
            (("refine", "3", "x"), 2, "needs --reason"),
            (("refine", "3", "--reason", "y"), 2, "refine needs the new text, once"),
            (("refine", "3", "x", "--text", "y", "--reason", "z"), 2, "refine needs the new text, once"),
            (("refine", "3", DEPLOY, "--reason", "z"), 1, "a refinement needs a new text"),
            (("refine", "3", "   ", "--reason", "z"), 1, "a refinement needs a new text"),
            (("refine", "3", "x" * 100_001, "--reason", "z"), 1, "100,000"),
            (("refine", "99", "x", "--reason", "z"), 1, "no memory '99'"),
            (("merge", "3"), 1, "at least 2"),
            (("merge",), 2, "needs an ID"),
            (("merge", "3", "3"), 1, "at least 2"),
            (("merge", "3", "1"), 1, "likeness is 0."),
            (("merge", "3", "99"), 1, "no memory '99'"),
            (("merge", "3", "7", "--force"), 1, "give a reason"),
            (("archive", "3"), 1, "days ago and must have been idle for 90"),
            (("archive", "99"), 1, "no memory '99'"),
            (("archive", "3", "--force"), 2, "--force"),
            (("induce", "1", "2", "3"), 1, "is no process (of type procedural)"),
            (("induce", "1", "2"), 1, "2 processes are given and there must be 3"),
            (("induce", "1", "2", "99"), 1, "no memory '99'"),
            (("try", "destroy", "3"), 1, "action must be one of deprecate, refine, merge, archive, induce"),
            (("try", "deprecate"), 2, "needs an ID"),
            (("try",), 2, "needs an ACTION"),
            (("try", "deprecate", "3", "7"), 1, "deprecate takes one memory, not 2"),
            (("try", "merge", "3"), 1, "at least 2"),
            (("try", "deprecate", "99"), 1, "no memory '99'"),
            (("try", "deprecate", "3", "--as-of", "2026-01-01"), 2, "leave out --as-of"),
            (("show", "3"), 1, "no proposal"),
            (("show", "99"), 1, "no proposal '99'"),
            (("show",), 2, "needs an ID"),
            (("list", "--status", "ready"), 1, "status must be one of pending"),
            (("run", "--as-of", "2026-01-01"), 2, "leave out --as-of"),
            (("run", "fast"), 2, "fast"),
            (("stats", "--limit", "-1"), 2, "--limit"),
            (("prune",), 2, "evolve has no 'prune'"),
        ],
    )
    def test_what_has_no_evidence_or_makes_no_sense_is_refused(
        self, shop: Cli, words: tuple[str, ...], code: int, message: str
    ) -> None:
        """With the number that is missing, or with what to say instead."""
        refused(shop, ("evolve", *words), code, message)

    def test_what_has_been_retired_is_not_retired_twice(self, shop: Cli) -> None:
        """Nor merged, refined or judged by an action any more."""
        shop.fine("evolve", "deprecate", "3", "--reason", "x")
        refused(shop, ("evolve", "deprecate", "3", "--reason", "x"), 1, "is deprecated already")
        refused(shop, ("evolve", "refine", "3", "y", "--reason", "x"), 1, "is deprecated and cannot become superseded")
        refused(shop, ("evolve", "merge", "3", "7"), 1, "is deprecated: there is nothing to merge")
        refused(shop, ("evolve", "archive", "3"), 1, "is deprecated and cannot become archived")

    def test_what_is_protected_needs_a_justification(self, cli: Cli, home: Path) -> None:
        """An invariant, and what says how the memory is to be worked with; the justification is kept."""
        with treering.open(home) as memory:
            for text, more in ((DEPLOY, {"invariant": True}), ("Look before you leap", {"tags": ["meta-skill"]})):
                wear(memory, memory.remember(text, **more), 10, "not_helpful")
        for number, why in (("1", "an invariant"), ("2", "a meta-skill")):
            found = [note for note in cli.fine("list", "--json").json if (note["invariant"]) == (number == "1")]
            words = ("evolve", "deprecate", found[0]["id"], "--reason", "x")
            refused(cli, words, 1, f"is {why}: to deprecate it, give a justification")
            told = cli.fine("evolve", "try", "deprecate", found[0]["id"], "--json").json
            assert not told["allowed"] and told["missing"] == [f"{found[0]['id']} is {why}: it needs a justification"]
            cli.fine(*words, "--justification", "the team decided")
            assert "the team decided" in cli.fine("history", found[0]["id"], "--json").out


class TestGate:
    def helpful(self, cli: Cli) -> None:
        """Somebody found it helpful once, and ten others have not."""
        cli.fine("feedback", "last", "3", "helpful")
        cli.fine("recall", DEPLOY, "--until", EARLIER, "--session", "tuesday")
        cli.fine("feedback", "last", "3", "not_helpful")
        for day in ("wednesday", "thursday", "friday"):
            cli.fine("recall", DEPLOY, "--until", EARLIER, "--session", day)
            cli.fine("feedback", "last", "3", "not_helpful")

    def test_what_would_lose_something_helpful_is_refused(self, shop: Cli) -> None:
        """And says how to see what, and how to do it all the same."""
        self.helpful(shop)
        assert q(shop, "3") < 0.2
        words = ("evolve", "deprecate", "3", "--reason", "it fails")
        refused(shop, words, 1, "would lose a result that was marked helpful, of 15 replayed recalls")
        told = shop.fine("evolve", "try", "deprecate", "3", "--json").json
        assert (told["allowed"], told["missing"], told["replay"]["helpful_lost"]) == (False, [], 1)
        (lost,) = [change for change in told["changes"] if change["helpful_lost"]]
        assert lost["recall"].endswith("-41") and lost["query"] == DEPLOY
        out = shop.fine("evolve", "try", "deprecate", "3").out
        assert "refused" in out and "1 helpful lost" in out and "(marked helpful)" in out

    def test_force_needs_a_reason_and_both_are_recorded(self, shop: Cli) -> None:
        """With what the replay counted."""
        self.helpful(shop)
        shop.fine("evolve", "deprecate", "3", "--reason", "it fails", "--force")
        (moved,) = [
            event["payload"] if "payload" in event else event["data"]
            for event in shop.fine("history", "3", "--json").json["events"]
            if event["kind"] == "memory.moved.v1"
        ]
        assert (moved["forced"], moved["reason"], moved["replay"]["helpful_lost"]) == (True, "it fails", 1)


class TestTry:
    @pytest.mark.parametrize(
        "words",
        [("deprecate", "3"), ("refine", "3", "--text", BETTER, "--reason", "x"), ("merge", "3", "7"), ("archive", "3"),
         ("merge", "3", "7", "--text", "All of it"), ("refine", "3"), ("induce", "1", "2", "3")],
    )  # fmt: skip
    def test_it_tells_what_would_happen_and_changes_nothing(self, shop: Cli, words: tuple[str, ...]) -> None:
        """Allowed or not, that is no error."""
        before, was = events(shop), shop.fine("list", "--json").json
        told = shop.fine("evolve", "try", *words, "--json").json
        assert {*told} == {"action", "memories", "allowed", "missing", "text", "replay", "changes"}
        assert told["action"] == words[0] and told["allowed"] == (not told["missing"])
        out = shop.fine("evolve", "try", *words).out
        assert ("allowed" if told["allowed"] else "refused") in out.splitlines()[0]
        assert (events(shop), shop.fine("list", "--json").json) == (before, was)

    def test_what_it_allows_is_done(self, shop: Cli) -> None:
        """With the same counts."""
        told = shop.fine("evolve", "try", "deprecate", "3", "--json").json
        assert told["allowed"] and told["replay"]["recalls"] == 11 and told["replay"]["lost"] == 11
        shop.fine("evolve", "deprecate", "3", "--reason", "x")
        assert told["replay"]["helpful_lost"] == 0
