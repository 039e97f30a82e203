"""What may hold no longer is told behind what says otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

import treering

TUESDAY, THURSDAY = "We deploy to production on Tuesdays", "Thursday it is, from the next sprint on"


@pytest.fixture
def memory(tmp_path: Path) -> treering.Treering:
    return treering.open(tmp_path, project="shop")


def asked(memory: treering.Treering, k: int = 5) -> list[tuple[str, str]]:
    """What is told, each with the id of the one that it is older than."""
    found = memory.recall("when do we deploy to production", k=k)
    return [(hit.memory.content, hit.why.older_than) for hit in found.hits]


def test_the_newer_of_two_that_clash_is_told_first_though_nothing_finds_it(memory: treering.Treering) -> None:
    old, new = memory.remember(TUESDAY, origin="user"), memory.remember(THURSDAY, origin="user")
    assert asked(memory) == [(TUESDAY, "")]
    memory.truth.dispute(old.id, new.id)
    assert asked(memory) == [(THURSDAY, ""), (TUESDAY, new.id)]
    assert asked(memory, k=1) == [(THURSDAY, "")]


def test_what_is_decided_or_gone_is_doubted_no_more(memory: treering.Treering) -> None:
    old, new = memory.remember(TUESDAY, origin="user"), memory.remember(THURSDAY, origin="user")
    memory.truth.dispute(old.id, new.id)
    (one,) = memory.truth.contradictions()
    memory.truth.resolve(one.id, keep="both")
    assert asked(memory) == [(TUESDAY, "")]
    other = memory.remember("Every second Friday, says the calendar", origin="user")
    memory.truth.dispute(old.id, other.id)
    assert asked(memory)[0][0] == other.content
    memory.forget(other.id)
    assert asked(memory) == [(TUESDAY, "")]


def test_who_is_trusted_less_puts_nothing_in_doubt(memory: treering.Treering) -> None:
    """The person's older word leads the agent's newer one."""
    said, guessed = memory.remember(TUESDAY, origin="user"), memory.remember(THURSDAY, origin="agent")
    memory.truth.dispute(said.id, guessed.id)
    assert asked(memory) == [(TUESDAY, "")]


def test_what_another_project_says_otherwise_is_not_told(memory: treering.Treering) -> None:
    here = memory.remember(TUESDAY, origin="user", scope="user")
    there = memory.remember(THURSDAY, origin="user", project="blog", scope="project")
    memory.truth.dispute(here.id, there.id)
    assert asked(memory) == [(TUESDAY, "")]
