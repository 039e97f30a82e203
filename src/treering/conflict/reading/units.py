"""Units, and the words for numbers, days and months."""

from __future__ import annotations

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
