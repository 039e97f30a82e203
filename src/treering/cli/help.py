"""How each command is used."""

from __future__ import annotations

from treering.cli.commands import COMMANDS, FLAG, GLOBALS, VERSION
from treering.cli.parse import named, usage
from treering.cli.render import Answer, table, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from treering.cli.commands import Command, Option
    from treering.cli.parse import Call
    from treering.cli.render import Page

TITLE = "Treering: a long-term memory for AI agents that improves itself with use, and can prove it."


def help(call: Call) -> Answer:
    words = call["command"]
    if not words:
        return Answer([_plain(command) for command in COMMANDS], lambda page: overview(COMMANDS, page))
    command, rest = named(words)
    if command is None:
        group = [other for other in COMMANDS if other.name.startswith(rest[0] + " ")]
        return Answer([_plain(other) for other in group], lambda page: overview(group, page))
    return Answer(_plain(command), lambda page: manual(command, page))


def version(call: Call) -> Answer:
    from treering import __version__

    return Answer({"version": __version__}, lambda page: [f"treering {__version__}"])


def overview(commands: Iterable[Command], page: Page) -> Iterator[str]:
    yield from wrapped(TITLE, page.width)
    yield ""
    yield "usage: treering COMMAND …"
    groups: dict[str, list[tuple[str, str]]] = {}
    for command in commands:
        groups.setdefault(command.group, []).append((f"  {command.name.ljust(12)}", command.summary))
    for group, rows in groups.items():
        yield from ("", page.bold(group))
        yield from table(rows, page)
    yield from ("", page.bold("Every command takes"))
    yield from table(_options((*GLOBALS, VERSION)), page)
    yield from ("", "`treering help COMMAND` has examples.")


def manual(command: Command, page: Page) -> Iterator[str]:
    yield f"usage: {usage(command)}" + (" [options]" if command.options else "")
    yield ""
    yield from wrapped(about(command), page.width)
    arguments = [(f"  {argument.name}", argument.about) for argument in command.arguments]
    sections = (
        ("Arguments", arguments),
        ("Options", [*_options(command.options)]),
        ("Every command takes", [*_options(GLOBALS)]),
    )
    for title, rows in sections:
        if rows:
            yield from ("", page.bold(title))
            yield from table(rows, page)
    if command.examples:
        yield from ("", page.bold("Examples"))
        yield from (f"  {example}" for example in command.examples)


def about(command: Command) -> str:
    """The summary as a sentence, and what there is to say beyond it."""
    first = command.summary[0].upper() + command.summary[1:] + "."
    return f"{first} {command.about}".rstrip()


def written(option: Option) -> str:
    """An option as it is typed."""
    flags = ", ".join(option.flags)
    return flags if option.takes == FLAG else f"{flags} {option.metavar}"


def meaning(option: Option) -> str:
    """What an option is for, what it can be, and what holds without it."""
    text = option.about
    if option.choices:
        text += f" ({', '.join(option.choices)})"
    return f"{text} (default: {option.default})" if option.default else text


def _options(options: Iterable[Option]) -> Iterator[tuple[str, str]]:
    return ((f"  {written(option)}", meaning(option)) for option in options)


def _plain(command: Command) -> dict[str, object]:
    return {
        "name": command.name,
        "usage": usage(command),
        "summary": command.summary,
        "about": command.about,
        "arguments": [{"name": one.name, "about": one.about} for one in command.arguments],
        "options": [{"flags": [*one.flags], "about": meaning(one)} for one in (*command.options, *GLOBALS)],
        "examples": [*command.examples],
    }
