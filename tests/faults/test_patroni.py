"""Leaders, standbys and etcd are killed and stopped under writers, as often as FAILOVERS says: Patroni finds a new
leader each time, nothing acknowledged is lost, nothing is written twice, and a leader that was stopped takes no write.
"""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from tests import patroni
from tests.faults.harness import done, fork
from treering.ledger.errors import StoreError
from treering.ledger.verify import verify

pytestmark = [patroni.needed, pytest.mark.long]

FAILOVERS = int(os.environ.get("FAILOVERS", "4"))
KINDS = ("leader killed", "standby killed", "etcd killed", "leader stopped")
WRITERS, SPACES = 6, 2
PATIENCE = 1_800.0
AFTER = 30  # notes that are acknowledged before the next fault
PAUSE = 0.1  # seconds between two notes of a writer
DARK = 15.0  # seconds without etcd: so long that the leader gives up


def write(address: str, space: str, name: int, folder: Path) -> None:
    import treering
    from treering.stores.postgres import space as opening

    opening.OPENING = PATIENCE
    os.environ["TREERING_HOME"] = str(folder / f"{name}.home")
    with (
        treering.open(address, space=space) as memory,
        (folder / f"{name}.acked").open("w") as out,
        memory.store.hurried(PATIENCE),
    ):
        number = 0
        while not (folder / "enough").exists():
            out.write(f"{memory.remember(f'{space} note {number} of process {name}').id} {time.monotonic()}\n")
            out.flush()
            number += 1
            time.sleep(PAUSE)


def acknowledged(folder: Path) -> list[tuple[str, float]]:
    """Return what was acknowledged, and when."""
    lines = [line.split() for file in folder.glob("*.acked") for line in file.read_text().splitlines()]
    return sorted(((line[0], float(line[1])) for line in lines if len(line) == 2), key=lambda one: one[1])


def wait_for(folder: Path, more: int) -> None:
    """Wait until so many more notes are acknowledged."""
    wanted = len(acknowledged(folder)) + more
    deadline = time.monotonic() + PATIENCE
    while len(acknowledged(folder)) < wanted:
        assert not os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT), "a writer gave up"
        assert time.monotonic() < deadline, "nothing is acknowledged any more"
        time.sleep(0.2)


def refuses(address: str, space: str) -> None:
    """A node takes no write, whatever it was before."""
    from treering.stores.postgres.store import PostgresStore

    with pytest.raises(StoreError):
        store = PostgresStore(address, space)
        with store.hurried(5.0):
            store.write(lambda: store.keep_learned(space, "by the old leader"))


def strike(cluster: patroni.Cluster, kind: str, folder: Path, space: str) -> None:
    """Do one harm, wait until writers go on, and mend it."""
    there = cluster.healthy()
    leader = there["leader"]
    if kind == "etcd killed":
        cluster.etcd.kill()
        time.sleep(DARK)
        cluster.etcd.start()
    elif kind == "standby killed":
        there["sync_standby"].kill()
        wait_for(folder, AFTER)
        there["sync_standby"].start()
    elif kind == "leader killed":
        leader.kill()
        cluster.leader_other_than(leader)
        wait_for(folder, AFTER)
        leader.start()
    else:
        stopped = leader.processes()
        leader.signal(signal.SIGSTOP)
        cluster.leader_other_than(leader)
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
        refuses(cluster.address_of(leader), space)
    wait_for(folder, AFTER)


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    """However often the leader changes; the longest time without an acknowledged write is printed for each fault."""
    from treering.stores.postgres.store import PostgresStore

    cluster = patroni.Cluster()
    names = [f"space-{number}" for number in range(SPACES)]
    try:
        for name in names:
            PostgresStore(cluster.address, name).close()
        children = [fork(partial(write, cluster.address, names[one % SPACES], one, tmp_path)) for one in range(WRITERS)]
        wait_for(tmp_path, AFTER)
        for number in range(FAILOVERS):
            kind, began = KINDS[number % len(KINDS)], time.monotonic()
            strike(cluster, kind, tmp_path, names[0])
            times = [began, *(at for _, at in acknowledged(tmp_path) if at > began)]
            gap = max(after - before for before, after in pairwise(times))
            print(
                f"{number + 1}: {kind}; {gap:.1f} s without a write, {len(acknowledged(tmp_path))} written", flush=True
            )
        (tmp_path / "enough").touch()
        assert done(*children)
        cluster.healthy()
        for at, name in enumerate(names):
            store = PostgresStore(cluster.address, name)
            files = [tmp_path / f"{one}.acked" for one in range(at, WRITERS, SPACES)]
            mine = [line.split()[0] for file in files for line in file.read_text().splitlines()]
            assert sorted(event.id for event in store.events()) == sorted(mine)
            assert len({note.content for note in store.records()}) == len(mine)
            assert verify(store).clean
            store.close()
    finally:
        cluster.close()
