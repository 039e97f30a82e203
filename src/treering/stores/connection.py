"""Connections to one SQLite file: one for each thread and process, and none that has gone stale."""

from __future__ import annotations

import os
import time
from _thread import _local  # threading.local, without the import of threading
from _weakref import ref

import apsw

from treering.core.errors import StoreDamaged, StoreError, StoreUnavailable
from treering.stores.faults import PASSING, named
from treering.stores.files import inode
from treering.stores.opening import PATIENCE, check_library, connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeVar

    T = TypeVar("T")
    Row = tuple[Any, ...]

FTS5_DOCUMENT = apsw.FTS5_TOKENIZE_DOCUMENT
_PAUSE = 0.005  # seconds between two attempts, when others were in the way

# Connections that a fork left in the child. Closing them there would harm the parent, so they stay.
_left_by_fork: list[apsw.Connection] = []


class Connections:
    def __init__(self, path: str) -> None:
        check_library()
        self.path = path
        self._pid = os.getpid()
        self._threads = _local()
        self._closed = False
        # Weak, so that the connection of a thread goes when the thread does.
        self._all: list[ref[apsw.Connection]] = []
        self.get()

    def get(self) -> apsw.Connection:
        """The connection of this thread in this process."""
        if self._closed:
            raise StoreUnavailable("this memory has been closed: open it again")
        if self._pid != os.getpid():
            _left_by_fork.extend(self._open())
            self._pid, self._threads, self._all = os.getpid(), _local(), []
        db: apsw.Connection | None = getattr(self._threads, "db", None)
        if db is not None and (db.in_transaction or self._still_ours()):
            return db
        if db is not None:
            self._abandon(db)
        db = self._threads.db = self._patiently(lambda: connect(self.path))
        self._threads.log = inode(self.path + "-wal")
        self._all = [ref(one) for one in (*self._open(), db)]
        return db

    def transaction(self, work: Callable[[], T]) -> T:
        """Run work between BEGIN IMMEDIATE and COMMIT, again if others were in the way."""
        if self.get().in_transaction:
            return work()
        return self._patiently(lambda: self._attempt(work))

    def view(self, work: Callable[[], T]) -> T:
        """Run work that only reads on the store as it is now, whatever others write meanwhile."""
        db = self.get()
        if db.in_transaction:
            return work()
        db.execute("BEGIN")
        try:
            return work()
        except apsw.Error as error:
            raise named(error, self.path) from error
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """All the rows at once; every statement of the text is run to its end."""
        db = self.get()
        if db.in_transaction:
            return self._fetch(db, sql, values)
        return self._patiently(lambda: self._fetch(db, sql, values))

    def idle(self) -> bool:
        """Whether a write could begin at once."""
        db = self.get()
        db.set_busy_timeout(0)
        try:
            db.execute("BEGIN IMMEDIATE")
            db.execute("ROLLBACK")
        except apsw.Error:
            return False
        finally:
            db.set_busy_timeout(int(PATIENCE * 1000))
        return True

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """One statement for each row, inside a transaction."""
        self.get().executemany(sql, rows)

    def stems(self, text: str) -> list[str]:
        """What the full-text index makes of a text."""
        tokenizer = self.get().fts5_tokenizer("porter", ["unicode61"])
        options = {"include_offsets": False, "include_colocated": False}
        return [str(stem) for stem in tokenizer(text.encode("utf-8", "replace"), FTS5_DOCUMENT, None, **options)]

    def close(self) -> None:
        for db in self._open():
            db.close()
        self._all, self._threads, self._closed = [], _local(), True

    def _open(self) -> list[apsw.Connection]:
        return [db for one in self._all if (db := one()) is not None]

    def _fetch(self, db: apsw.Connection, sql: str, values: Sequence[Any]) -> list[Row]:
        try:
            return list(db.execute(sql, values))
        except UnicodeDecodeError as error:
            raise StoreDamaged(f"{self.path} is damaged: it holds a text that is none ({error})") from error
        except PASSING:
            raise  # to whoever has patience
        except apsw.Error as error:
            raise named(error, self.path) from error

    def _attempt(self, work: Callable[[], T]) -> T:
        while True:
            db = self.get()
            db.execute("BEGIN IMMEDIATE")
            try:
                result = work()
                db.execute("COMMIT")
            except BaseException as error:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                if isinstance(error, (apsw.Error, StoreError)):
                    self._abandon(db)  # what it keeps in memory may no longer be what is on the disk
                raise
            if self._still_ours():
                return result

    def _still_ours(self) -> bool:
        """Whether the log that we write to is the one that others read.

        Other code in this process that opens and closes the files of the store drops our locks; another
        process may then remove the log under us, and what we write to it is lost.
        """
        return self.path == ":memory:" or inode(self.path + "-wal") == self._threads.log

    def _abandon(self, db: apsw.Connection) -> None:
        """Close a connection that is not to be trusted, without copying its log into the database."""
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        db.close()
        self._threads.db = None

    def _patiently(self, work: Callable[[], T]) -> T:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return work()
            except PASSING as error:
                if time.monotonic() > deadline:
                    raise named(error, self.path) from error
                time.sleep(_PAUSE)
            except apsw.Error as error:
                raise named(error, self.path) from error
