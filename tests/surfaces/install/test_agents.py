"""What is written for each agent has the shape that the agent reads."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.cli.driving import Cli
from tests.surfaces.install.tree import put
from treering.surfaces.hook.agents import parse
from treering.surfaces.install.agents import AGENTS, EDITS, Setting, by_name, folder_of
from treering.surfaces.install.entries import mark_of, words
from treering.surfaces.install.scripts import Programs

SETTING = [agent.name for agent in AGENTS if agent.name != "opencode"]  # agents whose hooks are settings
PROGRAMS = Programs("/opt/my tools/treering", "/opt/my tools/treering-hook")


def setting(windows: bool = False) -> Setting:
    return Setting("/home/u", {}, PROGRAMS, windows=windows)


def entries(name: str, windows: bool = False) -> list[tuple[str, dict[str, Any]]]:
    """Each event, with what is written for it."""
    agent, where = by_name(name), setting(windows)
    (wanted, *_) = [target.wanted for target in agent.targets(where, folder_of(agent, where)) if target.wanted.hooks]
    return [(hook.event, hook.value["hooks"][0] if "hooks" in hook.value else hook.value) for hook in wanted.hooks]


@pytest.mark.parametrize("agent", SETTING)
@pytest.mark.parametrize("windows", [False, True])
def test_every_entry_is_known_as_ours(agent: str, windows: bool) -> None:
    """Else it could not be taken out again."""
    assert all(mark_of(entry) == event for event, entry in entries(agent, windows))


@pytest.mark.parametrize("agent", SETTING)
def test_every_event_is_understood_by_the_hook(agent: str) -> None:
    """What an agent sends under this name means something, and who it is from is said."""
    for event, entry in entries(agent):
        line = words(entry)
        assert line[0] == PROGRAMS.hook
        rest = [] if agent == "claude-code" else ["--agent", agent]
        assert line[2:] in (rest, [*rest, "--then", "maintain"])
        payload = {"session_id": "s", "sessionId": "s", "conversation_id": "s", "prompt": "p", "cwd": "/x"}
        assert parse(event, payload, agent, {}) is not None, event


def test_claude_code_gets_a_program_and_its_arguments() -> None:
    """No shell is between them, and only tools that change something are listened to."""
    agent = by_name("claude-code")
    (settings, server) = agent.targets(setting(), "/home/u/.claude")
    values = {hook.event: hook.value for hook in settings.wanted.hooks}
    run = {"type": "command", "command": PROGRAMS.hook, "timeout": 5}
    assert values["Stop"] == {"hooks": [{**run, "args": ["Stop", "--then", "maintain"]}]}
    assert values["PostToolUse"]["matcher"] == values["PostToolUseFailure"]["matcher"] == EDITS
    (field,) = server.wanted.fields
    assert field.path == ("mcpServers", "treering") and field.value["type"] == "stdio"


def test_what_is_due_is_done_in_the_background() -> None:
    """When a session starts, a turn ends and the session ends, in every agent: the hook detaches it."""
    for agent in SETTING:
        then = [words(entry)[1].lower() for _, entry in entries(agent) if "maintain" in words(entry)]
        assert len(then) == 3 and "sessionstart" in then and "sessionend" in then, agent


def test_a_line_for_a_shell_survives_blanks_in_paths() -> None:
    """On both kinds of systems."""
    for name in ("codex", "gemini", "cursor"):
        (_, entry), *_ = entries(name)
        assert shlex.split(entry["command"])[0] == PROGRAMS.hook
        (_, entry), *_ = entries(name, windows=True)
        assert entry["command"].startswith(f'"{PROGRAMS.hook}" ')


def test_limits_are_in_the_unit_of_each_agent() -> None:
    """Seconds for all but Gemini; Codex allows three at the end of a session."""
    limits = {name: dict(entries(name)) for name in ("codex", "gemini", "cursor", "copilot")}
    assert limits["codex"]["UserPromptSubmit"]["timeout"] == 5 and limits["codex"]["SessionEnd"]["timeout"] == 3
    assert limits["gemini"]["BeforeAgent"]["timeout"] == 5_000
    assert limits["cursor"]["stop"]["timeout"] == limits["copilot"]["agentStop"]["timeoutSec"] == 5


def test_copilot_gets_a_line_for_the_shell_of_the_system() -> None:
    """One of the two that it knows."""
    assert "powershell" not in dict(entries("copilot"))["sessionStart"]
    entry = dict(entries("copilot", windows=True))["sessionStart"]
    assert entry["powershell"].startswith('& "') and "bash" not in entry


def test_folders_are_where_the_environment_says(cli: Cli, person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each agent has a variable of its own but Cursor."""
    places = {
        "CLAUDE_CONFIG_DIR": ("claude-code", "settings.json", ".claude.json"),
        "CODEX_HOME": ("codex", "hooks.json", "config.toml"),
        "GEMINI_CLI_HOME": ("gemini", ".gemini/settings.json"),
        "COPILOT_HOME": ("copilot", "hooks/treering.json", "mcp-config.json"),
    }
    for variable, (agent, *names) in places.items():
        folder = person / agent
        monkeypatch.setenv(variable, str(folder))
        cli.fine("install", agent)
        assert all((folder / name).exists() for name in names)
    assert not any((person / name).exists() for name in (".claude", ".claude.json", ".codex", ".gemini", ".copilot"))


def test_the_hooks_of_cursor_and_copilot_say_their_version(cli: Cli, person: Path) -> None:
    """Neither reads a file without."""
    (person / ".cursor").mkdir()
    (person / ".cursor/hooks.json").write_text('{"version": 1, "hooks": {"stop": [{"command": "say"}]}}')
    cli.fine("install", "cursor")
    cli.fine("install", "copilot")
    value = json.loads((person / ".cursor/hooks.json").read_text())
    assert value["version"] == 1 and value["hooks"]["stop"][0] == {"command": "say"}
    assert json.loads((person / ".copilot/hooks/treering.json").read_text())["version"] == 1


def test_a_version_stays_for_the_hooks_of_others(cli: Cli, person: Path) -> None:
    """Somebody added a hook to a file that we had made."""
    cli.fine("install", "cursor")
    file = person / ".cursor/hooks.json"
    value = json.loads(file.read_text())
    value["hooks"]["stop"].append({"command": "say"})
    file.write_text(json.dumps(value))
    cli.fine("uninstall", "cursor")
    assert json.loads(file.read_text()) == {"version": 1, "hooks": {"stop": [{"command": "say"}]}}


def test_opencode_gets_a_script_that_names_the_program(cli: Cli, person: Path) -> None:
    """And a server, in the file that it reads, with comments or without."""
    put(person / ".config/opencode/opencode.jsonc", "{\n  // mine\n}\n")
    cli.fine("install", "opencode")
    script = (person / ".config/opencode/plugins/treering.js").read_text()
    assert f'const HOOK = ["{person}/.local/bin/treering-hook"]' in script
    text = (person / ".config/opencode/opencode.jsonc").read_text()
    assert f'"{person}/.local/bin/treering"' in text and "// mine" in text
    cli.fine("uninstall", "opencode")
    assert (person / ".config/opencode/opencode.jsonc").read_text() == "{\n  // mine\n}\n"
    assert not (person / ".config/opencode/plugins").exists()
