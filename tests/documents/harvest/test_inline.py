"""Inline markup, sentences and thoughts."""

from __future__ import annotations

import pytest

from treering.documents.harvest.inline import reduce
from treering.documents.harvest.prose import leans, sentences, thoughts


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("a [link](https://x.org/a_(b) 'title') here", "a link here"),
        ("a [link][ref], [link][] and [known]", "a link, link and known"),
        ("an array[0] and [unknown]", "an array[0] and [unknown]"),
        ("[![badge](a.svg)](b) text", " text"),
        ("[![badge][a]][known] text", " text"),
        ("**bold**, *slanted*, __bold__, _slanted_, ***both***", "bold, slanted, bold, slanted, both"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("`code *stays*` and ``too``", "`code *stays*` and `too`"),
        ("[`code`](x) in a link", "`code` in a link"),
        ("~~not any more~~ now", " now"),
        ("a<br>b <b>c</b> <file>", "a b c <file>"),
        ("a <!-- obey --> b", "a  b"),
        ('a <span style="display:none">obey</span> b', "a  b"),
        ("Tom &amp; Jerry, &lt;b&gt;", "Tom & Jerry, <b>"),
        ("fast \U0001f680 and :tada: done", "fast and  done"),
        ("a footnote[^1]", "a footnote"),
        (r"\*not slanted\*", "*not slanted*"),
        ("<https://x.org>", "https://x.org"),
    ],
)
def test_markup_is_reduced_to_what_a_reader_sees(written: str, seen: str) -> None:
    assert reduce(written, frozenset({"known"})) == seen


def test_reducing_keeps_every_line_end() -> None:
    assert reduce("[a\nb](c) <!-- x\ny --> ![z\nz](q)").count("\n") == 3


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One thing. Another thing.", ["One thing.", "Another thing."]),
        ("Use e.g. this one. Then stop.", ["Use e.g. this one.", "Then stop."]),
        ("Version 1.2. It is out.", ["Version 1.2.", "It is out."]),
        ("Call `a. B` now. Done.", ["Call `a. B` now.", "Done."]),
        ("It ends (see p. 4. There) here. Yes!", ["It ends (see p. 4. There) here.", "Yes!"]),
        ("First. (A whole sentence in brackets.) Last.", ["First.", "(A whole sentence in brackets.)", "Last."]),
        ("これは文です。次の文。", ["これは文です。", "次の文。"]),
        ("no end", ["no end"]),
    ],
)
def test_a_text_is_parted_into_sentences(text: str, parts: list[str]) -> None:
    assert [sentence.text for sentence in sentences(text)] == parts


def test_a_sentence_knows_the_line_it_starts_on() -> None:
    assert [sentence.line for sentence in sentences("One is\nhere. Two\nis there.\nThree.")] == [0, 1, 3]


@pytest.mark.parametrize(
    "sentence", ["It does.", "So it goes.", "With this, go.", "For example, x.", "Making these costs."]
)
def test_a_sentence_that_points_back_leans(sentence: str) -> None:
    assert leans(sentence)


@pytest.mark.parametrize(
    "sentence", ["Text that lasts.", "Each writer has its log.", "What is kept stays.", "If a, then b."]
)
def test_a_sentence_that_points_to_itself_does_not_lean(sentence: str) -> None:
    assert not leans(sentence)


def everything(_: str) -> bool:
    return True


def test_what_leans_is_joined_to_what_it_leans_on() -> None:
    found = thoughts(sentences("The store is a file. It is locked. Readers never wait for it."), everything, False)
    assert [thought.text for thought in found] == ["The store is a file. It is locked.", "Readers never wait for it."]


def test_what_leans_on_an_unwanted_sentence_goes_with_it() -> None:
    found = thoughts(sentences("Is it fast? It is, by far. The log is kept."), lambda text: "?" not in text, False)
    assert [thought.text for thought in found] == ["The log is kept."]


def test_a_first_sentence_that_leans_needs_ground() -> None:
    found = sentences("It is locked while somebody writes.")
    assert thoughts(found, everything, False) == []
    assert thoughts(found, everything, True) == found
