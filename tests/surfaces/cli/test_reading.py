"""Commands that look."""

from __future__ import annotations

import pytest

from tests.surfaces.cli.driving import Cli
from treering.ledger.types import Memory

SCORES = {"status_history", "last_used", "importance", "strength", "tier"}


def test_a_memory_is_shown_by_its_id_or_its_number(cli: Cli) -> None:
    """`treering show 1` is enough where only one memory can be meant."""
    id = cli.remember("Tabs are four wide", "--tag", "style", "--type", "Fact")
    assert cli.fine("show", id).out == cli.fine("show", "1").out
    shown = cli.fine("show", "1").out
    assert shown.splitlines()[:2] == [id, "Tabs are four wide"]
    fields = dict(line.split(maxsplit=1) for line in shown.splitlines()[3:])
    assert (fields["type"], fields["tags"], fields["tier"]) == ("semantic", "style", "hot")
    assert (fields["importance"], fields["strength"]) == ("0.555", "0.555")


def test_the_json_of_a_memory_has_every_field(cli: Cli) -> None:
    """With times as ISO text, and tags as a list."""
    cli.remember("x", "--tag", "a", "--tag", "b", "--at", "2026-05-01T14:30:00Z")
    found = cli.fine("show", "1", "--json").json
    assert {*found} == {*Memory._fields} - {"moves"} | SCORES
    assert found["last_used"] == found["created"]  # until it is used
    assert found["status_history"] == [{"status": "created", "at": "2026-05-01T14:30:00Z", "rule": "remembered"}]
    assert (found["created"], found["tags"], found["redacted"]) == ("2026-05-01T14:30:00Z", ["a", "b"], [])


def test_what_is_not_there_is_an_error(cli: Cli) -> None:
    """With 1 as the code, and what to do next."""
    result = cli("show", "7")
    assert (result.code, result.out) == (1, "")
    assert result.err == "error: no memory '7': `treering list` shows all memories\n"


def test_a_list_is_newest_first_and_narrowed_by_its_options(cli: Cli) -> None:
    """Each option leaves out the rest."""
    first = cli.remember("one", "--tag", "a")
    second = cli.remember("two", "--type", "Process")
    third = cli.remember("three", "--project", "shop", "--session", "monday")

    def ids(*words: str) -> list[str]:
        return [memory["id"] for memory in cli.fine("list", "--json", *words).json]

    assert ids() == [third, second, first]
    assert ids("--tag", "a") == [first]
    assert ids("--type", "procedural") == [second]
    assert ids("--scope", "project") == ids("--project", "shop") == ids("--session", "monday") == [third]
    assert ids("--limit", "1") == [third]
    assert ids("--limit", "0") == [third, second, first]
    assert ids("--status", "forgotten") == []
    assert len(cli.fine("list").out.splitlines()) == 3


def test_a_list_ends_at_its_limit_unless_told_otherwise(cli: Cli) -> None:
    """Fifty fill a screen or two."""
    for number in range(51):
        cli.remember(f"memory {number}")
    assert len(cli.fine("list").out.splitlines()) == 50
    assert len(cli.fine("list", "--limit", "0").out.splitlines()) == 51


@pytest.mark.parametrize("command", ["list", "log", "rings"])
def test_an_empty_store_answers_with_nothing(cli: Cli, command: str) -> None:
    """An empty array for programs, and a word on standard error for people."""
    assert cli.fine(command, "--json").json == []
    result = cli.fine(command)
    assert result.out == "" and result.err


def test_recall_answers_with_the_best_first(cli: Cli) -> None:
    """And says so when it knows nothing; `test_recall.py` has the rest."""
    cli.remember("The kettle is green")
    best = cli.remember("Run migrations with a lock timeout", "--tag", "migrations")
    found = cli.fine("recall", "running migrations", "-k1", "--json").json
    assert [hit["id"] for hit in found["hits"]] == [best] and not found["abstained"]
    assert best in cli.fine("recall", "running migrations").out
    assert cli.fine("recall", "submarines", "--json").json["abstained"] is True


