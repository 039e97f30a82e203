"""A disk below SQLite: everything that the store does to its files is seen, and may be made to fail."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import apsw

REAL = "unix"  # SQLite's own way to the files, below ours
SYNCS_FOLDER = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL

# What is about to happen: the kind of call, the path, and for writes and truncations the place and bytes.
Watcher = Callable[[str, str, int, bytes], None]


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self.disk = disk
        self.path = name.filename() if isinstance(name, apsw.URIFilename) else name or ""
        self.first_sync = bool(flags[0] & SYNCS_FOLDER)
        super().__init__(REAL, name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        self.disk.watch("read", self.path, offset, b"")
        return super().xRead(amount, offset)

    def xWrite(self, data: Any, offset: int) -> None:
        self.disk.watch("write", self.path, offset, bytes(data))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        self.disk.watch("truncate", self.path, size, b"")
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        self.disk.watch("sync", self.path, 0, b"")
        super().xSync(flags)
        if self.first_sync:  # SQLite makes the name of a new log or journal durable with its first bytes
            self.first_sync = False
            self.disk.watch("sync folder", os.path.dirname(self.path), 0, b"")


class Disk(apsw.VFS):
    """The default file system of SQLite in this process for as long as it is registered."""

    def __init__(self, watch: Watcher) -> None:
        self.watch = watch
        super().__init__("watched", base=REAL, makedefault=True)

    def excepthook(self, kind: object, error: object, trace: object) -> bool:
        """A fault that we made is no news: SQLite passes it on."""
        return True

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or ""
        self.watch("open", path, flags[0], b"")
        return _File(self, name, flags)

    def xDelete(self, path: str, sync: bool) -> None:
        self.watch("delete", path, 0, b"")
        super().xDelete(path, sync)
        if sync:
            self.watch("sync folder", os.path.dirname(path), 0, b"")


@contextmanager
def watched(watch: Watcher) -> Iterator[None]:
    """Let every connection that is opened from here on go through the watcher."""
    disk = Disk(watch)
    try:
        yield
    finally:
        disk.unregister()


class Step(NamedTuple):
    """One thing that happened on the disk, or an acknowledgement."""

    kind: str  # create, write, truncate, sync, delete, sync folder, acknowledge
    file: int = 0
    offset: int = 0
    data: bytes = b""
    name: str = ""


class Recording:
    """All that happened to the files of one folder, in order; files by number, as names come and go."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._numbers: dict[str, int] = {}
        self._count = 0

    def watch(self, kind: str, path: str, offset: int, data: bytes) -> None:
        name = os.path.basename(path)
        if kind == "sync folder":
            self.steps.append(Step(kind))
        elif kind == "read" or not name:
            return
        elif kind == "open":
            self._opened(path, name)
        elif kind == "delete":
            self._numbers.pop(name, None)
            self.steps.append(Step(kind, name=name))
        else:
            self.steps.append(Step(kind, self._numbers[name], offset, data))

    def acknowledge(self, what: bytes) -> None:
        self.steps.append(Step("acknowledge", data=what))

    def _opened(self, path: str, name: str) -> None:
        if name in self._numbers:
            return
        empty = not os.path.exists(path) or os.path.getsize(path) == 0
        assert empty, f"{name} holds what was not recorded"
        self._count += 1
        self._numbers[name] = self._count
        self.steps.append(Step("create", self._count, name=name))
