"""What SQLite says when something is wrong, in words that tell a person what to do."""

from __future__ import annotations

import apsw

from treering.core.errors import (
    ForeignFile,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreUnavailable,
)

# What other processes cause, and waiting cures.
PASSING = (apsw.BusyError, apsw.ProtocolError, apsw.LockedError)

_FAULTS: tuple[tuple[type[apsw.Error], type[StoreError], str], ...] = (
    (apsw.BusyError, StoreBusy, "another process has held {path} for too long: find it, or try again"),
    (apsw.ProtocolError, StoreBusy, "too many processes want {path} at once: try again"),
    (apsw.LockedError, StoreBusy, "{path} is in use by this process already: close the other reader first"),
    (apsw.FullError, StoreFull, "no space is left for {path}: free some and try again; nothing was lost"),
    (apsw.NotADBError, ForeignFile, "{path} is not a Treering store: move it away, or choose another --home"),
    (
        apsw.CorruptError,
        StoreDamaged,
        "{path} is damaged ({error}): keep a copy, then restore a backup or import an export",
    ),
    (apsw.ReadOnlyError, StoreUnavailable, "{path} cannot be written: check the permissions of its folder"),
    (apsw.PermissionsError, StoreUnavailable, "{path} may not be opened: check its owner and permissions"),
    (apsw.CantOpenError, StoreUnavailable, "{path} cannot be opened: check that its folder can be written"),
    (apsw.AuthError, StoreUnavailable, "{path} may not be opened: check its owner and permissions"),
    (
        apsw.IOError,
        StoreError,
        "the disk failed under {path} ({error}): check it and try again; nothing was lost",
    ),
)


def named(error: apsw.Error, path: str) -> StoreError:
    """Our name for an error of SQLite's."""
    if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHMSIZE:
        error = apsw.FullError(str(error))  # the shared index of the log could not grow
    for kind, ours, text in _FAULTS:
        if isinstance(error, kind):
            return ours(text.format(path=path, error=error))
    return StoreError(f"{path}: {type(error).__name__}: {error}")
