"""Stats: what was judged, how often each rule was wrong, and what each memory's presence did, beside its Q."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from tests.evolve.worn import World, ids_of
from tests.surfaces.cli.driving import Cli
from tests.world import Hashed
from treering.evolve.stats import Standing
from treering.ledger.types import Context
from treering.recall.recalls import Recalls
from treering.recall.scoring import NOTHING_LEARNED
from treering.stores.port.ledger import Store

WORDS = ("alpha", "beta", "gamma", "delta", "epsilon")
QUERY = "deploy tool on Monday"


def world_of(swap: float, store: Store | None = None) -> World:
    """One that learns nothing of its recalls: what helped would soon stand higher than at the cut-off."""
    world = World(store, seed=11, swap=swap)
    recalling = Recalls(world.store, Hashed(), Random(11).randbytes, swap, NOTHING_LEARNED)
    world.memory.workspace._make_recalls = lambda: recalling
    for word in WORDS:
        world.memory.remember(f"The deploy tool of {word} runs on Monday")
    return world


def standing(world: World) -> dict[str, Standing]:
    return {one.memory.id: one for one in world.memory.evolve.stats().lifts}


class TestCounts:
    def test_what_was_said_is_counted_by_what_it_was(self, store: Store) -> None:
        """Verdicts, outcomes and recalls; what was taken back is not."""
        world = world_of(0.0, store)
        recalls = [world.memory.recall(QUERY, 1, silent=False) for _ in range(4)]
        for recall, verdict in zip(recalls, ("helpful", "helpful", "not_helpful", "helpful"), strict=True):
            world.memory.feedback(recall.id, ids_of(recall)[0], verdict)
        world.memory.feedback(recalls[3].id, ids_of(recalls[3])[0], "partially_helpful")
        world.memory.recall(QUERY, 1, silent=False, session="s")
        world.memory.evolve.outcome("s", "failure")
        world.memory.recall(QUERY, log=False)
        stats = world.memory.evolve.stats()
        assert stats.judgements == {"failure": 1, "helpful": 2, "not_helpful": 1, "partially_helpful": 1}
        assert stats.outcomes == {"failure": 1}
        assert (stats.recalls, stats.swaps) == (5, 0)

    def test_the_last_run_and_what_is_due_are_told(self, store: Store) -> None:
        """So that whoever comes by can see whether there is anything to do."""
        world = world_of(0.0, store)
        assert (world.memory.evolve.stats().last_run, world.memory.evolve.stats().due) == (0, "")
        world.pass_(hours=6)
        assert world.memory.evolve.stats().due == "hours"
        world.memory.evolve.run()
        stats = world.memory.evolve.stats()
        assert (stats.last_run, stats.due) == (world.time, "")

    def test_looking_changes_nothing(self, store: Store) -> None:
        """Nor does an empty store mind."""
        world = World(store)
        assert world.memory.evolve.stats().recalls == 0
        world.memory.remember("x")
        before = world.dump()
        world.memory.evolve.stats()
        assert world.dump() == before

    def test_another_space_is_not_counted(self, store: Store) -> None:
        """Neither its recalls nor its chances."""
        world = world_of(0.5, store)
        for _ in range(5):
            world.memory.evolve.outcome(world.memory.recall(QUERY, 3, silent=False).id, "success")
        stats = world.seen_by(Context("elsewhere")).evolve.stats()
        assert (stats.recalls, stats.swaps, stats.outcomes, stats.lifts) == (0, 0, {}, ())


class TestLift:
    def live(self, world: World, times: int, good: str, by: str = "outcome") -> None:
        """Recalls that end well, mostly, where one memory is shown."""
        chance = Random(3)
        for number in range(times):
            found = world.memory.recall(QUERY, 3, silent=False, session=f"s{number}")
            well = chance.random() < (0.9 if good in ids_of(found) else 0.1)
            if by == "outcome":
                world.memory.evolve.outcome(found.id, "success" if well else "failure")
            elif by == "session":
                world.memory.evolve.outcome(f"s{number}", "success" if well else "failure")
            else:
                world.memory.feedback(found.id, ids_of(found)[0], "helpful" if well else "not_helpful")

    @pytest.mark.parametrize("by", ("outcome", "session", "feedback"))
    def test_what_makes_the_difference_is_seen(self, by: str) -> None:
        """The one at the cut-off that helps has a lift, the one that it takes the place of the opposite."""
        world = world_of(0.5)
        world.settings(q_rate=0.0)  # or it would soon stand higher than at the cut-off
        comes = ids_of(world.memory.recall(QUERY, 5, silent=False, log=False))[3]
        self.live(world, 80, comes, by)
        helps, *others = sorted(world.memory.evolve.stats().lifts, key=lambda one: -one.lift.lift)
        assert helps.memory.id == comes
        assert helps.lift.lift - 2 * helps.lift.error > 0.2
        assert helps.memory.q == 0.5
        assert all(one.lift.lift < 2 * one.lift.error for one in others)
        assert helps.lift.shown > 10 and helps.lift.withheld > 10

    def test_what_came_of_it_counts_before_what_was_said(self) -> None:
        """A first result that nobody liked, in recalls that ended well where another one was shown."""
        world = world_of(0.5)
        world.settings(q_rate=0.0)
        comes = ids_of(world.memory.recall(QUERY, 5, silent=False, log=False))[3]
        for number in range(20):
            found = world.memory.recall(QUERY, 3, silent=False)
            world.memory.feedback(found.id, ids_of(found)[0], "helpful" if number % 2 else "not_helpful")
            world.memory.evolve.outcome(found.id, "success" if comes in ids_of(found) else "failure")
        assert standing(world)[comes].lift.lift == 1.0

    def test_what_makes_none_is_not(self) -> None:
        """Within three standard errors of nothing, however often it was shown and however high its Q."""
        world = world_of(0.5)
        chance = Random(4)
        for _ in range(80):
            found = world.memory.recall(QUERY, 3, silent=False)
            world.memory.evolve.outcome(found.id, "success" if chance.random() < 0.8 else "failure")
        found_any = False
        for one in standing(world).values():
            assert abs(one.lift.lift) < 3 * one.lift.error
            found_any = True
        assert found_any

    def test_only_where_chance_decided_is_anything_learned(self, store: Store) -> None:
        """Without it there is no lift, and of what always stands first there is none."""
        world = world_of(0.0, store)
        for _ in range(10):
            world.memory.evolve.outcome(world.memory.recall(QUERY, 3, silent=False).id, "success")
        assert world.memory.evolve.stats().lifts == ()
        world = world_of(0.5)
        first = ids_of(world.memory.recall(QUERY, 3, silent=False, log=False))[0]
        for _ in range(20):
            world.memory.evolve.outcome(world.memory.recall(QUERY, 3, silent=False).id, "success")
        stats = world.memory.evolve.stats()
        assert stats.swaps == 20
        assert first not in {one.memory.id for one in stats.lifts}

    def test_recalls_of_which_nobody_knows_what_came_say_nothing(self, store: Store) -> None:
        """Nor do those that were undone."""
        world = world_of(0.5, store)
        recalls = [world.memory.recall(QUERY, 3, silent=False).id for _ in range(6)]
        assert world.memory.evolve.stats().lifts == ()
        for recall in recalls:
            world.memory.evolve.outcome(recall, "success")
        assert sum(one.lift.shown for one in world.memory.evolve.stats().lifts) == 6
        world.memory.undo(*recalls)
        stats = world.memory.evolve.stats()
        assert (stats.lifts, stats.recalls, stats.swaps) == ((), 0, 0)

    def test_it_stands_beside_its_q_the_surest_first(self) -> None:
        """And a purged memory stands nowhere."""
        world = world_of(0.5)
        comes = ids_of(world.memory.recall(QUERY, 5, silent=False, log=False))[3]
        self.live(world, 20, comes)
        stats = world.memory.evolve.stats()
        assert [one.lift.error for one in stats.lifts] == sorted(one.lift.error for one in stats.lifts)
        assert all(one.memory == world.memory.get(one.memory.id) for one in stats.lifts)
        world.memory.purge(comes)
        assert comes not in standing(world)


def test_stats_that_know_one_side_only_are_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is not known yet has no error; every reader of JSON can read that."""
    monkeypatch.setenv("TREERING_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TREERING_SWAP", "0.000001")
    cli = Cli(capsys)
    for word in WORDS:
        cli.remember(f"The deploy tool of {word} runs on Monday")
    recall = cli.fine("recall", QUERY, "-k", "3", "--json").json
    cli.fine("outcome", recall["id"], "success")

    def refuse(word: str) -> float:
        raise AssertionError(f"{word} is no JSON")

    told = json.loads(cli.fine("evolve", "stats", "--json").out, parse_constant=refuse)
    assert told["swaps"] == 1
    assert cli.fine("evolve", "stats").out
