"""Which events count. Undo, revoke and quarantine are one mechanism: events left out of the fold."""

from __future__ import annotations

from treering.core.codec import data_of
from treering.core.events import PURGED, UNDONE
from treering.core.ports import EventQuery

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.core.events import Event
    from treering.core.ports import LedgerReader


def left_out(ledger: LedgerReader, undoings: Iterable[Event]) -> set[str]:
    """The ids of all events that undoings, newest first, leave out of the fold.

    The newest undoing always holds. An older one holds unless a newer one that holds leaves it out. So
    the answer depends on the set of events alone, not on the order in which they arrived.
    """
    out: set[str] = set()
    for undoing in undoings:
        if undoing.id not in out:
            out |= resting_on(ledger, targets(ledger, undoing))
    return out


def targets(ledger: LedgerReader, undoing: Event) -> set[str]:
    """The events that an undoing names: earlier ones of its space, and never a purge, which is for good."""
    kind, data = data_of(undoing)
    query = EventQuery(space=undoing.space)
    if kind == UNDONE:
        query = query._replace(ids=tuple(data["events"]))
    elif data.get("session"):
        query = query._replace(session=data["session"])
    else:
        query = query._replace(source=data["source"])
    found = ledger.events(query)
    return {event.id for event in found if event.order < undoing.order and event.kind != PURGED}


def resting_on(ledger: LedgerReader, ids: set[str]) -> set[str]:
    """The events and everything whose causes lead to them."""
    reached, edge = set(ids), set(ids)
    while edge:
        edge = ledger.effects(edge) - reached
        reached |= edge
    return reached
