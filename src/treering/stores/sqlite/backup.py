"""Copy a store to one file while others write, and count and check what a store file holds, for
`treering doctor`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import apsw

from treering.ledger.errors import InvalidInput, StoreDamaged, StoreUnavailable
from treering.ledger.verify import verify
from treering.stores.files import is_kept, make_file, sync_folder
from treering.stores.sqlite.connection import Connections, named
from treering.stores.sqlite.open import OLDEST_SAFE_SQLITE
from treering.stores.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from treering.ledger.verify import Report


PAGES = 1_000  # copied at a time: about 4 MB between two reports of progress


def copy(store: object, path: str, progress: Callable[[int], None] = lambda done: None) -> Report:
    """Copy a store to a file and check the copy, which is whole or not there. Return the report of the check."""
    if not isinstance(store, SqliteStore):
        raise StoreUnavailable("only a store in a file can be copied")
    path = os.path.realpath(path)
    if is_kept(path) and os.path.dirname(path) == os.path.dirname(os.path.realpath(store.path)):
        raise InvalidInput(f"{path} is a store, or a file that a store needs: name another file for the backup")
    draft = f"{path}.{os.urandom(4).hex()}.part"
    try:
        make_file(draft)
        store.view(lambda: _copied(store, draft, progress))
        report = _checked(draft)
        os.replace(draft, path)
    finally:
        for end in ("", "-wal", "-shm"):
            if os.path.exists(draft + end):
                os.unlink(draft + end)
    sync_folder(os.path.dirname(path))
    return report


def check(path: str) -> Report:
    """Check a backup as a store is checked, without changing it."""
    if not os.path.isfile(path):
        raise StoreUnavailable(f"{path} is no file: name a backup")
    source = SqliteStore(path)
    try:
        return verify(source)
    finally:
        source.close()


def restore(store: object, path: str, progress: Callable[[int], None] = lambda done: None) -> Report:
    """Put a backup in the place of what a store holds, while others may have it open. It writes under a new name."""
    if not isinstance(store, SqliteStore):
        raise StoreUnavailable("only a store in a file can be restored")
    report = check(path)
    if not report.clean:
        raise StoreDamaged(f"{path} has {len(report.problems)} problems, so nothing was changed: try an older backup")
    source, target = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY), store.connections.get()
    try:
        _copy_pages(source, target, path, progress)
    finally:
        source.close()
    store.write(store.accept_loss)  # its next numbers may have been used
    return report


def _copied(store: SqliteStore, draft: str, progress: Callable[[int], None]) -> None:
    """Copy page by page. The open view keeps what others write meanwhile out of it."""
    source = store.connections.get()
    source.execute("SELECT count(*) FROM sqlite_schema").fetchall()  # the view begins with the first read
    target = apsw.Connection(draft)
    try:
        _copy_pages(source, target, draft, progress)
    finally:
        target.close()


def _copy_pages(source: apsw.Connection, target: apsw.Connection, path: str, progress: Callable[[int], None]) -> None:
    try:
        with target.backup("main", source, "main") as copying:
            while not copying.done:
                copying.step(PAGES)
                progress(copying.page_count - copying.remaining)
    except apsw.Error as error:
        raise named(error, path) from error


def _checked(draft: str) -> Report:
    copied = SqliteStore(draft)
    try:
        report = verify(copied)
    finally:
        copied.close()
    if not report.clean:
        raise StoreDamaged(f"the copy has {len(report.problems)} problems, so it was not kept: run `treering verify`")
    return report


_CONTENTS = "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM memories)"
_UNPROFILED = """SELECT count(*) FROM memories WHERE status <> 'forgotten'
    AND number > (SELECT coalesce(max(number), 0) FROM profiles)"""
_QUEUE = """SELECT count(*) FILTER (WHERE taken = 0), count(*) FILTER (WHERE instr(body, '"problem": '))
    FROM inbox"""


class Library(NamedTuple):
    """The versions of SQLite and of its binding."""

    sqlite: str
    apsw: str
    oldest_safe: str  # of SQLite: one before it can lose committed data
    safe: bool


class Figures(NamedTuple):
    """The counts of a store."""

    version: int  # of its schema
    faults: tuple[str, ...]  # what SQLite finds wrong with the file
    events: int
    memories: int
    unprofiled: int  # memories that wait to be indexed
    queued: int  # events of hooks that nobody has taken in
    failed: int  # events of hooks that could not be taken in as they should


def library() -> Library:
    """Return the versions of SQLite and apsw, and whether they are safe."""
    version = apsw.sqlite_lib_version()
    safe = tuple(map(int, version.split("."))) >= OLDEST_SAFE_SQLITE
    return Library(version, apsw.apsw_version(), ".".join(map(str, OLDEST_SAFE_SQLITE)), safe)


def figures(path: str, most_faults: int) -> Figures:
    """Look quickly through a store file, and bring it to the schema of today if it is older."""
    db = Connections(path)
    try:
        ((version,),) = db.rows("PRAGMA user_version")
        checked = db.rows(f"PRAGMA quick_check({most_faults})")
        faults = tuple(text for (text,) in checked if text != "ok")
        ((events, memories),) = db.rows(_CONTENTS)
        ((unprofiled,),) = db.rows(_UNPROFILED)
        ((queued, failed),) = db.rows(_QUEUE)
    finally:
        db.close()
    return Figures(version, faults, events, memories, unprofiled, queued, failed)
