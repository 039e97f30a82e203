"""The cut-off: the last shown and the first not shown change places by chance, and the log knows how likely it was."""

from __future__ import annotations

from math import sqrt
from random import Random
from typing import Any

import pytest

from tests.evolve.worn import World, ids_of
from treering.ledger.errors import InvalidInput
from treering.ledger.events import RECALLED, SURFACED
from treering.ledger.types import Memory
from treering.recall.ranking import swap_decided
from treering.stores.port.ledger import Store

WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
QUERY = "deploy tool on Monday"


def world_of(swap: float, store: Store | None = None, seed: int = 7) -> World:
    """Six memories that answer one query, in an order that does not change."""
    world = World(store, seed=seed, swap=swap)
    for word in WORDS:
        world.memory.remember(f"The deploy tool of {word} runs on Monday")
    return world


def ask(world: World, k: int = 3, **options: Any) -> list[str]:
    return ids_of(world.memory.recall(QUERY, k, silent=False, **options))


def order(world: World, k: int = 6) -> list[str]:
    """What is shown without chance."""
    return ask(world, k, log=False)


class TestChance:
    @pytest.mark.parametrize("chance", (0.05, 0.3, 0.5))
    def test_it_comes_as_often_as_the_setting_says(self, chance: float) -> None:
        """Within four standard errors, with seeded dice."""
        dice, times = Random(5), 20_000
        swaps = sum(swap_decided(dice.randbytes(4), chance) for _ in range(times))
        assert abs(swaps - times * chance) < 4 * sqrt(times * chance * (1 - chance))

    def test_it_comes_as_often_in_recalls(self) -> None:
        """The same, for those who ask."""
        world, times, chance = world_of(0.3), 150, 0.3
        stays = order(world)[2]
        swaps = sum(ask(world)[2] != stays for _ in range(times))
        assert abs(swaps - times * chance) < 4 * sqrt(times * chance * (1 - chance))

    def test_never_and_always_are_certain(self) -> None:
        """At the ends of the dice."""
        for dice in (b"\0\0\0\0", b"\xff\xff\xff\xff"):
            assert swap_decided(dice, 1.0)
            assert not swap_decided(dice, 0.0)

    def test_only_the_two_at_the_cut_off_change_places(self, store: Store) -> None:
        """Whatever stands before them stands where it stood."""
        world = world_of(1.0, store)
        expected = order(world)
        shown = ask(world)
        assert shown == [*expected[:2], expected[3]]

    def test_at_zero_there_is_none(self, store: Store) -> None:
        """The log says that all was certain."""
        world = world_of(0.0, store)
        expected = order(world)[:3]
        assert all(ask(world) == expected for _ in range(20))
        for told in world.told(RECALLED):
            assert "withheld" not in told
            assert {hit["p"] for hit in told["hits"]} == {1.0}

    def test_without_a_log_there_is_none(self, store: Store) -> None:
        """What is not logged teaches nothing, so nobody is shown less for it."""
        world = world_of(1.0, store)
        assert ask(world, log=False) == order(world)[:3]
        assert world.memory.recall(QUERY, 3, silent=False, log=False).cutoff is None

    def test_the_best_answer_is_never_left_to_it(self, store: Store) -> None:
        """One wanted, or one found: it is shown."""
        world = world_of(1.0, store)
        first = order(world)[0]
        for k in (1, 2, 3):
            assert ask(world, k)[0] == first
        assert world.told(RECALLED)[0]["hits"][0]["p"] == 1.0
        assert "withheld" not in world.told(RECALLED)[0]

    def test_where_nothing_is_left_out_there_is_nothing_to_swap(self, store: Store) -> None:
        """All that answers is shown."""
        world = world_of(1.0, store)
        assert ask(world, 6) == order(world)
        assert ask(world, 9) == order(world)
        assert all("withheld" not in told for told in world.told(RECALLED))

    def test_silence_is_not_broken_by_it(self, store: Store) -> None:
        """An empty answer stays empty."""
        world = world_of(1.0, store)
        assert world.memory.recall("what do penguins eat in the zoo", 3).abstained
        assert "withheld" not in world.told(RECALLED)[0]

    @pytest.mark.parametrize("k", (2, 3), ids=("behind the cut-off", "before it"))
    def test_no_invariant_is_left_to_it(self, store: Store, k: int) -> None:
        """As the first that is not shown it does not come, and as the last that is shown it stays."""
        texts = [f"The deploy tool of {word} runs on Monday" for word in WORDS[:2]]
        texts += ["Ben wrote the deploy tool", "The deploy plan hangs in the hall", "A tool box stands in the garage"]
        for invariant in (False, True):
            world = World(seed=5, swap=1.0)
            for text in texts:
                world.memory.remember(text, invariant=invariant and "Ben" in text)
            expected = order(world)
            assert ["Ben" in world.memory.get(id).content for id in expected] == [False, False, True, False]
            shown = ask(world, k)
            (told,) = world.told(RECALLED)
            assert (shown == expected[:k]) is invariant
            assert ("withheld" not in told) is invariant

    def test_it_holds_within_a_budget(self, store: Store) -> None:
        """There the cut-off is where the room ends; what comes by chance has room, or chance had no say."""
        world = world_of(1.0, store)
        expected, swaps = order(world), 0
        for budget in range(60, 400, 20):
            found = world.memory.recall(QUERY, 6, silent=False, budget=budget)
            shown, many = ids_of(found), len(found.hits)
            assert shown[:-1] == expected[: many - 1] or not shown
            if found.cutoff is not None:
                assert 2 <= many < 6
                assert shown[-1] == found.cutoff.shown
                assert found.cutoff.withheld not in shown
                swaps += 1
        assert swaps

    def crowded(self, store: Store, swap: float) -> World:
        """A memory that is too long for most budgets stands between short ones."""
        world = World(store, seed=3, swap=swap)
        long = "Deploy tool Monday deploy tool " + ("and it likes it very much there, " * 20).strip()
        for text in ("Deploy tool on Monday deploy tool Monday", long, "tool: red", "Monday: go", "deploy: no"):
            world.memory.remember(text)
        assert [world.memory.get(id).content == long for id in order(world, 5)].index(True) == 3
        return world

    @pytest.mark.parametrize("swap", (1.0, 0.000001))
    def test_what_has_no_room_does_not_come(self, store: Store, swap: float) -> None:
        """And then chance had no say, whatever the dice said."""
        world = self.crowded(store, swap)
        found = world.memory.recall(QUERY, 5, silent=False, budget=186)
        assert (len(found.hits), found.cutoff) == (3, None)

    @pytest.mark.parametrize("swap", (1.0, 0.000001))
    def test_a_budget_that_skips_a_long_one_withholds_nothing_that_it_shows(self, store: Store, swap: float) -> None:
        """What is shown is then not the first few of those that were found."""
        world = self.crowded(store, swap)
        expected = order(world, 5)
        found = world.memory.recall(QUERY, 5, silent=False, budget=220)
        assert ids_of(found) == [*expected[:3], expected[4]]
        (told,) = world.told(RECALLED)
        assert not {one["id"] for one in told.get("withheld", ())} & set(ids_of(found))

    def test_the_fence_shows_what_the_answer_holds(self, store: Store) -> None:
        """Whoever reads it is shown the one that came."""
        world = world_of(1.0, store)
        expected = order(world)
        fence = world.memory.recall(QUERY, 3, silent=False).fence
        assert world.memory.get(expected[3]).content in fence
        assert world.memory.get(expected[2]).content not in fence


