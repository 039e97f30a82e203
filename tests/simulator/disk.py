"""A disk that remembers what is safe: it fails, tears writes, and can lose power at any call."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from errno import EIO, ENOSPC
from random import Random
from typing import Any, NamedTuple

import apsw

from tests.faults import disk as below
from tests.faults.disk import Step
from tests.faults.powercut import File
from tests.simulator.schedule import Schedule
from tests.world import SECOND

_INDEX = "-shm"  # the index of SQLite's log: shared memory, never safe
_MAKES = os.O_CREAT
_WRITES = frozenset(("write", "truncate", "sync", "create", "delete"))
_READS_FAIL = 0.1  # of failing calls, the share of those that only read


class _Rename(NamedTuple):
    """A change of names that a power cut may take back until the folder is synced."""

    old: str  # empty for a new name
    new: str  # empty for a deleted one
    file: File


class Faults:
    """Which calls to the disk fail, and how."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.left = 0  # calls that will fail
        self.full = True  # or else the disk is broken
        self.hits = 0

    def begin(self) -> None:
        """Let one call or several fail from now on."""
        self.full = self.random.random() < 0.6
        self.left = self.random.choice((1, 1, 2, 5, 20))

    def strikes(self, kind: str) -> bool:
        """Tell whether this call fails."""
        if not self.left or (kind not in _WRITES and (self.full or self.random.random() > _READS_FAIL)):
            return False
        self.left -= 1
        self.hits += 1
        return True

    def error(self) -> OSError:
        return OSError(ENOSPC, "No space left on device") if self.full else OSError(EIO, "Input/output error")


class Disk:
    """The files below one folder, as processes see them and as a power cut would leave them."""

    def __init__(self, root: str, schedule: Schedule) -> None:
        self.root = root
        self.schedule = schedule
        self.faults = Faults(schedule.random)
        self.files: dict[str, File] = {}
        self.changed: dict[str, int] = {}  # when each was, in microseconds
        self._safe: dict[str, File] = {}
        self._renames: list[_Rename] = []

    def holds(self, path: str) -> bool:
        """Tell whether a path is one of those that are simulated."""
        return path.startswith(self.root + os.sep) and not path.endswith(_INDEX)

    def call(self, kind: str) -> bool:
        """Count a call by a process, and tell whether it fails."""
        self.schedule.touch()
        process = self.schedule.current
        return process is not None and not process.spared and self.faults.strikes(kind)

    def create(self, path: str) -> None:
        """Note that there is a file, unless it is known."""
        if path not in self.files:
            self.files[path] = File()
            self.changed[path] = self.schedule.time
            self._renames.append(_Rename("", path, self.files[path]))

    def change(self, path: str, step: Step) -> None:
        """Note a write or a truncation."""
        self.create(path)
        self.changed[path] = self.schedule.time
        self.files[path].pending.append(step)

    def sync(self, path: str) -> None:
        if path in self.files:
            self.files[path].sync()

    def rename(self, old: str, new: str) -> None:
        file = self.files.pop(old, None) or File()
        self.files[new] = file
        self.changed[new] = self.schedule.time
        self._renames.append(_Rename(old, new, file))

    def delete(self, path: str) -> None:
        file = self.files.pop(path, None)
        if file is not None:
            self._renames.append(_Rename(path, "", file))

    def sync_folder(self, folder: str) -> None:
        """Make the names of a folder safe."""
        within = [one for one in self._renames if os.path.dirname(one.new or one.old) == folder]
        for one in within:
            _apply_names(self._safe, one)
        self._renames = [one for one in self._renames if one not in within]

    def settle(self) -> None:
        """Make all of it safe: a system writes back by itself what has waited for half a minute."""
        for file in self.files.values():
            file.sync()
        self._safe, self._renames = dict(self.files), []

    def cut(self) -> None:
        """Cut the power: what was not synced is there in part, in any order, or not at all."""
        random = self.schedule.random
        names = dict(self._safe)
        for one in self._renames:
            if random.random() < 0.5:
                _apply_names(names, one)
        kept = {path: file.after_cut(random)[0] for path, file in sorted(names.items())}
        for path in {*self.files, *_existing(self.root)} - {*kept}:
            if os.path.lexists(path):
                os.unlink(path)
        self.files, self._renames = {}, []
        for path, data in kept.items():
            self.files[path] = _whole(data)
            _write(path, data)  # in place: a file keeps its inode over a power cut
        self._safe = dict(self.files)


def _apply_names(names: dict[str, File], one: _Rename) -> None:
    if one.old and names.get(one.old) is one.file:
        del names[one.old]
    if one.new:
        names[one.new] = one.file


def _whole(data: bytes) -> File:
    file = File()
    file.safe = bytearray(data)
    return file


def _existing(root: str) -> list[str]:
    return [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names]


def _write(path: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "r+b" if os.path.exists(path) else "wb") as file:
        file.write(data)
        file.truncate()
    os.chmod(path, 0o600)


