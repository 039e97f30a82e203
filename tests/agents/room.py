"""A room for one agent: a home that is thrown away, a project, an installed Treering, and a scripted model."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from math import inf
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple

from tests.agents.model import Model, Request
from tests.agents.packages import cache

_SIOCSIFFLAGS = 0x8914  # sets the flags of a network interface
_UP = 0x41  # up, and running
LIMIT = 120  # seconds that an agent may take for one session


class TooSlow(Exception):
    """The time is over that all checks together may take."""


class Ran(NamedTuple):
    code: int
    out: str
    began: float
    ended: float
    requests: Sequence[Request]

    @property
    def wait(self) -> float:
        """Seconds from the start to the first request of the session."""
        sessions = [request for request in self.requests if request.tools]
        return sessions[0].at - self.began if sessions else -1.0

    @property
    def after(self) -> float:
        """Seconds from the last request to the end of the process."""
        return self.ended - self.requests[-1].at if self.requests else -1.0


def loopback() -> None:
    """Bring up the loopback of this network namespace."""
    with socket.socket() as one:
        fcntl.ioctl(one, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _UP))


class Room:
    """A home and a project of one agent, and the model that it asks. Closing it removes both."""

    def __init__(self, agent: str, ends: float = inf) -> None:
        """Take the moment, on the monotonic clock, at which whatever runs in here is ended."""
        homes = cache() / "homes"  # Codex makes no programs below a folder for temporary files
        homes.mkdir(parents=True, exist_ok=True)
        self.home = Path(tempfile.mkdtemp(prefix=f"{agent}-", dir=homes))
        self.work = self.home / "work" / "shop"
        self.work.mkdir(parents=True)
        (self.home / "tmp").mkdir()
        subprocess.run(["git", "init", "-q", str(self.work)], check=True, capture_output=True)
        self.model = Model(str(self.work))
        self.environment: dict[str, str] = {}
        self._ends = ends
        self.notes: list[str] = []  # figures to be read

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.model.port}"

    @property
    def store(self) -> Path:
        return self.home / ".treering"

    def variables(self) -> dict[str, str]:
        """Return the whole environment of an agent. Our programs are not on its path."""
        return {
            "HOME": str(self.home),
            "PATH": f"{os.path.dirname(shutil.which('node') or '')}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "SHELL": "/bin/bash",
            "TMPDIR": str(self.home / "tmp"),
            **self.environment,
        }

    def run(self, words: Sequence[str], limit: float = LIMIT, cwd: Path | None = None) -> Ran:
        """Run a program as the user of this room, and return what it did."""
        began = monotonic()
        with tempfile.TemporaryFile("w+") as out:
            process = subprocess.Popen(
                words,
                cwd=cwd or self.work,
                env=self.variables(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                code = process.wait(max(0.0, min(limit, self._ends - began)))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                code = process.wait()
                if monotonic() >= self._ends:
                    raise TooSlow from None
            ended = monotonic()
            out.seek(0)
            return Ran(code, out.read(), began, ended, tuple(self.model.requests))

    def treering(self, *words: str) -> str:
        """Run our own command as the user of this room, and return what it says."""
        program = Path(sys.executable).parent / "treering"
        done = self.run([str(program), *words])
        if done.code:
            raise AssertionError(f"treering {' '.join(words)}: {done.out}")
        return done.out

    def json(self, *words: str) -> Any:
        said = self.treering(*words, "--json")
        return json.loads(said[min(place for mark in "[{" if (place := said.find(mark)) >= 0) :])

    def waiting(self) -> int:
        """Return how many queued events nobody has taken in, without taking any in."""
        import apsw

        spooled = len([*(self.store / "inbox").glob("*")]) if (self.store / "inbox").is_dir() else 0
        if not (self.store / "treering.db").is_file():
            return spooled
        db = apsw.Connection(str(self.store / "treering.db"), flags=apsw.SQLITE_OPEN_READONLY)
        db.set_busy_timeout(5_000)
        try:
            rows = db.execute("SELECT 1 FROM inbox WHERE taken = 0").fetchall()
        except apsw.SQLError:  # the store is being made
            return spooled + 1
        finally:
            db.close()
        return len(rows) + spooled

    def processes(self) -> list[str]:
        """Return the command lines of processes that run with this home."""
        mark, found = f"HOME={self.home}\0".encode(), []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (folder / "environ").read_bytes() + b"\0":
                    found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip())
            except OSError:
                continue  # it has ended, or is another user's
        return [line for line in found if line]

    def until(self, true: Callable[[], bool], seconds: float) -> bool:
        """Wait until something is true, and return whether it became so in time."""
        end = monotonic() + seconds
        while not (met := true()) and monotonic() < end:
            sleep(0.2)
        return met

    def write(self, path: str, content: str | Mapping[str, Any]) -> None:
        """Write a file of the home."""
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content, indent=2))

    def close(self) -> None:
        shutil.rmtree(self.home, ignore_errors=True)
