"""The replay gate: an action is tried on the recalls of the past, and what would lose a helpful result is refused."""

from __future__ import annotations

from random import Random

import pytest

from tests.evolve.worn import World, ids_of
from tests.world import Hashed
from treering.evolve.gate import Change
from treering.evolve.rules import Counts
from treering.ledger.errors import InvalidInput, Refused, WouldLose
from treering.ledger.events import MERGED, MOVED, SUPERSEDED
from treering.ledger.types import Memory
from treering.recall.recalls import Recalls
from treering.recall.scoring import NOTHING_LEARNED

API, WEB, KEYS = (
    "Deploy the api from the main branch",
    "Deploy the web app with the blue button",
    "Rotate the api keys every spring",
)
RESTART = "Restart the worker with `make restart` after a deploy."
SAME = "After a deploy, restart the worker with `make restart`."


@pytest.fixture
def notes(world: World) -> tuple[Memory, Memory, Memory]:
    """Of which asking for the deploy of the api finds first API, then KEYS, then WEB."""
    api, web, keys = (world.memory.remember(text) for text in (API, WEB, KEYS))
    return api, web, keys


def failing(world: World, note: Memory, query: str = "") -> Memory:
    """A memory that may be deprecated and refined."""
    return world.set_q(world.wear(note, 10, 10, query=query or note.content), 0.1)


class TestCounting:
    def test_what_would_be_lost_and_gained_is_counted_and_shown(
        self, world: World, notes: tuple[Memory, Memory, Memory]
    ) -> None:
        """Each recall with its results before and after."""
        api, web, keys = notes
        one = world.memory.recall("deploy the api", 1, silent=False)
        all = world.memory.recall("deploy the api", 5, silent=False)
        world.memory.recall("the blue button", 1, silent=False)
        replay = world.memory.evolve.attempt("deprecate", api.id).replay
        assert replay is not None
        assert replay.counts == Counts(recalls=3, gained=1, lost=2, reordered=0, helpful_lost=0)
        changes = {change.recall: change for change in replay.changes}
        assert changes == {
            one.id: Change(one.id, "deploy the api", (api.id,), (keys.id,), (keys.id,), (api.id,), ()),
            all.id: Change(all.id, "deploy the api", tuple(ids_of(all)), (keys.id, web.id), (), (api.id,), ()),
        }

    def test_another_order_of_the_same_is_counted_apart(
        self, world: World, notes: tuple[Memory, Memory, Memory]
    ) -> None:
        """What the refined memory says now is found before the others."""
        _, web, _ = notes
        world.memory.recall("deploy the api", 5, silent=False)
        replay = world.memory.evolve.attempt("refine", web.id, text="Deploy the api and the web app, deploy api").replay
        assert replay is not None
        assert replay.counts == Counts(recalls=1, reordered=1)

    def test_what_changes_no_answer_counts_nothing(self, world: World, notes: tuple[Memory, Memory, Memory]) -> None:
        """And no recall is listed."""
        api, _, _ = notes
        world.memory.recall("the blue button", 1, silent=False)
        replay = world.memory.evolve.attempt("deprecate", api.id).replay
        assert replay is not None
        assert (replay.counts, replay.changes) == (Counts(recalls=1), ())

    def test_the_counts_are_in_the_event(self, world: World, notes: tuple[Memory, Memory, Memory]) -> None:
        """As they were when it was done."""
        api = failing(world, notes[0])
        tried = world.memory.evolve.attempt("deprecate", api.id, reason="x").replay
        world.memory.evolve.deprecate(api.id, reason="x")
        (told,) = world.told(MOVED)
        assert tried is not None
        assert told["replay"] == tried.counts._asdict()
        assert told["replay"]["recalls"] == 10
        assert "forced" not in told

    def test_the_answers_after_the_action_are_those_that_were_tried(
        self, world: World, notes: tuple[Memory, Memory, Memory]
    ) -> None:
        """The gate foretells what recall then says."""
        api = failing(world, notes[0])
        queries = ("deploy the api", "main branch", "the blue button", "keys of the api")
        logged = {query: world.memory.recall(query, 5, silent=False) for query in queries}
        replay = world.memory.evolve.attempt("deprecate", api.id, reason="x").replay
        assert replay is not None
        foretold = {change.query: list(change.after) for change in replay.changes}
        world.memory.evolve.deprecate(api.id, reason="x")
        for query, before in logged.items():
            now = ids_of(world.memory.recall(query, 5, silent=False, log=False))
            assert now == foretold.get(query, ids_of(before))


