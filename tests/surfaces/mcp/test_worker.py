"""The one thread that touches the store."""

from __future__ import annotations

from pathlib import Path
from threading import Event, current_thread, get_ident

import pytest

import treering
from treering.consolidate.api import Maintenance, Report
from treering.ledger.errors import NotFound
from treering.memory import Treering
from treering.surfaces.mcp.worker import Worker


class Idler(Maintenance):
    """Maintenance that tells when it runs."""

    def __init__(self, memory: Treering, tended: Event, fails: bool) -> None:
        super().__init__(memory.workspace, memory.captured.take_in, memory.documents.refresh, memory.captured.brief)
        self.tended, self.fails = tended, fails

    def run(self, seconds: float = 30.0) -> Report:
        self.tended.set()
        if self.fails:
            raise ZeroDivisionError("while nobody looks")
        return super().run(seconds)


def opened(home: Path, fails: bool = False) -> tuple[Worker, Event]:
    tended = Event()

    def opening() -> Treering:
        memory = treering.open(home)
        memory.maintenance = Idler(memory, tended, fails)
        return memory

    return Worker(opening, idle=0.05, again=0.05), tended


def test_all_that_is_asked_is_done_in_one_thread(tmp_path: Path) -> None:
    """One after the other, in the order of asking; and the store is closed by the same thread."""
    worker, _ = opened(tmp_path)
    worker.start()
    done = [worker.ask(lambda memory: (memory.remember("x").id, get_ident())) for _ in range(5)]
    ids = [one.result() for one in done]
    assert [id.rpartition("-")[2] for id, _ in ids] == ["1", "2", "3", "4", "5"]
    assert {thread for _, thread in ids} == {worker.ident} != {current_thread().ident}
    worker.stop()
    assert not worker.is_alive()


def test_who_asked_gets_the_error_and_the_next_one_is_served(tmp_path: Path) -> None:
    worker, _ = opened(tmp_path)
    worker.start()
    with pytest.raises(NotFound):
        worker.ask(lambda memory: memory.get("zzzzzzzz-9")).result()
    with pytest.raises(ZeroDivisionError):
        worker.ask(lambda memory: 1 / 0).result()
    assert worker.ask(lambda memory: memory.context.actor).result() == "agent"
    worker.stop()


@pytest.mark.parametrize("fails", [False, True])
def test_an_idle_server_tends_the_memory(tmp_path: Path, fails: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """Again and again while nobody calls; and when that fails, the next call is served all the same."""
    worker, tended = opened(tmp_path, fails)
    worker.start()
    assert tended.wait(60)
    tended.clear()
    assert tended.wait(60)
    assert worker.ask(lambda memory: 7).result() == 7
    worker.stop()
    assert ("ZeroDivisionError" in capsys.readouterr().err) is fails


def test_a_store_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    worker, _ = opened(tmp_path / "home")
    worker.start()
    with pytest.raises(treering.StoreError):
        worker.opened.result()
