"""A person says what hooks may keep: by kind, by project, by folder, and by a mark within a prompt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import treering
from tests.surfaces.cli.driving import Cli
from tests.surfaces.hook.driving import Agent, bytes_of, contents, known, queued_events, repository, taken_in
from treering.text.secrets import public

TOLD = "Remember that the harbour crane is painted yellow"
CLINIC = "the clinic called about Zebulon"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("fix the login", "fix the login"),
        ("fix <private>a b</private> the login", "fix  the login"),
        ("a <PRIVATE>b</Private> c <private>d</private>", "a  c"),
        ("not closed <private>b c", "not closed"),
        ("not opened</private> c", "c"),
        ("İ <private>b</private> c", "İ  c"),
    ],
)
def test_what_is_marked_as_private_is_taken_out(text: str, left: str) -> None:
    assert public(text) == left


def test_private_words_reach_no_file_of_the_home(agent: Agent, home: Path) -> None:
    """Neither the queue nor the log of recalls, nor a memory made of the transcript later."""
    prompt = f"{TOLD}. <private>Remember that {CLINIC}.</private>"
    line = {"type": "user", "uuid": "u1", "sessionId": "s1", "message": {"role": "user", "content": prompt}}
    path = agent.folder / "t.jsonl"
    path.write_text(json.dumps(line) + "\n")
    agent.transcript = str(path)
    agent.asks(prompt)
    agent.ends()
    with taken_in(home) as memory:
        memory.maintenance.run(30.0)
        assert [one.content for one in memory.list()] == ["The harbour crane is painted yellow."]
    assert b"Zebulon" not in bytes_of(home)


def test_nothing_is_kept_of_a_project_whose_capture_is_off(agent: Agent, home: Path, tmp_path: Path, cli: Cli) -> None:
    """It is still told what is known; other projects are captured as before."""
    known(home, "The harbour crane is painted yellow")
    cli.fine("config", "set", "capture", "none", "--project", "shop")
    assert "yellow" in agent.asks("which colour has the harbour crane?")
    agent.asks("Remember that the quay is closed on Sundays")
    agent.ends()
    other = Agent(home, repository(tmp_path / "bank"), "s2")
    other.asks("Remember that the tower is painted green")
    assert {*contents(home)} == {"The harbour crane is painted yellow", "The tower is painted green."}
    assert b"Sundays" not in bytes_of(home) and b"which colour" not in bytes_of(home)


def test_one_command_turns_off_the_project_of_the_folder(
    cli: Cli, home: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop)
    assert cli.fine("config", "set", "capture", "none", "--project", ".").out == "capture = none in project shop\n"
    assert cli.fine("config", "get", "capture", "--project", "shop").out == "none\n"
    assert cli.fine("config", "get", "capture").out == "all\n"
    assert "shop: none" in cli.fine("config", "list").out
    cli.fine("config", "set", "capture", "--project", "shop")
    assert cli.fine("config", "get", "capture", "--project", "shop").out == "all\n"


def test_what_was_queued_before_is_not_kept_when_capture_is_off(agent: Agent, home: Path, cli: Cli) -> None:
    agent.asks(TOLD)
    cli.fine("config", "set", "capture", "none")
    assert contents(home) == []


def test_only_the_kinds_that_are_named_are_kept(agent: Agent, home: Path, cli: Cli) -> None:
    cli.fine("config", "set", "capture", "told, fix")
    agent.asks(TOLD)
    agent.asks("No, use pnpm instead of npm")
    agent.edits("src/crane.py")
    agent.runs("make test")
    agent.compacts("We painted the crane.")
    agent.ends()
    with taken_in(home) as memory:
        memory.maintenance.run(30.0)
        assert [one.content for one in memory.list()] == ["The harbour crane is painted yellow."]


def test_in_ignored_folders_nothing_is_heard_or_told(home: Path, tmp_path: Path, cli: Cli) -> None:
    folder = repository(tmp_path / "secret" / "shop")
    known(home, "The harbour crane is painted yellow")
    cli.fine("config", "set", "ignored_folders", f"/nowhere:{tmp_path / 'secret'}")
    agent = Agent(home, folder)
    assert agent.starts() == "" and agent.asks("which colour has the harbour crane?") == ""
    assert queued_events(home) == []
    beside = Agent(home, repository(tmp_path / "secrets" / "shop"))
    beside.starts()
    assert len(queued_events(home)) == 1


def test_the_environment_says_so_too(agent: Agent, home: Path, shop: Path) -> None:
    agent.environment = {"TREERING_CAPTURE": "none"}
    agent.asks(TOLD)
    agent.environment = {"TREERING_IGNORED_FOLDERS": str(shop)}
    agent.asks("Remember that the quay is closed")
    (heard,) = queued_events(home)
    assert "prompt" not in heard
    assert contents(home) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("capture", "most"), "capture must be all, none, or some of told, correction"),
        (("capture", "most", "--project", "shop"), "capture_in.shop must be all, none"),
        (("decay", "age", "--project", "shop"), "decay holds in every project"),
        (("capture_in", "none"), "config set capture VALUE --project NAME"),
    ],
)
def test_what_makes_no_sense_is_refused(cli: Cli, home: Path, words: tuple[str, ...], message: str) -> None:
    result = cli("config", "set", *words)
    assert result.code == 1 and message in result.err
    assert not (home / "config.toml").exists()


def test_a_memory_that_was_asked_for_is_no_capture(home: Path, cli: Cli) -> None:
    cli.fine("config", "set", "capture", "none")
    with treering.open(home, project="shop") as memory:
        assert memory.remember("The crane is yellow").content
