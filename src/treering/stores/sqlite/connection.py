"""Hold the connections to a SQLite store: one for each thread and process, or a single one to a
store in memory.

Errors of SQLite leave this module as errors of ours, which tell a person what to do.
"""

from __future__ import annotations

import os
import time
from _thread import RLock, _local  # without the import of threading
from _weakref import ref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import count
from typing import Any, TypeVar

import apsw

from treering.ledger.errors import ForeignFile, StoreBusy, StoreDamaged, StoreError, StoreFull, StoreUnavailable
from treering.stores.files import IN_MEMORY, inode
from treering.stores.sqlite.open import PATIENCE, check_library, connect, wait_for_others
from treering.stores.sqlite.tokens import tokens

T = TypeVar("T")
Row = tuple[Any, ...]


_PAUSE = 0.005  # seconds between two attempts, when others were in the way

# Connections that a fork left in the child. Closing them there would harm the parent, so they stay.
_left_by_fork: list[apsw.Connection] = []

_numbers = count()  # of connections


class Connections:
    """The connections to one file: one for each thread of each process, never a stale one."""

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
        """Return the connection of this thread in this process."""
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
        self._threads.number = next(_numbers)
        self._all = [ref(one) for one in (*self._open(), db)]
        return db

    @property
    def writing(self) -> bool:
        """True if this thread is inside a transaction or a view."""
        return self.get().in_transaction

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

    def hurried(self, seconds: float) -> AbstractContextManager[None]:
        """Within it, this thread waits no longer than that for others: what it cannot have raises StoreBusy."""
        return self._hurried(seconds)

    @contextmanager
    def _hurried(self, seconds: float) -> Iterator[None]:
        before = self._patience
        self._wait_for(seconds)
        try:
            yield
        finally:
            self._wait_for(before)

    @property
    def _patience(self) -> float:
        return float(getattr(self._threads, "patience", PATIENCE))

    def _wait_for(self, seconds: float) -> None:
        self._threads.patience = seconds
        wait_for_others(self.get(), seconds)

    def version(self) -> tuple[int, int, int]:
        """Return what changes with whatever is written, by this connection or by others."""
        ((others,),) = self.rows("PRAGMA data_version")
        return self._number, int(others), self.get().total_changes()

    @property
    def _number(self) -> int:
        """The number of this thread's connection among all that there were: versions of two are not comparable."""
        return int(self._threads.number)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run every statement of a text to its end, and return all the rows at once."""
        db = self.get()
        if db.in_transaction:
            return self._fetch(db, sql, values)
        return self._patiently(lambda: self._fetch(db, sql, values))

    def idle(self) -> bool:
        """Return whether a write could begin at once."""
        db = self.get()
        wait_for_others(db, 0)
        try:
            db.execute("BEGIN IMMEDIATE")
            db.execute("ROLLBACK")
        except apsw.Error:
            return False
        finally:
            wait_for_others(db, self._patience)
        return True

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row, inside a transaction."""
        self.get().executemany(sql, rows)

    def stems(self, text: str) -> list[str]:
        """Return the stems of a text, as the full-text index has them."""
        return tokens(self.get(), text)

    def close(self) -> None:
        """Close the connections of all threads. Closing twice is fine."""
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
        """Return whether the log that we write to is the one that others read.

        Other code in this process that opens and closes the files of the store drops our locks;
        another process may then remove the log under us, and what we write to it is lost.
        """
        return bool(inode(self.path + "-wal") == self._threads.log)

    def _abandon(self, db: apsw.Connection) -> None:
        """Close a connection that is not to be trusted, without copying its log into the
        database."""
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        db.close()
        self._threads.db = None

    def _patiently(self, work: Callable[[], T]) -> T:
        deadline = time.monotonic() + self._patience
        while True:
            try:
                return work()
            except PASSING as error:
                if time.monotonic() > deadline:
                    raise named(error, self.path) from error
                time.sleep(_PAUSE)
            except apsw.Error as error:
                raise named(error, self.path) from error


class SharedConnection(Connections):
    """The one connection to a store in memory. The threads of the process that made it take turns.

    A transaction or a view holds it from beginning to end, so that no thread sees what another has
    not committed.
    """

    def __init__(self) -> None:
        self._turn = RLock()
        self._db: apsw.Connection | None = None
        super().__init__(IN_MEMORY)

    def get(self) -> apsw.Connection:
        if self._closed:
            raise StoreUnavailable("this memory has been closed, and what it held in memory is gone: open a new one")
        if self._pid != os.getpid():
            raise StoreUnavailable(
                "a store in memory belongs to the process that opened it: open one of its own in this process, "
                "or a folder, which processes can share"
            )
        if self._db is None:
            self._db = connect(self.path)
        return self._db

    @property
    def writing(self) -> bool:
        with self._in_turn():
            return super().writing

    def transaction(self, work: Callable[[], T]) -> T:
        with self._in_turn():
            return super().transaction(work)

    def view(self, work: Callable[[], T]) -> T:
        with self._in_turn():
            return super().view(work)

    def hurried(self, seconds: float) -> AbstractContextManager[None]:
        """Change nothing: a thread waits for its turn, which is short."""
        return nullcontext()

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        with self._in_turn():
            return super().rows(sql, values)

    def stems(self, text: str) -> list[str]:
        with self._in_turn():
            return super().stems(text)

    def idle(self) -> bool:
        """Return True: a thread waits for its turn, and no other process has this store."""
        return True

    def close(self) -> None:
        if self._db is not None and self._pid == os.getpid():
            with self._turn:
                self._db.close()
        elif self._db is not None:
            _left_by_fork.append(self._db)
        self._db, self._closed = None, True

    def _in_turn(self) -> RLock:
        self.get()  # refuses before it waits: a fork may have copied a lock that nobody will give back
        return self._turn

    @property
    def _number(self) -> int:
        return 0

    def _still_ours(self) -> bool:
        return True

    def _abandon(self, db: apsw.Connection) -> None:
        """Keep it: it holds the store itself, and is as it was before the transaction."""


def connections(path: str) -> Connections:
    """Return what connects to the store at a path, or to a new one in memory."""
    return SharedConnection() if path == IN_MEMORY else Connections(path)


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
    """Return our error for one of SQLite's."""
    if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHMSIZE:
        error = apsw.FullError(str(error))  # the shared index of the log could not grow
    for kind, ours, text in _FAULTS:
        if isinstance(error, kind):
            return ours(text.format(path=path, error=error))
    return StoreError(f"{path}: {type(error).__name__}: {error}")
