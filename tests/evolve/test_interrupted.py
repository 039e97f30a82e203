"""Runs that are interrupted, undone while they run, or started twice."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.evolve.test_runs import ALL, planted, statuses
from tests.evolve.worn import World, picture
from treering.evolve.engine import Engine
from treering.evolve.runs import Evolution
from treering.ledger.errors import CannotUndo
from treering.ledger.events import BEGAN, EVOLVED, MERGED, MOVED, PROPOSED
from treering.ledger.types import Context
from treering.ledger.verify import verify
from treering.stores.port.ledger import Store
from treering.stores.sqlite.store import SqliteStore


@pytest.fixture
def world(store: Store) -> World:
    return World(store, gate_recalls=10)


class Stopped(Exception):
    """The power went."""


def stop_at(monkeypatch: pytest.MonkeyPatch, action: str) -> None:
    """Let the engine fail at an action, as if somebody had pulled the plug."""

    def fail(*given: Any, **options: Any) -> None:
        raise Stopped

    monkeypatch.setattr(Engine, action, fail)


class TestInterrupted:
    @pytest.mark.parametrize("action", ("deprecate", "merge", "induce"))
    def test_an_interrupted_run_is_gone_on_with(
        self, world: World, monkeypatch: pytest.MonkeyPatch, action: str
    ) -> None:
        """Under the same event, by whoever comes next; in the end all is done, once, and all of it is told."""
        notes = planted(world)
        with monkeypatch.context() as patched:
            stop_at(patched, action)
            with pytest.raises(Stopped):
                world.memory.evolve.run(if_due=True)
        assert len(world.events(BEGAN)) == 1
        assert world.events(EVOLVED) == []
        world.pass_(hours=1)
        told = world.seen_by(Context(session="next")).evolve.run(if_due=True)
        assert [event.id for event in world.events(BEGAN)] == [told.run]
        assert told.actions == ALL
        assert statuses(world, notes["bad"]) == ["deprecated"]
        assert len(world.events(EVOLVED)) == 1
        assert world.told(EVOLVED)[0]["actions"] == ALL
        assert world.memory.evolve.run(if_due=True).trigger == ""

    def test_undoing_a_run_that_was_gone_on_with_takes_both_parts_back(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is one run."""
        planted(world)
        before = picture(world.store)
        with monkeypatch.context() as patched:
            stop_at(patched, "merge")
            with pytest.raises(Stopped):
                world.memory.evolve.run()
        run = world.memory.evolve.run().run
        world.memory.undo(run)
        assert picture(world.store) == before == world.rebuilt()

    def test_a_run_that_is_undone_while_it_runs_stops(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        """It does nothing more that nobody could take back."""
        planted(world)
        before = picture(world.store)
        merge = Engine.merge

        def undone_first(engine: Engine, *given: Any) -> Any:
            done = merge(engine, *given)
            world.memory.undo(world.events(BEGAN)[0].id)
            return done

        monkeypatch.setattr(Engine, "merge", undone_first)
        with pytest.raises(CannotUndo, match="has been undone"):
            world.memory.evolve.run()
        assert picture(world.store) == before


class TestTwoAtOnce:
    def test_two_that_start_together_do_one_run(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """On one file: the second joins in while the first is at work; nothing is done twice, nothing fails."""
        path = str(tmp_path / "treering.db")
        one = World(SqliteStore(path), gate_recalls=10)
        notes = planted(one)
        two = World(SqliteStore(path), seed=50, gate_recalls=10)
        two.time = one.time
        merge, entered, joined = Engine.merge, [0], list[Evolution]()

        def meanwhile(engine: Engine, *given: Any) -> Any:
            entered[0] += 1
            if entered[0] == 1:
                joined.append(two.memory.evolve.run())
            return merge(engine, *given)

        monkeypatch.setattr(Engine, "merge", meanwhile)
        first = one.memory.evolve.run()
        (second,) = joined
        assert first.run == second.run
        assert second.actions == first.actions == ALL
        assert len(one.events(BEGAN)) == 1
        assert len(one.events(MERGED)) == len(one.events(PROPOSED)) == 1
        assert len(one.events(MOVED)) == 3
        assert statuses(one, notes["bad"]) == ["deprecated"]
        assert one.rebuilt() == picture(two.store)
        assert verify(one.store).clean

    def test_many_that_start_together_make_no_mess(self, tmp_path: Path) -> None:
        """Each run that began has ended once; all that was done is in the ledger."""
        path = str(tmp_path / "treering.db")
        planted(World(SqliteStore(path)))
        worlds = [World(SqliteStore(path), seed=100 * number, gate_recalls=10) for number in range(1, 4)]

        def live(world: World) -> None:
            world.pass_(days=90)
            for _ in range(3):
                world.memory.evolve.run()

        with ThreadPoolExecutor(len(worlds)) as pool:
            assert list(pool.map(live, worlds)) == [None] * 3
        one = worlds[0]
        assert set(Counter(event.causes for event in one.events(EVOLVED)).values()) == {1}
        assert len(one.events(EVOLVED)) == len(one.events(BEGAN))
        assert len(one.events(MERGED)) == len(one.events(PROPOSED)) == 1
        assert one.rebuilt() == picture(worlds[1].store)

    def test_what_somebody_does_meanwhile_is_left_as_they_did_it(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A memory that is used, forgotten or restored while a run is at work is not run over."""
        notes = planted(world)
        merge = Engine.merge

        def meanwhile(engine: Engine, *given: Any) -> Any:
            world.show(notes["stale"][0], k=1)
            world.memory.forget(notes["stale"][1].id)
            return merge(engine, *given)

        monkeypatch.setattr(Engine, "merge", meanwhile)
        told = world.memory.evolve.run()
        assert told.actions["archived"] == 0
        assert statuses(world, notes["stale"]) == ["active", "forgotten"]
