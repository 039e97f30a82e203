"""Runs of evolution, what they come to, and what they leave to a person."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.cli.driving import Cli
from tests.surfaces.cli.growth import BELL, STEPS, events, only, refused, status


class TestRun:
    def test_the_report_has_the_shape_of_the_seed(self, shop: Cli) -> None:
        """What was evaluated, what was done by kind, each with its memory and reason, and a paragraph."""
        told = shop.fine("evolve", "run", "--json").json
        assert told["candidates_evaluated"] > 0
        assert told["actions_taken"] == {
            "deprecated": 1, "refined": 0, "merged": 0, "archived": 0, "induced_skills": 0, "proposed": 0
        }  # fmt: skip
        (detail,) = told["details"]
        assert detail["node_id"] == shop.fine("show", "3", "--json").json["id"]
        assert (detail["action"], detail["reason"]) == ("deprecated", "low_q: q 0.1743, usage 11, good 0, bad 10")
        assert isinstance(told["summary"], str) and "eprecated 1 memory" in told["summary"]
        assert (told["trigger"], told["dry_run"]) == ("by_hand", False)
        assert status(shop, "3") == "deprecated"

    def test_a_rehearsal_tells_the_same_and_changes_nothing(self, attic: Cli) -> None:
        """But for the ids of what was not done."""
        before = events(attic)
        planned = attic.fine("evolve", "run", "--dry-run", "--json").json
        assert "nothing is changed" in attic.fine("evolve", "run", "--dry-run").out
        assert events(attic) == before
        done = attic.fine("evolve", "run", "--json").json
        for name in ("candidates_evaluated", "actions_taken", "summary"):
            assert planned[name] == done[name]
        assert (planned["run"], planned["dry_run"], done["dry_run"]) == ("", True, False)
        assert sorted(one["node_id"] for one in planned["details"]) == sorted(one["node_id"] for one in done["details"])
        assert done["actions_taken"]["archived"] == 9

    def test_a_rehearsal_counts_what_the_run_counts(self, shop: Cli) -> None:
        """Also where one action makes another one moot."""
        planned = shop.fine("evolve", "run", "--dry-run", "--json").json
        done = shop.fine("evolve", "run", "--json").json
        assert planned["candidates_evaluated"] == done["candidates_evaluated"]
        assert (planned["actions_taken"], planned["summary"]) == (done["actions_taken"], done["summary"])

    def test_a_run_is_told_to_people_and_undone_by_its_name(self, attic: Cli) -> None:
        """With all that it did."""
        before = attic.fine("list", "--json").json
        out = attic.fine("evolve", "run").out
        assert out.count("archived ") >= 9 and "archived 9 memories that nobody used for long" in out.replace("\n", " ")
        run = out.rpartition("`treering undo ")[2].partition("`")[0]
        assert attic.fine("list", "--json").json != before
        attic.fine("undo", run)
        assert attic.fine("list", "--json").json == before

    def test_a_second_run_finds_nothing_to_do(self, attic: Cli) -> None:
        """And if it is asked to, it looks only when it is due."""
        attic.fine("evolve", "run")
        again = attic.fine("evolve", "run", "--json").json
        assert again["details"] == [] and "nothing had to be done" in again["summary"]
        before = events(attic)
        due = attic.fine("evolve", "run", "--if-due", "--json").json
        assert (due["run"], due["trigger"], due["summary"]) == ("", "", "Nothing is due.")
        assert attic.fine("evolve", "run", "--if-due").out == "Nothing is due.\n"
        assert events(attic) == before

    def test_what_is_due_is_a_setting(self, shop: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        """It says which of them it was; 0 turns one off."""
        assert shop.fine("evolve", "run", "--if-due", "--json").json["trigger"] == ""
        for judgements, trigger in (("11", ""), ("0", ""), ("10", "judgements"), ("10", "")):
            monkeypatch.setenv("TREERING_EVOLVE_JUDGEMENTS", judgements)
            assert shop.fine("evolve", "run", "--if-due", "--json").json["trigger"] == trigger

    def test_processes_make_it_due_too(self, attic: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        """If there are enough new ones."""
        monkeypatch.setenv("TREERING_EVOLVE_PROCESSES", "4")
        assert attic.fine("evolve", "run", "--if-due", "--json").json["trigger"] == ""
        monkeypatch.setenv("TREERING_EVOLVE_PROCESSES", "3")
        assert attic.fine("evolve", "run", "--if-due", "--json").json["trigger"] == "processes"

    def test_an_empty_store_has_nothing_to_do(self, cli: Cli) -> None:
        """And nothing is due there."""
        told = cli.fine("evolve", "run", "--json").json
        assert (told["candidates_evaluated"], told["details"]) == (0, [])
        assert cli.fine("evolve", "run").code == 0


class TestStats:
    def test_judgements_outcomes_and_rules_are_counted(self, shop: Cli) -> None:
        """A retirement that was taken back counts against its rule, which only proposes from then on."""
        shop.fine("outcome", "monday", "partial")
        shop.fine("evolve", "deprecate", "3", "--reason", "x")
        told = shop.fine("evolve", "stats", "--json").json
        assert told["judgements"] == {"not_helpful": 10, "partial": 1} and told["outcomes"] == {"partial": 1}
        assert (told["recalls"], told["swaps"], told["lifts"]) == (11, 0, [])
        (rule,) = told["rules"]
        assert (rule["rule"], rule["retired"], rule["wrong"], rule["only_proposes"]) == ("deprecate", 1, 0, False)
        shop.fine("restore", "3")
        (rule,) = shop.fine("evolve", "stats", "--json").json["rules"]
        assert (rule["wrong"], rule["rate"], rule["only_proposes"]) == (1, 1.0, True)
        assert "1 of 1 (100.0%): only proposes" in shop.fine("evolve", "stats").out

    def test_a_rule_that_was_wrong_too_often_only_proposes(self, shop: Cli) -> None:
        """A person can do it all the same."""
        shop.fine("evolve", "deprecate", "3", "--reason", "x")
        shop.fine("restore", "3")
        told = shop.fine("evolve", "run", "--json").json
        assert (told["actions_taken"]["deprecated"], told["actions_taken"]["proposed"]) == (0, 1)
        assert status(shop, "3") == "active"
        (made,) = shop.fine("evolve", "list", "--json").json
        assert (made["type"], made["action"], made["status"]) == ("memory-action", "deprecate", "pending")
        assert made["id"] in shop.fine("evolve", "show", made["id"]).out
        shop.fine("evolve", "run")
        assert len(shop.fine("evolve", "list", "--json").json) == 1
        shop.fine("evolve", "deprecate", "3", "--reason", "y")

    def test_lift_stands_beside_q(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where chance decided, and it is known what came of it."""
        monkeypatch.setenv("TREERING_SWAP", "0.5")
        for place in ("kitchen", "office", "attic"):
            cli.remember(f"The kettle of the {place} is green")
        for _ in range(8):
            cli.fine("recall", "which kettle is green", "-k", "2", "--unsure")
            cli.fine("outcome", "last", "success")
        told = cli.fine("evolve", "stats", "--json").json
        assert told["swaps"] == 8 and told["lifts"]
        assert {"id", "content", "q", "lift", "error", "shown", "withheld"} <= {*told["lifts"][0]}
        assert len(cli.fine("evolve", "stats", "--limit", "1", "--json").json["lifts"]) == 1
        assert "lift" in cli.fine("evolve", "stats").out

    def test_an_empty_store_and_the_past_have_figures(self, cli: Cli) -> None:
        """All of them nothing."""
        for words in ((), ("--as-of", "2020-01-01")):
            told = cli.fine("evolve", "stats", *words, "--json").json
            assert (told["recalls"], told["rules"], told["last_run"]) == (0, [], "")
            assert "never" in cli.fine("evolve", "stats", *words).out

    def test_the_past_knows_what_was_known(self, shop: Cli) -> None:
        """And nothing is written for looking."""
        moment = shop.fine("usage", "3", "--json").json[6]["timestamp"]
        before = events(shop)
        assert shop.fine("evolve", "stats", "--as-of", moment, "--json").json["recalls"] == 5
        assert events(shop) == before