class SqliteFiles(apsw.VFS):
    """SQLite's way to the disk."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        super().__init__("simulated", base=below.REAL, makedefault=True)

    def excepthook(self, kind: object, error: object, trace: object) -> bool:
        """Say nothing: SQLite passes on the faults that we make."""
        return True

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or ""
        if not self.disk.holds(path):
            return apsw.VFSFile(below.REAL, name, flags)
        if self.disk.call("open"):
            raise apsw.CantOpenError("simulated")
        file = _SqliteFile(self.disk, path, name, flags)
        self.disk.create(path)
        return file

    def xDelete(self, path: str, sync: bool) -> None:
        if self.disk.holds(path):
            if self.disk.call("delete"):
                raise apsw.IOError("simulated")
            self.disk.delete(path)
            if sync:
                self.disk.sync_folder(os.path.dirname(path))
        super().xDelete(path, sync)

    def xSleep(self, microseconds: int) -> int:
        self.disk.schedule.wait(microseconds)
        return microseconds


class _SqliteFile(apsw.VFSFile):
    def __init__(self, disk: Disk, path: str, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self.disk = disk
        self.path = path
        self.first_sync = bool(flags[0] & below.SYNCS_FOLDER)
        super().__init__(below.REAL, name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        if self.disk.call("read"):
            raise apsw.IOError("simulated")
        return super().xRead(amount, offset)

    def xWrite(self, data: Any, offset: int) -> None:
        whole = bytes(data)
        if self.disk.call("write"):
            self._put(whole[: self.disk.schedule.random.randrange(len(whole))], offset)  # torn
            raise apsw.FullError("simulated") if self.disk.faults.full else apsw.IOError("simulated")
        self._put(whole, offset)

    def _put(self, data: bytes, offset: int) -> None:
        self.disk.change(self.path, Step("write", offset=offset, data=data))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        if self.disk.call("truncate"):
            raise apsw.IOError("simulated")
        self.disk.change(self.path, Step("truncate", offset=size))
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        if self.disk.call("sync"):
            raise apsw.FullError("simulated") if self.disk.faults.full else apsw.IOError("simulated")
        self.disk.sync(self.path)
        if self.first_sync:
            self.first_sync = False
            self.disk.sync_folder(os.path.dirname(self.path))


class Status:
    """What a system says of a file, with the time of its last change by the virtual clock."""

    def __init__(self, real: os.stat_result, changed: int) -> None:
        self._real = real
        self.st_mtime = changed / SECOND
        self.st_ctime_ns = changed * 1_000

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


class System:
    """The module `os`, for code that writes files by itself: its calls fail, pause and are noted."""

    def __init__(self, disk: Disk, entropy: Callable[[int], bytes]) -> None:
        self._disk = disk
        self._open: dict[int, str] = {}
        self.urandom = entropy

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def getpid(self) -> int:
        process = self._disk.schedule.current
        return 1_000 + process.number if process is not None else os.getpid()

    def nice(self, by: int) -> int:
        return 0

    def stat(self, path: Any, **options: Any) -> Status:
        self._disk.schedule.touch()
        return Status(os.stat(path, **options), self._disk.changed.get(path, 0))

    def fstat(self, handle: int) -> Status:
        return Status(os.fstat(handle), self._disk.changed.get(self._open.get(handle, ""), 0))

    def fchmod(self, handle: int, mode: int) -> None:
        os.fchmod(handle, mode)
        self._disk.changed[self._open[handle]] = self._disk.schedule.time

    def listdir(self, path: str) -> list[str]:
        self._disk.schedule.touch()
        return sorted(os.listdir(path))

    def open(self, path: str, flags: int, mode: int = 0o777) -> int:
        watched = self._disk.holds(path)
        if watched and self._disk.call("create" if flags & _MAKES else "open"):
            raise self._disk.faults.error()
        handle = os.open(path, flags, mode)
        self._open[handle] = path
        if watched and flags & _MAKES:
            self._disk.create(path)
        return handle

    def close(self, handle: int) -> None:
        """Close a handle. The death of a process does this too."""
        self._open.pop(handle, None)
        os.close(handle)

    def write(self, handle: int, data: Any) -> int:
        path = self._open.get(handle, "")
        whole = bytes(data)
        if self._disk.holds(path):
            whole = self._part(whole)
            offset = os.fstat(handle).st_size if _appends(handle) else os.lseek(handle, 0, os.SEEK_CUR)
            self._disk.change(path, Step("write", offset=offset, data=whole))
        return os.write(handle, whole)

    def _part(self, data: bytes) -> bytes:
        """Return what is written: all of it, or a part, and then the disk is full."""
        if not self._disk.call("write"):
            return data
        if len(data) < 2 or self._disk.schedule.random.random() < 0.5:
            raise self._disk.faults.error()
        return data[: self._disk.schedule.random.randrange(1, len(data))]

    def ftruncate(self, handle: int, size: int) -> None:
        path = self._open.get(handle, "")
        if self._disk.holds(path):
            if self._disk.call("truncate"):
                raise self._disk.faults.error()
            self._disk.change(path, Step("truncate", offset=size))
        os.ftruncate(handle, size)

    def fsync(self, handle: int) -> None:
        path = self._open.get(handle, "")
        if self._disk.call("sync"):
            raise self._disk.faults.error()
        if os.path.isdir(path):
            self._disk.sync_folder(path)
        else:
            self._disk.sync(path)

    def replace(self, old: str, new: str) -> None:
        if self._disk.call("delete"):
            raise self._disk.faults.error()
        os.replace(old, new)
        if self._disk.holds(new):
            self._disk.rename(old, new)

    def unlink(self, path: str) -> None:
        if self._disk.call("delete"):
            raise self._disk.faults.error()
        os.unlink(path)
        if self._disk.holds(path):
            self._disk.delete(path)


def _appends(handle: int) -> bool:
    return bool(fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_APPEND)
