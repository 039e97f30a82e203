"""Locks that are dropped behind SQLite's back, forks, threads: what was acknowledged stays."""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

import treering
from tests.faults.harness import Signal, apart, bring_in, database, done, fork, kill, make_export, verified
from treering.ledger.errors import StoreUnavailable
from treering.ledger.transfer import export_file
from treering.stores.sqlite.connection import Connections

WRITES = 100
Loss = Callable[[Path], None]


def test_the_bundled_sqlite_does_not_lose_committed_pages() -> None:
    """The library that comes with apsw is one in which the WAL-reset race is fixed."""
    assert tuple(map(int, apsw.sqlite_lib_version().split("."))) >= (3, 51, 3)


@pytest.mark.parametrize("version", ["3.40.1", "3.51.2", "3.7.0"])
def test_an_affected_sqlite_is_refused(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library with the WAL-reset race never gets to open a store, and the message says what to do."""
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: version)
    with pytest.raises(StoreUnavailable, match="pip install -U apsw"):
        treering.open(tmp_path)
    assert not os.path.exists(database(str(tmp_path)))


def _nobody_else(home: Path) -> None:
    """The log is removed by a process that opens and closes the store."""
    apart(home)


def _others_write(home: Path) -> None:
    """The log is removed, and others write to a new one."""
    apart(home)
    apart(home, "memory.remember_many({'content': f'other {n}'} for n in range(50))")


def _others_write_on(home: Path) -> None:
    """Others write to the log that is then removed."""
    apart(home, "memory.remember_many({'content': f'other {n}'} for n in range(50))")


@pytest.mark.parametrize("had_written", [True, False])
@pytest.mark.parametrize("meanwhile", [_nobody_else, _others_write, _others_write_on])
def test_writes_survive_code_that_opens_and_closes_the_files(
    had_written: bool, meanwhile: Loss, tmp_path: Path
) -> None:
    """Other code in the process reads the store's files, which drops its locks; another process then
    removes the log. 100 memories acknowledged after that are all there after kill -9, each of them once."""
    found, problems = _after_dropped_locks(tmp_path, had_written, meanwhile)
    assert problems == ()
    mine = {text: count for text, count in found.items() if text.startswith("mine")}
    assert mine == {f"mine {number}": 1 for number in range(WRITES)}
    others = 0 if meanwhile is _nobody_else else 50
    assert sum(count for text, count in found.items() if text.startswith("other")) == others


def test_the_dropped_locks_would_lose_writes_without_the_guard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the look at the log before acknowledging, writes are lost: the test above can fail."""
    monkeypatch.setattr(Connections, "_still_ours", lambda self: True)
    found, problems = _after_dropped_locks(tmp_path, True, _nobody_else)
    assert sum(text.startswith("mine") for text in found) < WRITES
    assert "acknowledged events are missing" in problems[0]


def _after_dropped_locks(home: Path, had_written: bool, meanwhile: Loss) -> tuple[Counter[str], tuple[str, ...]]:
    ready, go, written = Signal(), Signal(), Signal()

    def victim() -> None:
        memory = treering.open(home)
        if had_written:
            memory.remember("before")
        for name in sorted(os.listdir(home)):  # as a backup or a search through the folder would
            with open(home / name, "rb") as file:
                file.read(16)
        ready.give()
        go.wait()
        for number in range(WRITES):
            memory.remember(f"mine {number}")
        written.give()
        signal.pause()

    treering.open(home).close()
    pid = fork(victim)
    try:
        ready.wait()
        meanwhile(home)
        go.give()
        written.wait()
    finally:
        kill(pid)
    with treering.open(home) as memory:
        return Counter(record.content for record in memory.list()), verified(memory).problems


@pytest.mark.skipif(not os.path.exists("/proc/locks"), reason="needs /proc/locks")
def test_no_call_of_ours_drops_the_locks(tmp_path: Path) -> None:
    """After every call the process still holds its lock on the database: none of our code opens the file."""
    home = tmp_path / "home"
    other = make_export(str(tmp_path), "other", ["from elsewhere"])
    with treering.open(home) as memory:
        note = memory.remember("held", origin="document:a.md:1", session="s")
        held = _locks(home)
        assert len(held) == 2
        calls: list[Callable[[], object]] = [
            lambda: memory.remember_many([{"content": "a"}, {"content": "b"}]),
            lambda: memory.get(note.id),
            lambda: [*memory.list()],
            lambda: memory.recall("held"),
            lambda: memory.history(note.id),
            lambda: memory.forget(note.id),
            lambda: memory.restore(note.id),
            lambda: memory.undo(note.id, dry_run=True),
            lambda: memory.revoke(source="a.md"),
            lambda: memory.purge(note.id),
            lambda: export_file(memory.store, str(tmp_path / "export.jsonl")),
            lambda: bring_in(memory, other.path),
            lambda: memory.ledger.rebuild(),
            lambda: verified(memory),
            lambda: treering.open(home).close(),
            lambda: treering.open(home, as_of="2026-01-01").close(),
        ]
        for number, call in enumerate(calls):
            call()
            assert _locks(home) == held, f"call {number}"


def _locks(home: Path) -> set[str]:
    """The files of a store on which this process holds a lock."""
    names = {os.stat(home / name).st_ino: name for name in os.listdir(home)}
    found = set()
    with open("/proc/locks", encoding="ascii") as lines:
        for line in lines:
            fields = line.split()
            if "->" in fields or int(fields[4]) != os.getpid():
                continue
            found.add(names.get(int(fields[5].split(":")[2]), ""))
    return found - {""}


@pytest.mark.parametrize("parent_closes", [False, True])
def test_a_forked_child_may_go_on_with_the_memory_of_its_parent(parent_closes: bool, tmp_path: Path) -> None:
    """Parent and child both write through the object that the parent opened, and others come and go: all is
    there, even after the child is killed."""
    home = tmp_path / "home"
    ready, go, written = Signal(), Signal(), Signal()
    memory = treering.open(home)
    memory.remember("parent before")

    def child() -> None:
        memory.remember("child first")
        ready.give()
        go.wait()
        for number in range(WRITES):
            memory.remember(f"child {number}")
        written.give()
        signal.pause()

    pid = fork(child)
    try:
        ready.wait()
        memory.remember("parent after")
        if parent_closes:
            memory.close()
        apart(home, "memory.remember('other')")
        go.give()
        for number in range(0 if parent_closes else WRITES):
            memory.remember(f"parent {number}")
        written.wait()
    finally:
        kill(pid)
        memory.close()
    expected = 4 + WRITES + (0 if parent_closes else WRITES)
    with treering.open(home) as again:
        assert verified(again).clean
        assert len({record.content for record in again.list()}) == expected == len([*again.list()])


def test_a_forked_child_that_only_ends_harms_nobody(tmp_path: Path) -> None:
    """A child that inherits an open memory and ends leaves its parent's locks and log alone."""
    with treering.open(tmp_path) as memory:
        memory.remember("before")
        held = _locks(tmp_path)
        assert done(fork(lambda: None), fork(memory.close))
        assert _locks(tmp_path) == held
        apart(tmp_path)
        memory.remember("after")
    with treering.open(tmp_path) as memory:
        assert {record.content for record in memory.list()} == {"before", "after"}


def test_threads_share_one_memory(tmp_path: Path) -> None:
    """8 threads write 50 memories each through one object: all are there, and the store verifies."""
    with treering.open(tmp_path) as memory:
        _in_threads(8, lambda name: [memory.remember(f"{name} {number}") for number in range(50)])
        texts = Counter(record.content for record in memory.list())
        assert texts == {f"{name} {number}": 1 for name in range(8) for number in range(50)}
        assert verified(memory).clean


def test_threads_that_end_leave_no_connection_behind(tmp_path: Path) -> None:
    """A server with a thread for each request does not run out of file descriptors."""
    with treering.open(tmp_path) as memory:
        memory.remember("first")
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(20):
            _in_threads(1, lambda name: memory.remember("another"))
        assert len(os.listdir("/proc/self/fd")) <= before + 3


def test_a_closed_memory_leaves_no_log_behind(tmp_path: Path) -> None:
    """What was written is in the database when the last one closes it."""
    memory = treering.open(tmp_path)
    memory.remember("one")
    memory.close()
    assert not os.path.exists(database(str(tmp_path)) + "-wal")


def _in_threads(count: int, work: Callable[[int], object]) -> None:
    failures: list[BaseException] = []

    def run(name: int) -> None:
        try:
            work(name)
        except treering.TreeringError as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(name,)) for name in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
