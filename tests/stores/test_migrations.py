"""A store of an earlier version is opened by today's code, and nothing of it is lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import count
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import apsw
import pytest

import treering
from tests.faults.harness import done, fork
from tests.skills.proposals.desk import skill, transcript
from tests.skills.proposals.steps import TALK
from tests.stores.versions import VERSIONS
from tests.world import NOON, SECOND, Clock, memory_on, picture
from treering.ledger import decide
from treering.ledger.codec import draft
from treering.ledger.errors import NewerStore
from treering.ledger.events import ASKED, BEGAN, EVOLVED, GRAPHED, NOTED, PRUNED, RECALLED, TENDED, WORDED
from treering.ledger.types import Context, Memory, move_of
from treering.ledger.verify import verify
from treering.memory import Treering
from treering.skills.proposals.texts import UNKNOWN
from treering.stores.files import FILE_NAME, make_file, make_home, place
from treering.stores.sqlite import migrations, schema
from treering.stores.sqlite.store import SqliteStore
from treering.surfaces.cli.doctor import FAIL, examine
from treering.truth import claims

DAY = 86_400 * SECOND
STATEMENTS = 46  # of a migration: at least so many


Filled = tuple[Path, dict[str, Memory]]


@cache
def _lived(number: int) -> tuple[str, str, dict[str, Memory]]:
    """A store that has been through everything that a version knew: its file, its writer and what it believes."""
    source = SqliteStore(str(Path(mkdtemp()) / "source.db"))
    told = {1: _history, 2: _longer_history, 3: _full_history, 4: _grown_history, 5: _summed_history}[number](source)
    assert {event.kind for event in source.events()} == VERSIONS[number].known
    writer = source.writer
    source.close()
    return source.path, writer, told


@pytest.fixture(scope="module", autouse=True)
def _tidied() -> Iterator[None]:
    yield
    for number in VERSIONS:
        rmtree(Path(_lived(number)[0]).parent)
    _lived.cache_clear()


@pytest.fixture(params=tuple(VERSIONS), ids=[f"version {version}" for version in VERSIONS])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Filled:
    """The home of a store of an earlier version that has been through everything, and what it is to believe today."""
    number: int = request.param
    version = VERSIONS[number]
    source, writer, told = _lived(number)
    home = tmp_path / "home"
    make_home(str(home))
    path = str(home / FILE_NAME)
    make_file(path)
    db = apsw.Connection(path)
    for sql in ("PRAGMA journal_mode = WAL", version.schema):
        list(db.execute(sql))
    list(db.execute("ATTACH ? AS source", (source,)))
    with db:
        for table in version.tables:
            known = ", ".join(row[1] for row in db.execute(f"PRAGMA table_info({table})"))
            list(db.execute(f"INSERT INTO {table} ({known}) SELECT {known} FROM source.{table}"))
        columns = version.columns
        list(db.execute(f"INSERT INTO memories (number, {columns}) SELECT number, {columns} FROM source.memories"))
        for sql in version.then.split(";"):
            list(db.execute(sql))
        list(db.execute(f"INSERT INTO words (rowid, {version.words}) SELECT * FROM texts"))
        list(db.execute("INSERT INTO meta VALUES ('writer', ?), ('place', ?)", (writer, place(path))))
        if number > 1:
            list(db.execute("INSERT INTO meta SELECT * FROM source.meta WHERE name NOT IN ('writer', 'place')"))
    db.close()
    return home, told


def _history(source: SqliteStore) -> dict[str, Memory]:
    """Every kind of event that version 1 knew."""
    memory = memory_on(source, seed=3)
    memory.remember("Run migrations with getLockTimeout set to 5 s", type="procedural", tags=["postgres", "ops"])
    memory.remember("", problem="the HTTPServer hangs", approach="restart it", gotchas="twice at night")
    memory.remember("", trigger="a red build", action="tell the author", outcome="it is fixed", project="shop")
    memory.remember("the session's own", scope="session", session="s1", project="shop")
    memory.remember("Zoë's naïve résumé, in Köln", origin="document:a.md:3", invariant=True)
    memory.remember("the spring of another year", at="2024-05-01")
    memory.forget(memory.remember("forgotten for good").id)
    memory.forget(memory.remember("forgotten winter of long ago", at="2023-01-01").id)
    memory.restore(memory.forget(memory.remember("forgotten and back").id).id)
    memory.purge(memory.remember("the purged words").id)
    memory.undo(memory.remember("undone").id)
    memory.remember("brought by a session", session="bad")
    memory.revoke(session="bad")
    return picture(source)


def _longer_history(source: SqliteStore) -> dict[str, Memory]:
    """Every kind of event that version 2 knew: memories were recalled, at all times of their lives."""
    clock = Clock()
    memory = memory_on(source, clock, seed=3)
    _history(source)
    clock.time = NOON + DAY
    recalls = {}
    for number, query in enumerate(("run migrations", "http server", "spring of another year", "forgotten and back")):
        for session in ("", "s7", "s8")[: number + 1]:
            recalls[query] = memory.recall(query, k=1, session=session, silent=False)
            clock.time += DAY
    _forget_used(memory, "a used one that is forgotten")
    memory.restore(_forget_used(memory, "a used one that came back").id)
    kept = memory.remember("recalled by mistake")
    memory.undo(memory.recall("recalled by mistake", k=1, silent=False).id)
    assert memory.get(kept.id) == kept
    clock.time -= 30 * DAY  # a clock that was wrong: the last use is earlier than the one before
    memory.recall("http server", k=1, session="s9", silent=False)
    memory.ledger.commit(lambda: [decide.weigh({"graph": 2.0}, Context())])
    return picture(source)


def _full_history(source: SqliteStore) -> dict[str, Memory]:
    """Every kind of event that version 3 knew: memories were moved, superseded, contradicted and confirmed."""
    _longer_history(source)
    clock = Clock(NOON + 60 * DAY)
    memory = memory_on(source, clock, seed=5, context=Context(actor="user"))
    first = memory.remember("The gateway listens on port 8080", project="shop")
    memory.supersede(memory.supersede(first.id, "The gateway listens on port 9090").id, "Gateways are gone")
    for door in ("north", "south", "east", "west"):
        early, late = (memory.remember(f"The {door} door opens at {hour}", origin="agent") for hour in (8, 9))
        claims.dispute(memory.ledger, early, late, Context(actor="user"))
    for keep in ("A", "B", "both"):
        memory.truth.resolve(memory.truth.contradictions()[0].id, keep=keep)
    assert memory.truth.contradictions()
    (rule,) = (note for note in memory.list() if note.invariant)
    memory.truth.confirm(rule.id)
    worn = memory.remember("a worn path through the garden")
    memory.ledger.commit(lambda: [decide.used(worn, Context()), decide.used(worn, Context())])
    clock.time += 21 * DAY
    assert {move.step.to for move in memory.maintenance.hygiene().moves} >= {"queue", "archived"}
    clock.time += 30 * DAY
    memory.ledger.commit(lambda: [decide.ended(Context(session="s7"))])
    memory.maintenance.hygiene()
    memory.remember("a path of another spring")
    clock.time += DAY
    memory.undo(memory.maintenance.hygiene().event)
    # A recall as version 3 wrote it: with no nonce, and nothing left to chance.
    said = {"query": "worn path", "type": "general", "strategy": "hybrid", "k": 5, "confidence": 0.5, "took": 7}
    hits = [{"id": worn.id, "rank": 1, "score": 0.5, "p": 1.0}]
    memory.ledger.commit(lambda: [draft(RECALLED, {**said, "hits": hits}, Context())])
    return picture(source)


def _grown_history(source: SqliteStore) -> dict[str, Memory]:
    """Every kind of event that version 4 knew: memories were judged, merged and proposed, and skills made of them."""
    _full_history(source)
    clock = Clock(NOON + 120 * DAY)
    memory = memory_on(source, clock, seed=6, context=Context(actor="user"))
    flags = memory.remember("Feature flags live in the red drawer")
    for session in ("s1", "s2", "s3", "s4", "s5"):
        found = memory.recall("where are the feature flags", k=2, session=session, silent=False)
        memory.feedback(found.id, found.hits[0].memory.id, "helpful")
        memory.evolve.outcome(found.id, "success")
        memory.recall(f"how do we roll out zeppelins gradually, {session}", session=session)
    twin = memory.remember(f"{flags.content}.", sources=[flags.id])
    memory.evolve.merge([flags.id, twin.id], reason="the same", justification="asked")
    done: dict[str, object] = {"evaluated": 0, "actions": {}}
    memory.ledger.commit(lambda: [draft(BEGAN, {"trigger": "by_hand"}, Context()), draft(EVOLVED, done, Context())])
    folder = Path(source.path).parent / "work"
    skill(folder / "skills", "deploy-shop")
    transcript(folder / "talk.jsonl", *TALK)
    memory.captured.mine(str(folder / "talk.jsonl"))
    memory.proposals.analyze()
    first, second, *_ = (one for one in memory.proposals.list() if one.kind in ("skill-upgrade", "skill-draft"))
    asked: dict[str, object] = {"purpose": "wording", "model": "m", "outcome": "answered", "asked": 9, "answered": 9}
    words = {"proposal": first.id, "name": "find-the-flags", "description": "When flags are looked for", "model": "m"}
    memory.ledger.commit(lambda: [draft(ASKED, {**asked, "took": 7}, Context()), draft(WORDED, words, Context())])
    draft_of = Path(memory.proposals.accept(first.id, str(folder)).path)
    draft_of.write_text(draft_of.read_text().replace(UNKNOWN, "Look into the red drawer."))
    memory.proposals.promote(memory.proposals.get(first.id).name, str(folder))
    memory.proposals.reject(second.id, "no")
    memory.skills.use("deploy-shop", str(folder), session="s1")
    memory.skills.feedback("deploy-shop", "helpful", session="s1")
    return picture(source)


def _summed_history(source: SqliteStore) -> dict[str, Memory]:
    """Every kind of event that version 5 knew: episodes were summed up, and the memory looked at itself."""
    _grown_history(source)
    clock = Clock(NOON + 200 * DAY)
    memory = memory_on(source, clock, seed=7, context=Context(actor="agent"))
    for text in ("crane paint peels off", "paint of the crane peeled off again", "the crane lost paint once more"):
        memory.remember(f"After the winter storm the harbour {text}", type="episodic", project="shop")
        clock.time += 3_600 * SECOND
    task = memory.maintenance.next_group()
    assert task is not None
    memory.maintenance.submit(task.group.id, "After winter storms the paint of the harbour crane peels off")
    found = memory.recall("harbour crane paint", k=1, project="shop", silent=False).hits[0].memory
    memory.remember(found.content, project="shop")
    noted = {"kind": "memory_gap", "mark": "m", "memories": [], "evidence": {"misses": 3}}
    graph = {"entities": [{"name": "crane", "type": "tool"}], "relations": [], "model": "m"}
    tended = {"trigger": "by_hand", "sessions": 0, "steps": [], "took": 1}
    pruned: dict[str, object] = {"entities": 0, "relations": 0}
    here = Context(project="shop")
    memory.ledger.commit(lambda: [draft(GRAPHED, graph, here, found.id, (found.id,)), draft(PRUNED, pruned, here)])
    memory.ledger.commit(lambda: [draft(NOTED, noted, here), draft(TENDED, tended, here)])
    return picture(source)


def _forget_used(memory: Treering, text: str) -> Memory:
    made = memory.remember(text)
    assert memory.recall(text, k=1, silent=False).hits[0].memory.id == made.id
    return memory.forget(made.id)


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
    assert _version(home) < schema.VERSION
    with treering.open(home) as memory:
        store = memory.ledger.store
        assert picture(store) == told
        assert len(list(store.events())) == len(events)
        assert store.writer
        assert verify(store).problems == ()
        assert memory.remember("more").id.startswith(store.writer)
        assert verify(store).problems == ()
    assert [row for row in _dump(home) if len(row) == 15][: len(events)] == events
    assert _version(home) == schema.VERSION == 6
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
    """Before any rebuild, in whichever order: rows are read and written by name."""
    home, _ = old
    treering.open(home).close()
    treering.open(tmp_path / "new").close()
    migrated, made = (
        {name: sorted(map(str, columns)) for name, columns in _shape(where).items()}
        for where in (home, tmp_path / "new")
    )
    assert migrated == made


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


@pytest.mark.parametrize("attempt", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, 10))])
def test_processes_that_open_an_old_store_at_once_all_succeed(old: Filled, attempt: int) -> None:
    """Whoever comes first migrates, the others find it done."""
    home, told = old
    assert done(*(fork(partial(_open, home)) for _ in range(6)))
    with treering.open(home) as memory:
        assert picture(memory.store) == told
        assert verify(memory.ledger.store).problems == ()
    assert _version(home) == schema.VERSION


def test_a_fault_in_the_middle_leaves_the_earlier_version(old: Filled, monkeypatch: pytest.MonkeyPatch) -> None:
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
        assert at == seen() >= STATEMENTS  # there was a fault before each of the statements
        break
    with treering.open(home) as memory:
        assert picture(memory.store) == told
        assert verify(memory.ledger.store).problems == ()


def _failing(monkeypatch: pytest.MonkeyPatch, at: int) -> Callable[[], int]:
    """Let the migration fail before a statement of its own; how many there have been."""
    seen = 0

    def traced(cursor: apsw.Cursor, sql: str, bindings: object) -> bool:
        nonlocal seen
        seen += 1
        if seen == at + 1:
            raise KeyboardInterrupt
        return True

    def failing(work: Callable[..., None]) -> Callable[..., None]:
        def watched(db: apsw.Connection, *sql: str) -> None:
            before, db.exec_trace = db.exec_trace, traced
            try:
                work(db, *sql)
            finally:
                db.exec_trace = before

        return watched

    monkeypatch.setattr(migrations, "_run", failing(migrations._run))
    monkeypatch.setattr(migrations, "_fill", failing(migrations._fill))
    return lambda: seen


def test_a_process_killed_in_the_middle_leaves_the_earlier_version(
    old: Filled, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it is seen by the next one, which does all of it."""
    home, told = old
    before = _dump(home)

    ran = migrations._run

    def run_and_die(db: apsw.Connection, sql: str) -> None:
        ran(db, sql)
        os.kill(os.getpid(), 9)

    def dies() -> None:
        monkeypatch.setattr(migrations, "_run", run_and_die)
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