def test_recall_sees_what_can_be_seen_from_a_project(cli: Cli) -> None:
    """Scopes are walls."""
    cli.remember("the shop sells tea", "--project", "shop")
    assert cli.fine("recall", "tea", "--json").json["hits"] == []
    assert len(cli.fine("recall", "tea", "--project", "shop", "--json").json["hits"]) == 1


def test_history_marks_what_was_undone(cli: Cli) -> None:
    """Restoring undoes the forgetting, which stays in the ledger and no longer counts."""
    id = cli.remember("x", "--session", "monday", "--project", "shop")
    cli.fine("forget", id, "--reason", "wrong")
    cli.fine("restore", id)
    events = cli.fine("history", id, "--json").json["events"]
    kinds = [(event["kind"], event["undone"]) for event in events]
    assert kinds == [
        ("memory.remembered.v1", False),
        ("memory.forgotten.v1", True),
        ("events.undone.v1", False),
    ]
    text = cli.fine("history", id).out
    assert "remembered\n" in text and "forgot  (undone)" in text and "undid" in text
    assert "project shop · session monday" in text and "(wrong)" in text


def test_history_appends_causes_and_effects_when_asked(cli: Cli) -> None:
    """Under headings of their own, even when there are none."""
    cli.remember("x")
    assert cli.fine("history", "1", "--causes", "--effects", "--json").json.keys() == {
        "events",
        "causes",
        "effects",
    }
    assert "rests on: nothing" in cli.fine("history", "1", "--causes").out


def test_the_log_is_newest_first_one_line_an_event(cli: Cli) -> None:
    """With a mark on what was undone, a limit, and a session to look at."""
    cli.remember("first", "--session", "monday")
    cli.remember("second\nin two lines")
    cli.fine("undo", "1")
    lines = cli.fine("log").out.splitlines()
    assert [line.split(": ")[-1] for line in lines[1:]] == ["second in two lines", "first"]
    assert "undid" in lines[0] and "undone" in lines[2] and "undone" not in lines[1]
    assert len(cli.fine("log", "--limit", "1").out.splitlines()) == 1
    assert [event["data"]["content"] for event in cli.fine("log", "--session", "monday", "--json").json] == ["first"]


def test_rings_have_a_line_for_each_session(cli: Cli) -> None:
    """What it added, forgot, undid and purged."""
    cli.remember("a", "--session", "monday", "--project", "shop")
    cli.remember("b", "--session", "monday", "--project", "shop")
    cli.remember("c", "--session", "tuesday")
    cli.fine("forget", "3")
    rings = {ring["session"]: ring for ring in cli.fine("rings", "--json").json}
    assert (rings["monday"]["added"], rings["monday"]["project"], rings["tuesday"]["added"]) == (2, "shop", 1)
    assert rings[""]["forgotten"] == 1
    assert "2 added" in cli.fine("rings").out and "1 forgotten" in cli.fine("rings").out


def test_as_of_shows_the_memory_of_that_moment(cli: Cli) -> None:
    """What came later is not there yet, and what went later still is."""
    cli.remember("old")
    moment = cli.fine("history", "1", "--json").json["events"][0]["time"]
    cli.fine("forget", "1")
    cli.remember("new")
    assert [memory["content"] for memory in cli.fine("list", "--json").json] == ["new"]
    assert [memory["content"] for memory in cli.fine("list", "--as-of", moment, "--json").json] == ["old"]
    assert "old" in cli.fine("show", "1", "--as-of", moment).out
    assert cli.fine("list", "--as-of", "2020-01-01", "--json").json == []


def test_a_space_is_a_store_of_its_own(cli: Cli) -> None:
    """Memories of one space never show in another."""
    id = cli.remember("x", "--space", "other")
    assert cli.fine("list", "--json").json == [] == cli.fine("log", "--json").json
    assert cli("show", id).code == 1
    assert cli.fine("show", id, "--space", "other").code == 0
