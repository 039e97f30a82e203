"""What the actions do: to recall, to both memories of a pair, and how all of it is taken back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evolve.worn import World, ids_of
from treering.ledger.events import ABSORBED, MERGED, MOVED
from treering.ledger.types import Context, Memory, move_of

FACT = "Deploy the web app with the blue button"


BETTER = "Deploy the web app with the blue button, and wait for the lamp"


RESTART = "Restart the worker with `make restart` after a deploy."


SAME = "After a deploy, restart the worker with `make restart`."


ALSO = "Restart the worker after a deploy, with `make restart`."


def pair(
    world: World, first: dict[str, Any] | None = None, second: dict[str, Any] | None = None
) -> tuple[Memory, Memory]:
    """Two that say the same, the first of which has been used."""
    one, other = world.memory.remember(RESTART, **(first or {})), world.memory.remember(SAME, **(second or {}))
    for _ in range(5):
        world.show(one)
    return world.now(one), world.now(other)


def found(world: World, query: str, **options: Any) -> list[str]:
    return ids_of(world.memory.recall(query, 9, silent=False, log=False, **options))


class TestDeprecated:
    def test_it_goes_out_of_recall_and_keeps_its_text_and_history(self, world: World) -> None:
        """Only who asks for it is shown it."""
        fact = world.worn(FACT)
        gone = world.memory.evolve.deprecate(fact.id, reason="it keeps failing")
        assert found(world, "deploy with the blue button") == []
        assert found(world, "deploy with the blue button", retired=True) == [fact.id]
        assert (gone.content, gone.q, move_of(gone.moves[-1]).rule) == (FACT, fact.q, "deprecate")
        assert len(world.memory.evolve.usage(fact.id)) == 10
        assert [event.kind for event in world.memory.history(fact.id)][-1] == MOVED

    def test_asking_for_it_does_not_bring_it_back(self, world: World) -> None:
        """It is shown as what it is."""
        fact = world.worn(FACT)
        world.memory.evolve.deprecate(fact.id, reason="x")
        world.pass_(days=2)
        world.memory.recall("blue button", silent=False, retired=True)
        assert world.now(fact).status == "deprecated"


class TestRefined:
    def test_a_new_memory_takes_the_place_of_the_old_and_starts_afresh(self, world: World) -> None:
        """Both know of each other; recall finds the new one only."""
        fact = world.worn(FACT, tags=["web"], language="en")
        new = world.memory.evolve.refine(fact.id, BETTER, reason="what to do next")
        old = world.now(fact)
        assert (old.status, old.superseded_by, old.q) == ("superseded", new.id, fact.q)
        assert (new.supersedes, new.q, new.status, new.accesses) == ((fact.id,), 0.5, "created", 0)
        assert (new.content, new.type, new.scope, new.tags, new.language) == (
            BETTER,
            "semantic",
            "user",
            ("web",),
            "en",
        )
        assert found(world, "deploy with the blue button") == [new.id]
        assert world.memory.evolve.usage(new.id) == []

    def test_it_stays_behind_its_wall(self, world: World) -> None:
        """Whoever refines it, wherever they stand."""
        inside = World(world.store, 30, Context(project="p", session="s"))
        fact = inside.worn(FACT, scope="session")
        new = world.memory.evolve.refine(fact.id, BETTER, reason="x")
        assert (new.scope, new.project, new.session) == ("session", "p", "s")
        assert found(world, "blue button") == []

    @pytest.mark.parametrize("origin", ("document:a.md", "user"))
    def test_it_is_trusted_no_more_than_what_it_was_made_of(self, world: World, origin: str) -> None:
        """Nor more than who wrote it."""
        fact = world.worn(FACT, origin=origin)
        new = world.memory.evolve.refine(fact.id, BETTER, reason="x")
        assert new.trust == ("external" if origin.startswith("document") else "agent")

    def test_a_process_keeps_what_it_is_for(self, world: World) -> None:
        """Only its text is another one."""
        fact = world.worn(FACT, type="procedural", trigger="when the web app is ready", relevance=0.9)
        new = world.memory.evolve.refine(fact.id, BETTER, reason="x")
        assert (new.type, new.trigger, new.relevance) == ("procedural", "when the web app is ready", 0.9)

    def test_a_secret_in_the_new_text_is_not_kept(self, world: World) -> None:
        """As in any text that comes in."""
        fact = world.worn(FACT)
        new = world.memory.evolve.refine(fact.id, "Deploy with the token ghp_" + "a1B2" * 9, reason="x", force=True)
        assert "a1B2" not in new.content
        assert new.redacted


class TestMerged:
    def test_one_speaks_for_both(self, world: World) -> None:
        """Both know of each other; recall finds one."""
        one, other = pair(world)
        kept = world.memory.evolve.merge(one.id, other.id, reason="the same")
        assert kept.id == one.id
        gone = world.now(other)
        assert (kept.merged, gone.merged_into, gone.status, gone.content) == ((other.id,), one.id, "merged", SAME)
        assert (kept.content, kept.status) == (RESTART, "active")
        assert found(world, "restart the worker") == [one.id]
        assert set(found(world, "restart the worker", retired=True)) <= {one.id, other.id}

    @pytest.mark.parametrize(("first", "second"), [(0.9, 0.1), (0.1, 0.9)])
    def test_the_highest_q_is_kept(self, world: World, first: float, second: float) -> None:
        """And so is the memory that has it."""
        one, other = pair(world)
        world.set_q(one, first)
        world.set_q(other, second)
        kept = world.memory.evolve.merge(one.id, other.id)
        assert kept.q == 0.9
        assert kept.id == (one.id if first > second else other.id)

    def test_the_uses_of_both_are_joined(self, world: World) -> None:
        """How often, and when last."""
        one, other = world.memory.remember(RESTART), world.memory.remember(SAME)
        for day in range(6):
            world.pass_(days=1)
            world.show(one if day < 5 else other, k=1)
        before = {note.id: world.now(note) for note in (one, other)}
        kept = world.memory.evolve.merge(one.id, other.id)
        assert kept.accesses == sum(note.accesses for note in before.values())
        assert kept.accessed == max(note.accessed for note in before.values())

    def test_a_text_that_is_given_is_a_new_memory(self, world: World) -> None:
        """It speaks for all of them, rests on all of them, and has all of their tags and the highest Q."""
        one, other = pair(world, {"tags": ["ops"]}, {"tags": ["worker"]})
        world.set_q(other, 0.8)
        kept = world.memory.evolve.merge(one.id, other.id, text=ALSO)
        assert kept.id not in (one.id, other.id)
        assert (kept.content, kept.q, set(kept.merged), kept.tags) == (ALSO, 0.8, {one.id, other.id}, ("ops", "worker"))
        assert {world.now(note).merged_into for note in (one, other)} == {kept.id}
        assert {world.now(note).status for note in (one, other)} == {"merged"}
        assert found(world, "restart the worker") == [kept.id]

    def test_a_text_that_is_given_is_trusted_like_the_least_of_them(self, world: World) -> None:
        """A document's word does not become a person's."""
        one, other = pair(world, {"origin": "user"}, {"origin": "document:a.md"})
        assert world.memory.evolve.merge(one.id, other.id, text=ALSO).trust == "external"

    def test_no_text_from_outside_takes_the_place_of_a_person_s_word(self, world: World) -> None:
        """Whatever Q it has; the person's memory has that from now on."""
        one, other = pair(world, {"origin": "user"}, {"origin": "document:a.md"})
        world.set_q(other, 0.9)
        kept = world.memory.evolve.merge(one.id, other.id)
        assert (kept.id, kept.trust, kept.q) == (one.id, "user", 0.9)

    def test_more_than_two_become_one(self, world: World) -> None:
        """In one go, as a list or one by one."""
        one, other = world.memory.remember(RESTART), world.memory.remember(SAME)
        third = world.memory.remember(ALSO)
        world.wear(one, 5, 0)
        kept = world.memory.evolve.merge([one.id, other.id, third.id])
        assert set(kept.merged) == {one.id, other.id, third.id} - {kept.id}
        assert len(world.events(MERGED)) == len(world.events(ABSORBED)) == 2

    def test_an_invariant_that_is_merged_away_stays_one(self, world: World) -> None:
        """With a justification; what is made of it never fades either."""
        one, other = pair(world, {}, {"invariant": True})
        assert world.memory.evolve.merge(one.id, other.id, text=ALSO, justification="the same").invariant

    def test_an_echo_of_what_was_merged_is_an_echo_of_what_speaks_for_it(self, world: World) -> None:
        """It does not come back as a new memory."""
        one, other = pair(world)
        kept = world.memory.evolve.merge(one.id, other.id)
        assert world.memory.remember(SAME).id == kept.id


class TestArchived:
    def test_it_is_still_found_below_the_others(self, world: World) -> None:
        """Marked, and ranked lower."""
        old = world.memory.remember(FACT)
        world.pass_(days=91)
        (before,) = world.memory.recall("the blue button", silent=False, log=False).hits
        assert world.memory.evolve.archive(old.id, reason="nobody asks").status == "archived"
        (after,) = world.memory.recall("the blue button", silent=False, log=False).hits
        assert after.score < before.score
        assert after.why.factors["status"] < before.why.factors["status"]
