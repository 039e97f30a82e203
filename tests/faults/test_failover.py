"""A leader of PostgreSQL is killed under its writers, and its standby takes over: nothing acknowledged is lost.

What is purged is gone on both.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from functools import partial
from pathlib import Path

import pytest

from tests import postgres
from tests.faults.harness import done, fork
from tests.world import memory_on
from treering.ledger.errors import StoreBusy
from treering.ledger.verify import verify

pytestmark = [postgres.needed, pytest.mark.long]

WRITERS, SPACES = 6, 2
WRITES = int(os.environ.get("WRITES", "40"))
FAILOVERS = int(os.environ.get("FAILOVERS", "2"))
PATIENCE = 1_800.0


class Standby(postgres.Server):
    """A server that follows another one, from a copy of it."""

    def __init__(self, of: postgres.Server) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="treering-postgres-"))
        self._as, self._settings = of._as, of._settings
        if os.geteuid() == 0:
            shutil.chown(self.folder, "nobody")
        self._programs = of._programs
        data = str(self.folder / "data")
        self._done(
            "pg_basebackup", "-D", data, "-R", "-X", "stream", "-c", "fast", "-h", str(of.folder), "-U", "postgres"
        )
        self.start()

    def promote(self) -> None:
        self._done("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "120", "promote")


def holding(server: postgres.Server, word: bytes) -> list[str]:
    """Return the files of tables and indexes of the team's database that hold a word."""
    server.run("CHECKPOINT")
    ((oid,),) = server.run(f"SELECT oid FROM pg_database WHERE datname = '{postgres.DATABASE}'")
    files = (server.folder / "data" / "base" / str(oid)).iterdir()
    return [path.name for path in files if path.is_file() and word in path.read_bytes()]


def logged(server: postgres.Server, word: bytes) -> list[str]:
    """Return the files of the log that hold a word."""
    return [one.name for one in (server.folder / "data" / "pg_wal").glob("0*") if word in one.read_bytes()]


def end(server: postgres.Server) -> str:
    """Return how far its log goes."""
    return str(server.run("SELECT pg_current_wal_lsn()")[0][0])


def until(server: postgres.Server, asked: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not server.run(asked)[0][0]:
        assert time.monotonic() < deadline, asked
        time.sleep(0.05)


def test_a_purge_waits_for_who_reads_from_a_standby_and_reaches_it() -> None:
    """With `hot_standby_feedback` the leader keeps deleted rows for a reader there: they are not yet gone. With
    `wal_recycle` off, the log of both is without it a few checkpoints later."""
    import psycopg

    from treering.stores.postgres.store import PostgresStore

    settings = {"hot_standby_feedback": "on", "wal_receiver_status_interval": "1s", "hot_standby": "on"}
    settings |= {"wal_recycle": "off", "wal_keep_size": "0"}
    leader = postgres.Server(18, max_wal_senders="4", **settings)
    follower = Standby(leader)
    try:
        store = PostgresStore(leader.address, "team")
        memory = memory_on(store)
        canary = memory.remember("The password of the canary is zwitscherling")
        memory.maintenance.prepare()
        until(follower, f"SELECT '{end(leader)}'::pg_lsn <= pg_last_wal_replay_lsn()")
        with psycopg.connect(f"host={follower.folder} user=postgres dbname={postgres.DATABASE}") as reader:
            reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            assert reader.execute("SELECT count(*) FROM treering.words").fetchone() != (0,)
            until(leader, "SELECT count(backend_xmin) FROM pg_stat_replication")
            with pytest.raises(StoreBusy):
                memory.purge(canary.id)
        deadline = time.monotonic() + PATIENCE
        while not store.scrub():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        until(follower, f"SELECT '{end(leader)}'::pg_lsn <= pg_last_wal_replay_lsn()")
        assert holding(leader, b"zwitscherl") == holding(follower, b"zwitscherl") == []
        while logged(leader, b"zwitscherl") or logged(follower, b"zwitscherl"):  # two checkpoints, as the page says
            assert time.monotonic() < deadline
            leader.run("SELECT pg_switch_wal()", "CHECKPOINT")
            until(follower, f"SELECT '{end(leader)}'::pg_lsn <= pg_last_wal_replay_lsn()")
            follower.run("CHECKPOINT")
        store.close()
    finally:
        leader.close()
        follower.close()


def write(address: str, space: str, name: int, acknowledged: Path) -> None:
    import treering
    from treering.stores.postgres import space as opening

    opening.OPENING = PATIENCE  # all of them open at once, on how small a machine nobody knows
    os.environ["TREERING_HOME"] = str(acknowledged.with_suffix(".home"))
    with treering.open(address, space=space) as memory, acknowledged.open("w") as out, memory.store.hurried(PATIENCE):
        for number in range(WRITES):
            out.write(f"{memory.remember(f'{space} note {number} of process {name}').id}\n")
            out.flush()


def acknowledged(folder: Path) -> list[str]:
    return [id for file in folder.glob("*.acked") for id in file.read_text().split()]


@pytest.mark.parametrize("round", range(FAILOVERS))
def test_what_was_acknowledged_outlives_the_leader(tmp_path: Path, round: int) -> None:
    """The clients are told both addresses, and wait. A leader that answers only when its standby has written too, as
    the page asks for, loses nothing."""
    from treering.stores.postgres.store import PostgresStore

    leader = postgres.Server(18, fsync="on", max_wal_senders="4", hot_standby="on")
    follower = Standby(leader)
    names = [f"space-{number}" for number in range(SPACES)]
    try:
        both = f"postgresql://{postgres.ROLE}@/{postgres.DATABASE}?host={leader.folder},{follower.folder}"
        for name in names:
            PostgresStore(both, name).close()
        leader.run("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        children = [
            fork(partial(write, both, names[one % SPACES], one, tmp_path / f"{one}.acked")) for one in range(WRITERS)
        ]
        while len(acknowledged(tmp_path)) < (round + 1) * WRITERS * WRITES // (FAILOVERS + 2):
            assert not os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT), "a writer gave up"
            time.sleep(0.05)
        leader.stop("immediate")
        follower.promote()
        assert done(*children)
        for at, name in enumerate(names):
            store = PostgresStore(both, name)
            mine = [id for one in range(at, WRITERS, SPACES) for id in (tmp_path / f"{one}.acked").read_text().split()]
            events = [*store.events()]
            assert sorted(event.id for event in events) == sorted(mine)
            assert len({note.content for note in store.records()}) == len(mine)
            assert verify(store).clean
            store.close()
    finally:
        leader.close()
        follower.close()
