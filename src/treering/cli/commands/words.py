"""The words of the table: a command, its arguments and its options."""

from __future__ import annotations

from treering.core.tuples import NamedTuple
from treering.core.types import SCOPES, TYPES

FLAG, TEXT, NUMBER = "flag", "text", "number"


class Argument(NamedTuple):
    name: str
    about: str
    optional: bool = False
    many: bool = False
    completes: str = ""  # memory, forgotten, event, contradiction, recall, …, command or shell; nothing means files
    choices: tuple[str, ...] = ()


class Option(NamedTuple):
    flags: tuple[str, ...]
    about: str
    takes: str = TEXT
    metavar: str = "TEXT"
    many: bool = False
    choices: tuple[str, ...] = ()  # for help and completion; the rules behind the API decide
    default: int = 0  # of a number

    @property
    def name(self) -> str:
        return self.flags[0].lstrip("-").replace("-", "_")


class Command(NamedTuple):
    name: str  # may be of two words
    group: str
    summary: str
    run: str  # module:function in treering.cli, imported only when chosen
    about: str = ""
    arguments: tuple[Argument, ...] = ()
    options: tuple[Option, ...] = ()
    examples: tuple[str, ...] = ()
    opens: bool = True  # runs on an open memory
    past: bool = True  # makes sense with --as-of


def flag(name: str, about: str) -> Option:
    return Option((name,), about, FLAG)


def one_of(name: str, about: str, choices: tuple[str, ...]) -> Option:
    return Option((name,), about, metavar=name.lstrip("-").upper(), choices=choices)


def named(name: str, about: str, metavar: str = "NAME") -> Option:
    return Option((name,), about, metavar=metavar)


def number(name: str, about: str, default: int) -> Option:
    return Option((name,), about, NUMBER, "N", default=default)


HELP = Option(("--help", "-h"), "say how a command is used", FLAG)
VERSION = flag("--version", "print the version")
GLOBALS = (
    named("--home", "the folder of the store (default: $TREERING_HOME, or ~/.treering)", "DIR"),
    named("--space", "the space to work in: memories of one never show in another"),
    named("--as-of", "a read-only view of that moment: 2026-05-01, or 2026-05-01T14:30:00Z", "TIME"),
    flag("--json", "answer in JSON, for programs"),
    HELP,
)

KEEP, LOOK, CHANGE, AGE, GROW, PLUG, MOVE, CARE = (
    "Remember and recall",
    "Look back",
    "Change your mind",
    "Keep it true",
    "Make it better",
    "Plug it in",
    "Move",
    "Look after it",
)

TYPE = one_of("--type", "which kind of memory; Fact and Process are understood", TYPES)
SCOPE = one_of("--scope", "who it is for", SCOPES)
PROJECT = named("--project", "the project; . for the one of the working folder")
SESSION = named("--session", "the session")
REASON = named("--reason", "why, for the record", "TEXT")
DRY_RUN = flag("--dry-run", "say what would happen and change nothing")
ID = Argument("ID", "a memory's id, or the number at its end", completes="memory")
IDS = ID._replace(many=True)
