"""The store keeps its promises in PostgreSQL; what only a server has to keep is here too."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import treering
from tests import postgres
from tests.stores.contract import StoreContract
from tests.world import NOON, Clock, fresh, memory_on, picture
from treering.ledger.errors import NewerStore, StoreBusy, StoreUnavailable
from treering.ledger.transfer import export
from treering.ledger.types import Context
from treering.ledger.verify import verify
from treering.memory import Treering
from treering.stores.files import FILE_NAME
from treering.stores.port.ledger import Store, record_of
from treering.stores.port.queue import PROMPT, QueuedEvent
from treering.stores.sqlite.store import SqliteStore

pytestmark = postgres.needed

if postgres.found:
    from treering.stores.postgres.connection import Connections
    from treering.stores.postgres.schema import STEPS, TABLES
    from treering.stores.postgres.store import PostgresStore


def a_store(version: int = 18) -> PostgresStore:
    server = postgres.server(version)
    return PostgresStore(server.address, server.new_space())


class TestPostgres(StoreContract):
    def make(self) -> Store:
        return a_store()


@pytest.mark.long
class TestPostgres16(StoreContract):
    def make(self) -> Store:
        return a_store(16)


@pytest.fixture
def store() -> Iterator[PostgresStore]:
    store = a_store()
    yield store
    store.close()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose memories are in a database."""
    monkeypatch.setenv("TREERING_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TREERING_STORE", postgres.server().address)
    monkeypatch.setenv("TREERING_SPACE", postgres.server().new_space())
    return tmp_path / "home"


def live(memory: Treering) -> None:
    """Do a bit of everything that changes a memory."""
    first = memory.remember("Deploys happen on Tuesdays", project="shop", tags=["deploy"])
    second = memory.remember("Run migrations with a lock timeout of 5 s", type="procedural", project="shop")
    memory.remember_many({"content": f"Note number {number} of the harbour", "session": "s"} for number in range(20))
    memory.maintenance.prepare()
    found = memory.recall("how do I run a migration", project="shop")
    memory.feedback(found.id, second.id, "helpful")
    memory.forget(first.id, reason="not true any more")
    memory.restore(first.id)
    memory.undo(memory.remember("A slip of the pen").id)
    memory.supersede(second.id, "Run migrations with a lock timeout of 30 s")
    memory.purge(memory.remember("The canary sings at noon").id)
    memory.maintenance.run()


def exported(memory: Treering) -> bytes:
    out = io.BytesIO()
    export(memory.store, out)
    return out.getvalue()


