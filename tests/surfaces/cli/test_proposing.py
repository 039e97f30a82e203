"""Proposals as they are listed, shown, turned down and logged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import treering
from tests.surfaces.cli.driving import Cli, Program
from tests.surfaces.cli.growth import BELL, TOKEN, events, refused
from tests.surfaces.cli.signals import (
    DRAFT,
    FILE,
    KEYS,
    LOGIN,
    MIGRATION,
    MORE,
    ROUTE,
    ROUTING,
    SKILL,
    TAILWIND,
    miss,
    named,
    rubbed,
    shown,
    signalled,
    surface,
    written,
)
from treering.surfaces.cli.proposals import MARKS


class TestShape:
    def test_a_skill_has_the_shape_of_the_seed(self, desk: Cli) -> None:
        """Every key, with a value of its type."""
        told = shown(desk, named(desk, SKILL))
        assert {*told} == KEYS | MORE
        evidence, proposal = told["evidence"], told["proposal"]
        assert {*evidence} == {"memoryId", "reuseCount", "sessions", "projects", "firstSurfaced", "lastSurfaced"}
        assert (evidence["reuseCount"], evidence["sessions"]) == (3, ["monday", "tuesday", "friday"])
        assert evidence["memoryId"] == told["memories"][0]
        assert evidence["firstSurfaced"] < evidence["lastSurfaced"] < told["created_at"] <= told["timestamp"]
        assert {*proposal} == {"kind", "target_path", "diff", "rationale"}
        assert (proposal["kind"], proposal["target_path"]) == ("create-skill", FILE)
        assert f"'{TAILWIND}' surfaced 3x across 3 sessions" in proposal["rationale"]
        assert (told["status"], told["applied_path"]) == ("pending", None)
        for heading in ("# Skill: ", "## Approach", "## When to invoke", "## Origin"):
            assert f"\n{heading}" in proposal["diff"]

    def test_an_entry_for_the_routing_has_it_too(self, desk: Cli) -> None:
        """With the placeholder that routes nothing."""
        told = shown(desk, named(desk, ROUTE))
        assert {*told} == KEYS | MORE
        assert {*told["evidence"]} == {"count", "distinct", "tokens", "samples"}
        assert told["evidence"]["samples"] == [*MIGRATION]
        proposal = told["proposal"]
        assert (proposal["kind"], proposal["target_path"]) == ("add-routing-entry", ROUTING)
        assert proposal["rationale"] == (
            "3 substantive prompts (3 distinct) clustered on tokens [migration, postgres, downtime, zero]"
        )
        assert "### TODO-agent — covers prompts about migration, postgres, downtime, zero\n" in proposal["diff"]
        assert all(f'- "{prompt}"' in proposal["diff"] for prompt in MIGRATION)

    def test_friction_has_it_too(self, desk: Cli, tmp_path: Path) -> None:
        """For quarantine."""
        told = shown(desk, rubbed(desk, tmp_path))
        assert {*told} == KEYS | MORE and told["type"] == DRAFT
        assert (told["evidence"]["count"], told["evidence"]["tries"]) == (2, 6)
        assert told["proposal"]["target_path"] == f".treering/drafts/{told['name']}/SKILL.md"

    def test_a_change_of_memories_has_it_too(self, shop: Cli) -> None:
        """Without a file."""
        shop.fine("evolve", "deprecate", "3", "--reason", "x")
        shop.fine("restore", "3")
        shop.fine("evolve", "run")
        told = shown(shop, named(shop, "memory-action"))
        assert {*told} == KEYS | MORE
        assert (told["proposal"]["kind"], told["proposal"]["target_path"]) == ("change-memories", None)
        assert told["proposal"]["diff"].startswith(f"treering evolve deprecate {told['memories'][0]}")

    def test_the_id_is_a_function_of_the_evidence(self, desk: Cli, tmp_path: Path) -> None:
        """A store that has heard all of it makes the same ones."""
        ids = sorted(one["id"] for one in desk.fine("evolve", "list", "--json").json)
        desk.fine("export", str(tmp_path / "all.jsonl"))
        other = ("--home", str(tmp_path / "other"))
        desk.fine("import", str(tmp_path / "all.jsonl"), "--mine", *other)
        assert sorted(desk.fine("evolve", "analyze", "--json", *other).json["generated"]) == ids
        assert [one.partition("-")[0] for one in ids] == ["route", "skill"] and {*map(len, ids)} == {16}


class TestList:
    def test_each_status_has_its_mark(self, desk: Cli, tmp_path: Path) -> None:
        """Pending, accepted, rejected and applied; and one whose memory is gone is moot."""
        assert desk.fine("evolve", "list").out.count("⏸ [pending]") == 2
        desk.fine("evolve", "accept", named(desk, SKILL))
        desk.fine("evolve", "reject", named(desk, ROUTE), "--note", "known")
        name = shown(desk, rubbed(desk, tmp_path))["name"]
        desk.fine("evolve", "accept", named(desk, DRAFT))
        desk.fine("evolve", "promote", name)
        out = desk.fine("evolve", "list").out
        for word in ("accepted", "rejected", "applied"):
            assert f"{MARKS[word]} [{word}] " in out
            (found,) = desk.fine("evolve", "list", "--status", word, "--json").json
            assert found["status"] == word
        assert "    note: known\n" in out and desk.fine("evolve", "list", "--status", "pending").out == ""

    def test_a_proposal_whose_memory_is_gone_is_moot(self, desk: Cli) -> None:
        """It is not accepted; and if all of it is gone, so is the proposal."""
        id = named(desk, SKILL)
        desk.fine("forget", "1")
        assert f"· [moot] {id}" in desk.fine("evolve", "list").out
        refused(desk, ("evolve", "accept", id), 1, "moot")
        desk.fine("restore", "1")
        assert shown(desk, id)["status"] == "pending"
        desk.fine("purge", "1", "--yes")
        refused(desk, ("evolve", "show", id), 1, "no proposal")

    def test_what_became_of_a_file_is_told(self, desk: Cli, root: Path) -> None:
        """As written, edited, deleted; with a blank of its own, too."""
        id = named(desk, SKILL)
        desk.fine("evolve", "accept", id)
        assert f"    file: {root / FILE} (as written)\n" in desk.fine("evolve", "list").out
        (root / FILE).write_text((root / FILE).read_text() + "\n")
        assert shown(desk, id)["file"] == "edited since"
        (root / FILE).unlink()
        assert "(deleted since)" in desk.fine("evolve", "list").out
        assert "(deleted since)" in desk.fine("evolve", "show", id).out

    def test_an_unknown_status_is_refused(self, desk: Cli) -> None:
        """With those that there are."""
        refused(desk, ("evolve", "list", "--status", "done"), 1, "pending, accepted, rejected, applied, moot")

    def test_a_past_had_its_own(self, desk: Cli) -> None:
        """Before any of it there was nothing."""
        assert desk.fine("evolve", "list", "--as-of", "2020-01-01", "--json").json == []
        moment = shown(desk, named(desk, ROUTE))["timestamp"]
        desk.fine("evolve", "reject", named(desk, ROUTE))
        then = desk.fine("evolve", "list", "--as-of", moment, "--json").json
        assert [one["status"] for one in then] == ["pending", "pending"]

    def test_nothing_in_it_moves_the_cursor(self, cli: Cli, home: Path, root: Path) -> None:
        """Whatever memories and prompts say."""
        with treering.open(home, actor="user") as memory:
            surface(memory, f"Tailwind {BELL} brackets", "a", "b", "c")
            miss(memory, "a", *(f"{prompt} \a\033[31m\u202e" for prompt in MIGRATION))
        cli.fine("evolve", "analyze")
        ids = [one["id"] for one in cli.fine("evolve", "list", "--json").json]
        outs = [cli.fine("evolve", "list").out, *(cli.fine("evolve", "show", id).out for id in ids)]
        outs += [cli.fine("evolve", "reject", ids[0], "--note", BELL).out, cli.fine("evolve", "log").out]
        assert len(ids) == 2 and not any(sign in out for out in outs for sign in ("\a", "\033", "\u202e"))


class TestShow:
    def test_people_see_the_whole_file_and_its_evidence(self, desk: Cli) -> None:
        """The beginning of an id is enough."""
        id = named(desk, SKILL)
        out = desk.fine("evolve", "show", id[:7]).out
        assert out.startswith(f"⏸ [pending] {id} skill-upgrade\n")
        assert "reuseCount: 3" in out and "sessions: monday, tuesday, friday" in out
        assert out.endswith(shown(desk, id)["proposal"]["diff"])

    @pytest.mark.parametrize(
        ("words", "code", "message"),
        [
            (("99",), 1, "no proposal '99'"),
            (("skill-0000000000",), 1, "no proposal 'skill-0000000000'"),
            (("",), 1, "a proposal's id is a text like"),
            ((BELL,), 1, "no proposal"),
            (("../../x",), 1, "no proposal"),
            ((), 2, "needs an ID"),
            (("skill-", "route-"), 2, "route-"),
        ],
    )
    @pytest.mark.parametrize("command", ["show", "accept", "reject"])
    def test_an_unknown_one_is_refused(
        self, desk: Cli, root: Path, command: str, words: tuple[str, ...], code: int, message: str
    ) -> None:
        """By every command that takes one, and nothing is written."""
        refused(desk, ("evolve", command, *words), code, message)
        assert written(root) == {}

    def test_a_beginning_that_fits_two_is_refused(self, desk: Cli, home: Path) -> None:
        """With both."""
        with treering.open(home, actor="user") as memory:
            surface(memory, "The oven of the bakery wants flour of rye", "a", "b", "c")
        desk.fine("evolve", "analyze")
        for command in ("show", "accept", "reject"):
            refused(desk, ("evolve", command, "skill-"), 1, "'skill-' could be any of skill-")


class TestReject:
    def test_a_note_is_kept(self, desk: Cli, home: Path) -> None:
        """Without what is never stored; said again with another one, that counts."""
        id = named(desk, ROUTE)
        out = desk.fine("evolve", "reject", id, "--note", "covered already").out
        assert out == f"✗ rejected {id} (note: covered already)\n"
        before = events(desk)
        desk.fine("evolve", "reject", id, "--note", "covered already")
        assert events(desk) == before
        told = desk.fine("evolve", "reject", id, "--note", f"see {TOKEN}", "--json").json
        assert (told["status"], told["note"]) == ("rejected", "see [redacted: github-token]")
        assert not any(TOKEN.encode() in file.read_bytes() for file in home.iterdir())

    def test_no_note_is_none(self, desk: Cli) -> None:
        """And a rejected proposal can be accepted after all."""
        id = named(desk, ROUTE)
        assert desk.fine("evolve", "reject", id).out == f"✗ rejected {id}\n"
        assert desk.fine("evolve", "accept", id, "--json").json["status"] == "accepted"

    def test_what_is_accepted_is_not_rejected(self, desk: Cli, root: Path) -> None:
        """Its file is there; the way back is named."""
        id = named(desk, SKILL)
        desk.fine("evolve", "accept", id)
        refused(desk, ("evolve", "reject", id), 1, str(root / FILE))


class TestLog:
    def test_every_decision_is_there(self, desk: Cli, root: Path) -> None:
        """Oldest first, with who and where; and what was undone says so."""
        skill, route = named(desk, SKILL), named(desk, ROUTE)
        desk.fine("evolve", "accept", skill)
        desk.fine("evolve", "reject", route, "--note", "known")
        rows = desk.fine("evolve", "log", "--json").json
        assert [(row["what"], row["proposal"]) for row in rows] == [
            ("made", skill), ("made", route), ("accepted", skill), ("rejected", route)
        ]  # fmt: skip
        assert {row["by"] for row in rows[2:]} == {"user"}
        assert rows[2]["path"] == str(root / FILE) and len(rows[2]["digest"]) == 32
        assert rows[3]["note"] == "known" and not any(row["undone"] for row in rows)
        desk.fine("undo", rows[3]["event"])
        assert [row["undone"] for row in desk.fine("evolve", "log", "--json").json] == [False, False, False, True]
        assert desk.fine("evolve", "log").out.endswith(f"rejected {route} (known) [undone]\n")
        assert shown(desk, route)["status"] == "pending"

    def test_the_ledger_tells_the_same(self, desk: Cli, root: Path, tmp_path: Path) -> None:
        """Each event in a line of words, whatever its kind."""
        draft = rubbed(desk, tmp_path)
        name = shown(desk, draft)["name"]
        desk.fine("evolve", "accept", draft)
        desk.fine("evolve", "promote", name)
        desk.fine("skills", "show", name)
        desk.fine("skills", "feedback", name, "helpful")
        desk.fine("evolve", "reject", named(desk, ROUTE), "--note", "known")
        out = desk.fine("log", "--limit", "0").out
        for told in (
            f"proposed: {draft} skill-draft: ",
            f"accepted: {draft} {root}",
            f"promoted: {name} {root}",
            f"loaded: {name}",
            f"judged skill: {name} helpful",
            f"rejected: {named(desk, ROUTE)}: known",
            "prompt: please get the login test to pass",
            f"friction: retried 3 Bash {LOGIN}",
            "read: monday.jsonl up to byte ",
        ):
            assert told in out
        assert "{" not in out

    def test_a_limit_holds(self, desk: Cli) -> None:
        """The newest; 0 is all, and below that is nothing."""
        assert len(desk.fine("evolve", "log", "--limit", "1", "--json").json) == 1
        assert len(desk.fine("evolve", "log", "--limit", "0", "--json").json) == 2
        refused(desk, ("evolve", "log", "--limit", "-1"), 2, "--limit")

    def test_without_any_it_says_so(self, cli: Cli) -> None:
        """On standard error, as there is nothing to read."""
        result = cli.fine("evolve", "log")
        assert (result.out, result.err) == ("", "nothing has been proposed yet\n")
        assert cli.fine("evolve", "log", "--json").json == []


class TestPages:
    def test_pipes_get_whole_lines_without_colours(self, program: Program, home: Path) -> None:
        """So that they can be searched; and one that is closed early is no error."""
        signalled(home)
        program("evolve", "analyze")
        out = program("evolve", "list").out
        assert "\033" not in out and f"    why: Memory '{TAILWIND}' surfaced 3x across 3 sessions\n" in out
        done = program.shell("treering evolve log | head -n 1")
        assert done.code == 0 and done.err == "" and len(done.out.splitlines()) == 1

    def test_json_is_utf8_and_one_value(self, program: Program, home: Path) -> None:
        """Of every command."""
        with treering.open(home, actor="user") as memory:
            surface(memory, "Größe: the crème brûlée of the oven", "a", "b", "c")
        for words in (("stats",), ("analyze",), ("list",), ("log",), ("review",)):
            assert json.loads(program("evolve", *words, "--json").out) is not None
        assert "crème" in program("evolve", "list", "--json").out
