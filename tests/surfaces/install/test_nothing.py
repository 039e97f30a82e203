"""What is not ours stays: where nothing was installed, where the record is lost, and when uninstalling twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.surfaces.cli.driving import Cli
from tests.surfaces.install.shapes import BROKEN, HOOKED, SERVED, TABLED
from tests.surfaces.install.tree import put, tree
from treering.surfaces.cli.agents import AGENTS

FOREIGN = {
    ".claude/settings.json": '{"hooks": {"Stop": []}, "mcpServers": {}}',
    ".claude.json": '{"mcpServers": {}}',
    ".codex/hooks.json": '{"hooks": {}}',
    ".codex/config.toml": "mcp_servers = {}\n",
    ".gemini/settings.json": '{"hooks": {"SessionEnd": []}, "mcpServers": {"treering": {}}}',
    ".cursor/hooks.json": '{"version": 1, "hooks": {}}',
    ".cursor/mcp.json": '{\n "mcpServers": {}\n}\n',
    ".config/opencode/opencode.json": '{"mcp": {}}',
    ".copilot/hooks/treering.json": "{}",
    ".copilot/mcp-config.json": '{"mcpServers": {"treering": {"command": "/opt/forest", "args": ["rings"]}}}',
}
JSONS = [name for name in FOREIGN if name.endswith(".json")]


def forget(person: Path) -> None:
    """The record of what was installed is lost."""
    (person / ".treering/installed.json").unlink()


def test_where_nothing_was_ever_installed_nothing_changes(cli: Cli, person: Path) -> None:
    """Empty containers and versions are somebody's, no matter how much they look like what we make; and it is said."""
    for name, text in FOREIGN.items():
        put(person / name, text)
    (person / ".claude/skills/treering").mkdir(parents=True)
    before = tree(person)
    answer = cli.fine("uninstall", "all", "--yes")
    assert tree(person) == before and answer.out == "there was nothing to take out\n"
    assert not (person / ".treering").exists()


@pytest.mark.parametrize("text", [*HOOKED.values(), *SERVED.values(), *BROKEN.values()])
def test_no_shape_of_json_is_touched(text: str, cli: Cli, person: Path) -> None:
    """As every agent has it."""
    for name in JSONS:
        put(person / name, text)
    before = tree(person)
    assert cli.fine("uninstall", "all").out == "there was nothing to take out\n" and tree(person) == before


@pytest.mark.parametrize("text", [*TABLED.values(), '[mcp_servers.treering]\ncommand = "forest"\n'])
def test_no_shape_of_toml_is_touched(text: str, cli: Cli, person: Path) -> None:
    """Nor is a server that has our name, and runs something else."""
    put(person / ".codex/config.toml", text)
    before = tree(person)
    assert cli.fine("uninstall", "codex").out == "there was nothing to take out\n" and tree(person) == before


def test_uninstalling_twice_is_uninstalling_once(cli: Cli, person: Path) -> None:
    """Also with a skill that somebody has edited, which stays: both are told the first time, and nothing the second."""
    for name, text in FOREIGN.items():
        put(person / name, text)
    before = tree(person)
    cli.fine("install", "all")
    edited = person / ".agents/skills/skill-editing/SKILL.md"
    edited.write_text(edited.read_text() + "and one line more\n")
    left = {**before, str(edited.relative_to(person)): edited.read_bytes()}
    answer = cli.fine("uninstall", "all")
    assert f"{edited} was edited: it stays" in answer.out
    assert f"{person}/.agents/skills: 3 files taken out" in answer.out
    after = tree(person)
    assert {name: data for name, data in after.items() if data is not None} == {
        name: data for name, data in left.items() if data is not None
    }
    assert cli.fine("uninstall", "all").out == "there was nothing to take out\n" and tree(person) == after


def test_without_a_record_only_what_runs_our_program_goes(cli: Cli, person: Path) -> None:
    """What held it is empty then, and stays: who made it is not known."""
    ours = '{"type": "command", "command": "/x/treering-hook Stop"}'
    file = put(person / ".claude/settings.json", '{"hooks": {"Stop": [{"hooks": [' + ours + ']}], "Start": []}}')
    server = put(person / ".claude.json", '{"mcpServers": {"treering": {"command": "treering", "args": ["mcp"]}}}')
    other = put(person / ".cursor/mcp.json", '{"mcpServers": {"treering": {"command": "forest", "args": ["mcp"]}}}')
    answer = cli.fine("uninstall", "all")
    assert file.read_text() == '{"hooks": {"Stop": [], "Start": []}}'
    assert server.read_text() == '{"mcpServers": {}}' and "forest" in other.read_text()
    assert "settings.json is changed: 1 hook taken out" in answer.out and "Cursor" not in answer.out
    assert ".claude.json is changed: the MCP server taken out" in answer.out


