"""Read numbers with their units, versions, dates and times of day, so that half a minute is 30 s."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treering.truth.contradictions.read.lexicon import (
    CHANGE,
    FUNCTION,
    GIVING,
    MANY,
    NUMBERED,
    PLACE,
    QUANTITIES,
    VERBS,
)
from treering.truth.contradictions.read.tokens import MONTHS, OFTEN, UNITS, WEEKDAYS, WORDS, WORDY, Token

Value = tuple[float | str | None, ...]

NUMBER, VERSION, DATE = "number", "version", "date"  # kinds of conflict
RANGE = 3  # a bound
_ABOUT = 0.25  # of the greater: numbers said to be rough differ only beyond this
_RANGED = 5  # tokens from "between" to the second number
_SAME = 1e-6  # of the greater: what is lost in conversion


class Quantity(NamedTuple):
    kind: str
    dimension: str  # only equal ones can be compared
    value: Value
    first: int  # its tokens
    end: int
    bound: int = 0  # 1: this or more, -1: this or less, 2: about this, 3: an end of a range


# As texts: `re` compiles them when a number is met, and a process that meets none pays nothing.
_NUMBER = r"([$€£]?)(\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(k|m|bn)?([a-zµ°]*(?:/s)?%?)\+?\Z"
_CLOCK = r"(\d{1,2}):(\d\d)(?::\d\d)?(am|pm)?\Z"
_HOUR = r"(\d{1,2})(am|pm)\Z"
_ISO = r"(\d{4})-(\d\d)(?:-(\d\d))?\Z"
_ORDINAL = r"(\d{1,2})(?:st|nd|rd|th)\Z"
_VERSION = r"(?:[<>=~^]{1,2})?v?(\d+(?:\.\d+)+|\d+)(?:\.x|\+)?(?:-?(?:rc|beta|alpha|lts)[\w.]*)?\Z"
_NAMED = r"([a-z]+)/?(\d+(?:\.\d+)*)\Z"
_YEARS = (1900, 2100)
_AT_LEAST = frozenset(("least", "over", "above", "minimum", "min", "exceeds", ">="))
_AT_MOST = frozenset(("most", "under", "below", "maximum", "max", "up", "within", "<=", "than"))
_ROUGH = frozenset("about around approximately roughly nearly almost circa some".split())
_TIMES = {"once": 1.0, "twice": 2.0}
_RELEASES = frozenset(("version", "releas"))  # stems
_RELEASE = frozenset("version versions release v python".split())


def quantities(tokens: Sequence[Token]) -> list[Quantity]:
    """Return all quantities of a statement, in order; each token belongs to at most one."""
    found: list[Quantity] = []
    at = 0
    while at < len(tokens):
        low = tokens[at].low
        if low not in WORDY and low.isalpha():
            at += 1
            continue
        one = _date(tokens, at) or _clock(tokens, at) or _measure(tokens, at) or _version(tokens, at)
        if one is None:
            at += 1
            continue
        found.append(one)
        at = one.end
    return [_ranged(tokens, one) for one in _joined(found)]


def _ranged(tokens: Sequence[Token], one: Quantity) -> Quantity:
    """Mark a quantity as a range, between 300 and 400: neither is the value."""
    near = [token.low for token in tokens[max(0, one.first - _RANGED) : one.first]]
    is_range = "between" in near or (near[-1:] == ["to"] and _is_number(near[-2:-1]) and near[-3:-2] != ["from"])
    following = [token.low for token in tokens[one.end : one.end + 2]]
    is_range |= following[:1] == ["to"] and _is_number(following[1:]) and near[-1:] != ["from"]
    return one._replace(bound=RANGE) if is_range else one


def _is_number(lows: Sequence[str]) -> bool:
    return bool(lows) and (lows[0][0].isdigit() or lows[0] in WORDS)


def differ(one: Quantity, other: Quantity) -> bool:
    """Tell whether two values of the same thing cannot both hold."""
    if one.kind == DATE and one.dimension == "day":
        return any(a is not None and b is not None and a != b for a, b in zip(one.value, other.value, strict=True))
    if one.kind == VERSION:
        if one.bound == 1 or other.bound == 1:
            return one.bound == other.bound and one.value != other.value
        return any(a != b for a, b in zip(one.value, other.value, strict=False))
    mine, theirs = float(one.value[0] or 0), float(other.value[0] or 0)
    near = max(abs(mine), abs(theirs)) * (_ABOUT if 2 in (one.bound, other.bound) else _SAME)
    if abs(mine - theirs) <= near:
        return False
    return one.bound == other.bound or not (_within(mine, other, theirs) or _within(theirs, one, mine))


def _within(value: float, bounded: Quantity, limit: float) -> bool:
    return (bounded.bound == 1 and value >= limit) or (bounded.bound == -1 and value <= limit)


def _joined(found: list[Quantity]) -> Iterator[Quantity]:
    """Join a weekday and the date beside it into one day."""
    last: Quantity | None = None
    for one in found:
        both = last is not None and last.dimension == one.dimension == "day" and one.first - last.end <= 1
        if (
            last is not None
            and both
            and all(a is None or b is None for a, b in zip(last.value, one.value, strict=True))
        ):
            value = tuple(b if a is None else a for a, b in zip(last.value, one.value, strict=True))
            last = one._replace(value=value, first=last.first)
            continue
        if last is not None:
            yield last
        last = one
    if last is not None:
        yield last


def _day(first: int, end: int, **parts: float | None) -> Quantity:
    names = ("year", "quarter", "month", "day", "weekday")
    return Quantity(DATE, "day", tuple(parts.get(name) for name in names), first, end)


def _date(tokens: Sequence[Token], at: int) -> Quantity | None:
    low, is_name = tokens[at].low, tokens[at].name
    if low in WEEKDAYS and (is_name or low.endswith(("day", "days"))):
        return _day(at, at + 1, weekday=WEEKDAYS[low])
    if match := re.match(_ISO, low):
        return _day(at, at + 1, year=float(match[1]), month=float(match[2]), day=float(match[3]) if match[3] else None)
    if low in MONTHS and is_name:
        day = _ordinal(tokens, at + 1)
        end = at + 1 + (day is not None)
        year, end = _year(tokens, end)
        return _day(at, end, year=year, month=MONTHS[low], day=day)
    if (day := _ordinal(tokens, at)) is not None:
        return _numbered(tokens, at, day)
    if low[:1] == "q" and low[1:] in ("1", "2", "3", "4"):
        year, end = _year(tokens, at + 1)
        return _day(at, end, year=year, quarter=float(low[1]))
    year, end = _year(tokens, at)
    after = tokens[at - 1].low if at else "in"
    return _day(at, end, year=year) if year and after in ("in", "since", "of", "by", "until", "from", "to") else None


def _numbered(tokens: Sequence[Token], at: int, day: float) -> Quantity | None:
    """Read a day of a month: 14 March, the 19th of April 2026, the 12th."""
    month = at + 2 if at + 1 < len(tokens) and tokens[at + 1].low == "of" else at + 1
    if month < len(tokens) and tokens[month].low in MONTHS and tokens[month].name:
        year, end = _year(tokens, month + 1)
        return _day(at, end, year=year, month=MONTHS[tokens[month].low], day=day)
    alone = at and tokens[at - 1].low == "the" and not tokens[at].low.isdigit()
    if alone and (at + 1 == len(tokens) or not tokens[at + 1].low.isalpha() or tokens[at + 1].low in _AFTER_DAY):
        return _day(at, at + 1, day=day)
    return None


_AFTER_DAY = frozenset("of at from until and for in each every".split())


def _ordinal(tokens: Sequence[Token], at: int) -> float | None:
    if at >= len(tokens):
        return None
    low = tokens[at].low
    match = re.match(_ORDINAL, low)
    if match:
        return float(match[1])
    return float(low) if low.isdecimal() and len(low) < 3 and 0 < int(low) < 32 else None


def _year(tokens: Sequence[Token], at: int) -> tuple[float | None, int]:
    at += at < len(tokens) and tokens[at].low == ","
    if at < len(tokens) and len(low := tokens[at].low) == 4 and low.isdecimal() and _YEARS[0] <= int(low) < _YEARS[1]:
        return float(low), at + 1
    return None, at - (at > 0 and at <= len(tokens) and tokens[at - 1].low == ",")


def _clock(tokens: Sequence[Token], at: int) -> Quantity | None:
    low = tokens[at].low
    following = tokens[at + 1].low if at + 1 < len(tokens) else ""
    if low in ("noon", "midnight"):
        return Quantity(DATE, "clock", (12 * 60.0 if low == "noon" else 0.0,), at, at + 1)
    match = re.match(_CLOCK, low) or re.match(_HOUR, low)
    half = match[match.lastindex or 0] if match else ""
    if match is None and low.isdecimal() and following in ("am", "pm"):
        return _moment(int(low), 0, following, at, at + 2)
    if match is None:
        return None
    minutes = int(match[2]) if match[2].isdecimal() else 0
    if half not in ("am", "pm"):
        half = following if following in ("am", "pm") else ""
        return _moment(int(match[1]), minutes, half, at, at + 1 + bool(half))
    return _moment(int(match[1]), minutes, half, at, at + 1)


def _moment(hour: int, minute: int, half: str, first: int, end: int) -> Quantity:
    hour = hour % 12 + (12 if half == "pm" else 0) if half else hour
    return Quantity(DATE, "clock", (float(hour * 60 + minute),), first, end)


def _measure(tokens: Sequence[Token], at: int) -> Quantity | None:
    """Read a number with a unit, or with the noun that it counts or numbers."""
    low = tokens[at].low
    if low in OFTEN and not (at + 1 < len(tokens) and _is_noun(tokens[at + 1])):
        return Quantity(NUMBER, "every", (OFTEN[low],), at, at + 1)
    bound = _bound(tokens, at)
    match = re.match(_NUMBER, low)
    if match is None:
        return _spelled(tokens, at, bound)
    number = float(match[2].replace(",", "").replace("_", "")) * {"k": 1e3, "m": 1e6, "bn": 1e9}.get(match[3] or "", 1)
    unit, end = match[1] or (match[3] or "") + match[4], at + 1
    if unit not in UNITS and unit not in ("", "k", "m", "bn"):
        return None
    if unit not in UNITS and end < len(tokens) and tokens[end].low in UNITS:
        unit, end = tokens[end].low, end + 1
    elif unit in UNITS and match[3]:
        number /= {"k": 1e3, "m": 1e6, "bn": 1e9}[match[3]]
    if unit in UNITS:
        return _timed(tokens, at, end, unit, number, bound)
    if "." in low or _is_name_before(tokens, at) or is_identifier(tokens, at):
        return None
    return Quantity(NUMBER, _counted(tokens, at, end), (number,), at, end, bound)


def _is_noun(token: Token) -> bool:
    """Tell whether a token may be a noun: the nightly job need not run every night."""
    return token.low.isalpha() and token.low not in _NO_NOUNS


def _timed(tokens: Sequence[Token], at: int, end: int, unit: str, number: float, bound: int) -> Quantity:
    dimension, factor = UNITS[unit]
    every = dimension == "time" and at and tokens[at - 1].low in ("every", "each")
    return Quantity(NUMBER, "every" if every else dimension, (number * factor,), at, end, bound)


def _spelled(tokens: Sequence[Token], at: int, bound: int) -> Quantity | None:
    low = tokens[at].low
    following = tokens[at + 1].low if at + 1 < len(tokens) else ""
    if low in ("every", "each") and following in UNITS and UNITS[following][0] == "time":
        return Quantity(NUMBER, "every", (UNITS[following][1],), at, at + 2)
    if low in ("a", "an") and following in UNITS and at and tokens[at - 1].low in ("for", "in", "within", "after"):
        return _timed(tokens, at, at + 2, following, 1.0, bound)
    if low in _TIMES and following in ("a", "an", "per", "each", "every") and at + 2 < len(tokens):
        unit = UNITS.get(tokens[at + 2].low, ("", 0.0))
        return Quantity(NUMBER, "every", (unit[1] / _TIMES[low],), at, at + 3) if unit[0] == "time" else None
    if low not in WORDS:
        return None
    number, end = WORDS[low], at + 1
    if low in ("half", "quarter") and following in ("a", "an", "of"):
        if following == "of":
            return Quantity(NUMBER, "share", (number * 100,), at, end, bound)
        end += 1
    if end < len(tokens) and tokens[end].low in UNITS:
        return _timed(tokens, at, end + 1, tokens[end].low, number, bound)
    if low in ("half", "quarter", "twice"):
        return None
    if low == "one" and (not following.isalpha() or following in _NO_NOUNS):
        return None  # a pronoun
    if is_identifier(tokens, at):
        return None
    return Quantity(NUMBER, _counted(tokens, at, end), (number,), at, end, bound)


def _counted(tokens: Sequence[Token], at: int, end: int) -> str:
    """Return what a bare number counts or numbers: 3 replicas, port 8080."""
    following = tokens[end] if end < len(tokens) else None
    if following is not None and following.low[0].isalpha() and following.low not in _NO_NOUNS:
        return f"of {following.stem}"
    near = [token for token in tokens[max(0, at - 4) : at] if token.low not in _NO_NOUNS and token.low[0].isalpha()]
    before = [token for token in near if token.stem not in CHANGE or token.stem in QUANTITIES] or near
    return f"of {before[-1].stem}" if before else "of"


_VALUED = (QUANTITIES, VERBS, PLACE, MANY, GIVING)
_NOT_NOUNS = ("s", "ed", "ing", "ly")
_BEFORE_VERBS = frozenset("to can may must should will would could we i they you not don't doesn't".split())
_DETERMINERS = frozenset("the a an this that these our my your his her its their no".split())
_ENDING = frozenset(",;:)")
_NO_NOUNS = frozenset(
    """is are was were be to at of in on for by from with as the a an and or but so than that it now set no until since
    when if per within after before only most least under over about around = :""".split()
)


def is_identifier(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a number identifies the noun before it: ticket 12, user 7. Behind a quantity
    (port 80), a verb (need 3) or a plural (retries 3) it is a value."""
    noun = tokens[at - 1] if at else None
    if noun is None or noun.low in FUNCTION or noun.owner:
        return False
    if noun.stem in NUMBERED and not noun.low.endswith("s"):
        return True
    if not (noun.low.isalpha() and noun.low.isascii()) or noun.low.endswith(_NOT_NOUNS):
        return False
    if any(noun.stem in known for known in _VALUED):
        return False
    if at > 1 and tokens[at - 2].low in _BEFORE_VERBS:
        return False  # can accept 3 files
    following, then = (tokens[at + more].low if at + more < len(tokens) else "" for more in (1, 2))
    if at == 1 or following in _NO_NOUNS or not following.isalpha():
        return True
    is_object = not then or then in _ENDING or (then in FUNCTION and then not in _DETERMINERS)
    return not is_object  # retry 3 times, and user 7 likes tea


