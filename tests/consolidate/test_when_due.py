"""When what is due: after each session, every fifth and every twentieth, and again what was not finished."""

from __future__ import annotations

from typing import Any

import pytest

from treering.consolidate.rules import BUDGETS, NOTHING, STEPS, Due, due, last_taken

# Hygiene is run by every end of a session, due or not.
SESSION = ("episodes", "to_project", "to_user")
FIVE = (*SESSION, "graph", "contradictions")
TWENTY = (*FIVE, "weights", "reflection")


def run(found: Due, sessions: int, unfinished: tuple[str, ...] = ()) -> dict[str, Any]:
    steps = [{"step": step, "finished": step not in unfinished, "took": 1, "counts": {}} for step in found.steps]
    return {"trigger": found.trigger, "sessions": sessions, "steps": steps, "took": 1}


def lived(sessions: int) -> tuple[list[Due], list[dict[str, Any]]]:
    """What was due at the end of each of so many sessions, if all of it was always done."""
    found: list[Due] = []
    runs: list[dict[str, Any]] = []
    for number in range(1, sessions + 1):
        found.append(due(number, last_taken(runs)))
        runs.append(run(found[-1], number))
    return found, runs


def test_nothing_is_due_before_a_session_has_ended() -> None:
    """Nor twice after the same."""
    assert due(0, {}) == NOTHING
    found, runs = lived(1)
    assert found[0].steps
    assert due(1, last_taken(runs)) == NOTHING


def test_what_is_due_depends_on_how_many_sessions_have_ended() -> None:
    """Each has its own steps and budget, in the order of the pipeline; the rarer ones come on top."""
    found, _ = lived(41)
    for number, one in enumerate(found, 1):
        trigger = "twenty" if number % 20 == 0 else "five" if number % 5 == 0 else "session"
        steps = {"twenty": TWENTY, "five": FIVE, "session": SESSION}[trigger]
        assert (number, one.trigger, one.steps) == (number, trigger, steps)
        assert one.budget == BUDGETS[trigger]
    assert BUDGETS == {"session": 30, "five": 120, "twenty": 300}  # seconds


@pytest.mark.parametrize("step", TWENTY)
def test_a_step_that_was_not_finished_is_due_again(step: str) -> None:
    """At once, by itself, and until it was; the others are not."""
    _, runs = lived(19)
    whole = due(20, last_taken(runs))
    runs.append(run(whole, 20, (step,)))
    for _ in range(2):
        again = due(20, last_taken(runs))
        assert again.steps == (step,)
        runs.append(run(again, 20, (step,)))
    runs.append(run(due(20, last_taken(runs)), 20))
    assert due(20, last_taken(runs)) == NOTHING


@pytest.mark.parametrize("step", ("graph", "contradictions", "weights", "reflection"))
def test_what_was_not_finished_does_not_bring_its_whole_occasion_back(step: str) -> None:
    """A session later it comes with the steps of that session, and the others wait for their turn."""
    _, runs = lived(19)
    runs.append(run(due(20, last_taken(runs)), 20, (step,)))
    assert {*due(21, last_taken(runs)).steps} == {*SESSION, step}


def test_a_run_by_hand_counts_for_every_occasion() -> None:
    """For the steps that it took: the others are due as before."""
    by_hand = Due("by_hand", STEPS, 0)
    assert due(3, last_taken([run(by_hand, 3)])) == NOTHING
    assert due(7, last_taken([run(by_hand, 3)])).trigger == "session"
    assert due(8, last_taken([run(by_hand, 3)])).trigger == "five"
    assert due(23, last_taken([run(by_hand, 3)])).trigger == "twenty"
    only = Due("by_hand", ("graph",), 0)
    assert "graph" not in due(5, last_taken([run(only, 5)])).steps
    assert "contradictions" in due(5, last_taken([run(only, 5)])).steps


def test_sessions_that_ended_meanwhile_are_caught_up_with_at_once() -> None:
    """Whoever was away for a hundred sessions has one run to make, and not twenty."""
    found = due(100, {})
    assert (found.trigger, found.steps) == ("twenty", TWENTY)
    assert due(100, last_taken([run(found, 100)])) == NOTHING


def test_steps_that_a_later_version_took_are_passed_over() -> None:
    """What it is called nobody here knows."""
    strange = {"trigger": "yearly", "sessions": 1, "steps": [{"step": "dream", "finished": False}], "took": 1}
    assert due(0, last_taken([strange])) == NOTHING
