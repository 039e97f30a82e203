"""Work that is due, done in the background of an agent: a look whether there is any comes first, and is cheap."""

from __future__ import annotations

import os

from treering.stores import lock, peek, slot
from treering.stores.files import FILE_NAME, TENDING, spooled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SECONDS = 90.0  # that the work may take; what is left goes on the next time
BACKGROUND = 10  # steps of niceness: no prompt waits for this
RIPE = 30_000_000  # microseconds that letters may wait: every turn of an agent leaves some


def due(home: str, now: int) -> bool:
    """Whether letters wait that are ripe, or a session began or ended."""
    db = peek.connect(os.path.join(home, FILE_NAME))
    if db is None:  # there is no store yet, or one of an earlier version
        return os.path.exists(os.path.join(home, FILE_NAME)) or spooled(home)
    try:
        oldest, turned = slot.waiting(db)
    finally:
        db.close()
    return turned or (oldest is not None and now - oldest > RIPE) or spooled(home)


def tend(home: str, environment: Mapping[str, str], now: int) -> None:
    if not due(home, now) or not lock.take(os.path.join(home, TENDING)):
        return
    if hasattr(os, "nice"):
        os.nice(BACKGROUND)
    from treering.wiring import open

    with open(home, actor="hook") as memory:
        lock.release(os.path.join(home, TENDING))  # it was to keep others from loading all of this too
        memory.tend(SECONDS)
