"""Split a text into quotes, paths, flags, numbers, names in code, words and punctuation; read
numbers with units.

Units have one scale: 10M, 10 MB and ten megabytes are the same size, 120 hours are five days.
"""

from __future__ import annotations

import re

# Runs are bounded, or end where nothing of them can belong to what follows, so that no text takes long to cut.
_PIECE = r"""
    (?P<plain>[^\W\d_]+(?=[\s,]|[.;:!?](?:\s|$)|$))
    |(?P<quote>"[^"\n]{0,300}"|“[^”\n]{0,300}”|\u2018[^\u2019\n]{0,300}\u2019|`[^`'\n]{0,300}[`']
        |(?<!\w)'[^'\n]{0,300}'(?!\w))
    |(?P<url>\b[a-z][a-z+]{1,10}://[^\s,;)]{0,300}[^\s,;.)])
    |(?P<mail>[\w.+-]{1,64}@[\w.-]{0,64}\w(?::[^\s,;]*)?)
    |(?P<flag>(?<![\w/.-])--?[A-Za-z][\w-]*(?:=[^\s,;]+)?)
    |(?P<variable>\$\{?[^\W\d]\w*\}?(?:/[\w./*-]*)?|%\w+%)
    |(?P<path>(?<!\w)(?:~|\.{1,2})?/(?:[\w.*/~@%+$\{\}-]{0,300}[\w*/~\}])?|~(?!\w)
        |[\w.-]{1,64}/(?:[\w.-]{1,64}/)+[\w-]*|[\w-]{1,64}/(?=[\s,;.)]|$)
        |[\w-]{1,64}/[\w-]{1,64}\.\w+)
    |(?P<glob>[\w.\]-]{0,64}[*\[][\w.*?\[\]-]{0,64}(?<=[\w*\]]))
    |(?P<date>\b\d{4}-\d\d(?:-\d\d)?\b|\b\d{1,2}:\d\d(?::\d\d)?\b)
    |(?P<dotted>(?<![\w)])\.[A-Za-z]\w*(?:\.\w+)*)
    |(?P<number>(?<![\w.])[$€£]?\d{1,3}(?:,\d{3})+(?!\d)
        |(?<![\w.)\]-])(?:-(?=\d)|v(?=\d)|[$€£])?\d{1,64}(?:\.\d{1,64})*(?!\.\d)(?:[a-zA-Z]{1,3}|%)?(?!\w))
    |(?P<name>[^\W\d]\w{0,64}?(?:[.:_=+\#@][\w.:=+-]{0,64}\w)+|\w{0,64}\d\w*|[^\W\d]+(?:-\w{0,64}\d[\w-]{0,64})+
        |[A-Za-z]\w*(?:\(\)|\+\+|\#))
    |(?P<word>[^\W\d_]+(?:['\u2019][^\W\d_]+)?)
    |(?P<operator>&&|\|\||(?<!\S)(?:[<>=!]=?|[+%^|]|[-=]>)(?!\S))
    |(?P<point>(?:(?<![.!?;:])[.!?;:]+|[.!?;:]{1,8})(?=\s|$)|[,&()\n\u2014\u2013])
    """
_CUT = re.compile(_PIECE, re.VERBOSE)
_CUT_ALL = re.compile(_PIECE + r"|(?P<mark>[^\w\s])", re.VERBOSE)
POINT, WORD, NUMBER, FLAG, QUOTE = "point", "word", "number", "flag", "quote"
SIGNS = frozenset(("operator", "mark"))
_KINDS = {"plain": WORD}  # most words, found without a look at all that a piece may be
# Signs that only dress what they stand at: quotes, brackets, emphasis, marks of a list, hyphens, strokes.
DRESS = frozenset("\"'\u201c\u201d\u2018\u2019`\u00ab\u00bb()[]{}*_#-/\\.,;:\u2026\u2022\u00b7\ufe0f")
PLACES = {"~": "home", "$HOME": "home", "${HOME}": "home", "/": "root", ".": "here", "./": "here"}


def pieces(text: str, is_all: bool = False) -> list[tuple[str, str]]:
    """Return the kind and the text of each piece; with `is_all`, also every other sign."""
    cut = _CUT_ALL if is_all else _CUT
    return [(_KINDS.get(match.lastgroup or "", match.lastgroup or ""), match.group()) for match in cut.finditer(text)]


def plain(text: str) -> str:
    """Return a value as it is compared: *.txt, .txt and txt name the same files, a/ and ./a the same place."""
    if text in PLACES:
        return PLACES[text]
    if text.startswith("*.") and text[2:].isalnum():
        text = text[2:]
    elif text[:1] == "." and text[1:].isalnum():
        text = text[1:]
    text = text.removeprefix("./")
    if text.startswith("${") and text.endswith("}"):
        text = "$" + text[2:-1]
    return text.rstrip("/") or text


_COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split()
NUMBERS = {word: str(value) for value, word in enumerate(_COUNTS)} | {
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "ninety": "90",
    "hundred": "100",
    "thousand": "1000",
}

_KILO = 1024  # as the tools of a shell count
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400  # seconds
_LETTERS = {"k": _KILO, "m": _KILO**2, "g": _KILO**3, "t": _KILO**4}
_NAMES = {
    "byte": ("byte", 1),
    "kilobyte": ("byte", _KILO),
    "megabyte": ("byte", _KILO**2),
    "gigabyte": ("byte", _KILO**3),
    "terabyte": ("byte", _KILO**4),
    "second": ("second", 1),
    "sec": ("second", 1),
    "minute": ("second", _MINUTE),
    "min": ("second", _MINUTE),
    "hour": ("second", _HOUR),
    "hr": ("second", _HOUR),
    "day": ("second", _DAY),
    "week": ("second", 7 * _DAY),
    "month": ("month", 1),
    "year": ("month", 12),
}
# What a unit measures, and how many of the smallest of its kind it is.
UNITS: dict[str, tuple[str, float]] = {
    **{form: unit for name, unit in _NAMES.items() for form in (name, name + "s")},
    **{form: ("byte", size) for letter, size in _LETTERS.items() for form in (letter + "b", letter + "ib")},
    "ms": ("second", 0.001),
    "millisecond": ("second", 0.001),
    "milliseconds": ("second", 0.001),
    "percent": ("%", 1),
    "%": ("%", 1),
}
# Units only right behind the digits: 10k, 30s.
_GLUED: dict[str, tuple[str, float]] = {
    **{letter: ("byte", size) for letter, size in _LETTERS.items()},
    "s": ("second", 1),
    "h": ("second", _HOUR),
    "d": ("second", _DAY),
    "w": ("second", 7 * _DAY),
}


def measured(text: str, followed: str) -> tuple[str, bool]:
    """Return a number in its scale, and whether the next word was its unit."""
    digits = NUMBERS.get(text, text).replace(",", "")
    cut = next((at for at, letter in enumerate(digits) if at and (letter.isalpha() or letter == "%")), len(digits))
    unit = _GLUED.get(digits[cut:]) or UNITS.get(digits[cut:])
    if unit:
        return _scaled(digits[:cut], unit), False
    if followed in UNITS:
        return _scaled(digits, UNITS[followed]), True
    return digits.lstrip("v"), False


def is_time(key: str) -> bool:
    return key.endswith((" second", " month"))


def _scaled(digits: str, unit: tuple[str, float]) -> str:
    name, scale = unit
    try:
        return f"{float(digits) * scale:g} {name}"
    except ValueError:  # 1.2.3 days: no number, whatever it is
        return f"{digits} {name}"
