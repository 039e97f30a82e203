"""Answer and queue for a hook: plain SQL on one bare connection.

A hook lives for some hundredths of a second, so it does not wait, migrate, check or tidy: what it
cannot have at once it does without.
"""

from __future__ import annotations

import apsw

from treering.ledger.types import CHOSEN, DRAFT, LIKELY, RECALLABLE, Memory
from treering.stores.sqlite import projects, schema
from treering.stores.sqlite.rows import memory_of
from treering.text.words import compounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from treering.ledger.types import Context
    from treering.stores.port.queue import QueuedEvent


Connection = apsw.Connection
Error = apsw.Error  # what everything here may raise
WAIT = 400  # milliseconds for others who write; after that an event goes into the spool
COUNTED = 200  # rows looked at to tell how common a word is; the gaps between them tell the rest
# The space of a team, and that of the person in it: `types.seen_from`.
SEEN = "space IN (substr(?1, instr(?1, '@') + 1), ?1)"
HERE = f"""status IN ({", ".join(f"'{status}'" for status in RECALLABLE)}) AND {SEEN} AND
    (scope = 'user' OR scope = 'project' AND project = ?2
     OR scope = 'session' AND session = ?3 AND session <> '' AND project IN ('', ?2))"""
# Of a briefing: what lasts and was said here. What may be worth keeping is told where it was said. What other programs
# keep here names them in its origin, and is theirs.
_LIKELY = f"instr(' ' || tags || ' ', ' {LIKELY} ')"
_UNSURE = f"({_LIKELY} OR confidence = {CHOSEN})"  # it may be worth keeping, or only a model says that it is
LASTING = f"""(invariant OR (type IN ('semantic', 'procedural') OR {_LIKELY} AND project = ?2)
        AND origin IN ('user', 'agent'))
    AND trust <> 'external' AND (scope <> 'user' OR trust = 'user' OR accesses > 1)"""
# So many of a hundred lines were wanted: of those told in this project, of those that may be worth keeping and were
# said in it, and of what was told of the person elsewhere. Where not all fit, they are taken in this proportion, of
# each kind what proved itself and then the newest first. What was shown is no better for it: it would lead for ever.
_WANTED = f"CASE WHEN project <> ?2 THEN 3 WHEN {_UNSURE} THEN 8 ELSE 11 END"
_NEWEST = "round(q, 1) DESC, status = 'archived', created DESC, id DESC"
_TURN = f"1.0 * row_number() OVER (PARTITION BY trust = 'user', {_WANTED} ORDER BY {_NEWEST}) / {_WANTED}"
# A draft of a summary takes the room of five and has what nothing else has, so it comes last.
FIRST = f"""invariant DESC, instr(' ' || tags || ' ', ' {DRAFT} ') > 0, trust = 'user' DESC, {_TURN}, {_NEWEST}"""
_READ = 20_000  # characters of a memory that are compared with a prompt: few are a tenth of that
NEWEST = 200  # memories that a briefing looks at, beside those chosen before
_FIELDS = ", ".join(f"memories.{field}" for field in Memory._fields)
_SCORE = f"-bm25(words, {', '.join(map(str, schema.FIELD_WEIGHTS))})"


def connect(path: str) -> apsw.Connection | None:
    """Return a bare connection to a store of our version; None if there is no such store."""
    try:
        db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    except apsw.CantOpenError:
        return None
    # Copying the log into the database is for whoever has time.
    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    db.set_busy_timeout(WAIT)
    if db.pragma("user_version") != schema.VERSION or db.pragma("application_id") != schema.APPLICATION_ID:
        db.close()
        return None
    db.execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 0").fetchall()
    return db


