"""The inbox of a store: what hooks left, read by whoever has the whole engine."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from functools import partial
from time import time

from treering.core.letters import PROMPT, Letter
from treering.stores import peek, roots
from treering.stores.files import LETTER, SPOOL
from treering.stores.slot import PUT, SHOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from treering.stores.connection import Connections

_LATEST = 2**62  # microseconds: what SQLite can hold
_ABANDONED = 60  # seconds after which nobody is writing a file any more
_CHOSEN = 40  # memories that are kept for briefings: a session is told a few of them
_COLUMNS = "key, space, session, event, time, body, number, taken, made"


class SqliteInbox:
    """See `core.letters.Inbox` for what each method promises."""

    def __init__(self, connections: Connections, home: str) -> None:
        self._db = connections
        self._spool = os.path.join(home, SPOOL)

    def waiting(self) -> bool:
        return bool(self._db.rows("SELECT 1 FROM inbox WHERE taken = 0 LIMIT 1")) or bool(self._spooled())

    def unread(self, most: int) -> list[Letter]:
        self._gather()
        sql = f"SELECT {_COLUMNS} FROM inbox WHERE taken = 0 ORDER BY time, number LIMIT ?"
        return [Letter._make(row) for row in self._db.rows(sql, (most,))]

    def claim(self, letter: Letter, now: int) -> bool:
        sql = "UPDATE inbox SET taken = ? WHERE number = ? AND taken = 0 RETURNING number"
        return bool(self._db.rows(sql, (now, letter.number)))

    def read(self, letter: Letter) -> None:
        self._db.rows(
            "UPDATE inbox SET (made, body) = (?, ?) WHERE number = ?", (letter.made, letter.body, letter.number)
        )

    def of(self, session: str) -> list[Letter]:
        sql = f"SELECT {_COLUMNS} FROM inbox WHERE session = ? ORDER BY time, number"
        return [Letter._make(row) for row in self._db.rows(sql, (session,))]

    def turn(self, letter: Letter) -> list[Letter]:
        last = "SELECT max(time) FROM inbox WHERE session = ?1 AND event = ?4 AND (time, number) < (?2, ?3)"
        sql = f"""SELECT {_COLUMNS} FROM inbox WHERE session = ?1 AND time >= ({last}) AND (time, number) < (?2, ?3)
            ORDER BY time, number"""
        values = (letter.session, letter.time, letter.number, PROMPT)
        return [Letter._make(row) for row in self._db.rows(sql, values)]

    def sessions(self) -> list[tuple[str, str, int]]:
        sql = "SELECT space, session, max(time) FROM inbox WHERE body <> '' GROUP BY space, session ORDER BY max(time)"
        return [(space, session, time) for space, session, time in self._db.rows(sql)]

    def offset(self, session: str) -> int:
        rows = self._db.rows("SELECT value FROM meta WHERE name = 'transcript:' || ?", (session,))
        return int(rows[0][0]) if rows else 0

    def read_up_to(self, session: str, offset: int) -> None:
        self._db.rows("INSERT OR REPLACE INTO meta VALUES ('transcript:' || ?, ?)", (session, offset))

    def purge(self, now: int) -> None:
        self._db.rows("UPDATE inbox SET body = ''")
        self._db.rows("INSERT OR REPLACE INTO meta VALUES ('purged', ?)", (now,))
        for name in self._files():
            _remove(os.path.join(self._spool, name))

    def purged(self) -> int:
        rows = self._db.rows("SELECT value FROM meta WHERE name = 'purged'")
        return int(rows[0][0]) if rows else 0

    def emptied(self, numbers: Collection[int]) -> None:
        listed = json.dumps([*numbers])
        self._db.rows("UPDATE inbox SET body = '' WHERE number IN (SELECT value FROM json_each(?))", (listed,))

    def swept(self, before: int) -> None:
        self._db.rows("DELETE FROM inbox WHERE time < ? AND taken > 0 AND body = ''", (before,))
        self._db.rows("DELETE FROM shown WHERE time < ?", (before,))
        known = "SELECT 'transcript:' || session FROM inbox"
        self._db.rows(
            f"DELETE FROM meta WHERE name >= 'transcript:' AND name < 'transcript;' AND name NOT IN ({known})"
        )

    def project(self, folder: str) -> str:
        known = self._known(folder)
        root = "" if known else roots.root_of(folder)
        if known or not root:
            return known
        if known := self._known(root):
            return known

        def work() -> str:
            name = roots.named(self._db.get(), root)
            roots.register(self._db.get(), root, name)
            return name

        return self._db.transaction(work)

    def _known(self, root: str) -> str:
        rows = self._db.rows("SELECT project FROM roots WHERE root = ?", (root,))
        return str(rows[0][0]) if rows else ""

    def folder(self, project: str) -> str:
        rows = self._db.rows("SELECT root FROM roots WHERE project = ?", (project,))
        return str(rows[0][0]) if rows else ""

    def brief(self, space: str, project: str, text: str, doubted: Collection[str] = ()) -> None:
        chosen = f"""SELECT number FROM memories WHERE {peek.HERE} AND {peek.LASTING} AND scope <> 'session'
            ORDER BY {peek.FIRST} LIMIT {_CHOSEN}"""
        best = json.dumps([number for (number,) in self._db.rows(chosen, (space, project, ""))])
        self._db.rows(
            "INSERT OR REPLACE INTO briefs VALUES (?, ?, ?, ?, ?)", (space, project, text, best, json.dumps([*doubted]))
        )

    def _files(self) -> list[str]:
        try:
            return sorted(os.listdir(self._spool))
        except OSError:
            return []

    def _spooled(self) -> list[str]:
        return [name for name in self._files() if name.endswith(LETTER)]

    def _gather(self) -> None:
        """Put what lies in the folder into the table; a file goes when its letter is safely there."""
        for name in self._files():
            path = os.path.join(self._spool, name)
            if not name.endswith(LETTER):
                _remove_old(path)
                continue
            try:
                row = _spooled_letter(path)
            except OSError:  # not now
                continue
            if row is not None:
                self._db.transaction(partial(self._put, row))
            _remove(path)

    def _put(self, row: list[Any]) -> None:
        """Put a letter in, with what its session was shown, as the hook would have."""
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


def _spooled_letter(path: str) -> list[Any] | None:
    """The six values of a letter; none if it is no letter of ours."""
    with open(path, encoding="utf-8") as file:
        try:
            row = json.load(file)
        except ValueError:
            return None
    sound = isinstance(row, list) and len(row) == 6 and isinstance(row[4], int) and 0 < row[4] < _LATEST
    return row if sound and all(isinstance(value, str) for value in (*row[:4], row[5])) else None


def _remove(path: str) -> None:
    with suppress(OSError):  # another process was quicker
        os.unlink(path)


def _remove_old(path: str) -> None:
    """Let go of what a hook that was killed has begun to write."""
    with suppress(OSError):
        if time() - os.stat(path).st_mtime > _ABANDONED:
            os.unlink(path)