class TestRefusing:
    def helpful(self, world: World, note: Memory, query: str = "") -> str:
        recall = world.show(note, query)
        world.memory.feedback(recall, note.id, "helpful")
        return recall

    def test_losing_a_helpful_result_is_refused(self, world: World, notes: tuple[Memory, Memory, Memory]) -> None:
        """It says how many of how many; and nothing changes."""
        recall = self.helpful(world, notes[0])
        api = failing(world, notes[0])
        before = world.dump()
        with pytest.raises(WouldLose, match="would lose a result that was marked helpful, of 11 replayed recalls"):
            world.memory.evolve.deprecate(api.id, reason="x")
        assert world.dump() == before
        told = world.memory.evolve.attempt("deprecate", api.id, reason="x")
        assert (told.missing, told.allowed) == ((), False)
        assert told.replay is not None
        assert [change.recall for change in told.replay.changes if change.helpful_lost] == [recall]

    def test_a_loss_that_nobody_marked_is_none(self, world: World, notes: tuple[Memory, Memory, Memory]) -> None:
        """Nor one that was marked partly, or turned out well, or was marked and then judged otherwise."""
        api = notes[0]
        recall = self.helpful(world, api)
        world.memory.feedback(recall, api.id, "not_helpful")
        world.memory.feedback(world.show(api), api.id, "partially_helpful")
        world.memory.evolve.outcome(world.show(api), "success")
        failing(world, api)
        assert world.memory.evolve.deprecate(api.id, reason="x").status == "deprecated"

    def test_forced_with_a_reason_it_is_done_and_recorded(
        self, world: World, notes: tuple[Memory, Memory, Memory]
    ) -> None:
        """With the reason and what was lost."""
        self.helpful(world, notes[0])
        api = failing(world, notes[0])
        assert world.memory.evolve.deprecate(api.id, reason="it is dangerous", force=True).status == "deprecated"
        (told,) = world.told(MOVED)
        assert (told["forced"], told["reason"], told["replay"]["helpful_lost"]) == (True, "it is dangerous", 1)

    def test_force_needs_a_reason(self, world: World) -> None:
        """Also where an action needs none by itself."""
        one, other = world.memory.remember(RESTART), world.memory.remember(SAME)
        world.wear(one, 5, 0)
        before = world.dump()
        with pytest.raises(Refused, match="give a reason"):
            world.memory.evolve.merge(one.id, other.id, force=True)
        assert world.dump() == before

    def test_a_refinement_that_is_not_found_any_more_is_refused(
        self, world: World, notes: tuple[Memory, Memory, Memory]
    ) -> None:
        """Where the old text was found and helped. One that learns would show penguins to whoever has nothing else."""
        recalling = Recalls(world.store, Hashed(), Random(11).randbytes, 0.0, NOTHING_LEARNED)
        world.memory.workspace._make_recalls = lambda: recalling
        self.helpful(world, notes[1], "the blue button")
        web = failing(world, notes[1])
        before = world.dump()
        with pytest.raises(WouldLose):
            world.memory.evolve.refine(web.id, "Penguins live in the zoo", reason="better")
        assert world.dump() == before
        new = world.memory.evolve.refine(web.id, "Penguins live in the zoo", reason="better", force=True)
        (told,) = world.told(SUPERSEDED)
        assert (told["by"], told["forced"], told["replay"]["helpful_lost"]) == (new.id, True, 1)

    def test_a_refinement_that_is_found_keeps_what_was_helpful(
        self, world: World, notes: tuple[Memory, Memory, Memory]
    ) -> None:
        """It stands where the old one stood."""
        self.helpful(world, notes[1], "the blue button")
        web = failing(world, notes[1])
        new = world.memory.evolve.refine(web.id, "Deploy the web app with the blue button, twice", reason="better")
        assert ids_of(world.memory.recall("the blue button", 1, silent=False)) == [new.id]
        assert world.told(SUPERSEDED)[0]["replay"]["helpful_lost"] == 0

    def test_a_merge_keeps_what_was_helpful(self, world: World) -> None:
        """The one that is kept speaks for the other."""
        one, other = world.memory.remember(RESTART), world.memory.remember(SAME)
        world.wear(one, 5, 0)
        recall = world.show(other)
        world.memory.feedback(recall, other.id, "helpful")
        world.set_q(one, 0.9)
        assert world.memory.evolve.merge(one.id, other.id).id == one.id
        assert world.told(MERGED)[0]["replay"]["lost"] == 0

    @pytest.mark.parametrize("text", ("", "Restart the worker after each deploy, with `make restart`."))
    def test_a_mark_goes_over_to_the_one_that_speaks_for_it(self, world: World, text: str) -> None:
        """What helped once is not lost because it was merged before."""
        one, other = world.memory.remember(RESTART), world.memory.remember(SAME)
        world.wear(one, 5, 0)
        world.memory.feedback(world.show(other), other.id, "helpful")
        world.set_q(one, 0.9)
        kept = world.memory.evolve.merge(one.id, other.id, text=text)
        replay = world.memory.evolve.attempt("deprecate", kept.id).replay
        assert replay is not None
        assert replay.counts.helpful_lost == 1

    def test_a_mark_goes_over_to_a_refinement(self, world: World, notes: tuple[Memory, Memory, Memory]) -> None:
        """It is the same in better words."""
        self.helpful(world, notes[1], "the blue button")
        web = failing(world, notes[1])
        new = world.memory.evolve.refine(web.id, "Deploy the web app with the blue button, twice", reason="better")
        replay = world.memory.evolve.attempt("deprecate", new.id).replay
        assert replay is not None
        assert replay.counts.helpful_lost == 1


