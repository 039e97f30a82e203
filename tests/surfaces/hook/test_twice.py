"""An agent may fire a hook twice for one event, even at once: it changes nothing, and is answered once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.hook.driving import (
    Agent,
    ended,
    environment_of,
    events,
    known,
    queued_events,
    rows,
    started,
    taken_in,
    writing,
)
from treering.ledger.events import CAPTURED, ENDED, RECALLED, REMEMBERED, SURFACED

FACT = "The staging database of the harbour is read-only after 18:00"
ASKED = "is the staging database of the harbour writable at 19:00?"
AT_ONCE = 6


def asked(agent: Agent, **more: Any) -> dict[str, Any]:
    return agent.payload("UserPromptSubmit", prompt=ASKED, prompt_id="p-17", **more)


def test_the_second_firing_is_silent_and_changes_nothing(agent: Agent, home: Path) -> None:
    known(home, FACT)
    assert FACT in agent.asks(ASKED, prompt_id="p-17")
    before = rows(home, "SELECT * FROM inbox"), rows(home, "SELECT * FROM shown")
    assert agent.asks(ASKED, prompt_id="p-17") == ""
    assert (rows(home, "SELECT * FROM inbox"), rows(home, "SELECT * FROM shown")) == before
    assert len(events(home, RECALLED)) == len(events(home, SURFACED)) == 1
    agent.asks(ASKED, prompt_id="p-17")
    assert len(events(home, RECALLED)) == 1


def test_fired_at_once_by_several_processes_it_is_answered_once(agent: Agent, home: Path) -> None:
    known(home, FACT)
    for number in range(3):
        payload = json.dumps(agent.payload("UserPromptSubmit", prompt=ASKED, session_id=f"at-once-{number}")).encode()
        processes = [started("UserPromptSubmit", environment_of(home)) for _ in range(AT_ONCE)]
        said = [ended(process, payload) for process in processes]
        assert {one.code for one in said} == {0}
        assert sorted(bool(one.context) for one in said) == [False] * (AT_ONCE - 1) + [True]
    assert len(queued_events(home)) == 3
    assert len(events(home, RECALLED)) == len(events(home, SURFACED)) == 3


@pytest.mark.parametrize("event", ["SessionStart", "PostToolUseFailure", "PostCompact", "Stop", "SessionEnd"])
def test_every_event_is_one_queued_event_however_often_it_is_fired(event: str, agent: Agent, home: Path) -> None:
    given = {
        "source": "startup",
        "tool_use_id": "t-1",
        "tool_name": "Bash",
        "tool_input": {"command": "make"},
        "error": "Exit code 2",
        "compact_summary": "We looked at the harbour.",
        "last_assistant_message": "Done.",
    }
    for _ in range(3):
        agent.does(event, **given)
    assert [queued["event"] for queued in queued_events(home)] == [event]
    first = len(events(home))
    agent.does(event, **given)
    assert len(events(home)) == first


def test_a_queued_event_that_came_through_the_spool_and_again_is_one(agent: Agent, home: Path) -> None:
    known(home, FACT)
    with writing(home):
        agent.asks(ASKED, prompt_id="p-17")
    agent.asks(ASKED, prompt_id="p-17")
    assert len(events(home, RECALLED)) == 1 and len(queued_events(home)) == 1


def test_the_same_words_in_another_prompt_are_another_event(agent: Agent, home: Path) -> None:
    agent.asks("look at the staging harbour once more")
    agent.asks("look at the staging harbour once more")
    assert len(queued_events(home)) == 2


def test_equal_events_of_two_sessions_are_two(agent: Agent, home: Path, shop: Path) -> None:
    known(home, FACT)
    assert FACT in agent.asks(ASKED, prompt_id="p-1")
    assert FACT in Agent(home, shop, "s2").asks(ASKED, prompt_id="p-1")
    assert [event.session for event in events(home, SURFACED)] == ["s1", "s2"]


def test_what_is_kept_from_a_prompt_is_kept_once(agent: Agent, home: Path) -> None:
    for _ in range(2):
        agent.asks("Remember that the harbour crane is painted yellow", prompt_id="p-1")
        with taken_in(home) as memory:
            memory.maintenance.run()
    agent.asks("Remember that the harbour crane is painted yellow", prompt_id="p-2")
    assert len(events(home, CAPTURED)) == len(events(home, REMEMBERED)) == 1


def test_a_resumed_session_ends_again(agent: Agent, home: Path) -> None:
    """Claude Code gives the same reason both times, and nothing else to tell the two ends apart."""
    for source in ("startup", "resume"):
        agent.starts(source)
        agent.asks("look at the staging harbour once more")
        agent.ends()
        agent.ends()
        with taken_in(home) as memory:
            memory.maintenance.run()
    assert len(events(home, ENDED)) == 2
