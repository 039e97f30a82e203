"""Split a text into tokens with place and stem: words, names in code, numbers, punctuation; list
units and dates."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

# The dimension of each, and its size in the unit of that.
UNITS: dict[str, tuple[str, float]] = {}
for _dimension, _factor, _names in (
    ("time", 1e-9, "ns nanosecond nanoseconds"),
    ("time", 1e-6, "us µs μs microsecond microseconds"),
    ("time", 1e-3, "ms msec millisecond milliseconds"),
    ("time", 1, "s sec secs second seconds"),
    ("time", 60, "min mins minute minutes"),
    ("time", 3600, "h hr hrs hour hours"),
    ("time", 86400, "d day days night nights"),
    ("time", 604800, "week weeks wk"),
    ("time", 2629800, "month months"),
    ("time", 31557600, "year years yr yrs"),
    ("bytes", 1, "byte bytes"),
    ("bytes", 1e3, "kb"),
    ("bytes", 1e6, "mb megabyte megabytes"),
    ("bytes", 1e9, "gb gigabyte gigabytes"),
    ("bytes", 1e12, "tb terabyte terabytes"),
    ("bytes", 1024, "kib"),
    ("bytes", 1024**2, "mib"),
    ("bytes", 1024**3, "gib"),
    ("bytes", 1024**4, "tib"),
    ("share", 1, "% percent pct"),
    ("length", 1e-3, "mm"),
    ("length", 1e-2, "cm"),
    ("length", 1, "metre metres meter meters"),
    ("length", 1e3, "km kilometre kilometres kilometer kilometers"),
    ("length", 1609.344, "mile miles mi"),
    ("length", 0.3048, "ft foot feet"),
    ("mass", 1e-3, "g gram grams"),
    ("mass", 1, "kg kilo kilos kilogram kilograms"),
    ("mass", 0.45359237, "lb lbs pound pounds"),
    ("power", 1, "w watt watts"),
    ("power", 1e3, "kw kilowatt kilowatts"),
    ("power", 1e6, "mw megawatt megawatts"),
    ("frequency", 1, "hz"),
    ("frequency", 1e3, "khz"),
    ("frequency", 1e6, "mhz"),
    ("frequency", 1e9, "ghz"),
    ("rate", 1e3, "kb/s kbps"),
    ("rate", 1e6, "mb/s mbps"),
    ("rate", 1e9, "gb/s gbps"),
    ("degrees", 1, "degree degrees °c °"),
    ("dollars", 1, "$ dollar dollars usd"),
    ("dollars", 0.01, "cent cents"),
    ("euros", 1, "€ euro euros eur"),
    ("pounds", 1, "£ gbp quid"),
    ("pixels", 1, "px pixel pixels"),
):
    UNITS.update(dict.fromkeys(_names.split(), (_dimension, _factor)))

_DAY = 86400.0
WORDS = {
    **{word: float(at) for at, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
    )},
    "twenty": 20.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "ninety": 90.0, "hundred": 100.0,
    "thousand": 1000.0, "million": 1e6, "half": 0.5, "quarter": 0.25, "dozen": 12.0, "twice": 2.0,
}  # fmt: skip
OFTEN = {
    "hourly": 3600.0, "daily": _DAY, "nightly": _DAY, "weekly": 7 * _DAY, "biweekly": 14 * _DAY,
    "fortnightly": 14 * _DAY, "monthly": 2629800.0, "quarterly": 3 * 2629800.0, "yearly": 31557600.0,
    "annually": 31557600.0,
}  # fmt: skip
MONTHS = {
    name: float(at % 12 + 1)
    for at, name in enumerate(
        "january february march april may june july august september october november december "
        "jan feb mar apr may jun jul aug sep oct nov dec".split()
    )
} | {"sept": 9.0}
WEEKDAYS = {
    name: float(at % 7)
    for at, name in enumerate(
        "monday tuesday wednesday thursday friday saturday sunday "
        "mondays tuesdays wednesdays thursdays fridays saturdays sundays mon tue wed thu fri sat sun".split()
    )
}

# Words that may begin an amount; any other token must have a digit.
WORDY = frozenset((*WORDS, *OFTEN, *MONTHS, *WEEKDAYS, "noon", "midnight", "once", "every", "each", "a", "an"))


# A name between back ticks; words with the signs that stand inside names, paths, versions and numbers; single signs.
# As texts: `re` compiles them when first needed.
TOKEN = (
    r"(?i)`[^`\s]{1,80}`"
    r"|[a-z]{2,}-[a-z]{2,}(?:-[a-z]{2,})*(?![\w./@])"
    r"|(?:[$€£]|>=|<=|==|[<>~^@]|(?<!\w)\.?/|--)?\w(?:[\w.,:/@+'\u2019#~-]{0,80}[\w/])?[%+#]?"
    r"|[:=,;()→]"
)
_PARTICLES = ("-up", "-off", "-in", "-out", "-down", "-over", "-on", "-by")  # stand-up is one word
_PINNED = r"`?([a-zA-Z][\w./+-]*)(?:@|==|:)v?(\d+(?:\.\d+)*)(?:-[a-z][\w.]*)?`?\Z"  # python:3.9-slim, react@18.2.0
_PINS = frozenset("@=:")
_HYPHENED = r"[^\W\d_]+(?:-[^\W\d_]+)+\Z"


class Token(NamedTuple):
    low: str  # in lower case
    stem: str
    start: int
    end: int
    name: bool  # written as names are: a capital, a digit or a sign of code in it
    owner: bool = False  # the user's


def tokens(text: str, start: int, end: int) -> list[Token]:
    found = []
    for match in re.compile(TOKEN).finditer(text, start, end):
        word, first = match[0], match.start()
        if not _PINS.isdisjoint(word) and (pinned := re.match(_PINNED, word)):
            found.append(_token(pinned[1], first + pinned.start(1))._replace(name=True))
            found.append(_token(pinned[2], first + pinned.start(2)))
        elif word[0] == "`":
            found.append(Token(word[1:-1].lower(), word[1:-1].lower(), first, match.end(), True))
        elif "-" in word and re.match(_HYPHENED, word) and not word.endswith(_PARTICLES):
            for piece in word.split("-"):
                found.append(_token(piece, first))
                first += len(piece) + 1
        else:
            found.append(_token(word, first))
    return found


def _token(word: str, start: int) -> Token:
    low = word.lower().replace("\u2019", "'")
    possessive = low.endswith("'s")
    bare = low[:-2] if possessive else low.rstrip("'")
    return Token(bare, stem(bare), start, start + len(word) - (2 if possessive else 0), not _is_plain(word), possessive)


def _is_plain(word: str) -> bool:
    return word.islower() and (word.isalpha() or word.replace("-", "").replace("'", "").replace("\u2019", "").isalpha())


_KNOWN = 8192  # stems kept: the common words of a store
_VOWELS = frozenset("aeiouy")
_IRREGULAR = dict(
    pair.split("/")
    for pair in """
    used/use using/use uses/use written/writ wrote/writ rewritten/writ rewrote/writ kept/keep held/hold ran/run
    built/build sent/send paid/pay
    born/bear left/leav led/lead made/mak went/go taken/tak took/tak given/giv goes/go does/do users/user
    people/person children/child stored/stor chosen/choos chose/choos fell/fall begun/begin us/we ids/id owner/own
    owners/own lives/liv die/di dies/di died/di forbidden/forbid setting/setting
    """.split()
)
# What looks like a form of another word and is none.
_AS_THEY_ARE = frozenset(
    """found gone user data put set news less has was is this its as bus gas yes during string thing spring king ring
    need speed feed seed red bed id bring sing wing morning evening nothing shed something anything everything
    united""".split()
)


@lru_cache(_KNOWN)
def stem(word: str) -> str:
    """Return the stem of a lower-case word. Names in code are left alone."""
    single = word[:-1] if word.endswith("s") else word
    known = _IRREGULAR.get(word) or _IRREGULAR.get(single)
    if known is not None:
        return known
    if word in _AS_THEY_ARE or single in _AS_THEY_ARE:
        return word if word in _AS_THEY_ARE else single
    if not word.isalpha() or len(word) < 4:
        return word[:-1] if len(word) == 4 and word.endswith("s") else word
    return _bare(_singular(word))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _bare(word: str) -> str:
    for endings, long_enough in ((("ment", "ing", "ed"), 3), (("er", "or"), 4)):  # transferr-ed, then transf-er
        rest = next((word[: -len(ending)] for ending in endings if word.endswith(ending)), "")
        if len(rest) >= long_enough and not _VOWELS.isdisjoint(rest):
            word = rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
    if word.endswith("y") and len(word) > 3 and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
