"""A task that one process at a time does: a lock on a file, which goes with the process that holds it."""

from __future__ import annotations

import os

# What this process holds: the path of the file, and its handle.
_held: dict[str, int] = {}


def take(path: str) -> bool:
    """Take the lock, unless somebody has it, in this process or another."""
    if path in _held:
        return False
    handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    if not _locked(handle):
        os.close(handle)
        return False
    _held[path] = handle
    return True


def release(path: str) -> None:
    handle = _held.pop(path, None)
    if handle is not None:
        os.close(handle)


def _locked(handle: int) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
