"""What somebody meets who installs, installs again, moves house, and takes it all out."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.surfaces.cli.driving import START, Cli, Terminal
from tests.surfaces.install.conftest import programs
from tests.surfaces.install.tree import changed, put, tree
from treering.surfaces.cli.agents import AGENTS
from treering.surfaces.install import agents, files, scripts, state
from treering.surfaces.install.scripts import Programs

SETTINGS = '{\n  "model": "opus", // the best\n}\n'
ALL_FILES = (
    ".claude.json",
    ".claude/settings.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".config/opencode/opencode.json",
    ".copilot/hooks/treering.json",
    ".copilot/mcp-config.json",
    ".cursor/hooks.json",
    ".cursor/mcp.json",
    ".gemini/settings.json",
)


def move(person: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Our programs are elsewhere from now on."""
    folder = programs(person / "elsewhere" / "bin")
    for name in ("treering", "treering-hook"):
        (person / ".local/bin" / name).unlink()
    found = Programs(str(folder / "treering"), str(folder / "treering-hook"))
    monkeypatch.setattr(scripts, "programs", lambda *_: found)
    return str(folder)


def everywhere(person: Path) -> None:
    """All agents are used here."""
    for name in (".claude", ".codex", ".gemini", ".cursor", ".copilot", ".config/opencode"):
        (person / name).mkdir(parents=True)


def test_the_command_and_the_table_name_the_same_agents() -> None:
    """The one is quick to import, the other has all that is known."""
    assert agents.NAMES == AGENTS


def test_all_means_those_that_are_found(cli: Cli, person: Path) -> None:
    """An agent that nobody uses here gets no folder."""
    (person / ".codex").mkdir()
    (person / ".local/bin/gemini").symlink_to(person / ".local/bin/treering")
    cli.fine("install", "all")
    found = {name.partition("/")[0] for name in tree(person)}
    assert found == {".codex", ".gemini", ".agents", ".local", "work"}


def test_all_says_so_when_none_is_found(cli: Cli, person: Path) -> None:
    """And writes nothing."""
    before = tree(person)
    assert "no agent is found" in cli.fine("install", "all").err and tree(person) == before


def test_every_agent_in_and_out_again(cli: Cli, person: Path) -> None:
    """Files that were made go, and so do folders that were made."""
    everywhere(person)
    before = tree(person)
    cli.fine("install", "all")
    after = tree(person)
    assert set(ALL_FILES) <= set(after)
    assert all(one["installed"] and not one["problems"] for one in cli.fine("status", "--json").json)
    cli.fine("uninstall", "all")
    assert tree(person) == before


def test_skills_that_several_agents_share_stay_until_the_last_is_out(cli: Cli, person: Path) -> None:
    """Codex and Gemini both read ~/.agents/skills."""
    cli.fine("install", "codex")
    cli.fine("install", "gemini")
    cli.fine("uninstall", "codex")
    assert (person / ".agents/skills/skill-editing/SKILL.md").exists()
    cli.fine("uninstall", "gemini")
    assert not (person / ".agents").exists()


def test_a_dry_run_writes_nothing(cli: Cli, person: Path) -> None:
    """Not even a folder for the store."""
    put(person / ".claude/settings.json", SETTINGS)
    before = tree(person)
    answer = cli.fine("install", "claude-code", "--dry-run")
    assert "treering-hook" in answer.out and "nothing was written" in answer.out
    assert tree(person) == before and not (person / ".treering").exists()


