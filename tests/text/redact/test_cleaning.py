"""The whole way of a text through the guard."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treering.text.redact
from treering.ledger.errors import TextTooLarge
from treering.text.redact import CONTENT_LIMIT, RULES, Cleaned, clean
from treering.text.redact.rule import spelled

DRAW = random.Random(20)
EXAMPLES = [spelled(rule.example, lambda alphabet, length: "".join(DRAW.choices(alphabet, k=length))) for rule in RULES]
FRAGMENTS = [
    *EXAMPLES,
    *(marker for rule in RULES for marker in rule.markers),
    *("hunter2", "swordfish", " is ", " for the db ", "[redacted: jwt]", "[redacted: ", "\r\n", "\\n", "%20", "--"),
    *("\u200b", "\u202e", "\ufe0f", "\U000e0041", "\ud83d", "\ude00", "\u0301", "\u0338", "\u0130", "\x1b[0m", "\x00"),
]
ANY_TEXT = st.text(st.characters())
SIGNS = st.text("password=: \n\t'\"`,;&()[]{}<>|\\/.-_$%@#!?*~+xX01aZ", max_size=8)
HOSTILE_TEXT = st.lists(st.sampled_from(FRAGMENTS) | SIGNS, max_size=12).map("".join)


@settings(max_examples=500, deadline=None)
@given(ANY_TEXT | HOSTILE_TEXT)
def test_cleaning_what_is_clean_changes_nothing(text: str) -> None:
    """What is stored, exported and imported again stays what it is, and no change is reported twice."""
    cleaned = clean(text)
    assert clean(cleaned.text) == (cleaned.text, ())
    assert len(set(cleaned.changes)) == len(cleaned.changes)


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT | HOSTILE_TEXT)
def test_clean_text_can_be_written_anywhere(text: str) -> None:
    """It encodes to UTF-8 and has no control character but the newline and the tab."""
    cleaned = clean(text).text
    cleaned.encode()
    assert not any(character < " " and character not in "\n\t" for character in cleaned)


@pytest.mark.parametrize("text", ["", "a note", "two\nlines\tand a tab", "ünïcödé 世界 \U0001f600", "xy" * 50_000])
def test_ordinary_text_goes_through_untouched(text: str) -> None:
    """No redaction, no normalisation, nothing to report."""
    assert clean(text) == Cleaned(text, ())


def test_spelling_line_ends_and_outer_space_are_not_worth_a_word() -> None:
    """They are made equal, because the same note should be the same text, and nothing is reported."""
    text = "  cafe\u0301\r\nline\rline\u2028line\u00a0end \n"
    assert clean(text) == Cleaned("caf\u00e9\nline\nline\nline end", ())


def test_every_change_is_said_in_a_fixed_order() -> None:
    """Hidden characters first, then secrets in the order of their table, each once."""
    secrets = "password=hunter2 password=hunter3 ghp_" + "a1B2" * 9
    hidden = "\u200b\u202e\x07\u200b"
    assert clean(hidden + secrets).changes == (
        "control-characters",
        "bidirectional-characters",
        "invisible-characters",
        "github-token",
        "password-assignment",
    )


@pytest.mark.parametrize("hidden", ["\u200b", "\u00ad", "\U000e0041", "\u202e", "\x00", "\ufe0f", "\u2060"])
def test_a_secret_cannot_hide_behind_what_cannot_be_seen(hidden: str) -> None:
    """Hidden characters go first, so that a token or a name with one of them inside is found all the same."""
    token = "ghp_" + "a1B2" * 9
    assert clean(token[:9] + hidden + token[9:]).text == "[redacted: github-token]"
    assert clean(f"pass{hidden}word=hunter2").text == "password=[redacted: password-assignment]"


class Sealed(str):
    """A text that may be measured and not read."""

    def isascii(self) -> bool:
        raise AssertionError("the text was read")


def test_too_large_a_text_is_refused_before_it_is_read() -> None:
    """However large: its length is all that is looked at."""
    with pytest.raises(TextTooLarge) as refused:
        clean(Sealed("x" * 100_000_000))
    assert (refused.value.size, refused.value.limit) == (100_000_000, CONTENT_LIMIT)


def test_the_limit_may_be_set_and_counts_characters() -> None:
    """Exactly the limit fits."""
    assert clean("é" * 10, limit=10).text == "é" * 10
    with pytest.raises(TextTooLarge):
        clean("é" * 11, limit=10)


def test_the_limit_holds_for_what_comes_out_too() -> None:
    """A mark may be longer than the secret it replaces; what is returned always fits, and so can be cleaned again."""
    with pytest.raises(TextTooLarge):
        clean("password=hunter2", limit=20)


def test_the_guard_exports_three_names() -> None:
    """What is not listed may change."""
    assert treering.text.redact.__all__ == ["CONTENT_LIMIT", "Cleaned", "clean"]


def test_the_guard_starts_without_costly_modules() -> None:
    """Every hook pays for every import."""
    program = (
        "import sys, treering.text.redact; print({'typing', 'dataclasses', 'pathlib', 'inspect'} & set(sys.modules))"
    )
    # Without site, whose .pth files may load anything; where to find things is said by hand.
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True, env=path)
    assert done.stdout.strip() == "set()"
