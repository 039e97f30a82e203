"""The health of a store: what a person did to it shows in its figures, and looking changes nothing."""

from __future__ import annotations

import pytest

from tests.evolve.worn import World, ids_of
from treering.consolidate.reflection.figures import Health, Share
from treering.consolidate.reflection.health import gather
from treering.ledger import decide
from treering.ledger.codec import draft
from treering.ledger.events import JUDGED, RAN
from treering.ledger.types import Context, Recall
from treering.recall.fence import tokens


@pytest.fixture
def world() -> World:
    return World()


def health(world: World, space: str = "default") -> Health:
    return gather(world.store, space, world.time)


class TestMemories:
    def test_an_empty_store_has_nothing_to_tell(self, world: World) -> None:
        """And looking writes nothing."""
        told = health(world)
        assert (told.live, told.recalls, told.weights, dict(told.memories)) == (0, 0, (), {})
        assert {told.junk, told.echoes, told.duplicates, told.wrong, told.misses, told.feedback} == {Share()}

    def test_memories_are_told_by_status_and_what_is_never_used_is_junk(self, world: World) -> None:
        """Using one of them makes it none."""
        kept, _ = (world.memory.remember(text) for text in ("We deploy on Tuesdays", "The cache lives in Redis"))
        world.pass_(days=31)
        assert health(world).junk == Share(2, 2)
        world.show(kept, k=1)
        told = health(world)
        assert told.junk == Share(1, 2)
        assert dict(told.memories) == {"active": 1, "created": 1}

    def test_looking_changes_nothing_and_other_spaces_are_not_seen(self, world: World) -> None:
        """Neither their memories nor their recalls."""
        world.show(world.memory.remember("We deploy on Tuesdays"))
        before = world.dump()
        assert health(world, "elsewhere").live == health(world, "elsewhere").recalls == 0
        assert health(world).live == 1
        assert world.dump() == before


class TestDuplicates:
    def test_what_says_the_same_in_the_same_place_is_a_duplicate(self, world: World) -> None:
        """One of them is not. Capitals, blanks and articles do not matter; a denial does, and who whom."""
        world.memory.remember("Use tabs for Makefiles", anyway=True)
        world.memory.remember("use  tabs for makefiles", anyway=True)
        world.memory.remember("Use tabs for the Makefiles", anyway=True)
        world.memory.remember("Do not use tabs for Makefiles", anyway=True)
        world.memory.remember("The shop pays the bank", anyway=True)
        world.memory.remember("The bank pays the shop", anyway=True)
        assert health(world).duplicates == Share(2, 6)

    def test_the_same_in_another_project_is_no_duplicate(self, world: World) -> None:
        """Nor is an episode that came again on another day."""
        for project in ("shop", "bank"):
            world.memory.remember("The build broke", project=project, scope="project", type="semantic", anyway=True)
        for _ in range(2):
            world.memory.remember("The deploy took an hour", type="episodic", anyway=True)
            world.pass_(days=1)
        assert health(world).duplicates == Share(0, 4)

    def test_what_was_merged_counts_as_the_duplicate_that_it_was(self, world: World) -> None:
        """It is out of sight, and was stored all the same."""
        one = world.wear(world.memory.remember("We deploy on Tuesdays"), 5, 0)
        other = world.memory.remember("we deploy on tuesdays", anyway=True)
        world.memory.evolve.merge(one.id, other.id)
        assert health(world).duplicates == Share(1, 2)

    def test_what_only_repeats_a_recall_is_an_echo_and_no_duplicate(self, world: World) -> None:
        """It was offered, and is not stored."""
        note = world.memory.remember("We deploy on Tuesdays, and never on Fridays")
        world.show(note)
        world.memory.remember("We deploy on Tuesdays, and never on Fridays")
        told = health(world)
        assert (told.echoes, told.duplicates) == (Share(1, 2), Share(0, 1))


