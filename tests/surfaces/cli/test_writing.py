"""Commands that change what is known."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.surfaces.cli.driving import Cli


def test_remember_takes_every_option(cli: Cli) -> None:
    """And prints nothing but the id."""
    id = cli.remember(
        "Deploy on Monday",
        *("--type", "Process", "--scope", "project", "--tag", "ops", "--project", "shop", "--session", "s1"),
        *("--language", "en", "--invariant", "--origin", "document:docs/a.md:12", "--at", "2026-05-01"),
        *("--trigger", "a release", "--action", "deploy", "--outcome", "calm"),
    )
    found = cli.fine("show", id, "--json").json
    assert found == {
        **found,
        "content": "Deploy on Monday",
        "type": "procedural",
        "scope": "project",
        "tags": ["ops"],
        "project": "shop",
        "session": "s1",
        "language": "en",
        "invariant": True,
        "origin": "document:docs/a.md:12",
        "trust": "external",
        "created": "2026-05-01T00:00:00Z",
        "trigger": "a release",
        "action": "deploy",
        "outcome": "calm",
    }


def test_a_lesson_needs_no_text(cli: Cli) -> None:
    """Its fields say it all."""
    cli.fine("remember", "--problem", "CI hangs", "--approach", "set a timeout")
    assert cli.fine("show", "1", "--json").json["content"] == "CI hangs. set a timeout"


@pytest.mark.parametrize("words", [[""], ["  \n"], []])
def test_an_empty_text_is_refused(cli: Cli, words: list[str]) -> None:
    """And nothing is written."""
    result = cli("remember", *words)
    assert (result.code, result.err) == (1, "error: there is nothing to remember: the text is empty\n")
    assert cli.fine("log", "--json").json == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--type", "nonsense"], "type must be one of episodic, semantic, procedural, working"),
        (["--scope", "project"], "scope 'project' needs a project"),
        (["--at", "yesterday"], "'yesterday' is not a time"),
        (["--problem", "p", "--trigger", "t"], "not both"),
    ],
)
def test_the_rules_are_those_of_the_library(cli: Cli, words: list[str], message: str) -> None:
    """The command line has none of its own."""
    result = cli("remember", "x", *words)
    assert result.code == 1 and message in result.err


def test_a_dash_reads_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """As UTF-8, whatever the locale, with or without a byte-order mark."""
    for text in (b"gr\xc3\xbc\xc3\x9fe\n", b"\xef\xbb\xbfgr\xc3\xbc\xc3\x9fe"):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text)))
        id = cli.remember("-")
        assert cli.fine("show", id, "--json").json["content"] == "grüße"


def test_standard_input_that_is_no_text_is_refused(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the place where it stops being text."""
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"abc\xff")))
    assert cli("remember", "-").err == "error: what came in is not valid UTF-8 at byte 3\n"


def test_what_was_redacted_is_said(cli: Cli) -> None:
    """On standard error, so that the id alone can be caught by a script."""
    result = cli.fine("remember", "the token is ghp_9fK2mQx7Lw3RtZ8vB1nC5hJ6pD4sY0aG2eUq")
    assert result.err == "redacted: github-token\n"
    assert len(result.out.split()) == 1
    assert "ghp_" not in cli.fine("show", "1").out


def test_several_are_forgotten_together_or_not_at_all(cli: Cli) -> None:
    """One id that is wrong, and nothing happens."""
    cli.remember("a")
    cli.remember("b")
    assert cli("forget", "1", "2", "99").code == 1
    assert len(cli.fine("list", "--json").json) == 2
    assert [memory["status"] for memory in cli.fine("forget", "1", "2", "--json").json] == ["forgotten"] * 2
    assert cli.fine("list", "--json").json == []


def test_several_are_restored_together_or_not_at_all(cli: Cli) -> None:
    """One that was not forgotten, and nothing happens."""
    for text in ("a", "b", "c"):
        cli.remember(text)
    cli.fine("forget", "1", "2")
    assert cli("restore", "1", "2", "3").code == 1
    assert [memory["content"] for memory in cli.fine("list", "--json").json] == ["c"]
    assert "restored" in cli.fine("restore", "1", "2").out
    assert len(cli.fine("list", "--json").json) == 3


