"""A summary of the sources' own sentences keeps what matters."""

from __future__ import annotations

import pytest

from tests.consolidate.summaries.stories import STORIES
from treering.consolidate.summaries.extract import COMPRESSION, LONGEST, summary
from treering.text.sentences import plain_sentences as sentences
from treering.text.words import folded

WEBHOOKS = [
    "The webhook worker timed out after 10 seconds last night. Stripe sent each event 3 times.",
    "Webhook worker still times out after 10 seconds: it holds a lock on orders while it calls the mail service.",
    "We decided to move the mail call into a queue. Do not raise the timeout, as Stripe gives up after 20 seconds.",
    "The mail call is in the queue since Monday. Had a nice chat about the holidays. The worker answers in 300 ms.",
]


@pytest.mark.parametrize("name", STORIES)
def test_every_word_of_a_summary_stands_in_a_source(name: str) -> None:
    texts = [text for _, text, _ in STORIES[name][1]]
    said = {word for text in texts for word in folded(text)}
    made = summary(texts)
    assert made
    assert {*folded(made)} <= said


@pytest.mark.parametrize("name", STORIES)
def test_each_sentence_of_a_summary_is_part_of_one_sentence_of_a_source(name: str) -> None:
    texts = [text for _, text, _ in STORIES[name][1]]
    whole = [" ".join(folded(sentence)) for text in texts for sentence in sentences(text)]
    for sentence in sentences(summary(texts)):
        assert any(" ".join(folded(sentence)) in one for one in whole), sentence


def test_a_summary_is_shorter_than_its_sources_and_never_longer_than_asked() -> None:
    texts = [f"On day {day} the crane lifted {day * 7} containers of the Maersk line. " * 3 for day in range(1, 5)]
    assert len(summary(texts)) <= sum(map(len, texts)) / COMPRESSION
    assert len(summary(texts * 9)) <= LONGEST
    assert len(summary(texts, 100)) <= 100


def test_denials_and_numbers_are_kept_where_room_is_short() -> None:
    made = summary(WEBHOOKS, 220)
    assert "Do not raise the timeout" in made
    assert "300 ms" in made


def test_sentences_come_in_the_order_of_time() -> None:
    made = summary(WEBHOOKS)
    places = [
        next(at for at, text in enumerate(WEBHOOKS) if sentence.rstrip(".") in text) for sentence in sentences(made)
    ]
    assert places == sorted(places)


def test_where_a_value_changed_the_newest_is_told() -> None:
    texts = [
        "The upload limit of the gallery is 5 MB.",
        "The upload limit of the gallery is 8 MB since the new disk.",
        "The upload limit of the gallery is 20 MB now, as Ines asked for it.",
    ]
    made = summary(texts, 80)
    assert "20 MB" in made
    assert "5 MB" not in made
    assert "8 MB" not in made


def test_nothing_is_said_twice() -> None:
    texts = ["Backups run at 03:00 on db-02."] * 4 + ["The backups of db-02 are kept for 30 days."]
    made = summary(texts)
    assert made.count("03:00") == 1
    assert "30 days" in made


def test_lists_headings_and_code_become_plain_sentences() -> None:
    texts = [
        "# Release\n\n- Tag the commit v2.1.0\n- Never push on Friday\n\n```\nmake release\n```",
        "Release done by Ines.",
    ]
    made = summary(texts)
    assert "#" not in made
    assert "```" not in made
    assert "Never push on Friday." in made


@pytest.mark.parametrize("texts", [[], [""], ["ok"], ["why?"], ["a" * 900]])
def test_sources_that_say_nothing_are_no_trouble(texts: list[str]) -> None:
    assert len(summary(texts)) <= LONGEST


def test_the_newest_source_is_always_told() -> None:
    texts = [
        "The CAMT.053 import from Sparkasse failed with XMLSyntaxError at 03:00 on gateway-2.",
        "The CAMT.053 file of Sparkasse has a byte order mark at the start, 3 bytes.",
        "The import works.",
    ]
    assert summary(texts, 120).endswith("The import works.")


def test_nothing_is_cut_from_its_denial_or_its_condition() -> None:
    texts = [
        "Added an index on journal_entries.",
        "Do not run the migration without CONCURRENTLY: it locked journal_entries for 4 minutes.",
        "The report is fast, but only if the cache is warm.",
    ]
    for room in range(40, 240, 10):
        made = summary(texts, room)
        assert "It locked" not in made
        assert "The report is fast." not in made
