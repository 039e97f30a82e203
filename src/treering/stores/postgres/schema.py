"""Hold the schema of PostgreSQL, as the named steps that make it, and take the steps that a database lacks.

Every key begins with the space, and every statement names it: a space is a ledger of its own, with its
own writers, order and numbers. Row-level security shows a transaction one space alone. An event and a
memory also say which space they belong to themselves, in `part`: another one only where a file of
several spaces was moved here.
"""

from __future__ import annotations

from collections.abc import Callable

from treering.ledger.errors import NewerStore
from treering.ledger.events import REMEMBERED, Event
from treering.ledger.types import Memory
from treering.stores.postgres.connection import Connections, Row

_LOCK = 0x54526E67  # of whoever brings the schema up to date, until the end of its transaction


def _columns(names: tuple[str, ...]) -> str:
    return ", ".join("part" if name == "space" else name for name in names)


EVENT_COLUMNS = _columns(Event._fields)
MEMORY_COLUMNS = _columns(Memory._fields)

_TEXT = 'text COLLATE "C" NOT NULL'  # in the order of bytes, as SQLite has it
_SPACE = f"space {_TEXT}"
_NUMBERS = ("created", "updated", "accesses", "accessed", "queued", "verified")
_SHARES = ("q", "confidence", "relevance", "impact", "feedback")


def _memory_column(name: str) -> str:
    if name in _NUMBERS:
        return f"{name} bigint NOT NULL"
    if name in _SHARES:
        return f"{name} double precision NOT NULL"
    return f"{'part' if name == 'space' else name} {'boolean NOT NULL' if name == 'invariant' else _TEXT}"


# One row for each space: who writes must lock it, so the order of a space is the order of its commits. A
# space that came with others in one file is part of the ledger that its row names in `held_by`.
_LEDGER = f"""
CREATE TABLE treering.spaces (
    {_SPACE} PRIMARY KEY, writer {_TEXT}, place {_TEXT}, token bytea NOT NULL,
    number bigint NOT NULL, texts bigint NOT NULL, length bigint NOT NULL,
    held_by text COLLATE "C" NOT NULL DEFAULT ''
);
CREATE TABLE treering.events (
    {_SPACE}, writer {_TEXT}, seq bigint NOT NULL, clock bigint NOT NULL, time bigint NOT NULL,
    kind {_TEXT}, actor {_TEXT}, part {_TEXT}, project {_TEXT}, session {_TEXT}, subject {_TEXT}, causes {_TEXT},
    digest bytea NOT NULL, chain bytea NOT NULL, salt bytea, payload text COLLATE "C",
    PRIMARY KEY (space, writer, seq)
);
CREATE INDEX events_order ON treering.events (space, clock, writer, seq);
CREATE INDEX events_subject ON treering.events (space, subject) WHERE kind <> '{REMEMBERED}';
CREATE INDEX events_kind ON treering.events (space, kind, clock) WHERE kind <> '{REMEMBERED}';
CREATE INDEX events_session ON treering.events (space, session, clock) WHERE session <> '';
CREATE TABLE treering.heads (
    {_SPACE}, writer {_TEXT}, seq bigint NOT NULL, chain bytea NOT NULL, PRIMARY KEY (space, writer)
);
CREATE TABLE treering.meta ({_SPACE}, name {_TEXT}, value {_TEXT}, PRIMARY KEY (space, name));
CREATE TABLE treering.causes ({_SPACE}, cause {_TEXT}, effect {_TEXT}, PRIMARY KEY (space, cause, effect));
CREATE TABLE treering.keys ({_SPACE}, key bigint NOT NULL, event {_TEXT}, PRIMARY KEY (space, key, event));
CREATE INDEX keys_event ON treering.keys (space, event);
CREATE TABLE treering.taken ({_SPACE}, key {_TEXT}, time bigint NOT NULL, PRIMARY KEY (space, key));
CREATE TABLE treering.left_out ({_SPACE}, id {_TEXT}, PRIMARY KEY (space, id));
"""

# `terms` holds the stems of a text with their places in it, a weight for each of its fields. What holds
# a stem is found in `words`: row-level security keeps PostgreSQL from using an index on `terms`.
_MEMORIES = f"""
CREATE TABLE treering.memories (
    {_SPACE}, number bigint NOT NULL, {", ".join(map(_memory_column, Memory._fields))},
    terms tsvector, length integer NOT NULL,
    PRIMARY KEY (space, number), UNIQUE (space, id)
);
CREATE INDEX memories_created ON treering.memories (space, part, created, id);
CREATE TABLE treering.words (
    {_SPACE}, stem {_TEXT}, number bigint NOT NULL, hits real NOT NULL, PRIMARY KEY (space, stem, number)
);
"""

