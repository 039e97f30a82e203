"""Rings: what each session added and changed."""

from __future__ import annotations

from bisect import bisect_right

from treering.core.codec import data_of
from treering.core.events import (
    FORGOTTEN,
    MERGED,
    MOVED,
    PURGED,
    RECALLED,
    REMEMBERED,
    SUPERSEDED,
    SURFACED,
    UNDOINGS,
    USED,
    VERIFIED,
)
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.core.events import Event
    from treering.core.types import Memory

DAY = 86_400_000_000  # microseconds; what belongs to no session is gathered by the day
# What makes a ring to count by: somebody was at work. Looking after the memory is none: hygiene would age what it sees.
WORK = (REMEMBERED, RECALLED, SURFACED, USED, FORGOTTEN, SUPERSEDED, VERIFIED)
_COUNTED_AS = {
    REMEMBERED: "added",
    FORGOTTEN: "forgotten",
    PURGED: "purged",
    RECALLED: "recalls",
    SUPERSEDED: "superseded",
    MOVED: "moved",
    MERGED: "moved",
    **dict.fromkeys(UNDOINGS, "undone"),
}


class Ring(NamedTuple):
    """One session, or one day outside any session."""

    session: str
    project: str
    first: int
    last: int
    events: int
    added: int = 0
    forgotten: int = 0
    purged: int = 0
    undone: int = 0
    recalls: int = 0
    superseded: int = 0
    moved: int = 0


class Starts:
    """When rings began, so that those since a moment can be counted: of a project, or of all together.

    A ring begins with its first event. Only one in which everything was told later than it happened, as a whole session
    that is taken in from a file, begins when that was.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        told: dict[tuple[str, str, int], int] = {}  # rings of which something was told as it happened
        later: dict[tuple[str, str, int], int] = {}
        for event in events:
            if event.kind not in WORK:
                continue
            at = happened(event)
            ring = (event.project, event.session, 0 if event.session else at // DAY)
            found = told if at == event.time else later
            found[ring] = min(found.get(ring, at), at)
        self._of: dict[str, list[int]] = {}
        all: dict[tuple[str, int], int] = {}
        for (project, session, day), start in (later | told).items():
            self._of.setdefault(project, []).append(start)
            all[session, day] = min(all.get((session, day), start), start)
        for starts in self._of.values():
            starts.sort()
        self._all = sorted(all.values())

    def since(self, memory: Memory) -> int:
        """How many rings began after a memory was last used, where it could have been used."""
        starts = self._all if memory.scope == "user" or not memory.project else self._of.get(memory.project, [])
        return len(starts) - bisect_right(starts, memory.used)


def happened(event: Event) -> int:
    """When it was, by the event's own account: what is told later than it happened says so."""
    if event.payload is None or '"at":' not in event.payload:
        return event.time
    at = data_of(event)[1].get("at", event.time)
    return at if isinstance(at, int) else event.time


def rings(events: Iterable[Event]) -> list[Ring]:
    """A ring for each session, oldest first."""
    found: dict[tuple[str, int], Ring] = {}
    for event in events:
        key = (event.session, 0 if event.session else event.time // DAY)
        ring = found.get(key) or Ring(event.session, event.project, event.time, event.time, 0)
        counted = _COUNTED_AS.get(event.kind)
        if counted:
            ring = ring._replace(**{counted: getattr(ring, counted) + 1})
        found[key] = ring._replace(
            events=ring.events + 1, first=min(ring.first, event.time), last=max(ring.last, event.time)
        )
    return sorted(found.values(), key=lambda ring: (ring.first, ring.session))
