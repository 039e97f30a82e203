"""Make the folder and the file of a store, for their owner only, lock a task to one process, and
keep the log of hooks.

A lock is on a file, and ends with the process that holds it. The log never grows large; `treering
doctor` shows what it says.
"""

from __future__ import annotations

import os
from errno import EINVAL, ENOSPC
from io import UnsupportedOperation  # an OSError and a ValueError
from stat import S_ISREG

from treering.ledger.errors import StoreError, StoreFull, StoreUnavailable
from treering.ledger.tuples import NamedTuple

FILE_NAME = "treering.db"
IN_MEMORY = ":memory:"  # instead of a path: a store that no file holds
TENDING = "tend.lock"  # the file, in the home, that the process which maintains the store locks
QUEUED = ".json"  # how the name of a queued event's file ends, once it is written whole
SPOOL = "inbox"  # the folder, in the home, of events that could not be queued in the store at once
UNFINISHED, UNREADABLE = ".part", ".bad"  # how the names of others in that folder end
_KEPT = ("config.toml", "installed.json", "sync.json", "hook.log", "tend.lock")  # in a home, beside the store
_WRITABLE_BY_OTHERS = 0o022
_NOFOLLOW, _NOWAIT = getattr(os, "O_NOFOLLOW", 0), getattr(os, "O_NONBLOCK", 0)


def is_kept(path: str) -> bool:
    """Tell whether a file is a store, lies beside one under its name, or is another that a home keeps: nothing that
    somebody asks to be written may take its place."""
    folder, name = os.path.split(os.path.realpath(path))
    there = os.path.exists(os.path.join(folder, FILE_NAME))
    return there and (name.startswith(FILE_NAME) or name in _KEPT)


def make_home(home: str) -> None:
    """Make the folder, 0700, and whatever is missing above it."""
    above = os.path.dirname(os.path.abspath(home))
    if above != home and not os.path.isdir(above):
        make_home(above)
    try:
        os.mkdir(home, 0o700)
        os.chmod(home, 0o700)
        sync_folder(above)
    except FileExistsError:
        if not os.path.isdir(home):
            raise StoreUnavailable(f"{home} is not a folder: choose another --home") from None
        shut(home)
    except OSError as error:
        raise _unmade(home, error) from error


def shut(home: str) -> None:
    """Take from others the right to write in a home: what they put there would be believed."""
    mode = os.stat(home).st_mode
    if os.name == "nt" or not mode & _WRITABLE_BY_OTHERS:
        return
    try:
        os.chmod(home, mode & 0o7777 & ~_WRITABLE_BY_OTHERS)
    except OSError:
        raise StoreUnavailable(
            f"other users can write in {home}: its owner has to `chmod go-w` it, or choose another --home"
        ) from None


