"""Put a virtual clock, virtual chance and a virtual disk below the real code, for as long as a life lasts."""

from __future__ import annotations

import fcntl
import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import ModuleType
from typing import Any
from unittest.mock import patch

import apsw

import treering.models.embed
from tests.simulator.disk import Disk, SqliteFiles, System
from tests.simulator.schedule import Process, Schedule
from tests.world import Dice, Hashed
from treering import compose
from treering.capture import api as capture
from treering.consolidate import api as consolidate
from treering.consolidate import pipeline
from treering.ledger import transfer
from treering.recall import recalls
from treering.stores import files
from treering.stores.sqlite import connection, heads, queue, store
from treering.stores.sqlite import open as opening
from treering.stores.sqlite.store import SqliteStore
from treering.surfaces.hook import act, maintain

_PAUSE = 5_000  # microseconds after which a process looks again whether a lock is free
# Modules that write files, ask for random bytes, or name their process.
_TOUCH_THE_SYSTEM: tuple[ModuleType, ...] = (files, heads, queue, compose, capture, transfer, act, maintain)


class Time:
    """The module `time`, by the virtual clock."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self.monotonic = schedule.seconds

    def sleep(self, seconds: float) -> None:
        self._schedule.wait(int(seconds * 1e6))


class Locks:
    """Locks on files, which a process loses when it ends, and waits for by the virtual clock."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule

    def lock(self, handle: int, wait: bool = True) -> None:
        while True:
            self._schedule.touch()
            try:
                return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if not wait:
                    raise
                self._schedule.wait(_PAUSE)


class Held(dict[str, int]):
    """The locks of all processes, each with its owner."""

    def __init__(self, schedule: Schedule) -> None:
        super().__init__()
        self._schedule = schedule
        self._owners: dict[str, Process | None] = {}

    def __setitem__(self, path: str, handle: int) -> None:
        self._owners[path] = self._schedule.current
        super().__setitem__(path, handle)

    def of(self, process: Process) -> list[str]:
        return [path for path in self if self._owners.get(path) is process]


class Connected:
    """The connections of each process, which its end closes, whoever still refers to them."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule

    def __call__(self, db: apsw.Connection) -> None:
        if (process := self._schedule.current) is not None:
            process.leave.append(partial(_drop, db))


def _drop(db: apsw.Connection) -> None:
    with suppress(apsw.ConnectionClosedError):
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        db.close(True)


@contextmanager
def simulated(disk: Disk, seed: int, learns: bool) -> Iterator[None]:
    """Within it, nothing of this machine but its processor has a say. If the store `learns`, it is a person's verdicts
    that tell what is worth keeping."""
    schedule, dice = disk.schedule, Dice(seed)
    time, locks, system = Time(schedule), Locks(schedule), System(disk, dice)
    changes: list[tuple[Any, str, Any]] = [
        *((module, "os", system) for module in _TOUCH_THE_SYSTEM),
        *((module, "monotonic", schedule.seconds) for module in (capture, consolidate, pipeline)),
        *((module, "perf_counter_ns", lambda: 0) for module in (pipeline, recalls)),
        *((module, "lock", locks.lock) for module in (files, heads)),
        (files, "_held", Held(schedule)),
        (connection, "time", time),
        (opening, "time", time),
        (queue, "time", schedule.seconds),
        (store, "place", lambda path: "here"),
        (compose, "now", schedule.now),
        (SqliteStore, "close", _closing(schedule)),
        (treering.models.embed, "embedder_named", lambda *given: Hashed()),
    ]
    undo = [patch.object(*change) for change in changes]
    collecting, below, hook = gc.isenabled(), SqliteFiles(disk), Connected(schedule)
    apsw.connection_hooks.append(hook)
    gc.disable()  # what it would close, and when, is no part of a life
    try:
        for one in undo:
            one.start()
        with patch.dict(os.environ, TREERING_LEARN_FROM_ME=str(learns).lower()):
            yield
    finally:
        for one in reversed(undo):
            one.stop()
        apsw.connection_hooks.remove(hook)
        below.unregister()
        if collecting:
            gc.enable()


def _closing(schedule: Schedule) -> Callable[[SqliteStore], None]:
    """Return a `close` at which no call to the disk fails: SQLite ignores that there, but an error that is raised in
    Python would come through."""
    close = SqliteStore.close

    def closed(store: SqliteStore) -> None:
        process = schedule.current
        if process is None:
            return close(store)
        process.spared = True
        try:
            return close(store)
        finally:
            process.spared = False

    return closed


def end(process: Process) -> None:
    """Release what a process held, as its end does."""
    held: Any = files._held
    for path in held.of(process):
        files.release(path)
