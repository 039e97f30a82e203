"""What a person says anew takes the place of what it surely replaces, and can be taken back."""

from __future__ import annotations

import pytest

import treering
from treering.ledger.types import RECALLABLE
from treering.truth.claims import asked

OLD = "We deploy to production on Tuesdays"


@pytest.mark.parametrize(
    "new",
    (
        "actually we deploy on Thursdays now",
        "we moved deploys to Thursdays",
        "That's wrong: deploys are on Thursdays",
    ),
)
def test_the_newer_word_of_the_user_stands_alone(new: str) -> None:
    memory = treering.open(":memory:")
    old = memory.remember(OLD, origin="user")
    memory.remember(new, origin="user")
    assert memory.get(old.id).status == "superseded"
    assert [hit.memory.content for hit in memory.recall("when do we deploy?").hits] == [new]


def test_a_statement_replaces_only_the_memory_that_it_is_about() -> None:
    memory = treering.open(":memory:")
    port = memory.remember("The staging API listens on port 8080", origin="user")
    other = memory.remember("The staging API is restarted on Sundays", origin="user")
    memory.remember("The staging API listens on port 9090 now", origin="user")
    assert memory.get(port.id).status == "superseded"
    assert memory.get(other.id).status in RECALLABLE


def test_undoing_it_brings_the_older_back_for_good() -> None:
    memory = treering.open(":memory:")
    old = memory.remember(OLD, origin="user")
    new = memory.remember("actually we deploy on Thursdays now", origin="user")
    memory.undo(new.id)
    assert memory.get(old.id).status in RECALLABLE


@pytest.mark.parametrize(
    ("new", "origin"),
    [("Deploys of the docs need no review", "user"), ("actually we deploy on Thursdays now", "agent")],
)
def test_what_is_about_something_else_or_not_said_by_a_person_replaces_nothing(new: str, origin: str) -> None:
    memory = treering.open(":memory:")
    old = memory.remember(OLD, origin="user")
    memory.remember(new, origin=origin)
    assert memory.get(old.id).status in RECALLABLE


class TestDoubt:
    OLD, SAID = (
        "Wir deployen dienstags in die Produktion",
        "Das stimmt nicht: in die Produktion deployt wird donnerstags",
    )

    def test_what_only_may_be_out_of_date_stands_beside_the_newer_one_and_nobody_is_asked(self) -> None:
        memory = treering.open(":memory:")
        old = memory.remember(self.OLD, origin="user")
        new = memory.remember(self.SAID, origin="user")
        (doubt,) = memory.truth.contradictions()
        assert (doubt.older.id, doubt.newer.id, doubt.is_asked) == (old.id, new.id, False)
        assert memory.get(old.id).status in RECALLABLE and not asked([doubt])

    def test_a_person_may_decide_it_like_a_contradiction(self) -> None:
        memory = treering.open(":memory:")
        old = memory.remember(self.OLD, origin="user")
        memory.remember(self.SAID, origin="user")
        (doubt,) = memory.truth.contradictions()
        memory.truth.resolve(doubt.id, keep="B")
        assert memory.get(old.id).status == "superseded" and not memory.truth.contradictions()

    def test_what_an_agent_says_puts_no_word_of_a_person_in_doubt(self) -> None:
        memory = treering.open(":memory:")
        memory.remember(self.OLD, origin="user")
        memory.remember(self.SAID, origin="agent")
        assert not memory.truth.contradictions()


def test_an_invariant_is_never_replaced_unasked() -> None:
    memory = treering.open(":memory:")
    old = memory.remember(OLD, invariant=True, origin="user")
    memory.remember("actually we deploy on Thursdays now", origin="user")
    assert memory.get(old.id).status in RECALLABLE