def sync_folder(path: str) -> None:
    """Sync a folder, so that what was made or renamed in it is there after a power cut."""
    if os.name == "nt":  # which has no such call, and needs none
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_file(path: str) -> None:
    """Make an empty file, 0600, before SQLite does: its -wal and -shm inherit the permissions.

    Only ever for a file that is not there. Opening and closing one that SQLite has open would drop
    the locks of the whole process, and with them acknowledged writes.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        if not os.path.exists(path):
            raise StoreUnavailable(f"{path} is a link to a file that is not there: delete it, or mend it") from None
        return
    except OSError as error:
        raise _unmade(path, error) from error
    os.chmod(path, 0o600)


def open_file(path: str, flags: int = os.O_RDONLY) -> int:
    """Open a file. A pipe, a folder or a device in its place is refused, and not waited for."""
    handle = os.open(path, flags | _NOWAIT, 0o600)
    if S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise UnsupportedOperation(EINVAL, "a pipe, a folder or a device stands in the place of a file", path)


def open_own(path: str, flags: int) -> int:
    """Open a file that is for its owner only, whatever the umask says, and never through a link."""
    handle = open_file(path, flags | _NOFOLLOW)
    if os.name != "nt" and os.fstat(handle).st_mode & 0o777 == 0:  # just made, under a umask that takes everything
        os.fchmod(handle, 0o600)
    return handle


def read_own(path: str) -> str:
    """Return the text of a file of this user. Raise ValueError if it is something else: a pipe is not waited for."""
    handle = open_own(path, os.O_RDONLY)
    if os.name != "nt" and os.fstat(handle).st_uid not in (0, os.getuid()):
        os.close(handle)
        raise ValueError(f"{path} is not a file of this user")
    with open(handle, encoding="utf-8") as file:
        return file.read()


def _unmade(path: str, error: OSError) -> StoreError:
    if error.errno == ENOSPC:
        return StoreFull(f"no space is left for {path}: free some and try again")
    return StoreUnavailable(f"{path} cannot be made ({error.strerror}): choose another --home")


def spooled(home: str) -> bool:
    """Return whether hooks have queued events in the folder beside the store."""
    folder = os.path.join(home, SPOOL)
    return os.path.isdir(folder) and any(name.endswith(QUEUED) for name in os.listdir(folder))


def spool(home: str, name: str, text: str) -> None:
    """Write a queued event beside the store: when this returns it is there whole, after a power cut too; when it
    raises, nothing of it is."""
    folder = os.path.join(home, SPOOL)
    make_home(folder)
    path = os.path.join(folder, name)
    handle = open_own(path + UNFINISHED, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    try:
        left = memoryview(text.encode("utf-8", "replace"))
        while left:
            left = left[os.write(handle, left) :]
        os.fsync(handle)
    except OSError:
        os.close(handle)
        os.unlink(path + UNFINISHED)
        raise
    os.close(handle)
    os.replace(path + UNFINISHED, path + QUEUED)
    sync_folder(folder)


def inode(path: str) -> int:
    """Return what tells a file from another of the same name; 0 if there is none."""
    try:
        return os.stat(path).st_ino
    except OSError:
        return 0


def place(path: str) -> str:
    """Return what tells a store from a copy of it, here or on another machine."""
    if path == IN_MEMORY:
        return path
    machine = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
    return f"{inode(path)}@{machine}"


def is_running(process: int) -> bool:
    """Tell whether a process with this number runs, of whatever user."""
    if os.name == "nt":  # where the question would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


# What this process holds: the path of the file, and its handle.
_held: dict[str, int] = {}


def take(path: str) -> bool:
    """Take the lock of a path. Return False if somebody has it, in this process or another."""
    if path in _held:
        return False
    try:
        handle = open_own(path, os.O_CREAT | os.O_RDWR)
    except OSError as error:
        raise _unmade(path, error) from error
    if not _locked(handle):
        os.close(handle)
        return False
    _held[path] = handle
    return True


def release(path: str) -> None:
    """Release the lock of a path, if this process has it."""
    handle = _held.pop(path, None)
    if handle is not None:
        os.close(handle)


def _locked(handle: int) -> bool:
    try:
        lock(handle, wait=False)
    except OSError:
        return False
    return True


def lock(handle: int, wait: bool = True) -> None:
    """Lock an open file for this process, until it is closed."""
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


LOG_NAME = "hook.log"
OLDER = ".1"
UNTOLD = ".full"  # an empty file, which a full disk has room for: something went wrong that the log had no room for
LARGEST = 262_144  # bytes: some thousand lines, and as many in the file before it
_DIGITS = 18  # of a number that is a time
_LONGEST = 300  # characters of what went wrong


class HookRun(NamedTuple):
    """One run of a hook."""

    time: int  # microseconds since 1970
    event: str
    agent: str
    took: int  # microseconds, without the start of the interpreter
    problem: str = ""


def note(home: str, time: int, event: str, agent: str, took: int, problem: str = "") -> None:
    """Add a line: when, which, how many microseconds, and what went wrong, separated by tabs."""
    if not os.path.isdir(home):
        return
    path = os.path.join(home, LOG_NAME)
    plain = " ".join(problem.split())[:_LONGEST]
    line = "\t".join((str(time), _word(event), _word(agent), str(took), plain))
    handle = open_own(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY)
    try:
        data = "".join(f"{one}\n" for one in (*_untold(home), line)).encode("utf-8", "replace")
        whole = os.write(handle, data) == len(data)
        full = os.fstat(handle).st_size > LARGEST
    except OSError:
        whole = full = False
    finally:
        os.close(handle)
    if whole and os.path.exists(path + UNTOLD):
        os.unlink(path + UNTOLD)
    elif not whole and problem:
        os.close(open_own(path + UNTOLD, os.O_CREAT | os.O_WRONLY))
    if full:
        os.replace(path, path + OLDER)


def _untold(home: str) -> list[str]:
    """Return the line that the log had no room for, if there is one."""
    try:
        when = int(os.stat(os.path.join(home, LOG_NAME + UNTOLD)).st_mtime * 1_000_000)
    except OSError:
        return []
    return [f"{when}\t-\t-\t0\tthe disk was full: what a hook had could be neither queued nor told here"]


def _word(text: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "?" for letter in text[:40]) or "-"


def noted(home: str) -> list[HookRun]:
    """Return the runs that are still in the log, oldest first, without foreign lines."""
    found = []
    for name in (LOG_NAME + OLDER, LOG_NAME):
        try:
            with open(open_file(os.path.join(home, name)), encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        except OSError:
            continue
        if name == LOG_NAME:
            lines += _untold(home)
        for line in lines:
            time, event, agent, took, problem, *more = (*line.split("\t"), "", "", "", "", "")[:6]
            if _is_number(time) and _is_number(took) and not any(more):
                found.append(HookRun(int(time), event, agent, int(took), problem))
    return found


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _DIGITS
