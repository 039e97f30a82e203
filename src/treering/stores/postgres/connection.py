"""Hold the connections to one space of a PostgreSQL database: one for each thread and process.

Nothing here outlives a transaction on the server, so a pooler may hand each transaction to another
connection: no prepared statement, no SET, no session lock, no temporary table. Errors of PostgreSQL
leave this module as errors of ours, which tell a person what to do.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import local
from typing import Any, TypeVar

from treering.ledger.errors import MissingExtra, StoreBusy, StoreError, StoreUnavailable

try:
    import psycopg
    from psycopg import errors
    from psycopg.conninfo import conninfo_to_dict, make_conninfo
except ImportError:
    raise MissingExtra("psycopg", "postgres") from None

T = TypeVar("T")
Row = tuple[Any, ...]

PATIENCE = 60.0  # seconds that a statement waits for other writers, and a transaction for a server that is away
CONNECTING = 10  # seconds for one attempt to reach a server
_PAUSES = (0.02, 0.1, 0.5)  # seconds between attempts; the last one from the third on
_AT_ONCE = 500  # rows written by one statement
_WIDEST = 4_000_000  # bytes of text in such a statement
_AT_HAND = "set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true)"
_READING = ("SELECT ", "WITH ")  # how a statement begins that changes nothing

# What a failover, a restart or another writer causes, and trying again cures.
PASSING = (
    psycopg.OperationalError,
    errors.ReadOnlySqlTransaction,
    errors.SerializationFailure,
    errors.DeadlockDetected,
)
# These are operational errors too, and stay.
_LASTING = (
    errors.InvalidPassword,
    errors.InvalidAuthorizationSpecification,
    errors.InvalidCatalogName,
    errors.DiskFull,
    errors.LockNotAvailable,
    errors.QueryCanceled,
)

_DEFAULTS: dict[str, Any] = {
    "target_session_attrs": "read-write",  # the leader of several servers
    "connect_timeout": CONNECTING,
    "application_name": "treering",
    # A machine that is gone without a word is noticed in half a minute, and not in a quarter of an hour.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
_REFUSALS = ("does not exist", "authentication failed", "no password supplied", "no pg_hba.conf entry")

# Connections that a fork left in the child. Closing them there would end those of the parent, so they stay.
_left_by_fork: list[Any] = []


class Connections:
    """The connections of this process to one space of a database, one for each thread."""

    def __init__(self, dsn: str, space: str) -> None:
        self._dsn = self.place = ""
        self.go(dsn)
        self.space = space
        self.seen: tuple[str, ...] = ()  # of a person: what row-level security lets them read; everything by default
        self._pid = os.getpid()
        self._threads = local()
        self._all: list[psycopg.Connection[Row]] = []
        self._closed = False

    def go(self, dsn: str) -> None:
        """Connect to this address from now on, and no longer to another one."""
        known = {**_DEFAULTS, **_read(dsn)}
        if self._dsn and "password" in (before := _read(self._dsn)):
            known.setdefault("password", before["password"])
        self._dsn = make_conninfo("", **known)
        self.place = f"{known.get('host') or 'localhost'}/{known.get('dbname') or known.get('user') or ''}"

    @property
    def in_transaction(self) -> bool:
        """True if this thread is inside a transaction or a view."""
        return self._pid == os.getpid() and bool(getattr(self._threads, "begun", False))

    @property
    def changes(self) -> int:
        """How many statements of this thread's transaction may have changed anything."""
        return int(self._threads.changes)

    def transaction(self, work: Callable[[], T], finish: Callable[[], str], done: Callable[[], bool]) -> T:
        """Run work between BEGIN and COMMIT, and again if it could not be committed.

        `finish` returns the last statement, which goes to the server together with COMMIT. If nobody
        knows whether that arrived, `done` tells, at the beginning of the next transaction.
        """
        unsure: list[T] = []

        def attempt() -> T:
            with self._begun("BEGIN"):
                if unsure and done():
                    return unsure[0]
                unsure.clear()
                result = work()
                last = finish()
                unsure.append(result)
                self.run(f"{last}; COMMIT")
                return result

        return self._patiently(attempt)

    def view(self, work: Callable[[], T]) -> T:
        """Run work that only reads, on the space as it is now."""
        if self.in_transaction:
            return work()

        def attempt() -> T:
            with self._begun("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", self._seen):
                result = work()
                self.run("COMMIT")
                return result

        return self._patiently(attempt)

    @contextmanager
    def hurried(self, seconds: float) -> Iterator[None]:
        """Within it, this thread waits no longer than that for others."""
        before = self.patience
        self._threads.patience = seconds
        try:
            yield
        finally:
            self._threads.patience = before

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Within it, this thread reads what is others' too, as a copy of all chains has to."""
        self._threads.whole = True
        try:
            yield
        finally:
            self._threads.whole = False

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run a statement about the space, which is the first of its values, and return its rows."""
        if self.in_transaction:
            return self.run(self.filled(sql, (self.space, *values)))
        return self._patiently(lambda: self.run(f"{self._set(self._seen)}; {self.filled(sql, (self.space, *values))}"))

    def ask(self, sql: str) -> list[Row]:
        """Run a statement that is about no space, outside a transaction, and return its rows."""
        return self._patiently(lambda: self.run(sql))

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for many rows, each behind the space, in the place of its asterisk. Inside a transaction."""
        before, _, after = sql.partition("*")
        cursor = psycopg.ClientCursor(self._get())
        batch: list[str] = []
        size = 0
        for row in rows:
            text = cursor.mogrify(f"(%s{', %s' * len(row)})", (self.space, *row))
            if batch and (len(batch) == _AT_ONCE or size + len(text) > _WIDEST):
                self.run(before + ", ".join(batch) + after)
                batch, size = [], 0
            batch.append(text)
            size += len(text)
        if batch:
            self.run(before + ", ".join(batch) + after)

    def run(self, sql: str) -> list[Row]:
        """Run a text of statements, and return the rows of the last one. The first of a transaction begins it too."""
        begin, self._threads.begin = getattr(self._threads, "begin", ""), ""
        if begin:
            self._threads.changes = 0
        if not sql.startswith(_READING):
            self._threads.changes = getattr(self._threads, "changes", 0) + 1
        return self._send(self._get(), f"{begin}; {sql}" if begin else sql)

    def close(self) -> None:
        """Close the connections of all threads. Closing twice is fine."""
        if self._pid == os.getpid():
            for db in self._all:
                db.close()
        self._all, self._threads, self._closed = [], local(), True

    def _get(self) -> psycopg.Connection[Row]:
        if self._closed:
            raise StoreUnavailable("this memory has been closed: open it again")
        if self._pid != os.getpid():
            _left_by_fork.extend(self._all)
            self._pid, self._threads, self._all = os.getpid(), local(), []
        db: psycopg.Connection[Row] | None = getattr(self._threads, "db", None)
        if db is not None and self._threads.dsn != self._dsn and not self.in_transaction:
            db.close()
        if db is None or db.closed:
            self._threads.dsn = self._dsn
            db = self._threads.db = psycopg.connect(
                self._dsn, autocommit=True, prepare_threshold=None, cursor_factory=psycopg.ClientCursor
            )
            self._all = [one for one in self._all if not one.closed] + [db]
        return db

    def filled(self, sql: str, values: Sequence[Any]) -> str:
        """Return a statement with its values in it: sent as one text, it needs nothing prepared."""
        return psycopg.ClientCursor(self._get()).mogrify(sql, values)

    def _send(self, db: psycopg.Connection[Row], sql: str) -> list[Row]:
        cursor = db.execute(sql.encode("utf-8", "replace"))
        while cursor.nextset():
            pass
        result = cursor.pgresult  # its description would make an object for each column
        return cursor.fetchall() if result is not None and result.status == psycopg.pq.ExecStatus.TUPLES_OK else []

    @contextmanager
    def _begun(self, begin: str, seen: tuple[str, ...] = ()) -> Iterator[None]:
        """Begin a transaction in the space, with its first statement. It is rolled back unless it has been committed.
        One that writes sees all: the order of a ledger is that of everybody's events."""
        wait = f"SELECT set_config('lock_timeout', '{max(1, round(self.patience * 1_000))}', true)"
        begin = f"{begin}; {self._set(seen)}; {wait}"
        self._threads.begin, self._threads.begun = begin, True
        try:
            yield
        finally:
            self._threads.begin, self._threads.begun = "", False
            db = getattr(self._threads, "db", None)
            if db is not None and not db.closed and db.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                with suppress(psycopg.Error):
                    self._send(db, "ROLLBACK")

    def _set(self, seen: tuple[str, ...] = ()) -> str:
        """Return the statement that row-level security goes by, until the end of the transaction. It also keeps
        the server from starting processes and compiling, which take longer than what is asked here."""
        sql = "SELECT set_config('treering.space', %s, true), set_config('treering.seen', %s, true)"
        return self.filled(f"{sql}, {_AT_HAND}", (self.space, "\n".join(seen)))

    @property
    def _seen(self) -> tuple[str, ...]:
        return () if getattr(self._threads, "whole", False) else self.seen

    @property
    def patience(self) -> float:
        return float(getattr(self._threads, "patience", PATIENCE))

    def _patiently(self, work: Callable[[], T]) -> T:
        deadline = time.monotonic() + self.patience
        tries = 0
        while True:
            try:
                return work()
            except PASSING as error:
                if isinstance(error, _LASTING) or _refused(error) or time.monotonic() > deadline:
                    raise named(error, self.place) from error
                time.sleep(_PAUSES[min(tries, len(_PAUSES) - 1)])
                tries += 1
            except psycopg.Error as error:
                raise named(error, self.place) from error