def test_a_life_leaves_the_same_in_both_stores(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same ids, order and histories, the same answers, and an export that is equal to the last byte."""
    monkeypatch.setattr("treering.recall.recalls.perf_counter_ns", lambda: 0)
    ours, theirs = fresh(Clock()), memory_on(store, Clock())
    live(ours)
    live(theirs)
    assert exported(ours) == exported(theirs)
    assert picture(ours.store) == picture(theirs.store)
    assert [note.id for note in ours.list()] == [note.id for note in theirs.list()]
    for note in ours.list():
        assert ours.history(note.id) == theirs.history(note.id)
    for question in ("how do I run a migration", "harbour note 7", "who sings", '"lock timeout"'):
        said = [
            [(hit.memory.id, hit.score) for hit in at.recall(question, project="shop").hits] for at in (ours, theirs)
        ]
        assert said[0] == said[1]
    assert verify(store).clean


def test_a_rebuild_makes_the_same_again(store: PostgresStore) -> None:
    """From the ledger alone."""
    memory = memory_on(store)
    live(memory)
    before = picture(store)
    memory.ledger.rebuild()
    assert picture(store) == before
    assert verify(store).clean


def test_spaces_know_nothing_of_each_other() -> None:
    """Each is a ledger of its own, with its own names, numbers and order."""
    one, other = (memory_on(a_store(), seed=seed) for seed in (1, 2))
    note = one.remember("the lighthouse keeper counts the gulls")
    assert [*other.list()] == [] and not other.recall("who counts the gulls").hits
    assert not {*other.store.heads()} & {*one.store.heads()} and record_of(other.store, note.id) is None


def test_a_transaction_sees_the_rows_of_its_space_alone(store: PostgresStore) -> None:
    """Whatever it asks for: row-level security holds for the owner of the tables too, and for every table."""
    live(memory_on(store))
    other = Connections(postgres.server().address, "somebody else")
    for table in TABLES:
        asked = f"SELECT count(*) FROM treering.{table}"
        assert other.rows(f"{asked} WHERE %s <> ''") == [(0,)]
        assert other.run(asked) == [(0,)]  # nobody said which space: none
    asked = "SELECT count(*) FROM treering.events WHERE %s <> ''"
    assert Connections(postgres.server().address, store.space.name).rows(asked) == [(len([*store.events()]),)]
    with pytest.raises(treering.TreeringError, match="row-level security"):
        other.rows("INSERT INTO treering.meta VALUES ('" + store.space.name + "', %s, '')")


def test_every_key_begins_with_the_space() -> None:
    """So that a database can be parted by it."""
    a_store().close()
    sql = """SELECT indexdef FROM pg_indexes WHERE schemaname = 'treering' AND tablename <> 'steps'"""
    keys = [definition for (definition,) in postgres.server().run(sql, database=postgres.DATABASE)]
    assert len(keys) > 30 and all("(space" in key for key in keys)


def test_every_statement_names_the_space_and_leaves_no_session(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it works behind a pooler that hands out connections for one transaction."""
    said: list[str] = []
    send = Connections.run

    def heard(self: Connections, sql: str) -> list[Any]:
        said.append(sql)
        return send(self, sql)

    monkeypatch.setattr(Connections, "run", heard)
    live(memory_on(store))
    store.scrub()
    of_server = (
        "COMMIT",
        "SELECT pg_current_xact_id",
        "SELECT system_identifier",
        "VACUUM",
        "SELECT EXISTS (SELECT 1 FROM pg_",
    )
    assert len(said) > 300
    for sql in said:
        assert f"'{store.space.name}'" in sql or sql.startswith(of_server), sql
        for word in ("PREPARE ", "TEMP ", "TEMPORARY", "LISTEN", "advisory_lock", "DECLARE", "SET SESSION"):
            assert word not in sql.upper(), sql


def test_a_logged_recall_keeps_what_is_cached(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one does not read again where memories lie, nor what was learned; another's write makes it read."""
    memory = memory_on(store)
    memory.remember_many({"content": f"Note number {number} of the harbour"} for number in range(9))
    memory.maintenance.prepare()
    said: list[str] = []
    send = Connections.run

    def heard(self: Connections, sql: str) -> list[Any]:
        said.append(sql)
        return send(self, sql)

    monkeypatch.setattr(Connections, "run", heard)

    def read(question: str) -> set[str]:
        said.clear()
        assert memory.recall(question).id
        return {table for table in TABLES for sql in said if f"FROM treering.{table}" in sql}

    cached = {"places", "meta", "learnt", "marks"}
    assert cached <= read("harbour note 1")
    assert not cached & read("harbour note 2")
    other = PostgresStore(postgres.server().address, store.space.name)
    memory_on(other, seed=7).remember("Another wrote this")
    other.close()
    assert "places" in read("harbour note 3")


def test_threads_write_one_after_the_other(store: PostgresStore) -> None:
    """The numbers of a space have no gap and no double, and its chain holds."""
    memory = memory_on(store)

    def write(name: int) -> None:
        for number in range(5):
            memory.remember(f"note {number} of thread {name}")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(8)))
    assert [event.seq for event in store.events()] == [*range(1, 41)]
    assert verify(store).clean


