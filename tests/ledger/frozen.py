"""A store that an earlier version wrote, and what it folded to: stored/f4ea56b/README.md says how it was made."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import treering

STORED = Path(__file__).parent / "stored" / "f4ea56b"
EXPORT = STORED / "export.jsonl"
SPACES = ("default", "team")
ASKED_AT = "2026-10-01T12:00:00Z"  # after the last event, so that nothing but the code can change an answer


def folded() -> dict[str, Any]:
    """Return what the store was when it was written."""
    known: dict[str, Any] = json.loads((STORED / "folded.json").read_text(encoding="utf-8"))
    return known


def copied(folder: Path, queued: bool = False) -> Path:
    """Copy the home of the store into a folder, with what hooks left in it or without."""
    home = folder / "home"
    shutil.copytree(STORED / "home", home)
    for path in (home, *home.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
    if not queued:
        shutil.rmtree(home / "inbox")
        with closing(sqlite3.connect(home / "treering.db", isolation_level=None)) as db:
            db.execute("DELETE FROM inbox WHERE taken = 0")
    return home


def ran(home: Path, *words: str, code: int = 0) -> str:
    """Run a command on a store, and return what it prints."""
    person = home.parent / "person"
    person.mkdir(exist_ok=True)
    environment = {**os.environ, "HOME": str(person), "TREERING_HOME": str(home), "TREERING_SWAP": "0"}
    command = [sys.executable, "-m", "treering", *words]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment, cwd=person)
    assert done.returncode == code, (words, done.stdout, done.stderr)
    return done.stdout


def answered(home: Path, *words: str, code: int = 0) -> Any:
    """Run a command on a store, and return its answer."""
    return json.loads(ran(home, *words, "--json", code=code))


def memories(home: Path) -> list[treering.Memory]:
    """Return every memory of a store: newest first in each space, the forgotten ones last."""
    found: list[treering.Memory] = []
    for space in SPACES:
        with treering.open(home, space=space) as memory:
            found += [*memory.list(), *memory.list(status="forgotten")]
    return found


def fields(memory: treering.Memory, names: list[str]) -> dict[str, Any]:
    """Return fields of a memory as JSON has them."""
    return {name: _plain(getattr(memory, name)) for name in names}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
