"""Bring an older store to the schema of today: one named step for each version, all in one
transaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import apsw

from treering.ledger.fold import fold
from treering.stores.port.ledger import EventQuery
from treering.stores.sqlite import schema
from treering.stores.sqlite.rows import event_clause, event_of
from treering.text.words import compounds

# What version 2 added, as it was then. It is never to be changed.
_TEXTS_2 = """
CREATE VIEW texts AS SELECT number, content,
    concat_ws(' ', nullif(problem, ''), nullif(approach, ''), nullif(gotchas, ''),
                   nullif(trigger, ''), nullif(action, ''), nullif(outcome, '')) AS details,
    tags, compounds FROM memories WHERE status <> 'forgotten';
CREATE VIRTUAL TABLE words USING fts5 (
    content, details, tags, compounds, content = 'texts', content_rowid = 'number', tokenize = 'porter unicode61'
);
INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
"""
_INDEX_2 = """
CREATE TABLE places (
    place INTEGER PRIMARY KEY, space TEXT NOT NULL, scope TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL,
    count INTEGER NOT NULL, length INTEGER NOT NULL, total BLOB NOT NULL, norms INTEGER NOT NULL,
    folded INTEGER NOT NULL, shape INTEGER NOT NULL, centroids BLOB NOT NULL, UNIQUE (space, scope, project, session)
);
CREATE TABLE profiles (
    number INTEGER PRIMARY KEY, place INTEGER NOT NULL, session TEXT NOT NULL, created INTEGER NOT NULL,
    words INTEGER NOT NULL, entities TEXT NOT NULL, stems BLOB NOT NULL,
    vector BLOB NOT NULL, sentences BLOB NOT NULL
);
CREATE INDEX profiles_place ON profiles (place, number);
CREATE INDEX profiles_session ON profiles (place, session, created, number) WHERE session <> '';
CREATE TABLE cells (
    number INTEGER PRIMARY KEY, place INTEGER NOT NULL, cell INTEGER NOT NULL,
    members BLOB NOT NULL, vectors BLOB NOT NULL
);
CREATE INDEX cells_place ON cells (place, cell);
CREATE TABLE postings (
    number INTEGER PRIMARY KEY, place INTEGER NOT NULL, stem INTEGER NOT NULL, members BLOB NOT NULL
);
CREATE INDEX postings_stem ON postings (place, stem);
CREATE TABLE mentions (
    entity TEXT NOT NULL, place INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (entity, place, number)
) WITHOUT ROWID;
"""


def with_index(db: apsw.Connection) -> None:
    """Go from 1 to 2: memories count their uses, the parts of CamelCase names are indexed, and
    recall has profiles."""
    db.create_scalar_function("compounds", _compounds, 1, deterministic=True)
    _run(
        db,
        f"""
        ALTER TABLE memories ADD COLUMN q DEFAULT 0.5;
        ALTER TABLE memories ADD COLUMN accesses DEFAULT 0;
        ALTER TABLE memories ADD COLUMN accessed DEFAULT 0;
        ALTER TABLE memories ADD COLUMN compounds DEFAULT '';
        UPDATE memories SET compounds = compounds(concat_ws(' ', content,
            concat_ws(' ', nullif(problem, ''), nullif(approach, ''), nullif(gotchas, ''),
                           nullif(trigger, ''), nullif(action, ''), nullif(outcome, ''))));
        DROP TABLE words;
        DROP VIEW texts;
        {_TEXTS_2}
        INSERT INTO words (words) VALUES ('rebuild');
        {_INDEX_2}
        """,
    )


def with_ages(db: apsw.Connection) -> None:
    """Go from 2 to 3: memories know the moves of their lives. What was recalled before is active,
    as it would be today."""
    _run(
        db,
        """
        ALTER TABLE memories ADD COLUMN confidence DEFAULT 0.7;
        ALTER TABLE memories ADD COLUMN relevance DEFAULT 0.5;
        ALTER TABLE memories ADD COLUMN impact DEFAULT 0.5;
        ALTER TABLE memories ADD COLUMN feedback DEFAULT 0.0;
        ALTER TABLE memories ADD COLUMN moves DEFAULT '';
        ALTER TABLE memories ADD COLUMN queued DEFAULT 0;
        ALTER TABLE memories ADD COLUMN verified DEFAULT 0;
        ALTER TABLE memories ADD COLUMN superseded_by DEFAULT '';
        ALTER TABLE memories ADD COLUMN supersedes DEFAULT '';
        DROP INDEX memories_created;
        CREATE INDEX memories_created ON memories (space, created, id);
        UPDATE memories SET updated = created WHERE status = 'created';
        """,
    )
    lived = [id for (id,) in db.execute("SELECT id FROM memories WHERE status <> 'created' OR accesses > 0")]
    for id in lived:
        about = event_clause(EventQuery(subjects=(id,), live=True))
        sql = f"SELECT {schema.EVENT_COLUMNS} FROM events WHERE {about} ORDER BY clock, writer, seq"
        memory = fold(map(event_of, db.execute(sql, about.values)))
        if memory is not None:
            values = (memory.status, memory.updated, " ".join(memory.moves), id)
            db.execute("UPDATE memories SET (status, updated, moves) = (?, ?, ?) WHERE id = ?", values)


def with_merges(db: apsw.Connection) -> None:
    """Go from 3 to 4: memories know which of them speak for others."""
    _run(
        db,
        """
        ALTER TABLE memories ADD COLUMN merged_into DEFAULT '';
        ALTER TABLE memories ADD COLUMN merged DEFAULT '';
        """,
    )


# What version 5 added, as it was then. It is never to be changed.
_INDEX_5 = """
CREATE TABLE places (
    place INTEGER PRIMARY KEY, space TEXT NOT NULL, scope TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL,
    count INTEGER NOT NULL, length INTEGER NOT NULL, total BLOB NOT NULL, norms INTEGER NOT NULL,
    folded INTEGER NOT NULL, shape INTEGER NOT NULL, centroids BLOB NOT NULL, UNIQUE (space, scope, project, session)
);
CREATE TABLE profiles (
    number INTEGER PRIMARY KEY, place INTEGER NOT NULL, session TEXT NOT NULL, created INTEGER NOT NULL,
    words INTEGER NOT NULL, entities TEXT NOT NULL, stems BLOB NOT NULL,
    vector BLOB NOT NULL, sentences BLOB NOT NULL, kind INTEGER NOT NULL
);
CREATE INDEX profiles_place ON profiles (place, number);
CREATE INDEX profiles_session ON profiles (place, session, created, number) WHERE session <> '';
CREATE TABLE cells (
    number INTEGER PRIMARY KEY, place INTEGER NOT NULL, cell INTEGER NOT NULL,
    members BLOB NOT NULL, vectors BLOB NOT NULL
);
CREATE INDEX cells_place ON cells (place, cell);
CREATE TABLE postings (
    number INTEGER PRIMARY KEY, place INTEGER NOT NULL, stem INTEGER NOT NULL, members BLOB NOT NULL
);
CREATE INDEX postings_stem ON postings (place, stem);
CREATE TABLE mentions (
    entity TEXT NOT NULL, place INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (entity, place, number)
) WITHOUT ROWID;
CREATE TABLE lessons (
    lesson INTEGER PRIMARY KEY, recall TEXT NOT NULL UNIQUE, space TEXT NOT NULL, project TEXT NOT NULL,
    type TEXT NOT NULL, stems BLOB NOT NULL, vector BLOB NOT NULL
);
CREATE TABLE marks (
    lesson INTEGER NOT NULL, number INTEGER NOT NULL, weight REAL NOT NULL, kind INTEGER NOT NULL, hint REAL NOT NULL,
    PRIMARY KEY (lesson, number)
) WITHOUT ROWID;
CREATE INDEX marks_number ON marks (number);
CREATE TABLE learnt (writer TEXT PRIMARY KEY, seq INTEGER NOT NULL, clock INTEGER NOT NULL) WITHOUT ROWID;
"""
_GRAPH_5 = """
CREATE TABLE named (
    key TEXT NOT NULL, sort TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, sure REAL NOT NULL,
    model INTEGER NOT NULL, UNIQUE (key, sort, number)
);
CREATE INDEX named_number ON named (number);
CREATE TABLE told (
    source TEXT NOT NULL, relation TEXT NOT NULL, target TEXT NOT NULL, number INTEGER NOT NULL, sure REAL NOT NULL,
    start INTEGER NOT NULL, stop INTEGER NOT NULL, how TEXT NOT NULL, model INTEGER NOT NULL,
    UNIQUE (source, relation, target, how, number)
);
CREATE INDEX told_target ON told (target);
CREATE INDEX told_number ON told (number);
CREATE TABLE aliases (
    project TEXT NOT NULL, sort TEXT NOT NULL, key TEXT NOT NULL, speaks TEXT NOT NULL,
    PRIMARY KEY (key, sort, project)
) WITHOUT ROWID;
"""


def with_lessons(db: apsw.Connection) -> None:
    """Go from 4 to 5: what memories name and tell is kept, for the graph, and what recall has
    learned; it makes its profiles anew, as these know the kind of each memory."""
    dropped = "".join(f"DROP TABLE {table};" for table in ("places", "profiles", "cells", "postings", "mentions"))
    _run(db, f"{dropped}{_INDEX_5}{_GRAPH_5}DELETE FROM meta WHERE name = 'embedder';")


# What version 6 added, as it was then. It is never to be changed.
_INBOX_6 = """
CREATE TABLE inbox (
    number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, space TEXT NOT NULL, session TEXT NOT NULL,
    event TEXT NOT NULL, time INTEGER NOT NULL, taken INTEGER NOT NULL, made TEXT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX inbox_waiting ON inbox (number) WHERE taken = 0;
CREATE INDEX inbox_session ON inbox (session, number);
CREATE TABLE shown (
    session TEXT NOT NULL, memory TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (session, memory)
) WITHOUT ROWID;
CREATE TABLE roots (root TEXT PRIMARY KEY, project TEXT NOT NULL UNIQUE) WITHOUT ROWID;
CREATE TABLE briefs (
    space TEXT NOT NULL, project TEXT NOT NULL, text TEXT NOT NULL, memories TEXT NOT NULL,
    doubted TEXT NOT NULL, PRIMARY KEY (space, project)
) WITHOUT ROWID;
"""


def with_inbox(db: apsw.Connection) -> None:
    """Go from 5 to 6: hooks leave what they heard, and sessions know what they have been shown."""
    _run(db, _INBOX_6)


STEPS: dict[int, Callable[[apsw.Connection], None]] = {
    1: with_index,
    2: with_ages,
    3: with_merges,
    4: with_lessons,
    5: with_inbox,
}


def migrate(db: apsw.Connection) -> None:
    """Take every step from the version of the store to ours. Whoever comes second finds nothing to
    do."""
    db.execute("BEGIN IMMEDIATE")
    try:
        version: int = db.pragma("user_version")
        for step in range(version, schema.VERSION):
            STEPS[step](db)
        _run(db, f"PRAGMA user_version = {max(version, schema.VERSION)}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _compounds(*texts: Any) -> str:
    return compounds(*texts)


def _run(db: apsw.Connection, sql: str) -> None:
    for _ in db.execute(sql):
        pass
