"""Feedback: a verdict on what a recall has shown moves its Q, once, and can be taken back."""

from __future__ import annotations

import pytest

from tests.evolve.worn import World
from treering.ledger.codec import data_of
from treering.ledger.errors import InvalidInput, NotFound, TreeringError
from treering.ledger.events import JUDGED, TURNED_OUT
from treering.ledger.types import Context, Memory

FACT = "Deploy from the main branch only"


USED = {"answer": "I ran `make fmt-all` first.", "results": [("$ make fmt-all\nok, 0 errors", False)]}


@pytest.fixture
def fact(world: World) -> Memory:
    return world.memory.remember(FACT)


class TestVerdicts:
    @pytest.mark.parametrize(("verdict", "q"), [("helpful", 0.55), ("partially_helpful", 0.5), ("not_helpful", 0.45)])
    def test_a_verdict_moves_q_a_tenth_of_the_way(self, world: World, fact: Memory, verdict: str, q: float) -> None:
        """And the memory that is returned says so."""
        judged = world.memory.feedback(world.show(fact), fact.id, verdict)
        assert judged.q == pytest.approx(q)
        assert world.now(fact) == judged

    def test_verdicts_on_several_uses_add_up(self, world: World, fact: Memory) -> None:
        """Each from where the last one left it."""
        world.judge(fact, "not_helpful", 5)
        assert world.now(fact).q == pytest.approx(0.5 * 0.9**5)
        world.judge(fact, "helpful")
        assert world.now(fact).q == pytest.approx(0.5 * 0.9**6 + 0.1)

    def test_five_bad_uses_are_below_what_refining_asks_and_ten_below_deprecating(self, world: World) -> None:
        """So neither half of a rule waits for the other."""
        fact = world.memory.remember(FACT)
        world.judge(fact, "not_helpful", 5)
        assert world.now(fact).q < 0.3
        world.judge(fact, "not_helpful", 5)
        assert world.now(fact).q < 0.2

    def test_only_what_was_judged_moves(self, world: World, fact: Memory) -> None:
        """Beside it, another one was shown."""
        other = world.memory.remember("Deploy from the main branch at noon")
        recall = world.show(other, "deploy main branch")
        world.memory.feedback(recall, fact.id, "helpful")
        assert (world.now(fact).q, world.now(other).q) == pytest.approx((0.55, 0.5))

    def test_saying_it_again_changes_nothing(self, world: World, fact: Memory) -> None:
        """No event, no move."""
        recall = world.show(fact)
        world.memory.feedback(recall, fact.id, "helpful")
        before = world.dump()
        assert world.memory.feedback(recall, fact.id, "helpful").q == pytest.approx(0.55)
        assert world.dump() == before

    def test_saying_otherwise_replaces_it(self, world: World, fact: Memory) -> None:
        """As if the first word had not been said; there and back as often as one likes."""
        recall = world.show(fact)
        found = [world.memory.feedback(recall, fact.id, v).q for v in ("helpful", "not_helpful", "helpful", "helpful")]
        assert found == [pytest.approx(q) for q in (0.55, 0.45, 0.55, 0.55)]
        assert len(world.events(JUDGED, live=True)) == 1
        assert [use.outcome for use in world.memory.evolve.usage(fact.id)] == ["helpful"]

    def test_every_judgement_names_its_recall_and_what_it_did(self, world: World, fact: Memory) -> None:
        """The recall is a cause of it, and so is the memory."""
        recall = world.show(fact)
        world.memory.feedback(recall, fact.id, "partially_helpful", note="only the first half")
        (event,) = world.events(JUDGED)
        assert event.subject == fact.id
        assert set(event.causes) == {fact.id, recall}
        told = {"recall": recall, "verdict": "partially_helpful", "by": "explicit", "reward": 0.5, "rate": 0.1}
        assert data_of(event)[1] == {**told, "rank": 1, "note": "only the first half"}

    def test_rate_and_rewards_are_settings(self, world: World, fact: Memory) -> None:
        """Of explicit feedback and of outcomes."""
        world.settings(q_rate=0.5, reward_helpful=0.9, reward_success=0.8, outcome_weight=1.0)
        world.memory.feedback(world.show(fact), fact.id, "helpful")
        assert world.now(fact).q == pytest.approx(0.7)
        world.memory.evolve.outcome(world.show(fact), "success")
        assert world.now(fact).q == pytest.approx(0.75)

    def test_what_people_say_is_feedback_and_what_came_of_it_impact(self, world: World, fact: Memory) -> None:
        """Both beside Q, and neither moves the other."""
        world.memory.feedback(world.show(fact), fact.id, "helpful")
        said = world.now(fact)
        assert (said.feedback, said.impact) == pytest.approx((0.1, 0.5))
        world.memory.evolve.outcome(world.show(fact), "failure")
        came = world.now(fact)
        assert (came.feedback, came.impact) == pytest.approx((0.1, 0.475))

    def test_the_last_recall_has_a_name(self, world: World, fact: Memory) -> None:
        """In the session where one stands, if one stands in one."""
        first = world.memory.recall(FACT, session="one").id
        second = world.memory.recall(FACT, session="two").id
        world.memory.feedback("last", fact.id, "helpful")
        world.seen_by(Context(session="one")).feedback("last", fact.id, "helpful")
        assert [told["recall"] for told in world.told(JUDGED)] == [second, first]

    def test_short_ids_are_enough(self, world: World, fact: Memory) -> None:
        """As everywhere."""
        recall = world.show(fact)
        asked, judged = (id.rpartition("-")[2] for id in (recall, fact.id))
        assert world.memory.feedback(asked, judged, "helpful").id == fact.id

    def test_a_secret_in_a_note_is_not_kept(self, world: World, fact: Memory) -> None:
        """The guard sees it before the ledger does."""
        world.memory.feedback(world.show(fact), fact.id, "helpful", note="the token is ghp_" + "a1B2" * 9)
        (told,) = world.told(JUDGED)
        assert told["note"].startswith("the token is")
        assert "a1B2a1B2" not in told["note"]


