"""The hybrid logical clock: microseconds that never stand still and never run back."""

from __future__ import annotations

LATEST = 253_402_300_799_999_999  # the last microsecond of the year 9999: what can be written down


def tick(last: int, now: int) -> int:
    """The next moment: the clock on the wall, or just after the last event seen, whichever is later.

    So an event always sorts behind everything that its writer knew, even when the wall clock jumps back
    or an event from a machine years ahead was imported.
    """
    return max(now, last + 1)