class TestRetirements:
    def archived(self, world: World) -> str:
        note = world.memory.remember("We deploy on Tuesdays")
        world.pass_(days=100)
        world.memory.evolve.archive(note.id)
        return note.id

    def test_what_was_archived_and_stays_so_was_rightly(self, world: World) -> None:
        """Nobody missed it."""
        self.archived(world)
        assert health(world).wrong == Share(0, 1)

    def test_what_is_asked_for_again_was_wrongly_retired(self, world: World) -> None:
        """It is the best answer to somebody."""
        self.archived(world)
        world.memory.recall("deploy Tuesdays", silent=False)
        assert health(world).wrong == Share(1, 1)

    def test_what_is_restored_was_wrongly_retired(self, world: World) -> None:
        """A person said so."""
        world.memory.restore(self.archived(world))
        assert health(world).wrong == Share(1, 1)

    def test_what_is_said_again_was_wrongly_retired(self, world: World) -> None:
        """In the same words, later."""
        self.archived(world)
        world.pass_(days=1)
        world.memory.remember("we deploy on Tuesdays.", anyway=True)
        assert health(world).wrong == Share(1, 1)

    def test_what_stood_low_in_an_answer_was_not_asked_for(self, world: World) -> None:
        """It may only have stood by. It is active again all the same, and saying it again then is no wonder."""
        low = self.archived(world)
        self.shown_second(world, low)
        world.memory.ledger.commit(lambda: [decide.surfaced(world.memory.get(low), 2, low, Context())])
        world.pass_(days=1)
        world.memory.remember("we deploy on Tuesdays.", anyway=True)
        assert health(world).wrong == Share(0, 1)

    def test_what_is_out_of_sight_and_shown_at_any_place_was_asked_for(self, world: World) -> None:
        """Only who wants to see it gets to see it."""
        old = world.memory.remember("We deploy on Tuesdays")
        world.memory.supersede(old.id, "We deploy on Wednesdays")
        assert health(world).wrong == Share(0, 1)
        self.shown_second(world, old.id)
        assert health(world).wrong == Share(1, 1)

    def test_what_was_wanted_before_it_was_retired_was_rightly_retired(self, world: World) -> None:
        """Nobody has asked for it since."""
        note = world.memory.remember("We deploy on Tuesdays")
        world.judge(note, "helpful", 3)
        world.pass_(days=100)
        world.memory.evolve.archive(note.id)
        assert health(world).wrong == Share(0, 1)

    def test_what_took_its_place_does_not_say_it_again(self, world: World) -> None:
        """Though it may be in nearly the same words."""
        old = world.memory.remember("We deploy on Tuesdays")
        world.pass_(hours=1)
        world.memory.supersede(old.id, "We deploy on Tuesdays.")
        assert health(world).wrong == Share(0, 1)

    def test_a_run_that_was_taken_back_was_wrong_about_all_that_it_retired(self, world: World) -> None:
        """As whoever took it back has said."""
        for text in ("We deploy on Tuesdays", "The cache lives in Redis"):
            world.memory.remember(text)
        world.pass_(days=100)
        world.memory.maintenance.hygiene()
        assert health(world).wrong == Share(0, 2)
        world.memory.undo(world.events(RAN)[0].id)
        assert health(world).wrong == Share(2, 2)

    def test_what_a_session_did_that_is_revoked_was_neither_right_nor_wrong(self, world: World) -> None:
        """It did not happen."""
        note = world.memory.remember("We deploy on Tuesdays")
        world.pass_(days=100)
        world.seen_by(Context(session="s")).evolve.archive(note.id)
        assert health(world).wrong == Share(0, 1)
        world.memory.revoke(session="s")
        assert health(world).wrong == Share(0, 0)

    def shown_second(self, world: World, id: str) -> None:
        """A recall that has it in the second place."""
        first = world.memory.remember("The cache lives in Redis")
        (best, *_) = world.memory.recall("cache Redis", 1, silent=False).hits
        told = Recall("", "cache", (best, best._replace(memory=world.memory.get(id))))
        assert ids_of(told) == [first.id, id]
        world.memory.ledger.commit(lambda: [decide.recalled(told, 2, 0, Context())])


class TestRecalls:
    def test_silence_is_a_miss_of_the_prompts_that_ask_for_something(self, world: World) -> None:
        """Small talk is none."""
        world.memory.remember("We deploy on Tuesdays")
        world.memory.recall("how do we deploy on Tuesdays", silent=False)
        world.memory.recall("terraform state locking in the staging bucket")
        world.memory.recall("ok")
        assert health(world).misses == Share(1, 2)

    def test_tokens_are_spent_on_what_is_shown_and_used_where_it_helped(self, world: World) -> None:
        """Feedback is told beside them: without it nothing is known."""
        one = world.memory.remember("We deploy on Tuesdays")
        other = world.memory.remember("The deploy tool of the shop is called Argo")
        found = world.asked(one, "deploy")
        assert {*ids_of(found)} == {one.id, other.id}
        both = tokens(one.content) + tokens(other.content)
        assert health(world).tokens == (both, 0, 0)
        world.memory.feedback(found.id, one.id, "helpful")
        world.show(one, "deploy")
        told = health(world)
        assert told.tokens == (2 * both, both, tokens(one.content))
        assert told.feedback == Share(1, 2)

    def test_a_verdict_that_is_taken_back_is_not_told(self, world: World) -> None:
        """Only what counts counts."""
        one = world.memory.remember("We deploy on Tuesdays")
        recall = world.show(one)
        world.memory.feedback(recall, one.id, "helpful")
        world.memory.feedback(recall, one.id, "not_helpful")
        assert health(world).tokens.used == 0

    def test_what_came_of_a_session_is_told_of_all_that_it_was_shown(self, world: World) -> None:
        """Each memory is credited once, and was of use as often as it was shown."""
        one = world.memory.remember("We deploy on Tuesdays")
        for _ in range(2):
            world.show(one, session="s")
        world.memory.evolve.outcome("s", "success")
        told = health(world)
        assert told.tokens.used == told.tokens.surfaced == 2 * tokens(one.content)

    def test_of_two_words_on_one_use_the_stronger_counts_and_of_equals_the_later(self, world: World) -> None:
        """Two machines may have said one each before they met."""
        one = world.memory.remember("We deploy on Tuesdays")
        recall = world.show(one)

        def say(verdict: str, by: str) -> int:
            data = {"recall": recall, "verdict": verdict, "by": by, "rank": 1, "reward": 0.5, "rate": 0.1}
            world.memory.ledger.commit(lambda: [draft(JUDGED, data, Context(), one.id, (one.id, recall))])
            return health(world).tokens.used

        assert say("helpful", "explicit") == tokens(one.content)
        assert say("failed", "implicit") == tokens(one.content)
        assert say("not_helpful", "explicit") == 0

    def test_weights_are_told_with_their_history(self, world: World) -> None:
        """For whom, since when, and by which event."""
        for vector in (0.7, 0.8):
            weighed = decide.weigh({"vector": vector}, Context(project="shop"), "error_debug")
            world.memory.ledger.commit(lambda weighed=weighed: [weighed])  # type: ignore[misc]
            world.pass_(hours=1)
        told = health(world).weights
        assert [(one.project, one.type, dict(one.weights)) for one in told] == [
            ("shop", "error_debug", {"vector": 0.7}),
            ("shop", "error_debug", {"vector": 0.8}),
        ]
        assert told[0].time < told[1].time
