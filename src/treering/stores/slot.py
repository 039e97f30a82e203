"""The slot through which letters come into a store: the SQL of a process that has no time, on a bare connection."""

from __future__ import annotations

from treering.stores import peek, roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from treering.core.letters import Letter

PUT = (
    "INSERT OR IGNORE INTO inbox (key, space, session, event, time, body, taken, made) VALUES (?, ?, ?, ?, ?, ?, 0, '')"
)
SHOW = "INSERT OR IGNORE INTO shown VALUES (?, ?, ?)"
_TURNS = ("SessionStart", "SessionEnd")


def again(db: apsw.Connection, key: str, session: str, event: str) -> str:
    """The key of a start or an end that a session has had before: it may be resumed, and has no id for that. What
    follows its like at once is the same one, heard twice."""
    if event not in _TURNS:
        return key
    sql = "SELECT event FROM inbox WHERE session = ? ORDER BY number DESC LIMIT 1"
    last = list(db.execute(sql, (session,)))
    had = list(db.execute("SELECT 1 FROM inbox WHERE session = ? AND event = ?", (session, event)))
    before = len(had) - (last == [(event,)])
    return f"{key}#{before}" if before > 0 else key


def known(db: apsw.Connection, key: str) -> bool:
    """Whether this letter has been left before."""
    return bool(db.execute("SELECT 1 FROM inbox WHERE key = ?", (key,)).fetchall())


def began(db: apsw.Connection, session: str) -> bool:
    """Whether a start of this session was heard before."""
    sql = "SELECT 1 FROM inbox WHERE session = ? AND event = 'SessionStart' LIMIT 1"
    return bool(db.execute(sql, (session,)).fetchall())


def waiting(db: apsw.Connection) -> tuple[int | None, bool]:
    """When the oldest letter that nobody has taken in was heard; and whether a session began or ended among them."""
    sql = f"SELECT min(time), max(event IN {_TURNS}) FROM inbox WHERE taken = 0"
    ((oldest, turned),) = peek.rows(db, sql)
    return oldest, bool(turned)


def put(db: apsw.Connection, letter: Letter, shown: Iterable[str], root: str, project: str) -> bool:
    """Put a letter in, with what its session has been shown. False if it was there already."""
    db.execute("BEGIN IMMEDIATE")
    try:
        db.execute(PUT, letter[:6])
        fresh = db.changes() > 0
        if fresh:
            db.executemany(SHOW, [(letter.session, memory, letter.time) for memory in shown])
            roots.register(db, root, project)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return fresh
