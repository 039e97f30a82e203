"""The hybrid logical clock: microseconds that never stand still and never run back."""

from __future__ import annotations


def tick(last: int, now: int) -> int:
    """The next moment: the clock on the wall, or just after the last event seen, whichever is later.

    So an event always sorts behind everything that its writer knew, even when the wall clock jumps back
    or an event from a machine years ahead was imported.
    """
    return max(now, last + 1)
