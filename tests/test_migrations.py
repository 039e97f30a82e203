"""A store of an earlier version is opened by today's code, and nothing of it is lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

import apsw
import pytest

import treering
from tests.faults.harness import done, fork
from tests.world import memory_on, picture
from treering.core.errors import NewerStore
from treering.core.types import Memory
from treering.doctor import FAIL, examine
from treering.stores import migrations, schema
from treering.stores.files import FILE_NAME, make_file, make_home, place
from treering.stores.sqlite import SqliteStore
from treering.verify import verify

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

Filled = tuple[Path, dict[str, Memory]]


@pytest.fixture
def old(tmp_path: Path) -> Filled:
    """The home of a store of version 1 that has been through everything, and what it believes."""
    source = SqliteStore(str(tmp_path / "source.db"))
    told = _history(source)
    home = tmp_path / "home"
    make_home(str(home))
    path = str(home / FILE_NAME)
    make_file(path)
    db = apsw.Connection(path)
    for sql in ("PRAGMA journal_mode = WAL", VERSION_1):
        list(db.execute(sql))
    list(db.execute("ATTACH ? AS source", (source.path,)))
    with db:
        for table in COPIED:
            list(db.execute(f"INSERT INTO {table} SELECT * FROM source.{table}"))
        list(db.execute(f"INSERT INTO memories (number, {COLUMNS}) SELECT number, {COLUMNS} FROM source.memories"))
        list(db.execute("INSERT INTO words (rowid, content, details, tags) SELECT * FROM texts"))
        list(db.execute("INSERT INTO meta VALUES ('writer', ?), ('place', ?)", (source.writer, place(path))))
    db.close()
    source.close()
    return home, told


def _history(source: SqliteStore) -> dict[str, Memory]:
    """Every kind of event that version 1 knew."""
    memory = memory_on(source, seed=3)
    memory.remember("Run migrations with getLockTimeout set to 5 s", type="procedural", tags=["postgres", "ops"])
    memory.remember("", problem="the HTTPServer hangs", approach="restart it", gotchas="twice at night")
    memory.remember("", trigger="a red build", action="tell the author", outcome="it is fixed", project="shop")
    memory.remember("the session's own", scope="session", session="s1", project="shop")
    memory.remember("Zoë's naïve résumé, in Köln", origin="document:a.md:3", invariant=True)
    memory.forget(memory.remember("forgotten for good").id)
    memory.restore(memory.forget(memory.remember("forgotten and back").id).id)
    memory.purge(memory.remember("the purged words").id)
    memory.undo(memory.remember("undone").id)
    memory.remember("brought by a session", session="bad")
    memory.revoke(session="bad")
    return picture(source)


def _version(home: Path) -> int:
    db = apsw.Connection(str(home / FILE_NAME))
    try:
        version: int = db.pragma("user_version")
        return version
    finally:
        db.close()


def _dump(home: Path) -> list[tuple[object, ...]]:
    """Every table as SQL and as rows."""
    db = apsw.Connection(str(home / FILE_NAME))
    try:
        tables = list(db.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name"))
        rows = [row for kind, name, _ in tables if kind == "table" for row in db.execute(f'SELECT * FROM "{name}"')]
        return [(db.pragma("user_version"),), *tables, *rows]
    finally:
        db.close()


def _open(home: Path) -> None:
    with treering.open(home) as memory:
        assert memory.recall("lock timeout", log=False).hits


def test_everything_is_there_after_a_migration(old: Filled) -> None:
    """Events, memories, the writer's name and what was left out: the same as before, and proven."""
    home, told = old
    events = [row for row in _dump(home) if len(row) == 15]
    assert _version(home) == 1
    with treering.open(home) as memory:
        store = memory.ledger.store
        assert picture(store) == told
        assert len(list(store.events())) == len(events)
        assert store.writer
        assert verify(store).problems == ()
        assert memory.remember("more").id.startswith(store.writer)
        assert verify(store).problems == ()
    assert [row for row in _dump(home) if len(row) == 15][: len(events)] == events
    assert _version(home) == schema.VERSION == 2
    assert [finding for finding in examine(str(home), {}) if finding.level == FAIL] == []


def test_recall_works_on_a_migrated_store(old: Filled) -> None:
    """By words, by the parts of names, by fields, and past what is gone."""
    home, _ = old
    with treering.open(home, project="shop", session="s1") as memory:
        for query, answer in {
            "how do I run migrations": "Run migrations with getLockTimeout set to 5 s",
            "lock timeout": "Run migrations with getLockTimeout set to 5 s",
            "http server": "the HTTPServer hangs. restart it. twice at night",
            "red build": "a red build. tell the author. it is fixed",
            "the session's own": "the session's own",
            "resume in Köln": "Zoë's naïve résumé, in Köln",
            "forgotten and back": "forgotten and back",
        }.items():
            hits = memory.recall(query).hits
            assert hits[0].memory.content == answer
        for gone in ("purged words", "undone", "brought by a session", "forgotten for good"):
            texts = " ".join(hit.memory.content for hit in memory.recall(gone, silent=False, log=False).hits)
            assert "purged" not in texts and "undone" not in texts and "brought" not in texts and "good" not in texts
        assert verify(memory.ledger.store).problems == ()


