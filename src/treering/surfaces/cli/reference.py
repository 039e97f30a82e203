"""The pages of the manual that the code can write, and what MCP servers say of themselves: `make docs`."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from treering.ledger.schemas import ABOUT, SCHEMAS
from treering.surfaces.cli.app import (
    ROOT,
    SECTIONS,
    Group,
    about,
    arguments,
    leaves,
    meaning,
    options,
    started,
    summary,
    usage,
    written,
)
from treering.surfaces.mcp.front import OFFERED
from treering.text.redact import RULES

if TYPE_CHECKING:
    import click

    from treering.ledger.schemas import Field
    from treering.surfaces.cli.app import Command

_NOTE = "<!-- Written by `make docs`. Change the code, not this page. -->"

# Every event has these, whatever it says. `tests/cli/test_reference.py` holds them to the code.
ENVELOPE = {
    "writer": "the name of the store that wrote it; each copy of a store has its own",
    "seq": "its number among the events of its writer; `writer-seq` is its id",
    "clock": "a hybrid logical clock, in microseconds: above that of every event that its writer had seen. "
    "Events are folded in the order of clock, writer and seq",
    "time": "what the writer's own clock said, in microseconds since 1970; it may be wrong",
    "kind": "what happened: one of the names below",
    "actor": "who did it: user, agent, hook or system; in a team, the person follows behind a colon",
    "space": "the space that it belongs to",
    "project": "the project in which it happened, or nothing",
    "session": "the session in which it happened, or nothing",
    "subject": "the memory that it is about, or nothing",
    "causes": "the ids of the events that it rests on: when one of them is undone, so is it",
    "digest": "SHA-256 of salt and payload; it stays when the payload is purged",
    "chain": "SHA-256 over the chain of the writer's event before it and all of the above: a change anywhere breaks it",
    "salt": "random bytes that keep a purged payload from being guessed; purged with it",
    "payload": "what it says, as JSON with sorted keys; gone once purged",
}

_CLI_INTRODUCTION = """\
Options may stand before or after the arguments, as `--option VALUE` or `--option=VALUE`; `--` ends them, for
a text that starts with a dash. With `--json` the answer is one JSON value on standard output, and an error is
`{"error": {"kind": …, "message": …}}` on standard error. An id can be shortened to the number at its end,
while only one writer has so many events."""

_EVENTS_INTRODUCTION = """\
The ledger is a sequence of events: immutable facts about what happened. Everything else is read off it, and
`treering rebuild` makes it again. A stored name carries its version and is never used for anything else."""

_REDACTION_INTRODUCTION = """\
Before anything is stored, what looks like a secret is replaced by `[redacted: NAME]`, and the answer to `remember` says
so. `{36}` stands for 36 letters and digits, `{32x}` for hexadecimal digits. Placeholders such as `$TOKEN`,
`<your key>`, `xxxx` or `os.environ["KEY"]` are left alone. Of two rules that find the same text, the one that stands
first names it. Each rule has a name, words that it is looked for by, and a pattern, as those of gitleaks have.

Names of sessions, folders and files are looked at as texts are. Passwords in sentences are found in English, German,
French, Spanish, Italian, Portuguese, Dutch, Scandinavian languages, Polish, Czech, Russian, Ukrainian, Turkish,
Finnish, Hungarian, Vietnamese, Japanese, Chinese and Korean.

A test has 110 secrets as people paste them and 100 texts that look like them: all 110 are found, and none of the 100
is touched. Of 50 more in unusual places and 60 look-alikes, written by somebody who had not read the rules, 43 were
found and none touched; of 40 after these 27. The rules were then changed for what was missed, and find 89 of the 90.
Of 116 written after that 101 were found,
and, when the rules had been changed again, 91 of 112 more; 1 of 211 look-alikes was touched. Three lists more, written
before their rules were changed, in part with the lines around real passwords in public repositories, had 98 of 115
found, then 81 of 111, then 86 of 110, with 1, 6 and 5 of some 100 look-alikes touched. Of 59 lines around weak
passwords in code of strangers 40 were found. The rules of today find 113 of 115, 104, 107 and 54 of these, and touch
none. So of what people paste in shapes that nobody here has thought of, a good fifth
passes: it is no licence to paste secrets.
Of 11,642 lines that speak of passwords, in the manuals and libraries of a machine, 2 were touched without need by
earlier rules; of 6,302 such lines those of today change one more than they did. A
password that is a plain word is found where a clause ends with it ("the password is swordfish"), in English and
German. Not found is one that nothing around it tells to be secret.

