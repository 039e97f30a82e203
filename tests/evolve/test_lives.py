"""Whatever happens, on one machine or on two, the ledger alone makes the same memories again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.evolve.test_actions import ALSO, BETTER, FACT, RESTART, SAME, found, pair
from tests.evolve.worn import World, picture
from treering.ledger.errors import TreeringError
from treering.ledger.events import ABSORBED, SUCCEEDED
from treering.ledger.types import Memory
from treering.ledger.verify import verify


class TestTwoMachines:
    def parted(self) -> tuple[World, World, Memory, Memory]:
        """Two machines that knew the same pair."""
        one, two = World(seed=1), World(seed=900)
        first, second = pair(one)
        two.memory.ledger.take_in(list(one.store.events()))
        return one, two, first, second

    def joined(self, one: World, two: World) -> None:
        here, there = list(one.store.events()), list(two.store.events())
        one.memory.ledger.take_in(there)
        two.memory.ledger.take_in(here)
        assert picture(one.store) == picture(two.store)
        assert one.rebuilt() == two.rebuilt() == picture(one.store)

    def test_the_same_merge_on_both_is_one(self) -> None:
        """Nothing is counted twice."""
        one, two, first, second = self.parted()
        kept = one.memory.evolve.merge(first.id, second.id)
        two.memory.evolve.merge(first.id, second.id)
        self.joined(one, two)
        assert one.now(kept) == kept

    def test_two_that_were_merged_two_ways_leave_one_that_speaks(self) -> None:
        """Neither machine loses what both of them kept."""
        one, two, first, second = self.parted()
        one.set_q(first, 0.9)
        two.set_q(second, 0.9)
        one.memory.evolve.merge(first.id, second.id)
        two.pass_(hours=1)
        two.memory.evolve.merge(first.id, second.id)
        self.joined(one, two)
        assert sorted(one.now(note).status for note in (first, second)) == ["active", "merged"]
        assert len(found(one, "restart the worker")) == 1

    def test_one_deprecates_what_the_other_merges(self) -> None:
        """Both come to believe the same, whatever came first."""
        one, two, first, second = self.parted()
        one.set_q(one.wear(second, 10, 10), 0.1)
        one.memory.evolve.deprecate(second.id, reason="x")
        two.pass_(hours=1)
        two.memory.evolve.merge(first.id, second.id)
        self.joined(one, two)
        assert one.now(second).status in ("deprecated", "merged")
        assert one.now(first).status == "active"

    def test_what_was_judged_elsewhere_before_a_merge_counts(self) -> None:
        """In the order of the clocks."""
        one, two, first, second = self.parted()
        recall = one.memory.evolve.usage(first.id)[0].recall
        two.memory.feedback(recall, first.id, "helpful")
        one.pass_(hours=1)
        one.memory.evolve.merge(first.id, second.id)
        self.joined(one, two)
        assert one.memory.evolve.usage(first.id)[0].outcome == "helpful"

    def test_an_export_brings_evolution_along(self, tmp_path: Any) -> None:
        """Every kind of event goes through a file."""
        from treering.ledger.transfer import export_file, import_file

        world, other = World(seed=1), World(seed=900)
        first, second = pair(world)
        world.memory.evolve.merge(first.id, second.id, text=ALSO, reason="x")
        fact = world.worn(FACT)
        world.memory.evolve.outcome(world.show(fact, session="s"), "failure")
        world.memory.evolve.deprecate(fact.id, reason="x")
        world.pass_(days=100)
        world.memory.evolve.run()
        export_file(world.store, str(tmp_path / "all.jsonl"))
        import_file(other.memory.ledger, other.memory.context, str(tmp_path / "all.jsonl"), limit=10_000, mine=True)
        assert picture(other.store) == picture(world.store)
        assert [one[1:] for one in other.memory.evolve.stats().rules] == [
            one[1:] for one in world.memory.evolve.stats().rules
        ]


TEXTS = (RESTART, SAME, ALSO, FACT, BETTER, "Rotate the api keys every spring", "Penguins live in the zoo of Lyon")


class Life:
    """Somebody who does whatever can be done, in any order."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.chance = Random(seed)
        self.done = 0

    def step(self) -> None:
        act = self.chance.choice(
            ("remember", "recall", "recall", "judge", "judge", "outcome", "wear", "act", "act", "act", "evolve", "undo")
        )
        try:
            getattr(self, f"_{act}")()
            self.done += act in ("act", "evolve")
        except TreeringError:
            pass  # refused, as most of what comes by chance is
        self.world.pass_(days=self.chance.choice((0, 0, 0.01, 1, 40)))

    def _any(self) -> Memory:
        return self.chance.choice([note for _, note in sorted(picture(self.world.store).items())])

    def _remember(self) -> None:
        row = {"session": self.chance.choice(("", "s1", "s2")), "scope": "user"}
        self.world.memory.remember(self.chance.choice(TEXTS), **row)  # type: ignore[arg-type]

    def _recall(self) -> None:
        session = self.chance.choice(("", "s1", "s2"))
        retired = self.chance.random() < 0.2
        self.world.memory.recall(self.chance.choice(TEXTS), 3, session=session, silent=False, retired=retired)

    def _judge(self) -> None:
        verdict = self.chance.choice(("helpful", "not_helpful", "not_helpful", "partially_helpful"))
        self.world.memory.feedback("last", self._any().id, verdict)

    def _outcome(self) -> None:
        of = self.chance.choice(("last", "s1", "s2"))
        self.world.memory.evolve.outcome(of, self.chance.choice(("success", "partial", "failure")))

    def _wear(self) -> None:
        note = self._any()
        if note.content:
            self.world.set_q(note, self.chance.choice((0.0, 0.1, 0.25, 0.9)))
            recall = self.world.memory.recall(note.content, 3, silent=False).id
            self.world.memory.feedback(recall, note.id, "not_helpful")

    def _act(self) -> None:
        memory, note, other = self.world.memory, self._any(), self._any()
        act = self.chance.choice(("deprecate", "refine", "merge", "merge", "archive", "restore", "forget", "purge"))
        if act in ("archive", "restore", "forget"):
            (memory.evolve.archive if act == "archive" else getattr(memory, act))(note.id)
        elif act == "purge":
            memory.purge(note.id) if self.chance.random() < 0.3 else None
        elif act == "merge":
            memory.evolve.merge(note.id, other.id, text=self.chance.choice(("", ALSO)), reason="x", force=True)
        elif act == "refine":
            memory.evolve.refine(note.id, f"{note.content} now", reason="x", force=True)
        else:
            memory.evolve.deprecate(note.id, reason="x", force=True)

    def _evolve(self) -> None:
        self.world.memory.evolve.run(dry_run=self.chance.random() < 0.3)

    def _undo(self) -> None:
        # Who undoes one half of a merge or a supersession by its name has asked for half of it.
        events = [event for event in self.world.events()[-20:] if event.kind not in (ABSORBED, SUCCEEDED)]
        self.world.memory.undo(self.chance.choice(events).id)


@pytest.mark.parametrize("seed", range(3))
def test_after_any_life_the_ledger_alone_makes_the_same_memories(seed: int) -> None:
    """Q stays a share, and who was merged or refined is known to both."""
    world = World(seed=seed, gate_recalls=20, evolve_hours=1)
    for text in TEXTS:
        world.memory.remember(text)
    life = Life(world, seed)
    for _ in range(50):
        life.step()
    assert life.done > 3
    live = picture(world.store)
    assert world.rebuilt() == live
    assert verify(world.store).clean
    assert all(0 <= note.q <= 1 for note in live.values())
    for note in live.values():
        if note.status == "merged" and note.merged_into in live:
            assert note.id in live[note.merged_into].merged
        if note.status == "superseded" and note.superseded_by in live:
            assert note.id in live[note.superseded_by].supersedes
