"""Read the numbers of a text, with what they measure: "5 min", "300 seconds" and "five minutes" are
one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import isclose
from typing import NamedTuple

from treering.text.stems import stem
from treering.text.words import STOP_WORDS

_LEADING = "~\u2248<>=\u00b1+([{\"'`*\u2264\u2265\u201c\u2018"
_TRAILING = ".,;:!?)]}\"'`\u2026*\u201d\u2019"
_DIGITS = frozenset("0123456789")
_DASHES = str.maketrans("\u2013\u2012\u2212", "---")
_CURRENCIES = {"$": "dollar", "\u20ac": "euro", "\u00a3": "pound"}
_KEPT = 2_048  # texts whose numbers are kept: a group is read several times
_LONGEST = 40  # characters of a chunk that may be a number: longer ones are data
_TIMES = {"k": 1e3, "bn": 1e9, "thousand": 1e3, "million": 1e6, "billion": 1e9, "hundred": 1e2, "dozen": 12}
BARE = ""  # what a number measures that nobody says

# What each unit measures, and its size in the smallest or the usual one.
UNITS: dict[str, tuple[str, float]] = {
    name: (measured, size)
    for measured, size, names in (
        ("time", 1e-6, "us \u00b5s microsecond"),
        ("time", 1e-3, "ms msec millisecond"),
        ("time", 1, "s sec second"),
        ("time", 60, "min minute"),
        ("time", 3_600, "h hr hour"),
        ("time", 86_400, "d day"),
        ("time", 604_800, "week"),
        ("time", 2_629_800, "month"),
        ("time", 31_557_600, "year yr"),
        ("data", 1, "byte"),
        ("data", 1e3, "kb kilobyte"),
        ("data", 1e6, "mb megabyte"),
        ("data", 1e9, "gb gigabyte"),
        ("data", 1e12, "tb terabyte"),
        ("data", 2**10, "kib"),
        ("data", 2**20, "mib"),
        ("data", 2**30, "gib"),
        ("share", 1, "% percent pct"),
        ("length", 1, "metre meter"),
        ("length", 1e3, "km kilometre kilometer"),
        ("length", 1e-2, "cm"),
        ("length", 1e-3, "mm"),
        ("mass", 1e-3, "g gram"),
        ("mass", 1, "kg kilo kilogram"),
        ("dollar", 1, "dollar usd"),
        ("euro", 1, "euro eur"),
        ("pound", 1, "gbp"),
    )
    for name in names.split()
}
UNITS |= {f"{name}s": unit for name, unit in UNITS.items() if name.isascii() and name.isalpha() and len(name) > 1}

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_SPELLED = {word: float(at) for at, word in enumerate(f"{_ONES} seventeen eighteen nineteen".split())}
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SPELLED |= {word: 20.0 + 10 * at for at, word in enumerate(_TENS)}
_SPELLED |= {f"{ten}-{one}": _SPELLED[ten] + _SPELLED[one] for ten in _TENS for one in _ONES.split()[1:10]}
_BEGINNINGS = frozenset(word[:2] for word in _SPELLED) | {"a", "an"}
_FREE = ("zero", "one")  # as words, they count something only before a unit: "one of them", "zero in on"
_ARTICLES = ("a", "an")
_NO_NOUNS = STOP_WORDS | frozenset("ago per since via".split())


class Number(NamedTuple):
    """A number as it stands in a text."""

    text: str  # with its unit
    value: float  # in the usual unit of what it measures
    raw: float  # as it is written
    measures: str  # a dimension; else the stem of the noun behind it, or `BARE`
    spelled: bool = False
    place: int = 0  # the word of the text at which it stands

    @property
    def measured(self) -> bool:
        return self.measures in _DIMENSIONS


_UNLIKE = ("date", "version")  # which nobody writes as a bare number
_SMALL = 10  # a number below it is the same in two texts only if they count the same thing
_DIMENSIONS = frozenset(measured for measured, _ in UNITS.values()) | {"date", "clock", "version"}


def same(one: Number, other: Number) -> bool:
    """Tell whether two numbers may state the same amount; without a unit, the digits decide."""
    if one.measured and other.measured and one.measures == other.measures:
        return one.text == other.text if one.measures == "version" else isclose(one.value, other.value, rel_tol=1e-6)
    if one.measures in _UNLIKE or other.measures in _UNLIKE:
        return False
    return isclose(one.raw, other.raw, rel_tol=1e-9) and not (one.measured and other.measured)


class Stated:
    """The numbers of some texts, for looking up others among them."""

    def __init__(self, found: Iterable[Number]) -> None:
        self._keys: set[tuple[str, str, float]] = set()
        for number in found:
            how = "as" if number.measured else "bare" if number.measures == BARE else "of"
            self._keys |= {_key(number), (how, "", _rounded(number.raw))}

    def has(self, number: Number) -> bool:
        """Tell whether one of them may state the same amount, as `same` does."""
        return _key(number) in self._keys or (number.measures not in _UNLIKE and self._has_raw(number))

    def has_surely(self, number: Number) -> bool:
        """Tell the same, and for small numbers whether they are of the same thing."""
        if number.raw >= _SMALL or number.measures in _UNLIKE:
            return self.has(number)
        return number.measures != BARE and _key(number) in self._keys

    def _has_raw(self, number: Number) -> bool:
        raw = _rounded(number.raw)
        hows = ("bare", "of") if number.measured else ("bare", "of", "as")
        return any((how, "", raw) in self._keys for how in hows)

    def has_strictly(self, number: Number) -> bool:
        """Tell the same, and for one with a unit that none of them counts something instead."""
        if not number.measured or number.measures in _UNLIKE:
            return self.has(number)
        return _key(number) in self._keys or ("bare", "", _rounded(number.raw)) in self._keys


def _key(number: Number) -> tuple[str, str, float]:
    return number.measures, number.text if number.measures == "version" else "", _rounded(number.value)


def _rounded(value: float) -> float:
    return float(f"{value:.9g}")


@lru_cache(_KEPT)
def numbers(text: str) -> tuple[Number, ...]:
    """Return the numbers of a text in order, without digits in names (utf-8, sha256, #12)."""
    chunks = _joined(text.translate(_DASHES).split())
    found: list[Number] = []
    for at, chunk in enumerate(chunks):
        if _DIGITS.isdisjoint(chunk):
            if chunk[:2].lower() in _BEGINNINGS and (spelled := _spelled(chunks, at)) is not None:
                found.append(spelled)
        elif len(chunk) <= _LONGEST:
            found += _written(chunks, at)
    return tuple(found)


def _joined(chunks: list[str]) -> list[str]:
    """Return a text with the groups of a number in one: "48 000"."""
    found: list[str] = []
    for chunk in chunks:
        bare = chunk.rstrip(_TRAILING)
        before = found[-1].replace(",", "") if found else ""
        if len(bare) == 3 and bare.isdecimal() and before.isdecimal() and 0 < len(before) <= 3:
            found[-1] += "," + chunk
        else:
            found.append(chunk)
    return found


def _bare(chunk: str) -> str:
    return chunk.lstrip(_LEADING).rstrip(_TRAILING)


def _written(chunks: Sequence[str], at: int) -> list[Number]:
    bare = _bare(chunks[at])
    special = _date(bare, at) or _clock(bare, chunks, at) or _version(bare, at)
    if special is not None:
        return [special]
    first, dash, second = bare.partition("-")
    if dash and first and second and second[0] in _DIGITS:  # a range: both ends have the unit of the second
        end = _amount(second, chunks, at)
        begin = _plain(first.lstrip("".join(_CURRENCIES)))
        if end is None or begin is None:
            return []
        factor = end.value / end.raw if end.raw else 1.0
        return [Number(first, begin * factor, begin, end.measures, place=at), end]
    found = _amount(bare, chunks, at)
    return [] if found is None else [found]


def _date(bare: str, at: int) -> Number | None:
    pieces = bare[:10].split("-")
    if len(pieces) == 3 and [*map(len, pieces)] == [4, 2, 2] and all(piece.isdecimal() for piece in pieces):
        value = float("".join(pieces))
        return Number(bare[:10], value, value, "date", place=at)
    return None


def _clock(bare: str, chunks: Sequence[str], at: int) -> Number | None:
    hour, colon, rest = bare.lower().partition(":")
    minute, half = rest[:2], rest[2:].lstrip(":0123456789z")
    if not (colon and hour.isdecimal() and minute.isdecimal() and len(hour) <= 2 and half in ("", "am", "pm")):
        return None
    half = half or (_bare(chunks[at + 1]).lower() if at + 1 < len(chunks) else "")
    later = 12 if half == "pm" and hour != "12" else 0
    value = float((int(hour) + later) * 60 + int(minute))
    return Number(bare, value, value, "clock", place=at)


def _version(bare: str, at: int) -> Number | None:
    text = bare.lower().removeprefix("v")
    pieces = text.split(".")
    if (len(pieces) > 2 or (len(pieces) == 2 and bare[:1] in "vV")) and all(piece.isdecimal() for piece in pieces):
        return Number(text, 0.0, 0.0, "version", place=at)
    return None


def _plain(text: str) -> float | None:
    """Return a number of digits, with marks between thousands."""
    whole, point, rest = text.partition(".")
    groups = whole.replace("_", ",").split(",")
    if not all(group.isdecimal() and group.isascii() for group in groups) or (point and not rest.isdecimal()):
        return None
    if len(groups) > 1 and any(len(group) != 3 for group in groups[1:]):
        return None
    return float("".join(groups) + (f".{rest}" if point else ""))


def _amount(bare: str, chunks: Sequence[str], at: int) -> Number | None:
    sign = bare[0] if bare and bare[0] in _CURRENCIES else ""
    body = bare.removeprefix(sign)
    end = len(body) - len(body.lstrip("0123456789.,_"))
    raw = _plain(body[:end].rstrip("."))
    if raw is None:
        return None
    tail = body[end:].lower().lstrip("-")
    if body[end : end + 1] == "-" and (tail.split("-")[0] not in UNITS and tail.split("-")[0] not in _TIMES):
        return Number(body[:end], raw, raw, stem(tail), place=at) if tail.isalpha() else None
    tail = tail.split("-")[0].split("/")[0]
    if tail in _TIMES:
        return _scaled(chunks, at, raw * _TIMES[tail], bare, sign)
    if tail in UNITS:
        measures, size = UNITS[tail]
        return Number(bare, raw * size, raw, measures, place=at)
    if tail in ("st", "nd", "rd", "th", "x", "m", "c", "\u20ac", "+"):
        measures = _CURRENCIES.get(tail, BARE if tail != "m" else "m")
        return Number(bare, raw, raw, measures, place=at)
    return _scaled(chunks, at, raw, bare, sign) if not tail else None


def _scaled(chunks: Sequence[str], at: int, raw: float, text: str, sign: str = "", spelled: bool = False) -> Number:
    """Return a number with the unit, the "thousand" or the noun that stands behind it."""
    behind = [_bare(chunk).lower() for chunk in chunks[at + 1 : at + 3]]
    if chunks[at][-1:] in (",", ";", ".", ")", ":"):
        behind = []
    if behind and behind[0] in _TIMES:
        raw, text, behind = raw * _TIMES[behind[0]], f"{text} {behind[0]}", behind[1:]
    if sign:
        return Number(text, raw, raw, _CURRENCIES[sign], spelled, at)
    unit = behind[0] if behind else ""
    if unit in UNITS:
        measures, size = UNITS[unit]
        return Number(f"{text} {unit}", raw * size, raw, measures, spelled, at)
    noun = unit if unit.isalpha() and unit not in _NO_NOUNS and not unit.endswith(("ed", "ly")) else ""
    if noun or spelled:
        return Number(f"{text} {noun}".strip(), raw, raw, stem(noun) if noun else BARE, spelled, at)
    before = chunks[at - 1] if at else ""  # "hall 3", "port 8080"
    if before.isalpha() and before.lower() not in _NO_NOUNS and len(before) > 2:
        return Number(f"{before} {text}", raw, raw, stem(before.lower()), spelled, at)
    return Number(text, raw, raw, BARE, spelled, at)


def _spelled(chunks: Sequence[str], at: int) -> Number | None:
    word = _bare(chunks[at]).lower()
    following = _bare(chunks[at + 1]).lower() if at + 1 < len(chunks) else ""
    word, _, joined = word.partition("-") if word not in _SPELLED else (word, "", "")  # "five-minute"
    if word in _ARTICLES and following in UNITS and len(following) > 2:
        return _scaled(chunks, at, 1.0, word, spelled=True)
    if word not in _SPELLED or (word in _FREE and following not in UNITS and joined not in UNITS):
        return None
    if joined:
        measures, size = UNITS.get(joined, (BARE, 1.0))
        return Number(f"{word} {joined}", _SPELLED[word] * size, _SPELLED[word], measures, True, at)
    return _scaled(chunks, at, _SPELLED[word], word, spelled=True)
