"""Drop hidden characters: what a person would review must be what a model will read.

Two kinds have honest uses and are dropped all the same, because telling honest from hidden needs a
parser for every script: the joiners (an emoji family falls into its members, Persian loses an
optional half-space; both stay readable) and the signs of category Cf that wrap Arabic numbers.
Private use and unassigned characters stay: they show as an icon or a box, and dropping what is
unassigned today would make the outcome depend on Python's version.

Replace secrets before anything is stored: what was never written down cannot leak.

Clean every text before it is stored: redact secrets, drop hidden characters, cap the size.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from treering.ledger.errors import TextTooLarge
from treering.ledger.tuples import NamedTuple
from treering.ledger.types import CONTENT_LIMIT
from treering.text.redact.assignments import ASSIGNMENTS
from treering.text.redact.codes import CODES
from treering.text.redact.contexts import CONTEXTS, PHRASES
from treering.text.redact.formats import FORMATS, SERVICES
from treering.text.redact.pairs import PAIRS
from treering.text.redact.places import PLACES
from treering.text.redact.prose import PROSE
from treering.text.redact.rule import LONGEST_PLACEHOLDER, Rule, Span

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
_TERMINAL = r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
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
    """Return the text as it looks, and the names of what was hidden in it."""
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
    """Join surrogate pairs into the character they spell, and show each lone half as U+FFFD."""
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return joined, joined.count("\ufffd") > text.count("\ufffd")


def _composed(text: str) -> str:
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


Find = tuple[int, int, int]  # start, end, and the place of the rule in the table

# Of two finds in one place the rule that stands first names the secret: the more it says, the earlier it stands.
RULES: tuple[Rule, ...] = (*FORMATS, *SERVICES, *CONTEXTS, *PHRASES, *PLACES, *ASSIGNMENTS, *PAIRS, *PROSE, *CODES)
_TOKEN_COUNT = len(FORMATS) + len(SERVICES) + len(CONTEXTS)

_MARK = r"\[redacted: [a-z0-9-]{1,40}\]"
_MARK_START = "[redacted: "

# Every token holds a run of this many letters, digits, hyphens and underscores with a digit in it, or a few more
# letters on end; hardly any prose does, and little code. Two hundred markers are looked for only near such runs.
_LONG = 14
_LETTERS = b"a" * 16
_REACH = 48  # characters before a run where the marker may stand: a Slack webhook names its host 46 before
_RUN = b"a" * _LONG
_DIGIT = b"1"
_IN_RUN = bytes(97 if chr(code) in "_-" or (code < 128 and chr(code).isalnum()) else 32 for code in range(256))
_KINDS = bytes(97 if code < 128 and chr(code).isalpha() else 49 if 48 <= code < 58 else 32 for code in range(256))


def _by_marker(first: int, last: int) -> dict[str, list[int]]:
    table: dict[str, list[int]] = {}
    for number in range(first, last):
        for marker in RULES[number].markers:
            table.setdefault(marker, []).append(number)
    return table


_TOKENS = tuple(_by_marker(0, _TOKEN_COUNT).items())
_PHRASES = tuple(row for row in _by_marker(_TOKEN_COUNT, len(RULES)).items() if row[0].isascii())
_FOREIGN = tuple(row for row in _by_marker(_TOKEN_COUNT, len(RULES)).items() if not row[0].isascii())


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text with each secret replaced by its rule's name, and these names in table order.

    It repeats until nothing is found, so that a second call finds nothing either. It ends, because
    what is redacted is never read again and each round redacts at least one character.
    """
    finds = _finds(text)
    if not finds:
        return text, ()
    numbers: set[int] = set()
    while finds:
        text = _replaced(text, finds)
        numbers.update(number for _, _, number in finds)
        finds = _finds(text)
    return text, tuple(RULES[number].name for number in sorted(numbers))


def _finds(text: str) -> list[Find]:
    folded = _folded(text)
    numbers = _candidates(text, folded)
    if not numbers:
        return []
    found = [
        (start, end, number)
        for number in numbers
        for begin, stop in _unredacted(text)
        for start, end in _secrets(RULES[number], text, folded, begin, stop)
    ]
    return _merged(sorted(found))


