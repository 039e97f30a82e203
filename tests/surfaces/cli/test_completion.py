"""The tab key: what it offers, and that a real shell gets it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.cli.driving import Cli, Program, completed
from tests.surfaces.cli.signals import ROUTE, SKILL
from treering.surfaces.cli.app import leaves, started
from treering.surfaces.cli.complete import _BELOW, _LISTED, Known
from treering.surfaces.cli.store import SHELLS


def values(*before: str, current: str = "") -> list[str]:
    return [value for value, _ in completed(before, current)]


def test_commands_options_and_words_complete() -> None:
    """Those that begin with what is there; other names are understood and not offered."""
    assert values(current="re") == ["rebuild", "recall", "remember", "restore", "restore-from", "review"]
    assert values("--home", "x", current="rem") == ["remember"]
    assert values("vault") == ["check", "read", "write"]
    assert values("remember", current="--ty") == ["--type"]
    assert values("remember", "--type", current="pro") == ["procedural"]
    assert values("completion") == [*SHELLS]
    assert values("feedback", "last", "3", current="n") == ["not_helpful"]
    assert values("evolve", "try") == ["deprecate", "refine", "merge", "archive", "induce"]
    assert values("evolve", "list", "--status", current="ap") == ["applied"]
    assert values("install", current="c") == ["claude-code", "codex", "cursor", "copilot"]
    assert values("maintain", "--only", current="t") == ["transcripts", "to_project", "to_user", "tune"]


def test_settings_and_their_values_complete() -> None:
    assert values("config", "get", current="dec") == ["decay"]
    assert values("config", "set", "decay", current="") == ["half-life", "age", "sessions"]
    assert values("config", "set", "learn_terms") == ["true", "false"]
    assert "llm_key" not in values("config", "set", current="llm")


def test_ids_projects_and_sessions_complete(cli: Cli, tmp_path: Path) -> None:
    """Memories where a memory is wanted, forgotten ones where only those can be, events for an undo."""
    first, second = cli.remember("one"), cli.remember("two", "--project", "shop", "--session", "monday")
    cli.fine("forget", first)
    assert completed(["show"]) == [(second, "two")] and values("history") == [second]
    assert values("restore") == [first]
    assert len(values("undo")) == 3
    assert values("list", "--project") == ["shop"] and values("undo", "--session") == ["monday"]
    assert values("show", "--home", str(tmp_path / "none")) == []
    assert not (tmp_path / "none").exists()


def test_places_of_a_sync_complete(cli: Cli, tmp_path: Path) -> None:
    """By the names that they were given."""
    cli.remember("one")
    cli.fine("sync", "add", str(tmp_path / "stick"), "--name", "usb")
    assert values("sync", "remove") == ["usb"]


def test_proposals_contradictions_and_drafts_complete(desk: Cli, root: Path) -> None:
    """What waits for somebody; a key that is pressed writes nothing."""
    before = desk.fine("log", "--limit", "0", "--json").json
    ids = {one["id"] for one in desk.fine("evolve", "list", "--json").json if one["type"] in (SKILL, ROUTE)}
    assert {*values("review", "accept")} == {*values("evolve", "show")} == ids
    draft = root / ".treering" / "drafts" / "fix-login"
    draft.mkdir(parents=True)
    (draft / "SKILL.md").write_text("x")
    assert values("review", "promote") == ["fix-login"]
    assert desk.fine("log", "--limit", "0", "--json").json == before


def test_whatever_a_command_completes_is_known() -> None:
    """No name leads nowhere."""
    root = started()
    asked = {
        param.type.what
        for hidden in (False, True)
        for command in leaves(root, hidden)
        for param in command.params
        if isinstance(param.type, Known)
    }
    assert asked <= {*_LISTED, *_BELOW}


def test_bash_completes_with_the_script(cli: Cli, program: Program) -> None:
    """A real bash, with the words as it cuts them up."""
    id = cli.remember("one")

    def complete(*words: str) -> list[str]:
        line = " ".join(f"'{word}'" for word in words)
        return program.shell(
            f'eval "$(treering completion bash)"; COMP_WORDS=(treering {line}); COMP_CWORD={len(words)}; '
            '_treering_completion treering; printf "%s\\n" "${COMPREPLY[@]}"'
        ).out.split()

    assert complete("rem") == ["remember"]
    assert complete("show", "") == [id]
    assert complete("list", "--sc") == ["--scope"]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script(cli: Cli, shell: str) -> None:
    assert "_TREERING_COMPLETE" in cli.fine("completion", shell).out
    assert cli.fine("completion", shell, "--json").json["shell"] == shell


def test_a_shell_without_one_is_told_which_have(cli: Cli) -> None:
    result = cli("completion", "powershell")
    assert result.code == 2 and "choose bash, zsh, fish" in result.err
