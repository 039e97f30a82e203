"""What evolution has done is undone, restored or purged, and nothing of it is left."""

from __future__ import annotations

import pytest

from tests.evolve.test_actions import ALSO, BETTER, FACT, RESTART, found, pair
from tests.evolve.worn import World, picture
from treering.ledger.events import MERGED, MOVED, SUCCEEDED, SUPERSEDED
from treering.ledger.types import Memory
from treering.ledger.verify import verify


class TestTakingBack:
    def done(self, world: World, action: str) -> tuple[dict[str, Memory], str]:
        """Do it. All that was believed before, and the event that undoing takes back."""
        if action == "merge":
            one, other = pair(world)
            before = picture(world.store)
            world.memory.evolve.merge(one.id, other.id)
            return before, world.events(MERGED)[0].id
        fact = world.worn(FACT)
        if action == "archive":
            world.pass_(days=91)
        before = picture(world.store)
        if action == "deprecate":
            world.memory.evolve.deprecate(fact.id, reason="x")
        elif action == "archive":
            world.memory.evolve.archive(fact.id)
        else:
            return before, world.memory.evolve.refine(fact.id, BETTER, reason="x").id
        return before, world.events(MOVED)[-1].id

    @pytest.mark.parametrize("action", ("deprecate", "archive", "merge", "refine"))
    def test_undoing_brings_back_all_that_was_believed(self, world: World, action: str) -> None:
        """And undoing that does it again."""
        before, event = self.done(world, action)
        after = picture(world.store)
        assert after != before
        undone = world.memory.undo(event)
        assert picture(world.store) == before == world.rebuilt()
        world.memory.undo(undone.event.id)
        assert picture(world.store) == after == world.rebuilt()
        assert verify(world.store).clean

    def test_undoing_the_new_text_of_a_merge_brings_both_back(self, world: World) -> None:
        """What rests on it falls with it."""
        one, other = pair(world)
        before = picture(world.store)
        kept = world.memory.evolve.merge(one.id, other.id, text=ALSO)
        world.memory.undo(kept.id)
        assert picture(world.store) == before == world.rebuilt()

    @pytest.mark.parametrize("action", ("deprecate", "archive", "merge", "refine"))
    def test_restoring_brings_the_memory_back_as_used(self, world: World, action: str) -> None:
        """As it was, and found again."""
        before, _ = self.done(world, action)
        (gone,) = (note for note in picture(world.store).values() if note.status != "active" and note.id in before)
        back = world.memory.restore(gone.id)
        was = before[gone.id]
        assert (back.content, back.q, back.status) == (was.content, was.q, "active")
        assert back.accesses == was.accesses + 1
        assert (back.merged_into, back.superseded_by) == ("", "")
        assert back.id in found(world, back.content)
        assert world.rebuilt()[back.id] == back

    def test_what_kept_a_restored_memory_is_as_it_was(self, world: World) -> None:
        """It speaks for itself again."""
        one, other = pair(world)
        world.set_q(other, 0.3)
        before = world.now(one)
        kept = world.memory.evolve.merge(one.id, other.id)
        assert kept != before
        world.memory.restore(other.id)
        assert world.now(one) == before

    def test_a_refined_memory_that_is_restored_stands_beside_the_new_one(self, world: World) -> None:
        """Nothing links them any more."""
        fact = world.worn(FACT)
        new = world.memory.evolve.refine(fact.id, BETTER, reason="x")
        world.memory.restore(fact.id)
        assert world.now(new).supersedes == ()
        assert len(world.events(SUPERSEDED)) == len(world.events(SUCCEEDED)) == 1


class TestPurging:
    WORD = "zanzibar"

    def spoken(self, world: World) -> list[str]:
        """The events that still say it, beside what somebody asked."""
        return [event.kind for event in world.store.events() if self.WORD in (event.payload or "")]

    @pytest.mark.parametrize("action", ("deprecate", "merge", "merge with a text", "refine", "archive"))
    def test_nothing_of_a_purged_memory_stays(self, world: World, action: str) -> None:
        """In no event of evolution, whatever was done with it; and its reason goes with it."""
        text, why = f"Restart {self.WORD} with `make restart` after a deploy.", f"{self.WORD} fails"
        fact = world.memory.remember(text)
        twin = world.memory.remember(f"After a deploy, restart {self.WORD} with `make restart`.")
        recalls = world.judge(fact, "not_helpful", 10, query="make restart after a deploy")
        world.memory.feedback(recalls[0], fact.id, "partially_helpful", note=why)
        world.set_q(fact, 0.1)
        made = []
        if action == "deprecate":
            world.memory.evolve.deprecate(fact.id, reason=why)
        elif action == "archive":
            world.pass_(days=100)
            world.memory.evolve.archive(fact.id, reason=why)
        elif action == "refine":
            made.append(
                world.memory.evolve.refine(fact.id, "Restart it with `make restart` after a deploy.", reason=why)
            )
        else:
            new = "Restart it with `make restart` after a deploy." if "text" in action else ""
            made.append(world.memory.evolve.merge(fact.id, twin.id, text=new, reason=why, force=True))
        assert self.spoken(world)
        world.memory.purge(fact.id, twin.id)
        assert self.spoken(world) == []
        assert world.rebuilt() == picture(world.store)
        assert not {fact.id, twin.id} & set(picture(world.store))
        assert verify(world.store).clean

    def test_what_others_know_of_it_is_its_name_only(self, world: World) -> None:
        """The memory that spoke for it stays, and says what it said itself."""
        one, other = pair(world)
        world.memory.evolve.merge(one.id, other.id, reason="x")
        world.memory.purge(other.id)
        assert world.now(one).merged == (other.id,)
        assert world.now(one).content == RESTART
        assert world.rebuilt() == picture(world.store)