class TestRefusals:
    def refuses(self, world: World, recall: str, memory: str, verdict: str = "helpful", match: str = ".") -> None:
        before = world.dump()
        with pytest.raises(TreeringError, match=match):
            world.memory.feedback(recall, memory, verdict)
        assert world.dump() == before

    def test_what_was_never_shown_cannot_be_judged(self, world: World, fact: Memory) -> None:
        """And what was shown is named."""
        other = world.memory.remember("Penguins live in the zoo of Lyon")
        recall = world.show(fact, k=1)
        self.refuses(world, recall, other.id, match=f"did not show memory {other.id}.*it showed {fact.id}")

    def test_a_recall_that_was_undone_judges_nothing(self, world: World, fact: Memory) -> None:
        """And what it judged before is taken back with it."""
        recall = world.show(fact)
        world.memory.feedback(recall, fact.id, "helpful")
        world.memory.undo(recall)
        assert world.now(fact).q == 0.5
        self.refuses(world, recall, fact.id, match="has been undone")
        with pytest.raises(InvalidInput, match="has been undone"):
            world.memory.evolve.outcome(recall, "success")

    def test_another_space_is_out_of_reach(self, world: World, fact: Memory) -> None:
        """Neither its recalls nor its memories."""
        elsewhere = world.seen_by(Context("elsewhere"))
        theirs = elsewhere.remember(FACT)
        asked = elsewhere.recall(FACT).id
        recall = world.show(fact)
        self.refuses(world, asked, fact.id, match="no recall")
        self.refuses(world, asked, theirs.id)
        self.refuses(world, recall, theirs.id)
        with pytest.raises(NotFound):
            world.memory.evolve.outcome(asked, "success")
        assert elsewhere.feedback(asked, theirs.id, "helpful").q == pytest.approx(0.55)

    def test_what_is_no_recall_judges_nothing(self, world: World, fact: Memory) -> None:
        """Nor what is no memory, nor what is no verdict."""
        recall = world.show(fact)
        self.refuses(world, fact.id, fact.id, match="no recall")
        self.refuses(world, "nobody-1", fact.id)
        self.refuses(world, recall, recall)
        self.refuses(world, recall, "nobody-1")
        self.refuses(world, recall, fact.id, "great", match="helpful, partially_helpful, not_helpful")
        self.refuses(world, recall, fact.id, "success", match="helpful, partially_helpful, not_helpful")

    def test_with_nothing_recalled_there_is_no_last(self, world: World, fact: Memory) -> None:
        """Nor has a look that left no trace an id."""
        assert world.memory.recall(FACT, log=False).id == ""
        self.refuses(world, "last", fact.id, match="nothing has been recalled")

    def test_what_is_purged_cannot_be_judged(self, world: World, fact: Memory) -> None:
        """Its outcome credits those that are left."""
        other = world.memory.remember("Deploy from the main branch at noon")
        recall = world.show(fact, "deploy main branch")
        world.memory.purge(fact.id)
        self.refuses(world, recall, fact.id)
        assert [memory.id for memory in world.memory.evolve.outcome(recall, "success")] == [other.id]

    def test_what_is_purged_was_not_judged(self, world: World, fact: Memory) -> None:
        """Whatever had been said of it stands in nobody's way."""
        other = world.memory.remember("Deploy from the main branch at noon")
        recall = world.show(other, "deploy main branch")
        world.memory.feedback(recall, fact.id, "helpful")
        world.memory.purge(fact.id)
        assert world.memory.feedback(recall, other.id, "not_helpful").q == pytest.approx(0.45)
        assert world.memory.evolve.outcome(recall, "success") == []
        assert world.memory.evolve.stats().judgements == {"not_helpful": 1}


