"""Numbers, and their units in one scale: 10M, 10 MB and ten megabytes are the same size, 120 hours are five days."""

from __future__ import annotations

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
    """A number in its scale, and whether the word that follows it was its unit."""
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
