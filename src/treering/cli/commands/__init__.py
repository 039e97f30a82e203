"""Every command, as one frozen table: what parses, helps, completes and documents reads it here."""

from __future__ import annotations

from treering.cli.commands.ageing import AGEING
from treering.cli.commands.daily import DAILY
from treering.cli.commands.growing import GROWING
from treering.cli.commands.installing import INSTALLING
from treering.cli.commands.plugging import PLUGGING
from treering.cli.commands.proposing import PROPOSING
from treering.cli.commands.serving import SERVING
from treering.cli.commands.tending import TENDING
from treering.cli.commands.upkeep import UPKEEP
from treering.cli.commands.words import (
    AGE,
    CARE,
    CHANGE,
    FLAG,
    GLOBALS,
    GROW,
    HELP,
    KEEP,
    LOOK,
    MOVE,
    NUMBER,
    PLUG,
    TEXT,
    VERSION,
    Argument,
    Command,
    Option,
)

__all__ = ["ALIASES", "BY_NAME", "COMMANDS", "FLAG", "GLOBALS", "HELP", "HIDDEN", "NUMBER", "TEXT", "VERSION"]
__all__ += ["Argument", "Command", "Option"]

_GROUPS = (KEEP, LOOK, CHANGE, AGE, GROW, PLUG, MOVE, CARE)
_ALL = (*DAILY, *AGEING, *GROWING, *PROPOSING, *TENDING, *INSTALLING, *SERVING, *PLUGGING, *UPKEEP)
COMMANDS = tuple(sorted(_ALL, key=lambda command: _GROUPS.index(command.group)))

# Not for people, so neither listed nor documented.
HIDDEN = (
    Command(
        "complete",
        "",
        "what could come next",
        "completion:complete",
        arguments=(Argument("WORDS", "the words so far", optional=True, many=True),),
        opens=False,
    ),
    Command("version", "", "print the version", "help:version", opens=False),
)

# Other names that work too.
ALIASES = {"memory hygiene": "hygiene", "memory index": "index"}

BY_NAME = {command.name: command for command in (*COMMANDS, *HIDDEN)}
BY_NAME |= {alias: BY_NAME[name] for alias, name in ALIASES.items()}
