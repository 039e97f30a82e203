"""The command line at work: in this process for breadth, as a program of its own for the truth."""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest

from treering.surfaces.cli import COMPLETE, run
from treering.surfaces.cli.app import PROGRAM, Group, started

START = "from treering.surfaces.cli import main; main()"


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Cli:
    """`cli("list", "--json")`, in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> Result:
        self._capsys.readouterr()
        code = run(words)
        out, err = self._capsys.readouterr()
        return Result(code, out, err)

    def fine(self, *words: str) -> Result:
        """A call that is expected to work."""
        result = self(*words)
        assert result.code == 0, result.err
        return result

    def remember(self, text: str, *options: str) -> str:
        """The id of a new memory."""
        return self.fine("remember", text, *options).out.strip()


class Program:
    """`program("list")`, as a process of its own."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(folder / "person"),
            "TREERING_HOME": str(home),
            "TREERING_SWAP": "0",
        }

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-c", START, *words]

    def __call__(self, *words: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> Result:
        done = subprocess.run(
            self.command(*words),
            input=stdin,
            capture_output=True,
            cwd=self.folder,
            env={**self.environment, **(environment or {})},
            timeout=300,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def shell(self, script: str) -> Result:
        """A script of bash in which `treering` is the program."""
        done = subprocess.run(
            ["bash", "-c", script], capture_output=True, cwd=self.folder, env=self.environment, timeout=300
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def terminal(self, *words: str, columns: int = 100, environment: Mapping[str, str] | None = None) -> Terminal:
        return Terminal(self.command(*words), self.folder, {**self.environment, **(environment or {})}, columns)


class Terminal:
    """The program as somebody has it before them who reads and types."""

    PATIENCE = 300.0  # seconds without a word

    def __init__(self, command: list[str], folder: Path, environment: Mapping[str, str], columns: int) -> None:
        self._end, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        self._process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env={**environment, "TERM": "xterm"},
            start_new_session=True,
            preexec_fn=_own_terminal,
        )
        os.close(theirs)
        self.shown = ""
        self._read_to = 0

    def until(self, text: str) -> str:
        """What is shown up to a text, since the last one that was waited for."""
        while text not in self.shown[self._read_to :]:
            if not self._more():
                raise AssertionError(f"{text!r} was not shown:\n{self.shown[self._read_to :]}")
        start = self._read_to
        self._read_to = self.shown.index(text, start) + len(text)
        return self.shown[start : self._read_to]

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())

    def ended(self) -> int:
        """Its code, once it has; what it showed is read to the end."""
        while self._more():
            pass
        os.close(self._end)
        return self._process.wait(self.PATIENCE)

    def _more(self) -> bool:
        if not select.select([self._end], [], [], self.PATIENCE)[0]:
            self._process.kill()
            raise AssertionError(f"nothing more was shown:\n{self.shown[self._read_to :]}")
        try:
            found = os.read(self._end, 65_536)
        except OSError:  # how Linux says that nobody is at the other end
            return False
        self.shown += found.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(found)


def _own_terminal() -> None:
    """Let Ctrl-C reach it, also where these tests run in the background of a shell, which ignores it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def completed(before: Sequence[str], current: str = "") -> list[tuple[str, str]]:
    """Return what the tab key offers after some words, each with a word about it."""
    from click.shell_completion import ShellComplete

    shell = ShellComplete(started(), {"obj": {}}, PROGRAM, COMPLETE)
    return [(item.value, item.help or "") for item in shell.get_completions([*before], current) if item.value]


def parsed(*words: str) -> click.Context:
    """Return what a command line amounts to, without running it."""
    context = started().make_context(PROGRAM, [*words], obj={"words": [*words]})
    while isinstance(context.command, Group) and (rest := [*context._protected_args, *context.args]):
        name, command, rest = context.command.resolve_command(context, rest)
        context = command.make_context(name, rest, parent=context)
    return context
