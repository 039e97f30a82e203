"""Settle what may be worth keeping: what was used is kept, and what nobody needed is erased when its time is over."""

from __future__ import annotations

from collections.abc import Sequence

from treering.ledger import decide
from treering.ledger.sessions import DAY
from treering.ledger.types import LIKELY, RECALLABLE, Filter, Memory
from treering.ledger.workspace import Workspace
from treering.stores.port.ledger import EventQuery

USED = 2  # accesses from which on it is kept for good
MOST = 2_000  # kept at a time: beyond that the oldest go first
GRACE = 7 * DAY  # erasing writes the whole store anew, so it waits until some are due
KEPT_FOR_GOOD = "it is kept for good"  # why what was used is forgotten under its old id
EXPIRED = "its time was over"  # why it was purged
_PLACE = ("content", "scope", "project", "session")


def settle(at: Workspace) -> None:
    """Keep what was used, and erase what is older than the settings allow."""
    if not at.writable:
        return
    found = [*at.store.records(Filter(at.space, statuses=RECALLABLE, tag=LIKELY))]
    used = [memory for memory in found if memory.accesses >= USED]
    for memory in used:
        _promote(at, memory)
    rest = sorted((memory for memory in found if memory.accesses < USED), key=lambda memory: -memory.created)
    old = at.now() - at.config.likely_days * DAY
    over = [memory for place, memory in enumerate(rest) if memory.created < old or place >= MOST]
    if len(rest) > MOST or any(memory.created < old - GRACE for memory in over):
        _erase(at, over)


def _promote(at: Workspace, memory: Memory) -> None:
    """Make a memory that leads of words that proved to be of use."""
    row = {name: getattr(memory, name) for name in _PLACE}
    at.remember([{**row, "type": "semantic", "origin": memory.origin, "sources": [memory.id]}], at.here(memory.project))
    at.ledger.commit(lambda: [decide.forget(memory, at.here(), KEPT_FOR_GOOD)])


def _erase(at: Workspace, over: Sequence[Memory]) -> None:
    here = EventQuery(space=at.space)
    pasts = [(memory.id, [*at.store.events(here._replace(subjects=(memory.id,)))]) for memory in over]
    at.ledger.commit(lambda: [decide.purge(id, past, at.here(), EXPIRED) for id, past in pasts])
    at.ledger.store.scrub()
