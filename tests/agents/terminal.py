"""Type into an agent at a terminal, by tmux."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic, sleep
from types import TracebackType
from typing import Self

from tests.agents.room import Room

TMUX = shutil.which("tmux")
_PAUSE = 0.2  # seconds between two looks at the screen
_SETTLE = 1.0  # seconds that a text field needs before Enter counts


class Terminal:
    """A screen of an agent, which ends with it."""

    def __init__(self, room: Room, words: Sequence[str]) -> None:
        self._tmux = [str(TMUX), "-L", f"treering-{secrets.token_hex(4)}", "-f", "/dev/null"]
        settings = [f"{name}={value}" for name, value in room.variables().items()]
        line = shlex.join(["env", "-i", *settings, *words])
        begin = ["new-session", "-d", "-s", "agent", "-x", "150", "-y", "50", "-c", str(room.work), line]
        surroundings = {"PATH": "/usr/bin:/bin", "HOME": str(room.home), "LANG": "C.UTF-8", "TERM": "xterm-256color"}
        subprocess.run([*self._tmux, *begin], check=True, env=surroundings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.is_open:  # some agents outlive their terminal
            asked = [*self._tmux, "list-panes", "-t", "agent", "-F", "#{pane_pid}"]
            found = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.split()
            for group in map(int, found):
                with suppress(ProcessLookupError):
                    os.killpg(group, signal.SIGKILL)
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, check=False)

    @property
    def screen(self) -> str:
        shot = [*self._tmux, "capture-pane", "-p", "-t", "agent"]
        return subprocess.run(shot, capture_output=True, text=True, check=False).stdout

    @property
    def is_open(self) -> bool:
        asked = [*self._tmux, "has-session", "-t", "agent"]
        return subprocess.run(asked, capture_output=True, check=False).returncode == 0

    def wait(self, pattern: str, seconds: float = 40.0) -> bool:
        """Return whether a pattern came onto the screen in time."""
        end = monotonic() + seconds
        while not (seen := re.search(pattern, self.screen)) and monotonic() < end and self.is_open:
            sleep(_PAUSE)
        return seen is not None

    def type(self, text: str) -> None:
        """Type a line, and Enter."""
        subprocess.run([*self._tmux, "send-keys", "-l", "-t", "agent", text], check=True)
        sleep(_SETTLE)
        self.key("Enter")

    def key(self, *names: str) -> None:
        for name in names:
            subprocess.run([*self._tmux, "send-keys", "-t", "agent", name], check=False, capture_output=True)
            sleep(_PAUSE)

    def ended(self, seconds: float = 15.0) -> bool:
        """Return whether the agent ended in time."""
        end = monotonic() + seconds
        while self.is_open and monotonic() < end:
            sleep(_PAUSE)
        return not self.is_open