class TestWhatIsReplayed:
    def lost(self, world: World, note: Memory) -> int:
        replay = world.memory.evolve.attempt("deprecate", note.id).replay
        assert replay is not None
        return replay.counts.lost

    @pytest.mark.parametrize(
        "narrowed",
        [
            {"type": "procedural"},
            {"scope": "session"},
            {"since": "2026-01-02"},
            {"until": "2025-12-31"},
        ],
    )
    def test_a_narrowed_recall_is_replayed_narrowed(self, world: World, narrowed: dict[str, str]) -> None:
        """What it could not have shown, it does not lose."""
        fact = world.memory.remember(API)
        world.memory.remember("Deploy the api by hand", type="procedural")
        world.memory.remember("Deploy the api in spring", at="2025-06-01")
        world.pass_(days=2)
        assert fact.id not in ids_of(world.memory.recall("deploy the api", 5, silent=False, **narrowed))  # type: ignore[arg-type]
        assert self.lost(world, fact) == 0
        world.memory.recall("deploy the api", 5, silent=False)
        assert self.lost(world, fact) == 1

    def test_a_recall_that_asked_for_what_is_superseded_is_replayed_so(
        self, world: World, notes: tuple[Memory, Memory, Memory]
    ) -> None:
        """It still finds it."""
        api, _, _ = notes
        newer = world.memory.remember("Deploy the api from the release branch")
        world.memory.supersede(api.id, newer.id)
        shown = world.memory.recall("deploy the api from the main branch", 5, silent=False, superseded=True)
        assert api.id in ids_of(shown)
        replay = world.memory.evolve.attempt("deprecate", newer.id).replay
        assert replay is not None
        (change,) = replay.changes
        assert (change.before, change.lost) == (tuple(ids_of(shown)), (newer.id,))

    def test_every_recall_is_replayed_where_it_was_asked(self, world: World) -> None:
        """In its project and its session: behind the walls it finds what it found."""
        inside = world.memory.remember(API, project="p")
        world.memory.recall("deploy the api", 5, silent=False)
        world.memory.recall("deploy the api", 5, silent=False, project="p")
        replay = world.memory.evolve.attempt("deprecate", inside.id).replay
        assert replay is not None
        assert (replay.counts.recalls, replay.counts.lost) == (2, 1)

    def test_only_the_last_recalls_are_replayed(self, world: World, notes: tuple[Memory, Memory, Memory]) -> None:
        """As many as the setting says; three hundred by default."""
        assert world.memory.config.gate_recalls == 300
        world.memory.feedback(world.show(notes[0]), notes[0].id, "helpful")
        api = failing(world, notes[0])
        world.settings(gate_recalls=10)
        replay = world.memory.evolve.attempt("deprecate", api.id, reason="x").replay
        assert replay is not None
        assert replay.counts == Counts(recalls=10, lost=10)
        world.settings(gate_recalls=11)
        assert not world.memory.evolve.attempt("deprecate", api.id, reason="x").allowed

    def test_with_none_the_gate_is_open(self, world: World, notes: tuple[Memory, Memory, Memory]) -> None:
        """And the event says that nothing was replayed."""
        world.memory.feedback(world.show(notes[0]), notes[0].id, "helpful")
        api = failing(world, notes[0])
        world.settings(gate_recalls=0)
        world.memory.evolve.refine(failing(world, notes[1]).id, "Penguins live in the zoo", reason="better")
        world.memory.evolve.deprecate(api.id, reason="x")
        assert [told["replay"] for told in world.told(SUPERSEDED, MOVED)] == [Counts()._asdict()] * 2

    def test_recalls_that_were_undone_are_not_replayed(
        self, world: World, notes: tuple[Memory, Memory, Memory]
    ) -> None:
        """Nor are those of other spaces, and looks without a trace were never logged."""
        recall = world.show(notes[0])
        world.memory.feedback(recall, notes[0].id, "helpful")
        world.memory.undo(recall)
        world.memory.recall(API, log=False)
        replay = world.memory.evolve.attempt("deprecate", notes[0].id).replay
        assert replay is not None
        assert replay.counts == Counts()

    def test_silence_is_replayed_as_silence(self, world: World, notes: tuple[Memory, Memory, Memory]) -> None:
        """What answered nothing has nothing to lose."""
        assert world.memory.recall("what do penguins eat in the zoo").abstained
        replay = world.memory.evolve.attempt("deprecate", notes[0].id).replay
        assert replay is not None
        assert replay.counts == Counts(recalls=1)


