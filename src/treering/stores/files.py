"""The folder and file of a store, for their owner's eyes only, whatever the umask."""

from __future__ import annotations

import os
from errno import ENOSPC

from treering.core.errors import StoreError, StoreFull, StoreUnavailable

FILE_NAME = "treering.db"
TENDING = "tend.lock"  # the file, in the home, that whoever tends holds
LETTER = ".json"  # how the name of a whole one ends
SPOOL = "inbox"  # the folder, in the home, of letters that could not be put into the store at once


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
    except OSError as error:
        raise _unmade(home, error) from error


def sync_folder(path: str) -> None:
    """What was made or renamed in a folder is there after a power cut only when the folder is synced."""
    if os.name == "nt":  # which has no such call, and needs none
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_file(path: str) -> None:
    """Make an empty file, 0600, before SQLite does: its -wal and -shm inherit the permissions.

    Only ever for a file that is not there. Opening and closing one that SQLite has open would drop the
    locks of the whole process, and with them acknowledged writes.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise _unmade(path, error) from error
    os.chmod(path, 0o600)


def _unmade(path: str, error: OSError) -> StoreError:
    if error.errno == ENOSPC:
        return StoreFull(f"no space is left for {path}: free some and try again")
    return StoreUnavailable(f"{path} cannot be made ({error.strerror}): choose another --home")


def spooled(home: str) -> bool:
    """Whether hooks have left letters beside the store."""
    folder = os.path.join(home, SPOOL)
    return os.path.isdir(folder) and any(name.endswith(LETTER) for name in os.listdir(folder))


def inode(path: str) -> int:
    """What tells a file from another of the same name; 0 if there is none."""
    try:
        return os.stat(path).st_ino
    except OSError:
        return 0


def place(path: str) -> str:
    """Tells a store from a copy of it, here or on another machine."""
    if path == ":memory:":
        return path
    machine = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
    return f"{inode(path)}@{machine}"
