"""Simulated lives hold every promise, and the simulator finds a defect that is put back."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from tests.simulator.life import Failure, make_exports, simulate
from treering.capture.inbox import sessions
from treering.capture.inbox.receive import parse
from treering.stores.files import SPOOL

SEEDS = 5  # a sample of a few seconds; `make simulate` lives a thousand lives
FIRST, FOUND_WITHIN = 11, 40  # seeds: with the first defect put back, one life in four tells
SHORTLY = 30  # lines of a trace before a loss is seen: other processes go on meanwhile


def run(*arguments: str) -> str:
    """Run the simulator in a process of its own, in which sets have the same order each time."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.simulator", "--processes", "1", *arguments], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_simulated_lives_hold_every_promise() -> None:
    """In a sample of lives nothing is lost, nothing purged is left, and no wall or trust is broken."""
    assert f"steps of {SEEDS} seeds" in run("--seeds", str(SEEDS), "--first", "1")


def test_the_same_seed_is_the_same_life() -> None:
    """A failure can be replayed: every event of a life follows from its seed."""
    first, second = (run("--seeds", "1", "--first", "17", "--steps", "40").splitlines()[-1] for _ in range(2))
    assert first.startswith("mark") and first == second


def first_failure(folder: Path, seeds: int, told: str) -> Failure | None:
    """Return the first failure that tells of something: a defect shows in more ways than one."""
    exports = make_exports(str(folder))
    for seed in range(FIRST, FIRST + seeds):
        lived = simulate(str(folder / "life"), seed, exports)
        if lived.failure is not None and any(told in problem for problem in lived.failure.problems):
            return lived.failure
    return None


def erase_all(self: sessions.Sessions, purged: Sequence[str], named: Collection[str]) -> None:
    """Blank whatever is queued in the store, and delete what is queued beside it: what `purge` did once."""
    for _, session, _ in self._inbox.sessions():
        for queued in self._inbox.of(session):
            kept = {"event": parse(queued).text("event")}
            self._inbox.claim(queued, self._at.now())
            self._inbox.update(queued._replace(body=str(kept)))
    for path in Path(self._at.home, SPOOL).glob("*"):
        path.unlink()


def test_a_purge_that_destroys_queued_statements_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the first defect put back, a statement that a hook queued during a purge is reported as lost."""
    monkeypatch.setenv("TREERING_SWAP", "0")
    monkeypatch.setattr(sessions.Sessions, "erase", erase_all)
    failure = first_failure(tmp_path, FOUND_WITHIN, "was acknowledged (queued by a hook")
    assert failure is not None
    assert "purge" in " ".join(failure.trace[-SHORTLY:])


def test_a_purge_that_leaves_the_text_on_the_disk_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A purge that is acknowledged before the pages are written anew is reported: the check of every byte can fail."""
    monkeypatch.setattr("treering.stores.sqlite.store.SqliteStore.scrub", lambda self: True)
    assert first_failure(tmp_path, FOUND_WITHIN, "purged, and still in") is not None
