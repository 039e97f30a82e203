"""The session that is recorded, line by line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.recording.agent import Session

WIDTH = 96  # columns of the terminal
NOTE, COMMAND, OUTPUT, PROMPT, ACT, ADDED, BLANK = "note", "command", "output", "prompt", "act", "added", "blank"
REFUSED = "Exit code 2\nConnectionRefusedError: [Errno 111] connect to 127.0.0.1:5432"
SETTINGS = '{\n  "model": "opus"\n}\n'

# What differs from run to run, and what stands for it. A program is named by where it was installed.
_VARIES = (
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ", "2026-11-16 09:30:00Z"),
    (r"(treering-recall) [0-9a-p]{8,64}\b", r"\1 7f3a9c2e5b8d41a6"),
    (r"\b\d+ minutes? ago\b", "just now"),
)
_ID = re.compile(r"\b[a-z2-9]{8}-(\d+)\b( {2,})?|(?<=captured undo )(\d+)")
_WRITER, _FIRST = "k3v9x2ab", 11  # all ids have two digits, so that columns are as wide in every recording
_BEFORE = {NOTE: "# ", COMMAND: "$ ", OUTPUT: "", PROMPT: "> ", ACT: "● ", ADDED: "  │ ", BLANK: ""}


class Line(NamedTuple):
    kind: str
    text: str = ""

    def __str__(self) -> str:
        return (_BEFORE[self.kind] + self.text).rstrip()


def record() -> list[Line]:
    """Play it anew, in a home that is made for it and thrown away."""
    with tempfile.TemporaryDirectory(prefix="treering-") as folder:
        home = Path(os.path.realpath(folder))
        stage = Stage(home)
        lines = [piece for line in _story(stage) for piece in _wrapped(line._replace(text=stage.steady(line.text)))]
    while lines and lines[-1].kind == BLANK:
        lines.pop()
    return lines


def told(lines: Sequence[Line]) -> str:
    """The same as text."""
    return "".join(f"{line}\n" for line in lines)


class Stage:
    """A home with a repository and an agent's settings in it, and commands that are run there."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._ids: dict[str, int] = {}
        self.shop = home / "shop"
        (self.shop / ".git").mkdir(parents=True)
        (home / ".claude").mkdir()
        (home / ".claude" / "settings.json").write_text(SETTINGS)
        path = os.pathsep.join((os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)))
        self.environment: Mapping[str, str] = {
            "HOME": str(home),
            "PATH": path,
            "COLUMNS": str(WIDTH),
            "LANG": "C.UTF-8",
        }

    def run(self, command: str) -> Iterator[Line]:
        """A command as it is typed, and what it answers at a terminal of this width."""
        yield Line(COMMAND, command)
        yield from (Line(OUTPUT, row) for row in self.answer(command).splitlines())
        yield Line(BLANK)

    def answer(self, command: str) -> str:
        ours, theirs = os.openpty()
        with subprocess.Popen(
            ["bash", "-c", command],
            stdout=theirs,
            stderr=subprocess.PIPE,
            text=True,
            env={**self.environment, "NO_COLOR": "1"},
            cwd=self.shop,
        ) as run:
            os.close(theirs)
            said = _read(ours)
            assert run.stderr is not None
            wrong = run.stderr.read()
        if run.returncode:
            raise SystemExit(f"{command} ended with {run.returncode}: {wrong}")
        return said.replace("\r\n", "\n") + wrong

    def caught(self, kind: str) -> str:
        """The number of the last memory that was captured as such."""
        found = json.loads(self.answer("treering captured --json"))
        return str(next(one["id"] for one in found if one["kind"] == kind)).rpartition("-")[2]

    def session(self, name: str) -> Session:
        return Session(name, self.shop, self.environment)

    def steady(self, text: str) -> str:
        """Without what differs from run to run."""
        text = _ID.sub(self._numbered, text.replace(str(self._home), "~"))
        for pattern, instead in _VARIES:
            text = re.sub(pattern, instead, text)
        return text

    def _numbered(self, found: re.Match[str]) -> str:
        """An id with a number by the order in which ids are shown: a session makes more events than it shows."""
        whole, blanks, alone = found[1], found[2], found[3]
        number = self._ids.setdefault(whole or alone, _FIRST + len(self._ids))
        return str(number) if alone else f"{_WRITER}-{number}{'  ' if blanks else ''}"


