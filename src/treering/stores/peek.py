"""A look at the store from a process that has no time: plain SQL on one bare connection, nothing kept, nothing made.

A hook lives for some hundredths of a second, so it does not wait, migrate, check or tidy: what it cannot have at
once it does without.
"""

from __future__ import annotations

import apsw

from treering.core.lifecycle import RECALLABLE
from treering.core.types import Memory
from treering.core.words import compounds
from treering.stores import schema
from treering.stores.rows import memory_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from treering.core.types import Context

WAIT = 400  # milliseconds for others who write; after that a letter goes into the spool
COUNTED = 200  # rows looked at to tell how common a word is; the gaps between them tell the rest
HERE = f"""status IN ({", ".join(f"'{status}'" for status in RECALLABLE)}) AND space = ?1 AND
    (scope = 'user' OR scope = 'project' AND project = ?2
     OR scope = 'session' AND session = ?3 AND session <> '' AND project IN ('', ?2))"""
# Of a briefing: what lasts and was said here, and what comes first.
# What other programs keep here names them in its origin, and is theirs.
LASTING = """(invariant OR type IN ('semantic', 'procedural') AND origin IN ('user', 'agent'))
    AND trust <> 'external' AND status <> 'archived'"""
FIRST = "invariant DESC, q * confidence * (1 + min(accesses, 10)) DESC, created DESC"
_READ = 20_000  # characters of a memory that are compared with a prompt: few are a tenth of that
NEWEST = 200  # memories that a briefing looks at, beside those chosen before
_FIELDS = ", ".join(f"memories.{field}" for field in Memory._fields)
_SCORE = f"-bm25(words, {', '.join(map(str, schema.FIELD_WEIGHTS))})"


def connect(path: str) -> apsw.Connection | None:
    """A bare connection to a store of our version; none if there is no such store."""
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
    return list(db.execute(sql, values))


def size(db: apsw.Connection) -> int:
    return int(rows(db, "SELECT coalesce(max(number), 0) FROM memories")[0][0])


def counts(db: apsw.Connection, terms: Sequence[str], most: int) -> list[int]:
    """About how many of `most` memories have each word."""
    sql = f"""SELECT count(*), min(rowid) FROM
        (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT {COUNTED})"""
    found = []
    for term in terms:
        ((count, lowest),) = rows(db, sql, (f'"{term}"',))
        found.append(count if count < COUNTED else round(count * most / max(most - lowest + 1, count)))
    return found


def match(db: apsw.Connection, terms: Sequence[str], here: Context, k: int, only: str = "true") -> list[Memory]:
    """The memories with any of the words that can be seen from here, best first."""
    sql = f"""SELECT {_FIELDS} FROM words
        JOIN memories ON memories.number = words.rowid
        WHERE words MATCH ?4 AND {HERE} AND {only} ORDER BY {_SCORE} DESC, words.rowid DESC LIMIT ?5"""
    any_of = " OR ".join(f'"{term}"' for term in terms)
    found = rows(db, sql, (here.space, here.project, here.session, any_of, k))
    return [memory_of(row) for row in found]


def shown(db: apsw.Connection, session: str) -> set[str]:
    """The memories that a session has been shown."""
    return {id for (id,) in rows(db, "SELECT memory FROM shown WHERE session = ?", (session,))}


def stems(db: apsw.Connection, text: str) -> list[str]:
    """The words of a text as the index has them."""
    tokenizer = db.fts5_tokenizer("porter", ["unicode61"])
    raw = text[:_READ].encode("utf-8", "replace")
    found = tokenizer(raw, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False)
    return [str(stem) for stem in found]


def stems_of(db: apsw.Connection, memory: Memory) -> set[str]:
    """Every word under which a memory is found."""
    text = " ".join((memory.content, memory.details, *memory.tags))
    return {*stems(db, text), *stems(db, compounds(text))}


def standing(db: apsw.Connection, here: Context, seen_by: str, k: int) -> list[Memory]:
    """What a session should be told first: what must always hold, then what proved itself most, of what lasts. Out of
    those that the engine had chosen, and what is newer."""
    sql = f"""SELECT {_FIELDS} FROM memories WHERE number IN (
            SELECT number FROM (SELECT number FROM memories WHERE space = ?1
                                ORDER BY created DESC, id DESC LIMIT {NEWEST})
            UNION SELECT value FROM briefs, json_each(briefs.memories) WHERE briefs.space = ?1 AND briefs.project = ?2)
        AND {HERE} AND {LASTING} AND id NOT IN
            (SELECT value FROM briefs, json_each(briefs.doubted) WHERE (briefs.space, briefs.project) = (?1, ?2))
        AND NOT EXISTS (SELECT 1 FROM shown WHERE shown.session = ?4 AND shown.memory = memories.id)
        ORDER BY {FIRST} LIMIT ?5"""
    values = (here.space, here.project, here.session, seen_by, k)
    return [memory_of(row) for row in rows(db, sql, values)]


def brief(db: apsw.Connection, here: Context) -> str:
    """What the engine left to be told when a session starts."""
    found = rows(db, "SELECT text FROM briefs WHERE (space, project) = (?, ?)", (here.space, here.project))
    return str(found[0][0]) if found else ""
