"""The power goes at any moment: what was acknowledged is there, whatever the disk had not yet written."""

from __future__ import annotations

import os
import pickle
import shutil
import time
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from random import Random

import apsw
import pytest

import treering
from tests.faults.disk import Recording, Step, watched
from tests.faults.harness import Heads, database, examine, fork, heads_of, lost, make_export
from tests.faults.operations import KINDS, Planner
from tests.faults.powercut import Cut, State
from treering.stores.files import FILE_NAME
from treering.stores.sqlite import connection
from treering.stores.sqlite.open import connect
from treering.stores.sqlite.store import SqliteStore

STATES = 400
STATES_LONG = 100_000
CARELESS = 120  # states of a store that does not wait for the disk
STATES_OF_A_RUN = 2_500  # then another run of the store, from another seed
OPERATIONS = 14  # of a run, between two openings: every kind is among them
FRAMES = 40  # of the log before a checkpoint, so that a short run has some; SQLite's default is 1,000


def test_no_acknowledged_event_is_lost_when_the_power_goes(memory_disk: Path, tell: Callable[[str], None]) -> None:
    """In 400 states of the disk every acknowledged event is there, and the store verifies."""
    _assert_all_survive(memory_disk, STATES, tell)


@pytest.mark.long
def test_no_acknowledged_event_is_lost_in_a_hundred_thousand_states(
    memory_disk: Path, tell: Callable[[str], None]
) -> None:
    """In 100,000 states of the disk every acknowledged event is there, and the store verifies."""
    _assert_all_survive(memory_disk, int(os.environ.get("STATES", STATES_LONG)), tell, int(os.environ.get("FIRST", 1)))


@pytest.mark.parametrize("level", ["OFF", "NORMAL"])
def test_a_store_that_does_not_wait_for_the_disk_is_found_out(
    level: str, memory_disk: Path, monkeypatch: pytest.MonkeyPatch, tell: Callable[[str], None]
) -> None:
    """With synchronous=OFF or NORMAL the same checks find lost events: they can fail."""

    def careless(path: str) -> apsw.Connection:
        db = connect(path)
        db.execute(f"PRAGMA synchronous = {level}")
        return db

    steps = _recorded(memory_disk, 1, lambda: monkeypatch.setattr(connection, "connect", careless))
    found = [problems for problems in _problems(memory_disk, steps, CARELESS, Random(1)) if problems]
    tell(f"power loss with synchronous={level}: {len(found)} of {CARELESS} states are not as acknowledged")
    assert any("is lost" in problem for problems in found for problem in problems)


def _assert_all_survive(folder: Path, states: int, tell: Callable[[str], None], first: int = 1) -> None:
    began = time.monotonic()
    checked, run = 0, first - 1
    while checked < states:
        run += 1
        steps = _recorded(folder, run)
        for problems in _problems(folder, steps, min(STATES_OF_A_RUN, states - checked), Random(run)):
            checked += 1
            assert not problems, f"run {run}, state {checked}: {problems}"
    rate = checked / (time.monotonic() - began)
    tell(f"power loss: {checked:,} states of runs {first} to {run}, 0 lost, 0 corrupt, {rate:.0f} states/s")


def _recorded(folder: Path, seed: int, prepare: Callable[[], None] = lambda: None) -> list[Step]:
    """What a run of the real store does to its disk. It runs in a child: nothing of it stays behind."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / "recording"

    def run() -> None:
        prepare()
        recording = Recording()
        _run(folder, seed, recording)
        path.write_bytes(pickle.dumps(recording.steps))

    _, status = os.waitpid(fork(run), 0)
    assert status == 0
    steps: list[Step] = pickle.loads(path.read_bytes())
    return steps


def _run(folder: Path, seed: int, recording: Recording) -> None:
    """A few operations of every kind, over several openings of the store."""
    random = Random(seed)
    texts = [[f"import {number} {line}" for line in range(3)] for number in range(3)]
    exports = [make_export(str(folder), f"other{number}", lines) for number, lines in enumerate(texts)]
    kinds = [*KINDS, *(random.choice(KINDS) for _ in range(2 * OPERATIONS - len(KINDS)))]
    random.shuffle(kinds)
    if random.random() < 0.7:  # the rest of the runs leave the checkpoints to closing and purging
        apsw.connection_hooks.append(lambda db: db.wal_autocheckpoint(FRAMES))
    with watched(recording.watch):
        for half in (kinds[:OPERATIONS], kinds[OPERATIONS:]):
            with treering.open(folder / "home", actor="user") as memory:
                _act(Planner(memory, random, exports), half, recording)


def _act(planner: Planner, kinds: list[str], recording: Recording) -> None:
    for kind in kinds:
        for operation in planner.plan(kind):
            said = {record.id: record.content for record in planner.memory.store.records()}
            operation.run()
            erased = [said[id] for id in operation.becomes if said.get(id)] if kind == "purge" else []
            recording.acknowledge(pickle.dumps((heads_of(planner.memory), erased)))


def _problems(folder: Path, steps: list[Step], count: int, random: Random) -> Iterator[tuple[str, ...]]:
    """For each of up to so many states of the disk, what is wrong with the store that it leaves."""
    cut = Cut()
    home = folder / "after"
    sound: set[bytes] = set()
    made = 0
    for number, step in enumerate(steps):
        cut.play(step)
        due = count * (number + 1) // len(steps)
        for state in cut.states(max(0, due - made), random):
            made += 1
            yield _check(home, state, cut.acknowledged, random, sound)


def _check(home: Path, state: State, acknowledged: bytes, random: Random, sound: set[bytes]) -> tuple[str, ...]:
    """Open what the power cut left, as the next process would.

    Most states are recovered to pages that others were recovered to before. Those that were `sound` still are: of them
    is asked only whether they hold what was acknowledged by now.
    """
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    for name, data in state.items():
        (home / name).write_bytes(data)
    if random.random() < 0.1 and FILE_NAME in state:  # the index of the log is never synced: it may hold anything
        (home / f"{FILE_NAME}-shm").write_bytes(random.randbytes(32_768))
    heads: Heads
    heads, erased = pickle.loads(acknowledged) if acknowledged else ({}, [])
    try:
        with treering.open(home) as memory:
            assert isinstance(memory.store, SqliteStore)
            pages = blake2b(memory.store.connections.get().serialize("main")).digest()
            problems = tuple(lost(memory, heads)) if pages in sound else examine(memory, heads).problems
            sound.update(() if problems else (pages,))
    except treering.TreeringError as error:
        return (f"cannot be opened: {error}",)
    stored = Path(database(str(home))).read_bytes()
    return (*problems, *(f"purged, and still there: {text}" for text in erased if text.encode() in stored))
