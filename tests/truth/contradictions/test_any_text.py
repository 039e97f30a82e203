"""What holds for any two texts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.text.words import STOP_WORDS
from treering.truth.contradictions import KINDS, MOST_TERMS, between, terms
from treering.truth.contradictions.read.quantity import quantities
from treering.truth.contradictions.read.sentence import LONGEST_TEXT
from treering.truth.contradictions.read.statement import MOST_STATEMENTS, statements
from treering.truth.contradictions.read.tokens import stem, tokens

PIECES = """The the a our timeout cache server Redis Postgres `main` is are was not never no without don't use prefers
moved from to in on with by for of instead and or , : ; . ? ! ( ) " \n - = 30 s 2 minutes 3.12 v2 14 March 2026 Monday
9:30 pm Q1 the 12th every weekly half one enabled disabled off gone dropped replaced also if when because so that Ana's
İ ß é 世界 \U0001f600 \u2019 \x00 ``` %APPDATA% https://x.org/a 1,000 >=3.9 $5 5% Dr. e.g. -- \u2014""".split(" ")
SENTENCES = st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join)
ANY_TEXT = st.text(st.characters(), max_size=80) | SENTENCES


@settings(max_examples=500, deadline=None)
@given(ANY_TEXT, ANY_TEXT)
def test_the_verdict_does_not_depend_on_the_order(one: str, other: str) -> None:
    assert (between(one, other) is None) == (between(other, one) is None)


@settings(max_examples=500, deadline=None)
@given(SENTENCES, SENTENCES)
def test_values_lie_within_their_texts(one: str, other: str) -> None:
    found = between(one, other)
    if found is not None:
        assert found.kind in KINDS
        assert 0 <= found.ours[0] < found.ours[1] <= len(one)
        assert 0 <= found.theirs[0] < found.theirs[1] <= len(other)


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT)
def test_a_text_does_not_contradict_its_equal(text: str) -> None:
    assert between(text, text) is None
    assert between(text, f" {text}") is None or len(statements(text)) > 1


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT)
def test_terms_are_few_folded_different_and_say_something(text: str) -> None:
    found = terms(text)
    assert len(found) == len(set(found)) <= MOST_TERMS
    assert all(word == word.lower() and word not in STOP_WORDS for word in found)


@settings(max_examples=300, deadline=None)
@given(SENTENCES)
def test_each_token_belongs_to_one_amount_at_the_most(text: str) -> None:
    found = quantities(tokens(text, 0, len(text)))
    assert all(one.end <= other.first for one, other in pairwise(found))


def test_terms_keep_the_order_of_the_text() -> None:
    assert terms("The request timeout of the API is 30 s, not the timeout of the client.") == (
        "request",
        "timeout",
        "api",
        "client",
    )


@pytest.mark.parametrize("text", ["", " ", "?", "…", "a", "```", "`", '"', "\n\n", "30", "no", "not not not not"])
def test_texts_that_state_nothing_contradict_nothing(text: str) -> None:
    assert between(text, "The request timeout is 30 s.") is None


@pytest.mark.parametrize(
    "piece",
    [
        "The timeout is 30 s. ",
        "a",
        "( ",
        "` ",
        '"a b ',
        "x, ",
        "not ",
        "1.",
        "-a",
        ": ",
        "```\n",
        "'",
        "the 12th of ",
        "A. ",
    ],
)
def test_a_long_text_costs_no_more_than_its_beginning(piece: str) -> None:
    """Only so much is read, and no pattern goes over it again and again."""
    long = piece * (5 * LONGEST_TEXT // len(piece))
    assert len(statements(long)) <= MOST_STATEMENTS
    assert statements(long) == statements(long[:LONGEST_TEXT])
    assert between(long, "The timeout is 90 s on a long day of the 12th.") is None or piece.startswith("The timeout")


def test_a_text_in_another_script_is_read_without_harm() -> None:
    found = between("超时是 30 秒。", "超时是 60 秒。")
    assert found is not None and found.kind == "number"
    assert between("サーバーは東京にあります。", "サーバーは大阪にあります。") is None


@pytest.mark.parametrize(
    "words",
    [
        "use uses used using",
        "deploy deploys deployed deploying deployment",
        "format formats formatted formatting formatter",
        "query queries",
        "class classes",
        "cache caches cached caching",
        "run runs running ran",
        "policy policies",
    ],
)
def test_forms_of_a_word_have_one_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize("one, other", [("user", "use"), ("string", "strung"), ("bus", "bu"), ("news", "new")])
def test_words_that_only_look_like_forms_keep_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)