@pytest.mark.parametrize("when", ("before", "after"))
def test_a_write_whose_answer_is_lost_is_written_once(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """Whether the connection broke before the commit arrived or after it."""
    memory = memory_on(store)
    memory.remember("first")
    send = Connections.run
    broken: list[str] = []

    def breaking(self: Connections, sql: str) -> list[Any]:
        if sql.endswith("; COMMIT") and not broken:
            broken.append(sql)
            if when == "after":
                send(self, sql)
            send(self, f"SELECT pg_terminate_backend(pg_backend_pid()) -- '{self.space}'")
        return send(self, sql)

    monkeypatch.setattr(Connections, "run", breaking)
    note = memory.remember("second")
    assert broken and [one.content for one in memory.list()] == ["second", "first"]
    assert memory.get(note.id).content == "second"
    assert verify(store).clean


def test_a_server_that_comes_back_is_waited_for() -> None:
    """Nothing that was acknowledged is lost, and whoever writes goes on by itself."""
    server = postgres.Server(18, fsync="on")
    try:
        store = PostgresStore(server.address, "team")
        memory = memory_on(store)
        memory.remember("before the crash")
        with ThreadPoolExecutor(1) as threads:
            server.stop()
            later = threads.submit(memory.remember, "while it was away")
            server.start()
            later.result(60)
        assert {note.content for note in memory.list()} == {"before the crash", "while it was away"}
        store.close()
    finally:
        server.close()


def test_whoever_hurries_does_not_wait_for_another_writer(store: PostgresStore) -> None:
    """And is told so."""
    memory_on(store).remember("x")
    other = PostgresStore(postgres.server().address, store.space.name)

    def hold() -> None:
        with pytest.raises(StoreBusy), other.hurried(0.05):
            other.write(lambda: None)

    store.write(hold)
    other.write(lambda: None)
    other.close()


def test_a_copy_of_the_database_writes_under_a_name_of_its_own(store: PostgresStore) -> None:
    """A dump that was brought to another server never gives an id twice."""
    memory = memory_on(store)
    first = memory.remember("x")
    store.write(lambda: setattr(store.space.row, "place", "elsewhere/1"))
    assert store.writer == ""
    second = memory.remember("y")
    assert first.id.rpartition("-")[0] != second.id.rpartition("-")[0]
    assert verify(store).clean


def test_what_was_purged_is_in_no_table(store: PostgresStore) -> None:
    """Once `scrub` is through: tables are written anew without it, and so are their indexes."""
    memory = memory_on(store)
    canary = memory.remember("The password of the canary is zwitscherling", tags=["zwitscherling"])
    memory.maintenance.prepare()
    memory.recall("what is the password of the canary")
    postgres.server().run("ANALYZE", database=postgres.DATABASE)
    memory.purge(canary.id)
    assert store.scrub()
    assert holding(b"zwitscherl") == []


def holding(word: bytes) -> list[Path]:
    """Return the files of tables and indexes that hold a word."""
    server = postgres.server()
    server.run("CHECKPOINT", database=postgres.DATABASE)
    ((oid,),) = server.run("SELECT oid FROM pg_database WHERE datname = 'team'")
    files = [path for path in (server.folder / "data" / "base" / str(oid)).iterdir() if path.is_file()]
    assert len(files) > 50
    return [path for path in files if word in path.read_bytes()]


@pytest.mark.parametrize("begin", ("SELECT pg_current_xact_id()", "DECLARE c CURSOR FOR SELECT 1"))
def test_a_purge_is_not_through_while_an_older_transaction_runs(store: PostgresStore, begin: str) -> None:
    """One that writes, or one that still looks at what was there: PostgreSQL keeps deleted rows for both."""
    import psycopg

    memory = memory_on(store)
    canary = memory.remember("The password of the canary is tirilierend")
    with psycopg.connect(postgres.server().address) as other:
        other.execute(begin.encode())
        with pytest.raises(StoreBusy):
            memory.purge(canary.id)
    while not store.scrub():  # the other session may take a moment to be gone
        pass
    assert holding(b"tirilier") == []


def test_it_is_opened_by_its_address(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an argument, or by the environment; the space is the one that is asked for."""
    address, space = postgres.server().address, postgres.server().new_space()
    with treering.open(address, space=space) as memory:
        note = memory.remember("Run migrations with a lock timeout of 5 s", type="procedural")
        found = memory.recall("how do I run migrations")
        assert [hit.memory.id for hit in found.hits] == [note.id]
        memory.feedback(found.id, note.id, "helpful")
        assert memory.evolve.usage(note.id)[0].outcome == "helpful"
        memory.maintenance.run()
    monkeypatch.setenv("TREERING_SPACE", space)
    with treering.open() as memory:
        assert memory.get(note.id).content == note.content
        assert memory.store.writer == note.id.rpartition("-")[0]
    with treering.open(as_of="2100-01-01") as past:
        assert [one.id for one in past.list()] == [note.id]


def test_spaces_may_lie_in_several_databases(tmp_path: Path) -> None:
    """The settings say which has which; a person of a team finds the team's; each database has its own alone."""
    one = postgres.server()
    if not one.run("SELECT 1 FROM pg_database WHERE datname = 'second'"):
        one.run(f"CREATE DATABASE second OWNER {postgres.ROLE}")
    other = one.address.replace(f"/{postgres.DATABASE}?", "/second?")
    shop, web = one.new_space(), one.new_space()
    (tmp_path / "config.toml").write_text(f'[stores]\n{shop} = "{one.address}"\n{web} = "{other}"\n')
    for space, text in ((shop, "the shop opens at nine"), (web, "the page is static"), ("mine", "I like tea")):
        with treering.open(tmp_path, space=space) as memory:
            memory.remember(text, project="p")
    for address, space, held in ((one.address, shop, 1), (one.address, web, 0), (other, web, 1), (other, shop, 0)):
        store = PostgresStore(address, space)
        assert len([*store.records()]) == held
        store.close()
    with treering.open(tmp_path, space=f"anna@{web}") as memory:
        assert [note.content for note in memory.list()] == ["the page is static"]
    file = SqliteStore(str(tmp_path / FILE_NAME))
    assert [note.content for note in file.records()] == ["I like tea"]
    file.close()


def heard(seq: int, space: str) -> QueuedEvent:
    body = json.dumps(
        {"prompt": f"remember that the ferry leaves at noon from pier {seq}", "human": True, "project": ""}
    )
    return QueuedEvent(f"s\x1f{PROMPT}\x1f{seq}", space, "s", PROMPT, NOON + seq, body)


def queue(home: Path, *events: QueuedEvent) -> None:
    from tests.surfaces.hook.driving import rows

    SqliteStore(str(home / FILE_NAME)).close()  # the file that hooks queue in
    sql = "INSERT INTO inbox (key, space, session, event, time, body, taken, made) VALUES (?, ?, ?, ?, ?, ?, 0, '')"
    for one in events:
        rows(home, sql, *one[:6])


def test_what_hooks_queued_on_this_machine_is_taken_in_once(home: Path) -> None:
    """Into the database, though it was queued in a file; a crash between the two changes nothing."""
    from tests.surfaces.hook.driving import rows

    space = os.environ["TREERING_SPACE"]
    treering.open().close()
    queue(home, heard(1, space), heard(2, space), heard(3, "another"))
    with treering.open() as memory:
        memory.captured.receive()
        kept = {note.content for note in memory.list()}
        assert len(kept) == 2
        assert rows(home, "SELECT count(*) FROM inbox WHERE taken = 0") == [(1,)]
        rows(home, "UPDATE inbox SET taken = 0")  # as if the process had ended before the file was told
        memory.captured.receive()
        assert {note.content for note in memory.list()} == kept
        assert rows(home, "SELECT key FROM inbox WHERE taken = 0") == [(heard(3, "another").key,)]


def test_what_could_not_be_taken_in_stays_queued(home: Path) -> None:
    """The file changes only if the database does."""
    from tests.surfaces.hook.driving import rows

    with treering.open() as memory:
        inbox = memory.workspace.inbox
        assert inbox is not None and not inbox.waiting()
        queue(home, heard(1, os.environ["TREERING_SPACE"]))
        (waiting,) = inbox.unread(9)

        def lost() -> None:
            assert inbox.claim(waiting, 5)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            memory.ledger.store.write(lost)
        assert rows(home, "SELECT taken FROM inbox") == [(0,)]
        assert inbox.unread(9) == [waiting]


def test_hooks_look_into_a_copy(home: Path) -> None:
    """Which maintenance brings up to date, event by event, and which is there without the server."""
    with treering.open() as memory:
        live(memory)
        path = str(home / FILE_NAME)
        copies = []
        for text in ("The harbour opens at six", "The harbour closes at ten"):
            memory.remember(text)
            memory.maintenance.run()
            copy = SqliteStore(path)
            assert picture(copy) == picture(memory.store) and copy.heads() == memory.store.heads()
            assert verify(copy).clean
            copies.append([*copy.events()])
            copy.close()
        assert len(copies[1]) > len(copies[0])


def test_a_file_with_memories_of_its_own_is_no_copy(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the team's goes into it, and nothing of it leaves."""
    with monkeypatch.context() as patch:
        patch.delenv("TREERING_STORE")
        with treering.open() as own:
            own.remember("My own")
    with treering.open() as memory:
        memory.remember("The team's")
        memory.maintenance.run()
        assert [note.content for note in memory.list()] == ["The team's"]
    monkeypatch.delenv("TREERING_STORE")
    with treering.open() as own:
        assert [note.content for note in own.list()] == ["My own"]


def test_a_newer_schema_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, and with what to do."""
    a_store().close()
    monkeypatch.setattr("treering.stores.postgres.schema.STEPS", {})
    with pytest.raises(NewerStore, match=f"{next(iter(STEPS))}.*pip install -U"):
        a_store()


ADDRESSES: dict[str, Callable[[str], str]] = {
    "no such server": lambda folder: f"postgresql://me:hush@/team?host={folder}/nowhere",
    "no such database": lambda folder: f"postgresql://treering:hush@/nowhere?host={folder}",
    "no such role": lambda folder: f"postgresql://stranger:hush@/team?host={folder}",
    "no address": lambda folder: "postgresql://a b:hush@[",
}


@pytest.mark.parametrize("what", ADDRESSES)
def test_an_address_that_leads_nowhere_is_told_without_its_password(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, and with what to do."""
    monkeypatch.setattr("treering.stores.postgres.space.OPENING", 0.1)
    with pytest.raises(StoreUnavailable) as told:
        PostgresStore(ADDRESSES[what](str(postgres.server().folder)), "x")
    assert "the address" in str(told.value)
    assert "hush" not in str(told.value)


def test_a_role_that_may_not_make_tables_is_told(store: PostgresStore) -> None:
    """With the page that says which rights it needs."""
    server = postgres.server()
    server.run("DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN")
    with pytest.raises(StoreUnavailable, match=r"docs/postgres.md"):
        PostgresStore(server.address.replace("treering@", "guest@"), "x").clock()


def test_a_context_of_another_space_can_be_part_of_a_space(store: PostgresStore) -> None:
    """A file of several spaces that was moved keeps them apart."""
    ours = memory_on(store)
    ours.remember("ours")
    theirs = memory_on(store, seed=5, context=Context("elsewhere"))
    theirs.remember("theirs")
    assert [note.content for note in ours.list()] == ["ours"]
    assert [note.content for note in theirs.list()] == ["theirs"]


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pgbouncer") is None, reason="needs pgbouncer: apt-get install pgbouncer")
def test_it_works_behind_a_pooler(tmp_path: Path) -> None:
    """Which hands out two connections to eight threads, a transaction at a time."""
    server = postgres.server()
    folder = server.folder / "pooler"
    folder.mkdir()
    shutil.chown(folder, *_owner(server.folder))
    (folder / "pgbouncer.ini").write_text(
        f"""[databases]
{postgres.DATABASE} = host={server.folder} user={postgres.ROLE}
[pgbouncer]
pool_mode = transaction
default_pool_size = 2
auth_type = any
listen_addr =
listen_port = 6432
unix_socket_dir = {folder}
logfile = {folder}/log
"""
    )
    user, group = _owner(server.folder)
    pooler = subprocess.Popen(["pgbouncer", str(folder / "pgbouncer.ini")], user=user, group=group, cwd="/")
    try:
        address = f"postgresql://{postgres.ROLE}@/{postgres.DATABASE}?host={folder}&port=6432"
        store = PostgresStore(address, server.new_space())
        memory = memory_on(store)
        live(memory)
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(lambda name: memory.remember(f"note of thread {name}"), range(40)))
            found = threads.map(lambda name: memory.recall(f"note of thread {name}").hits, range(8))
            assert all(found)
        assert verify(store).clean
        store.close()
    finally:
        pooler.terminate()
        pooler.wait()


def _owner(path: Path) -> tuple[int, int]:
    return path.stat().st_uid, path.stat().st_gid
