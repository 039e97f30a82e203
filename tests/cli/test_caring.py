"""Commands that look after the store, and the tab key."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from tests.cli.driving import Cli, Program
from treering.cli.commands import COMMANDS, Command
from treering.cli.completion import SCRIPTS, candidates


def spoil(home: Path, sql: str) -> None:
    """Change a store behind its back."""
    db = apsw.Connection(str(home / "treering.db"))
    db.execute(sql)
    db.close()


def test_verify_says_what_it_checked(cli: Cli) -> None:
    """And that all is well."""
    cli.remember("x")
    assert cli.fine("verify").out == "checked 1 event of 1 writer, 1 memory and the indexes\nall is well\n"
    found = cli.fine("verify", "--json").json
    assert (found["events"], found["clean"], found["problems"]) == (1, True, [])


def test_verify_lists_every_problem_and_fails(cli: Cli, home: Path) -> None:
    """A memory that its events do not explain is found, and `rebuild` cures it."""
    cli.remember("one")
    cli.remember("two")
    spoil(home, "UPDATE memories SET scope = 'session'")
    result = cli("verify")
    assert result.code == 1 and result.out.count("differs from what its events say") == 2
    assert result.out.endswith("2 problems\n")
    assert len(cli("verify", "--json").json["problems"]) == 2
    assert cli.fine("rebuild").out == "rebuilt from 2 events\n"
    assert cli.fine("verify").code == 0


def test_rebuild_counts_the_events(cli: Cli) -> None:
    """For programs too."""
    cli.remember("x")
    assert cli.fine("rebuild", "--json").json == {"events": 1}


@pytest.mark.parametrize("command", ["verify", "rebuild", "doctor"])
def test_what_looks_at_the_present_refuses_a_view_of_the_past(cli: Cli, command: str) -> None:
    """Rather than to look at something else than was meant."""
    result = cli(command, "--as-of", "2026-05-01")
    assert result.code == 2 and "leave out --as-of" in result.err


def test_the_doctor_says_what_it_found(cli: Cli, home: Path) -> None:
    """A line for each thing, and 1 as the code when one of them fails."""
    cli.remember("x")
    assert "contents" in cli.fine("doctor").out
    assert {finding["level"] for finding in cli.fine("doctor", "--json").json} <= {"ok", "warn"}
    home.chmod(0o755)
    result = cli("doctor")
    assert result.code == 1 and f"chmod 700 {home}" in result.out


def test_help_lists_every_command(cli: Cli) -> None:
    """With nothing, with --help, and with `help`, all the same."""
    out = cli.fine().out
    assert out == cli.fine("--help").out == cli.fine("help").out
    assert all(f"  {command.name} " in out for command in COMMANDS)
    assert "complete " not in out


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help_about_a_command_has_all_of_it(cli: Cli, command: Command) -> None:
    """Usage, options and examples; for programs too."""
    out = cli.fine("help", command.name).out
    assert out.startswith(f"usage: treering {command.name}")
    assert all(option.flags[0] in out for option in command.options)
    assert all(example in out for example in command.examples)
    assert out == cli.fine(command.name, "--help").out
    assert cli.fine("help", command.name, "--json").json["name"] == command.name


def test_the_version_is_told(cli: Cli) -> None:
    """As a line, and as JSON."""
    assert cli.fine("--version").out == "treering 0.1.0\n"
    assert cli.fine("--version", "--json").json == {"version": "0.1.0"}


def values(*before: str, current: str = "") -> list[str]:
    return [value for value, _ in candidates(list(before), current)]


def test_commands_complete() -> None:
    """Those that begin with what is there."""
    assert values(current="re") == [
        "remember",
        "recall",
        "restore",
        "revoke",
        "resolve",
        "reflect",
        "reflect",
        "rebuild",
    ]
    assert "complete" not in values()
    assert values("help", current="ver") == ["verify"]
    assert values("--home", "x", current="rem") == ["remember"]


def test_options_complete() -> None:
    """Those of the command and those of all commands."""
    assert values("recall", "x", current="--") == [
        "--home",
        "--space",
        "--as-of",
        "--json",
        "--help",
        "--project",
        "--session",
        "--type",
        "--scope",
        "--since",
        "--until",
        "--strategy",
        "--budget",
        "--superseded",
        "--retired",
        "--explain",
        "--unsure",
        "--no-log",
    ]
    assert values("remember", current="--ty") == ["--type"]
    assert values("remember", "--", current="--ty") == []


def test_choices_complete() -> None:
    """Behind a space, behind a = as one word, and behind a = as bash cuts it up."""
    assert values("remember", "--type", current="pro") == ["procedural"]
    assert values("remember", current="--type=pro") == ["--type=procedural"]
    assert values("remember", "--type", "=", current="pro") == ["procedural"]
    assert len(values("remember", "--type", current="=")) == 4
    assert values("completion", current="") == ["bash", "zsh", "fish"]
    assert values("list", "--tag", current="") == []


def test_ids_complete(cli: Cli, tmp_path: Path) -> None:
    """Memories where a memory is wanted, forgotten ones where only those can be, events for an undo."""
    first, second = cli.remember("one"), cli.remember("two")
    cli.fine("forget", first)
    assert values("show") == [second]
    assert values("restore") == [first]
    assert len(values("undo")) == 3
    assert values("forget", first) == [second]
    assert values("show", second) == []
    assert values("show", "--home", str(tmp_path / "none")) == []
    assert not (tmp_path / "none").exists()
    assert cli.fine("complete", "--", "show", "").out == f"{second}\ttwo\n"


def test_bash_completes_with_the_script(cli: Cli, program: Program) -> None:
    """A real bash, with the words as it cuts them up."""
    id = cli.remember("one")

    def complete(*words: str) -> list[str]:
        line = " ".join(f"'{word}'" for word in words)
        return program.shell(
            f'eval "$(treering completion bash)"; COMP_WORDS=(treering {line}); COMP_CWORD={len(words)}; '
            '_treering; printf "%s\\n" "${COMPREPLY[@]}"'
        ).out.split()

    assert complete("rem") == ["remember"]
    assert complete("show", "") == [id]
    assert complete("list", "--type", "=", "work") == ["working"]
    assert complete("list", "--sc") == ["--scope"]
    assert complete("import", "") == []
    assert "_treering" in program.shell('eval "$(treering completion bash)"; complete -p treering').out


def test_every_shell_has_a_script_and_others_are_named(cli: Cli) -> None:
    """bash, zsh and fish."""
    for shell in SCRIPTS:
        assert "treering complete --" in cli.fine("completion", shell).out
        assert cli.fine("completion", shell, "--json").json["shell"] == shell
    assert "choose bash, zsh, fish" in cli("completion", "tcsh").err