@pytest.mark.parametrize("agent", AGENTS)
def test_a_program_that_has_moved_is_named_anew_in_its_place(
    agent: str, cli: Cli, person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then, status says that it is gone."""
    cli.fine("install", agent)
    folder = move(person, monkeypatch)
    assert cli("status").code == 1
    cli.fine("install", agent)
    text = "".join((person / name).read_text() for name in ALL_FILES if (person / name).exists())
    assert folder in text and ".local/bin" not in text
    assert cli.fine("status", "--json").json
    cli.fine("uninstall", agent)
    assert not any((person / name).exists() for name in ALL_FILES)


def test_a_path_is_corrected_in_a_file_that_was_edited(cli: Cli, person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A timeout that somebody raised stays raised."""
    file = put(person / ".claude/settings.json", SETTINGS)
    cli.fine("install", "claude-code")
    edited = file.read_text().replace('"timeout": 5', '"timeout": 30').replace("opus", "sonnet")
    file.write_text(edited)
    cli.fine("install", "claude-code")
    assert file.read_text() == edited
    folder = move(person, monkeypatch)
    cli.fine("install", "claude-code")
    assert file.read_text() == edited.replace(str(person / ".local/bin"), folder)
    cli.fine("uninstall", "claude-code")
    assert file.read_text() == SETTINGS.replace("opus", "sonnet")


def test_what_the_agent_itself_rewrites_loses_only_ours(cli: Cli, person: Path) -> None:
    """Claude Code writes ~/.claude.json anew at every start; the copy of the old one is named."""
    file = put(person / ".claude.json", '{"numStartups":1,"mcpServers":{"a":{"command":"b"}}}')
    cli.fine("install", "claude-code")
    value = json.loads(file.read_text())
    value["numStartups"] = 2
    file.write_text(json.dumps(value, indent=2))
    answer = cli.fine("uninstall", "claude-code")
    assert json.loads(file.read_text()) == {"numStartups": 2, "mcpServers": {"a": {"command": "b"}}}
    assert ".claude.json.before-treering stays" in answer.out


def test_entries_of_an_installation_that_nobody_recorded_are_found_by_what_they_say(cli: Cli, person: Path) -> None:
    """The home of the store was deleted: no hook comes twice, and all go."""
    file = put(person / ".claude/settings.json", SETTINGS)
    cli.fine("install", "claude-code")
    text = file.read_text()
    (person / ".treering/installed.json").unlink()
    cli.fine("install", "claude-code")
    assert file.read_text() == text
    cli.fine("uninstall", "claude-code")
    assert file.read_text() == SETTINGS and not (person / ".claude/skills/treering/agents").exists()


def test_what_somebody_pasted_by_hand_is_taken_for_ours(cli: Cli, person: Path) -> None:
    """By its bare name, beside another command: it gets the path, and is not there twice."""
    entry = '{"type": "command", "command": "treering-hook Stop"}, {"type": "command", "command": "say done"}'
    file = put(person / ".claude/settings.json", '{"hooks": {"Stop": [{"hooks": [' + entry + "]}]}}")
    cli.fine("install", "claude-code")
    stop = json.loads(file.read_text())["hooks"]["Stop"]
    assert [one["hooks"][0].get("args") for one in stop] == [["Stop", "--then", "maintain"]]
    assert stop[0]["hooks"][0]["command"] == str(person / ".local/bin/treering-hook")
    cli.fine("uninstall", "claude-code")
    left = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}
    assert json.loads(file.read_text()) == left


def test_a_hook_of_a_similar_name_is_somebody_elses(cli: Cli, person: Path) -> None:
    """Only our very program counts as ours."""
    text = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/x/my-treering-hook Stop"}]}]}}'
    file = put(person / ".claude/settings.json", text)
    (person / ".treering").mkdir()
    cli.fine("uninstall", "claude-code")
    assert file.read_text() == text


