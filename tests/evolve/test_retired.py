"""Wrong retirements: what was taken out of sight and is wanted all the same counts against the rule that did it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evolve.worn import World, ids_of, picture
from treering.evolve.retired import Rule
from treering.ledger.events import MERGED, MOVED, PROPOSED
from treering.ledger.types import Context, Memory

FACT = "The staging database is called amber"
BETTER = "The staging database of the west is called amber"
RESTART = "Restart the worker with `make restart` after a deploy."
SAME = "After a deploy, restart the worker with `make restart`."
RULES = ("deprecate", "refine", "merge", "archive", "supersede")


def retire(world: World, rule: str, text: str = FACT) -> Memory:
    """A memory that a rule has retired."""
    memory = world.memory
    if rule == "merge":
        kept, gone = memory.remember(RESTART), memory.remember(SAME)
        world.wear(kept, 5, 0)
        memory.evolve.merge(kept.id, gone.id)
        return world.now(gone)
    if rule == "archive":
        fact = memory.remember(text)
        world.pass_(days=90)
        return memory.evolve.archive(fact.id)
    fact = world.worn(text)
    if rule == "deprecate":
        return memory.evolve.deprecate(fact.id, reason="it keeps failing")
    if rule == "refine":
        memory.evolve.refine(fact.id, BETTER, reason="which one")
    else:
        memory.supersede(fact.id, memory.remember("The staging database is called cobalt").id)
    return world.now(fact)


def counted(world: World) -> dict[str, tuple[int, int]]:
    return {rule.rule: (rule.retired, rule.wrong) for rule in world.memory.evolve.stats().rules}


class TestWrong:
    @pytest.mark.parametrize("rule", RULES)
    def test_what_nobody_misses_was_right(self, world: World, rule: str) -> None:
        """It counts as retired by its rule, and nothing else does."""
        retire(world, rule)
        world.memory.recall("what do penguins eat")
        world.pass_(days=10)
        assert counted(world) == {rule: (1, 0)}

    @pytest.mark.parametrize("rule", RULES)
    def test_what_is_restored_was_wrong(self, world: World, rule: str) -> None:
        """By the rule that retired it."""
        gone = retire(world, rule)
        world.memory.restore(gone.id)
        assert counted(world) == {rule: (1, 1)}

    @pytest.mark.parametrize("rule", ("deprecate", "archive", "merge"))
    def test_what_is_undone_was_wrong(self, world: World, rule: str) -> None:
        """By its event, as a person who looks at the log would."""
        retire(world, rule)
        world.memory.undo(world.events(MOVED, MERGED)[-1].id)
        assert counted(world) == {rule: (1, 1)}

    @pytest.mark.parametrize("rule", RULES)
    def test_what_is_said_again_was_wrong(self, world: World, rule: str) -> None:
        """In the same words or in others; it is a new memory, as the old one is out of sight."""
        gone = retire(world, rule)
        world.pass_(days=200)
        if rule == "merge":  # beside the one that speaks for it, only somebody who has not been told says it again
            said = world.memory.remember(gone.content, sources=[gone.id])
        else:
            said = world.memory.remember(f"{gone.content}.")
        assert said.id != gone.id
        assert counted(world)[rule] == (1, 1)

    @pytest.mark.parametrize(
        "other", ("The staging database is called cobalt", "The production database is called amber")
    )
    def test_what_says_something_else_is_no_assertion(self, world: World, other: str) -> None:
        """However alike it looks."""
        retire(world, "deprecate")
        world.memory.remember(other)
        assert counted(world) == {"deprecate": (1, 0)}

    def test_what_was_said_before_is_no_assertion(self, world: World) -> None:
        """A twin that was always there has not been said again."""
        world.memory.remember(f"{FACT}.", project="p", scope="user")
        retire(world, "archive")
        assert counted(world) == {"archive": (1, 0)}

    @pytest.mark.parametrize("rule", ("deprecate", "refine", "merge", "supersede"))
    @pytest.mark.parametrize("days", (0, 3))
    def test_what_is_asked_for_again_was_wrong(self, world: World, rule: str, days: int) -> None:
        """By somebody who lets in what is retired and is shown it; on the same day, too."""
        gone = retire(world, rule)
        world.pass_(days=days)
        found = world.memory.recall(gone.content, 9, silent=False, retired=True)
        assert gone.id in ids_of(found)
        assert counted(world) == {rule: (1, 1)}

    def test_an_archived_memory_that_answers_best_was_asked_for(self, world: World) -> None:
        """It is active again, too."""
        gone = retire(world, "archive")
        world.memory.recall("what is the staging database called", silent=False)
        assert counted(world) == {"archive": (1, 1)}
        assert world.now(gone).status == "active"

    def test_an_archived_memory_that_stands_below_others_was_not(self, world: World) -> None:
        """It happened to be shown."""
        retire(world, "archive")
        world.memory.remember("The production database is called cobalt, the production one")
        found = world.memory.recall("what is the production database called", silent=False)
        assert len(found.hits) == 2
        assert counted(world) == {"archive": (1, 0)}

    def test_an_archived_memory_that_helped_was_asked_for(self, world: World) -> None:
        """At whatever rank it stood."""
        gone = retire(world, "archive")
        world.memory.remember("The production database is called cobalt, the production one")
        recall = world.memory.recall("what is the production database called", silent=False).id
        world.memory.feedback(recall, gone.id, "helpful")
        assert counted(world) == {"archive": (1, 1)}

    def test_an_archived_memory_that_did_not_help_was_not(self, world: World) -> None:
        """It was beside the point once more."""
        gone = retire(world, "archive")
        world.memory.remember("The production database is called cobalt, the production one")
        recall = world.memory.recall("what is the production database called", silent=False).id
        world.memory.feedback(recall, gone.id, "not_helpful")
        assert counted(world) == {"archive": (1, 0)}

    def test_looking_without_a_trace_asks_for_nothing(self, world: World) -> None:
        """Nor does looking at the memory itself."""
        gone = retire(world, "deprecate")
        world.memory.recall(FACT, silent=False, retired=True, log=False)
        world.memory.get(gone.id)
        world.memory.evolve.usage(gone.id)
        assert counted(world) == {"deprecate": (1, 0)}

    def test_asking_before_is_not_asking_again(self, world: World) -> None:
        """Ten uses came before it."""
        retire(world, "deprecate")
        assert counted(world) == {"deprecate": (1, 0)}

    def test_what_was_restored_and_retired_again_was_wrong_once(self, world: World) -> None:
        """Of two."""
        gone = retire(world, "deprecate")
        world.memory.restore(gone.id)
        world.memory.evolve.deprecate(gone.id, reason="it still fails")
        assert counted(world) == {"deprecate": (2, 1)}

    def test_what_was_restored_and_then_forgotten_by_a_person_was_still_wrong(self, world: World) -> None:
        """What becomes of it later changes nothing about that."""
        gone = retire(world, "deprecate")
        world.memory.restore(gone.id)
        world.memory.forget(gone.id)
        assert counted(world) == {"deprecate": (1, 1)}

    def test_taking_back_a_restoration_makes_it_right_again(self, world: World) -> None:
        """An undoing that is undone has not happened."""
        retire(world, "deprecate")
        undone = world.memory.undo(world.events(MOVED)[-1].id)
        assert counted(world) == {"deprecate": (1, 1)}
        world.memory.undo(undone.event.id)
        assert counted(world) == {"deprecate": (1, 0)}

    def test_what_is_improved_further_was_not_wrong(self, world: World) -> None:
        """The one that speaks for it is refined: the same is said, by its own heirs."""
        gone = retire(world, "merge")
        kept = world.now(gone).merged_into
        world.set_q(world.memory.get(kept), 0.1)
        world.memory.evolve.refine(
            kept, "Restart the worker with `make restart` after each deploy.", reason="x", force=True
        )
        assert counted(world) == {"merge": (1, 0), "refine": (1, 0)}

    def test_an_archived_memory_that_is_said_again_is_no_echo(self, world: World) -> None:
        """Nobody has been told it for ninety days: whoever says it has news, or it is awake again."""
        fact = world.memory.remember(FACT)
        world.show(fact)
        world.pass_(days=90)
        world.memory.evolve.archive(fact.id)
        said = world.memory.remember(FACT)
        assert said.id != fact.id or said.status == "active"
        assert counted(world) == {"archive": (1, 1)}

    def test_the_rules_of_hygiene_are_counted_too(self, world: World) -> None:
        """By their names."""
        world.memory.remember(FACT)
        for days in (1, 20):
            world.pass_(days=days)
            world.memory.maintenance.hygiene()
        assert counted(world) == {"faded": (1, 0)}
        world.memory.recall(FACT, silent=False)
        assert counted(world) == {"faded": (1, 1)}

    def test_what_a_person_forgets_counts_against_nobody(self, world: World) -> None:
        """Whether they restore it or not."""
        fact = world.memory.remember(FACT)
        world.memory.forget(fact.id)
        assert counted(world) == {}
        world.memory.restore(fact.id)
        assert counted(world) == {}

    def test_another_space_has_rules_of_its_own(self, world: World) -> None:
        """Nothing of it is counted here."""
        gone = retire(world, "deprecate")
        world.memory.restore(gone.id)
        assert world.seen_by(Context("elsewhere")).evolve.stats().rules == ()

    def test_a_run_that_is_undone_was_wrong_in_all_that_it_did(self, world: World) -> None:
        """Each of its retirements."""
        for text in (FACT, "Penguins live in the zoo of Lyon", "Rotate the api keys every spring"):
            world.memory.remember(text)
        world.pass_(days=90)
        run = world.memory.evolve.run().run
        assert counted(world) == {"archive": (3, 0)}
        world.memory.undo(run)
        assert counted(world) == {"archive": (3, 3)}

    def test_a_purged_memory_counts_no_more(self, world: World) -> None:
        """Nothing is left of it to be counted."""
        gone = retire(world, "deprecate")
        world.memory.purge(gone.id)
        assert counted(world) == {}


class TestTheRate:
    @pytest.mark.parametrize(
        ("retired", "wrong", "limit", "suspended"),
        [(20, 1, 0.05, False), (19, 1, 0.05, True), (100, 5, 0.05, False), (100, 6, 0.05, True), (1, 1, 1.0, False)],
    )
    def test_a_rule_is_suspended_above_its_limit_and_not_at_it(
        self, retired: int, wrong: int, limit: float, suspended: bool
    ) -> None:
        """Five in a hundred may be wrong."""
        rule = Rule("archive", retired, wrong, limit)
        assert rule.suspended is suspended
        assert rule.rate == wrong / retired

    def test_what_people_do_is_never_suspended(self) -> None:
        """Nobody but they can stop it."""
        assert not Rule("supersede", 1, 1, 0.05).suspended
        assert not Rule("deprecate", 0, 0, 0.0).suspended


def archived(world: World, count: int, wrong: int) -> list[Memory]:
    """So many that a run has archived, of which so many are restored; and one more that would be due."""
    notes = [world.memory.remember(f"Room number {n} holds the {n} papers of year {1000 + n}") for n in range(count)]
    world.pass_(days=90)
    assert world.memory.evolve.run().actions["archived"] == count
    for note in notes[:wrong]:
        world.memory.restore(note.id)
    late = world.memory.remember("The door to the cellar is green")
    world.pass_(days=90)
    return [late, *notes[:wrong]]


class TestOnlyProposing:
    def test_above_the_limit_a_run_only_proposes(self, world: World) -> None:
        """Nothing is archived; the proposals say what would have been, with their numbers."""
        due = archived(world, 19, 1)
        before = picture(world.store)
        told = world.memory.evolve.run()
        assert told.actions == {**dict.fromkeys(told.actions, 0), "proposed": len(due)}
        assert picture(world.store) == before
        proposed = world.memory.proposals.list()
        assert {one.memories for one in proposed} == {(note.id,) for note in due}
        assert {(one.kind, one.action, one.evidence["idle_days"]) for one in proposed} == {
            ("memory-action", "archive", 90.0)
        }
        assert "left 2 actions to a person" in told.summary

    def test_at_the_limit_it_acts(self, world: World) -> None:
        """One in twenty is five in a hundred."""
        due = archived(world, 20, 1)
        assert world.memory.evolve.run().actions["archived"] == len(due)

    @pytest.mark.parametrize(("limit", "acts"), [(0.0, False), (0.5, True), (0.4, False), (1.0, True)])
    def test_the_limit_is_a_setting(self, world: World, limit: float, acts: bool) -> None:
        """Half of them were wrong."""
        archived(world, 2, 1)
        world.settings(wrong_limit=limit)
        told = world.memory.evolve.run().actions
        assert (told["archived"] > 0) is acts
        assert (told["proposed"] > 0) is not acts

    def test_each_proposal_is_made_once(self, world: World) -> None:
        """However often a run comes by; a dry run promises no second one either."""
        due = archived(world, 2, 1)
        world.memory.evolve.run()
        first = world.memory.proposals.list()
        world.pass_(days=1)
        assert world.memory.evolve.run(dry_run=True).actions["proposed"] == 0
        assert world.memory.evolve.run().actions["proposed"] == 0
        assert world.memory.proposals.list() == first
        assert len(world.events(PROPOSED)) == len(due)

    def test_other_rules_go_on(self, world: World) -> None:
        """A rule answers for itself alone."""
        archived(world, 2, 1)
        fact = world.worn(FACT)
        told = world.memory.evolve.run().actions
        assert (told["deprecated"], told["archived"]) == (1, 0)
        assert world.now(fact).status == "deprecated"

    def test_a_person_may_still_do_what_a_rule_may_not(self, world: World) -> None:
        """With the same evidence as ever."""
        late = archived(world, 2, 1)[0]
        assert world.memory.evolve.archive(late.id).status == "archived"

    @pytest.mark.parametrize("rule", ("deprecate", "merge"))
    def test_the_other_rules_of_a_run_are_suspended_alike(self, world: World, rule: str) -> None:
        """What it would have done waits for a person."""
        world.memory.restore(retire(world, rule).id)
        told: dict[str, Any] = world.memory.evolve.run().actions
        assert (told["deprecated"], told["merged"], told["proposed"]) == (0, 0, 1)
        (proposed,) = world.memory.proposals.list()
        assert (proposed.action, proposed.kind) == (rule, "memory-action")
        assert rule in proposed.text