def test_without_a_record_the_copies_tell_how_it_was(cli: Cli, person: Path) -> None:
    """They go with it, and so do files that hold nothing but what we write."""
    kept = {name: text for name, text in FOREIGN.items() if name not in (".codex/hooks.json", ".gemini/settings.json")}
    for name, text in kept.items():
        put(person / name, text)
    (person / ".gemini").mkdir()
    cli.fine("install", "all")
    forget(person)
    cli.fine("uninstall", "all")
    files = {name: data for name, data in tree(person).items() if data is not None and not name.startswith(".local")}
    assert files == {name: text.encode() for name, text in kept.items()}


def test_a_copy_that_does_not_fit_is_not_trusted(cli: Cli, person: Path) -> None:
    """The file was edited and the record lost: only our entries go, and the copy stays, as somebody may want it."""
    file = put(person / ".claude.json", "{}")
    cli.fine("install", "claude-code")
    value = json.loads(file.read_text())
    file.write_text(json.dumps({**value, "theme": "dark"}))
    forget(person)
    answer = cli.fine("uninstall", "claude-code")
    assert json.loads(file.read_text()) == {"mcpServers": {}, "theme": "dark"}
    assert (person / ".claude.json.before-treering").read_text() == "{}"
    assert ".claude.json.before-treering stays" in answer.out


@pytest.mark.parametrize("agent", AGENTS)
def test_what_somebody_has_taken_out_by_hand_is_not_taken_out_again(agent: str, cli: Cli, person: Path) -> None:
    """What they have left is theirs, though we had made it."""
    cli.fine("install", agent)
    texts = {name: text for name, text in FOREIGN.items() if (person / name).exists()}
    for name, text in texts.items():
        put(person / name, text)
    answer = cli.fine("uninstall", agent)
    assert {name: (person / name).read_text() for name in texts} == texts
    assert "hook" not in answer.out.replace("hooks.json", "").replace("/hooks/", "") and "MCP" not in answer.out


def test_a_container_goes_if_it_was_made_and_became_empty(cli: Cli, person: Path) -> None:
    """One that was empty when we came to take ours out stays."""
    file = put(person / ".claude/settings.json", '{"model": "opus"}')
    cli.fine("install", "claude-code")
    value = json.loads(file.read_text())
    value["hooks"]["Stop"] = []
    file.write_text(json.dumps(value))
    answer = cli.fine("uninstall", "claude-code")
    assert json.loads(file.read_text()) == {"model": "opus", "hooks": {"Stop": []}}
    assert "8 hooks and statusLine taken out" in answer.out


def test_a_server_of_our_name_that_runs_something_else_comes_back(cli: Cli, person: Path) -> None:
    """Installing gives the name to ours, with a copy; uninstalling gives it back."""
    text = FOREIGN[".copilot/mcp-config.json"]
    file = put(person / ".copilot/mcp-config.json", text)
    cli.fine("install", "copilot")
    assert "treering" in json.loads(file.read_text())["mcpServers"]["treering"]["command"]
    assert Path(f"{file}.before-treering").read_text() == text
    cli.fine("uninstall", "copilot")
    assert file.read_text() == text


def test_a_comment_in_a_file_that_we_made_keeps_it(cli: Cli, person: Path) -> None:
    """Somebody has written it; a file without goes."""
    cli.fine("install", "codex")
    for name, mark in (("hooks.json", "//"), ("config.toml", "#")):
        file = person / ".codex" / name
        file.write_text(f"{mark} mine\n" + file.read_text())
    cli.fine("uninstall", "codex")
    left = tree(person / ".codex")
    assert left == {"hooks.json": b"// mine\n{}\n", "config.toml": b"# mine\n"}


def test_a_skill_of_the_same_name_is_not_said_to_be_ours(cli: Cli, person: Path) -> None:
    """It was there first: it stays, when ours come and when they go."""
    mine = put(person / ".agents/skills/skill-editing/SKILL.md", "my own")
    assert f"{mine} is not ours: it is left as it is" in cli.fine("install", "codex").out
    assert "skill-editing" not in cli.fine("uninstall", "codex").out and mine.read_text() == "my own"


def test_what_cannot_be_taken_out_is_not_said_to_be_nothing(cli: Cli, person: Path) -> None:
    """Our hooks are in a file that nobody understands, and there is no record of it."""
    file = put(person / ".claude/settings.json", '{"hooks": {"Stop": [{"command": "/x/treering-hook Stop"}]')
    text = file.read_text()
    answer = cli("uninstall", "claude-code")
    assert answer.code == 1 and "by hand" in answer.out and "nothing to take out" not in answer.out
    assert file.read_text() == text
