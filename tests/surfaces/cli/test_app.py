"""The words of a command line: what they mean, what is said when they make no sense, and the manual."""

from __future__ import annotations

import io
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import treering
from tests.surfaces.cli.driving import Cli, parsed
from tests.surfaces.cli.growth import idle, worn
from tests.surfaces.cli.signals import ROUTE, SKILL, signalled, transcript
from tests.surfaces.cli.stories import related, storied
from treering.ledger.events import Event
from treering.ledger.schemas import ABOUT, SCHEMAS
from treering.surfaces.cli.app import SECTIONS, Command, Group, arguments, leaves, meaning, options, started, summary
from treering.surfaces.cli.reference import ENVELOPE, PAGES
from treering.surfaces.hook.act import act

DOCS = Path(__file__).parents[3] / "docs"
ROOT = started()
COMMANDS: list[Command] = [*leaves(ROOT), *leaves(ROOT, hidden=True)]
EXAMPLES = [example for command in COMMANDS for example in command.examples]


class TestWords:
    @pytest.mark.parametrize(
        "words",
        [
            ["--home", "x", "forget", "1", "2", "--reason", "r"],
            ["forget", "--reason=r", "1", "--home=x", "2"],
            ["forget", "1", "2", "--reason", "r", "--home", "y", "--home", "x"],
        ],
    )
    def test_options_stand_anywhere(self, words: list[str]) -> None:
        """Before or after the arguments, and those of every command before or after the command; the last one holds."""
        found = parsed(*words)
        assert (found.params["id"], found.params["reason"]) == (("1", "2"), "r")
        assert found.find_root().obj["home"] == "x"

    @pytest.mark.parametrize("text", ["-", "-5 degrees", "--no-verify skips the hooks", "- a list\n- of things"])
    def test_a_dash_alone_or_a_text_with_spaces_is_an_argument(self, text: str) -> None:
        """No option has a space in its name."""
        assert parsed("remember", text, "--type", "fact").params["text"] == text

    def test_two_dashes_end_the_options(self) -> None:
        assert parsed("remember", "--type", "fact", "--", "--json").params["text"] == "--json"

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["remember", "x", "--tpye", "y"], "unknown option --tpye for remember: did you mean --type?"),
            (["remember", "-x"], "put -- before a text that starts with a dash"),
            (["--hoem", "x", "list"], "did you mean --home?"),
            (["lst"], "unknown command 'lst': did you mean list?"),
            (["qqqqqq"], "unknown command 'qqqqqq': see `treering help`"),
            (["evolve", "candidats"], "did you mean evolve candidates?"),
            (["help", "qqqqqq"], "unknown command"),
            (["list", "--limit"], "--limit"),
            (["list", "--tag", "--limit"], "--tag needs a value"),
            (["list", "--limit", "some"], "--limit takes a whole number, not 'some'"),
            (["list", "--limit=-1"], "--limit takes a whole number, not '-1'"),
            (["list", "--home="], "the value of --home is empty"),
            (["show"], "show needs an ID: treering show ID"),
            (["recall", "how", "do", "I"], "put quotes around a text of several words"),
            (["stats", "1"], "stats does not know what to do with '1'"),
            (["remember", "half \udcff"], "is not valid UTF-8"),
            (["verify", "--as-of", "2026-05-01"], "leave out --as-of"),
            (["undo"], "undo needs an EVENT, --session or --source"),
            (["maintain", "--only", "nothing"], "there is no step 'nothing'"),
        ],
    )
    def test_a_line_that_makes_no_sense_says_what_would(self, cli: Cli, words: list[str], message: str) -> None:
        """In one line that names the word that is wrong, with the code 2; in JSON for programs."""
        result = cli(*words)
        assert (result.code, result.out) == (2, "") and len(result.err.splitlines()) == 1
        assert message in result.err


class TestOtherNames:
    @pytest.mark.parametrize(
        ("group", "name"), [(g, n) for g in (ROOT, *ROOT.commands.values()) if isinstance(g, Group) for n in g.aliases]
    )
    def test_each_leads_to_a_command(self, group: Group, name: str) -> None:
        """With the words that take its place."""
        before = [] if group is ROOT else [group.name or ""]
        try:
            found = parsed(*before, *name.split())
        except click.MissingParameter as error:
            assert error.ctx is not None
            found = error.ctx
        assert isinstance(found.command, Command) or (isinstance(found.command, Group) and found.command.examples)

    def test_the_words_that_people_type_first(self, cli: Cli) -> None:
        """add, search, find and ls do as one expects."""
        id = cli.fine("add", "the red door is locked at night").out.strip()
        assert id in cli.fine("search", "red door").out and id in cli.fine("find", "red door").out
        assert id in cli.fine("ls").out

    @pytest.mark.parametrize("word", ["delete", "rm"])
    def test_delete_forgets_and_names_purge(self, cli: Cli, word: str) -> None:
        cli.remember("x")
        result = cli.fine(word, "1")
        assert result.out.startswith("forgot ") and "`treering purge` erases" in result.err
        assert cli.fine("restore", "1").out.startswith("restored ")