def _is_name_before(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a number is the version of a name before it: Python 3, Node 18."""
    before = tokens[at - 1] if at else None
    following = tokens[at + 1].low if at + 1 < len(tokens) else ""
    if before is None or not before.low[0].isalpha():
        return False
    if before.low in _RELEASE:
        return True
    if before.stem in NUMBERED:
        return False
    return before.name and (at > 1 or following in ("", "is", "in", "for", ",", "on", "has", "everywhere"))


def _version(tokens: Sequence[Token], at: int) -> Quantity | None:
    low = tokens[at].low
    match = re.match(_VERSION, low)
    name = tokens[at - 1].stem if at and tokens[at - 1].low[0].isalpha() else ""
    if match is None:
        match = re.match(_NAMED, low) if ("/" in low and "." in low) or low.startswith("http/") else None
        if match is None:
            return None
        return Quantity(VERSION, match[1], tuple(map(float, match[2].split("."))), at, at + 1)
    plain = low[0].isdigit() and match[1].count(".") == 0
    if plain and not _is_name_before(tokens, at):
        return None
    if match[1].count(".") > 3:
        return None
    bound = 1 if low[0] in ">^~" or low.endswith("+") else _bound(tokens, at)
    value = tuple(float(part) for part in match[1].split("."))
    unnamed = name in _NO_NOUNS or name in _RELEASES
    return Quantity(VERSION, "" if unnamed else name, value, at, at + 1, 1 if bound == 1 else 0)


def _bound(tokens: Sequence[Token], at: int) -> int:
    before = [token.low for token in tokens[max(0, at - 2) : at]]
    after = [token.low for token in tokens[at + 1 : at + 4]]
    if not _ROUGH.isdisjoint(before[-1:]):
        return 2
    if not _AT_LEAST.isdisjoint(before) or after[:2] in (["or", "more"], ["or", "newer"], ["or", "later"]):
        return 1
    return -1 if not _AT_MOST.isdisjoint(before) else 0
