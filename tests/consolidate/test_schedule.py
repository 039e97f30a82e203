"""What the end of a session does, and when: each, every fifth and every twentieth."""

from __future__ import annotations

import pytest

from tests.consolidate.living import SUMMED, World
from treering.consolidate import pipeline, rules
from treering.consolidate.rules import STEPS
from treering.ledger.events import ENDED, TENDED


def triggers(world: World) -> list[str]:
    return [run.trigger for _, run in world.memory.maintenance.log()]


def test_sessions_are_counted_by_their_names(world: World) -> None:
    """One that ends twice has ended once; one that was undone has not."""
    for session in ("a", "b", "a"):
        world.end(session)
    assert len(world.events(ENDED)) == 3
    assert pipeline.sessions_ended(world.store, "default") == 2
    world.memory.undo(world.events(ENDED)[1].id)
    assert pipeline.sessions_ended(world.store, "default") == 1
    assert pipeline.sessions_ended(world.store, "other") == 0


def test_every_fifth_and_twentieth_session_more_is_done(world: World) -> None:
    """Each run says which it was and what it took; a session with nothing to do writes nothing."""
    for number in range(1, 21):
        world.end(f"s{number}")
    runs = [run for _, run in world.memory.maintenance.log()]
    assert [(run.trigger, run.sessions) for run in runs] == [("five", 5), ("five", 10), ("five", 15), ("twenty", 20)]
    taken = [[step.step for step in run.steps if step.step != "prepare"] for run in runs]
    assert taken[0] == taken[1] == taken[2] == ["episodes", "to_project", "to_user", "graph", "contradictions"]
    assert taken[3] == [step for step in STEPS if step != "hygiene"]


def test_the_end_of_a_session_sums_up_what_is_ripe(world: World) -> None:
    """Not what somebody is in the middle of."""
    world.live()
    world.memory.maintenance.end_session("s1")
    assert world.memory.maintenance.groups() == []
    world.pass_(days=2)
    world.end("s2")
    assert [group.status for group in world.memory.maintenance.groups()] == ["drafted"]
    assert triggers(world) == ["session"]


def test_nothing_is_due_twice(world: World) -> None:
    """Nor before any session has ended."""
    world.live()
    world.pass_(days=2)
    before = world.dump()
    assert world.memory.maintenance.consolidate(if_due=True).steps == ()
    assert world.dump() == before
    world.end("s1")
    before = world.dump()
    assert world.memory.maintenance.consolidate(if_due=True).idle
    assert world.dump() == before


def test_what_was_not_finished_is_due_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the next end of a session, or when somebody asks; and then no more."""
    world.live()
    world.pass_(hours=2)
    calls = iter([0.0])
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "monotonic", lambda: next(calls, 99.0))
        world.end("s1")
    assert world.memory.maintenance.groups() == []
    ((_, run),) = world.memory.maintenance.log()
    assert not run.finished
    again = world.memory.maintenance.consolidate(if_due=True)
    assert again.finished and "episodes" in [step.step for step in again.steps]
    assert [group.status for group in world.memory.maintenance.groups()] == ["drafted"]
    assert world.memory.maintenance.consolidate(if_due=True).steps == ()


def test_a_run_by_hand_counts(world: World) -> None:
    """What it did is not due; undoing its log makes it so again."""
    for number in range(1, 5):
        world.end(f"s{number}")
    done = world.memory.maintenance.consolidate()
    world.end("s5")
    assert triggers(world) == ["by_hand"]
    world.memory.undo(done.event)
    assert world.memory.maintenance.consolidate(if_due=True).trigger == "five"


def test_the_end_of_a_session_has_thirty_seconds(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also the twentieth; asked for, what is due has its own budget."""
    given: list[float | None] = []
    run = pipeline.Pipeline.run

    def heard(self: pipeline.Pipeline, wanted: object, budget: float | None) -> pipeline.Consolidation:
        given.append(budget)
        return run(self, wanted, budget)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline.Pipeline, "run", heard)
    for number in range(1, 21):
        world.end(f"s{number}")
    assert {*given} == {30}
    (event,) = (event for event in world.events(TENDED) if '"twenty"' in (event.payload or ""))
    world.memory.undo(event.id)
    given.clear()
    world.memory.maintenance.consolidate(if_due=True)
    world.memory.maintenance.consolidate()
    assert given == [300, None]


def test_the_end_of_a_session_tells_what_moved(world: World) -> None:
    """As it always did."""
    old = world.memory.remember("a note of long ago")
    world.pass_(days=200)
    report = world.memory.maintenance.end_session("s1")
    assert [move.memory.id for move in report.moves] == [old.id]


def test_the_end_of_a_session_sums_up_five_groups_and_the_next_goes_on(world: World) -> None:
    """So that nobody waits for it."""
    words = iter(f"{first}{last}{first}{last}ish" for first in "bdfgklmnprs" for last in "aeiou")
    for _ in range(7):
        notes = world.live(*(f"{next(words)} {next(words)}" for _ in range(3)))
        draft = rules.grouped([note.id for note in notes], "topic", world.memory.context)
        world.memory.ledger.commit(lambda draft=draft: [draft])  # type: ignore[misc]
    for session, drafted in (("s1", 5), ("s2", 7)):
        world.end(session)
        statuses = [group.status for group in world.memory.maintenance.groups()]
        assert (len(statuses), statuses.count("drafted")) == (7, drafted)


def test_episodes_that_were_summed_up_are_left_alone(world: World) -> None:
    """By every later session, also if somebody is shown them again, which wakes them."""
    notes, made = world.summed()
    world.pass_(days=2)
    for note in notes:
        world.show(note, note.content, session="reader")
    assert world.statuses(notes) == {"active"}
    for number in range(1, 6):
        world.end(f"s{number}")
    (group,) = world.memory.maintenance.groups()
    assert (group.summary, world.now(made).content) == (made.id, SUMMED)