class TestTrying:
    def test_trying_changes_nothing(self, world: World, notes: tuple[Memory, Memory, Memory]) -> None:
        """No event, no memory, no answer; whichever action it is, and however often."""
        api = failing(world, notes[0])
        same = [world.memory.remember(text) for text in (RESTART, SAME)]
        world.wear(same[0], 5, 0)
        for query in ("deploy the api", "restart the worker"):
            world.memory.recall(query, 3, silent=False)
        before, answer = world.dump(), world.memory.recall("deploy the worker", 9, silent=False, log=False)
        for _ in range(2):
            world.memory.evolve.attempt("deprecate", api.id, reason="x")
            world.memory.evolve.attempt("refine", api.id, text="Deploy every api from the main branch", reason="x")
            world.memory.evolve.attempt("merge", *(note.id for note in same))
            world.memory.evolve.attempt(
                "merge", *(note.id for note in same), text="Restart the workers after each deploy."
            )
            world.memory.evolve.attempt("archive", api.id)
        assert world.dump() == before
        again = world.memory.recall("deploy the worker", 9, silent=False, log=False)
        assert [(hit.memory, hit.score) for hit in again.hits] == [(hit.memory, hit.score) for hit in answer.hits]

    def test_it_says_what_is_missing_and_what_would_be_said(self, world: World) -> None:
        """Without refusing."""
        one, other = world.memory.remember(RESTART), world.memory.remember(SAME)
        told = world.memory.evolve.attempt("merge", one.id, other.id, text=" Restart after each deploy. ")
        assert told.allowed is False
        assert told.missing == ("usage is 0 and must be at least 5",)
        assert told.text == "Restart after each deploy."
        assert [memory.id for memory in told.memories] == [one.id, other.id]

    def test_a_protected_memory_is_told_as_such(self, world: World) -> None:
        """Until it is justified."""
        fact = failing(world, world.memory.remember(API, invariant=True))
        assert "needs a justification" in world.memory.evolve.attempt("deprecate", fact.id, reason="x").missing[0]
        assert world.memory.evolve.attempt("deprecate", fact.id, reason="x", justification="y").allowed

    def test_what_is_out_of_sight_already_is_not_allowed(self, world: World) -> None:
        """As the action itself would be refused."""
        fact = failing(world, world.memory.remember(API))
        world.memory.evolve.deprecate(fact.id, reason="x")
        world.pass_(days=100)
        for action in ("deprecate", "archive"):
            assert not world.memory.evolve.attempt(action, fact.id, reason="x").allowed
        assert not world.memory.evolve.attempt("refine", fact.id, text="Deploy it", reason="x").allowed

    @pytest.mark.parametrize(("action", "count"), [("explode", 1), ("deprecate", 2), ("archive", 0), ("refine", 2)])
    def test_what_is_no_action_cannot_be_tried(self, world: World, action: str, count: int) -> None:
        """Nor one on more memories than it is about."""
        ids = [world.memory.remember(f"note number {number}").id for number in range(count)]
        with pytest.raises(InvalidInput):
            world.memory.evolve.attempt(action, *ids)
