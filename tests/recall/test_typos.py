"""Words that were meant, when nothing matches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.recall.asking import told
from tests.world import fresh
from treering.recall.query.analysis import correct, distance

LETTERS = st.text("abc", max_size=6)


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        ("lock", "lock", 0),
        ("lock", "lokc", 1),
        ("lock", "lck", 1),
        ("lock", "clock", 1),
        ("lock", "look", 1),
        ("lock", "kcol", 3),
        ("", "ab", 2),
    ],
)
def test_slips_are_letters_added_dropped_changed_or_swapped(one: str, other: str, slips: int) -> None:
    """In either direction."""
    assert distance(one, other, 5) == distance(other, one, 5) == slips


@given(LETTERS, LETTERS, st.integers(0, 3))
def test_a_bound_saves_work_and_changes_nothing(one: str, other: str, most: int) -> None:
    """Up to it the distance is exact, beyond it any greater number."""
    exact, bounded = distance(one, other, 99), distance(one, other, most)
    assert bounded == exact if exact <= most else bounded > most


def test_words_are_taken_for_those_that_they_begin_or_nearly_are() -> None:
    """Short ones are not guessed at; a beginning wins over a slip."""
    memory = fresh()
    memory.remember("the migration locked the migrants table; a kettle and a kitten")
    index = memory.store.index
    assert correct(index, ["migr"]) == ["migrat", "migrant"]
    assert correct(index, ["ketle", "migraton"]) == ["kettl", "migrant", "migrat"]
    assert correct(index, ["kit", "lo", ""]) == []
    assert correct(index, ["submarine", "qettle"]) == []


@pytest.mark.parametrize("query", ["parrt", "parort", "parrrot", "parr", "Parrto"])
def test_a_slip_finds_what_was_meant(query: str) -> None:
    """By words alone, without a meaning to help."""
    memory = fresh()
    memory.remember("The parrot eats seeds")
    memory.remember("The kettle is green")
    assert told(memory.recall(query, strategy="keyword")) == ["The parrot eats seeds"]


def test_nothing_is_corrected_while_anything_matches() -> None:
    """A word that is there is meant, though another is near to it."""
    memory = fresh()
    memory.remember("A carrot is orange")
    parrot = memory.remember("The parrot eats seeds")
    found = memory.recall("parrot carott", strategy="keyword", silent=False)
    assert [hit.memory.id for hit in found.hits] == [parrot.id]


@pytest.mark.parametrize(("query", "stored"), [("profit", "the profile page"), ("state", "the stage is set")])
def test_a_word_of_the_language_is_no_slip(query: str, stored: str) -> None:
    """However near another is: who asks for the profit does not mean the profile."""
    memory = fresh()
    memory.remember(stored)
    assert correct(memory.store.index, [query]) == []
    assert told(memory.recall(query, strategy="keyword")) == []


def test_a_corrected_word_counts_less_than_the_word_itself() -> None:
    """In the score, and in how sure it is."""
    memory = fresh()
    memory.remember("The parrot eats seeds")
    memory.remember("The kettle is green")
    exact, corrected = memory.recall("parrot", strategy="keyword"), memory.recall("parrt", strategy="keyword")
    assert corrected.hits[0].score < exact.hits[0].score
    assert corrected.confidence < exact.confidence


def test_a_corrected_word_counts_as_mentioned() -> None:
    """Or every slip would be met with silence."""
    memory = fresh()
    memory.remember("The parrot eats seeds")
    memory.remember("The kettle is green")
    assert memory.recall("parrt").confidence > 0.6
    assert memory.recall("zebra crossing").abstained