def test_a_purge_wants_a_yes(cli: Cli) -> None:
    """Without anybody to ask and without --yes, nothing is purged."""
    cli.remember("x")
    result = cli("purge", "1")
    assert result.code == 1 and "--yes" in result.err
    assert cli.fine("show", "1").code == 0
    assert cli.fine("purge", "1", "--yes", "--json").json["purged"]
    assert "it has been purged" in cli("show", "1").err


def test_a_purge_names_what_the_purged_was_made_of(cli: Cli) -> None:
    """It stays, and may say the same: who wants the text gone has to know."""
    source = cli.remember("The safe of the office stands behind the shelf")
    made = cli.remember("The office has a safe", "--from", source)
    assert source in cli.fine("purge", made, "--yes").err
    assert cli.fine("purge", source, "--yes").err == ""


def test_a_purge_leaves_nothing_behind(cli: Cli, home: Path) -> None:
    """No byte of the text is in any file of the store."""
    cli.remember("the xylophone is in the cellar")
    cli.fine("purge", "1", "--yes")
    assert not any(b"xylophone" in file.read_bytes() for file in home.iterdir())


def test_a_rehearsed_undo_tells_all_and_changes_nothing(cli: Cli) -> None:
    """Every event that would be left out, and every memory that would go."""
    id = cli.remember("x")
    cli.fine("forget", id)
    before = cli.fine("log", "--json").json
    told = cli.fine("undo", "1", "--dry-run", "--json").json
    forgetting = before[0]["id"]
    assert told == {
        "dry_run": True,
        "event": None,
        "left_out": [id, forgetting],
        "back": [],
        "files": [],
        "gone": [id],
        "changed": [],
    }
    text = cli.fine("undo", "1", "--dry-run").out
    assert text.startswith("nothing is changed") and text.count(id) >= 3 and forgetting in text
    assert cli.fine("log", "--json").json == before


def test_an_undo_can_be_undone(cli: Cli) -> None:
    """The second brings back what the first left out."""
    id = cli.remember("x")
    event = cli.fine("undo", "1", "--reason", "a mistake", "--json").json["event"]
    assert f"it was undone by event {event}" in cli("show", id).err
    assert "events that count again: 1" in cli.fine("undo", event).out
    assert cli.fine("show", id).code == 0


def test_a_session_or_a_source_is_revoked(cli: Cli) -> None:
    """With all that it brought, and nothing else."""
    cli.remember("a", "--session", "monday")
    cli.remember("b", "--origin", "document:docs/a.md:3")
    kept = cli.remember("c")
    assert len(cli.fine("revoke", "--session", "monday", "--dry-run", "--json").json["gone"]) == 1
    assert len(cli.fine("list", "--json").json) == 3
    cli.fine("revoke", "--session", "monday")
    cli.fine("revoke", "--source", "docs/a.md")
    assert [memory["id"] for memory in cli.fine("list", "--json").json] == [kept]
    assert "no event is touched" in cli.fine("revoke", "--source", "docs/a.md").out
    assert cli("revoke", "--source", "nowhere.md").code == 1


def test_to_revoke_needs_a_session_or_a_source(cli: Cli) -> None:
    """One of them, not both and not neither."""
    assert cli("revoke").code == 1
    assert cli("revoke", "--session", "a", "--source", "b").code == 1


@pytest.mark.parametrize(
    "words",
    [
        ["remember", "new"],
        ["forget", "1"],
        ["restore", "1"],
        ["purge", "1"],
        ["purge", "1", "--yes"],
        ["undo", "1"],
        ["revoke", "--session", "s"],
        ["import", "/dev/null"],
    ],
)
def test_the_past_cannot_be_changed(cli: Cli, words: list[str]) -> None:
    """Every command that writes refuses a view of the past, before it asks anything."""
    cli.remember("x")
    before = cli.fine("log", "--json").json
    result = cli(*words, "--as-of", "2999-01-01")
    assert result.code == 1 and "leave out --as-of" in result.err
    assert cli.fine("log", "--json").json == before


def test_an_error_is_json_for_those_who_asked_for_it(cli: Cli) -> None:
    """Kind and message, on standard error; standard output stays empty."""
    import json

    result = cli("show", "7", "--json")
    assert (result.code, result.out) == (1, "")
    assert json.loads(result.err)["error"]["kind"] == "NotFound"
    misused = cli("show", "--json")
    assert (misused.code, json.loads(misused.err)["error"]["kind"]) == (2, "UsageError")
    assert cli("remember", "--bad", "--", "--json").err.startswith("error: ")
