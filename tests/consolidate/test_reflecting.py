"""The memory looks at itself: what it finds out is true, is noted once, and names what was done about it."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from tests.evolve.worn import SECOND, World
from treering.consolidate import rules as consolidating
from treering.consolidate.reflection.insights import Insight
from treering.consolidate.reflection.patterns import FADED_LEAST, NOISE_KNOWN
from treering.consolidate.reflection.reflect import insights, reflect
from treering.ledger import decide
from treering.ledger.codec import encode
from treering.ledger.events import NOTED
from treering.ledger.types import Context, Memory
from treering.skills.proposals import rules as proposing


@pytest.fixture
def world() -> World:
    return World()


def found(world: World, rule: str = "", **given: object) -> list[Insight]:
    told = reflect(world.store, "default", world.time, **given)  # type: ignore[arg-type]
    return [one for one in told if rule in ("", one.rule)]


def note(world: World, *told: Insight) -> None:
    world.memory.ledger.commit(lambda: [consolidating.noted(one.data, Context()) for one in told])


def noisy(world: World, verdict: str = "not_helpful", times: int = NOISE_KNOWN) -> Memory:
    memory = world.memory.remember("We deploy on Tuesdays")
    world.judge(memory, verdict, times)
    return memory


class TestNoise:
    def test_a_memory_that_keeps_being_of_no_use_is_noise(self, world: World) -> None:
        """And so is not one that helped, or that nobody judged."""
        memory = noisy(world)
        (told,) = found(world, "noise")
        assert (told.kind, told.memories) == ("retrieval_pattern", (memory.id,))
        assert told.text == "it came up 5 times in 14 days and was of no use in 5 of 5 of which anything is known"

    @pytest.mark.parametrize("verdict", ["helpful", "partially_helpful", ""])
    def test_a_memory_that_helps_or_that_nobody_judged_is_no_noise(self, world: World, verdict: str) -> None:
        """However often it comes up."""
        memory = world.memory.remember("We deploy on Tuesdays")
        if verdict:
            world.judge(memory, verdict, 9)
        else:
            world.asked_often(memory, 9)
        assert not found(world, "noise")

    def test_what_is_passed_over_for_another_is_noise_though_nobody_blamed_it(self, world: World) -> None:
        """Its Q has not moved, so nothing has been done about it."""
        one, other = (world.memory.remember(f"The deploy tool of the {place}") for place in ("shop", "bank"))
        for recall in world.asked_often(one, NOISE_KNOWN, "deploy tool"):
            world.memory.feedback(recall, one.id, "helpful")
        (told,) = found(world, "noise")
        assert told.memories == (other.id,)
        assert told.done == "nothing yet: it was passed over and not blamed, so its Q is 0.500"

    def test_a_session_that_went_well_credits_all_that_it_was_shown(self, world: World) -> None:
        """One that failed credits none of it."""
        memory = world.memory.remember("We deploy on Tuesdays")
        for turn in range(NOISE_KNOWN):
            world.show(memory, session=f"s{turn}")
            world.memory.evolve.outcome(f"s{turn}", "success")
        assert not found(world, "noise")
        for turn in range(NOISE_KNOWN * 5):
            world.show(memory, session=f"t{turn}")
            world.memory.evolve.outcome(f"t{turn}", "failure")
        assert found(world, "noise")

    def test_what_is_done_about_it_is_what_was_done(self, world: World) -> None:
        """First its Q falls, then evolution looks at it, and then it is put before a person."""
        memory = noisy(world)
        world.set_q(memory, 0.4)
        assert found(world, "noise")[0].done == "its Q fell to 0.400, by which recall ranks it lower"
        assert not world.memory.evolve.candidates("low_q")
        world.set_q(memory, 0.25)
        assert "treering evolve candidates --criteria low_q" in found(world, "noise")[0].done
        assert [one.ids for one in world.memory.evolve.candidates("low_q")] == [(memory.id,)]
        world.memory.ledger.commit(lambda: [proposing.act("deprecate", [memory.id], {"usage": 10}, Context(), "")])
        (proposal,) = world.memory.proposals.list()
        assert found(world, "noise")[0].done.startswith(proposal.id)
        world.memory.proposals.reject(proposal.id)
        assert "treering evolve candidates" in found(world, "noise")[0].done

    def test_what_recall_tells_no_more_is_no_noise(self, world: World) -> None:
        """Nor what was shown long ago."""
        world.memory.forget(noisy(world).id)
        assert not found(world, "noise")
        world.memory.remember("The cache lives in Redis")
        world.judge(world.memory.remember("The queue lives in Kafka"), "not_helpful", NOISE_KNOWN, "queue Kafka", 1)
        assert found(world, "noise")
        world.pass_(days=15)
        assert not found(world, "noise")


class TestTogether:
    def test_memories_that_three_sittings_needed_together_are_associated(self, world: World) -> None:
        """Here asked for one after the other."""
        one, other = world.memory.remember("We deploy on Tuesdays"), world.memory.remember("The cache lives in Redis")
        for turn in range(3):
            assert not found(world, "together")
            world.show(one, "deploy Tuesdays", 1, session=f"s{turn}")
            world.time += 200 * SECOND
            world.show(other, "cache Redis", 1, session=f"s{turn}")
            world.pass_(hours=1)
        (told,) = found(world, "together")
        assert (told.kind, {*told.memories}) == ("graph_insight", {one.id, other.id})
        assert told.evidence == {"times": 3}

    def test_no_more_than_the_most_frequent_are_told_and_the_others_next_time(self, world: World) -> None:
        """So that each is read."""
        for number in range(4):
            world.memory.remember(f"The deploy tool of place{number}")
        for turn in range(3):
            world.memory.recall("deploy tool", 4, silent=False, session=f"s{turn}")
            world.pass_(hours=1)
        first = found(world, "together", most=4)
        note(world, *first)
        rest = found(world, "together", most=4)
        assert (len(first), len(rest)) == (4, 2)
        assert {one.mark for one in first}.isdisjoint(one.mark for one in rest)


class TestGaps:
    def asked(self, world: World) -> None:
        for turn, words in enumerate(("state locking", "state bucket locking", "locking of state")):
            world.memory.recall(f"how do we do terraform {words}", session=f"s{turn}")

    def test_prompts_on_one_matter_that_met_with_silence_are_a_gap(self, world: World) -> None:
        """With the words of the prompts, and nothing done yet."""
        self.asked(world)
        (told,) = found(world, "gap")
        assert (told.kind, told.evidence["prompts"]) == ("memory_gap", 3)
        assert {"terraform", "state", "locking"} <= {*told.tokens}
        assert told.done == "tell it by `treering remember`"

    def test_the_proposal_that_was_made_of_a_gap_is_named_with_what_became_of_it(self, world: World) -> None:
        """It waits, until a person has said something."""
        self.asked(world)
        (proposal,) = world.memory.proposals.analyze().added
        assert found(world, "gap")[0].done.endswith(f"or say who knows: {proposal} is pending")
        world.memory.proposals.reject(proposal)
        assert found(world, "gap")[0].done.endswith(f"or say who knows: {proposal} is rejected")


class TestFading:
    def faded(self, world: World, type: str, back: int) -> None:
        notes = [world.memory.remember(f"{type} {word} matter", type=type) for word in list(words(FADED_LEAST))]
        world.pass_(days=100)
        for one in notes:
            world.memory.evolve.archive(one.id)
        for one in notes[:back]:
            world.memory.restore(one.id)

    def test_a_type_that_people_bring_back_fades_too_soon(self, world: World) -> None:
        """And not the one that nobody missed."""
        self.faded(world, "procedural", 6)
        self.faded(world, "semantic", 0)
        (told,) = found(world, "fading")
        assert (told.kind, told.tokens) == ("decay_anomaly", ("procedural",))
        assert told.evidence["restored"] == 6

    def test_a_type_that_is_asked_for_after_it_faded_fades_too_soon(self, world: World) -> None:
        """Being the best answer is enough: it is active again."""
        self.faded(world, "semantic", 0)
        self.faded(world, "procedural", 0)
        for word in list(words(6)):
            world.memory.recall(f"procedural {word} matter", 1, silent=False)
        (told,) = found(world, "fading")
        assert (told.tokens, told.evidence["asked"]) == (("procedural",), 6)

    def test_what_fades_and_stays_away_says_nothing(self, world: World) -> None:
        """The rule was right."""
        self.faded(world, "procedural", 0)
        assert not found(world, "fading")


class TestGiven:
    def test_episodes_that_could_be_one_are_told_with_what_they_share_and_whether_they_wait(self, world: World) -> None:
        """The words are read from the memories, whenever somebody asks."""
        texts = [f"The payments gateway timed out: {word}" for word in words(3)]
        ids = [world.memory.remember(text, type="episodic").id for text in texts]
        group = SimpleNamespace(memories=ids)
        (told,) = found(world, "group", groups=[group])
        assert (told.kind, told.memories) == ("consolidation_signal", tuple(ids))
        assert "gateway" in told.text
        assert told.done == "nothing yet: `treering consolidate` queues it"
        world.memory.ledger.commit(lambda: [consolidating.grouped(ids, "topic", Context())])
        (told,) = found(world, "group", groups=[group])
        assert told.done == f"queued as {consolidating.group_named(ids)}"
        note(world, told)
        assert "gateway" not in world.events(NOTED)[0].payload  # type: ignore[operator]
        (read,) = insights(world.store, "default")
        assert (read.text, read.done) == (told.text, told.done)

    def test_a_hub_gets_its_name_back_from_the_entities_of_today(self, world: World) -> None:
        """The event holds none. One of its memories may be out of sight."""
        memory, gone = world.memory.remember("The api of the shop"), world.memory.remember("The api of the bank")
        world.memory.forget(gone.id)
        others = [SimpleNamespace(key=f"e{n}", name=f"E{n}", scope="", degree=1, memories=()) for n in range(30)]
        api = SimpleNamespace(key="api", name="Api", scope="", degree=90, memories=(gone.id, memory.id))
        (told,) = found(world, "hub", hubs=[*others, api])
        assert told.memories == (memory.id,)
        note(world, told)
        assert "api" not in world.events(NOTED)[0].payload.lower()  # type: ignore[union-attr]
        assert insights(world.store, "default", [*others, api])[0].text.startswith("Api is related to 90 others")
        assert insights(world.store, "default")[0].text.startswith("one entity is related to 90 others")


class TestNoting:
    def test_what_was_noted_is_not_found_again_and_reads_back_as_it_was(self, world: World) -> None:
        """With its numbers, and when."""
        noisy(world)
        told = found(world)
        note(world, *told)
        assert not found(world)
        assert insights(world.store, "default") == [one._replace(noted=world.time) for one in told]

    def test_of_the_same_insight_the_last_word_is_told(self, world: World) -> None:
        """It comes back with twice as much behind it."""
        memory = noisy(world)
        note(world, *found(world))
        world.judge(memory, "not_helpful", NOISE_KNOWN)
        note(world, *found(world))
        (told,) = insights(world.store, "default")
        assert told.evidence["ignored"] == 2 * NOISE_KNOWN

    def test_purging_a_memory_leaves_nothing_of_what_was_noted_about_it(self, world: World) -> None:
        """And undoing what made it takes that back."""
        memory = noisy(world)
        note(world, *found(world))
        world.memory.purge(memory.id)
        assert insights(world.store, "default") == []
        assert not found(world)

    def test_no_text_of_a_memory_is_in_what_is_noted(self, world: World) -> None:
        """Whatever was found."""
        one = noisy(world)
        for turn in range(3):
            world.memory.recall("deploy Tuesdays", 2, silent=False, session=f"s{turn}")
        assert "Tuesdays" in one.content
        assert not any("uesday" in encode(told.data) for told in found(world))

    def test_weights_that_moved_far_are_told_and_how_to_take_them_back(self, world: World) -> None:
        """As learning has set them for a project."""
        weighed = decide.weigh({"keyword": 0.5, "vector": 1.2}, Context(project="shop"), "error_debug")
        (event,) = world.memory.ledger.commit(lambda: [weighed])
        (told,) = found(world)
        assert told.tokens == ("vector", "error_debug", "shop")
        assert event.id in told.done
        world.memory.undo(event.id)
        assert not found(world)

    def test_looking_changes_nothing_and_other_spaces_are_not_seen(self, world: World) -> None:
        """Only who notes writes."""
        noisy(world)
        before = world.dump()
        assert found(world)
        assert reflect(world.store, "elsewhere", world.time) == []
        assert world.dump() == before


def words(count: int) -> Iterator[str]:
    """Words that have nothing in common."""
    names = ("alpha", "bravo", "cargo", "delta", "ember", "flint", "grape", "harbor", "iris", "jolly", "karma", "lemon")
    return iter(names[:count])
