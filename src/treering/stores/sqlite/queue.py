"""Read in SQLite, and in the folder beside it, what hooks have queued."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from errno import ELOOP
from functools import partial
from time import time
from typing import Any

from treering.stores.files import QUEUED, SPOOL, UNFINISHED, UNREADABLE, note, read_own, shut, sync_folder
from treering.stores.port.queue import PROMPT, QueuedEvent
from treering.stores.sqlite import hook_queries, projects
from treering.stores.sqlite.connection import Connections
from treering.stores.sqlite.hook_queries import PUT, SHOW

_LATEST = 2**62  # microseconds: what SQLite can hold
_ABANDONED = 60  # seconds after which nobody is writing a file any more
_CHOSEN = 60  # memories that are kept for briefings: as many as one may hold
_COLUMNS = "key, space, session, event, time, body, number, taken, made"


class SqliteInbox:
    """Implement `stores.port.queue.Inbox`."""

    def __init__(self, connections: Connections, home: str) -> None:
        self._db = connections
        self._spool = os.path.join(home, SPOOL)

    def waiting(self) -> bool:
        return bool(self._db.rows("SELECT 1 FROM inbox WHERE taken = 0 LIMIT 1")) or bool(self._spooled())

    def unread(self, most: int) -> list[QueuedEvent]:
        self._gather()
        sql = f"SELECT {_COLUMNS} FROM inbox WHERE taken = 0 ORDER BY time, number LIMIT ?"
        return [QueuedEvent._make(row) for row in self._db.rows(sql, (most,))]

    def claim(self, queued: QueuedEvent, now: int) -> bool:
        sql = "UPDATE inbox SET taken = ? WHERE number = ? AND taken = 0 RETURNING number"
        return bool(self._db.rows(sql, (now, queued.number)))

    def update(self, queued: QueuedEvent) -> None:
        self._db.rows(
            "UPDATE inbox SET (made, body) = (?, ?) WHERE number = ?", (queued.made, queued.body, queued.number)
        )

    def of(self, session: str) -> list[QueuedEvent]:
        sql = f"SELECT {_COLUMNS} FROM inbox WHERE session = ? ORDER BY time, number"
        return [QueuedEvent._make(row) for row in self._db.rows(sql, (session,))]

    def turn(self, queued: QueuedEvent) -> list[QueuedEvent]:
        before = "session = ?1 AND space = ?2 AND (time, number) < (?3, ?4)"
        last = f"SELECT max(time) FROM inbox WHERE {before} AND event = ?5"
        sql = f"SELECT {_COLUMNS} FROM inbox WHERE {before} AND time >= ({last}) ORDER BY time, number"
        values = (queued.session, queued.space, queued.time, queued.number, PROMPT)
        return [QueuedEvent._make(row) for row in self._db.rows(sql, values)]

    def sessions(self) -> list[tuple[str, str, int]]:
        sql = "SELECT space, session, max(time) FROM inbox WHERE body <> '' GROUP BY space, session ORDER BY max(time)"
        return [(space, session, time) for space, session, time in self._db.rows(sql)]

    def shown(self, session: str) -> set[str]:
        return {id for (id,) in self._db.rows("SELECT memory FROM shown WHERE session = ?", (session,))}

    def offset(self, session: str) -> int:
        rows = self._db.rows("SELECT value FROM meta WHERE name = 'transcript:' || ?", (session,))
        return int(rows[0][0]) if rows else 0

    def read_up_to(self, session: str, offset: int) -> None:
        self._db.rows("INSERT OR REPLACE INTO meta VALUES ('transcript:' || ?, ?)", (session, offset))

    def close(self, session: str, now: int) -> None:
        self._db.rows("INSERT OR REPLACE INTO meta VALUES ('purged:' || ?, ?)", (session, now))

    def closed(self, session: str) -> int:
        # Stores of earlier versions closed all sessions at once, under the bare name.
        sql = "SELECT max(CAST(value AS INTEGER)) FROM meta WHERE name IN ('purged', 'purged:' || ?)"
        return int(self._db.rows(sql, (session,))[0][0] or 0)

    def sweep(self, before: int) -> None:
        self._db.rows("DELETE FROM inbox WHERE time < ? AND taken > 0 AND body = ''", (before,))
        self._db.rows("DELETE FROM shown WHERE time < ?", (before,))
        known = "SELECT 'transcript:' || session FROM inbox"
        self._db.rows(
            f"DELETE FROM meta WHERE name >= 'transcript:' AND name < 'transcript;' AND name NOT IN ({known})"
        )

    def project(self, folder: str) -> str:
        known = self._known(folder)
        root = "" if known else projects.root_of(folder)
        if known or not root:
            return known
        if known := self._known(root):
            return known

        def work() -> str:
            name = projects.named(self._db.get(), root)
            projects.register(self._db.get(), root, name)
            return name

        return self._db.transaction(work)

    def _known(self, root: str) -> str:
        rows = self._db.rows("SELECT project FROM roots WHERE root = ?", (root,))
        return str(rows[0][0]) if rows else ""

    def folder(self, project: str) -> str:
        rows = self._db.rows("SELECT root FROM roots WHERE project = ?", (project,))
        return str(rows[0][0]) if rows else ""

    def folders(self) -> list[tuple[str, str]]:
        return [(str(project), str(root)) for project, root in self._db.rows("SELECT project, root FROM roots")]

    def refresh(self) -> None:
        """Do nothing: hooks look into the store itself."""

    def brief(self, space: str, project: str, text: str, doubted: Mapping[str, Sequence[str]] | None = None) -> None:
        chosen = f"""SELECT number FROM memories WHERE {hook_queries.HERE} AND {hook_queries.LASTING}
            AND scope <> 'session'
            ORDER BY {hook_queries.FIRST} LIMIT {_CHOSEN}"""
        best = json.dumps([number for (number,) in self._db.rows(chosen, (space, project, ""))])
        self._db.rows(
            "INSERT OR REPLACE INTO briefs VALUES (?, ?, ?, ?, ?)",
            (space, project, text, best, json.dumps({id: " ".join(newer) for id, newer in (doubted or {}).items()})),
        )

    def _files(self) -> list[str]:
        try:
            return sorted(os.listdir(self._spool))
        except OSError:
            return []

    def _spooled(self) -> list[str]:
        return [name for name in self._files() if name.endswith(QUEUED)]

    def _gather(self) -> None:
        """Move what lies in the folder into the table: a file is deleted when its event is safely there, so not in a
        transaction, which may be rolled back."""
        removes, removed = not self._db.writing, False
        if files := self._files():
            shut(self._spool)
        for name in files:
            path = os.path.join(self._spool, name)
            if name.endswith(UNFINISHED) and removes:
                _remove_old(path)
            if not name.endswith(QUEUED):
                continue
            try:
                row = _spooled_event(path)
            except ValueError as error:
                self._set_aside(path, error)
                continue
            except OSError as error:
                if error.errno == ELOOP:
                    self._set_aside(path, ValueError("a queued event is a link"))
                continue  # otherwise not now
            self._db.transaction(partial(self._put, row))
            if removes:
                _remove(path)
                removed = True
        if removed:
            with suppress(OSError):  # else a power cut could bring back what was purged since
                sync_folder(self._spool)

    def _set_aside(self, path: str, error: ValueError) -> None:
        """Keep what cannot be an event of ours under another name, and tell `doctor`."""
        with suppress(OSError):  # another process was quicker
            os.replace(path, path + UNREADABLE)
            home = os.path.dirname(self._spool)
            note(home, int(time() * 1e6), "inbox", "", 0, f"{error}: see {path}{UNREADABLE}, then delete it")

    def _put(self, row: list[Any]) -> None:
        """Queue an event, with what its session was shown, as the hook would have."""
        self._db.rows(PUT, row)
        shown = _body(row[5]).get("shown")
        ids = [one[0] for one in shown if isinstance(one, list) and one] if isinstance(shown, list) else []
        self._db.many(SHOW, [(row[2], id, row[4]) for id in ids if isinstance(id, str)])


def _body(text: str) -> dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _spooled_event(path: str) -> list[Any]:
    """Return the six values of a queued event. Raise ValueError for a file that holds none of ours."""
    try:
        row: Any = json.loads(read_own(path))
    except RecursionError:
        raise ValueError("a file in the inbox is nested too deeply") from None
    sound = isinstance(row, list) and len(row) == 6 and isinstance(row[4], int) and 0 < row[4] < _LATEST
    if sound and all(isinstance(value, str) for value in (*row[:4], row[5])):
        return [*row]
    raise ValueError("a file in the inbox holds no queued event")


def _remove(path: str) -> None:
    with suppress(OSError):  # another process was quicker
        os.unlink(path)


def _remove_old(path: str) -> None:
    """Delete what a hook that was killed has begun to write."""
    with suppress(OSError):
        if time() - os.stat(path).st_mtime > _ABANDONED:
            os.unlink(path)