def test_without_its_library_the_server_is_left_out(cli: Cli, person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hooks are there, and the line to type."""
    monkeypatch.setattr(state, "_has_mcp", lambda: False)
    answer = cli.fine("install", "claude-code")
    assert "pip install 'treering[mcp]'" in answer.out and not (person / ".claude.json").exists()


def test_a_store_elsewhere_is_named_in_every_entry(cli: Cli, person: Path) -> None:
    """Hooks of a program with windows inherit no variable of a shell."""
    home = str(person / "my store")
    cli.fine("install", "claude-code", "--home", home)
    cli.fine("install", "codex", "--home", home)
    stop = json.loads((person / ".claude/settings.json").read_text())["hooks"]["Stop"]
    assert stop[0]["hooks"][0]["args"] == ["Stop", "--home", home, "--then", "maintain"]
    assert f"Stop --agent codex --home '{home}'" in (person / ".codex/hooks.json").read_text()
    server = json.loads((person / ".claude.json").read_text())["mcpServers"]["treering"]
    assert server["args"] == ["--home", home, "mcp", "--tools", "all"]


def test_a_project_gets_files_of_its_own(cli: Cli, person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the folder that has the .git, from wherever below one stands; those of the user stay untouched."""
    project = person / "work"
    (project / ".git").mkdir()
    (project / "src").mkdir()
    monkeypatch.chdir(project / "src")
    before = tree(person)
    for agent in AGENTS:
        cli.fine("install", agent, "--project")
    after = tree(person)
    assert set(changed(before, after)) >= {
        "work/.claude/settings.json",
        "work/.mcp.json",
        "work/.codex/hooks.json",
        "work/.gemini/settings.json",
        "work/.cursor/mcp.json",
        "work/.github/hooks/treering.json",
    }
    assert all(name.startswith("work/") for name in changed(before, after))
    rows = cli.fine("status", "--json").json
    assert [row["agent"] for row in rows if row["scope"] == "project" and row["installed"]] == [*AGENTS]
    for agent in AGENTS:
        cli.fine("uninstall", agent, "--project")
    assert tree(person) == before


def test_the_home_folder_is_no_project(cli: Cli, person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files are those of the user."""
    monkeypatch.chdir(person)
    assert cli("install", "claude-code", "--project").code == 2 and not (person / ".claude").exists()


def test_what_somebody_edited_of_the_skills_is_theirs(cli: Cli, person: Path) -> None:
    """It is neither written over nor taken away."""
    cli.fine("install", "claude-code")
    mine = person / ".claude/skills/treering/commands/memory.md"
    mine.write_text("my own")
    answer = cli.fine("install", "claude-code")
    assert "was edited" in answer.out and mine.read_text() == "my own"
    assert "stays" in cli.fine("uninstall", "claude-code").out
    assert mine.read_text() == "my own" and not (person / ".claude/skills/treering/agents").exists()


def test_an_older_version_of_a_skill_is_replaced(cli: Cli, person: Path) -> None:
    """One that nobody has edited since we placed it."""
    cli.fine("install", "claude-code")
    placed = person / ".claude/skills/treering/commands/memory.md"
    records = person / ".treering/installed.json"
    new, old = placed.read_bytes(), b"as it was in an older version"
    placed.write_bytes(old)
    records.write_text(records.read_text().replace(files.digest(new), files.digest(old)))
    cli.fine("install", "claude-code")
    assert placed.read_bytes() == new


def test_records_that_cannot_be_read_are_said_so(cli: Cli, person: Path) -> None:
    """Rather than to guess."""
    put(person / ".treering/installed.json", "{")
    answer = cli("install", "claude-code")
    assert answer.code == 1 and "move it away" in answer.err and not (person / ".claude").exists()


def test_at_a_terminal_somebody_is_asked_once(person: Path) -> None:
    """No means no."""
    environment = {"HOME": str(person), "PATH": str(person / ".local/bin")}
    start = f"import sys; sys.argv[0] = '{person}/.local/bin/treering'; {START}"
    for answer, there in (("n\n", False), ("y\n", True)):
        terminal = Terminal([sys.executable, "-c", start, "install", "claude-code"], person / "work", environment, 100)
        shown = terminal.until("Go on? [y/N] ")
        assert "9 hooks" in shown
        terminal.type(answer)
        assert terminal.ended() == 0 and (person / ".claude/settings.json").exists() is there


def test_json_tells_what_was_done(cli: Cli, person: Path) -> None:
    """For programs: each file, what happened, and where the copy is."""
    put(person / ".claude/settings.json", SETTINGS)
    value = cli.fine("install", "claude-code", "--json").json
    first = value["agents"][0]["files"][0]
    assert value["applied"] and first["action"] == "change" and first["backup"].endswith(".before-treering")
    value = cli.fine("install", "claude-code", "--json").json
    assert {file["action"] for file in value["agents"][0]["files"]} == {"keep"}


def test_an_unknown_agent_is_refused(cli: Cli) -> None:
    """With those that there are."""
    answer = cli("install", "emacs")
    assert answer.code == 2 and "claude-code" in answer.err


def test_the_plugin_beside_the_settings_is_told(cli: Cli, person: Path) -> None:
    """Both run; nothing is counted twice, and status says so."""
    put(person / ".claude/settings.json", '{"enabledPlugins": {"treering@treering": true}}')
    assert "plugin treering is enabled" in cli.fine("install", "claude-code").out
    assert "plugin is enabled as well" in cli.fine("status").out


def test_an_agent_that_is_nearly_right_is_guessed(cli: Cli) -> None:
    """As most people call it."""
    for name in ("claude", "gemini-cli", "copilot-cli"):
        answer = cli("install", name)
        near = {"claude": "claude-code"}.get(name, name.removesuffix("-cli"))
        assert answer.code == 2 and f"did you mean {near}?" in answer.err


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_who_names_no_agent_is_told_which_there_are(verb: str, cli: Cli) -> None:
    """And nothing happens."""
    answer = cli(verb)
    assert answer.code == 2 and all(name in answer.err for name in (*AGENTS, "all"))


def test_what_is_corrected_is_not_said_to_be_added(cli: Cli, person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each number is of what was done."""
    file = person / ".claude/settings.json"
    cli.fine("install", "claude-code")
    value = json.loads(file.read_text())
    del value["hooks"]["PostCompact"]
    file.write_text(json.dumps(value))
    move(person, monkeypatch)
    answer = cli.fine("install", "claude-code")
    assert "settings.json is changed: 1 hook added, 8 hooks and statusLine corrected" in answer.out
    assert ".claude.json is changed: the MCP server corrected" in answer.out


def test_files_that_agents_share_are_told_once(cli: Cli, person: Path) -> None:
    """As they are placed once and taken out once."""
    everywhere(person)
    folder = f"{person}/.agents/skills"
    for verb, told in (("install", "placed"), ("uninstall", "taken out")):
        for words in (("--dry-run",), ()):
            assert cli.fine(verb, "all", *words).out.count(f"{folder}: 4 files {told}") == 1


def test_what_is_wrong_again_is_not_said_to_be_right(cli: Cli, person: Path) -> None:
    """The first time the rest was done; the second time there is nothing left but what has to be mended."""
    put(person / ".claude/settings.json", '{"model": "opus", "hooks": [')
    assert "done, but for what is said above" in cli("install", "claude-code").out
    answer = cli("install", "claude-code")
    assert answer.code == 1 and "as it should be" not in answer.out and "nothing was changed" in answer.out
    assert "mend that and run this again" in answer.out


def test_a_file_of_another_kind_is_told_what_it_should_be(cli: Cli, person: Path) -> None:
    """In words that somebody understands who has never heard of us."""
    put(person / ".claude/settings.json", "[]")
    assert "the file should be a JSON object, { … }" in cli("install", "claude-code").out


def test_a_status_line_is_set_where_there_is_none(cli: Cli, person: Path) -> None:
    """And goes again, with the file that was made for it."""
    cli.fine("install", "claude-code")
    file = person / ".claude/settings.json"
    assert json.loads(file.read_text())["statusLine"]["command"] == f"{person}/.local/bin/treering statusline"
    cli.fine("uninstall", "claude-code")
    assert not file.exists()


def test_a_status_line_of_somebody_else_stays(cli: Cli, person: Path) -> None:
    """Installed, installed again, and taken out."""
    own = {"statusLine": {"type": "command", "command": "my-line"}}
    put(person / ".claude/settings.json", json.dumps(own))
    before = tree(person)
    for _ in range(2):
        cli.fine("install", "claude-code")
        assert json.loads((person / ".claude/settings.json").read_text())["statusLine"] == own["statusLine"]
    cli.fine("uninstall", "claude-code")
    assert not changed(before, tree(person))


def test_a_status_line_that_was_changed_since_stays(cli: Cli, person: Path) -> None:
    """It is the user's now."""
    cli.fine("install", "claude-code")
    file = person / ".claude/settings.json"
    value = json.loads(file.read_text())
    value["statusLine"] = {"type": "command", "command": "my-line"}
    file.write_text(json.dumps(value))
    cli.fine("uninstall", "claude-code")
    assert json.loads(file.read_text()) == {"statusLine": value["statusLine"]}
