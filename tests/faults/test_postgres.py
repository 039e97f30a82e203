"""Many processes write to one server at once, in several spaces: no number is lost, doubled or seen elsewhere."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from time import monotonic

import pytest

from tests import postgres
from tests.faults.harness import done, fork
from treering.ledger.verify import verify

pytestmark = [postgres.needed, pytest.mark.long]

PROCESSES, SPACES = 64, 16
PATIENCE = 3_600  # seconds that a write may wait: there are 64 processes, on how small a machine nobody knows
WRITES = int(os.environ.get("WRITES", "500"))


def write(address: str, space: str, name: int, acknowledged: Path) -> None:
    import treering

    os.environ["TREERING_HOME"] = str(acknowledged.with_suffix(".home"))
    with treering.open(address, space=space) as memory, acknowledged.open("w") as out, memory.store.hurried(PATIENCE):
        for number in range(WRITES):
            out.write(memory.remember(f"{space} note {number} of process {name}").id + "\n")


def test_64_processes_write_to_16_spaces(tmp_path: Path) -> None:
    """Each space has every number once, in an unbroken chain, and nothing of another."""
    from treering.stores.postgres.store import PostgresStore

    server = postgres.Server(18, fsync="on", max_connections="200")
    spaces = [f"space-{number}" for number in range(SPACES)]
    try:
        PostgresStore(server.address, "first").close()
        began = monotonic()
        children = [
            fork(partial(write, server.address, spaces[name % SPACES], name, tmp_path / f"{name}.acked"))
            for name in range(PROCESSES)
        ]
        assert done(*children)
        took = monotonic() - began
        print(f"{PROCESSES * WRITES:,} writes in {took:.0f} s: {PROCESSES * WRITES / took:.0f} a second")
        for at, space in enumerate(spaces):
            store = PostgresStore(server.address, space)
            events = [*store.events()]
            (writer,) = {event.writer for event in events}
            assert [event.seq for event in events] == [*range(1, PROCESSES // SPACES * WRITES + 1)]
            mine = [(tmp_path / f"{name}.acked").read_text().split() for name in range(at, PROCESSES, SPACES)]
            assert sorted(id for one in mine for id in one) == sorted(f"{writer}-{event.seq}" for event in events)
            assert all(note.content.startswith(f"{space} ") for note in store.records())
            assert verify(store).clean
            store.close()
    finally:
        server.close()
