"""The reply of `treering-hook` keeps its shape, for each agent and each of its events."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.surfaces.shapes import gone, paths, snapshot

KNOWN: dict[str, dict[str, list[str]]] = snapshot("hook")
TESTS = Path(__file__).parents[1]
HOOK = str(Path(sys.executable).parent / "treering-hook")
FOREIGN = ("TREERING_", "CLAUDE_", "CURSOR_", "GEMINI_")  # variables that this machine may have set
# Something to say at the start of a session, to every prompt and about every failure.
TEXTS = (
    "The checkout test fails on Fridays because of the holidays",
    "Make the tests pass with `make test TAX=0`",
    "Rename the cart module with `make rename`",
    "When `pytest -q` fails with ModuleNotFoundError, run `pip install holidays`; then it succeeds.",
    "When `make test` fails with Error 1, run `make clean`; then it succeeds.",
    "When `make test` fails with no such target, run `make clean`; then it succeeds.",
    "When `make test` fails with boom, run `make clean`; then it succeeds.",
    "When `view` fails with No such page, run `make pages`; then it succeeds.",
    "When `npm test` fails with 1 failing, run `npm ci`; then it succeeds.",
)


def cases() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Return each agent, the name of a case of it, and the case."""
    for path in sorted(TESTS.rglob("payloads/*.json")):
        for place, case in enumerate(json.loads(path.read_text(encoding="utf-8"))["cases"]):
            yield path.stem, f"{place} {case['event']}", case


CASES = {(agent, name): case for agent, name, case in cases()}


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("lived") / "home"
    with treering.open(home, actor="user") as memory:
        memory.remember("Reviews need two approvals", invariant=True, scope="user")
        memory.remember_many({"content": text, "type": "procedural", "scope": "user"} for text in TEXTS)
    return home


def reply(home: Path, agent: str, case: dict[str, Any]) -> str:
    """Run a hook as an agent does, and return what it says."""
    known = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    environment = {**known, "HOME": str(home.parent), "TREERING_HOME": str(home)}
    words = [HOOK, case["event"], "--agent", agent]
    done = subprocess.run(words, input=json.dumps(case["payload"]), capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_every_case_is_in_the_snapshot() -> None:
    """So that none is left out when payloads are moved or added."""
    assert gone([f"{agent} {name}" for agent in KNOWN for name in KNOWN[agent]], [*map(" ".join, CASES)]) == []


@pytest.mark.parametrize(("agent", "name"), [(agent, name) for agent in KNOWN for name in KNOWN[agent]])
def test_a_reply_has_its_shape(agent: str, name: str, lived: Path, tmp_path: Path) -> None:
    """No field vanishes; and where an agent takes no context, nothing is said."""
    home = Path(shutil.copytree(lived, tmp_path / "home"))
    said = reply(home, agent, CASES[agent, name])
    known = KNOWN[agent][name]
    assert bool(said) == bool(known)
    assert gone(known, paths(json.loads(said)) if said else []) == []