class TestHelp:
    def test_all_ways_of_asking_are_one(self, cli: Cli) -> None:
        out = cli.fine().out
        assert out == cli.fine("--help").out == cli.fine("help").out == cli.fine("-h").out
        assert all(section in out for section in SECTIONS)

    @pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.path)
    def test_every_command_is_documented(self, cli: Cli, command: Command) -> None:
        """A command without a summary or an example, and an option without a word about it, fails the build."""
        assert summary(command).endswith(".") and command.examples
        assert all(map(meaning, arguments(command))) and all(map(meaning, options(command.own)))
        out = cli.fine(*command.path.split(), "--help").out
        assert out.startswith(f"Usage: treering {command.path}")
        assert all(example in out for example in command.examples)
        if not isinstance(command, Group):
            assert cli.fine("help", *command.path.split(), "--json").json["name"] == command.path

    def test_every_command_that_is_shown_has_a_place_in_the_overview(self) -> None:
        assert all(one.section in SECTIONS for one in ROOT.visible())

    def test_a_group_alone_lists_its_commands(self, cli: Cli) -> None:
        out = cli.fine("graph").out
        assert out == cli.fine("help", "graph").out and all(word in out for word in ("show", "path", "export"))

    def test_the_version_is_printed(self, cli: Cli) -> None:
        assert cli.fine("--version").out == "treering 0.1.0\n"
        assert cli.fine("--version", "--json").json == cli.fine("version", "--json").json == {"version": "0.1.0"}


# Their examples are alternatives to each other: a decision is made once. Each is tried on a store of its own.
ALTERNATIVES = ("edit", "confirm")
# These are about a recall.
JUDGED = ("feedback", "outcome", "observe", "show")
# And these about proposals, whose ids nobody can choose: the manual's stand for those of a store made for it.
IDS = {"skill-2537cb787a": SKILL, "skill-25": SKILL, "route-13d976a554": ROUTE}


def lines(command: Command) -> Iterator[list[str]]:
    """Yield the words of each example; what stands behind a pipe is another program's."""
    return (shlex.split(example.partition(" | ")[0]) for example in command.examples)


def test_every_example_is_a_line_of_its_command() -> None:
    """No example is out of date."""
    for command in COMMANDS:
        for program, *words in lines(command):
            assert program == "treering" and parsed(*words).command is command


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_the_examples_work_one_after_another(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    """Somebody who types the manual from top to bottom meets no error, and with --json gets JSON."""
    monkeypatch.chdir(tmp_path)
    _write_documents(tmp_path)
    for number, example in enumerate(EXAMPLES):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"from standard input")))
        words = shlex.split(example.partition(" | ")[0])[1:]
        if words[0] in ("mcp", "ui", "serve", "move") or (words == ["export"] and options):
            continue  # three serve until somebody ends them, one needs a server; the last is JSON Lines in any case
        home = _home(words, tmp_path / str(number))
        words = [_known(cli, word, home) for word in words]
        _clear(tmp_path)
        result = cli(*words, *home, *(option for option in options if option not in words))
        assert result.code == 0, (example, result.err)
        assert not options or result.json is not None


def _known(cli: Cli, word: str, home: tuple[str, ...]) -> str:
    """Return a word of the manual; the id of a proposal, and the name of a group, as they are in a store."""
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
    mine = folder / "person" / ".claude" / "skills" / "say-hello"
    mine.mkdir(parents=True, exist_ok=True)
    front = "---\nname: say-hello\ndescription: Use to greet.\nmetadata:\n  check: echo hello\n---\n"
    (mine / "SKILL.md").write_text(f"{front}\nSay it.\n")


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


def _home(words: list[str], home: Path) -> tuple[str, ...]:
    """Return a store in which the numbers of an example mean something, if they have to."""
    if words[0] == "review" and {"4", "9"}.isdisjoint(words):
        return _proposed(home)
    if words[0] == "review" or words[0] in ALTERNATIVES:
        return _stocked(home)
    if words[0] == "evolve" and words[1] in ("mine", "analyze"):
        return _proposed(home)
    if words[0] == "evolve":
        return (idle if {"archive", "induce"} & {*words} else worn)(home)
    if words[0] == "captured":
        return _captured(home)
    if words[0] == "leave":
        with treering.open(home, space="anna@default") as memory:
            memory.remember("I write in the mornings", private=True)
        return "--home", str(home)
    if words[0] == "graph":
        return related(home)
    if words[:2] in (["consolidate", "next"], ["consolidate", "submit"], ["consolidate", "dismiss"]):
        return storied(home)
    return worn(home) if words[0] in JUDGED else ()


def _captured(home: Path) -> tuple[str, ...]:
    """Return a store that kept something of a session by itself."""
    payload = {"session_id": "monday", "cwd": "", "prompt": "Remember that the red door is locked at night."}
    treering.open(home).close()
    act("UserPromptSubmit", payload, "claude-code", str(home), {}, 1_790_000_000_000_000)
    return ("--home", str(home))


def _proposed(home: Path) -> tuple[str, ...]:
    """Return a store with a skill and an entry for the routing that wait for somebody."""
    signalled(home)
    with treering.open(home, actor="user") as memory:
        memory.proposals.analyze()
    return "--home", str(home)


def _stocked(home: Path) -> tuple[str, ...]:
    """Return a store with memories 3, 4 (an invariant) and 7, and a contradiction 9."""
    with treering.open(home, actor="user") as memory:
        for number, tree in enumerate(("oak", "elm", "ash", "yew", "fir", "may"), 1):
            memory.remember(f"the {tree} grows here", invariant=number == 4)
        memory.remember("The lock timeout of migrations is 5 s")
        memory.remember("The lock timeout of migrations is 30 s")
        (found,) = memory.truth.contradictions()
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