class TestOutcomes:
    @pytest.mark.parametrize(("outcome", "q"), [("success", 0.525), ("partial", 0.5), ("failure", 0.475)])
    def test_an_outcome_weighs_half_of_a_verdict(self, world: World, fact: Memory, outcome: str, q: float) -> None:
        """For what stood first."""
        recall = world.show(fact)
        assert [memory.q for memory in world.memory.evolve.outcome(recall, outcome)] == [pytest.approx(q)]
        assert [(told["recall"], told["by"]) for told in world.told(JUDGED)] == [(recall, "outcome")]

    def test_an_outcome_falls_back_on_all_that_was_shown_and_less_on_what_stood_lower(self, world: World) -> None:
        """What stands lower has mostly stood by."""
        for word in ("Monday", "Tuesday", "Friday"):
            world.memory.remember(f"On {word} deploy from the main branch")
        recall = world.memory.recall("deploy from the main branch", 3, silent=False)
        world.memory.evolve.outcome(recall.id, "success")
        first, second, third = (world.now(hit.memory).q for hit in recall.hits)
        assert first == pytest.approx(0.525)
        assert first > second > third > 0.5

    def test_the_outcome_of_a_session_credits_each_memory_once(self, world: World, fact: Memory) -> None:
        """However often it was shown there; and nothing that another session was shown."""
        other = world.memory.remember("Penguins live in the zoo of Lyon")
        recalls = [world.show(fact, k=1, session="one") for _ in range(3)]
        world.show(other, k=1, session="two")
        assert [memory.id for memory in world.memory.evolve.outcome("one", "failure")] == [fact.id]
        assert [told["recall"] for told in world.told(JUDGED)] == recalls[:1]
        assert (world.now(fact).q, world.now(other).q) == pytest.approx((0.475, 0.5))

    def test_the_same_outcome_again_changes_nothing(self, world: World, fact: Memory) -> None:
        """Of a recall and of a session."""
        recall = world.show(fact, session="one")
        for of in (recall, "one"):
            world.memory.evolve.outcome(of, "success")
            before = world.dump()
            world.memory.evolve.outcome(of, "success")
            assert world.dump() == before
        assert world.now(fact).q == pytest.approx(0.525)

    def test_what_a_session_shows_later_gets_its_share_when_it_is_said_again(self, world: World, fact: Memory) -> None:
        """And what had its share gets no second one."""
        other = world.memory.remember("Penguins live in the zoo of Lyon")
        world.show(fact, k=1, session="one")
        world.memory.evolve.outcome("one", "success")
        world.show(other, k=1, session="one")
        world.memory.evolve.outcome("one", "success")
        assert (world.now(fact).q, world.now(other).q) == pytest.approx((0.525, 0.525))

    @pytest.mark.parametrize("of", ("recall", "session"))
    def test_another_outcome_replaces_it(self, world: World, fact: Memory, of: str) -> None:
        """As if the first had not been said."""
        recall = world.show(fact, session="one")
        named = recall if of == "recall" else "one"
        world.memory.evolve.outcome(named, "success")
        world.memory.evolve.outcome(named, "failure")
        assert world.now(fact).q == pytest.approx(0.475)
        assert [told["outcome"] for told in world.told(TURNED_OUT, live=True)] == ["failure"]

    def test_a_session_whose_name_looks_like_an_id_is_a_session(self, world: World, fact: Memory) -> None:
        """Such as a date."""
        world.show(fact, session="2026-01")
        world.show(fact, session="s-7")
        for name in ("2026-01", "s-7"):
            assert [memory.id for memory in world.memory.evolve.outcome(name, "success")] == [fact.id]

    def test_nothing_comes_of_a_session_that_recalled_nothing(self, world: World, fact: Memory) -> None:
        """Nor of what nobody has heard of; nor is another word an outcome."""
        world.memory.remember("something else", session="quiet")
        recall, before = world.show(fact), world.dump()
        for of, outcome in (("quiet", "success"), ("nobody", "success"), ("", "success"), (recall, "helpful")):
            with pytest.raises(TreeringError):
                world.memory.evolve.outcome(of, outcome)
        assert world.dump()[1:] == before[1:]


