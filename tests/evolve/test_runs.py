"""Runs: when one is due, what it does, and that it can be interrupted, doubled, rehearsed and taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.evolve.worn import World, picture
from tests.surfaces.cli.driving import Cli
from treering.ledger.errors import TreeringError
from treering.ledger.events import BEGAN, EVOLVED, MERGED, MOVED, PROPOSED
from treering.ledger.types import Context, Memory
from treering.ledger.verify import verify
from treering.stores.port.ledger import Store

FACT = "The staging database is called amber"


RESTART = "Restart the worker with `make restart` after a deploy."


SAME = "After a deploy, restart the worker with `make restart`."


RELEASE = (
    "Run the tests, tag the commit and push the tag",
    "Tag the commit and push the tag after the tests",
    "Push a tag of the commit when the tests are done",
)


@pytest.fixture
def world(store: Store) -> World:
    return World(store, gate_recalls=10)


def planted(world: World) -> dict[str, list[Memory]]:
    """Something for each kind of action, and something that is to be left alone."""
    memory = world.memory
    stale = [memory.remember(f"Room {n} holds the papers of {1900 + n}") for n in (1, 2)]
    world.pass_(days=90)
    twins = [memory.remember(text) for text in (RESTART, SAME)]
    processes = [memory.remember(text, type="procedural", trigger="when making a release") for text in RELEASE]
    good = memory.remember("Penguins live in the zoo of Lyon")
    weak = memory.remember("The office dog is called Rex")
    bad = memory.remember(FACT)
    world.wear(twins[0], 5, 0, k=1)
    world.judge(good, "helpful", 6, k=1)
    world.judge(weak, "not_helpful", 6, k=1)
    world.judge(bad, "not_helpful", 10, k=1)
    return {"stale": stale, "twins": twins, "processes": processes, "good": [good], "weak": [weak], "bad": [bad]}


ALL = {"deprecated": 1, "refined": 0, "merged": 1, "archived": 2, "induced_skills": 1, "proposed": 0}


def statuses(world: World, notes: list[Memory]) -> list[str]:
    return [world.now(note).status for note in notes]


class TestTriggers:
    def due(self, world: World) -> str:
        return world.memory.evolve.stats().due

    def test_nothing_is_due_where_nothing_happened(self, world: World) -> None:
        """However long."""
        world.pass_(days=10)
        assert self.due(world) == ""
        assert world.memory.evolve.run(if_due=True).trigger == ""
        assert world.events() == []

    def test_six_hours_make_a_run_due(self, world: World) -> None:
        """Since the first event, or since the last run began; not a moment earlier."""
        world.memory.remember(FACT)
        for _ in range(2):
            world.pass_(hours=6)
            world.time -= 1
            assert (self.due(world), world.memory.evolve.run(if_due=True).run) == ("", "")
            world.time += 1
            assert self.due(world) == "hours"
            assert world.memory.evolve.run(if_due=True).trigger == "hours"

    def test_a_hundred_judgements_make_a_run_due(self, world: World) -> None:
        """Ninety-nine do not; and they are counted from the last run on."""
        fact = world.memory.remember(FACT)
        for _ in range(2):
            world.judge(fact, "helpful", 99)
            assert self.due(world) == ""
            world.judge(fact, "helpful", 1)
            assert self.due(world) == "judgements"
            assert world.memory.evolve.run(if_due=True).trigger == "judgements"
            assert self.due(world) == ""

    def test_judgements_that_were_taken_back_do_not_count(self, world: World) -> None:
        """Nor is a changed verdict two."""
        world.settings(evolve_judgements=3)
        fact = world.memory.remember(FACT)
        (first, _) = world.judge(fact, "helpful", 2)
        world.memory.feedback(first, fact.id, "not_helpful")
        assert self.due(world) == ""

    def test_twenty_new_processes_make_a_run_due(self, world: World) -> None:
        """Nineteen do not, and facts that speak of procedures are none."""
        rows: list[dict[str, Any]] = [{"content": f"step {n}", "type": "procedural"} for n in range(19)]
        world.memory.remember_many([*rows, {"content": "what is procedural", "tags": ["procedural"]}])
        assert self.due(world) == ""
        world.memory.remember("one more step", type="procedural")
        assert self.due(world) == "processes"
        assert world.memory.evolve.run(if_due=True).trigger == "processes"
        assert self.due(world) == ""

    def test_the_triggers_are_settings_and_zero_turns_one_off(self, world: World) -> None:
        """Each by itself."""
        fact = world.memory.remember(FACT)
        world.memory.remember("a step", type="procedural")
        world.judge(fact, "helpful", 2)
        world.pass_(hours=1)
        for settings, due in (
            ({"evolve_hours": 1}, "hours"),
            ({"evolve_hours": 0, "evolve_judgements": 2}, "judgements"),
            ({"evolve_hours": 0, "evolve_processes": 1}, "processes"),
            ({"evolve_hours": 0, "evolve_judgements": 0, "evolve_processes": 0}, ""),
        ):
            world.settings(**settings)
            assert self.due(world) == due

    def test_due_twice_is_run_once(self, world: World) -> None:
        """The second finds nothing due, and says so."""
        planted(world)
        first = world.memory.evolve.run(if_due=True)
        before = world.dump()
        second = world.memory.evolve.run(if_due=True)
        assert (first.trigger, second.trigger, second.run) == ("hours", "", "")
        assert second.summary == "Nothing is due."
        assert world.dump() == before
        assert len(world.events(BEGAN)) == len(world.events(EVOLVED)) == 1

    def test_by_hand_it_runs_whenever_one_likes(self, world: World) -> None:
        """And the hours begin anew."""
        world.memory.remember(FACT)
        assert world.memory.evolve.run().trigger == "by_hand"
        world.pass_(hours=5)
        assert world.memory.evolve.run().trigger == "by_hand"
        world.pass_(hours=5)
        assert self.due(world) == ""

    def test_a_run_that_was_undone_has_not_been(self, world: World) -> None:
        """So one is due again."""
        world.memory.remember(FACT)
        world.pass_(hours=6)
        world.memory.undo(world.memory.evolve.run(if_due=True).run)
        assert self.due(world) == "hours"

    def test_every_space_has_runs_of_its_own(self, world: World) -> None:
        """What is due here is nobody else's."""
        world.memory.remember(FACT)
        world.pass_(hours=6)
        elsewhere = world.seen_by(Context("elsewhere"))
        assert elsewhere.evolve.stats().due == ""
        elsewhere.remember(FACT)
        world.memory.evolve.run()
        world.pass_(hours=6)
        assert elsewhere.evolve.stats().due == "hours"