_INDEX = f"""
CREATE TABLE treering.places (
    {_SPACE}, place integer NOT NULL, part {_TEXT}, scope {_TEXT}, project {_TEXT}, session {_TEXT},
    count bigint NOT NULL, length bigint NOT NULL, total bytea NOT NULL, norms bigint NOT NULL,
    folded bigint NOT NULL, shape bigint NOT NULL, centroids bytea NOT NULL,
    PRIMARY KEY (space, place), UNIQUE (space, part, scope, project, session)
);
CREATE TABLE treering.profiles (
    {_SPACE}, number bigint NOT NULL, place integer NOT NULL, session {_TEXT}, created bigint NOT NULL,
    words integer NOT NULL, entities {_TEXT}, stems bytea NOT NULL,
    vector bytea NOT NULL, sentences bytea NOT NULL, kind integer NOT NULL, PRIMARY KEY (space, number)
);
CREATE INDEX profiles_place ON treering.profiles (space, place, number);
CREATE INDEX profiles_session ON treering.profiles (space, place, session, created, number) WHERE session <> '';
CREATE TABLE treering.cells (
    {_SPACE}, place integer NOT NULL, cell integer NOT NULL, piece bigint GENERATED ALWAYS AS IDENTITY,
    members bytea NOT NULL, vectors bytea NOT NULL, PRIMARY KEY (space, place, cell, piece)
);
CREATE TABLE treering.postings (
    {_SPACE}, place integer NOT NULL, stem bigint NOT NULL, piece bigint GENERATED ALWAYS AS IDENTITY,
    members bytea NOT NULL, PRIMARY KEY (space, place, stem, piece)
);
CREATE TABLE treering.mentions (
    {_SPACE}, entity {_TEXT}, place integer NOT NULL, number bigint NOT NULL,
    PRIMARY KEY (space, entity, place, number)
);
CREATE TABLE treering.lessons (
    {_SPACE}, lesson bigint GENERATED ALWAYS AS IDENTITY, recall {_TEXT}, part {_TEXT}, project {_TEXT},
    type {_TEXT}, stems bytea NOT NULL, vector bytea NOT NULL, PRIMARY KEY (space, lesson), UNIQUE (space, recall)
);
CREATE TABLE treering.marks (
    {_SPACE}, lesson bigint NOT NULL, number bigint NOT NULL, weight double precision NOT NULL,
    kind integer NOT NULL, hint double precision NOT NULL, PRIMARY KEY (space, lesson, number)
);
CREATE INDEX marks_number ON treering.marks (space, number);
CREATE TABLE treering.learnt (
    {_SPACE}, writer {_TEXT}, seq bigint NOT NULL, clock bigint NOT NULL, PRIMARY KEY (space, writer)
);
"""

_GRAPH = f"""
CREATE TABLE treering.named (
    {_SPACE}, key {_TEXT}, sort {_TEXT}, number bigint NOT NULL, name {_TEXT}, sure double precision NOT NULL,
    model boolean NOT NULL, row bigint GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (space, key, sort, number)
);
CREATE INDEX named_number ON treering.named (space, number);
CREATE INDEX named_row ON treering.named (space, row);
CREATE TABLE treering.told (
    {_SPACE}, source {_TEXT}, relation {_TEXT}, target {_TEXT}, number bigint NOT NULL, sure double precision NOT NULL,
    start integer NOT NULL, stop integer NOT NULL, how {_TEXT}, model boolean NOT NULL,
    row bigint GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (space, source, relation, target, how, number)
);
CREATE INDEX told_target ON treering.told (space, target);
CREATE INDEX told_number ON treering.told (space, number);
CREATE INDEX told_row ON treering.told (space, row);
CREATE TABLE treering.aliases (
    {_SPACE}, project {_TEXT}, sort {_TEXT}, key {_TEXT}, speaks {_TEXT}, PRIMARY KEY (space, key, sort, project)
);
"""

INDEX_TABLES = ("places", "profiles", "cells", "postings", "mentions", "lessons", "marks", "learnt")
GRAPH_TABLES = ("named", "told", "aliases")
LEDGER_TABLES = ("spaces", "events", "heads", "meta", "causes", "keys", "taken", "left_out")
TABLES = (*LEDGER_TABLES, "memories", "words", *INDEX_TABLES, *GRAPH_TABLES)


