"""The table of commands, and the pages that are made from it."""

from __future__ import annotations

import io
import shlex
import shutil
from pathlib import Path

import pytest

import treering
from tests.cli.driving import Cli
from tests.cli.growth import idle, worn
from tests.cli.signals import ROUTE, SKILL, signalled, transcript
from tests.cli.stories import related, storied
from treering.cli.commands import COMMANDS, HIDDEN, Command
from treering.cli.parse import parse
from treering.cli.reference import ENVELOPE, PAGES
from treering.core.events import Event
from treering.core.schemas import ABOUT, SCHEMAS
from treering.hook.acting import act

DOCS = Path(__file__).parents[2] / "docs"
# Their examples are alternatives to each other: a decision is made once. Each is tried on a store of its own.
ALTERNATIVES = ("supersede", "resolve", "confirm")
# These are about a recall.
JUDGED = ("feedback", "outcome", "observe", "usage")
# And these about proposals, whose ids nobody can choose: the manual's stand for those of a store made for it.
PROPOSED = ("mine", "analyze", "list", "show", "accept", "reject", "review", "promote", "log")
IDS = {"skill-2537cb787a": SKILL, "skill-25": SKILL, "route-13d976a554": ROUTE}
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
            program, *words = _words(example)
            assert program == "treering"
            assert parse(words).command == command


def _words(example: str) -> list[str]:
    """Of the part before a pipe: what stands behind it is another program's."""
    return shlex.split(example.partition(" | ")[0])


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_the_examples_work_one_after_another(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    """Somebody who types the manual from top to bottom meets no error, and with --json gets JSON."""
    monkeypatch.chdir(tmp_path)
    _write_documents(tmp_path)
    for number, example in enumerate(EXAMPLES):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"from standard input")))
        words = _words(example)[1:]
        if words[0] == "mcp":
            continue  # serves until its agent ends: tests/mcp runs it
        if words == ["export"] and options:
            continue  # it is JSON Lines whatever is asked for
        home = _home(example.split()[1:3], tmp_path / str(number))
        words = [_known(cli, word, home) for word in words]
        _clear(tmp_path)
        result = cli(*words, *home, *(option for option in options if option not in words))
        assert result.code == 0, (example, result.err)
        assert not options or result.json is not None


def _known(cli: Cli, word: str, home: tuple[str, ...]) -> str:
    """A word of the manual; the id of a proposal, and the name of a group, as they are in a store."""
    if word == "group-1f":
        return str(cli.fine("consolidate", "next", "--json", *home).json["group"])[: len(word)]
    if word not in IDS:
        return word
    (id,) = [one["id"] for one in cli.fine("evolve", "list", "--json", *home).json if one["type"] == IDS[word]]
    return str(id)[: len(word)]


def _clear(folder: Path) -> None:
    """Take away what the example before has written, as each has a store of its own."""
    for base in (folder, folder / "person" / "app"):
        for name in ("skills", "rules", ".treering"):
            shutil.rmtree(base / name, ignore_errors=True)
    for place, skill in (("skills", "deploy-staging"), (".treering/drafts", "fix-flaky-login")):
        (folder / place / skill).mkdir(parents=True)
        text = f"---\nname: {skill}\ndescription: Use to deploy to staging.\n---\n\nMake it.\n"
        (folder / place / skill / "SKILL.md").write_text(text)


def _write_documents(folder: Path) -> None:
    (folder / "docs").mkdir()
    (folder / "docs" / "deploy.md").write_text("# Deploy\n\n- Deploys go out on Fridays.\n")
    (folder / "README.md").write_text("# Shop\n\nThe shop sells rings of trees.\n")
    transcript(folder / "session.jsonl", "monday")
    plain = "".join(letter if letter.isalnum() else "-" for letter in str(folder))
    for made in (folder / "person" / "app", folder / "person" / ".claude" / "projects" / plain):
        made.mkdir(parents=True)
    notes = folder / "person" / ".claude" / "projects" / plain / "memory"
    notes.mkdir()
    (notes / "MEMORY.md").write_text("- Deploys go out on Fridays\n")


def _captured(home: Path) -> tuple[str, ...]:
    """A store that kept something of a session by itself."""
    payload = {"session_id": "monday", "cwd": "", "prompt": "Remember that the red door is locked at night."}
    treering.open(home).close()
    act("UserPromptSubmit", payload, "claude-code", str(home), {}, 1_790_000_000_000_000)
    return ("--home", str(home))


def _home(words: list[str], home: Path) -> tuple[str, ...]:
    """A store in which the numbers of an example mean something, if they have to."""
    if words[0] == "evolve" and words[1] in PROPOSED:
        return _proposed(home)
    if words[0] == "evolve":
        return (idle if words[1] in ("archive", "induce") else worn)(home)
    if words[0] == "captured":
        return _captured(home)
    if words[0] == "graph":
        return related(home)
    if words[:2] in (["consolidate", "next"], ["consolidate", "submit"], ["consolidate", "dismiss"]):
        return storied(home)
    if words[0] in JUDGED:
        return worn(home)
    return _stocked(home) if words[0] in ALTERNATIVES else ()


def _proposed(home: Path) -> tuple[str, ...]:
    """A store with a skill and an entry for the routing that wait for somebody."""
    signalled(home)
    with treering.open(home, actor="user") as memory:
        memory.analyze()
    return "--home", str(home)


def _stocked(home: Path) -> tuple[str, ...]:
    """A store in which the numbers of the manual mean something: memories 3, 4 and 7, and a contradiction 9."""
    with treering.open(home, actor="user") as memory:
        for number, tree in enumerate(("oak", "elm", "ash", "yew", "fir", "may"), 1):
            memory.remember(f"the {tree} grows here", invariant=number == 4)
        memory.remember("The lock timeout of migrations is 5 s")
        memory.remember("The lock timeout of migrations is 30 s")
        (found,) = memory.contradictions()
        assert found.id.endswith("-9")
    return "--home", str(home)


@pytest.mark.parametrize("name", PAGES)
def test_the_generated_pages_are_up_to_date(name: str) -> None:
    """`make docs` writes them."""
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name]()


def test_the_events_page_names_every_field() -> None:
    """The envelope is described as it is, and every event has a sentence."""
    assert tuple(ENVELOPE) == Event._fields
    assert ABOUT.keys() == SCHEMAS.keys()
