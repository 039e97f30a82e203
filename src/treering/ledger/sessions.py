"""Count what each session added and changed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from treering.ledger import events as kinds
from treering.ledger.codec import data_of
from treering.ledger.events import Event
from treering.ledger.types import Memory

DAY = 86_400_000_000  # microseconds; what belongs to no session is gathered by the day
# What makes a ring to count by: somebody was at work. Looking after the memory is none: hygiene would age what it sees.
WORK = (kinds.REMEMBERED, kinds.RECALLED, kinds.SURFACED, kinds.USED, kinds.FORGOTTEN, kinds.SUPERSEDED, kinds.VERIFIED)
_COUNTED_AS = {
    kinds.REMEMBERED: "added",
    kinds.FORGOTTEN: "forgotten",
    kinds.PURGED: "purged",
    kinds.RECALLED: "recalls",
    kinds.SUPERSEDED: "superseded",
    kinds.MOVED: "moved",
    kinds.MERGED: "moved",
    **dict.fromkeys(kinds.UNDOINGS, "undone"),
}


class SessionSummary(NamedTuple):
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
    """The times at which sessions began, to count those since a moment, in a project or in all.

    A session begins with its first event. One that was recorded later than it happened, such as a
    session read from a file, begins when it happened.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        live: dict[tuple[str, str, int], int] = {}  # sessions with an event recorded as it happened
        later: dict[tuple[str, str, int], int] = {}
        for event in events:
            if event.kind not in WORK:
                continue
            at = happened(event)
            key = (event.project, event.session, 0 if event.session else at // DAY)
            found = live if at == event.time else later
            found[key] = min(found.get(key, at), at)
        self._of: dict[str, list[int]] = {}
        all: dict[tuple[str, int], int] = {}
        for (project, session, day), start in (later | live).items():
            self._of.setdefault(project, []).append(start)
            all[session, day] = min(all.get((session, day), start), start)
        for starts in self._of.values():
            starts.sort()
        self._all = sorted(all.values())

    def since(self, memory: Memory) -> int:
        """Return how many sessions began after a memory was last used, where it could have been used."""
        starts = self._all if memory.scope == "user" or not memory.project else self._of.get(memory.project, [])
        return len(starts) - bisect_right(starts, memory.used)


def happened(event: Event) -> int:
    """Return when an event happened, by its own account if it was recorded later."""
    if event.payload is None or '"at":' not in event.payload:
        return event.time
    at = data_of(event)[1].get("at", event.time)
    return at if isinstance(at, int) else event.time


def summarise_sessions(events: Iterable[Event]) -> list[SessionSummary]:
    """Return each session and what it did, oldest first."""
    found: dict[tuple[str, int], SessionSummary] = {}
    for event in events:
        key = (event.session, 0 if event.session else event.time // DAY)
        session = found.get(key) or SessionSummary(event.session, event.project, event.time, event.time, 0)
        counted = _COUNTED_AS.get(event.kind)
        if counted:
            session = session._replace(**{counted: getattr(session, counted) + 1})
        found[key] = session._replace(
            events=session.events + 1, first=min(session.first, event.time), last=max(session.last, event.time)
        )
    return sorted(found.values(), key=lambda session: (session.first, session.session))
