"""Many processes on one store at once: nobody is turned away, and nothing is lost."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.faults.harness import apart, bring_in, contents, done, fork, verified
from treering.ledger.transfer import export
from treering.stores.sqlite import connection

WRITERS, WRITES = 16, 25
WRITERS_LONG, WRITES_LONG = 64, 500
WAITERS, WAITS = 24, 40
LONGEST_WAIT = 1 / 2  # of the time that all of them take: with SQLite's own way of waiting it is two thirds and more
CREATORS = 8  # processes that make the same new store at once


def test_nothing_is_lost_when_many_processes_write(tmp_path: Path, tell: Callable[[str], None]) -> None:
    """16 processes with 25 writes each, every one on a fresh connection: no error, all of them there."""
    _assert_all_written(tmp_path, WRITERS, WRITES, tell)


@pytest.mark.long
def test_nothing_is_lost_when_64_processes_write(tmp_path: Path, tell: Callable[[str], None]) -> None:
    """64 processes with 500 writes each, every one on a fresh connection: no error, all of them there."""
    _assert_all_written(tmp_path, WRITERS_LONG, int(os.environ.get("WRITES", WRITES_LONG)), tell)


def test_readers_see_whole_writes_only_and_turn_no_writer_away(tmp_path: Path) -> None:
    """While others write five at a time, every reader sees a multiple of five, never fewer than before."""
    home = tmp_path / "home"
    treering.open(home).close()
    writers = [fork(partial(_write_many, home, name)) for name in range(4)]
    readers = [fork(lambda: _read_until(home, 4 * 20 * 5)) for _ in range(4)]
    assert done(*writers, *readers)
    _assert_holds(home, 4 * 20 * 5)


def test_writers_take_turns(tmp_path: Path, tell: Callable[[str], None]) -> None:
    """24 processes write without a pause: nobody waits for nearly as long as all of them take."""
    home = tmp_path / "home"
    treering.open(home).close()
    began = time.monotonic()
    assert done(*(fork(partial(_write_and_time, home, tmp_path / f"wait{name}")) for name in range(WAITERS)))
    total = time.monotonic() - began
    longest = max(float(path.read_text()) for path in tmp_path.glob("wait*"))
    tell(f"{WAITERS} processes, {WAITS} writes each: {total:.1f} s, the longest wait {longest:.2f} s")
    assert longest < LONGEST_WAIT * total


def _write_and_time(home: Path, result: Path) -> None:
    """Write on one connection, and leave how long the slowest write took."""
    longest = 0.0
    with treering.open(home) as memory:
        for number in range(WAITS):
            began = time.monotonic()
            memory.remember(f"{result.name} number {number}")
            longest = max(longest, time.monotonic() - began)
    result.write_text(str(longest))


@pytest.mark.parametrize("attempt", range(5))
def test_a_new_store_can_be_made_by_many_processes_at_once(attempt: int, tmp_path: Path) -> None:
    """Eight processes find no store and make it together: all of them succeed, and it is one store."""
    home = tmp_path / "new" / "home"
    pids = [fork(partial(_write, home, f"creator {name}", 3)) for name in range(CREATORS)]
    assert done(*pids)
    _assert_holds(home, CREATORS * 3)
    with treering.open(home) as memory:
        assert len(memory.store.heads()) == 1


def test_other_operations_go_on_beside_writers(tmp_path: Path) -> None:
    """Forgetting, undoing, purging, rebuilding and verifying succeed while others write."""
    home = tmp_path / "home"
    with treering.open(home) as memory:
        ids = [record.id for record in memory.remember_many({"content": f"old {n}"} for n in range(60))]
    writers = [fork(partial(_write, home, f"writer {name}", 15)) for name in range(4)]
    others = [
        fork(lambda: _each(home, ids[:20], lambda memory, old: memory.forget(old))),
        fork(lambda: _each(home, ids[20:40], lambda memory, old: memory.undo(old))),
        fork(lambda: _each(home, ids[40:50], lambda memory, old: memory.purge(old))),
        fork(lambda: _each(home, ids[:3], lambda memory, _: memory.ledger.rebuild())),
        fork(lambda: _each(home, ids[:5], lambda memory, _: _assert_clean(memory))),
    ]
    assert done(*writers, *others)
    with treering.open(home) as memory:
        _assert_clean(memory)
        assert len([*memory.list()]) == 4 * 15 + 60 - 20 - 20 - 10


def test_an_export_made_while_others_write_can_be_imported(tmp_path: Path) -> None:
    """An export is a moment of the ledger: what is written meanwhile is in it or not, and it is sound."""
    home, path = tmp_path / "home", tmp_path / "export.jsonl"
    with treering.open(home) as memory:
        memory.remember("the first")
        with open(path, "wb") as file:
            export(memory.store, _Interrupted(file, lambda: apart(home, "memory.remember('meanwhile')")))
    with treering.open(tmp_path / "copy") as copy:
        bring_in(copy, str(path))
        _assert_clean(copy)
        assert "the first" in contents(copy).values()


def test_writing_while_reading_a_long_answer_is_not_turned_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that goes through its memories and forgets each one gets on beside another writer."""
    monkeypatch.setattr(connection, "PATIENCE", 2.0)
    with treering.open(tmp_path) as memory:
        memory.remember_many({"content": f"number {n}"} for n in range(20))
        for number, record in enumerate(memory.list()):
            if number == 0:
                apart(tmp_path, "memory.remember('meanwhile')")
            memory.forget(record.id)
        assert [record.content for record in memory.list()] == ["meanwhile"]