@pytest.mark.parametrize("old", (2,), indirect=True)
def test_uses_and_dates_are_kept(old: Filled) -> None:
    """What was recalled is active since its first use; what was not is as old as it is; nothing has moved twice."""
    home, told = old
    with treering.open(home) as memory:
        now = {record.content: record for record in memory.store.records() if record.content}
        used, spring, back = (now[text] for text in ("the HTTPServer hangs. restart it. twice at night",
                              "the spring of another year", "a used one that came back"))  # fmt: skip
        assert (used.accesses, used.status, [move_of(word).rule for word in used.moves]) == (3, "active", ["used"])
        assert move_of(used.moves[0]).at < used.accessed
        assert (spring.accesses, spring.status, spring.updated) == (3, "active", spring.created)
        assert (back.accesses, back.status) == (1, "active")
        mistake = now["recalled by mistake"]
        assert (mistake.accesses, mistake.status, mistake.moves) == (0, "created", ())
        gone = [record for record in memory.store.records() if record.status == "forgotten"]
        assert sorted(record.accesses for record in gone) == [0, 0, 1]
        assert all(move_of(record.moves[-1]).status == "forgotten" for record in gone)
        assert all(record.updated == record.created < record.since for record in gone)
        assert picture(memory.store) == told


def test_what_recall_searches_is_made_anew(old: Filled) -> None:
    """All memories wait to be read; and once is enough."""
    home, told = old
    with treering.open(home) as memory:
        waiting = {note.id for _, note in memory.store.index.pending(99)}
        assert waiting == {id for id, note in told.items() if note.status != "forgotten"}
        memory.maintenance.prepare()
        assert memory.store.index.pending(99) == []


