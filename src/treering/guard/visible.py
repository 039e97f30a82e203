"""What cannot be seen does not get in: text that a person would review is the text that a model will read.

Hidden characters are dropped, all of them, wherever they stand. Two kinds have honest uses and are dropped all
the same, because telling honest from hidden needs a parser for every script: the joiners (an emoji family falls
into its members, Persian loses an optional half-space; both stay readable) and the signs of category Cf that wrap
Arabic numbers. Private use and unassigned characters stay: they show as an icon or a box, and today's
unassigned character is tomorrow's emoji, so dropping it would make the outcome depend on Python's version.
"""

from __future__ import annotations

import re
import unicodedata

CONTROL = "control-characters"
BIDIRECTIONAL = "bidirectional-characters"
INVISIBLE = "invisible-characters"
BROKEN = "broken-characters"

_CONTROLS = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"
_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"

# Noncharacters: two at the end of each of the 17 planes and one block. They can never mean anything, and the
# readers of YAML and XML refuse a whole file for one of them.
_LAST_TWO = "".join(chr((plane << 16) + 0xFFFE) + chr((plane << 16) + 0xFFFF) for plane in range(1, 17))

_UNSEEN = "".join(
    (
        "\u00ad",  # soft hyphen
        "\u034f",  # combining grapheme joiner
        "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2",  # signs around Arabic and Syriac numbers (Cf)
        "\u115f\u1160\u3164\uffa0",  # Hangul fillers
        "\u17b4\u17b5",  # Khmer vowels that are never shown
        "\u180b-\u180f",  # Mongolian selectors and vowel separator
        "\u200b-\u200d",  # zero-width space, non-joiner, joiner
        "\u2060-\u2065\u206a-\u206f",  # word joiner, invisible operators, old shaping controls
        "\ufdd0-\ufdef\ufffe\uffff",  # noncharacters
        "\ufe00-\ufe0f",  # variation selectors
        "\ufeff",  # byte order mark
        "\ufff0-\ufffb",  # reserved as ignorable, and interlinear annotation
    )
)
_UNSEEN_ASTRAL = "".join(
    (
        "\U000110bd\U000110cd",  # Kaithi number signs
        "\U00013430-\U0001343f",  # Egyptian quadrat controls
        "\U0001bca0-\U0001bca3",  # shorthand format controls
        "\U0001d173-\U0001d17a",  # musical format controls
        "\U000e0000-\U000e0fff",  # tags, and 240 more variation selectors
        _LAST_TWO,
    )
)
_SURROGATES = "\ud800-\udfff"
_LINE_ENDS = "\r\x0b\x0c\x85\u2028\u2029"
_SPACES = "\u00a0\u2000-\u200a\u202f\u205f\u3000"  # all look like a space; search and hashes should agree

# Two classes, because `re` has a table for the first 65,536 characters only and a list to walk for the rest.
_SUSPECT = f"[{_CONTROLS}{_DIRECTIONS}{_UNSEEN}{_SURROGATES}{_LINE_ENDS}{_SPACES}]"
_ASTRAL = "[\U00010000-\U0010ffff]"
_SUSPECT_ASTRAL = f"[{_UNSEEN_ASTRAL}]"
_SURROGATE = f"[{_SURROGATES}]"
_LINE_END = f"\r\n?|[{_LINE_ENDS}]"
_SPACE = f"[{_SPACES}]"
# Colours and cursor moves of a terminal: without the escape character the rest would be noise in every search.
_TERMINAL = r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]"
# One selector behind a sign only chooses between ink and colour. Several in a row are a hiding place.
_STYLE = "(?<![\ufe00-\ufe0f])[\ufe0e\ufe0f](?![\ufe00-\ufe0f])"
_DROPPED = (
    (CONTROL, f"[{_CONTROLS}]"),
    (BIDIRECTIONAL, f"[{_DIRECTIONS}]"),
    (INVISIBLE, f"[{_UNSEEN}{_UNSEEN_ASTRAL}]"),
)

# For ASCII: every control character but tab and newline becomes NUL, so that one memchr finds any of them.
_NUL = b"\0"
_TO_NUL = bytes(0 if (code < 32 and code not in (9, 10)) or code == 127 else code for code in range(256))


def reveal(text: str) -> tuple[str, tuple[str, ...]]:
    """The text as it looks, and the names of what was hidden in it."""
    if text.isascii():
        if _NUL not in text.encode().translate(_TO_NUL):
            return text.strip(), ()
    elif not _is_suspect(text):
        return _composed(text).strip(), ()
    shown, changes = _dropped(text)
    shown = re.sub(_SPACE, " ", re.sub(_LINE_END, "\n", shown))
    return _composed(shown).strip(), changes


def _is_suspect(text: str) -> bool:
    if re.search(_SUSPECT, text):
        return True
    return re.search(_ASTRAL, text) is not None and re.search(_SUSPECT_ASTRAL, text) is not None


def _dropped(text: str) -> tuple[str, tuple[str, ...]]:
    changes = []
    if re.search(_SURROGATE, text):
        text, broken = _whole(text)
        changes += [BROKEN] if broken else []
    text, sequences = re.subn(_TERMINAL, "", text)
    text = re.sub(_STYLE, "", text)
    for name, characters in _DROPPED:
        text, count = re.subn(characters, "", text)
        if count or (name == CONTROL and sequences):
            changes.append(name)
    return text, tuple(changes)


def _whole(text: str) -> tuple[str, bool]:
    """Surrogate pairs joined into the character they spell, and each lone half shown as U+FFFD."""
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return joined, joined.count("\ufffd") > text.count("\ufffd")


def _composed(text: str) -> str:
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)
