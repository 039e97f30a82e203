"""Stores in which there is something to judge, to retire, to merge and to propose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import treering
from tests.surfaces.cli.driving import Cli
from treering.ledger.types import Memory

DEPLOY = "Deploy the shop with `make deploy` on Tuesdays"
AGAIN = "On Tuesdays, deploy the shop with `make deploy`"
STEPS = (
    "When the build runs out of memory: capture a heap dump, look at it, restart the worker",
    "When the build runs out of memory, capture a heap dump, then restart the worker",
    "When the build runs out of memory, look at a heap dump and restart the worker",
)
BETTER = "Deploy the shop with `make deploy`, after `make test`"
LONG_AGO, EARLIER = "2020-01-01", "2026-01-01"
BELL = "rings\a \033]0;owned\033\\ \033[31mred \u202eback"  # a title, a colour and a reversal of direction
TOKEN = "ghp_9fK2mQx7Lw3RtZ8vB1nC5hJ6pD4sY0aG2eUq"
PLAIN = {*Memory._fields} - {"moves"} | {"status_history"}  # a memory for programs
NAMED = 41  # the event that the examples of the manual name


def wear(memory: treering.Treering, note: Memory, times: int, verdict: str = "", **narrow: Any) -> str:
    """Let recalls show a memory so many times, and judge it each time. The last recall."""
    last = ""
    for _ in range(times):
        found = memory.recall(note.content, k=1, silent=False, **narrow)
        assert [hit.memory.id for hit in found.hits] == [note.id]
        last = found.id
        if verdict:
            memory.feedback(last, note.id, verdict)
    return last


def pad(memory: treering.Treering, upto: int) -> None:
    """So many events that the next one has a number which can be told."""
    for number in range(memory.store.heads()[memory.store.writer].seq, upto):
        memory.remember(f"an acorn falls, the {number}th of this autumn")


def worn(home: Path) -> tuple[str, ...]:
    """Memory 3 was shown ten times and never helped; 7 says the same; recall 41 of the session monday showed 3."""
    with treering.open(home, actor="user") as memory:
        for text in ("the oak grows here", "the elm grows here"):
            memory.remember(text)
        note = memory.remember(DEPLOY, at=EARLIER)
        for text in ("the ash grows here", "the yew grows here", "the fir grows here", AGAIN):
            memory.remember(text)
        wear(memory, note, 10, "not_helpful", until=EARLIER)  # of two that say the same, a recall shows one
        pad(memory, NAMED - 1)
        assert wear(memory, note, 1, session="monday", until=EARLIER).endswith(f"-{NAMED}")
    return "--home", str(home)


def idle(home: Path) -> tuple[str, ...]:
    """Memories 3, 7 and 9 are processes that do the same, which nobody has used since 2020; 41 proposes a skill."""
    with treering.open(home, actor="user") as memory:
        for number in range(1, 10):
            text = {3: STEPS[0], 7: STEPS[1], 9: STEPS[2]}.get(number, f"the oak of the year {2000 + number}")
            memory.remember(text, type="procedural" if number in (3, 7, 9) else "", at=LONG_AGO)
        pad(memory, NAMED - 1)
        assert memory.proposals.induce("3", "7", "9", name="out-of-memory").event.endswith(f"-{NAMED}")
    return "--home", str(home)


def events(cli: Cli) -> list[str]:
    return [event["kind"] for event in cli.fine("log", "--limit", "0", "--json").json]


def only(cli: Cli) -> str:
    """The id of the only proposal."""
    (found,) = cli.fine("evolve", "list", "--json").json
    return str(found["id"])


def q(cli: Cli, id: str) -> float:
    return round(float(cli.fine("show", id, "--json").json["q"]), 6)


def status(cli: Cli, id: str) -> str:
    return str(cli.fine("show", id, "--json").json["status"])


def refused(cli: Cli, words: tuple[str, ...], code: int, message: str) -> None:
    """In one line, nothing on standard output, and nothing written; programs get the same as JSON."""
    before = events(cli)
    result = cli(*words)
    assert (result.code, result.out) == (code, ""), result.err
    assert message in result.err and result.err.startswith("error: ")
    assert len(result.err.splitlines()) == 1
    assert not any(sign in result.err for sign in ("\a", "\033", "\u202e"))
    told = cli(*words, "--json")
    assert (told.code, told.out) == (code, "") and '"message"' in told.err
    assert events(cli) == before
