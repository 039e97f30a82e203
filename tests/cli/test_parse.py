"""The words of a command line, and what they mean."""

from __future__ import annotations

import pytest

from treering.cli import commands, parse
from treering.cli.commands import Argument, Command
from treering.cli.parse import UsageError


@pytest.mark.parametrize("words", [["-k", "7"], ["-k7"]])
def test_a_short_option_takes_its_value_beside_or_behind_it(words: list[str]) -> None:
    """`-k 7` and `-k7` are one."""
    assert parse.parse(["recall", "query", *words])["k"] == 7


@pytest.mark.parametrize("words", [["--limit", "7"], ["--limit=7"]])
def test_a_long_option_takes_its_value_beside_or_behind_it(words: list[str]) -> None:
    """`--limit 7` and `--limit=7` are one."""
    assert parse.parse(["list", *words])["limit"] == 7


@pytest.mark.parametrize(
    "words",
    [
        ["--home", "x", "forget", "1", "2", "--reason", "r"],
        ["forget", "--reason=r", "1", "--home=x", "2"],
        ["forget", "1", "2", "--reason", "r", "--home", "x"],
    ],
)
def test_options_stand_anywhere(words: list[str]) -> None:
    """Before or after the arguments, and those of every command before or after the command."""
    call = parse.parse(words)
    assert (call.command.name, call["id"], call["reason"], call["home"]) == ("forget", ["1", "2"], "r", "x")


def test_what_is_not_given_has_a_value_too() -> None:
    """A function that answers need not ask whether an option was there."""
    call = parse.parse(["remember"])
    assert (call["text"], call["type"], call["tag"], call["invariant"]) == ("", "", [], False)
    assert parse.parse(["log"])["limit"] == 20


def test_an_option_that_repeats_gathers_its_values() -> None:
    """Every --tag counts."""
    assert parse.parse(["remember", "x", "--tag", "a", "--tag=b"])["tag"] == ["a", "b"]


def test_the_last_of_an_option_of_every_command_holds() -> None:
    """An alias with --home in it can be overruled."""
    assert parse.parse(["--home", "a", "list", "--home", "b"])["home"] == "b"


@pytest.mark.parametrize("text", ["-", "-5 degrees", "--no-verify skips the hooks", "- a list\n- of things"])
def test_a_dash_alone_or_a_text_with_spaces_is_an_argument(text: str) -> None:
    """No option has a space in its name."""
    assert parse.parse(["remember", text])["text"] == text


def test_two_dashes_end_the_options() -> None:
    """What follows is text, whatever it looks like."""
    assert parse.parse(["remember", "--type", "fact", "--", "--json"])["text"] == "--json"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["remember", "x", "--tpye", "y"], "unknown option --tpye for remember: did you mean --type?"),
        (["remember", "x", "--zzzzzz"], "unknown option --zzzzzz for remember: see `treering help remember`"),
        (["remember", "-x"], "put -- before a text that starts with a dash"),
        (["--hoem", "x", "list"], "unknown option --hoem before the command: did you mean --home?"),
        (["lst"], "unknown command 'lst': did you mean list?"),
        (["qqqqqq"], "unknown command 'qqqqqq': see `treering help`"),
        (["help", "qqqqqq"], "unknown command"),
        (["list", "--limit"], "--limit needs a value"),
        (["list", "--tag", "--json"], "--limit needs a value".replace("limit", "tag")),
        (["list", "--limit", "some"], "--limit takes a whole number, not 'some'"),
        (["list", "--limit=-1"], "--limit takes a whole number, not '-1'"),
        (["list", "--json=yes"], "--json takes no value"),
        (["list", "--type", "fact", "--type", "process"], "--type is given twice"),
        (["list", "--home="], "the value of --home is empty"),
        (["show"], "show needs an ID: treering show ID"),
        (["forget"], "forget needs an ID: treering forget ID…"),
        (["recall", "how", "do", "I"], "'do': put quotes around a text of several words"),
        (["rings", "1"], "rings does not know what to do with '1'"),
        (["remember", "half \udcff"], "is not valid UTF-8"),
        (["verify", "--as-of", "2026-05-01"], "leave out --as-of"),
    ],
)
def test_a_line_that_makes_no_sense_says_what_would(words: list[str], message: str) -> None:
    """Each error names the word that is wrong, and the nearest that is right."""
    with pytest.raises(UsageError) as caught:
        call = parse.parse(words)
        parse.named(call["command"])  # of `help qqqqqq`
    assert message in str(caught.value)


def test_help_is_understood_wherever_it_stands() -> None:
    """Even where an argument is missing."""
    for words in (["show", "--help"], ["--help", "show"], ["show", "-h"], ["help", "show"]):
        call = parse.parse(words)
        assert (call.command.name, call["command"]) == ("help", ["show"])
    assert parse.parse([])["command"] == []


def test_a_command_may_have_two_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """And its first word alone asks for help about all that begin with it."""
    command = Command("graft accept", "", "x", "x:y", arguments=(Argument("ID", "x"),))
    monkeypatch.setitem(commands.BY_NAME, command.name, command)
    monkeypatch.setattr(parse, "COMMANDS", (*commands.COMMANDS, command))
    call = parse.parse(["graft", "accept", "7", "--json"])
    assert (call.command.name, call["id"], call["json"]) == ("graft accept", "7", True)
    assert parse.parse(["graft"])["command"] == ["graft"]
    with pytest.raises(UsageError, match="graft has no 'acept': there is graft accept"):
        parse.parse(["graft", "acept"])
