"""Find the times in a query: "three weeks ago", "last Saturday", "in August 2023", "since March".

People are loose about time, so the windows are wide, and a memory just outside of one is still
close. All is UTC, as the asker's zone is unknown: nothing is narrower than a day, except hours.
"""

from __future__ import annotations

from typing import NamedTuple

from treering.ledger.codec import LATEST
from treering.recall.query.calendar import (
    DAY,
    EARLIEST,
    HOUR,
    SECOND,
    Window,
    clip,
    date_of,
    day_from,
    following,
    latest,
    months,
    recurring,
    weekday,
    year_of,
)

_MOST_LETTERS = 10_000  # of a query that are read; nobody names a time behind that many
_MOST_WINDOWS = 16  # a query that names more times than this is a list of dates, and near to everything
_MOST_DIGITS = 5  # in a number of days or more: 99,999 days are 273 years

_LONG_MONTHS = "january february march april may june july august september october november december".split()
_MONTHS = {name: number for number, name in enumerate(_LONG_MONTHS, 1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
# Months that are nothing else. The others, and all short forms, are verbs, names of people or terms as well.
_SURE_MONTHS = frozenset("january february july august september october november december".split())
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_QUARTERS = {"q1": 1, "q2": 4, "q3": 7, "q4": 10}

_NUMBERS = {name: number for number, name in enumerate("zero one two three four five six seven eight nine ten".split())}
_NUMBERS |= {"a": 1, "an": 1, "eleven": 11, "twelve": 12, "twenty": 20, "thirty": 30}
_NUMBERS |= {"couple": 2, "few": 3, "several": 4}
_UNITS = {"hour": HOUR, "day": DAY, "week": 7 * DAY, "weekend": 7 * DAY}
_UNITS |= {"month": 2_629_800 * SECOND, "quarter": 7_889_400 * SECOND, "year": 31_557_600 * SECOND}  # on average
_UNITS |= {f"{name}s": length for name, length in _UNITS.items()}

_BACK = frozenset(("ago", "back", "earlier"))
_LAST = frozenset(("last", "past", "previous"))
_DAY_WORDS = {"yesterday": 1, "today": 0}  # how many days ago
_PARTS_OF_DAY = frozenset(("morning", "afternoon", "evening"))
_BOUNDS = frozenset(("since", "after", "before", "until", "till"))
_RANGES = {"between": ("and",), "from": ("to", "until", "till", "through")}

# Behind these a bare year or an unclear month is a time: "in 2023", "during May".
_PREPOSITIONS = frozenset("in of on by during year from around throughout early mid late".split()).union(
    *(_BOUNDS, _LAST, _RANGES)
)
# Behind a number that could be a year these say that it counts something: "in 2000 ms", "after 2048 requests".
_COUNTED = frozenset(
    """bits bytes calls calories characters chars commits connections customers days documents dollars employees entries
    errors euros events examples files hours items iterations jobs kb km lines mb messages metres meters miles
    milliseconds minutes ms nodes ns pages participants people pixels pods points pounds px queries records requests
    retries rows samples seconds steps tests threads times tokens us users words""".split()
)

# Words that a time can begin with, if it begins with no digit.
_START = frozenset(("recent", "this")).union(
    *(_NUMBERS, _LAST, _BOUNDS, _RANGES, _DAY_WORDS, _MONTHS, _QUARTERS, _UNITS)
)

_BETWEEN = "./-"  # the numbers of a date
_OPENING = "\"'`([{<\u201c\u2018"
_CLOSING = "\"'`)]}>\u201d\u2019"
_ENDING = ".,;:!?"


class _Text(NamedTuple):
    """A query in words: lower case, "," and "." for punctuation, and empty ones behind the last."""

    words: list[str]
    capital: list[bool]
    now: int

    @property
    def today(self) -> int:
        return self.now - self.now % DAY

    @property
    def year(self) -> int:
        return year_of(self.now)


# What was read at a place, and where reading goes on. Nothing to look for if it names a day that does not exist.
Read = tuple[Window | None, int]


def windows(query: str, now: int) -> list[Window]:
    """Return all times that a query names, in its order."""
    text = _read(query, now)
    found: list[Window] = []
    place = 0
    while (word := text.words[place]) and len(found) < _MOST_WINDOWS:
        read = _window(text, place) if word in _START or word[0].isdigit() else None
        if read is None:
            place += 1
            continue
        window, place = read
        if window is not None:
            found.append(window)
    return found


def _read(query: str, now: int) -> _Text:
    words: list[str] = []
    capital: list[bool] = []
    for chunk in query[:_MOST_LETTERS].split():
        if chunk.islower() and chunk.isalpha():
            words.append(chunk)
            capital.append(False)
            continue
        inner = chunk.lstrip(_OPENING).rstrip(_CLOSING)
        word = inner.rstrip(_ENDING).rstrip(_CLOSING).removesuffix("'s").removesuffix("\u2019s").removeprefix("mid-")
        names = _numeric(word) or [word]
        words += [name.lower() or "." for name in names]
        capital += [name[:1].isupper() for name in names]
        if inner[-1:] in _ENDING and not (inner.endswith(".") and words[-1] in _MONTHS):
            words.append("," if inner[-1:] == "," else ".")
            capital.append(False)
    # As many empty words as any rule reads ahead: "two weeks before the 3rd of May, 2023".
    words += [""] * 10
    return _Text(words, [*capital, *[False] * 10], min(max(now, EARLIEST), LATEST))


def _numeric(word: str) -> list[str]:
    """Return "15.08.2023" and "8/15/2023" as dates that begin with the year. With points the day comes first;
    otherwise either may, so "01/02/2023" is two dates."""
    mark = next((mark for mark in _BETWEEN if word.count(mark) == 2), "")
    pieces = word.split(mark) if mark else []
    if not (pieces and all(piece.isascii() and piece.isdecimal() for piece in pieces) and _year_in(pieces[2])):
        return []
    if any(len(piece) > 2 for piece in pieces[:2]):
        return []
    one, other = map(int, pieces[:2])
    read = [(other, one)] if mark == "." else [(other, one), (one, other)]
    dates = [f"{pieces[2]}-{month:02}-{day:02}" for month, day in read if 1 <= month <= 12 and 1 <= day <= 31]
    return [*dict.fromkeys(dates)]


def _window(text: _Text, place: int) -> Read | None:
    sure = place > 0 and _announced(text, place)
    return (
        _range(text, place)
        or _distant(text, place)
        or _bounded(text, place)
        or _relative(text, place)
        or _period(text, place, sure)
    )


def _announced(text: _Text, place: int) -> bool:
    """Tell whether the words before say that a time follows: "in May", and so "in April and May"."""
    before = text.words[place - 1]
    if before in ("and", "or") and place > 2 and text.words[place - 2] in _MONTHS:
        return text.words[place - 3] in _PREPOSITIONS
    return before in _PREPOSITIONS


def _range(text: _Text, place: int) -> Read | None:
    """Read "between May and July 2024": an end without a year takes the one of the other."""
    if text.words[place] not in _RANGES:
        return None
    first = _named(text, place + 1)
    if not first or text.words[first[1]] not in _RANGES[text.words[place]]:
        return None
    second = _named(text, first[1] + 1)
    if not second:
        return None
    start, end = first[0], second[0]
    if start is None or end is None:
        return None, second[1]
    start = latest(start, text.now if end.month else end.start)
    if end.month:
        end = following(end, start.start)
    return clip(start.start, end.end), second[1]


def _distant(text: _Text, place: int) -> Read | None:
    """Read "two weeks before 11 August" as a week around that day; "the week before" ends there."""
    number, place = _number(text, place)
    unit = _UNITS.get(text.words[place])
    if unit is None or text.words[place + 1] not in ("before", "after"):
        return None
    read = _named(text, place + 2)
    if not read or read[0] is None:
        return read
    window = latest(read[0], text.now)
    before = text.words[place + 1] == "before"
    if number:
        return _near(window.start + (-number if before else number) * unit, unit), read[1]
    start = window.start - unit if before else window.end
    return clip(start, start + unit), read[1]


def _bounded(text: _Text, place: int) -> Read | None:
    """Read "since March", "before 2024": open to one side, and towards the future up to now."""
    bound = text.words[place]
    if bound not in _BOUNDS:
        return None
    read = _named(text, place + 1)
    if not read or read[0] is None:
        return read
    window = latest(read[0], text.now)
    if bound in ("since", "after"):
        return clip(window.start if bound == "since" else window.end, text.now), read[1]
    return clip(EARLIEST, window.start if bound == "before" else window.end), read[1]


def _named(text: _Text, place: int) -> Read | None:
    """Read a time where one is expected, so that a bare year, month or weekday will do."""
    if text.words[place] == "the":
        place += 1
    if text.words[place] in _WEEKDAYS:
        return _weekday(text, place, today=False)
    return _relative(text, place) or _period(text, place, sure=True)


def _relative(text: _Text, place: int) -> Read | None:
    word = text.words[place]
    if word in _DAY_WORDS:
        return day_from(text.today - _DAY_WORDS[word] * DAY), place + 1
    if word in _LAST or word in ("recent", "this"):
        return _last(text, place)
    return _ago(text, place)


def _ago(text: _Text, place: int) -> Read | None:
    """Read "three weeks ago": half a week to either side of that day. Hours count from now."""
    number, place = _number(text, place)
    unit = _UNITS.get(text.words[place])
    if number is None or unit is None or text.words[place + 1] not in _BACK:
        return None
    return _near((text.now if unit < DAY else text.today) - number * unit, unit), place + 2


def _near(moment: int, unit: int) -> Window | None:
    """Return half a unit to either side of a day, or of an hour."""
    return clip(moment - unit // 2, moment + unit // 2 + (DAY if unit >= DAY else 0))


def _last(text: _Text, place: int) -> Read | None:
    """Read "last week", the calendar's or the last seven days: two weeks back; "this week" is one."""
    last = text.words[place] != "this"
    number, after = _number(text, place + 1)
    word = text.words[after]
    unit = _UNITS.get(word)
    if number is not None or text.words[place] == "recent":
        return (_back_to(text, number, unit), after + 1) if unit and number and last else None
    if unit:
        return _back_to(text, 2 if last else 1, unit), after + 1
    if word in _WEEKDAYS:
        return _weekday(text, after, today=not last)
    if word == "night" and last:
        return clip(text.today - DAY // 2, text.today + DAY // 2), after + 1
    if word in _PARTS_OF_DAY:
        return day_from(text.today - (DAY if last else 0)), after + 1
    return _last_month(text, after) if last and word in _MONTHS else None


def _back_to(text: _Text, number: int, unit: int) -> Window | None:
    return clip((text.now if unit < DAY else text.today) - number * unit, text.now)


def _last_month(text: _Text, place: int) -> Read:
    """Read "last May", which is over."""
    past = [months(year, _MONTHS[text.words[place]], 1) for year in (text.year, text.year - 1)]
    return next((window for window in past if window and window.end <= text.now), None), place + 1


def _number(text: _Text, place: int) -> tuple[int | None, int]:
    """Read a number of units: "3", "three", "a few", "a couple of"; None if it is none."""
    word = text.words[place]
    if word in ("a", "the") and text.words[place + 1] in ("couple", "few"):
        place, word = place + 1, text.words[place + 1]
    if word.isascii() and word.isdecimal() and len(word) <= _MOST_DIGITS:
        return int(word), place + 1
    number = _NUMBERS.get(word)
    if number is None:
        return None, place
    return number, place + (2 if word == "couple" and text.words[place + 1] == "of" else 1)


def _weekday(text: _Text, place: int, *, today: bool) -> Read:
    """Return the last day of that name, which is today only if today may be meant."""
    wanted = _WEEKDAYS.index(text.words[place])
    back = (weekday(text.today) - wanted) % 7
    return day_from(text.today - (back or (0 if today else 7)) * DAY), place + 1


def _period(text: _Text, place: int, sure: bool) -> Read | None:
    """Read a time of the calendar; a bare year or an unclear month only if the words before it allow."""
    word = text.words[place]
    if word[:1].isdigit():
        return _iso(text, place) or _day_of_month(text, place, sure) or _year_alone(text, place, sure)
    if word in _MONTHS:
        return _month(text, place, sure)
    return _quarter(text, place) if word in _QUARTERS else None


def _iso(text: _Text, place: int) -> Read | None:
    """Read "2023-08-15", also with slashes or a time behind it, and "2023-08"."""
    word = text.words[place].partition("t")[0].replace("/", "-")
    pieces = word.split("-")
    if [len(piece) for piece in pieces] not in ([4, 2], [4, 2, 2]):
        return None
    if not all(piece.isascii() and piece.isdecimal() for piece in pieces):
        return None
    year, month, *rest = map(int, pieces)
    if rest:
        return date_of(year, month, rest[0]), place + 1
    return (months(year, month, 1), place + 1) if _year_in(pieces[0]) else None


def _day_of_month(text: _Text, place: int, sure: bool) -> Read | None:
    """Read "15 August 2023", "the 15th of August"."""
    day, ordinal = _day_number(text.words[place])
    after = place + 1 + (text.words[place + 1] == "of")
    month = _MONTHS.get(text.words[after])
    if not day or not month:
        return None
    year, end = _year_behind(text, after + 1)
    sure = sure or ordinal or after > place + 1
    if not (year or sure or text.capital[after] or text.words[after] in _SURE_MONTHS):
        return None  # "3 may be enough"
    return (date_of(year, month, day) if year else recurring(month, day)), end


def _month(text: _Text, place: int, sure: bool) -> Read | None:
    """Read "August 15, 2023", "August 2023", "August 15", "August"."""
    word = text.words[place]
    month = _MONTHS[word]
    clear = sure or word in _SURE_MONTHS
    day, ordinal = _day_number(text.words[place + 1])
    if day:
        year, end = _year_behind(text, place + 2)
        if not (year or ordinal or clear or text.capital[place]):
            return None
        return (date_of(year, month, day) if year else recurring(month, day)), end
    year, end = _year_behind(text, place + 1)
    if year:
        return months(year, month, 1), end
    if clear or (place > 0 and text.capital[place] and text.words[place - 1] == "the"):
        return Window(month=month), place + 1
    return None


def _quarter(text: _Text, place: int) -> Read | None:
    """Read "Q3 2024"."""
    year, end = _year_behind(text, place + 1)
    return (months(year, _QUARTERS[text.words[place]], 3), end) if year else None


def _year_alone(text: _Text, place: int, sure: bool) -> Read | None:
    """Read "in 2023" and "2024 Q3", but neither "error 2023" nor "in 2000 ms"."""
    year = _year_in(text.words[place])
    following = text.words[place + 1]
    if year and following in _QUARTERS:
        return months(year, _QUARTERS[following], 3), place + 2
    if year and sure and following not in _COUNTED and text.words[place - 1] != "on":
        return months(year, 1, 12), place + 1
    return None


def _year_behind(text: _Text, place: int) -> tuple[int, int]:
    """Return the year that follows a month or a date, and where it ends; 0 if none does."""
    at = place + (text.words[place] in (",", "of"))
    if year := _year_in(text.words[at]):
        return year, at + 1
    if text.words[at] in ("last", "this") and text.words[at + 1] == "year":
        return text.year - (text.words[at] == "last"), at + 2
    return 0, place


def _year_in(word: str) -> int:
    """Return a plausible year of four digits, else 0."""
    return int(word) if len(word) == 4 and word[:2] in ("19", "20") and word.isascii() and word.isdecimal() else 0


def _day_number(word: str) -> tuple[int, bool]:
    """Return the number of "15" or "15th", and whether it is an ordinal; 0 if no day of a month."""
    digits = word[:-2] if word[-2:] in ("st", "nd", "rd", "th") else word
    if not (1 <= len(digits) <= 2 and digits.isascii() and digits.isdecimal()):
        return 0, False
    return (int(digits) if int(digits) <= 31 else 0), digits != word
