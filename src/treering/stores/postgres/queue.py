"""Take in what hooks queued on this machine, when the memories are in a database that others share.

Hooks never wait for a network: they queue in the file of this machine, as ever. Which of it was taken
in is noted in the database, in the transaction that takes it in, and in the file right after it. If
the process ends between the two, the file learns it the next time. The file also has a copy of the
space, for hooks to look into.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from treering.ledger.errors import StoreError
from treering.stores.port.queue import QueuedEvent
from treering.stores.postgres.space import Space
from treering.stores.sqlite.connection import Connections
from treering.stores.sqlite.queue import SqliteInbox

_OURS = "taken = 0 AND space = ?"


class TeamInbox(SqliteInbox):
    """Implement `stores.port.queue.Inbox`: of this machine, and of the space that is open."""

    def __init__(
        self, connections: Connections, home: str, space: Space, stand: str, copy: Callable[[], object]
    ) -> None:
        super().__init__(connections, home)
        self._space = space
        self._stand = stand  # where the hooks of this machine stood
        self._copy = copy

    def refresh(self) -> None:
        self._copy()

    def waiting(self) -> bool:
        found = self._db.rows(f"SELECT 1 FROM inbox WHERE {_OURS} LIMIT 1", (self._stand,))
        return bool(found) or bool(self._spooled())

    def unread(self, most: int) -> list[QueuedEvent]:
        left = [queued for queued in super().unread(most) if queued.space == self._stand]
        sql = "SELECT key, time FROM treering.taken WHERE space = %s AND key = ANY(%s)"
        taken = dict(self._space.rows(sql, ([queued.key for queued in left],))) if left else {}
        for queued in left:
            if queued.key in taken:
                super().claim(queued, taken[queued.key])
        return [queued for queued in left if queued.key not in taken]

    def claim(self, queued: QueuedEvent, now: int) -> bool:
        sql = "INSERT INTO treering.taken VALUES (%s, %s, %s) ON CONFLICT DO NOTHING RETURNING key"
        if not self._space.rows(sql, (queued.key, now)):
            return False
        self._join()
        super().claim(queued, now)
        return True

    def update(self, queued: QueuedEvent) -> None:
        self._join()
        super().update(queued)

    def read_up_to(self, session: str, offset: int) -> None:
        self._join()
        super().read_up_to(session, offset)

    def close(self, session: str, now: int) -> None:
        self._join()
        super().close(session, now)

    def sweep(self, before: int) -> None:
        super().sweep(before)
        with suppress(StoreError):  # it is only an old note
            self._space.write(lambda: self._space.rows(_OLD, (before,)))

    def _join(self) -> None:
        """Change the file of this machine when the database is changed, and not if it is not."""
        file = self._db.get()
        if self._space.locked is None or file.in_transaction:
            return
        file.execute("BEGIN IMMEDIATE")
        self._space.beside(lambda: file.execute("COMMIT"), lambda: file.execute("ROLLBACK"))


_OLD = "DELETE FROM treering.taken WHERE space = %s AND time < %s"
