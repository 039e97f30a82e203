"""Hold the SQLite schema. The ledger is one table; the rest can be dropped and made again from
it."""

from __future__ import annotations

from treering.ledger.events import REMEMBERED, Event
from treering.ledger.types import Memory

APPLICATION_ID = 0x54526E67  # "TRng": tells our files from other programs'
VERSION = 6  # of the schema, in user_version: an older one is brought up to it, a newer one is refused

EVENT_COLUMNS = ", ".join(Event._fields)
MEMORY_COLUMNS = ", ".join(Memory._fields)
# In the order in which versions added them, so that a store that came a long way looks like a new
# one.
_VERSION_3 = Memory._fields.index("confidence")
_COLUMNS = ", ".join((*Memory._fields[:_VERSION_3], "compounds", *Memory._fields[_VERSION_3:]))

# A word in the tags or the text says more about a memory than one in its details.
FIELD_WEIGHTS = (1.0, 0.7, 1.2, 0.7)  # content, details, tags, compounds

# What the full-text index gathers in memory before it writes: a portion of an import makes one
# piece of it instead of ten that have to be merged, which saves a quarter of the indexing.
INDEX_BYTES = 16_777_216

# Nearly every event makes a memory, and is found by its own id: the partial indexes spare those.
LEDGER = f"""
CREATE TABLE events (
    writer TEXT NOT NULL, seq INTEGER NOT NULL, clock INTEGER NOT NULL, time INTEGER NOT NULL,
    kind TEXT NOT NULL, actor TEXT NOT NULL, space TEXT NOT NULL, project TEXT NOT NULL,
    session TEXT NOT NULL, subject TEXT NOT NULL, causes TEXT NOT NULL,
    digest BLOB NOT NULL, chain BLOB NOT NULL, salt BLOB, payload TEXT
);
CREATE UNIQUE INDEX events_id ON events (writer, seq);
CREATE INDEX events_order ON events (clock, writer, seq);
CREATE INDEX events_subject ON events (subject) WHERE kind <> '{REMEMBERED}';
CREATE INDEX events_kind ON events (kind, clock) WHERE kind <> '{REMEMBERED}';
CREATE INDEX events_session ON events (session, clock) WHERE session <> '';
CREATE TABLE heads (writer TEXT PRIMARY KEY, seq INTEGER NOT NULL, chain BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
"""

# `details` is a column of the view only: the index reads it there when it checks itself.
# `compounds` has the parts of the CamelCase names in a text, which the tokenizer takes for one word
# each.
TEXTS = f"""
CREATE VIEW texts AS SELECT number, content,
    concat_ws(' ', nullif(problem, ''), nullif(approach, ''), nullif(gotchas, ''),
                   nullif(trigger, ''), nullif(action, ''), nullif(outcome, '')) AS details,
    tags, compounds FROM memories WHERE status <> 'forgotten';
CREATE VIRTUAL TABLE words USING fts5 (
    content, details, tags, compounds, content = 'texts', content_rowid = 'number', tokenize = 'porter unicode61'
);
INSERT INTO words (words, rank) VALUES ('hashsize', {INDEX_BYTES});
"""

# What recall reads beside the words; `port/search.py` says what it is. It is made when somebody
# recalls, not when somebody remembers, so that remembering stays quick.
INDEX = """
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

# What the graph is made of; `port/graph.py` says what it is. It is read from the texts when
# somebody asks for it.
GRAPH = """
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

# What hooks leave for the next process that has the whole engine, which folder has which name, and
# what a session has seen. It is of this machine, and no projection: a rebuild leaves it alone.
# `port/queue.py` says how it is used.
INBOX = """
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

MEMORIES = f"""
CREATE TABLE memories (number INTEGER PRIMARY KEY, {_COLUMNS});
CREATE UNIQUE INDEX memories_id ON memories (id);
CREATE INDEX memories_created ON memories (space, created, id);
{TEXTS}
{INDEX}
{GRAPH}
"""

PROJECTIONS = f"""
CREATE TABLE causes (cause TEXT NOT NULL, effect TEXT NOT NULL, PRIMARY KEY (cause, effect)) WITHOUT ROWID;
CREATE TABLE keys (key INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY (key, event)) WITHOUT ROWID;
CREATE TABLE left_out (id TEXT PRIMARY KEY) WITHOUT ROWID;
{MEMORIES}
"""

DROP_INDEX = """
DROP TABLE IF EXISTS places;
DROP TABLE IF EXISTS profiles;
DROP TABLE IF EXISTS cells;
DROP TABLE IF EXISTS postings;
DROP TABLE IF EXISTS mentions;
DROP TABLE IF EXISTS lessons;
DROP TABLE IF EXISTS marks;
DROP TABLE IF EXISTS learnt;
"""

DROP_GRAPH = """
DROP TABLE IF EXISTS named;
DROP TABLE IF EXISTS told;
DROP TABLE IF EXISTS aliases;
"""

DROP_MEMORIES = f"""
{DROP_INDEX}
{DROP_GRAPH}
DROP TABLE IF EXISTS words;
DROP VIEW IF EXISTS texts;
DROP TABLE IF EXISTS memories;
"""

DROP_PROJECTIONS = f"""
{DROP_MEMORIES}
DROP TABLE IF EXISTS left_out;
DROP TABLE IF EXISTS keys;
DROP TABLE IF EXISTS causes;
"""
