"""Call the entry points that an agent and a person call, at a moment of a life.

`Inside` calls them in this process under a clock of its own, which is quick; `Outside` starts real processes
under faketime. Both take the same way from `treering-hook` on.
"""

from __future__ import annotations

import contextlib
import glob
import io
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Protocol

from treering.surfaces import cli, hook
from treering.surfaces.hook import maintain

FAKETIME = "/usr/lib/*/faketime/libfaketime.so.1"
LONGEST = 600  # seconds for one process


class Entry(Protocol):
    """The ways into the product."""

    home: Path  # of the person

    def hook(self, at: datetime, folder: Path, event: str, payload: str) -> str: ...
    def maintain(self, at: datetime, folder: Path) -> None: ...
    def command(self, at: datetime, folder: Path, *words: str) -> str: ...


def environment(home: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """Return the surroundings of a person who has nothing but these settings."""
    plain = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}
    return {**plain, "HOME": str(home), "TREERING_HOME": str(home / ".treering"), **settings}


class Inside:
    """Call functions of this process, which must be its only use: its clock and surroundings change."""

    def __init__(self, home: Path, settings: Mapping[str, str]) -> None:
        self.home = home
        self._now = 0
        os.environ.clear()
        os.environ.update(environment(home, settings))
        os.nice = lambda steps: steps  # each maintenance would add to it
        time.time_ns = lambda: self._now
        time.time = lambda: self._now / 1e9

    def hook(self, at: datetime, folder: Path, event: str, payload: str) -> str:
        with self._at(at, folder, payload):
            return hook.answer([event], os.environ, time.time_ns() // 1_000, time.perf_counter_ns())

    def maintain(self, at: datetime, folder: Path) -> None:
        with self._at(at, folder):
            maintain.maintain(str(self.home / ".treering"), os.environ, time.time_ns() // 1_000)

    def command(self, at: datetime, folder: Path, *words: str) -> str:
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        with self._at(at, folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(_discard()):
            cli.run([*words])
        return out.buffer.getvalue().decode()

    @contextlib.contextmanager
    def _at(self, at: datetime, folder: Path, given: str = "") -> Iterator[None]:
        """Be at a moment and in a folder, with something on standard input."""
        self._now = int(at.timestamp() * 1e6) * 1_000
        was, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(given.encode()))
        os.chdir(folder)
        try:
            yield
        finally:
            sys.stdin = was


def _discard() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


class Outside:
    """Start a process for each event, as an agent does."""

    def __init__(self, home: Path, settings: Mapping[str, str]) -> None:
        self.home = home
        library = next(iter(glob.glob(FAKETIME)), "")
        if not library:
            raise FileNotFoundError("the clock cannot be set: install the Debian package faketime")
        source = os.environ.get("PYTHONPATH", "")
        shared = {"LD_PRELOAD": library, "FAKETIME_DONT_RESET": "1", **({"PYTHONPATH": source} if source else {})}
        self._environment = environment(home, {**settings, **shared})

    def hook(self, at: datetime, folder: Path, event: str, payload: str) -> str:
        return self._run(at, folder, "treering.surfaces.hook", [event], payload)

    def maintain(self, at: datetime, folder: Path) -> None:
        self._run(at, folder, "treering.surfaces.hook", ["tend"])

    def command(self, at: datetime, folder: Path, *words: str) -> str:
        return self._run(at, folder, "treering", [*words])

    def _run(self, at: datetime, folder: Path, module: str, words: list[str], given: str = "") -> str:
        moment = {"FAKETIME": at.strftime("@%Y-%m-%d %H:%M:%S")}
        done = subprocess.run(
            [sys.executable, "-m", module, *words],
            input=given,
            env={**self._environment, **moment},
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=LONGEST,
        )
        return done.stdout