def rows(db: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Run a statement, and return its rows."""
    return list(db.execute(sql, values))


def size(db: apsw.Connection) -> int:
    """Return how many memories there are, or a few more."""
    return int(rows(db, "SELECT coalesce(max(number), 0) FROM memories")[0][0])


def counts(db: apsw.Connection, terms: Sequence[str], most: int) -> list[int]:
    """Return about how many of `most` memories have each word."""
    sql = f"""SELECT count(*), min(rowid) FROM
        (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT {COUNTED})"""
    found = []
    for term in terms:
        ((count, lowest),) = rows(db, sql, (f'"{term}"',))
        found.append(count if count < COUNTED else round(count * most / max(most - lowest + 1, count)))
    return found


def match(db: apsw.Connection, terms: Sequence[str], here: Context, k: int, lasting: bool = False) -> list[Memory]:
    """Return the memories with any of the words that can be seen from here, best first: all of
    them, or only facts and procedures."""
    only = "memories.type IN ('procedural', 'semantic')" if lasting else "true"
    sql = f"""SELECT {_FIELDS} FROM words
        JOIN memories ON memories.number = words.rowid
        WHERE words MATCH ?4 AND {HERE} AND {only} ORDER BY {_SCORE} DESC, words.rowid DESC LIMIT ?5"""
    any_of = " OR ".join(f'"{term}"' for term in terms)
    found = rows(db, sql, (here.space, here.project, here.session, any_of, k))
    return [memory_of(row) for row in found]


def shown(db: apsw.Connection, session: str) -> set[str]:
    """Return the ids of the memories that a session has been shown."""
    return {id for (id,) in rows(db, "SELECT memory FROM shown WHERE session = ?", (session,))}


def stems(db: apsw.Connection, text: str) -> list[str]:
    """Return the words of a text as the index has them."""
    tokenizer = db.fts5_tokenizer("porter", ["unicode61"])
    raw = text[:_READ].encode("utf-8", "replace")
    found = tokenizer(raw, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False)
    return [str(stem) for stem in found]


def stems_of(db: apsw.Connection, memory: Memory) -> set[str]:
    """Return every word under which a memory is found."""
    text = " ".join((memory.content, memory.details, *memory.tags))
    return {*stems(db, text), *stems(db, compounds(text))}


def standing(db: apsw.Connection, here: Context, seen_by: str, k: int) -> list[Memory]:
    """Return what a session should be told first: what must always hold, then what proved itself
    most, of what lasts and the session has not seen. It is chosen from what the engine had chosen,
    and what is newer."""
    sql = f"""SELECT {_FIELDS} FROM memories WHERE number IN (
            SELECT number FROM (SELECT number FROM memories WHERE {SEEN}
                                ORDER BY created DESC, id DESC LIMIT {NEWEST})
            UNION SELECT value FROM briefs, json_each(briefs.memories) WHERE briefs.space = ?1 AND briefs.project = ?2)
        AND {HERE} AND {LASTING}
        AND NOT EXISTS (SELECT 1 FROM shown WHERE shown.session = ?4 AND shown.memory = memories.id)
        ORDER BY {FIRST} LIMIT ?5"""
    values = (here.space, here.project, here.session, seen_by, k)
    return [memory_of(row) for row in rows(db, sql, values)]


def named(db: apsw.Connection, ids: Sequence[str], here: Context) -> list[Memory]:
    """Return memories by their ids, as far as they can be seen from here."""
    if not ids:
        return []
    marks = ", ".join("?" * len(ids))
    sql = f"SELECT {_FIELDS} FROM memories WHERE {HERE} AND id IN ({marks})"
    return [memory_of(row) for row in rows(db, sql, (here.space, here.project, here.session, *ids))]


def doubted(db: apsw.Connection, here: Context) -> dict[str, list[str]]:
    """Return the memories that may hold no longer, each with those that say otherwise."""
    sql = """SELECT key, value FROM briefs, json_each(briefs.doubted)
        WHERE (briefs.space, briefs.project) = (?, ?)"""
    return {str(older): str(newer).split() for older, newer in rows(db, sql, (here.space, here.project))}


def brief(db: apsw.Connection, here: Context) -> str:
    """Return the text that the engine left to be told when a session starts."""
    found = rows(db, "SELECT text FROM briefs WHERE (space, project) = (?, ?)", (here.space, here.project))
    return str(found[0][0]) if found else ""


PUT = (
    "INSERT OR IGNORE INTO inbox (key, space, session, event, time, body, taken, made) VALUES (?, ?, ?, ?, ?, ?, 0, '')"
)
SHOW = "INSERT OR IGNORE INTO shown VALUES (?, ?, ?)"
_TURNS = ("SessionStart", "SessionEnd")


def next_free_key(db: apsw.Connection, key: str, session: str, event: str) -> str:
    """Return the key for an event: for a start or an end that its session has had before, one with
    a number, as a session that is resumed has no id for that. One that follows its like at once is
    the same, heard twice."""
    if event not in _TURNS:
        return key
    sql = "SELECT event FROM inbox WHERE session = ? ORDER BY number DESC LIMIT 1"
    last = list(db.execute(sql, (session,)))
    had = list(db.execute("SELECT 1 FROM inbox WHERE session = ? AND event = ?", (session, event)))
    before = len(had) - (last == [(event,)])
    return f"{key}#{before}" if before > 0 else key


def known(db: apsw.Connection, key: str) -> bool:
    """Return whether an event with this key has been queued before."""
    return bool(db.execute("SELECT 1 FROM inbox WHERE key = ?", (key,)).fetchall())


def began(db: apsw.Connection, session: str) -> bool:
    """Return whether a start of this session was heard before."""
    sql = "SELECT 1 FROM inbox WHERE session = ? AND event = 'SessionStart' LIMIT 1"
    return bool(db.execute(sql, (session,)).fetchall())


def waiting(db: apsw.Connection) -> tuple[int | None, bool]:
    """Return when the oldest untaken event was queued, and whether a session began or ended."""
    sql = f"SELECT min(time), max(event IN {_TURNS}) FROM inbox WHERE taken = 0"
    ((oldest, turned),) = rows(db, sql)
    return oldest, bool(turned)


def prompts(db: apsw.Connection, most: int) -> list[tuple[str, str, str, str]]:
    """Return the space, session, kind and body of the newest prompts that wait to be taken in, oldest first."""
    sql = """SELECT space, session, event, body FROM inbox WHERE taken = 0 AND event = 'UserPromptSubmit'
        ORDER BY time DESC, number DESC LIMIT ?"""
    return [(str(row[0]), str(row[1]), str(row[2]), str(row[3])) for row in reversed(rows(db, sql, (most,)))]


def put(db: apsw.Connection, queued: QueuedEvent, shown: Iterable[str], root: str, project: str) -> bool:
    """Queue an event, with what its session has been shown. Return False if it was there."""
    db.execute("BEGIN IMMEDIATE")
    try:
        db.execute(PUT, queued[:6])
        fresh = db.changes() > 0
        if fresh:
            db.executemany(SHOW, [(queued.session, memory, queued.time) for memory in shown])
            projects.register(db, root, project)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return fresh