class TestWhatItDoes:
    def test_all_that_there_is_evidence_for_is_done_and_nothing_else(self, world: World) -> None:
        """What failed goes, twins become one, what nobody used is archived, processes are proposed as a skill."""
        notes = planted(world)
        told = world.memory.evolve.run()
        assert told.actions == ALL
        assert statuses(world, notes["bad"]) == ["deprecated"]
        assert sorted(statuses(world, notes["twins"])) == ["active", "merged"]
        assert statuses(world, notes["stale"]) == ["archived"] * 2
        assert statuses(world, [*notes["good"], *notes["weak"]]) == ["active"] * 2
        (skill,) = world.memory.proposals.list()
        assert set(skill.memories) == {note.id for note in notes["processes"]}

    def test_it_tells_each_thing_that_it_did_and_why(self, world: World) -> None:
        """With the memory that speaks for it now, and the event."""
        notes = planted(world)
        told = world.memory.evolve.run()
        by_action = {detail.action: detail for detail in told.details}
        assert by_action["deprecated"].memories == (notes["bad"][0].id,)
        assert "q 0.17" in by_action["deprecated"].reason and "usage 10" in by_action["deprecated"].reason
        assert by_action["merged"].new_id in {note.id for note in notes["twins"]}
        assert by_action["merged"].memories[0] != by_action["merged"].new_id
        assert "idle days 9" in by_action["archived"].reason
        assert {detail.event for detail in told.details} == {
            event.id for event in world.events(MOVED, MERGED, PROPOSED)
        }

    def test_what_lacks_something_is_kept_and_told(self, world: World) -> None:
        """A memory that could be refined waits for somebody who says how."""
        notes = planted(world)
        told = world.memory.evolve.run()
        kept = {one.memories: one for one in told.kept}
        assert kept[(notes["weak"][0].id,)].action == "refine"
        assert "better text" in kept[(notes["weak"][0].id,)].why
        assert told.evaluated >= len(told.kept) + 5

    def test_a_second_run_finds_nothing_to_do(self, world: World) -> None:
        """What was done stays done, and is not done twice."""
        planted(world)
        world.memory.evolve.run()
        before = world.dump()[1]
        assert set(world.memory.evolve.run().actions.values()) == {0}
        assert world.dump()[1] == before

    def test_many_that_say_the_same_become_one(self, world: World) -> None:
        """In one run or in a few; none of them is lost, and nothing is merged into what is gone."""
        texts = (RESTART, SAME, "Restart the worker after a deploy, with `make restart`.", RESTART.lower())
        notes = [world.memory.remember(text) for text in texts]
        world.wear(notes[-1], 5, 0, k=1)  # which recall shows for the first as well
        for _ in range(len(notes)):
            world.memory.evolve.run()
        (kept,) = (note for note in picture(world.store).values() if note.status == "active")
        others = [note.id for note in notes if note.id != kept.id]
        assert sorted(statuses(world, notes)) == ["active", *["merged"] * 3]
        for id in others:
            while world.memory.get(id).status == "merged":
                id = world.memory.get(id).merged_into
            assert id == kept.id

    def test_the_gate_holds_in_a_run(self, world: World) -> None:
        """What would lose a helpful result is kept, with the reason."""
        fact = world.memory.remember(FACT)
        world.judge(fact, "not_helpful", 14)
        world.judge(fact, "helpful", 1)
        world.judge(fact, "not_helpful", 3)
        told = world.memory.evolve.run()
        assert (told.actions["deprecated"], world.now(fact).status) == (0, "active")
        (kept,) = (one for one in told.kept if one.memories == (fact.id,))
        assert "helpful" in kept.why

    def test_the_events_carry_the_evidence_and_the_replay(self, world: World) -> None:
        """As if somebody had done it by hand; and they rest on the run."""
        planted(world)
        run = world.memory.evolve.run().run
        for event in world.events(MOVED, MERGED, PROPOSED):
            assert run in event.causes
        gated = [told for told in world.told(MOVED, MERGED) if told.get("rule") != "archive"]
        assert all(told["replay"]["recalls"] > 0 and told["evidence"] for told in gated)

    def test_each_action_is_tried_on_what_the_last_one_left(self, world: World) -> None:
        """What the first has taken away, the second does not lose again."""
        query = "the staging database"
        notes = [world.memory.remember(f"The staging database is called {word}") for word in ("amber", "cobalt")]
        for note in notes:
            world.set_q(world.wear(note, 10, 10, query=query), 0.1)
        assert world.memory.evolve.run().actions["deprecated"] == 2
        assert [told["replay"]["lost"] for told in world.told(MOVED)] == [10, 10]

    def test_it_never_refines(self, world: World) -> None:
        """That takes somebody who knows better."""
        planted(world)
        assert world.memory.evolve.run().actions["refined"] == 0

    def test_the_summary_is_one_paragraph_that_says_all(self, world: World) -> None:
        """For a person."""
        planted(world)
        summary = world.memory.evolve.run().summary
        for words in ("deprecated 1 memory", "merged 1 memory", "archived 2 memories", "1 skill", "kept"):
            assert words in summary
        assert "\n" not in summary

    def test_progress_is_told(self, world: World) -> None:
        """So that a long run can be watched."""
        planted(world)
        seen: list[int] = []
        world.memory.evolve.run(progress=seen.append)
        assert seen


