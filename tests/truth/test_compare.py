"""Two memories that cannot both hold are told from two that can, by learned judgement."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.text.words import STOP_WORDS
from treering.truth.compare import KINDS, MOST_TERMS, between, terms

PIECES = """The the a our timeout cache server Redis Postgres `main` is are was not never no without don't use prefers
moved from to in on with instead and or , : ; . ? ! ( ) " \n - = 30 s 3.12 v2 14 March 2026 Monday 9:30 pm off gone
İ ß é 世界 \U0001f600 \u2019 \x00 ``` %APPDATA% https://x.org/a 1,000 >=3.9 $5 5% Dr. e.g. --""".split(" ")
SENTENCES = st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join)
ANY_TEXT = st.text(st.characters(), max_size=80) | SENTENCES
LONG = 100_000  # characters


@settings(max_examples=100, deadline=None)
@given(ANY_TEXT, ANY_TEXT)
def test_values_lie_within_their_texts(one: str, other: str) -> None:
    found = between(one, other)
    if found is not None:
        assert found.kind in KINDS
        assert 0 <= found.ours[0] <= found.ours[1] <= len(one)
        assert 0 <= found.theirs[0] <= found.theirs[1] <= len(other)


@settings(max_examples=50, deadline=None)
@given(ANY_TEXT)
def test_a_text_does_not_contradict_its_equal(text: str) -> None:
    assert between(text, text) is None


@settings(max_examples=100, deadline=None)
@given(ANY_TEXT)
def test_terms_are_few_folded_different_and_say_something(text: str) -> None:
    found = terms(text)
    assert len(found) == len(set(found)) <= MOST_TERMS
    assert all(word == word.lower() and word not in STOP_WORDS for word in found)


def test_terms_keep_the_order_of_the_text() -> None:
    said = terms("The request timeout of the API is 30 s, not the timeout of the client.")
    assert said == ("request", "timeout", "api", "client")


@pytest.mark.parametrize("text", ["", " ", "?", "…", "a", "```", '"', "\n\n", "30", "no", "not not not not"])
def test_texts_that_state_nothing_contradict_nothing(text: str) -> None:
    assert between(text, "The request timeout is 30 s.") is None


@pytest.mark.parametrize("piece", ["The timeout is 30 s. ", "a", "( ", "` ", '"a b ', "not ", "1.", "```\n", "A. "])
def test_a_document_is_not_compared(piece: str) -> None:
    long = piece * (LONG // len(piece))
    assert between(long, long[:-3]) is None


def test_a_value_is_quoted_from_both_texts() -> None:
    older, newer = "The request timeout is 30 seconds", "The request timeout is 60 seconds now"
    found = between(older, newer)
    assert found is not None
    assert (found.kind, older[slice(*found.ours)], newer[slice(*found.theirs)]) == ("number", "30", "60")
