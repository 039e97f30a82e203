"""Words of texts, and the pieces of names."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.text.words import LONGEST_NAME, STOP_WORDS, compounds, folded, parts, words

ANY_TEXT = st.text(st.characters(codec=None))


@given(ANY_TEXT)
def test_words_are_runs_of_letters_and_digits(text: str) -> None:
    """In any script, and in texts that are not valid Unicode."""
    assert words(text) == re.findall(r"[^\W_]+", text)


@given(ANY_TEXT)
def test_folding_changes_no_count(text: str) -> None:
    """There is one folded word for each word, in its place."""
    assert folded(text) == [word.lower() for word in words(text)]


def test_a_contraction_leaves_no_word_to_search_for() -> None:
    """An apostrophe parts a word, and both halves say nothing; nor does a negation."""
    assert STOP_WORDS.issuperset(folded("I don't, you wouldn't, they've not, it isn't, no"))


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("getUserName", "get User Name"),
        ("HTTPServer", "HTTP Server"),
        ("parseHTTPResponse", "parse HTTP Response"),
        ("snake_case_name", "snake case name"),
        ("kebab-case", "kebab case"),
        ("os.path.join", "os path join"),
        ("src/recall/words.py", "src recall words py"),
        ("OAuth2Client", "O Auth2 Client"),
        ("straßenName", "straßen Name"),
        ("sha256", "sha256"),
        ("k8s", "k8s"),
        ("URLs", "URLs"),
        ("FOO_BAR", "FOO BAR"),
        ("X", "X"),
        ("", ""),
    ],
)
def test_a_name_falls_into_its_pieces(name: str, pieces: str) -> None:
    """At capitals and at punctuation; letters and digits stay together, and so does a plural."""
    assert parts(name) == pieces.split()


@given(ANY_TEXT)
def test_pieces_are_the_whole_name(text: str) -> None:
    """Nothing is lost and nothing is turned around."""
    assert "".join(parts(text)) == "".join(words(text))


def test_compounds_are_what_the_index_cannot_split() -> None:
    """CamelCase, each name once; the rest the index splits by itself."""
    assert compounds("call getUserName or getUserName of HTTPServer") == "get User Name HTTP Server"
    assert compounds("The url of snake_case, kebab-case, a/b.py, sha256 and the IDs of APIs. Ada said NO.") == ""
    assert compounds("") == ""


def test_encoded_data_is_no_compound() -> None:
    """A token or a digest would fill the index with pieces that nobody searches for."""
    assert compounds("aB" * LONGEST_NAME) == ""


@given(st.text(st.sampled_from("aB1 _-.é")))
def test_the_quick_look_overlooks_no_compound(text: str) -> None:
    """A text without capitals inside words is passed over, and only such a text."""
    expected = any(len(parts(word)) > 1 for word in words(text) if len(word) <= LONGEST_NAME)
    assert bool(compounds(text)) == expected


def test_the_writing_path_does_not_pay_for_patterns() -> None:
    """Importing `re` would cost a fresh process more than writing a memory."""
    program = "import sys, treering.text.words as w; w.compounds('aB c'); w.words('é ü'); sys.exit('re' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("text", "pieces"), [("木曜日の会議", "木曜 曜日 日の の会 会議"), ("회의는", "회의 의는"), ("Él dice", "")]
)
def test_of_scripts_without_blanks_every_two_letters_are_a_word(text: str, pieces: str) -> None:
    """Nobody marks where a word ends there."""
    assert compounds(text) == pieces
