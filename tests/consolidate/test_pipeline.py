"""The pipeline as a whole: in its order, once, within its budget, by several at once, and through a kill."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest

import treering
from tests.consolidate.living import BUILD, DAY, DOOR, SECOND, SUMMED, World, picture, rows, tables
from tests.faults.harness import done, fork, kill
from treering.consolidate import pipeline
from treering.consolidate.rules import STEPS
from treering.ledger import decide
from treering.ledger.errors import InvalidInput, ReadOnly
from treering.ledger.events import GROUPED, TENDED
from treering.ledger.types import Context, Memory
from treering.ledger.verify import verify
from treering.stores.port.ledger import Store

PAINT = (
    "The paint of the harbour crane peels off after each winter storm",
    "After the winter storm the paint of the harbour crane peeled off",
    "Winter storm: paint peels off the harbour crane once more",
)


def full(world: World) -> None:
    """Something for every step."""
    for texts in (BUILD, DOOR, PAINT):
        world.live(*texts)
    for text in ("Deploys of the checkout go through the green pipeline", "Ask Ben before the gateway restarts"):
        note = world.memory.remember(text, scope="session", session="s1")
        world.memory.ledger.commit(lambda note=note: [decide.used(note, Context(session="s1"))] * 2)  # type: ignore[misc]
    proved = world.memory.remember("Backups of the ledger run at 3 am", scope="project")
    world.memory.ledger.commit(
        lambda: [decide.used(proved, Context(project=f"p{n}", session=f"s{n}")) for n in range(3)]
    )
    for text in ("Valkey replaced Redis", "Redis replaced Valkey", "The request timeout is 5 seconds",
                 "The request timeout is 9 seconds"):  # fmt: skip
        world.pass_(hours=1)
        world.memory.remember(text)
    world.pass_(days=1)


def outcome(world: World) -> tuple[Any, ...]:
    """What a store amounts to, whatever the ids are, once hygiene has seen all of it."""
    world.memory.maintenance.hygiene()
    known = picture(world.store)

    def told(note: Memory) -> tuple[Any, ...]:
        into = known[note.merged_into].content if note.merged_into else ""
        return (note.content, note.type, note.scope, note.status, note.tags, note.trust, note.accesses, into)

    raised = sorted((one.older.content, one.newer.content, one.kind) for one in world.memory.truth.contradictions())
    groups = sorted(sorted(known[id].content for id in group.memories) for group in world.memory.maintenance.groups())
    return sorted(map(told, known.values())), raised, groups, world.memory.graph.export("graphml").count("<edge")


class TestWhole:
    def test_all_steps_are_taken_in_their_order_and_reported(self, world: World) -> None:
        """Each with what came of it; and the run is in the log."""
        full(world)
        heard: list[str] = []
        done = world.memory.maintenance.consolidate(progress=lambda step, count: heard.append(step))
        taken = [step.step for step in done.steps if step.step != "prepare"]
        assert taken == list(STEPS) == sorted(STEPS, key=taken.index)
        assert [step for step in dict.fromkeys(heard) if step in STEPS] == [step for step in STEPS if step in heard]
        counts = {step.step: step.counts for step in done.steps}
        assert counts["episodes"]["drafts"] == 3
        assert counts["to_project"]["promoted"] == 2
        assert counts["to_user"]["promoted"] == 1
        assert counts["contradictions"] == {"in_texts": 1, "in_graph": 1, "left": 0}
        assert done.finished and done.trigger == "by_hand"
        ((at, logged),) = world.memory.maintenance.log()
        assert (at, logged) == (world.time, done)

    def test_twice_does_nothing_new(self, world: World) -> None:
        """But for the log of it, once hygiene has seen what is new."""
        full(world)
        world.memory.maintenance.consolidate()
        world.memory.maintenance.hygiene()
        before = (picture(world.store), rows(world.store), outcome(world))
        again = world.memory.maintenance.consolidate()
        assert [event.kind for event in world.events()][-1] == TENDED
        assert (picture(world.store), rows(world.store), outcome(world)) == before
        counts = {step.step: step.counts for step in again.steps}
        assert not any(counts["episodes"].values()) and not any(counts["to_project"].values())
        assert not any(counts["to_user"].values()) and not any(counts["contradictions"].values())

    def test_every_step_can_be_taken_alone(self, world: World) -> None:
        """One that there is not is refused, as is a budget that is none."""
        full(world)
        for step in STEPS:
            assert [one.step for one in world.memory.maintenance.consolidate(steps=[step]).steps][-1] == step
        before = world.dump()
        with pytest.raises(InvalidInput):
            world.memory.maintenance.consolidate(steps=["dreams"])
        for budget in (0, -1, 86_401, float("nan"), float("inf")):
            with pytest.raises(InvalidInput):
                world.memory.maintenance.consolidate(budget=budget)
        assert world.dump() == before

    def test_an_empty_memory_is_looked_after_in_no_time(self, world: World) -> None:
        """And nothing comes of it."""
        done = world.memory.maintenance.consolidate()
        assert done.finished
        assert picture(world.store) == {}

    def test_a_rebuild_after_it_changes_nothing(self, world: World) -> None:
        """All that it does is in the ledger."""
        full(world)
        world.memory.maintenance.consolidate()
        before = (picture(world.store), rows(world.store))
        world.memory.ledger.rebuild()
        world.memory.maintenance.prepare()
        assert picture(world.store) == before[0]
        # Which names are one is worked out by the next step of the graph.
        world.step("graph")
        assert rows(world.store) == before[1]
        assert verify(world.store).problems == ()


class TestRehearsal:
    def test_a_rehearsal_says_what_would_happen_and_changes_nothing(self) -> None:
        """Not a row of any table."""
        world = World()
        full(world)
        world.memory.maintenance.prepare()
        before = tables(world.store)
        told = world.memory.maintenance.consolidate(dry_run=True)
        assert tables(world.store) == before
        assert told.event == ""
        done = world.memory.maintenance.consolidate()
        assert [(step.step, step.counts) for step in told.steps] == [(step.step, step.counts) for step in done.steps]


class Spent:
    """A clock that only goes on when something is written: one unit for each event, and for each portion read."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def __call__(self) -> float:
        return sum(head.seq for head in self.store.heads().values())