A guard finds formats that it knows."""

_OTHER_NAMES = """\
These words are understood too. What they stand for takes their place on the line."""

_EXIT_CODES = (
    ("0", "it worked; or whoever was reading had enough (`treering list | head -1`)"),
    (
        "1",
        "it did not work, and a message on standard error says why and what to do. Nothing is half-done, but for a "
        "purge that another process holds up: it says so, and `treering doctor` finishes it",
    ),
    ("2", "the command line cannot be understood"),
    ("130", "interrupted with Ctrl-C"),
)


WIDTH = 100  # columns of prose


def _wrapped(text: str) -> str:
    """Return paragraphs, each wrapped by itself."""
    parts = (textwrap.fill(part, WIDTH, break_on_hyphens=False) for part in text.split("\n\n"))
    return "\n\n".join(parts)


def cli_page() -> str:
    """Return the reference of the command line."""
    return "\n".join(_cli()) + "\n"


def events_page() -> str:
    """Return the reference of the ledger."""
    return "\n".join(_events()) + "\n"


def redaction_page() -> str:
    """Return the table of secrets that the guard knows."""
    rows = ((f"`{rule.name}`", f"`{_one_line(rule.example)}`") for rule in RULES)
    return (
        "\n".join(("# What is redacted", "", _NOTE, "", _wrapped(_REDACTION_INTRODUCTION), "", *_table("secret", rows)))
        + "\n"
    )


def _one_line(example: str) -> str:
    return example.replace("\n", " ⏎ ").replace("`", "'")


def _cli() -> Iterator[str]:
    root = started()
    yield from ("# The command line", "", _NOTE, "")
    yield from _table("every command takes", _option_rows(root.params))
    yield from ("", _wrapped(_CLI_INTRODUCTION), "")
    yield from _table("exit code", _EXIT_CODES)
    for section in SECTIONS:
        yield from ("", f"## {section}")
        for one in root.commands.values():
            if getattr(one, "section", "") == section:
                yield from (row for command in shown(one) for row in _command(command))
    yield from ("", "## Other names", "", _wrapped(_OTHER_NAMES), "")
    yield from _table("typed", sorted(other_names(root)))
    yield from ("", "For agents and scripts there is more:")
    for command in leaves(root, hidden=True):
        yield from _command(command)


def shown(one: Any) -> Iterator[Command]:
    """Return a command, or the commands of a group with what it does when it stands alone."""
    if not isinstance(one, Group) or one.examples:
        yield one
    if isinstance(one, Group):
        yield from leaves(one)


def other_names(group: Group) -> Iterator[tuple[str, str]]:
    """Return every alias as it is typed, and what it stands for."""
    before = "" if group is ROOT else f"{group.path} "
    for name, words in group.aliases.items():
        yield f"`{before}{name}`", f"`{words}`"
    for one in group.commands.values():
        if isinstance(one, Group):
            yield from other_names(one)


def _command(command: Any) -> Iterator[str]:
    text = f"{summary(command)} {about(command)}".strip()
    yield from (
        "",
        f"### {command.path}",
        "",
        "```",
        usage(command),
        "```",
        "",
        _wrapped(text),
    )
    if arguments(command):
        rows = ((f"`{argument.metavar}`", meaning(argument)) for argument in arguments(command))
        yield from ("", *_table("argument", rows))
    if options(command.own):
        yield from ("", *_table("option", _option_rows(command.own)))
    if command.examples:
        yield from ("", "```console", *(f"$ {example}" for example in command.examples), "```")


def _events() -> Iterator[str]:
    yield from ("# Events", "", _NOTE, "", _wrapped(_EVENTS_INTRODUCTION))
    yield from ("", "## Every event", "")
    yield from _table("field", ((f"`{name}`", text) for name, text in ENVELOPE.items()))
    for kind, fields in SCHEMAS.items():
        yield from ("", f"## {kind}", "", _wrapped(ABOUT[kind]), "")
        yield from _table("payload", ((f"`{name}`", _field(field)) for name, field in fields.items()))


def _field(field: Field) -> str:
    names = {str: "text", int: "number", float: "number", bool: "true or false", dict: "object", list: "list of texts"}
    kind = "list of objects" if field.items is dict else names[field.kind]
    return f"{kind}{', always there' if field.required else ''}: {field.about}"


def _option_rows(params: Iterable[click.Parameter]) -> Iterator[tuple[str, str]]:
    return ((f"`{written(option)}`", meaning(option)) for option in options(params))


def _table(title: str, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield from (f"| {title} | |", "|---|---|")
    for name, text in rows:
        yield f"| {name} | {text.replace('|', chr(92) + '|')} |"


PAGES = {"cli.md": cli_page, "events.md": events_page, "redaction.md": redaction_page}


def write(folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    for name, page in PAGES.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as file:
            file.write(page())


def offered() -> str:
    """Return what servers offer, as it is read before anything else is loaded."""
    from treering.surfaces.mcp.compat import compat_offer
    from treering.surfaces.mcp.offer import memory_offer, said
    from treering.surfaces.mcp.tools import ALL, chosen

    offers = {"default": memory_offer(chosen()), "all": memory_offer(chosen(ALL)), "server-memory": compat_offer()}
    lines = [f'"{name}": {json.dumps(said(offer), ensure_ascii=False)}' for name, offer in offers.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    write(sys.argv[1])
    with open(OFFERED, "w", encoding="utf-8", newline="\n") as file:
        file.write(offered())
