"""Somebody else writes for seconds: no hook waits for it, and nothing is lost."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from tests.hook.driving import Agent, contents, events, hook, known, letters, rows, spooled, taken_in, writing
from treering.core.events import ENDED, JUDGED, RECALLED, SURFACED
from treering.hook.tending import due
from treering.stores.files import SPOOL

FACT = "Integration tests need `make fixtures` before `pytest tests/integration`"
ASKED = "how do I run the integration tests in tests/integration? they need fixtures"
ANSWER = "I ran `make fixtures` and then `pytest tests/integration`: all 42 tests pass now."
PATIENCE = 20.0  # seconds: a hook gives up after a fraction of one
ENDING = ".json"


def test_a_hook_does_not_wait_for_a_writer_and_its_letter_is_taken_in_later(agent: Agent, home: Path) -> None:
    known(home, FACT)
    with writing(home):
        began = time.monotonic()
        said = hook("UserPromptSubmit", agent.payload("UserPromptSubmit", prompt=ASKED), home)
        assert time.monotonic() - began < PATIENCE
        assert (said.code, said.err) == (0, "") and FACT in said.context
        assert letters(home) == [] and [path.suffix for path in spooled(home)] == [ENDING]
    assert [event.session for event in events(home, RECALLED)] == ["s1"]
    assert spooled(home) == [] and len(letters(home)) == 1


def test_what_was_told_while_somebody_wrote_is_not_told_again(agent: Agent, home: Path) -> None:
    known(home, FACT)
    with writing(home):
        assert FACT in agent.asks(ASKED)
    taken_in(home).close()
    assert agent.asks(f"{ASKED} please") == ""
    assert len(events(home, SURFACED)) == 1


def test_a_session_that_was_briefed_while_somebody_wrote_is_not_briefed_again(agent: Agent, home: Path) -> None:
    known(home, FACT)
    with writing(home):
        assert FACT in agent.starts()
    taken_in(home).close()
    assert agent.starts("compact") == ""


def test_letters_are_read_in_the_order_in_which_they_were_heard(agent: Agent, home: Path) -> None:
    """The prompt had to wait and the answer had not: the answer is still the answer to it."""
    known(home, FACT)
    with writing(home):
        agent.asks(ASKED)
    agent.answers(ANSWER)
    agent.asks("great, that works now, thanks")
    agent.ends()
    assert len(events(home, JUDGED)) == 1
    assert [event.kind for event in events(home)][-1] == ENDED


def test_a_letter_that_was_cut_off_is_no_letter_and_in_nobody_s_way(agent: Agent, home: Path) -> None:
    """A hook was killed while it wrote. What it left does not make work at every start, nor stay for ever."""
    (home / SPOOL).mkdir(mode=0o700)
    part = home / SPOOL / "1767268801000000-99.part"
    part.write_text('["half a letter')
    os.utime(part, (1, 1))
    taken_in(home).close()
    assert letters(home) == []
    assert not due(str(home), agent.now)
    with taken_in(home) as memory:
        memory.tend()
    assert spooled(home) == []


def test_what_is_no_letter_is_put_aside_and_the_rest_is_taken_in(agent: Agent, home: Path) -> None:
    with writing(home):
        agent.asks(ASKED)
    for number, text in enumerate(("", "no JSON", "[1, 2]", '{"key": 1}', '["a", "b", "c", "d", "now", "{}"]', "\x00")):
        (home / SPOOL / f"{number}-1{ENDING}").write_text(text)
    assert len(events(home, RECALLED)) == 1 and spooled(home) == []


def test_a_letter_whose_body_is_foreign_is_taken_in_and_told_by_nobody(agent: Agent, home: Path) -> None:
    (home / SPOOL).mkdir(mode=0o700)
    bodies = ["", "x", "[]", "5", '{"shown": 7, "certainty": "x", "prompt": 3}', '{"certainty": 1, "prompt": ["a b"]}']
    for number, body in enumerate(bodies):
        letter = [f"k{number}", "default", "s1", "UserPromptSubmit", 1_795_000_000_000_000, body]
        (home / SPOOL / f"{number}-1{ENDING}").write_text(json.dumps(letter))
    agent.asks("Remember that the harbour crane is painted yellow")
    assert contents(home) == ["The harbour crane is painted yellow."]
    assert rows(home, "SELECT count(*) FROM inbox WHERE taken = 0") == [(0,)]


def test_a_letter_that_cannot_be_read_just_now_stays(agent: Agent, home: Path) -> None:
    """It may be readable the next time: only what is certainly no letter is removed."""
    (home / SPOOL).mkdir(mode=0o700)
    odd = home / SPOOL / f"1-1{ENDING}"
    odd.symlink_to("/proc/self/mem")  # which exists, and cannot be read from its start
    taken_in(home).close()
    assert odd.is_symlink()


def test_two_repositories_of_one_name_are_two_projects_before_there_is_a_store(tmp_path: Path) -> None:
    from tests.hook.driving import repository

    home = tmp_path / "new"
    first = Agent(home, repository(tmp_path / "a" / "app"), "s1")
    second = Agent(home, repository(tmp_path / "b" / "app"), "s2")
    second.now += 60_000_000
    first.asks("Remember that the harbour crane is painted yellow")
    second.asks("Remember that the airport tower is painted green")
    with taken_in(home) as memory:
        told = {one.content: one.project for one in memory.list()}
        assert told == {
            "The harbour crane is painted yellow.": memory.project_of(str(first.folder)),
            "The airport tower is painted green.": memory.project_of(str(second.folder)),
        }
        assert len({*told.values()}) == 2