class TestTheLog:
    @pytest.mark.parametrize("swap", (0.0, 0.05, 0.3, 1.0))
    def test_the_chances_add_up(self, store: Store, swap: float) -> None:
        """To as many places as there are: what is shown and what is withheld share one."""
        world = world_of(swap, store)
        for _ in range(30):
            ask(world)
        for told in world.told(RECALLED):
            chances = [one["p"] for one in (*told["hits"], *told.get("withheld", ()))]
            assert sum(chances) == pytest.approx(3)
            assert all(0 <= p <= 1 for p in chances)

    def test_each_chance_is_the_one_of_what_happened(self, store: Store) -> None:
        """The one that stays has 0.7, the one that comes 0.3, whichever was shown."""
        world = world_of(0.3, store)
        stays, comes = order(world)[2:4]
        seen = set()
        for _ in range(30):
            shown = ask(world)[2]
            told = world.told(RECALLED)[-1]
            (withheld,) = told["withheld"]
            last = told["hits"][-1]
            assert (last["id"], {last["id"], withheld["id"]}) == (shown, {stays, comes})
            expected = {stays: 0.7, comes: 0.3}
            assert last["p"] == pytest.approx(expected[last["id"]])
            assert withheld["p"] == pytest.approx(expected[withheld["id"]])
            seen.add(shown)
        assert seen == {stays, comes}

    def test_what_is_withheld_was_not_used(self, store: Store) -> None:
        """Neither surfaced, nor to be judged."""
        world = world_of(1.0, store)
        gone = order(world)[2]
        recall = world.memory.recall(QUERY, 3, silent=False)
        assert gone not in {event.subject for event in world.events(SURFACED)}
        assert world.memory.evolve.usage(gone) == []
        with pytest.raises(InvalidInput, match="did not show"):
            world.memory.feedback(recall.id, gone, "helpful")
        assert world.memory.feedback(recall.id, ids_of(recall)[2], "helpful").q == pytest.approx(0.55)

    def test_the_answer_tells_of_it(self, store: Store) -> None:
        """To whoever wants to know."""
        world = world_of(1.0, store)
        expected = order(world)
        cutoff = world.memory.recall(QUERY, 3, silent=False).cutoff
        assert cutoff is not None
        assert (cutoff.shown, cutoff.withheld) == (expected[3], expected[2])

    def test_an_old_log_without_chances_is_still_read(self, store: Store) -> None:
        """Feedback, usage and the gate work on recalls of before."""
        world = world_of(0.0, store)
        recall = ask(world)
        assert world.memory.evolve.usage(recall[2])[0].rank == 3
        assert world.memory.evolve.stats().swaps == 0


def test_the_gate_replays_without_chance() -> None:
    """Its counts are those of the action, not of the dice."""
    world = world_of(1.0)
    for _ in range(5):
        ask(world)
    bystander: Memory = world.memory.remember("Penguins live in the zoo of Lyon")
    replay = world.memory.evolve.attempt("deprecate", bystander.id).replay
    assert replay is not None
    assert (replay.counts.recalls, replay.counts.lost, replay.counts.gained, replay.counts.reordered) == (5, 0, 0, 0)
