"""Rings: what each session added and changed."""

from __future__ import annotations

from treering.core.events import FORGOTTEN, PURGED, RECALLED, REMEMBERED, UNDOINGS
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.core.events import Event

DAY = 86_400_000_000  # microseconds; what belongs to no session is gathered by the day
_COUNTED_AS = {
    REMEMBERED: "added",
    FORGOTTEN: "forgotten",
    PURGED: "purged",
    RECALLED: "recalls",
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
