"""Hidden characters: every code point there is."""

from __future__ import annotations

import unicodedata

import pytest

from treering.text.redact import clean, reveal

# Default_Ignorable_Code_Point of the Unicode Character Database, which Python does not carry.
DEFAULT_IGNORABLE = (
    *((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F)),
    *((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF)),
    *((0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
IGNORABLE = {chr(code) for first, last in DEFAULT_IGNORABLE for code in range(first, last + 1)}
FORBIDDEN_CATEGORIES = {"Cf", "Cc", "Cs", "Zl", "Zp"}
NONCHARACTERS = {chr(code) for code in range(0x110000) if 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE}
# Format controls that Unicode 15 added; older Pythons call them unassigned.
NEWER_CONTROLS = set(map(chr, range(0x13439, 0x13440)))
BLOCK = 4096  # code points tried at once


def is_forbidden(character: str) -> bool:
    if character in "\n\t":
        return False
    return character in IGNORABLE or unicodedata.category(character) in FORBIDDEN_CATEGORIES


def test_no_hidden_character_survives() -> None:
    """All 1,114,112 code points, each between two letters: nothing invisible, reordering or controlling comes out."""
    for first in range(0, 0x110000, BLOCK):
        survivors = set(reveal("a" + "a".join(map(chr, range(first, first + BLOCK))) + "a")[0])
        assert not {character for character in survivors if is_forbidden(character)}


def test_no_visible_character_is_lost() -> None:
    """What is dropped is exactly what is hidden: private use, unassigned and every letter of every script stay."""
    hidden = {chr(code) for code in range(0x110000) if is_forbidden(chr(code))} | NONCHARACTERS | NEWER_CONTROLS
    for first in range(0, 0x110000, BLOCK):
        visible = [chr(code) for code in range(first, first + BLOCK) if chr(code) not in hidden]
        kept = set(reveal("-" + "\n".join(visible) + "-")[0])
        lost = {character for character in visible if unicodedata.normalize("NFC", character)[0] not in kept}
        assert {unicodedata.category(character) for character in lost} <= {"Zs"}


@pytest.mark.parametrize(
    ("text", "shown", "change"),
    [
        ("zero\u200bwidth", "zerowidth", "invisible-characters"),
        ("soft\u00adhyphen", "softhyphen", "invisible-characters"),
        ("tags \U000e0049\U000e0067\U000e006e", "tags", "invisible-characters"),
        ("hidden\ufe00\ufe01\ufe0f\ufe02 data", "hidden data", "invisible-characters"),
        ("filler\u3164s", "fillers", "invisible-characters"),
        ("\ufeffmark", "mark", "invisible-characters"),
        ("word\u2060joiner", "wordjoiner", "invisible-characters"),
        ("note\ufff9a\ufffab\ufffb", "noteab", "invisible-characters"),
        ("pair \U0001f468\u200d\U0001f469", "pair \U0001f468\U0001f469", "invisible-characters"),
        ("Farsi \u0645\u06cc\u200c\u062e\u0648", "Farsi \u0645\u06cc\u062e\u0648", "invisible-characters"),
        ("user\u202enimda", "usernimda", "bidirectional-characters"),
        ("a\u2066b\u2069\u200e\u061cc", "abc", "bidirectional-characters"),
        ("nul\x00 and \x9fC1", "nul and C1", "control-characters"),
        ("\x1b[1;31mred\x1b[0m", "red", "control-characters"),
        ("lone \ud83d half", "lone \ufffd half", "broken-characters"),
    ],
)
def test_what_was_hidden_is_said(text: str, shown: str, change: str) -> None:
    """Each kind under its name."""
    assert clean(text) == (shown, (change,))


@pytest.mark.parametrize("text", ["I \u2764\ufe0f it", "press 1\ufe0f\u20e3", "\u2600\ufe0e"])
def test_the_style_of_an_emoji_is_dropped_without_a_word(text: str) -> None:
    """One selector chooses between ink and colour; no reader would call that a change, and every chat is full of it."""
    assert clean(text) == (text.replace("\ufe0f", "").replace("\ufe0e", ""), ())


def test_halves_of_a_character_are_joined() -> None:
    """JavaScript cuts and passes on surrogate pairs; joined they are the character that was meant."""
    assert clean("\ud83d\ude00") == ("\U0001f600", ())


def test_joined_halves_hide_nothing() -> None:
    """A tag spelled as a surrogate pair is dropped as any tag is."""
    assert clean("a\udb40\udc41b") == ("ab", ("invisible-characters",))


@pytest.mark.parametrize("space", "\u00a0\u2003\u2009\u202f\u3000")
def test_spaces_of_every_width_are_one_space(space: str) -> None:
    """A search for two words finds them however they were set."""
    assert clean(f"two{space}words") == ("two words", ())


@pytest.mark.parametrize("end", ["\r\n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_every_line_end_is_a_newline(end: str) -> None:
    """A lone carriage return in a terminal would write over what stands before it."""
    assert clean(f"one{end}two") == ("one\ntwo", ())


def test_private_use_and_unassigned_characters_stay() -> None:
    """They show as an icon or a box, and tomorrow's emoji is unassigned today."""
    assert clean("\ue0a0 \U000f0001 \u0378").changes == ()
