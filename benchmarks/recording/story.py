"""The session that is recorded, line by line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.recording.agent import session
from treering.surfaces.cli.demo.stage import Session

WIDTH, HEIGHT = 96, 30  # columns and rows of the terminal: the picture stands at the top of the README
NOTE, COMMAND, OUTPUT, PROMPT, ACT, ADDED, BLANK = "note", "command", "output", "prompt", "act", "added", "blank"
REFUSED = "Exit code 2\nConnectionRefusedError: [Errno 111] connect to 127.0.0.1:5432"
SPARE = 2  # columns: an id that stands for another may be longer
UPKEEP, BUSY = "treering maintain --if-due", "another process is at it"
PAUSE = 0.2  # seconds
SETTINGS = '{\n  "model": "opus"\n}\n'

# What differs from run to run, and what stands for it. A program is named by where it was installed.
_VARIES = (
    (r"\d{4}-\d\d-\d\d \d\d:\d\d\b", "2026-11-16 09:30"),
    (r"(treering-recall) [0-9a-p]{8,64}\b", r"\1 7f3a9c2e5b8d41a6"),
    (r"\b\d+ minutes? ago\b", "just now"),
)
_ID = re.compile(r"\b([a-z2-9]{8}|[a-z2-9]{3})-(\d+)\b( {2,})?")
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
            "COLUMNS": str(WIDTH - SPARE),
            "LANG": "C.UTF-8",
        }

    def run(self, command: str, head: int = HEIGHT) -> Iterator[Line]:
        """A command as it is typed, and what it answers at a terminal of this width: of a long answer the first lines
        and the last."""
        yield Line(COMMAND, command)
        rows = self.answer(command).splitlines()
        if len(rows) > head + 2:
            rows = [*rows[:head], "  …", rows[-1]]
        yield from (Line(OUTPUT, row) for row in rows)
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

    def session(self, name: str) -> Session:
        return session(name, self.shop, self.environment)

    def steady(self, text: str) -> str:
        """Without what differs from run to run."""
        text = _ID.sub(self._numbered, text.replace(str(self._home), "~"))
        for pattern, instead in _VARIES:
            text = re.sub(pattern, instead, text)
        return text

    def _numbered(self, found: re.Match[str]) -> str:
        """An id with a number by the order in which ids are shown: a session makes more events than it shows."""
        number = self._ids.setdefault(found[2], _FIRST + len(self._ids))
        return f"{_WRITER[: len(found[1])]}-{number}{'  ' if found[3] else ''}"


def _story(stage: Stage) -> Iterator[Line]:
    yield from stage.run("treering install claude-code --yes", head=1)
    yield Line(NOTE, "Then you work as always. The first session:")
    first, second = stage.session("41c0a7de"), stage.session("9b2f63c1")
    _quiet(first.start())
    yield from _asked(first, "Run the tests. And remember that migrations need a lock timeout of 5 s.")
    yield from _ran(first, "make test", REFUSED, failed=True)
    yield from _ran(first, "docker compose up -d db")
    yield from _ran(first, "make test", "214 passed in 9.81s")
    yield from _answered(first, "The tests needed the database, which was not running.")
    _quiet(first.end())
    while BUSY in stage.answer(
        UPKEEP
    ):  # for the time that passes until the next one: hooks began it, and wait for none
        time.sleep(PAUSE)
    yield Line(BLANK)
    yield Line(NOTE, "The next one begins with what the memory adds for the agent to read (│):")
    yield from _added(second.start())
    yield from _asked(second, "Run the tests, then add the migration.")
    yield from _ran(second, "docker compose up -d db && make test", "214 passed in 9.64s")
    yield Line(BLANK)
    yield from stage.run("treering captured")


def _asked(session: Session, text: str) -> Iterator[Line]:
    added = session.prompt(text)
    yield Line(PROMPT, text)
    yield from _added(added)


def _ran(session: Session, command: str, output: str = "", failed: bool = False) -> Iterator[Line]:
    added = session.use("Bash", {"command": command}, output, failed)
    yield Line(ACT, f"Bash({command})")
    yield from (Line(OUTPUT, f"  {row}") for row in output.splitlines()[-1:])
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
