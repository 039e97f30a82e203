"""Files stay whole, private and where they are, whatever happens while they are written."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.surfaces.cli.driving import START, Cli
from tests.surfaces.install.tree import put, tree
from treering.surfaces.install import files

SETTINGS = '{\n  "model": "opus", // the best\n}\n'


class Killed(BaseException):
    """As if the process had been killed."""


def test_modes_and_links_stay(cli: Cli, person: Path) -> None:
    """Settings that are kept in another folder stay there, and a private file stays private."""
    file = put(person / "dotfiles/settings.json", SETTINGS)
    file.chmod(0o640)
    (person / ".claude").mkdir()
    (person / ".claude/settings.json").symlink_to(file)
    private = put(person / ".claude.json", "{}")
    private.chmod(0o600)
    cli.fine("install", "claude-code")
    assert (person / ".claude/settings.json").is_symlink() and "treering-hook" in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640 and stat.S_IMODE(private.stat().st_mode) == 0o600
    assert stat.S_IMODE((person / ".claude.json.before-treering").stat().st_mode) == 0o600
    cli.fine("uninstall", "claude-code")
    assert (person / ".claude/settings.json").is_symlink() and file.read_text() == SETTINGS


def test_a_read_only_file_is_left_alone_and_said_so(cli: Cli, person: Path) -> None:
    """Its other file is done."""
    file = put(person / ".claude/settings.json", SETTINGS)
    file.chmod(0o444)
    answer = cli("install", "claude-code")
    assert answer.code == 1 and "read-only" in answer.out and file.read_text() == SETTINGS
    assert (person / ".claude.json").exists()


def test_a_folder_that_cannot_be_written_is_said_so(cli: Cli, person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a file is in the place of a folder, and where the system allows nothing."""
    put(person / "codex", "a file")
    monkeypatch.setenv("CODEX_HOME", str(person / "codex" / "below"))
    answer = cli("install", "codex")
    assert answer.code == 1 and "cannot be read (Not a directory)" in answer.out
    monkeypatch.setenv("COPILOT_HOME", "/proc/treering")
    answer = cli("install", "copilot")
    assert answer.code == 1 and "/proc/treering" in answer.out + answer.err


@pytest.mark.parametrize("deed", range(1, 40))
def test_a_kill_at_any_moment_leaves_each_file_whole(
    deed: int, cli: Cli, person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before or after each rename. Uninstalling brings everything back; so does installing, then uninstalling."""
    put(person / ".claude/settings.json", SETTINGS)
    put(person / ".claude.json", '{"a":1}')
    before = tree(person)
    count, replace = 0, os.replace

    def killed(source: str, target: str) -> None:
        nonlocal count
        count += 1
        if count * 2 - 1 == deed:
            raise Killed
        replace(source, target)
        if count * 2 == deed:
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killed)
        with suppress(Killed):
            cli("install", "claude-code")
    for name in (".claude/settings.json", ".claude.json"):
        now = (person / name).read_bytes()
        assert now == before[name] or (b"treering" in now and now.endswith((b"}\n", b"}")))
    if deed % 3:
        cli.fine("install", "claude-code")
        assert cli.fine("status").code == 0
    cli.fine("uninstall", "claude-code")
    assert tree(person) == before


def test_two_at_once_end_as_one(person: Path) -> None:
    """Real processes, three agents, twice each."""
    for name in (".claude", ".codex", ".gemini"):
        put(person / name / "keep", "")
    put(person / ".claude/settings.json", SETTINGS)
    before = tree(person)
    environment = {"HOME": str(person), "PATH": str(person / ".local/bin")}
    start = f"import sys; sys.argv[0] = '{person}/.local/bin/treering'; {START}"
    for words in (("install", "all"), ("uninstall", "all")):
        command = [sys.executable, "-c", start, *words]
        running = [
            subprocess.Popen(
                command, env=environment, cwd=person / "work", stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            for _ in range(4)
        ]
        for one in running:
            out, _ = one.communicate(timeout=300)
            assert one.returncode == 0, out
        if words[0] == "install":
            entries = json.loads((person / ".codex/hooks.json").read_text())["hooks"]
            assert sum(len(groups) for groups in entries.values()) == 8
    assert tree(person) == before


def test_a_file_that_changes_at_the_same_moment_is_planned_anew(
    cli: Cli, person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the other program wrote is not lost."""
    file = put(person / ".claude.json", '{"numStartups": 1}')
    read, times = files.read, 0

    def meanwhile(path: str) -> bytes | None:
        nonlocal times
        times += path == str(file)
        if times == 3 and path == str(file):
            file.write_text('{"numStartups": 2}')
        return read(path)

    monkeypatch.setattr(files, "read", meanwhile)
    cli.fine("install", "claude-code")
    value = json.loads(file.read_text())
    assert value["numStartups"] == 2 and "treering" in value["mcpServers"]