def _story(stage: Stage) -> Iterator[Line]:
    yield from stage.run("treering install claude-code --yes")
    yield Line(NOTE, "From here on you work as always. │ marks what the memory adds for the agent to read.")
    yield Line(NOTE, "Two sessions are open in ~/shop. The first one:")
    first, second = stage.session("41c0a7de"), stage.session("9b2f63c1")
    _quiet(first.start())
    _quiet(second.start())
    yield from _asked(first, "Add a currency column to the orders table, then run the tests.")
    yield from _edited(first, str(stage.shop / "migrations" / "0007_currency.sql"))
    yield from _ran(first, "make test", REFUSED, failed=True)
    yield from _ran(first, "docker compose up -d db", "Container shop-db-1 Started")
    yield from _ran(first, "make test", "214 passed in 9.81s")
    yield from _answered(first, "The tests needed the database, which was not running. The column is there.")
    yield from _asked(first, "Good. Remember that migrations need a lock timeout of 5 s.")
    yield from _answered(first, "I will.")
    _quiet(first.end())
    yield Line(BLANK)
    yield Line(NOTE, "The second one, which was not there when that was said:")
    yield from _asked(second, "Which indexes of orders are never read?")
    yield from _answered(second, "Only orders_legacy_idx.")
    yield from _asked(second, "Write a migration that drops it, with the right lock timeout.")
    yield from _edited(second, str(stage.shop / "migrations" / "0008_legacy_index.sql"))
    yield from _ran(second, "make test", REFUSED, failed=True)
    yield from _ran(second, "docker compose up -d db", "Container shop-db-1 Started")
    yield from _ran(second, "make test", "214 passed in 9.64s")
    yield from _answered(second, "Done: it sets lock_timeout to 5 s and drops the index concurrently.")
    yield from _asked(second, "No, always name migrations in the plural.")
    yield from _answered(second, "Renamed.")
    _quiet(second.end())
    stage.answer("treering tend")  # for the time that passes until the next one: an agent does it in the background
    yield Line(BLANK)
    yield Line(NOTE, "The next session is told what lasts when it starts, and of the past when you ask for it:")
    third = stage.session("c7d05e18")
    yield from _added(third.start())
    yield from _asked(third, "In which migration did the currency column come in?")
    yield Line(BLANK)
    yield from stage.run("treering captured")
    yield from stage.run(f"treering captured undo {stage.caught('episode')} --reason 'not worth keeping'")
    yield from stage.run("treering uninstall claude-code --yes")


def _asked(session: Session, text: str) -> Iterator[Line]:
    added = session.prompt(text)
    yield Line(PROMPT, text)
    yield from _added(added)


def _ran(session: Session, command: str, output: str, failed: bool = False) -> Iterator[Line]:
    added = session.use("Bash", {"command": command}, output, failed)
    yield Line(ACT, f"Bash({command})")
    yield Line(OUTPUT, f"  {output.splitlines()[-1]}")
    yield from _added(added)


def _edited(session: Session, path: str) -> Iterator[Line]:
    added = session.use("Write", {"file_path": path, "content": "-- what the agent wrote\n"}, "File created")
    yield Line(ACT, f"Write({path})")
    yield from _added(added)


def _answered(session: Session, text: str) -> Iterator[Line]:
    _quiet(session.stop(text))
    yield Line(ACT, text)


def _added(text: str) -> Iterator[Line]:
    yield from (Line(ADDED, row) for row in text.splitlines())


def _quiet(text: str) -> None:
    assert not text, text


def _wrapped(line: Line) -> Iterator[Line]:
    """As a terminal would show it, but broken between words."""
    room = WIDTH - len(_BEFORE[line.kind])
    indent = " " * (len(line.text) - len(line.text.lstrip()))
    rows = textwrap.wrap(line.text, room, subsequent_indent=indent, drop_whitespace=True) or [""]
    yield from (Line(line.kind, row) for row in rows)


def _read(handle: int) -> str:
    """All that comes out of a terminal until nobody writes to it any more."""
    pieces: list[bytes] = []
    while True:
        try:
            piece = os.read(handle, 65_536)
        except OSError:  # how Linux tells the end of it
            piece = b""
        if not piece:
            os.close(handle)
            return b"".join(pieces).decode()
        pieces.append(piece)
