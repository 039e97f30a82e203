"""The hooks' own log: how long each took and what went wrong, for `treering doctor`. It never grows large."""

from __future__ import annotations

import os

from treering.core.tuples import NamedTuple

FILE_NAME = "hook.log"
OLDER = ".1"
LARGEST = 262_144  # bytes: some thousand lines, and as many in the file before it
_DIGITS = 18  # of a number that is a time
_LONGEST = 300  # characters of what went wrong


class Noted(NamedTuple):
    """One run of a hook."""

    time: int  # microseconds since 1970
    event: str
    agent: str
    took: int  # microseconds, without the start of the interpreter
    problem: str = ""


def note(home: str, time: int, event: str, agent: str, took: int, problem: str = "") -> None:
    """Add a line: when, which, how many microseconds, and what went wrong, parted by tabs."""
    if not os.path.isdir(home):
        return
    path = os.path.join(home, FILE_NAME)
    plain = " ".join(problem.split())[:_LONGEST]
    line = "\t".join((str(time), _word(event), _word(agent), str(took), plain)) + "\n"
    handle = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    try:
        os.write(handle, line.encode("utf-8", "replace"))
        full = os.fstat(handle).st_size > LARGEST
    finally:
        os.close(handle)
    if full:
        os.replace(path, path + OLDER)


def _word(text: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "?" for letter in text[:40]) or "-"


def noted(home: str) -> list[Noted]:
    """The runs that are still in the log, oldest first. Lines that somebody else wrote are left out."""
    found = []
    for name in (FILE_NAME + OLDER, FILE_NAME):
        try:
            with open(os.path.join(home, name), encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        except OSError:
            continue
        for line in lines:
            time, event, agent, took, problem, *more = (*line.split("\t"), "", "", "", "", "")[:6]
            if _is_number(time) and _is_number(took) and not any(more):
                found.append(Noted(int(time), event, agent, int(took), problem))
    return found


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _DIGITS
