"""Runs `make test` on every Python of this machine that Treering supports, each in an environment of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

OLDEST = (3, 11)
NEWEST = (3, 14)
DEBIAN = "/usr/bin/python3"  # first: it is the oldest patch release that people still have
FOLDER = ".venvs"


class Python(NamedTuple):
    version: str
    path: str


class Outcome(NamedTuple):
    python: Python
    passed: bool
    seconds: float


def candidates(environ: dict[str, str]) -> Iterator[str]:
    """Yield where a Python may be: Debian's, pyenv's, then the names on PATH."""
    yield DEBIAN
    pyenv = Path(environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from map(str, sorted(pyenv.glob("versions/*/bin/python3")))
    names = ["python3", *(f"python{OLDEST[0]}.{minor}" for minor in range(OLDEST[1], NEWEST[1] + 1))]
    yield from filter(None, (shutil.which(name, path=environ.get("PATH")) for name in names))


def asked(path: str) -> Python | None:
    """Return the Python at a path, or None where there is none, or one that is too old."""
    question = "import sys; print(*sys.version_info[:3], sys.executable)"
    try:
        answer = subprocess.run([path, "-c", question], capture_output=True, text=True)
    except OSError:
        return None
    if answer.returncode:  # as of a pyenv shim whose version is not chosen
        return None
    major, minor, patch, executable = answer.stdout.strip().split(" ", 3)
    if (int(major), int(minor)) < OLDEST:
        return None
    return Python(f"{major}.{minor}.{patch}", executable)


def pythons(environ: dict[str, str]) -> list[Python]:
    """Return one Python for each version, in the order of the candidates."""
    found: dict[str, Python] = {}
    for path in candidates(environ):
        if python := asked(path):
            found.setdefault(python.version, python)
    return list(found.values())


def tested(python: Python) -> Outcome:
    started = time.monotonic()
    print(f"== Python {python.version} at {python.path}", flush=True)
    command = ["make", "--no-print-directory", "test", f"PYTHON={python.path}", f"VENV={FOLDER}/{python.version}"]
    done = subprocess.run(command)
    return Outcome(python, done.returncode == 0, time.monotonic() - started)


def line(outcome: Outcome) -> str:
    verdict = "passed" if outcome.passed else "FAILED"
    return f"{outcome.python.version:<8} {verdict}  {outcome.seconds / 60:5.1f} min  {outcome.python.path}"


def main() -> int:
    found = pythons(dict(os.environ))
    if not found:
        print(f"There is no Python {OLDEST[0]}.{OLDEST[1]} or newer on this machine.", file=sys.stderr)
        return 1
    outcomes = [tested(python) for python in found]
    print("\n".join(map(line, outcomes)))
    return 0 if all(outcome.passed for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
