"""Whatever shape settings are in: what is installed is there, and uninstalling leaves each byte as it was."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.surfaces.cli.driving import Cli
from tests.surfaces.install.shapes import BROKEN, HOOKED, SERVED, TABLED
from tests.surfaces.install.tree import put, tree
from treering.surfaces.install.entries import mark_of
from treering.surfaces.install.jsonc import plain, read

HOOKS = 9  # of Claude Code: one for each event

CASES = [
    *((".claude/settings.json", "claude-code", text) for text in HOOKED.values()),
    *((".claude.json", "claude-code", text) for text in SERVED.values()),
    *((".codex/config.toml", "codex", text) for text in TABLED.values()),
]
# The same shapes in the files of other agents: some of them in `make test`.
OTHERS = [
    *((".codex/hooks.json", "codex", text) for text in HOOKED.values()),
    *((".gemini/settings.json", "gemini", text) for text in (*HOOKED.values(), *SERVED.values())),
    *((".cursor/hooks.json", "cursor", text) for text in HOOKED.values()),
    *((".cursor/mcp.json", "cursor", text) for text in SERVED.values()),
    *((".copilot/mcp-config.json", "copilot", text) for text in SERVED.values()),
]


@pytest.mark.parametrize(
    ("path", "agent", "text"),
    [*CASES, *OTHERS[::9], *(pytest.param(*case, marks=pytest.mark.long) for case in OTHERS)],
)
def test_uninstalling_leaves_every_byte_as_it_was(path: str, agent: str, text: str, cli: Cli, person: Path) -> None:
    """And installing again, or twice, changes nothing."""
    file = put(person / path, text)
    before = tree(person)
    cli.fine("install", agent)
    first = tree(person)
    assert file.read_bytes() != text.encode() and Path(f"{file}.before-treering").read_bytes() == text.encode()
    cli.fine("install", agent)
    assert tree(person) == first
    cli.fine("uninstall", agent)
    assert tree(person) == before


def test_there_are_at_least_fifty_shapes() -> None:
    """All different."""
    assert len({*HOOKED.values(), *SERVED.values(), *TABLED.values()}) >= 50


@pytest.mark.parametrize("text", HOOKED.values(), ids=HOOKED)
def test_nothing_but_our_hooks_and_status_line_is_added(text: str, cli: Cli, person: Path) -> None:
    """Each event has ours behind those of others, which stay as they were, as does everything else."""
    file = put(person / ".claude/settings.json", text)
    cli.fine("install", "claude-code")
    before, after = plain(read(text)) or {}, plain(read(file.read_text()))
    ours = 0
    for event, groups in after["hooks"].items():
        there = (before.get("hooks") or {}).get(event, [])
        assert groups[: len(there)] == there
        entries = [entry for group in groups[len(there) :] for entry in group["hooks"]]
        assert all(mark_of(entry) == event for entry in entries)
        ours += len(entries)
    assert ours == HOOKS
    line = before.get("statusLine") or after["statusLine"]
    assert {**after, "hooks": 0} == {**before, "hooks": 0, "statusLine": line}


@pytest.mark.parametrize("text", HOOKED.values(), ids=HOOKED)
def test_out_of_a_file_that_was_edited_only_ours_goes(text: str, cli: Cli, person: Path) -> None:
    """Somebody has added a line above everything: what is left is what they would have without us."""
    file = put(person / ".claude/settings.json", text)
    cli.fine("install", "claude-code")
    file.write_bytes(b"// edited\n" + file.read_bytes().removeprefix("\ufeff".encode()))
    cli.fine("uninstall", "claude-code")
    left = file.read_text() if file.exists() else ""
    assert "treering" not in left
    meant = plain(read(text)) or {}
    assert (plain(read(left)) or {}) == ({k: v for k, v in meant.items() if v is not None or k != "hooks"})


@pytest.mark.parametrize("text", TABLED.values(), ids=TABLED)
def test_the_server_is_in_the_table_and_nothing_else_has_changed(text: str, cli: Cli, person: Path) -> None:
    """As a reader of TOML sees it, also after an edit and when it is out again."""
    file = put(person / ".codex/config.toml", text)
    before = tomllib.loads(text.removeprefix("\ufeff"))
    cli.fine("install", "codex")
    after = tomllib.loads(file.read_bytes().decode().removeprefix("\ufeff"))
    server = after["mcp_servers"].pop("treering")
    assert server == {"command": str(person / ".local/bin/treering"), "args": ["mcp"]}
    assert {**after, "mcp_servers": after["mcp_servers"] or before.get("mcp_servers")} == {
        **before,
        "mcp_servers": before.get("mcp_servers"),
    }
    file.write_bytes(file.read_bytes().removeprefix("\ufeff".encode()) + b"\n# edited\n")
    cli.fine("uninstall", "codex")
    assert tomllib.loads(file.read_bytes().decode()) == before and file.read_bytes().endswith(b"# edited\n")


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_understood_is_left_alone(text: str, cli: Cli, person: Path) -> None:
    """With what to add by hand, which is JSON; the other file of the agent is done."""
    file = put(person / ".claude/settings.json", text)
    answer = cli("install", "claude-code")
    assert answer.code == 1 and "is left alone" in answer.out
    assert file.read_bytes() == text.encode() and list(file.parent.glob("settings.json*")) == [file]
    paste = answer.out.partition("add this by hand:\n")[2].partition("\n  /")[0]
    lines = [line for line in paste.split("\n") if line.startswith("    ")]
    assert len(json.loads("\n".join(lines))["hooks"]) == HOOKS
    assert "treering" in (person / ".claude.json").read_text()


def test_what_is_no_toml_is_left_alone(cli: Cli, person: Path) -> None:
    """With the table to add by hand."""
    file = put(person / ".codex/config.toml", "model = gpt-5\n")
    answer = cli("install", "codex")
    assert answer.code == 1 and "[mcp_servers.treering]" in answer.out and file.read_text() == "model = gpt-5\n"


def test_what_is_no_utf_8_is_left_alone(cli: Cli, person: Path) -> None:
    """Nor is UTF-16, of which Windows is fond."""
    file = person / ".claude/settings.json"
    file.parent.mkdir()
    file.write_bytes('{"a": "ü"}'.encode("utf-16"))
    answer = cli("install", "claude-code")
    assert answer.code == 1 and "not UTF-8" in answer.out and file.read_bytes() == '{"a": "ü"}'.encode("utf-16")