class TestWhoseWordCounts:
    """Explicit before outcome before implicit, in whichever order they were said; each use moves Q once."""

    def say(self, world: World, fact: Memory, recall: str, by: str) -> float:
        """Say it. The Q that a memory has if nothing else is said."""
        if by == "explicit":
            world.memory.feedback(recall, fact.id, "not_helpful")
            return 0.45
        if by == "outcome":
            world.memory.evolve.outcome(recall, "success")
            return 0.525
        (signal,) = world.memory.evolve.observe(recall, **USED, reply="thanks, that worked")  # type: ignore[arg-type]
        assert signal.kind == "succeeded"
        return 0.5 + 0.1 * 0.3 * signal.weight * (signal.reward - 0.5)

    @pytest.mark.parametrize(
        "order",
        [
            ("explicit",),
            ("outcome",),
            ("implicit",),
            ("explicit", "outcome"),
            ("outcome", "explicit"),
            ("explicit", "implicit"),
            ("implicit", "explicit"),
            ("outcome", "implicit"),
            ("implicit", "outcome"),
            ("implicit", "outcome", "explicit"),
            ("explicit", "outcome", "implicit"),
        ],
    )
    def test_the_strongest_word_on_a_use_is_the_one_that_counts(self, world: World, order: tuple[str, ...]) -> None:
        """For Q, and for what the history tells."""
        fact = world.memory.remember("Run `make fmt-all` before you commit to the api folder")
        recall = world.show(fact, "before a commit")
        alone = {by: self.say(world, fact, recall, by) for by in order}
        strongest = next(by for by in ("explicit", "outcome", "implicit") if by in order)
        assert world.now(fact).q == pytest.approx(alone[strongest], abs=1e-6)
        (use,) = world.memory.evolve.usage(fact.id)
        assert use.by == strongest

    def test_a_session_s_outcome_leaves_what_was_judged_alone(self, world: World, fact: Memory) -> None:
        """Its other memories have their share."""
        other = world.memory.remember("Penguins live in the zoo of Lyon")
        recall = world.show(fact, k=1, session="one")
        world.show(other, k=1, session="one")
        world.memory.feedback(recall, fact.id, "not_helpful")
        world.memory.evolve.outcome("one", "success")
        assert (world.now(fact).q, world.now(other).q) == pytest.approx((0.45, 0.525))


class TestObserving:
    def test_what_followed_weighs_less_than_a_verdict_and_less_than_an_outcome(self, world: World) -> None:
        """Nothing of its texts is stored."""
        fact = world.memory.remember("Run `make fmt-all` before you commit to the api folder")
        recall = world.show(fact, "before a commit")
        world.memory.evolve.observe(recall, **USED, reply="thanks, that worked")  # type: ignore[arg-type]
        assert 0.5 < world.now(fact).q < 0.525
        (event,) = world.events(JUDGED)
        assert set(event.causes) == {fact.id, recall}
        assert "worked" not in (event.payload or "") and "fmt" not in (event.payload or "")

    def test_what_is_ignored_says_nothing(self, world: World, fact: Memory) -> None:
        """No event, no move."""
        recall = world.show(fact)
        before = world.dump()
        (signal,) = world.memory.evolve.observe(recall, answer="The weather is fine today.")
        assert signal.kind == "ignored"
        assert world.dump() == before

    def test_observing_again_changes_nothing(self, world: World) -> None:
        """Even with another end."""
        fact = world.memory.remember("Run `make fmt-all` before you commit to the api folder")
        recall = world.show(fact, "before a commit")
        world.memory.evolve.observe(recall, **USED, reply="thanks, that worked")  # type: ignore[arg-type]
        before = world.dump()
        world.memory.evolve.observe(recall, **USED, reply="thanks, that worked")  # type: ignore[arg-type]
        assert world.dump() == before

    def test_a_result_may_be_a_plain_text(self, world: World, fact: Memory) -> None:
        """One that did not fail; and what is no text is refused."""
        recall = world.show(fact)
        assert len(world.memory.evolve.observe(recall, results=["all is well"])) == 1
        for wrong in ({"answer": None}, {"answer": b"x"}, {"reply": 3}, {"results": [3]}):
            with pytest.raises(InvalidInput):
                world.memory.evolve.observe(recall, **wrong)

    def test_only_a_recall_can_be_followed_by_anything(self, world: World, fact: Memory) -> None:
        """One that counts."""
        recall = world.show(fact)
        world.memory.undo(recall)
        for of in (recall, fact.id, "nobody-1"):
            with pytest.raises(TreeringError):
                world.memory.evolve.observe(of, answer="x")
