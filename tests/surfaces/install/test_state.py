"""How it stands: told to people, to programs and to `doctor`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.surfaces.cli.driving import Cli
from tests.surfaces.install.tree import put, tree
from treering.surfaces.install.state import State, state


def of(person: Path, agent: str) -> State:
    (found,) = [one for one in state(str(person / ".treering"), {"PATH": ""}) if one.agent == agent]
    return found


def test_nothing_is_there_at_first(cli: Cli, person: Path) -> None:
    """And looking leaves no trace."""
    (person / ".gemini").mkdir()
    before = tree(person)
    assert [one["installed"] for one in cli.fine("status", "--json").json] == [False] * 6
    assert of(person, "gemini").found and not of(person, "codex").found
    assert tree(person) == before and not (person / ".treering").exists()


def test_what_is_there_is_told(cli: Cli, person: Path) -> None:
    """Hooks, server, skills, the files, the programs, and the version that wrote them."""
    cli.fine("install", "codex")
    found = of(person, "codex")
    assert (found.hooks, found.mcp, found.skills, found.problems) == (found.hooks_wanted, True, 4, ())
    assert [Path(path).name for path in found.files] == ["hooks.json", "config.toml"]
    assert [Path(path).name for path in found.programs] == ["treering-hook", "treering"] and found.version


def test_a_program_that_is_gone_is_a_problem(cli: Cli, person: Path) -> None:
    """As after a virtual environment was deleted: nothing else would say so."""
    cli.fine("install", "claude-code")
    (person / ".local/bin/treering-hook").unlink()
    answer = cli("status")
    assert (
        answer.code == 1
        and "treering-hook is not there any more: run `treering install claude-code` again" in answer.out
    )


def test_a_hook_that_is_missing_is_a_problem(cli: Cli, person: Path) -> None:
    """Somebody has taken it out, or a newer version has more."""
    cli.fine("install", "claude-code")
    file = person / ".claude/settings.json"
    value = json.loads(file.read_text())
    del value["hooks"]["PostCompact"]
    file.write_text(json.dumps(value))
    (problem,) = of(person, "claude-code").problems
    assert "lacks PostCompact" in problem
    cli.fine("install", "claude-code")
    assert of(person, "claude-code").problems == ()


def test_entries_that_are_gone_are_a_problem(cli: Cli, person: Path) -> None:
    """Another program has written its settings anew, without ours."""
    cli.fine("install", "gemini")
    put(person / ".gemini/settings.json", "{}")
    (problem,) = of(person, "gemini").problems
    assert "is gone" in problem and not of(person, "gemini").installed


def test_a_file_that_cannot_be_read_any_more_is_a_problem(cli: Cli, person: Path) -> None:
    """Only where we have written; what others do with their files is theirs."""
    put(person / ".cursor/mcp.json", "{")
    assert of(person, "cursor").problems == ()
    cli.fine("install", "gemini")
    put(person / ".gemini/settings.json", "{")
    assert "it ends too early" in of(person, "gemini").problems[0]


@pytest.mark.parametrize(
    ("agent", "name", "text"),
    [
        ("claude-code", ".claude/settings.json", '{"disableAllHooks": true}'),
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n"),
        ("gemini", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),
    ],
)
def test_hooks_that_are_turned_off_are_a_problem(agent: str, name: str, text: str, cli: Cli, person: Path) -> None:
    """The agent runs none, and somebody wonders why."""
    put(person / name, text)
    cli.fine("install", agent)
    (problem,) = of(person, agent).problems
    assert "runs no hooks" in problem and cli("status").code == 1


def test_doctor_tells_it_too(cli: Cli, person: Path) -> None:
    """In its own words."""
    cli.fine("install", "cursor")
    (person / ".local/bin/treering").unlink()
    assert "treering is not there any more" in cli("doctor").out


def test_a_file_that_could_never_be_written_to_is_a_problem(cli: Cli, person: Path) -> None:
    """The other file of the agent is there, so somebody wanted it: it is said which one is not."""
    put(person / ".claude/settings.json", '{"model": "opus", "hooks": [')
    cli("install", "claude-code")
    answer = cli("status")
    assert answer.code == 1 and ".claude/settings.json cannot be understood (line 1: it ends too early)" in answer.out
    assert "mend it" in answer.out and "settings.json" in cli("doctor").out


def test_hooks_that_are_all_missing_are_a_problem(cli: Cli, person: Path) -> None:
    """The file is gone or was read-only at the time; a server that somebody has added by hand needs none."""
    put(person / ".gemini/settings.json", '{"mcpServers": {"treering": {"command": "treering", "args": ["mcp"]}}}')
    assert cli.fine("status").out
    file = put(person / ".claude/settings.json", "{}")
    file.chmod(0o444)
    cli("install", "claude-code")
    (problem,) = of(person, "claude-code").problems
    assert "settings.json has none of our hooks" in problem and cli("status").code == 1


def test_a_server_that_runs_something_else_is_not_ours(person: Path) -> None:
    """Though it has our name."""
    put(person / ".cursor/mcp.json", '{"mcpServers": {"treering": {"command": "/opt/forest"}}}')
    found = of(person, "cursor")
    assert (found.mcp, found.programs, found.problems) == (False, (), ())


def test_the_state_of_a_project_alone(cli: Cli, person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each agent, whether it has something of ours there or not; what to type names the project too."""
    (person / "work/.git").mkdir()
    (person / ".claude").mkdir()
    rows = cli.fine("status", "--project", "--json").json
    assert [(row["scope"], row["installed"]) for row in rows] == [("project", False)] * 6
    assert "`treering install claude-code --project`" in cli.fine("status", "--project").out
    cli.fine("install", "claude-code", "--project")
    (person / "work/.claude/settings.json").write_text("{")
    answer = cli("status", "--project")
    assert answer.code == 1 and "run `treering install claude-code --project` again" in answer.out
    monkeypatch.chdir(person)
    assert cli("status", "--project").code == 2


def test_doctor_tells_of_a_home_that_cannot_be_made(cli: Cli, person: Path) -> None:
    """Before the first hook loses what it heard: a file is in the place of a folder above."""
    put(person / "store", "a file")
    answer = cli("doctor", "--home", str(person / "store" / "below" / "home"))
    assert answer.code == 1 and f"{person / 'store'} is not a folder" in answer.out


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_doctor_tells_of_a_parent_that_cannot_be_written(cli: Cli, person: Path) -> None:
    """A home folder that somebody else owns."""
    parent = person / "locked"
    parent.mkdir(mode=0o555)
    answer = cli("doctor", "--home", str(parent / "home"))
    assert answer.code == 1 and f"{parent} cannot be written" in answer.out
