"""Write to one space of a database: one transaction at a time, whoever writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from secrets import token_bytes
from threading import local
from typing import Any, TypeVar

from treering.ledger.errors import LedgerConflict, StoreBusy
from treering.ledger.events import Event
from treering.ledger.types import person_in, seen_from, team_of
from treering.stores.postgres.connection import Connections, without_password
from treering.stores.postgres.schema import prepare

T = TypeVar("T")

_PAUSE = 0.1  # seconds before a write is tried where the space has moved
OPENING = 5.0  # seconds that opening waits for a server; a memory that is open waits longer
_LOCK = """SELECT writer, place, token, number, texts, length, moved_to FROM treering.spaces
    WHERE space = %s FOR UPDATE"""
_MAKE = """INSERT INTO treering.spaces VALUES (%s, '', '', '', 0, 0, 0) ON CONFLICT (space) DO NOTHING"""
_KEEP = """UPDATE treering.spaces SET (writer, place, token, number, texts, length) = (%s, %s, %s, %s, %s, %s)
    WHERE space = %s"""
_HOLDER = "SELECT held_by FROM treering.spaces WHERE space = %s"
_VERSION = "SELECT token, moved_to FROM treering.spaces WHERE space = %s"
_LEAVE = "UPDATE treering.spaces SET moved_to = %s WHERE space = %s"
_HOLD = "UPDATE treering.spaces SET held_by = %s WHERE space = %s"
_WRITTEN = """SELECT 1 FROM treering.events WHERE space = %s AND writer = %s AND seq = %s AND chain = %s"""
# What tells a database from a copy of it on another server.
_PLACE = """SELECT system_identifier || '/' || oid FROM pg_control_system(), pg_database
    WHERE datname = current_database()"""


class SpaceRow:
    """The row of a space, as the transaction that holds it has it."""

    def __init__(
        self, writer: str, place: str, token: bytes, number: int, texts: int, length: int, moved_to: str
    ) -> None:
        self.writer = writer
        self.place = place
        self.token = token
        self.number = number  # the last that was given to a memory
        self.texts = texts  # memories in the full-text index
        self.length = length  # the words of all of them
        self.moved_to = moved_to  # the address of the database that has the space now
        self.last: Event | None = None  # that was appended
        self.fresh = token_bytes(8)  # what its next token begins with


class _Moved(Exception):
    """The space lies in another database now; not an error."""

    def __init__(self, address: str) -> None:
        self.address = address


class Space:
    """One space: a ledger and all its projections."""

    def __init__(self, dsn: str, name: str, stays: bool = False) -> None:
        """Open a space where its address says, or where it has moved; with `stays`, in this database."""
        stand, self.name = name, team_of(name)
        self._dsn = dsn
        self.db = Connections(dsn, self.name)
        if person_in(stand):
            self.db.seen = seen_from(stand)
        with self.db.hurried(OPENING):
            prepare(self.db)
            rows = self.db.rows(_HOLDER)
        if rows and rows[0][0]:
            self.db.space = rows[0][0]
        self._threads = local()
        self._place = ""
        self._stays = stays
        self.version()

    @property
    def row(self) -> SpaceRow:
        """The row of the space, which this thread has locked."""
        row: SpaceRow = self._threads.row
        return row

    @property
    def locked(self) -> SpaceRow | None:
        """The row of the space, if this thread is writing."""
        return self.row if getattr(self._threads, "writing", False) else None

    def version(self) -> bytes:
        """Return what changes with whatever is written here, in the transaction of this thread too."""
        row = self.locked
        if row is None:
            rows = self.rows(_VERSION)
            if not rows:
                return b""
            token, moved_to = rows[0]
            if moved_to and not self._stays and not self.db.in_transaction:
                self._go(moved_to)
                return b"".join(bytes(token) for token, _ in self.rows(_VERSION))
            return bytes(token)
        return self._mark() if self.db.changes else row.token

    def _mark(self) -> bytes:
        return self.row.fresh + self.db.changes.to_bytes(4)

    @property
    def place(self) -> str:
        """What tells this database from a copy of it elsewhere."""
        if not self._place:
            ((self._place,),) = self.db.run(_PLACE) if self.db.in_transaction else self.db.ask(_PLACE)
        return self._place

    def hold(self, other: str) -> None:
        """Let a space that has nothing of its own be opened as a part of this one."""
        there = Space(self._dsn, other)
        try:
            if there.db.space == self.db.space:
                return
            if there.db.space != other or there.rows("SELECT 1 FROM treering.heads WHERE space = %s LIMIT 1"):
                raise LedgerConflict(f"space {other} of {self.db.place} is in use: name another database")
            there.write(lambda: there.db.run(there.db.filled(_HOLD, (self.db.space, other))))
        finally:
            there.db.close()

    def write(self, work: Callable[[], T]) -> T:
        """Run work as one transaction that no other of this space runs beside."""
        if self.db.in_transaction:
            return work()

        def locked() -> T:
            self._lock()
            self._check_here()
            return work()

        self._threads.writing, self._threads.beside = True, []
        try:
            result = self._where_it_lies(lambda: self.db.transaction(locked, self._kept, self._done))
        except BaseException:
            for _, undo in self._threads.beside:
                undo()
            raise
        finally:
            self._threads.writing = False
        for keep, _ in self._threads.beside:
            keep()
        return result

    def beside(self, keep: Callable[[], object], undo: Callable[[], object]) -> None:
        """Do this too when the transaction of this thread has been committed, or that when it is given up."""
        self._threads.beside.append((keep, undo))

    def view(self, work: Callable[[], T]) -> T:
        """Run work that only reads on one state of the space."""
        return self.db.view(work)

    def hurried(self, seconds: float) -> AbstractContextManager[None]:
        return self.db.hurried(seconds)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self.db.rows(sql, values)

    @property
    def moved_to(self) -> str:
        rows = self.rows(_VERSION)
        return str(rows[0][1]) if rows else ""

    def leave(self, address: str) -> None:
        """Name the database that has the space from the commit of this transaction on; none if it is this one."""
        self.db.run(self.db.filled(_LEAVE, (without_password(address) if address else "", self.db.space)))

    def _where_it_lies(self, write: Callable[[], T]) -> T:
        """Write in the database that has the space. While it is handed back, two name each other for a moment."""
        deadline = time.monotonic() + self.db.patience
        while True:
            try:
                return write()
            except _Moved as there:
                if time.monotonic() > deadline:
                    raise StoreBusy(f"space {self.name} is being moved to {self.db.place}: try again") from None
                self._go(there.address)
                time.sleep(_PAUSE)

    def _check_here(self) -> None:
        if self.row.moved_to and not self._stays:
            raise _Moved(self.row.moved_to)

    def _go(self, address: str) -> None:
        self.db.go(address)
        self._place = ""
        prepare(self.db)

    def _lock(self) -> None:
        rows = self.db.rows(_LOCK)
        if not rows:
            self.db.rows(_MAKE)
            rows = self.db.rows(_LOCK)
        self._threads.row = SpaceRow(*rows[0])

    def _kept(self) -> str:
        row = self.row
        row.token = self._mark()
        values = (row.writer, row.place, row.token, row.number, row.texts, row.length, self.db.space)
        return self.db.filled(_KEEP, values)

    def _done(self) -> bool:
        """Tell whether the last attempt was committed, though nobody said so: by its mark, or by its last event."""
        mine = self.row
        self._lock()
        if self.row.token == mine.token:
            return True
        last = mine.last
        if last is not None and self.db.rows(_WRITTEN, (last.writer, last.seq, last.chain)):
            return True
        self._check_here()
        return False