def _walled(tables: tuple[str, ...]) -> str:
    """Return what shows a transaction one space of each table alone, its owner's transactions too."""
    return "".join(
        f"ALTER TABLE treering.{table} ENABLE ROW LEVEL SECURITY;"
        f"ALTER TABLE treering.{table} FORCE ROW LEVEL SECURITY;"
        f"CREATE POLICY space ON treering.{table} USING (space = current_setting('treering.space', true));"
        for table in tables
    )


# Columns that hold words of a memory. PostgreSQL keeps samples of columns in a table of its own, which
# nobody but the owner of the server can clean when a memory is purged: so it takes none of these.
_SAID = {
    "events": ("payload",),
    "memories": ("content", "tags", "problem", "approach", "gotchas", "trigger", "action", "outcome", "terms"),
    "words": ("stem",),
    "profiles": ("entities",),
    "mentions": ("entity",),
    "named": ("key", "name"),
    "told": ("source", "target"),
    "aliases": ("key", "speaks"),
    "meta": ("value",),
}


def _unsampled(columns: dict[str, tuple[str, ...]]) -> str:
    return "".join(
        f"ALTER TABLE treering.{table} ALTER COLUMN {name} SET STATISTICS 0;"
        for table, names in columns.items()
        for name in names
    )


# What a person reads is narrowed to what they may see. Each setting is looked up once for a statement, not for a row.
_PEOPLE = "".join(
    f"DROP POLICY space ON treering.{table};"
    f"CREATE POLICY space ON treering.{table} USING (space = current_setting('treering.space', true)"
    " AND ((SELECT coalesce(current_setting('treering.seen', true), '') = '')"
    " OR part = ANY ((SELECT string_to_array(current_setting('treering.seen', true), E'\\n'))::text[])));"
    for table in ("events", "memories", "places", "lessons")
)

# A search for a word reads one stretch of this index and nothing else. The owner fills it for all spaces at once.
_COVERED = """
ALTER TABLE treering.words NO FORCE ROW LEVEL SECURITY;
ALTER TABLE treering.memories NO FORCE ROW LEVEL SECURITY;
ALTER TABLE treering.words ADD COLUMN length integer NOT NULL DEFAULT 0;
UPDATE treering.words w SET length = m.length FROM treering.memories m WHERE (m.space, m.number) = (w.space, w.number);
ALTER TABLE treering.words DROP CONSTRAINT words_pkey, ALTER COLUMN length DROP DEFAULT;
ALTER TABLE treering.words ADD PRIMARY KEY (space, stem, number) INCLUDE (hits, length);
ALTER TABLE treering.words FORCE ROW LEVEL SECURITY;
ALTER TABLE treering.memories FORCE ROW LEVEL SECURITY;
"""

# Never to be changed once released: what comes later is a step of its own.
STEPS = {
    "ledger and recall": _LEDGER + _MEMORIES + _INDEX + _GRAPH + _walled(TABLES) + _unsampled(_SAID),
    "people": _PEOPLE,
    "words that need no table": _COVERED,
    "spaces that moved": """ALTER TABLE treering.spaces ADD COLUMN moved_to text COLLATE "C" NOT NULL DEFAULT ''""",
}

_MADE = """
CREATE SCHEMA IF NOT EXISTS treering;
CREATE TABLE IF NOT EXISTS treering.steps (name text PRIMARY KEY, taken timestamptz NOT NULL DEFAULT now())
"""


def prepare(db: Connections) -> None:
    """Bring a database to the schema of today. Whoever comes second finds nothing to do."""
    ((there,),) = db.ask("SELECT to_regclass('treering.steps') IS NOT NULL")
    taken = _taken(db.ask) if there else set()
    if newer := taken - STEPS.keys():
        raise NewerStore(
            f"{db.place} was written by a newer Treering (it knows {', '.join(sorted(newer))}): "
            "run `pip install -U 'treering[postgres]'`"
        )
    if taken != STEPS.keys():
        db.transaction(lambda: _take(db), lambda: "SELECT 1", lambda: False)


def _take(db: Connections) -> None:
    db.run(f"SELECT pg_advisory_xact_lock({_LOCK}); {_MADE}")
    taken = _taken(db.run)
    for name, sql in STEPS.items():
        if name not in taken:
            db.run(f"{sql}; INSERT INTO treering.steps (name) VALUES ('{name}')")


def _taken(ask: Callable[[str], list[Row]]) -> set[str]:
    return {name for (name,) in ask("SELECT name FROM treering.steps")}
