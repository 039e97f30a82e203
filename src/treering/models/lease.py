"""Limit the calls to a user's own agent: one at a time, fewer than there were sessions, and ever fewer after failures.

What others learned by it: calls at night without anybody there, hundreds of millions of tokens, and calls that failed
and were made again at once. A call takes a lease, a file, so that one whose process was killed is known.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress

from treering.stores.files import open_own

FILE_NAME = "model.lease"
MINUTE = 60_000_000  # microseconds
HELD = 5 * MINUTE  # after which a lease is lost: twice what a call may take
FIRST_PAUSE = 15 * MINUTE  # after a failure; doubled with each that follows
LONGEST_PAUSE = 12 * 60 * MINUTE  # half a day: a quota is back by then
ANSWERED, FAILED = "answered", "failed"  # outcomes of a call


class Lease:
    """The right to ask an agent, for one home."""

    def __init__(self, home: str, calls: int) -> None:
        """Take how many `calls` there may be in 24 hours."""
        self.home = home
        self._path = os.path.join(home, FILE_NAME)
        self._calls = calls

    def allows(self, calls: Sequence[tuple[int, str]], sessions: int, now: int) -> bool:
        """Tell whether a call may be made after those of the last 24 hours, each with its time and outcome."""
        made = sorted(call for call in calls if call[1] in (ANSWERED, FAILED))
        if len(made) >= min(self._calls, sessions):
            return False
        failures = 0
        for _, outcome in reversed(made):
            if outcome == ANSWERED:
                break
            failures += 1
        return not failures or now - made[-1][0] >= min(FIRST_PAUSE << (failures - 1), LONGEST_PAUSE)

    def is_held(self, now: int) -> bool:
        """Tell whether another process asks at this moment."""
        since = self._since()
        return since is not None and 0 <= now - since < HELD

    def was_lost(self) -> bool:
        """Tell whether a process took it and never gave it back. Only if it is not held."""
        return self._since() is not None

    def take(self, now: int) -> None:
        with open(open_own(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "w", encoding="ascii") as file:
            file.write(str(now))

    def release(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._path)

    def _since(self) -> int | None:
        """Return when it was taken, in microseconds; None if it is free."""
        try:
            with open(open_own(self._path, os.O_RDONLY), encoding="ascii") as file:
                text = file.read(40)
        except (OSError, UnicodeDecodeError):
            return None
        return int(text) if text.isdecimal() else 0
