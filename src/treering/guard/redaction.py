"""Secrets are replaced before anything is stored: what was never written down cannot leak."""

from __future__ import annotations

import re

from treering.guard.assignments import ASSIGNMENTS
from treering.guard.contexts import ARMOUR, CONTEXTS, PHRASES
from treering.guard.formats import FORMATS
from treering.guard.rule import Rule
from treering.guard.services import SERVICES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.guard.rule import Span

# Of two finds in one place the rule that stands first names the secret: the more it says, the earlier it stands.
RULES: tuple[Rule, ...] = (*ARMOUR, *FORMATS, *SERVICES, *CONTEXTS, *PHRASES, *ASSIGNMENTS)

_MARK = re.compile(r"\[redacted: [a-z0-9-]{1,40}\]")
_MARK_START = "[redacted: "

# Every token holds a run of this many letters, digits, hyphens and underscores with a digit in it, or as many letters
# on end; hardly any prose does, and little code. Two hundred markers are looked for only near such runs.
_LONG = 16
_REACH = 48  # characters before a run where the marker may stand: a Slack webhook names its host 46 before
_RUN = b"a" * _LONG
_WORD_OR_GAP = bytes(97 if chr(code) in "_-" or (code < 128 and chr(code).isalnum()) else 32 for code in range(256))
_DIGIT = b"1"
_KINDS = bytes(97 if code < 128 and chr(code).isalpha() else 49 if 48 <= code < 58 else 32 for code in range(256))


def _by_marker(rules: tuple[Rule, ...]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    table: dict[str, list[int]] = {}
    for rule in rules:
        for marker in rule.markers:
            table.setdefault(marker, []).append(RULES.index(rule))
    return tuple((marker, tuple(numbers)) for marker, numbers in table.items())


_TOKENS = _by_marker((*FORMATS, *SERVICES, *CONTEXTS))
_WORDS = _by_marker((*ARMOUR, *PHRASES, *ASSIGNMENTS))
_PHRASES = tuple(row for row in _WORDS if row[0].isascii())
_FOREIGN = tuple(row for row in _WORDS if not row[0].isascii())


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with each secret replaced by the name of its rule, and these names in the order of the table."""
    names: set[int] = set()
    while finds := _finds(text):
        text = _replaced(text, finds)
        names.update(number for _, _, number in finds)
    return text, tuple(RULES[number].name for number in sorted(names))


def _finds(text: str) -> list[tuple[int, int, int]]:
    """Start, end and rule of every secret; finds that overlap are one. What is redacted already is not read."""
    folded = _folded(text)
    numbers = _candidates(text, folded)
    if not numbers:
        return []
    finds = [
        (start, end, number)
        for number in numbers
        for begin, stop in _unredacted(text)
        for start, end in _secrets(RULES[number], text, folded, begin, stop)
    ]
    return _merged(sorted(finds))


def _candidates(text: str, folded: str) -> list[int]:
    found = [numbers for marker, numbers in _PHRASES if marker in folded]
    if not text.isascii():
        found += [numbers for marker, numbers in _FOREIGN if marker in folded]
    if near := _near_runs(text):
        found += [numbers for marker, numbers in _TOKENS if marker in near]
    return sorted({number for numbers in found for number in numbers}) if found else []


def _near_runs(text: str) -> str:
    """The parts of the text that a token could stand in. Bytes, because their `translate` and `find` are C loops."""
    raw = text.encode("ascii", "replace")  # one byte for each character: the places stay
    runs = raw.translate(_WORD_OR_GAP)
    start = runs.find(_RUN)
    if start < 0:
        return ""
    kinds = raw.translate(_KINDS)
    parts = []
    while start >= 0:
        end = runs.find(b" ", start + _LONG)
        end = len(runs) if end < 0 else end
        run = kinds[start:end]
        if _DIGIT in run or _RUN in run:
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
    edges = [0, *(edge for mark in _MARK.finditer(text) for edge in mark.span()), len(text)]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _secrets(rule: Rule, text: str, folded: str, begin: int, stop: int) -> Iterator[Span]:
    compiled = re.compile(rule.pattern, re.ASCII)  # `re` keeps what it has compiled
    source = folded if rule.folded else text
    resumes_at = "key" if "key" in compiled.groupindex else 0
    while match := compiled.search(source, begin, stop):
        span = rule.judge(text, match)
        if span:
            yield span
            begin = max(span[1], match.start() + 1)
        else:
            begin = max(match.end(resumes_at), match.start() + 1)


def _merged(finds: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    merged: list[tuple[int, int, int]] = []
    for start, end, number in finds:
        if merged and start < merged[-1][1]:
            first, last, name = merged.pop()
            merged.append((first, max(last, end), min(name, number)))
        else:
            merged.append((start, end, number))
    return merged


def _replaced(text: str, finds: list[tuple[int, int, int]]) -> str:
    pieces = []
    done = 0
    for start, end, number in finds:
        pieces += (text[done:start], f"{_MARK_START}{RULES[number].name}]")
        done = end
    return "".join((*pieces, text[done:]))
