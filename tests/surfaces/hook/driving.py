"""An agent as its hooks know it: in this process to be quick, and as processes of their own where that is the point."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import pytest

import treering
from tests.faults.harness import Signal, fork
from treering.ledger.events import Event
from treering.stores.files import FILE_NAME, SPOOL
from treering.surfaces.hook.act import act

SECOND = 1_000_000
LATELY = 3_600 * SECOND  # ago: sessions that nobody has heard of for some hours are taken to be over
START = "from treering.surfaces.hook import main; main()"
SLOWEST = 60.0  # seconds of a hook that hangs
FOREIGN = ("TREERING_", "CLAUDE_", "CURSOR_", "GEMINI_")  # variables that this machine may have set
_numbers = count(1)


def now() -> int:
    """In microseconds: processes that take queued events in go by the real clock."""
    return time.time_ns() // 1_000


class Said(NamedTuple):
    """What came of a process."""

    code: int
    out: str
    err: str

    @property
    def context(self) -> str:
        return context_in(self.out)


def context_in(out: str) -> str:
    """What the agent is told: of nothing, nothing; and anything but one JSON object is an error."""
    if not out:
        return ""
    answer = json.loads(out)
    assert {*answer} == {"hookSpecificOutput"}
    assert {*answer["hookSpecificOutput"]} == {"hookEventName", "additionalContext"}
    return str(answer["hookSpecificOutput"]["additionalContext"])


class Agent:
    """A session of Claude Code in a folder. Every method is an event, and returns what the agent is told."""

    def __init__(self, home: Path, folder: Path, session: str = "s1", agent: str = "claude-code") -> None:
        self.home = home
        self.folder = folder
        self.session = session
        self.agent = agent
        self.transcript = ""
        self.environment: dict[str, str] = {}
        self.now = now() - LATELY

    def starts(self, source: str = "startup", **more: Any) -> str:
        return self.does("SessionStart", source=source, **more)

    def asks(self, prompt: str, **more: Any) -> str:
        return self.does("UserPromptSubmit", **{"prompt": prompt, "prompt_id": f"p{next(_numbers)}", **more})

    def fails(self, command: str, error: str, **more: Any) -> str:
        given = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"t{next(_numbers)}"}
        return self.does("PostToolUseFailure", **given, error=error, **more)

    def runs(self, command: str) -> str:
        given = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"t{next(_numbers)}"}
        return self.does("PostToolUse", **given, tool_response={"stdout": "", "interrupted": False})

    def edits(self, path: str) -> str:
        given = {"tool_name": "Edit", "tool_input": {"file_path": path}, "tool_use_id": f"t{next(_numbers)}"}
        return self.does("PostToolUse", **given, tool_response={})

    def answers(self, text: str) -> str:
        return self.does("Stop", last_assistant_message=text, stop_hook_active=False)

    def compacts(self, summary: str) -> str:
        return self.does("PostCompact", trigger="auto", compact_summary=summary)

    def ends(self, reason: str = "other") -> str:
        return self.does("SessionEnd", reason=reason)

    def does(self, event: str, **fields: Any) -> str:
        """An event, heard in this process."""
        self.now += SECOND
        out, _ = act(event, self.payload(event, **fields), self.agent, str(self.home), self.environment, self.now)
        assert len(out) < 10_000
        return context_in(out)

    def payload(self, event: str, **fields: Any) -> dict[str, Any]:
        whole = {"session_id": self.session, "transcript_path": self.transcript, "cwd": str(self.folder)}
        return {**whole, "hook_event_name": event, **fields}


def alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in a folder, for a person of whom this machine knows nothing."""
    for name in [name for name in os.environ if name.startswith(FOREIGN)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder / "person"))
    monkeypatch.setenv("TREERING_HOME", str(folder / "home"))
    monkeypatch.setenv("TREERING_SWAP", "0")  # chance has a say only in the tests that are about it
    return folder / "home"


def repository(path: Path) -> Path:
    (path / ".git").mkdir(parents=True)
    return path


def known(home: Path, *texts: str, **more: Any) -> list[str]:
    """Memories that a person gave to the project `shop`; their ids."""
    with treering.open(home, project="shop", actor="user") as memory:
        return [one.id for one in memory.remember_many({"content": text, **more} for text in texts)]


def taken_in(home: Path, **given: str) -> treering.Treering:
    """A memory that has read all its queued events, also those that need some time."""
    memory = treering.open(home, **given)
    memory.captured.receive()
    return memory


def events(home: Path, *kinds: str) -> list[Event]:
    """The events of some kinds, of all that has been taken in."""
    with taken_in(home) as memory:
        return [event for event in memory.store.events() if not kinds or event.kind in kinds]


def contents(home: Path) -> list[str]:
    """What is known after everything has been taken in, oldest first."""
    with taken_in(home) as memory:
        return [one.content for one in memory.list()][::-1]


@contextmanager
def writing(home: Path) -> Iterator[None]:
    """Somebody writes, and takes long for it."""
    db = apsw.Connection(str(home / FILE_NAME), flags=apsw.SQLITE_OPEN_READWRITE)
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        db.execute("ROLLBACK")
        db.close()


@contextmanager
def beside(work: Callable[[Signal], object]) -> Iterator[int]:
    """A process of its own that says when it has come far enough, and then hangs. It is killed at the end, if not
    before."""
    ready = Signal()

    def hang() -> None:
        work(ready)
        ready.give()
        signal.pause()

    pid = fork(hang)
    try:
        ready.wait()
        yield pid
    finally:
        os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):  # whoever killed it has waited for it
            os.waitpid(pid, 0)


def environment_of(home: Path, **more: str) -> dict[str, str]:
    """The least that a hook needs."""
    return {"HOME": str(home.parent), "TREERING_HOME": str(home), "PATH": os.environ["PATH"], **more}


def started(event: str, environment: Mapping[str, str], *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", START, event, *words]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(environment)
    )


def ended(process: subprocess.Popen[bytes], payload: bytes) -> Said:
    try:
        out, err = process.communicate(payload, SLOWEST)
    except BrokenPipeError:
        out, err = process.communicate(timeout=SLOWEST)
    return Said(process.returncode, out.decode(), err.decode())


def hook(event: str, payload: object, home: Path, *words: str, **more: str) -> Said:
    """An event, heard by a process of its own."""
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return ended(started(event, environment_of(home, **more), *words), raw)


def rows(home: Path, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """What a store holds, read by somebody else."""
    db = apsw.Connection(str(home / FILE_NAME), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        return list(db.execute(sql, values))
    finally:
        db.close()


def queued_events(home: Path) -> list[dict[str, Any]]:
    """The queued events of a store, as they were written."""
    found = rows(home, "SELECT event, session, taken, made, body FROM inbox ORDER BY number")
    return [
        {"event": event, "session": session, "taken": taken, "made": made, **(json.loads(body) if body else {})}
        for event, session, taken, made, body in found
    ]


def spooled(home: Path) -> list[Path]:
    return sorted((home / SPOOL).iterdir()) if (home / SPOOL).is_dir() else []


def bytes_of(home: Path) -> bytes:
    """Every byte of every file of a home that nobody has open."""
    return b"\0".join(path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file())
