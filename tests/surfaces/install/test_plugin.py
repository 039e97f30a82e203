"""The plugin says what is true: its commands exist, its tools exist, and every reader takes its files."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from skills_ref.validator import validate  # type: ignore[import-untyped]

import treering
from tests.surfaces.cli.driving import Cli, parsed
from treering.skills.rules import is_skill_name
from treering.surfaces.install.agents import Setting, by_name
from treering.surfaces.install.files import PLUGIN
from treering.surfaces.install.scripts import Programs
from treering.surfaces.mcp.tools import TOOLS

ROOT = Path(PLUGIN)
PAGES = sorted(ROOT.rglob("*.md"))
SKILLS = sorted((ROOT / "skills").iterdir())
META = ("learning-from-experience", "skill-creation", "skill-editing")


def lines(page: Path) -> list[str]:
    """Each command line of ours, in a block or between two ticks."""
    text = page.read_text()
    spans = [row.strip() for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for row in block.splitlines()]
    spans += re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    return [span for span in spans if span.split()[:1] == ["treering"]]


def read(name: str) -> Any:
    return json.loads((ROOT / name).read_text())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_a_page_names_is_one(page: Path) -> None:
    """It is parsed, with its options."""
    found = lines(page)
    assert found
    for line in found:
        program, *rest = shlex.split(line)
        assert program == "treering" and parsed(*rest).command, line


def test_every_tool_that_a_page_names_is_one() -> None:
    """Names with an underscore between ticks are tools, or what a command line says."""
    known = {tool.name for tool in TOOLS}
    other = {"partially_helpful", "not_helpful", "low_q"}
    named = {word for page in PAGES for word in re.findall(r"`([a-z]+_[a-z_]+)`", page.read_text())}
    assert named - other <= known and len(named & known) > 12


@pytest.mark.parametrize("folder", SKILLS, ids=lambda folder: folder.name)
def test_every_skill_passes_the_validator_of_the_specification(folder: Path) -> None:
    """No field that a strict reader refuses, and short enough to be read."""
    assert validate(folder) == []
    assert len((folder / "SKILL.md").read_text().splitlines()) < 500


def test_the_skills_are_those_that_were_promised() -> None:
    """One for use on request, and the three that an evolving agent reads first."""
    assert [folder.name for folder in SKILLS] == sorted(("self-evolving-memory", *META))


def test_agents_and_commands_say_what_they_are_for() -> None:
    """What stands above their text can be read, and is kept to what Claude Code knows."""
    known = {"description", "argument-hint", "allowed-tools", "name", "model", "color", "tools"}
    for page in (*(ROOT / "agents").iterdir(), *(ROOT / "commands").iterdir()):
        head = page.read_text().split("---\n")[1]
        keys = [row.partition(":")[0] for row in head.splitlines() if row[0] != " "]
        assert set(keys) <= known and "description" in keys
    consolidator = (ROOT / "agents/memory-consolidator.md").read_text().split("---\n")[1]
    assert "name: memory-consolidator\n" in consolidator and "model: inherit\ncolor: yellow\n" in consolidator
    assert 'tools: ["Read", "Bash", "Grep"]\n' in consolidator


def test_the_commands_are_those_that_were_promised() -> None:
    """Four, and the first has four words of its own."""
    names = sorted(page.stem for page in (ROOT / "commands").iterdir())
    assert names == ["evolve", "memory", "memory-consolidate", "memory-evolve"]
    text = (ROOT / "commands/memory.md").read_text()
    assert all(f"**{word}**" in text for word in ("remember", "recall", "hygiene", "index"))


def test_the_consolidator_has_its_seven_responsibilities() -> None:
    """In the order of a run."""
    text = (ROOT / "agents/memory-consolidator.md").read_text()
    assert re.findall(r"^(\d)\. \*\*", text, re.MULTILINE) == [*"1234567"]


@pytest.mark.parametrize(
    ("agent", "file"),
    [
        ("claude-code", "hooks/hooks.json"),
        ("codex", "codex/hooks/hooks.json"),
        ("gemini", "gemini/hooks/hooks.json"),
    ],
)
def test_its_hooks_are_those_that_install_writes(agent: str, file: str) -> None:
    """By the bare name, as a plugin knows no path."""
    setting = Setting("/home/u", {}, Programs("treering", "treering-hook"), windows=False)
    settings, *_ = by_name(agent).targets(setting, "/home/u/.agent")
    wanted: dict[str, list[Any]] = {}
    for hook in settings.wanted.hooks:
        wanted.setdefault(hook.event, []).append(hook.value)
    assert read(file)["hooks"] == wanted


def test_its_servers_are_those_that_install_writes() -> None:
    """For Claude Code with all tools, for Gemini CLI with those of every day."""
    setting = Setting("/home/u", {}, Programs("treering", "treering-hook"), windows=False)
    _, claude = by_name("claude-code").targets(setting, "/home/u/.claude")
    (gemini,) = by_name("gemini").targets(setting, "/home/u/.gemini")
    assert read(".mcp.json")["mcpServers"]["treering"] == claude.wanted.fields[0].value
    assert read("gemini/gemini-extension.json")["mcpServers"]["treering"] == gemini.wanted.fields[0].value


def test_every_manifest_has_one_name_and_one_version() -> None:
    """Of Claude Code, Codex, Gemini CLI, Agent Plugins, and the list of MCP servers."""
    manifests = (
        ".claude-plugin/plugin.json",
        "codex/.codex-plugin/plugin.json",
        "plugin.json",
        "gemini/gemini-extension.json",
    )
    assert {(read(one)["name"], read(one)["version"]) for one in manifests} == {("treering", treering.__version__)}
    server = read("server.json")
    (package,) = server["packages"]
    assert server["version"] == package["version"] == treering.__version__ and package["identifier"] == "treering"
    assert len(server["description"]) <= 100, "longer ones are refused"
    assert "registryBaseUrl" not in package


def test_the_files_that_a_manifest_names_are_there() -> None:
    """Codex looks for what its marketplace and its manifest say."""
    (entry,) = read(".agents/plugins/marketplace.json")["plugins"]
    folder = ROOT / entry["source"]["path"]
    manifest = json.loads((folder / ".codex-plugin/plugin.json").read_text())
    assert all((folder / manifest[name]).is_file() for name in ("mcpServers", "hooks"))


def test_its_manifests_are_complete_and_of_this_version() -> None:
    """Of Claude Code, of a marketplace that is the folder itself, and of Agent Plugins, which takes no other fields."""
    own, shared, market = (
        read(".claude-plugin/plugin.json"),
        read("plugin.json"),
        read(".claude-plugin/marketplace.json"),
    )
    assert own["name"] == shared["name"] == market["name"] == market["plugins"][0]["name"] == "treering"
    assert own["version"] == shared["version"] == treering.__version__
    assert is_skill_name(own["name"]) and market["owner"]["name"] and market["plugins"][0]["source"] == "./"
    allowed = {"$schema", "name", "version", "description", "author", "homepage", "repository", "license", "keywords"}
    assert set(shared) <= allowed and shared["$schema"].endswith("/1.0.0/plugin.schema.json")
    assert "hooks" not in own, "which are loaded anyway, and would run twice"
    servers = read("mcp.json")
    assert set(servers) == {"$schema", "mcpServers"} and servers["$schema"].endswith("/1.0.0/mcp.schema.json")
    assert set(servers["mcpServers"]["treering"]) <= {"type", "command", "args", "env", "cwd"}


def test_the_folder_is_printed(cli: Cli) -> None:
    """And has the manifest in it."""
    path = Path(cli.fine("plugin-path").out.strip())
    assert (path / ".claude-plugin/plugin.json").is_file()


def test_what_is_placed_for_claude_code_has_no_hooks_of_its_own(cli: Cli, person: Path) -> None:
    """They are in the settings, and would run twice."""
    cli.fine("install", "claude-code")
    placed = person / ".claude/skills/treering"
    names = {str(path.relative_to(placed)) for path in placed.rglob("*") if path.is_file()}
    assert ".claude-plugin/plugin.json" in names and "skills/skill-editing/SKILL.md" in names
    assert not {"hooks/hooks.json", ".mcp.json", "mcp.json", "plugin.json"} & names


def test_what_is_placed_finds_the_program_without_a_path(cli: Cli, person: Path) -> None:
    """Every command that a page shows or may run has the path that the hooks have, and is taken out again."""
    cli.fine("install", "claude-code")
    placed = person / ".claude/skills/treering"
    program = str(person / ".local/bin/treering")
    for page in placed.rglob("*.md"):
        text = page.read_text()
        assert program in text and not re.search(r"(?m)(^ *|`|Bash\()treering [a-z]", text), page
    assert f"Bash({program} evolve stats:*)" in (placed / "commands/memory-evolve.md").read_text()
    cli.fine("uninstall", "claude-code")
    assert not placed.exists()