def test_a_migrated_store_is_like_one_that_was_made_today(old: Filled, tmp_path: Path) -> None:
    """The same columns, indexes and words; and a rebuild changes nothing."""
    home, told = old
    with treering.open(home) as memory:
        store = memory.ledger.store
        before = (picture(store), store.left_out(), store.index.vocabulary(""), _texts(home))
        memory.ledger.rebuild()
        assert (picture(store), store.left_out(), store.index.vocabulary(""), _texts(home)) == before
        assert picture(store) == told
        assert verify(store).problems == ()
    migrated = _shape(home)
    treering.open(tmp_path / "new").close()
    assert migrated == _shape(tmp_path / "new")


def test_the_columns_of_a_migrated_store_are_those_of_today(old: Filled, tmp_path: Path) -> None:
    """Before any rebuild, in the same order."""
    home, _ = old
    treering.open(home).close()
    treering.open(tmp_path / "new").close()
    assert _shape(home) == _shape(tmp_path / "new")


def _shape(home: Path) -> dict[str, list[object]]:
    """The columns of every table and index; how SQLite spells their making is its own business."""
    db = apsw.Connection(str(home / FILE_NAME))
    try:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema ORDER BY name")]
        return {name: [row[1] for row in db.execute(f"PRAGMA table_xinfo('{name}')")] for name in names}
    finally:
        db.close()


def _texts(home: Path) -> set[tuple[object, ...]]:
    """What the full-text index is made from, whatever the numbers."""
    db = apsw.Connection(str(home / FILE_NAME))
    try:
        return set(db.execute("SELECT content, details, tags, compounds FROM texts"))
    finally:
        db.close()


def test_a_past_of_a_migrated_store_can_be_looked_at(old: Filled) -> None:
    """A view of a moment before the migration finds what was known then."""
    home, told = old
    with treering.open(home, as_of="2027-01-01") as past:
        assert picture(past.store) == told
        assert past.recall("run migrations").hits[0].memory.tags == ("postgres", "ops")


@pytest.mark.parametrize("attempt", range(3))
def test_processes_that_open_an_old_store_at_once_all_succeed(old: Filled, attempt: int) -> None:
    """Whoever comes first migrates, the others find it done."""
    home, told = old
    assert done(*(fork(partial(_open, home)) for _ in range(6)))
    with treering.open(home) as memory:
        assert picture(memory.store) == told
        assert verify(memory.ledger.store).problems == ()
    assert _version(home) == 2


def test_a_fault_in_the_middle_leaves_version_1(old: Filled, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before whichever statement it happens: the store is as it was, in every row, and opens the next time."""
    home, told = old
    before = _dump(home)
    for at in count():
        with monkeypatch.context() as patch:
            seen = _failing(patch, at)
            try:
                treering.open(home).close()
            except KeyboardInterrupt:
                assert seen() == at + 1
                assert _dump(home) == before
                continue
        assert at == seen() > 10  # there was a fault before each of the statements
        break
    with treering.open(home) as memory:
        assert picture(memory.store) == told
        assert verify(memory.ledger.store).problems == ()


def _failing(monkeypatch: pytest.MonkeyPatch, at: int) -> Callable[[], int]:
    """Let the migration fail before a statement of its own; how many there have been."""
    run, seen = migrations._run, 0

    def traced(cursor: apsw.Cursor, sql: str, bindings: object) -> bool:
        nonlocal seen
        seen += 1
        if seen == at + 1:
            raise KeyboardInterrupt
        return True

    def failing(db: apsw.Connection, sql: str) -> None:
        db.exec_trace = traced
        try:
            run(db, sql)
        finally:
            db.exec_trace = None

    monkeypatch.setattr(migrations, "_run", failing)
    return lambda: seen


def test_a_process_killed_in_the_middle_leaves_version_1(old: Filled, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it is seen by the next one, which does all of it."""
    home, told = old
    before = _dump(home)

    def dies() -> None:
        monkeypatch.setattr(migrations, "compounds", lambda *texts: os.kill(os.getpid(), 9))
        treering.open(home)

    assert not done(fork(dies))
    assert _dump(home) == before
    with treering.open(home) as memory:
        assert picture(memory.store) == told
        assert verify(memory.ledger.store).problems == ()


def test_a_store_of_a_later_version_is_refused(old: Filled) -> None:
    """And not touched."""
    home, _ = old
    treering.open(home).close()
    db = apsw.Connection(str(home / FILE_NAME))
    list(db.execute(f"PRAGMA user_version = {schema.VERSION + 1}"))
    db.close()
    before = _dump(home)
    with pytest.raises(NewerStore):
        treering.open(home)
    assert _dump(home) == before


def test_every_version_has_its_step() -> None:
    """From each version that was ever given out there is a way to today's."""
    assert sorted(migrations.STEPS) == list(range(1, schema.VERSION))
