"""Do work that is due in the background of an agent, after a cheap check that there is any."""

from __future__ import annotations

import os
from time import time_ns

from treering.stores.files import FILE_NAME, TENDING, release, spooled, take
from treering.stores.sqlite import hook_queries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

GROUP = "/proc/self/autogroup"  # Linux shares the processor out among sessions, and only within one by niceness
SECONDS = 90.0  # that the work may take; the next run does what is left
BACKGROUND = 10  # steps of niceness: no prompt waits for this
ROUNDS = 3  # a session that ends while its beginning is taken in is not left to the next one
RIPE = 30_000_000  # microseconds that queued events may wait: every turn of an agent leaves some


def due(home: str, now: int) -> bool:
    """Tell whether queued events have waited long enough, or a session began or ended."""
    db = hook_queries.connect(os.path.join(home, FILE_NAME))
    if db is None:  # there is no store yet, or one of an earlier version
        return os.path.exists(os.path.join(home, FILE_NAME)) or spooled(home)
    try:
        oldest, turned = hook_queries.waiting(db)
    finally:
        db.close()
    return turned or (oldest is not None and now - oldest > RIPE) or spooled(home)


def maintain(home: str, environment: Mapping[str, str], now: int) -> None:
    if not due(home, now) or not take(os.path.join(home, TENDING)):
        return
    _step_back()
    from treering.compose import open

    with open(home, actor="hook") as memory:
        release(os.path.join(home, TENDING))  # it only kept others from loading all of this too
        for _ in range(ROUNDS):
            if memory.maintenance.run(SECONDS).busy or not due(home, time_ns() // 1_000):
                return


def _step_back() -> None:
    """Let everybody else have the processor first, this process and its session."""
    if hasattr(os, "nice"):
        os.nice(BACKGROUND)
    try:
        with open(GROUP, "w", encoding="ascii") as file:
            file.write(str(BACKGROUND))
    except OSError:  # there are no such groups here
        return
