"""Convert between microseconds since 1970, used inside, and ISO 8601, used outside."""

from __future__ import annotations

import time
from datetime import datetime

from treering.ledger.codec import LATEST
from treering.ledger.errors import InvalidInput

SECOND = 1_000_000
_EXAMPLES = "2026-05-01, 2026-05-01T14:30:00Z or 2026-05-01 14:30+02:00"
_EARLIEST = -62_135_596_800 * SECOND  # the year 1


def now() -> int:
    return min(time.time_ns() // 1_000, LATEST)


def format_time(moment: int) -> str:
    """Format a moment for people and for JSON, in UTC."""
    seconds, rest = divmod(moment, SECOND)
    stamp = time.gmtime(seconds)
    text = f"{stamp[0]:04}-{stamp[1]:02}-{stamp[2]:02}T{stamp[3]:02}:{stamp[4]:02}:{stamp[5]:02}"
    return f"{text}.{rest:06}Z" if rest else f"{text}Z"


def parse_time(given: str | float | datetime, end_of_day: bool = False) -> int:
    """Read a moment from a text, seconds since 1970, or a datetime. No zone means UTC."""
    from datetime import UTC, datetime

    if isinstance(given, bool):
        raise InvalidInput(f"{given!r} is not a time: write it like {_EXAMPLES}")
    if isinstance(given, (int, float)):
        if not _EARLIEST <= given * SECOND <= LATEST:  # also what is not a number
            raise InvalidInput(f"{given!r} lies outside the years 1 to 9999")
        return int(given * SECOND)
    if isinstance(given, str):
        text = given.strip()
        try:
            parsed = datetime.fromisoformat(text)
        except ValueError:
            raise InvalidInput(f"{given!r} is not a time: write it like {_EXAMPLES}") from None
        if end_of_day and len(text) <= len("2026-05-01"):
            parsed = parsed.replace(hour=23, minute=59, second=59, microsecond=999_999)
    elif isinstance(given, datetime):
        parsed = given
    else:
        raise InvalidInput(f"{given!r} is not a time: write it like {_EXAMPLES}")
    since = (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)) - datetime(1970, 1, 1, tzinfo=UTC)
    return _checked((since.days * 86_400 + since.seconds) * SECOND + since.microseconds, given)


def _checked(moment: int, given: object) -> int:
    if not _EARLIEST <= moment <= LATEST:
        raise InvalidInput(f"{given!r} lies outside the years 1 to 9999")
    return moment