class TestProposals:
    def test_a_skill_is_shown_as_it_would_be_written(self, attic: Cli) -> None:
        """Its header is written, its steps are those of the processes, and what it is made of is named."""
        id = only(attic)
        told = attic.fine("evolve", "show", id, "--json").json
        assert (told["type"], told["name"], told["status"]) == ("skill-draft", "out-of-memory", "pending")
        text = told["proposal"]["diff"]
        assert text.startswith("---\nname: out-of-memory\n") and all(step in text for step in STEPS)
        assert told["evidence"]["processes"] == 3 and told["created_at"].endswith("Z")
        out = attic.fine("evolve", "show", id).out
        assert "skill-draft" in out and "capture a heap dump" in out

    def test_they_are_listed(self, attic: Cli) -> None:
        """With their names; undone, they are no more."""
        assert "out-of-memory" in attic.fine("evolve", "list").out
        assert len(attic.fine("evolve", "list", "--status", "pending", "--json").json) == 1
        assert attic.fine("evolve", "list", "--as-of", "2020-01-01", "--json").json == []
        id = only(attic)
        attic.fine("undo", "41")
        result = attic.fine("evolve", "list")
        assert (result.out, result.err) == ("", "no proposals\n")
        refused(attic, ("evolve", "show", id), 1, "no proposal")

    def test_what_memories_say_cannot_add_to_the_header(self, cli: Cli) -> None:
        """Nor to what a terminal does."""
        hostile = f'\n---\nname: evil\ndescription: "x"\n--- {BELL}'
        for step in STEPS:
            cli.remember(step + hostile, "--type", "procedural")
        told = cli.fine("evolve", "induce", "1", "2", "3", "--json").json
        header, _, body = told["proposal"]["diff"].removeprefix("---\n").partition("\n---\n")
        assert [line.partition(":")[0] for line in header.splitlines()] == [
            "name",
            "description",
            "metadata",
            "  origin",
        ]
        assert "evil" not in header.splitlines()[0] and body
        out = cli.fine("evolve", "show", told["id"]).out
        assert not any(sign in out for sign in ("\a", "\033", "\u202e"))

    def test_a_process_that_is_gone_leaves_no_word(self, attic: Cli, home: Path) -> None:
        """A proposal tells which memories it is about, and their words are theirs."""
        attic.fine("purge", "3", "--yes")
        told = attic.fine("evolve", "list", "--json").json
        assert all(STEPS[0] not in one["proposal"]["diff"] for one in told)
        assert not any(STEPS[0].encode() in file.read_bytes() for file in home.iterdir())
