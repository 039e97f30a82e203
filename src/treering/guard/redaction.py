"""Secrets are replaced before anything is stored: what was never written down cannot leak."""

from __future__ import annotations

import re

from treering.guard.assignments import ASSIGNMENTS
from treering.guard.contexts import CONTEXTS, PHRASES
from treering.guard.formats import FORMATS
from treering.guard.rule import LONGEST_PLACEHOLDER, Rule
from treering.guard.services import SERVICES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.guard.rule import Span

    Find = tuple[int, int, int]  # start, end, and the place of the rule in the table

# Of two finds in one place the rule that stands first names the secret: the more it says, the earlier it stands.
RULES: tuple[Rule, ...] = (*FORMATS, *SERVICES, *CONTEXTS, *PHRASES, *ASSIGNMENTS)
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
    """The text with each secret replaced by the name of its rule, and these names in the order of the table.

    Repeated until nothing is found, so that a second call finds nothing either. It ends, because what is redacted is
    never read again and each round redacts at least one character.
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
    """The rules one of whose markers is in the text."""
    rows = [row for row in _PHRASES if row[0] in folded]
    if not text.isascii():
        rows += [row for row in _FOREIGN if row[0] in folded]
    if near := _near_runs(text):
        rows += [row for row in _TOKENS if row[0] in near]
    return sorted({number for _, numbers in rows for number in numbers}) if rows else []


def _near_runs(text: str) -> str:
    """The parts of the text that a token could stand in. Bytes, because their `translate` and `find` are C loops."""
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
    """In lower case, letter by letter: one capital, İ, would grow and shift all that follows it."""
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
    """Where to go on behind a find that was none. What a name was given may hold another name with a value, so a short
    value is read again; a long one, read again from every name in it, would cost the square of its size."""
    is_named = "key" in match.re.groupindex and match.end() - match.start() <= LONGEST_PLACEHOLDER
    return match.end("key") if is_named else match.end()


def _next(pattern: re.Pattern[str], marker: str, source: str, at: int, stop: int) -> re.Match[str] | None:
    """The next match, wherever it is, or the next that begins with the marker."""
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
