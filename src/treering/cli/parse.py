"""From the words of a command line to a call, by the table of commands."""

from __future__ import annotations

from treering.cli.commands import BY_NAME, COMMANDS, FLAG, GLOBALS, NUMBER, VERSION, Command
from treering.core.errors import TreeringError
from treering.core.types import number_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from treering.cli.commands import Argument, Option


class UsageError(TreeringError):
    """A command line that cannot be understood."""


class Call:
    """A command, and a value for each of its arguments and options."""

    def __init__(self, command: Command, values: dict[str, Any]) -> None:
        self.command = command
        self.values = values

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


def parse(words: Sequence[str]) -> Call:
    given: dict[str, Any] = {}
    rest = _sort(_readable(words), None, given)
    if given.get("version"):
        return Call(BY_NAME["version"], _defaults(BY_NAME["version"]) | given)
    if not rest:
        return _help((), given)
    command, rest = named(rest)
    if command is None or given.get("help"):
        return _help(rest if command is None else command.name.split(), given)
    arguments = _sort(rest, command, given)
    if given.get("help"):
        return _help(command.name.split(), given)
    if "as_of" in given and not command.past:
        raise UsageError(f"{command.name} looks at things as they are now: leave out --as-of")
    return Call(command, _defaults(command) | given | _filled(command, arguments))


def wants_json(words: Sequence[str]) -> bool:
    """Whether a line asks for JSON, even one that cannot be parsed."""
    before = words[: words.index("--")] if "--" in words else words
    return "--json" in before


def named(words: Sequence[str]) -> tuple[Command | None, list[str]]:
    """The command that the words begin with, and the rest; no command for a group that needs help."""
    for size in (2, 1):
        if command := BY_NAME.get(" ".join(words[:size])):
            return command, list(words[size:])
    group = [command.name for command in COMMANDS if command.name.startswith(words[0] + " ")]
    if group and words[1:] in ([], ["--help"], ["-h"]):
        return None, [words[0]]
    if group:
        raise UsageError(f"{words[0]} has no {words[1]!r}: there is {', '.join(group)}")
    names = [command.name for command in COMMANDS]
    raise UsageError(f"unknown command {words[0]!r}: {_hint(words[0], names, 'treering help')}")


def options_of(command: Command | None) -> dict[str, Option]:
    """Every flag that can stand here; before a command is known, those that every command has."""
    own = command.options if command else (VERSION,)
    return {flag: option for option in (*GLOBALS, *own) for flag in option.flags}


def is_option(word: str) -> bool:
    """A lone dash is standard input, and what has a space in its name is a text."""
    return word.startswith("-") and word != "-" and not any(map(str.isspace, word.partition("=")[0]))


def split(word: str) -> tuple[str, str | None]:
    """The flag of `--flag`, `--flag=value`, `-f` or `-fvalue`, and the value if it is there."""
    if word.startswith("--"):
        flag, equals, value = word.partition("=")
        return flag, value if equals else None
    return word[:2], word[2:] or None


def _sort(words: list[str], command: Command | None, given: dict[str, Any]) -> list[str]:
    """Put options into what is given, and return the arguments. Without a command, stop at the first."""
    options = options_of(command)
    arguments: list[str] = []
    waiting = iter(words)
    for word in waiting:
        if word == "--" or (command is None and not is_option(word)):
            return [*arguments, *([] if word == "--" else [word]), *waiting]
        if not is_option(word):
            arguments.append(word)
            continue
        flag, value = split(word)
        option = options.get(flag)
        if option is None:
            raise UsageError(_unknown(flag, command, options))
        if option.takes != FLAG and value is None:
            value = next(waiting, None)
            if value is None or value == "--" or (is_option(value) and split(value)[0] in options):
                raise UsageError(f"{flag} needs a value; one that starts with a dash is written {flag}=VALUE")
        _keep(option, flag, value, given)
    return arguments


def _keep(option: Option, flag: str, value: str | None, given: dict[str, Any]) -> None:
    name, shared = option.name, option in GLOBALS
    if option.takes == FLAG:
        if value is not None:
            raise UsageError(f"{flag} takes no value")
        given[name] = True
    elif option.many:
        given.setdefault(name, []).append(value)
    elif name in given and not shared:
        raise UsageError(f"{flag} is given twice")
    elif shared and not value:
        raise UsageError(f"the value of {flag} is empty")
    elif option.takes == NUMBER:
        given[name] = number_in(value or "")
        if given[name] is None:
            raise UsageError(f"{flag} takes a whole number, not {(value or '')[:40]!r}")
    else:
        given[name] = value


def _defaults(command: Command) -> dict[str, Any]:
    """What holds for options that are not given: no text, no texts, no, or the default number."""
    found: dict[str, Any] = {}
    for option in (*GLOBALS, *command.options):
        if option.takes == FLAG:
            found[option.name] = False
        elif option.takes == NUMBER:
            found[option.name] = option.default
        else:
            found[option.name] = [] if option.many else ""
    return found


def _filled(command: Command, words: list[str]) -> dict[str, Any]:
    """A value for each argument: a text, or a list of texts for the last one that takes many."""
    found: dict[str, Any] = {}
    rest = list(words)
    for argument in command.arguments:
        if not rest and not argument.optional:
            raise UsageError(f"{command.name} needs {_article(argument)}: {usage(command)}")
        if argument.many:
            found[argument.name.lower()], rest = rest, []
        else:
            found[argument.name.lower()] = rest.pop(0) if rest else ""
    if rest:
        hint = "put quotes around a text of several words" if command.arguments else f"see {usage(command)}"
        raise UsageError(f"{command.name} does not know what to do with {rest[0]!r}: {hint}")
    return found


def usage(command: Command) -> str:
    """The command line as it is written."""
    parts = ["treering", command.name]
    for argument in command.arguments:
        name = argument.name + ("…" if argument.many else "")
        parts.append(f"[{name}]" if argument.optional else name)
    return " ".join(parts)


def _help(words: Sequence[str], given: dict[str, Any]) -> Call:
    command = BY_NAME["help"]
    return Call(command, _defaults(command) | given | {"command": list(words)})


def _readable(words: Sequence[str]) -> list[str]:
    """Bytes that are no text arrive as halves of characters, which nothing can store."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise UsageError(f"{word!r} is not valid UTF-8") from None
    return list(words)


def _unknown(flag: str, command: Command | None, options: Iterable[str]) -> str:
    if command is None:
        return f"unknown option {flag} before the command: {_hint(flag, options, 'treering help')}"
    hint = _hint(flag, options, f"treering help {command.name}")
    if command.arguments and not flag.startswith("--"):
        hint = "put -- before a text that starts with a dash"
    return f"unknown option {flag} for {command.name}: {hint}"


def _hint(word: str, known: Iterable[str], otherwise: str) -> str:
    from difflib import get_close_matches  # slow to import, so only for those who have mistyped

    near = get_close_matches(word, known, 1)
    return f"did you mean {near[0]}?" if near else f"see `{otherwise}`"


def _article(argument: Argument) -> str:
    return f"{'an' if argument.name[0] in 'AEIOU' else 'a'} {argument.name}"
