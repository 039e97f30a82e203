"""How sure it is that the answer is among the hits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.recall.ranking import confidence
from treering.recall.scoring import Mix

WORDS = st.sampled_from("abcdefgh")


def test_what_is_mentioned_counts_by_its_weight() -> None:
    """Half of the confidence; the rarer word says more."""
    topic = {"parrot": 3.0, "eat": 1.0}
    assert confidence(topic, {"parrot", "eat"}, (), set()) == 1.0
    assert confidence(topic, {"parrot"}, (), set()) == 0.5 + 0.375
    assert confidence(topic, {"eat"}, (), set()) == 0.5 + 0.125
    assert confidence(topic, set(), (), set()) == 0.5


def test_a_name_that_was_never_heard_of_costs_the_other_half() -> None:
    """By its share of the names that are asked about."""
    topic = {"anna": 2.0, "ben": 2.0}
    assert confidence(topic, {"anna"}, ("anna", "ben"), set()) == 0.75
    assert confidence(topic, {"anna"}, ("anna", "ben"), {"ben"}) == 0.5
    assert confidence(topic, set(), ("anna", "ben"), {"anna", "ben"}) == 0.0


def test_a_question_about_nothing_is_answered_by_nothing() -> None:
    """It would be met with whatever is there."""
    assert confidence({}, set(), (), set()) == 0.0


@pytest.mark.parametrize(("mentioned", "silent"), [((), True), (("a",), True), (("a", "b"), False)])
def test_silence_begins_where_most_of_the_topic_is_missing(mentioned: tuple[str, ...], silent: bool) -> None:
    """A fifth of it mentioned is too little, two fifths are enough."""
    sure = confidence(dict.fromkeys("abcdef", 1.0), set(mentioned), (), set())
    assert (sure <= Mix().silent) == silent


@given(st.dictionaries(WORDS, st.floats(0, 20)), st.sets(WORDS), st.lists(WORDS), st.sets(WORDS))
def test_it_lies_between_nothing_and_one(
    topic: dict[str, float], mentioned: set[str], named: list[str], unknown: set[str]
) -> None:
    """And more that is mentioned never makes it less."""
    sure = confidence(topic, mentioned, named, unknown)
    assert -1e-9 <= sure <= confidence(topic, mentioned | set(topic), named, unknown) + 1e-9 <= 1 + 2e-9