class TestRehearsing:
    def test_a_dry_run_changes_nothing_and_foretells_the_run(self, world: World) -> None:
        """The same actions on the same memories for the same reasons, and the same that is kept."""
        planted(world)
        world.memory.maintenance.prepare()
        before = world.dump()
        foretold = world.memory.evolve.run(dry_run=True)
        assert world.dump() == before
        assert foretold.run == ""
        told = world.memory.evolve.run()
        assert (foretold.actions, foretold.evaluated) == (told.actions, told.evaluated)
        assert {detail.reason for detail in foretold.details} >= {
            detail.reason for detail in told.details if detail.reason
        }
        assert [(one.memories, one.action) for one in foretold.kept] == [
            (one.memories, one.action) for one in told.kept
        ]
        for detail in told.details:
            assert any(set(detail.memories) <= set(one.memories) for one in foretold.details)

    def test_a_dry_run_is_no_run(self, world: World) -> None:
        """What was due is due."""
        planted(world)
        world.memory.evolve.run(dry_run=True)
        assert world.memory.evolve.run(if_due=True, dry_run=True).trigger == "hours"
        assert world.memory.evolve.stats().last_run == 0


class TestTakingBack:
    def test_undoing_the_run_takes_everything_back(self, world: World) -> None:
        """Moves, merges, proposals; and undoing that does it again."""
        planted(world)
        before, proposals = picture(world.store), world.memory.proposals.list()
        told = world.memory.evolve.run()
        after = picture(world.store)
        undone = world.memory.undo(told.run)
        assert picture(world.store) == before == world.rebuilt()
        assert world.memory.proposals.list() == proposals == []
        world.memory.undo(undone.event.id)
        assert picture(world.store) == after == world.rebuilt()
        assert verify(world.store).clean

    def test_undoing_the_run_takes_a_joined_text_back(self, world: World) -> None:
        """It rests on the run, too."""
        one = world.memory.remember(RESTART)
        other = world.memory.remember(SAME)
        world.wear(one, 5, 0)
        before = picture(world.store)
        (began,) = world.memory.ledger.commit(lambda: [_began()])
        _merged_with_a_text(world, began.id, one.id, other.id)
        assert len(picture(world.store)) == 3
        world.memory.undo(began.id)
        assert picture(world.store) == before == world.rebuilt()

    def test_one_action_of_a_run_can_be_undone_alone(self, world: World) -> None:
        """The others stay."""
        notes = planted(world)
        told = world.memory.evolve.run()
        world.memory.undo(next(detail.event for detail in told.details if detail.action == "deprecated"))
        assert statuses(world, notes["bad"]) == ["active"]
        assert statuses(world, notes["stale"]) == ["archived"] * 2


