"""Moments in the files: whole seconds and days, in UTC, as people write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache

DAY = 86_400  # seconds
_START = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST = int((datetime(1, 1, 1, tzinfo=UTC) - _START).total_seconds())
LATEST = int((datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC) - _START).total_seconds())
_SECOND = 1_000_000  # microseconds


def seconds(moment: int) -> int:
    """Of a moment in microseconds; what cannot be written down becomes the nearest that can."""
    return min(max(moment // _SECOND, EARLIEST), LATEST)


def stamp(moment: int) -> str:
    """A moment in seconds, like 2026-06-27T10:30:05Z."""
    days, rest = divmod(moment, DAY)
    return f"{_date(days)}T{rest // 3_600:02}:{rest // 60 % 60:02}:{rest % 60:02}Z"


def day(moment: int) -> str:
    return _date(moment // DAY)


@lru_cache(4_096)  # a file has few dates, and each of them often
def read(text: str) -> int | None:
    """Seconds since 1970, if it is a date, or a date and a time."""
    try:
        parsed = datetime.fromisoformat(text.strip())
        aware = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        return int((aware - _START) // timedelta(seconds=1))
    except (ValueError, OverflowError):
        return None


def is_day(text: str) -> bool:
    return len(text) == 10 and text[4] == text[7] == "-" and read(text) is not None


@lru_cache(4_096)
def _date(days: int) -> str:
    return (_START + timedelta(days)).date().isoformat()
