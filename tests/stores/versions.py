"""The schemas of earlier versions, and what was true of the stores that they made. None of it is ever to be changed."""

from __future__ import annotations

from typing import NamedTuple

# The schema of version 1, as Treering 0.1 made it. It is never to be changed.
COLUMNS = (
    "id, content, type, scope, status, tags, language, problem, approach, gotchas, trigger, action, outcome, "
    "space, project, session, origin, trust, invariant, redacted, created, updated"
)
VERSION_1 = f"""
CREATE TABLE events (
    writer TEXT NOT NULL, seq INTEGER NOT NULL, clock INTEGER NOT NULL, time INTEGER NOT NULL,
    kind TEXT NOT NULL, actor TEXT NOT NULL, space TEXT NOT NULL, project TEXT NOT NULL,
    session TEXT NOT NULL, subject TEXT NOT NULL, causes TEXT NOT NULL,
    digest BLOB NOT NULL, chain BLOB NOT NULL, salt BLOB, payload TEXT
);
CREATE UNIQUE INDEX events_id ON events (writer, seq);
CREATE INDEX events_order ON events (clock, writer, seq);
CREATE INDEX events_subject ON events (subject) WHERE kind <> 'memory.remembered.v1';
CREATE INDEX events_kind ON events (kind, clock) WHERE kind <> 'memory.remembered.v1';
CREATE INDEX events_session ON events (session, clock) WHERE session <> '';
CREATE TABLE heads (writer TEXT PRIMARY KEY, seq INTEGER NOT NULL, chain BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
PRAGMA application_id = 1414688359;
PRAGMA user_version = 1;
CREATE TABLE causes (cause TEXT NOT NULL, effect TEXT NOT NULL, PRIMARY KEY (cause, effect)) WITHOUT ROWID;
CREATE TABLE keys (key INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY (key, event)) WITHOUT ROWID;
CREATE TABLE left_out (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE memories (number INTEGER PRIMARY KEY, {COLUMNS});
CREATE UNIQUE INDEX memories_id ON memories (id);
CREATE INDEX memories_created ON memories (space, created);
CREATE VIEW texts AS SELECT number, content,
    concat_ws(' ', nullif(problem, ''), nullif(approach, ''), nullif(gotchas, ''),
                   nullif(trigger, ''), nullif(action, ''), nullif(outcome, '')) AS details,
    tags FROM memories WHERE status <> 'forgotten';
CREATE VIRTUAL TABLE words USING fts5 (
    content, details, tags, content = 'texts', content_rowid = 'number', tokenize = 'porter unicode61'
);
INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
"""
COPIED = ("events", "heads", "causes", "keys", "left_out")
# The schema of version 2, as Treering made it before memories aged. It is never to be changed.
COLUMNS_2 = f"{COLUMNS}, q, accesses, accessed"
INDEX_2 = """
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
VERSION_2 = (
    VERSION_1.replace("user_version = 1", "user_version = 2")
    .replace(f"number INTEGER PRIMARY KEY, {COLUMNS})", f"number INTEGER PRIMARY KEY, {COLUMNS_2}, compounds)")
    .replace("tags FROM memories", "tags, compounds FROM memories")
    .replace("content, details, tags, content =", "content, details, tags, compounds, content =")
) + INDEX_2
SEARCHED = ("places", "profiles", "cells", "postings", "mentions")
# The schema of version 3, as Treering made it before memories were merged. It is never to be changed.
COLUMNS_3 = (
    f"{COLUMNS_2}, compounds, confidence, relevance, impact, feedback, moves, queued, verified, "
    "superseded_by, supersedes"
)
VERSION_3 = (
    VERSION_2.replace("user_version = 2", "user_version = 3")
    .replace(f"number INTEGER PRIMARY KEY, {COLUMNS_2}, compounds)", f"number INTEGER PRIMARY KEY, {COLUMNS_3})")
    .replace("ON memories (space, created)", "ON memories (space, created, id)")
)
# The schema of version 4, as Treering made it before episodes were summed up. It is never to be changed.
COLUMNS_4 = f"{COLUMNS_3}, merged_into, merged"
VERSION_4 = VERSION_3.replace("user_version = 3", "user_version = 4").replace(f", {COLUMNS_3})", f", {COLUMNS_4})")
# The schema of version 5, as Treering made it before hooks left letters. It is never to be changed.
INDEX_5 = (
    INDEX_2.replace("sentences BLOB NOT NULL\n", "sentences BLOB NOT NULL, kind INTEGER NOT NULL\n")
    + """
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
)
VERSION_5 = VERSION_4.replace("user_version = 4", "user_version = 5").replace(INDEX_2, INDEX_5)
TOLD = ("lessons", "marks", "learnt", "named", "told", "aliases")
# A memory was created or forgotten then, and changed when that was written down.
AS_THEN = """
UPDATE memories SET status = 'created', updated = (SELECT time FROM events WHERE writer || '-' || seq = id)
WHERE status <> 'forgotten';
UPDATE memories SET updated = (SELECT max(time) FROM events WHERE subject = id AND kind = 'memory.forgotten.v1'
    AND writer || '-' || seq NOT IN left_out)
WHERE status = 'forgotten';
"""
# Every kind of event that each version knew, beside those of the one before.
KNOWN_1 = {
    "memory.remembered.v1",
    "memory.forgotten.v1",
    "memory.purged.v1",
    "events.undone.v1",
    "events.revoked.v1",
}
KNOWN_2 = KNOWN_1 | {"memory.recalled.v1", "memory.surfaced.v1", "recall.weighed.v1"}
KNOWN_3 = KNOWN_2 | {
    "memory.used.v1",
    "memory.moved.v1",
    "memory.queued.v1",
    "memory.superseded.v1",
    "memory.succeeded.v1",
    "memory.verified.v1",
    "contradiction.raised.v1",
    "contradiction.resolved.v1",
    "hygiene.ran.v1",
    "session.ended.v1",
}
KNOWN_4 = KNOWN_3 | {
    "memory.judged.v1",
    "recall.turned_out.v1",
    "memory.merged.v1",
    "memory.absorbed.v1",
    "evolution.began.v1",
    "evolution.ended.v1",
    "proposal.made.v1",
    "proposal.worded.v1",
    "proposal.accepted.v1",
    "proposal.rejected.v1",
    "skill.promoted.v1",
    "skill.loaded.v1",
    "skill.judged.v1",
    "prompt.seen.v1",
    "friction.seen.v1",
    "transcript.read.v1",
    "llm.asked.v1",
}
KNOWN_5 = KNOWN_4 | {
    "memory.echoed.v1",
    "episodes.grouped.v1",
    "memory.summarised.v1",
    "graph.read.v1",
    "graph.pruned.v1",
    "insight.noted.v1",
    "consolidation.ran.v1",
}


class Version(NamedTuple):
    """A version of the schema that was given out."""

    schema: str
    columns: str  # of its memories
    words: str  # columns of its full-text index
    tables: tuple[str, ...]  # beside the memories, those that hold what a store knows
    then: str  # SQL: what its memories did not know yet
    known: set[str]  # kinds of events


_WORDS_2 = "content, details, tags, compounds"
VERSIONS = {
    1: Version(VERSION_1, COLUMNS, "content, details, tags", COPIED, AS_THEN, KNOWN_1),
    2: Version(VERSION_2, f"{COLUMNS_2}, compounds", _WORDS_2, (*COPIED, *SEARCHED), AS_THEN, KNOWN_2),
    3: Version(VERSION_3, COLUMNS_3, _WORDS_2, (*COPIED, *SEARCHED), "", KNOWN_3),
    4: Version(VERSION_4, COLUMNS_4, _WORDS_2, (*COPIED, *SEARCHED), "", KNOWN_4),
    5: Version(VERSION_5, COLUMNS_4, _WORDS_2, (*COPIED, *SEARCHED, *TOLD), "", KNOWN_5),
}
