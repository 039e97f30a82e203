"""Open the file of a store: check that it is ours and of a version that we know, and set it up to
lose nothing."""

from __future__ import annotations

import os
import time
from typing import Any

import apsw

from treering.ledger.errors import ForeignFile, NewerStore, StoreUnavailable
from treering.ledger.types import comes_from
from treering.stores.files import IN_MEMORY, inode, make_file
from treering.stores.sqlite import schema

# Before this one, a checkpoint could skip committed pages (the WAL-reset race).
OLDEST_SAFE_SQLITE = (3, 51, 3)
PATIENCE = 60.0  # seconds that a writer waits for others; 64 at once need less than 10
CACHE_KIB = 16_384  # a bulk import works in this much memory, however long the file
LOG_BYTES = 67_108_864  # what a log may keep of its size after a long import
_PAUSE = 0.002  # seconds between two attempts: about as long as a write takes
_SMALLEST = 512  # bytes; SQLite takes what is shorter for an empty file, and writes over it

_SETTINGS = (
    "synchronous = FULL",  # an acknowledged write survives a power cut
    "secure_delete = ON",  # what is deleted is overwritten, so that a purge leaves nothing
    "temp_store = MEMORY",
    f"cache_size = -{CACHE_KIB}",
    f"journal_size_limit = {LOG_BYTES}",
)


def check_library() -> None:
    """Refuse a SQLite that can lose committed data."""
    version = apsw.sqlite_lib_version()
    if tuple(map(int, version.split("."))) < OLDEST_SAFE_SQLITE:
        raise StoreUnavailable(f"SQLite {version} can lose committed data: run `pip install -U apsw`")


def connect(path: str) -> apsw.Connection:
    """Return a connection to a store, which is made if it is not there."""
    if path != IN_MEMORY:
        make_file(path)
    db = apsw.Connection(path, statementcachesize=200)
    try:
        # Until the file is known to be ours, nothing of it is to be changed, not even by closing
        # it.
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, inode(path + "-wal") > 0)
        if db.readonly("main"):
            raise StoreUnavailable(f"{path} cannot be written: check its owner and permissions")
        _prepare(db, path)
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    except BaseException:
        db.close()
        raise
    return db


def _prepare(db: apsw.Connection, path: str) -> None:
    wait_for_others(db, PATIENCE)
    db.create_scalar_function("comes_from", _comes_from, 2, deterministic=True)
    version = _version(db, path)
    for setting in _SETTINGS:
        db.execute("PRAGMA " + setting)
    if version == 0:
        db.execute("PRAGMA journal_mode = WAL").fetchall()
        _create(db, path)
    elif version < schema.VERSION:
        from treering.stores.sqlite.migrations import migrate

        migrate(db)


def wait_for_others(db: apsw.Connection, seconds: float) -> None:
    """Let a connection wait up to so long for others who write.

    SQLite's own way tries the less often the longer it has waited, so that whoever came last is served
    first. Here all try equally often.
    """
    began = 0.0

    def again(tries: int) -> bool:
        nonlocal began
        began = time.monotonic() if tries == 0 else began
        if time.monotonic() - began >= seconds:
            return False
        time.sleep(_PAUSE)
        return True

    db.set_busy_handler(again)


def _version(db: apsw.Connection, path: str) -> int:
    """Return the schema's version; 0 for a file that is still empty."""
    db.execute("SAVEPOINT look")  # one view for all three: another process may be making the store
    version: int = db.pragma("user_version")
    owner: int = db.pragma("application_id")
    tables = db.execute("SELECT 1 FROM sqlite_schema").fetchall()
    db.execute("RELEASE look")
    if path != IN_MEMORY and 0 < os.path.getsize(path) < _SMALLEST:
        raise ForeignFile(f"{path} is not a Treering store: move it away, or choose another --home")
    if owner != schema.APPLICATION_ID and (version or tables):
        raise ForeignFile(f"{path} belongs to another program: move it away, or choose another --home")
    if version > schema.VERSION:
        raise NewerStore(
            f"{path} was written by a newer Treering (schema {version}, this one knows {schema.VERSION}): "
            "run `pip install -U treering`"
        )
    return version


def _create(db: apsw.Connection, path: str) -> None:
    db.execute("BEGIN IMMEDIATE")
    try:
        if _version(db, path) == 0:  # unless another process was here first
            for _ in db.execute(schema.LEDGER + schema.INBOX + schema.PROJECTIONS):
                pass
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _comes_from(*values: Any) -> bool:
    return comes_from(*values)