def test_a_migrated_store_has_its_graph_and_sums_up(old: Filled) -> None:
    """What was remembered before is read when somebody asks for it."""
    home, _ = old
    with treering.open(home) as memory:
        for day in (1, 2, 3):
            memory.remember(f"The nightly build of zeppelin failed on node{day}: cache of Redis full", type="episodic")
        assert memory.graph.show("Redis")
        assert memory.maintenance.consolidate(steps=["episodes"]).steps[-1].counts["drafts"] == 1
        assert verify(memory.ledger.store).problems == ()


def test_a_migrated_store_ages(old: Filled) -> None:
    """From its dates, and from its uses where it knows any; and twice is once."""
    home, _ = old
    spring = "a path of another spring" if _version(home) >= 3 else "the spring of another year"
    with treering.open(home) as memory:
        report = memory.maintenance.hygiene()
        assert spring in {move.memory.content for move in report.moves}
        assert memory.maintenance.hygiene().moves == ()
        assert verify(memory.ledger.store).problems == ()
        memory.undo(report.event)
        assert verify(memory.ledger.store).problems == ()


def test_a_migrated_store_evolves(old: Filled) -> None:
    """What is stale is archived, recalls of then can be judged, and undoing the run takes all of it back."""
    home, _ = old
    version = _version(home)
    with treering.open(home) as memory:
        before = picture(memory.store)
        done = memory.evolve.run()
        assert done.actions["archived"] == len(done.details) > 0
        memory.undo(done.run)
        assert picture(memory.store) == before
        if version >= 3:
            (worn,) = (note for note in memory.list() if note.content.startswith("a worn path"))
            asked = next(use.recall for use in memory.evolve.usage(worn.id) if use.recall)
            assert memory.feedback(asked, worn.id, "helpful").q > worn.q
        assert verify(memory.ledger.store).problems == ()
