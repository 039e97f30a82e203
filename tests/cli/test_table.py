"""The table of commands, and the pages that are made from it."""

from __future__ import annotations

import io
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.cli.driving import Cli
from treering.cli.commands import COMMANDS, HIDDEN, Command
from treering.cli.parse import parse
from treering.cli.reference import ENVELOPE, PAGES
from treering.core.events import ABOUT, SCHEMAS, Event

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = [example for command in COMMANDS for example in command.examples]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_is_documented(command: Command) -> None:
    """A command without a summary, a group or an example fails the build."""
    assert command.summary and command.group and command.examples
    assert all(option.about for option in command.options)
    assert all(argument.about for argument in command.arguments)


@pytest.mark.parametrize("command", [*COMMANDS, *HIDDEN], ids=lambda command: command.name)
def test_every_command_has_a_function(command: Command) -> None:
    """What the table names is there to run."""
    module, _, name = command.run.partition(":")
    assert callable(getattr(__import__(f"treering.cli.{module}", fromlist=[name]), name))


def test_every_example_is_a_command_line_of_its_command() -> None:
    """No example is out of date."""
    for command in COMMANDS:
        for example in command.examples:
            program, *words = shlex.split(example)
            assert program == "treering"
            assert parse(words).command == command


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_the_examples_work_one_after_another(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    """Somebody who types the manual from top to bottom meets no error, and with --json gets JSON."""
    monkeypatch.chdir(tmp_path)
    for example in EXAMPLES:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"from standard input")))
        words = shlex.split(example)[1:]
        if words == ["export"] and options:
            continue  # it is JSON Lines whatever is asked for
        result = cli(*words, *(option for option in options if option not in words))
        assert result.code == 0, (example, result.err)
        assert not options or result.json is not None


@pytest.mark.parametrize("name", PAGES)
def test_the_generated_pages_are_up_to_date(name: str) -> None:
    """`make docs` writes them."""
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name]()


def test_the_events_page_names_every_field() -> None:
    """The envelope is described as it is, and every event has a sentence."""
    assert tuple(ENVELOPE) == Event._fields
    assert ABOUT.keys() == SCHEMAS.keys()