class _Interrupted(io.BufferedWriter):
    """A file, into whose first line something else happens."""

    def __init__(self, file: io.RawIOBase | Any, interrupt: Callable[[], None]) -> None:
        super().__init__(file)
        self.interrupt: Callable[[], None] | None = interrupt

    def write(self, data: Any) -> int:
        written = super().write(data)
        if self.interrupt is not None:
            interrupt, self.interrupt = self.interrupt, None
            interrupt()
        return written


def _assert_all_written(folder: Path, processes: int, writes: int, tell: Callable[[str], None]) -> None:
    home = folder / "home"
    began = time.monotonic()
    pids = [fork(partial(_write, home, f"process {name}", writes)) for name in range(processes)]
    failed = sum(not done(pid) for pid in pids)
    seconds = time.monotonic() - began
    with treering.open(home) as memory:
        held = len([*memory.list()])
    lost = processes * writes - held
    tell(f"processes: {processes} x {writes} writes in {seconds:.1f} s, {failed} failed, {lost} lost")
    assert not failed
    _assert_holds(home, processes * writes)


def _write(home: Path, name: str, writes: int) -> None:
    for number in range(writes):
        with treering.open(home) as memory:
            memory.remember(f"{name} {number}")


def _write_many(home: Path, name: int) -> None:
    for number in range(20):
        with treering.open(home) as memory:
            memory.remember_many({"content": f"{name} {number} {row}"} for row in range(5))


def _read_until(home: Path, total: int) -> None:
    seen = 0
    while seen < total:
        with treering.open(home) as memory:
            now = len([*memory.list()])
        assert now >= seen and now % 5 == 0
        seen = now


def _each(home: Path, ids: list[str], work: Callable[[treering.Treering, str], object]) -> None:
    for id in ids:
        with treering.open(home) as memory:
            work(memory, id)


def _assert_clean(memory: treering.Treering) -> None:
    report = verified(memory)
    assert report.clean, report.problems


def _assert_holds(home: str | os.PathLike[str], count: int) -> None:
    with treering.open(home) as memory:
        _assert_clean(memory)
        records = [*memory.list()]
        assert len(records) == count
        assert len({record.id for record in records}) == len({record.content for record in records}) == count
