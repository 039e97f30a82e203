"""A memory that is kept in memory: it leaves no trace, its threads share it, and other processes are refused."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import treering
from tests.faults.harness import done, fork
from tests.world import store_in_memory
from treering.ledger.errors import StoreError, StoreUnavailable
from treering.ledger.verify import verify
from treering.stores.files import IN_MEMORY
from treering.stores.sqlite.store import SqliteStore


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the home, the working folder and the folder of what is temporary."""
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "TMPDIR", "TREERING_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


def in_threads(count: int, work: Callable[[int], object]) -> None:
    failures: list[BaseException] = []

    def run(name: int) -> None:
        try:
            work(name)
        except Exception as error:  # noqa: BLE001 - a thread that fails must fail the test
            failures.append(error)

    threads = [threading.Thread(target=run, args=(name,)) for name in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_it_leaves_no_file_behind(nowhere: Path) -> None:
    """Whatever is done with it, while it is open and after."""
    with treering.open(IN_MEMORY, project="p", session="s") as memory:
        note = memory.remember("The lighthouse keeper counts the gulls each evening")
        assert memory.recall("who counts the gulls").hits[0].memory.id == note.id
        memory.forget(note.id)
        memory.purge(note.id)
        memory.maintenance.prepare()
        assert os.listdir(nowhere) == []
    assert os.listdir(nowhere) == []


def test_it_has_no_inbox() -> None:
    """Hooks are other processes: they could leave nothing there."""
    with treering.open(IN_MEMORY) as memory:
        assert memory.workspace.inbox is None


def test_its_settings_come_from_the_environment_alone(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in the working folder is not its own."""
    (nowhere / "config.toml").write_text('space = "of-the-file"')
    monkeypatch.setenv("TREERING_PROJECT", "of-the-environment")
    with treering.open(IN_MEMORY) as memory:
        assert (memory.context.space, memory.context.project) == ("default", "of-the-environment")


def test_a_path_of_that_name_is_a_folder(nowhere: Path) -> None:
    """Only the plain text means memory."""
    with treering.open(Path(IN_MEMORY)) as memory:
        memory.remember("x")
    assert (nowhere / IN_MEMORY / "treering.db").exists()


def test_two_of_them_know_nothing_of_each_other() -> None:
    """Each is a store of its own."""
    with treering.open(IN_MEMORY) as one, treering.open(IN_MEMORY) as other:
        one.remember("x")
        assert [*other.list()] == []


def test_its_threads_share_it() -> None:
    """Eight of them write fifty each through one object, and search: all are there, and the store verifies."""
    with treering.open(IN_MEMORY) as memory:

        def work(name: int) -> None:
            for number in range(50):
                memory.remember(f"note {name} {number}")
            assert memory.recall(f"note {name}").hits

        in_threads(8, work)
        assert {note.content for note in memory.list()} == {f"note {a} {b}" for a in range(8) for b in range(50)}
        assert verify(memory.ledger.store).clean


def test_no_thread_sees_what_another_has_not_committed() -> None:
    """It waits for its turn, and finds that nothing was written by a transaction that failed."""
    store = store_in_memory()
    begun, seen = threading.Event(), []

    def look() -> None:
        begun.wait()
        seen.append((store.writer, store.index.in_transaction))

    thread = threading.Thread(target=look)
    thread.start()

    def work() -> None:
        store.adopt("lost")
        begun.set()
        thread.join(0.05)
        assert seen == []
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.write(work)
    thread.join()
    assert seen == [("", False)]


def test_a_statement_that_fails_takes_nothing_else_along() -> None:
    """What was there before stays, and can be added to."""
    store = store_in_memory()
    store.write(lambda: store.adopt("kept"))

    def work() -> None:
        store.adopt("lost")
        store.connections.rows("SELECT * FROM nowhere")

    with pytest.raises(StoreError):
        store.write(work)
    assert store.writer == "kept"
    store.write(lambda: store.look_on("kept", 1))
    assert store.looked() == {"kept": 1}


def test_a_forked_child_is_refused_and_harms_nobody() -> None:
    """Even if a thread of its parent held the store when it was forked."""
    with treering.open(IN_MEMORY) as memory:
        memory.remember("x")
        held, free = threading.Event(), threading.Event()

        def hold() -> None:
            held.set()
            free.wait()

        thread = threading.Thread(target=lambda: memory.ledger.store.write(hold))
        thread.start()
        held.wait()

        def child() -> None:
            for use in (lambda: [*memory.list()], lambda: memory.remember("y")):
                with pytest.raises(StoreUnavailable, match="belongs to the process that opened it"):
                    use()
            memory.close()

        pid = fork(child)
        free.set()
        assert done(pid)
        thread.join()
        assert [note.content for note in memory.list()] == ["x"]


def test_a_closed_one_is_gone() -> None:
    """Who uses it is told; closing twice is fine."""
    store = SqliteStore(IN_MEMORY)
    store.close()
    store.close()
    with pytest.raises(StoreUnavailable, match="what it held in memory is gone"):
        store.heads()


def test_a_view_of_the_past_is_the_same_in_every_thread_and_forked_child(nowhere: Path) -> None:
    """What it folds it keeps in memory."""
    with treering.open(nowhere) as memory:
        memory.remember("x")
    with treering.open(nowhere, as_of="2100-01-01") as past:

        def check(_: int = 0) -> None:
            assert [note.content for note in past.list()] == ["x"]

        check()
        in_threads(2, check)
        assert done(fork(check))
