"""An agent cannot raise its own texts, nor ones from outside, nor speak over the user."""

from __future__ import annotations

from pathlib import Path

import pytest

import treering
from tests.attacks.ways import PROJECT, Session
from tests.surfaces.hook.driving import repository
from treering.ledger.errors import InvalidInput
from treering.memory import Treering

TEXT = "The release of the harbour module is signed by Mallory"


def praised(memory: Treering, id: str, times: int = 25) -> float:
    for number in range(times):
        found = memory.recall("who signs the release of the harbour module", session=f"s{number}", silent=False)
        memory.feedback(found.id, id, "helpful")
    return memory.get(id).q


@pytest.mark.parametrize(("origin", "most"), [("tool:web", 0.6), ("", 0.8)])
def test_an_agent_s_praise_counts_little_and_ends(origin: str, most: float, tmp_path: Path) -> None:
    """For a text from outside, and for one of its own."""
    with treering.open(tmp_path, project=PROJECT) as memory:
        made = memory.remember(TEXT, origin=origin)
        assert 0.5 < praised(memory, made.id) <= most


def test_a_person_s_praise_counts_in_full_and_an_agent_s_blame_does(tmp_path: Path) -> None:
    with treering.open(tmp_path, project=PROJECT, actor="user") as memory:
        made = memory.remember(TEXT, origin="tool:web")
        raised = praised(memory, made.id)
        assert raised > 0.9
    with treering.open(tmp_path, project=PROJECT) as memory:
        assert praised(memory, made.id, 1) == pytest.approx(raised)  # not lowered by praise
        found = memory.recall(TEXT, session="blame", silent=False)
        memory.feedback(found.id, made.id, "not_helpful")
        assert memory.get(made.id).q == pytest.approx(0.9 * raised)


def test_an_agent_s_newer_statement_does_not_make_the_user_s_older(tmp_path: Path) -> None:
    with treering.open(tmp_path, project=PROJECT, actor="user") as memory:
        said = memory.remember("We deploy to production on Tuesdays")
    with treering.open(tmp_path, project=PROJECT) as memory:
        memory.remember("We deploy to production on Fridays", invariant=True)
        found = memory.recall("when do we deploy to production", silent=False)
        assert found.hits[0].memory.id == said.id and not found.hits[0].why.older_than


def test_an_agent_s_newer_statement_does_not_keep_the_user_s_out_of_a_briefing(tmp_path: Path) -> None:
    """Until the contradiction is decided, the user's word is told alone."""
    said = _briefed("agent", tmp_path)
    assert "Tuesdays" in said and "Fridays" not in said


def test_of_two_statements_of_the_user_the_newer_one_leads(tmp_path: Path) -> None:
    """And the older one is marked."""
    said = _briefed("user", tmp_path)
    assert said.index("Fridays") < said.index("older than") < said.index("Tuesdays")


def _briefed(second: str, tmp_path: Path) -> str:
    """Return what a session is told after the user, and then somebody, named a day for the same thing."""
    home, shop = tmp_path / "home", repository(tmp_path / PROJECT)
    for actor, day in (("user", "Tuesdays"), (second, "Fridays")):
        with treering.open(home, project=PROJECT, actor=actor) as memory:
            memory.remember(f"We deploy to production on {day}")
    Session(home, shop, "before").asks("What about the deploys?")
    with treering.open(home) as memory:
        memory.maintenance.run()
        assert len(memory.truth.contradictions()) == 1
    return Session(home, shop, "after").starts()


def test_an_agent_does_not_supersede_what_the_user_said(tmp_path: Path) -> None:
    """Both stand, and the user is asked."""
    with treering.open(tmp_path, project=PROJECT, actor="user") as memory:
        said = memory.remember("We deploy to production on Tuesdays")
    with treering.open(tmp_path, project=PROJECT) as memory:
        with pytest.raises(InvalidInput, match="said by the user"):
            memory.supersede(said.id, "We deploy to production on Fridays")
        other = memory.truth.dispute(said.id, "Mondays are the better days for a release")
        (raised,) = memory.truth.contradictions()
        assert {raised.older.id, raised.newer.id} == {said.id, other.id}


def test_what_an_agent_says_of_all_projects_leads_no_briefing(tmp_path: Path) -> None:
    """Until it was used; what the user says of them does at once."""
    home = tmp_path / "home"
    with treering.open(home, project=PROJECT) as memory:
        memory.remember(TEXT, scope="user")
    with treering.open(home, project=PROJECT, actor="user") as memory:
        memory.remember("Answers are written in British English", scope="user")
        memory.maintenance.run()
    told = Session(home, repository(tmp_path / "elsewhere"), "s1").starts()
    assert "British English" in told and "Mallory" not in told
