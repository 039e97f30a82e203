"""The command line at work: in this process for breadth, as a program of its own for the truth."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from treering.cli import run

START = "from treering.cli import main; main()"


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
            timeout=60,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def shell(self, script: str) -> Result:
        """A script of bash in which `treering` is the program."""
        done = subprocess.run(
            ["bash", "-c", script], capture_output=True, cwd=self.folder, env=self.environment, timeout=60
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())
