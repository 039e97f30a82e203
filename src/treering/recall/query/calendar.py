"""Compute windows of time: days, months and years, and how near a moment is to one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from math import exp
from typing import NamedTuple

from treering.ledger.codec import LATEST

SECOND = 1_000_000
DAY = 86_400 * SECOND
HOUR = DAY // 24
_EPOCH = date(1970, 1, 1).toordinal()
EARLIEST = (1 - _EPOCH) * DAY  # the year 1
END = LATEST + 1

# Closeness falls by e for each half of a window outside of it (a quarter to the double measures the same). At most half
# a year, so that "before 2024", which has no beginning, does not hold 2025 as well; at least half an hour.
_LONGEST_FALL = 183 * DAY
_SHORTEST_FALL = HOUR // 2


class Window(NamedTuple):
    """From a start up to an end, in microseconds; or, if it has a month, that date of every year."""

    start: int = 0
    end: int = 0
    month: int = 0
    day: int = 0  # 0 for the whole month


def closeness(windows: Iterable[Window], moment: int) -> float:
    """Return 1 inside the nearest window, and less with the distance from it."""
    return max([_close(window, moment) for window in windows], default=0.0)


def _close(window: Window, moment: int) -> float:
    if window.month:
        return closeness(around(window, year_of(moment)), moment)
    far = max(window.start - moment, moment - window.end, 0)
    if not far:
        return 1.0
    fall = min(max((window.end - window.start) // 2, _SHORTEST_FALL), _LONGEST_FALL)
    return exp(-far / fall)


def recurring(month: int, day: int) -> Window | None:
    """Return a day of every year, if any year has it."""
    return Window(month=month, day=day) if date_of(2000, month, day) else None


def latest(window: Window, limit: int) -> Window:
    """Return a window in a year: of a recurring one, the last that has begun by then."""
    if not window.month:
        return window
    year = year_of(limit)
    past = [each for each in occurrences(window, range(year - 8, year + 1)) if each.start <= limit]
    return past[-1] if past else Window(EARLIEST, EARLIEST)


def following(window: Window, limit: int) -> Window:
    """Return, of a recurring window, the first that begins from then on."""
    year = year_of(limit)
    following = [each for each in occurrences(window, range(year, year + 9)) if each.start >= limit]
    return following[0] if following else Window(END, END)


@lru_cache(maxsize=256)  # a query asks it for every candidate, and they are of a few years
def around(window: Window, year: int) -> list[Window]:
    return occurrences(window, (year - 1, year, year + 1))


def occurrences(window: Window, years: Iterable[int]) -> list[Window]:
    every = (date_of(year, window.month, window.day) if window.day else months(year, window.month, 1) for year in years)
    return [each for each in every if each is not None]


def months(year: int, month: int, count: int) -> Window | None:
    """Return whole months from a first one on, over the end of a year if need be."""
    last = month + count - 1
    first = date_of(year, month, 1)
    beyond = date_of(year + last // 12, last % 12 + 1, 1)
    return Window(first.start, beyond.start if beyond else END) if first else None


def date_of(year: int, month: int, day: int) -> Window | None:
    try:
        return day_from((date(year, month, day).toordinal() - _EPOCH) * DAY)
    except ValueError:
        return None


def day_from(start: int) -> Window | None:
    return clip(start, start + DAY)


def clip(start: int, end: int) -> Window | None:
    """Return a window within the years 1 to 9999; None if it is empty there."""
    start, end = max(start, EARLIEST), min(end, END)
    return Window(start, end) if start < end else None


def year_of(moment: int) -> int:
    return date.fromordinal(_EPOCH + min(max(moment, EARLIEST), LATEST) // DAY).year


def weekday(moment: int) -> int:
    """Return the weekday, 0 for a Monday."""
    return date.fromordinal(_EPOCH + moment // DAY).weekday()