def _candidates(text: str, folded: str) -> list[int]:
    """Return the rules that have a marker in the text."""
    rows = [row for row in _PHRASES if row[0] in folded]
    if not text.isascii():
        rows += [row for row in _FOREIGN if row[0] in folded]
    if near := _near_runs(text):
        rows += [row for row in _TOKENS if row[0] in near]
    return sorted({number for _, numbers in rows for number in numbers}) if rows else []


def _near_runs(text: str) -> str:
    """Return the parts of the text that may hold a token. Bytes: their `translate` is a C loop."""
    raw = text.encode("ascii", "replace")  # one byte for each character: the places stay
    runs = raw.translate(_IN_RUN)
    start = runs.find(_RUN)
    if start < 0:
        return ""
    kinds = raw.translate(_KINDS)
    parts = []
    while start >= 0:
        end = runs.find(b" ", start + _LONG)
        end = len(runs) if end < 0 else end
        run = kinds[start:end]
        if _DIGIT in run or _LETTERS in run:
            parts.append(text[max(0, start - _REACH) : end + 1])
        start = runs.find(_RUN, end)
    return "\n".join(parts)


def _folded(text: str) -> str:
    """Return the text in lower case, letter by letter: the capital İ would grow and shift the rest."""
    folded = text.lower()
    return folded if len(folded) == len(text) else text.replace("İ", "i").lower()


def _unredacted(text: str) -> list[Span]:
    if _MARK_START not in text:
        return [(0, len(text))]
    edges = [0, *(edge for mark in re.finditer(_MARK, text) for edge in mark.span()), len(text)]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _secrets(rule: Rule, text: str, folded: str, begin: int, stop: int) -> Iterator[Span]:
    source = folded if rule.folded else text
    pattern = re.compile(rule.pattern, re.ASCII)  # `re` remembers what it has compiled
    for marker in ("",) if rule.anywhere else rule.markers:
        at = begin
        while match := _next(pattern, marker, source, at, stop):
            span = rule.judge(text, match)
            if span:
                yield span
            at = max(match.start() + 1, span[1] if span else _resumed(match))


def _resumed(match: re.Match[str]) -> int:
    """Return where to go on behind a rejected find. A short value is read again: it may hold a
    name.

    A long one is not: read again from every name in it, it would cost the square of its size.
    """
    is_named = "key" in match.re.groupindex and match.end() - match.start() <= LONGEST_PLACEHOLDER
    return match.end("key") if is_named else match.end()


def _next(pattern: re.Pattern[str], marker: str, source: str, at: int, stop: int) -> re.Match[str] | None:
    """Return the next match, anywhere or beginning with the marker."""
    if not marker:
        return pattern.search(source, at, stop)
    at = source.find(marker, at, stop)
    while at >= 0:
        if match := pattern.match(source, at, stop):
            return match
        at = source.find(marker, at + 1, stop)
    return None


def _merged(found: list[Find]) -> list[Find]:
    merged: list[Find] = []
    for start, end, number in found:
        if merged and start < merged[-1][1]:
            first, last, name = merged.pop()
            merged.append((first, max(last, end), min(name, number)))
        else:
            merged.append((start, end, number))
    return merged


def _replaced(text: str, finds: list[Find]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end, number in finds:
        pieces += (text[done:start], f"{_MARK_START}{RULES[number].name}]")
        done = end
    return "".join((*pieces, text[done:]))


__all__ = ["CONTENT_LIMIT", "Cleaned", "clean"]


class Cleaned(NamedTuple):
    text: str
    changes: tuple[str, ...]  # what was hidden or redacted, by name; spelling, line ends and outer space are not listed


def clean(text: str, limit: int = CONTENT_LIMIT) -> Cleaned:
    """Return the text as it may be stored; refuse one over the limit. Cleaning twice changes nothing."""
    _check(text, limit)
    shown, hidden = reveal(text)
    safe, redacted = redact(shown)
    _check(safe, limit)  # a mark may be longer than the secret was
    return Cleaned(safe, hidden + redacted)


def _check(text: str, limit: int) -> None:
    if len(text) > limit:
        raise TextTooLarge(len(text), limit)