def _read(dsn: str) -> dict[str, Any]:
    try:
        return conninfo_to_dict(dsn)
    except psycopg.ProgrammingError as error:
        raise StoreUnavailable(f"the address of the store cannot be read ({_first_line(error)})") from None


def without_password(dsn: str) -> str:
    """Return an address that anybody may read."""
    return make_conninfo("", **{name: value for name, value in _read(dsn).items() if name != "password"})


def _refused(error: psycopg.Error) -> bool:
    """Tell whether a server let nobody in, which libpq tells in words alone."""
    return error.sqlstate is None and any(words in str(error) for words in _REFUSALS)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


_FAULTS: tuple[tuple[tuple[type[psycopg.Error], ...], type[StoreError], str], ...] = (
    ((errors.LockNotAvailable, errors.QueryCanceled), StoreBusy, "another process writes to {place}: try again"),
    ((errors.DiskFull,), StoreError, "no space is left for {place}: free some and try again; nothing was lost"),
    (
        (errors.InvalidPassword, errors.InvalidAuthorizationSpecification),
        StoreUnavailable,
        "{place} lets nobody in with this name and password ({error}): check the address of the store",
    ),
    (
        (errors.InvalidCatalogName, errors.InvalidSchemaName),
        StoreUnavailable,
        "{place} is no database ({error}): make it with `createdb`, or check the address of the store",
    ),
    (
        (errors.InsufficientPrivilege,),
        StoreUnavailable,
        "{place} does not allow it ({error}): see docs/postgres.md for the rights that a role needs",
    ),
    ((errors.ReadOnlySqlTransaction,), StoreUnavailable, "{place} is a standby, which cannot be written: try again"),
    (
        (psycopg.OperationalError,),
        StoreUnavailable,
        "{place} cannot be reached ({error}): check that the server runs and the address is right; nothing was lost",
    ),
)


def named(error: psycopg.Error, place: str) -> StoreError:
    """Return our error for one of PostgreSQL's."""
    for kinds, ours, text in _FAULTS:
        if isinstance(error, kinds):
            return ours(text.format(place=place, error=_first_line(error)))
    return StoreError(f"{place}: {type(error).__name__}: {_first_line(error)}")