class TestBudgets:
    def test_a_budget_that_runs_out_after_each_portion_ends_where_none_does(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The next run goes on, until all of it is finished."""
        one, other = World(store), World()
        for world in (one, other):
            full(world)
        other.memory.maintenance.consolidate()
        monkeypatch.setattr(pipeline, "monotonic", Spent(store))
        runs = [one.memory.maintenance.consolidate(budget=1)]
        while not runs[-1].finished:
            runs.append(one.memory.maintenance.consolidate(budget=1))
            assert len(runs) < 50
        assert len(runs) > 6
        assert outcome(one) == outcome(other)
        assert verify(store).problems == ()

    def test_what_was_not_begun_is_not_finished(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        """It is told so, and nothing of it is done."""
        full(world)
        world.memory.maintenance.prepare()
        before = picture(world.store)
        calls = iter([0.0])
        monkeypatch.setattr(pipeline, "monotonic", lambda: next(calls, 99.0))
        done = world.memory.maintenance.consolidate(budget=1)
        assert {(step.finished, bool(step.counts)) for step in done.steps} == {(False, False)}
        assert not done.finished
        assert picture(world.store) == before

    @pytest.mark.parametrize("portions", range(1, 8))
    def test_wherever_it_stops_everything_holds(
        self, world: World, monkeypatch: pytest.MonkeyPatch, portions: int
    ) -> None:
        """A group is summed up whole or not at all, and an undoing takes back what was done."""
        full(world)
        monkeypatch.setattr(pipeline, "monotonic", Spent(world.store))
        world.memory.maintenance.consolidate(budget=portions)
        for group in world.memory.maintenance.groups():
            statuses = {world.memory.get(id).status for id in group.memories}
            assert statuses == ({"consolidated"} if group.summary else statuses & {"created", "active"})
        assert verify(world.store).problems == ()


class TestPast:
    def test_a_view_of_the_past_shows_what_was_then(self, tmp_path: Path) -> None:
        """Groups, the log and the graph; and nothing of it can be changed."""
        with treering.open(tmp_path) as memory:
            for text in BUILD:
                memory.remember(text, type="episodic")
            memory.remember("The checkout service depends on Redis")
            memory.maintenance.next_group()
            sleep(0.01)
            then = memory.remember("a mark in time").created
            sleep(0.01)
            memory.maintenance.consolidate()
            memory.remember("The checkout service depends on Kafka")
            assert memory.maintenance.groups()[0].status == "drafted"
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix == ".db"}
        with treering.open(tmp_path, as_of=then / SECOND) as past:
            assert [group.status for group in past.maintenance.groups()] == ["waiting"]
            task = past.maintenance.next_group()
            assert task is not None and len(task.sources) == 3
            assert past.maintenance.log() == [] and past.maintenance.insights() == []
            assert "redis" in {one.key for one in past.graph.path("checkout", "redis")[0]}
            with pytest.raises(treering.TreeringError):
                past.graph.show("kafka")
            assert past.maintenance.health().live == 5
            for act in (
                past.maintenance.consolidate,
                past.maintenance.reflect,
                past.graph.prune,
                past.maintenance.end_session,
            ):
                with pytest.raises(ReadOnly):
                    act()
            with pytest.raises(ReadOnly):
                past.maintenance.submit(task.group.id, SUMMED)
            with pytest.raises(ReadOnly):
                past.maintenance.consolidate(dry_run=True)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix == ".db"} == before


class TestTogether:
    def test_two_processes_that_consolidate_at_once_sum_up_each_group_once(self, tmp_path: Path) -> None:
        """And promote once; nothing stands twice."""
        _fill(tmp_path)
        assert done(*(fork(partial(_consolidate, tmp_path)) for _ in range(3)))
        with treering.open(tmp_path) as memory:
            _check(memory)
            known = picture(memory.store).values()
            standing = [note.content for note in known if note.type == "semantic" and note.status != "merged"]
            assert len(set(standing)) == len(standing)
            assert [group.status for group in memory.maintenance.groups()] == ["drafted"] * 3

    def test_a_process_killed_in_the_middle_leaves_what_the_next_can_finish(self, tmp_path: Path) -> None:
        """Whenever that is: no group is half summed up, and the next run does the rest."""
        _fill(tmp_path)
        random = Random(7)
        for _ in range(8):
            pid = fork(partial(_consolidate, tmp_path))
            sleep(random.random() * 0.25)
            with suppress(ProcessLookupError):
                kill(pid)
            with treering.open(tmp_path) as memory:
                _check(memory)
        with treering.open(tmp_path) as memory:
            assert memory.maintenance.consolidate().finished
            _check(memory)
            assert [group.status for group in memory.maintenance.groups()] == ["drafted"] * 3

    def test_two_machines_that_grouped_the_same_have_one_group(self) -> None:
        """Its name is the same on both."""
        one, other = World(seed=1), World(seed=2)
        notes = one.live()
        other.memory.ledger.take_in(list(one.store.events()))
        for world in (one, other):
            assert {source.id for source in world.task().sources} == {note.id for note in notes}
        made = one.memory.maintenance.submit(one.task().group.id, SUMMED)
        other.memory.ledger.take_in(list(one.store.events()))
        (group,) = other.memory.maintenance.groups()
        assert (group.summary, len(other.events(GROUPED))) == (made.id, 2)
        assert other.memory.maintenance.next_group() is None


def _fill(home: Path) -> None:
    with treering.open(home, project="shop") as memory:
        for text in (*BUILD, *DOOR, *PAINT):
            memory.remember(text, type="episodic")
        memory.maintenance.prepare()


def _consolidate(home: Path) -> None:
    os.environ["TREERING_SWAP"] = "0"
    with treering.open(home, project="shop") as memory:
        memory.maintenance.consolidate()


def _check(memory: treering.Treering) -> None:
    assert verify(memory.ledger.store).problems == ()
    for group in memory.maintenance.groups():
        statuses = {memory.get(id).status for id in group.memories}
        assert statuses == ({"consolidated"} if group.summary else statuses & {"created", "active"})


def test_undoing_all_that_a_run_made_brings_the_memory_back(world: World) -> None:
    """Each summary and promotion by itself; nothing is left of them."""
    full(world)
    for note in list(picture(world.store).values()):
        assert note.status in ("created", "active")
    before = picture(world.store)
    world.memory.maintenance.consolidate(steps=["episodes", "to_project", "to_user"])
    made = [id for id in picture(world.store) if id not in before]
    assert len(made) == 6
    world.memory.undo(*made)
    assert picture(world.store) == before
    assert world.time % DAY >= 0
