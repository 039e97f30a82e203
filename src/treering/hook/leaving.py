"""Leaving a letter: in the store's inbox, or in a folder beside it when the store cannot be written at once."""

from __future__ import annotations

import os

import apsw

from treering.hook.agents.wire import written
from treering.stores import roots
from treering.stores.files import LETTER, SPOOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.core.letters import Letter

_PUT = (
    "INSERT OR IGNORE INTO inbox (key, space, session, event, time, body, taken, made) VALUES (?, ?, ?, ?, ?, ?, 0, '')"
)


def again(db: apsw.Connection, key: str, session: str, event: str) -> str:
    """The key of a start or an end that a session has had before: it may be resumed, and has no id for that. What
    follows its like at once is the same one, heard twice."""
    if event not in ("SessionStart", "SessionEnd"):
        return key
    sql = "SELECT event FROM inbox WHERE session = ? ORDER BY number DESC LIMIT 1"
    last = list(db.execute(sql, (session,)))
    had = list(db.execute("SELECT 1 FROM inbox WHERE session = ? AND event = ?", (session, event)))
    before = len(had) - (last == [(event,)])
    return f"{key}#{before}" if before > 0 else key


def known(db: apsw.Connection, key: str) -> bool:
    """Whether this letter has been left before."""
    return bool(db.execute("SELECT 1 FROM inbox WHERE key = ?", (key,)).fetchall())


def leave(db: apsw.Connection | None, home: str, letter: Letter, shown: Iterable[str], root: str, project: str) -> bool:
    """Leave a letter, and note what its session has been shown. False if it had been left before."""
    if db is not None:
        try:
            return _put(db, letter, shown, root, project)
        except apsw.Error:
            pass  # others are writing for longer than an agent should wait, or nobody can
    _spool(home, letter)
    return True


def _put(db: apsw.Connection, letter: Letter, shown: Iterable[str], root: str, project: str) -> bool:
    db.execute("BEGIN IMMEDIATE")
    try:
        db.execute(_PUT, letter[:6])
        fresh = db.changes() > 0
        if fresh:
            rows = [(letter.session, memory, letter.time) for memory in shown]
            db.executemany("INSERT OR IGNORE INTO shown VALUES (?, ?, ?)", rows)
            roots.register(db, root, project)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return fresh


def _spool(home: str, letter: Letter) -> None:
    """Write it whole or not at all, for its owner only."""
    folder = os.path.join(home, SPOOL)
    for path in (home, folder):
        if not os.path.isdir(path):
            os.makedirs(path, 0o700, exist_ok=True)
    name = os.path.join(folder, f"{letter.time}-{os.getpid()}")
    handle = os.open(name + ".part", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        os.write(handle, written([*letter[:6]]).encode("utf-8", "replace"))
        os.fsync(handle)
    finally:
        os.close(handle)
    os.replace(name + ".part", name + LETTER)
