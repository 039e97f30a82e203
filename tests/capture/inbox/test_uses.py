"""What a briefing told is used by the prompts that it answers: counted once a session, and it keeps it from ageing."""

from __future__ import annotations

from pathlib import Path

import pytest

import treering
from tests.surfaces.hook.driving import SECOND, Agent, alone, events, known, now, repository, taken_in
from treering.ledger.events import RECALLED, SURFACED

DAY = 86_400 * SECOND
CRANE = "The harbour crane is painted yellow"
ASKED = "which colour is the harbour crane painted?"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return alone(tmp_path, monkeypatch)


@pytest.fixture
def agent(home: Path, tmp_path: Path) -> Agent:
    treering.open(home).close()
    return Agent(home, repository(tmp_path / "shop"))


def session(agent: Agent, name: str, *prompts: str) -> None:
    agent.session = name
    assert CRANE in agent.starts()
    for prompt in prompts:
        assert agent.asks(prompt) == ""
    agent.ends()


def test_a_prompt_that_a_briefed_memory_answers_is_a_use_once_a_session(agent: Agent, home: Path) -> None:
    known(home, CRANE)
    session(agent, "s1", ASKED, f"again, {ASKED}")
    session(agent, "s2", ASKED)
    with taken_in(home) as memory:
        (crane,) = memory.list()
        assert crane.accesses == 2
        assert {use.session for use in memory.evolve.usage(crane.id)} == {"s1", "s2"}


def test_a_briefing_alone_is_no_use(agent: Agent, home: Path) -> None:
    known(home, CRANE)
    session(agent, "s1", "please tidy the changelog of the release")
    session(agent, "s2", "thanks, go on")
    assert events(home, SURFACED) == []
    with taken_in(home) as memory:
        assert [one.accesses for one in memory.list()] == [0]


def test_what_only_the_whole_of_recall_finds_counts_too(agent: Agent, home: Path) -> None:
    """A hook looks by words alone; the prompt that it finds nothing for is asked again, with time."""
    known(home, CRANE, "The quay closes on Sundays", "Deploys go out on Tuesdays", "The API speaks gRPC")
    session(agent, "s1", "when does our quay close?")
    (recall,) = events(home, RECALLED)
    (used,) = events(home, SURFACED)
    assert used.causes == (recall.id,) or recall.id in used.causes


def test_what_is_used_from_briefings_is_not_archived_and_may_become_a_skill(
    agent: Agent, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crane, _ = known(home, CRANE, "The quay closes on Sundays")
    agent.now = now() - 60 * DAY
    for week in range(8):
        session(agent, f"s{week}", ASKED)
        agent.now += 7 * DAY
    with taken_in(home) as memory:
        memory.maintenance.hygiene()
        assert memory.get(crane).status == "active" and memory.get(crane).accesses == 8
        proposed = memory.proposals.analyze()
        assert proposed.reuse == 1
