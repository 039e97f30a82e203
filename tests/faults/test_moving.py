"""A space moves to another database while its writers write, and moves that are killed are done again."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

import treering
from tests import postgres
from tests.world import memory_on
from treering.ledger.errors import InvalidInput
from treering.ledger.verify import verify
from treering.stores.files import FILE_NAME
from treering.stores.sqlite.store import SqliteStore
from treering.surfaces.cli.move import moved

pytestmark = postgres.needed

WRITERS = 3


@pytest.fixture
def second() -> Iterator[str]:
    """The address of another database."""
    server, name = postgres.server(), f"other{os.getpid()}"
    server.run(f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name} OWNER {postgres.ROLE}")
    yield server.address.replace(f"/{postgres.DATABASE}?", f"/{name}?")
    server.run(f"DROP DATABASE {name} WITH (FORCE)")


def test_a_space_moves_under_its_writers_and_back(second: str, tmp_path: Path) -> None:
    """None of them fails, nothing that was acknowledged is lost or doubled, and nothing is left where it was before."""
    from treering.stores.postgres.store import PostgresStore

    first, space = postgres.server().address, postgres.server().new_space()
    enough = Event()
    acknowledged: list[str] = []

    def write(name: int) -> None:
        with treering.open(tmp_path / str(name), store=first, space=space) as memory:
            number = 0
            while not enough.is_set():
                acknowledged.append(memory.remember(f"note {number} of {name}").id)
                assert memory.recall(f"note {number} of {name}", log=number % 3 == 0).hits
                number += 1

    def wait() -> None:
        wanted = len(acknowledged) + 5 * WRITERS
        while len(acknowledged) < wanted and not any(one.done() for one in writers):
            time.sleep(0.01)

    with ThreadPoolExecutor(WRITERS) as threads:
        writers = [threads.submit(write, name) for name in range(WRITERS)]
        try:
            for source, target in ((first, second), (second, first), (first, second)):
                wait()
                moved(source, target, space, lambda done: None)
            wait()
        finally:
            enough.set()
        for one in writers:
            one.result()
    there = PostgresStore(second, space, stays=True)
    assert {note.id for note in there.records()} == set(acknowledged)
    assert len(set(acknowledged)) == len(acknowledged)
    assert verify(there).clean
    left = PostgresStore(first, space, stays=True)
    assert left.moved_to and {note.id for note in left.records()} < set(acknowledged)
    for address in (first, second):  # whoever comes later is sent on, too
        with treering.open(tmp_path / "late", store=address, space=space) as memory:
            memory.remember(f"by {address}")
    assert len([*there.records()]) == len(acknowledged) + 2
    with pytest.raises(InvalidInput, match="has moved to"):
        moved(first, second, space, lambda done: None)
    there.close()
    left.close()


def test_where_a_space_has_moved_is_told_without_a_password(second: str) -> None:
    """Whoever reads the row of a space sees no secret."""
    from treering.stores.postgres.store import PostgresStore

    store = PostgresStore(postgres.server().address, postgres.server().new_space())
    memory_on(store).remember("x")
    store.write(lambda: store.leave(second.replace("treering@", "treering:hush@")))
    assert second.rpartition("=")[2] in store.moved_to and "hush" not in store.moved_to
    store.close()


@pytest.mark.long
def test_a_move_that_is_killed_carries_on(second: str, tmp_path: Path) -> None:
    """There and back: at last both have the same chains, and all is well."""
    home, back, space = tmp_path / "home", tmp_path / "back", "default"
    with treering.open(home) as memory:
        memory.remember_many({"content": f"note {number} of the harbour", "project": "p"} for number in range(4_000))
    program = "import sys, treering.ledger.ledger as l; l.BATCH = 100; l.batches.__defaults__ = (100,)\n"
    program += "from treering.surfaces.cli.move import moved; moved(*sys.argv[1:], lambda done: None)"
    for source, target in ((str(home), second), (second, str(back))):
        killed = 0
        while True:
            one = subprocess.Popen([sys.executable, "-c", program, source, target, space])
            try:
                assert one.wait(1.5 + killed) == 0
                break
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait()
                killed += 1
        assert killed
    ends = [SqliteStore(str(place / FILE_NAME)) for place in (home, back)]
    assert ends[0].heads() == ends[1].heads()
    assert [*ends[0].events()] == [*ends[1].events()]
    assert all(verify(end).clean for end in ends)
    for end in ends:
        end.close()
