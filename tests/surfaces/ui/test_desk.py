"""The desk: what takes long holds nobody up, neither other pages nor the end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import treering
from tests.surfaces.ui.served import Served
from treering.memory import Treering
from treering.surfaces.ui import desk
from treering.surfaces.ui.desk import Desk


class Slow:
    """A count that ends when it is told to."""

    def __init__(self) -> None:
        self.may, self.counts = Event(), 0

    def __call__(self, memory: Treering) -> int:
        assert self.may.wait(20)
        self.counts += 1
        return self.counts


@pytest.fixture
def one(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(desk, "REST", 0.0)
    made = Desk(partial(treering.open, home, actor="user"), str(tmp_path))
    yield made
    made.close()


def ask(one: Desk, count: Any, wait: bool = False) -> Any:
    return asyncio.run(one.ask(lambda asked: one.figures("slow", count, asked), {}, wait=wait))


def test_the_last_figures_are_shown_as_long_as_new_ones_are_counted(one: Desk) -> None:
    count = Slow()
    assert ask(one, count) is None
    count.may.set()
    assert ask(one, count, wait=True) == 1
    count.may.clear()
    one.memory.remember("something happened")
    assert [ask(one, count) for _ in range(3)] == [1, 1, 1]
    count.may.set()
    assert ask(one, count, wait=True) == 2


def test_whoever_waits_for_figures_holds_nobody_up(one: Desk) -> None:
    count = Slow()

    async def both() -> tuple[object, object]:
        waiting = asyncio.create_task(one.ask(lambda asked: one.figures("slow", count, asked), {}, wait=True))
        await asyncio.sleep(0)
        clock = await one.ask(lambda asked: asked.memory.store.clock(), {})
        count.may.set()
        return clock, await waiting

    assert asyncio.run(both()) == (one.memory.store.clock(), 1)


def test_figures_that_are_wanted_while_hooks_write_on_and_on_are_told(one: Desk) -> None:
    """Each count is out of date when it ends."""

    def count(memory: Treering) -> int:
        memory.remember("another thing happened")
        return len([*memory.list()])

    assert ask(one, count, wait=True) == 5


def test_a_count_that_fails_says_so_and_is_tried_again(one: Desk) -> None:
    def count(memory: Treering) -> int:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        ask(one, count, wait=True)
    assert ask(one, lambda memory: 7, wait=True) == 7


def test_the_end_does_not_wait_for_what_is_counted(home: Path, tmp_path: Path) -> None:
    count = Slow()
    made = Desk(partial(treering.open, home, actor="user"), str(tmp_path))
    assert ask(made, count) is None
    made.close()
    assert count.counts == 0
    count.may.set()


def test_a_page_does_not_compare_thousands_of_events(home: Path, tmp_path: Path) -> None:
    with treering.open(home, actor="user") as memory:
        memory.remember_many({"content": f"fact number {number} is a fact"} for number in range(600))
    with Served(str(home), str(tmp_path)) as served:
        served.enter()
        assert served.get("/review.json").json["new"] >= 600
        assert "treering maintain" in served.get("/review").text