def _began() -> Any:
    from treering.evolve import rules

    return rules.began("by_hand", Context())


def _merged_with_a_text(world: World, run: str, *ids: str) -> None:
    from treering.evolve.engine import Engine
    from treering.evolve.rules import Grounds

    engine = Engine(world.memory.workspace)
    engine.merge(ids, "Restart the worker after each deploy, with `make restart`.", Grounds("x", causes=(run,)))


class TestTheReport:
    @pytest.fixture
    def cli(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
        monkeypatch.setenv("TREERING_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("TREERING_SWAP", "0")
        return Cli(capsys)

    def test_its_json_has_the_shape_that_others_expect(self, cli: Cli) -> None:
        """Candidates evaluated, actions taken by kind, details, and a summary."""
        note = cli.remember("The office dog is called Rex", "--at", "2020-01-01")
        told = cli.fine("evolve", "run", "--json").json
        assert told["candidates_evaluated"] == 1
        assert told["actions_taken"]["archived"] == 1
        assert {"deprecated", "refined", "merged", "archived", "induced_skills"} <= set(told["actions_taken"])
        (detail,) = told["details"]
        assert detail["node_id"] == note
        assert (detail["action"], "stale" in detail["reason"]) == ("archived", True)
        assert isinstance(told["summary"], str)
        json.dumps(told)

    def test_a_person_reads_the_summary(self, cli: Cli) -> None:
        """And the same when nothing is due."""
        cli.remember("The office dog is called Rex", "--at", "2020-01-01")
        assert "Nothing is due" in cli.fine("evolve", "run", "--if-due").out
        assert (
            "would" in cli.fine("evolve", "run", "--dry-run").out.lower()
            or "archived 1" in cli.fine("evolve", "run", "--dry-run").out
        )
        assert "archived 1 memory" in cli.fine("evolve", "run").out

    def test_a_run_needs_no_criteria(self, cli: Cli) -> None:
        """On an empty store, too."""
        told = cli.fine("evolve", "run", "--json").json
        assert told["candidates_evaluated"] == 0


def test_a_run_within_a_view_of_the_past_is_refused(tmp_path: Path) -> None:
    """Nobody changes what has been."""
    import treering

    with treering.open(tmp_path) as memory:
        memory.remember(FACT)
    with treering.open(tmp_path, as_of="2100-01-01") as past, pytest.raises(TreeringError):
        past.evolve.run()
