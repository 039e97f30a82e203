"""Hooks as processes, some of which are killed, and the work in the background that they leave behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from random import Random
from signal import SIGKILL
from time import perf_counter, sleep
from typing import Any, NamedTuple

SCRIPT = os.path.join(os.path.dirname(sys.executable), "treering-hook")
SOON = 0.06  # seconds within which a hook is killed: about as long as it lives
LATER = 1.5  # and work in the background


class Kills(NamedTuple):
    """How often a process is killed."""

    hooks: float = 0.1
    tends: float = 0.25
    doubled: float = 0.05  # and how often a hook is fired twice at once, as when it was installed twice


class Fired(NamedTuple):
    """What came of a hook."""

    event: str
    payload: Mapping[str, Any]
    took: float  # milliseconds
    killed: bool
    code: int
    said: str
    complaint: str  # what went to standard error

    @property
    def well(self) -> bool:
        return self.killed or (self.code == 0 and not self.complaint and self.context is not None)

    @property
    def context(self) -> str | None:
        """The context that the agent was given; None if that could not be read."""
        if not self.said:
            return ""
        try:
            own = json.loads(self.said)["hookSpecificOutput"]
            return str(own["additionalContext"]) if own["hookEventName"] == self.event else None
        except (ValueError, KeyError, TypeError):
            return None


class Runner:
    """Starts processes on a store, and ends all that it started."""

    def __init__(self, home: str, environment: Mapping[str, str], kills: Kills, seed: int) -> None:
        self.home = home
        self._environment = environment
        self._kills = kills
        self._random = Random(seed)
        self._working: list[subprocess.Popen[bytes]] = []
        self._lock = threading.Lock()
        self.killed = 0

    def bare(self) -> float:
        """Milliseconds that an interpreter takes to do nothing."""
        start = perf_counter()
        subprocess.run([sys.executable, "-c", ""], check=True, env=self._environment)
        return 1000 * (perf_counter() - start)

    def fire(self, event: str, payload: Mapping[str, Any], safe: bool = False) -> list[Fired]:
        """Fire a hook: once, or twice at the same time."""
        with self._lock:
            kill = not safe and self._random.random() < self._kills.hooks
            twice = not safe and self._random.random() < self._kills.doubled
            after = self._random.uniform(0, SOON) if kill else None
        if not twice:
            return [self._hook(event, payload, after)]
        found: list[Fired] = []
        threads = [threading.Thread(target=lambda: found.append(self._hook(event, payload, None))) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found

    def _hook(self, event: str, payload: Mapping[str, Any], after: float | None) -> Fired:
        start = perf_counter()
        process = subprocess.Popen(
            [SCRIPT, event, "--home", self.home],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environment,
        )
        if after is not None:
            threading.Timer(after, process.kill).start()
        said, complaint = process.communicate(json.dumps(payload).encode())
        took = 1000 * (perf_counter() - start)
        killed = process.returncode == -SIGKILL
        self.killed += killed
        return Fired(event, payload, took, killed, process.returncode, said.decode(), complaint.decode())

    def tend(self, safe: bool = False) -> None:
        """Work in the background, as an agent starts it and goes on."""
        process = subprocess.Popen(
            [SCRIPT, "tend", "--home", self.home],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=self._environment,
        )
        with self._lock:
            self._working.append(process)
            if not safe and self._random.random() < self._kills.tends:
                threading.Timer(self._random.uniform(0, LATER), self._kill, [process]).start()

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        if process.poll() is None:
            process.kill()
            self.killed += 1

    def settle(self, seconds: float) -> int:
        """Wait for the work in the background; how many had to be ended."""
        end = perf_counter() + seconds
        while perf_counter() < end and any(process.poll() is None for process in self._working):
            sleep(0.05)
        late = [process for process in self._working if process.poll() is None]
        for process in late:
            process.kill()
            process.wait()
        return len(late)


def left(home: str) -> list[str]:
    """Processes that have to do with a store and are still there."""
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                command = file.read()
        except OSError:
            continue
        if name.isdecimal() and int(name) != os.getpid() and home.encode() in command:
            found.append(command.replace(b"\0", b" ").decode("utf-8", "replace"))
    return found
