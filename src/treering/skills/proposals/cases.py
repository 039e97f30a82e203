"""Read the history of each proposal from the ledger: proposed, worded, accepted or rejected,
promoted."""

from __future__ import annotations

from collections.abc import Mapping

from treering.ledger.codec import data_of, decode
from treering.ledger.events import ACCEPTED, PROMOTED, PROPOSED, REJECTED, WORDED, Data, Draft, Event
from treering.ledger.ledger import Ledger
from treering.ledger.types import Context
from treering.skills.proposals.rules import APPLIED, IS_ACCEPTED, IS_REJECTED, PENDING, Last, news
from treering.stores.port.ledger import EventQuery, Reader

DECISIONS = (PROPOSED, WORDED, ACCEPTED, REJECTED, PROMOTED)


class Case:
    """The events about one proposal, in the order of the fold."""

    def __init__(self, made: Event) -> None:
        self.first = self.made = made
        self.data = data_of(made)[1]
        self.status = PENDING
        self.decided: Event | None = None
        self.words: Data = {}  # of a model
        self.accepted: Data = {}

    def take(self, event: Event) -> None:
        data = data_of(event)[1]
        if event.kind == PROPOSED:
            # Another machine may have proposed it too, before the two met: only more evidence brings it back.
            more = self.status == PENDING and data.get("weight", 0) > self.data.get("weight", 0)
            if more or (data.get("before") and self.status == IS_REJECTED):
                before = {"before": self.data["before"]} if more and "before" in self.data else {}
                self.made, self.data, self.status = event, {**before, **data}, PENDING
        elif event.kind == WORDED:
            self.words = data
        else:
            self.decided = event
            self.status = IS_ACCEPTED if event.kind == ACCEPTED else IS_REJECTED
            self.accepted = data if event.kind == ACCEPTED else {}

    @property
    def last(self) -> Last:
        """The state, and the evidence when it was decided."""
        if self.decided is None or self.status == PENDING:
            return Last(self.status, int(self.data.get("weight", 0)))
        return _turned_down(self.decided)._replace(status=self.status)


def cases(store: Reader, space: str) -> dict[str, Case]:
    """Return all proposals by id, in the order in which they were made."""
    return _read(store, space)[0]


def known(store: Reader, space: str, naming: str = "") -> dict[str, Last]:
    """Return the last state of each proposal. A rejection outlives its proposal."""
    found, orphans = _read(store, space, naming)
    return {name: _turned_down(event) for name, event in orphans.items()} | {
        name: case.last for name, case in found.items()
    }


def _read(store: Reader, space: str, naming: str = "") -> tuple[dict[str, Case], dict[str, Event]]:
    found: dict[str, Case] = {}
    orphans: dict[str, Event] = {}  # rejections of proposals that count no longer
    promoted: list[Event] = []
    for event in store.events(EventQuery(kinds=DECISIONS, space=space, naming=naming, live=True)):
        if event.payload is None:
            continue  # purged, with the memory that it was about
        data = data_of(event)[1]
        name = data.get("fingerprint") or data.get("proposal", "")
        if event.kind == PROMOTED:
            promoted.append(event)
        elif name in found:
            found[name].take(event)
        elif event.kind == PROPOSED:
            case = found[name] = Case(event)
            if name in orphans and not data.get("before"):
                case.take(orphans[name])
        elif event.kind == REJECTED:
            orphans[name] = event
    for event in promoted:
        _promote(found, event)
    return found, orphans


def _turned_down(event: Event) -> Last:
    status = IS_REJECTED if event.kind == REJECTED else IS_ACCEPTED
    return Last(status, int(data_of(event)[1].get("weight", 0)), event.clock)


def propose(ledger: Ledger, decided: Draft, context: Context) -> str:
    """Make a proposal, unless it has been made, and return its id. Runs in a transaction."""
    fresh = fresh_draft(ledger.store, decided, context)
    if fresh is not None:
        ledger.commit(lambda: [fresh])
    return str(decode(decided.payload)["fingerprint"])


def fresh_draft(store: Reader, decided: Draft, context: Context) -> Draft | None:
    """Return the proposal that would be made now, or None."""
    data = decode(decided.payload)
    return news(decided, data, known(store, context.space, data["fingerprint"]).get(data["fingerprint"]), context)


def _promote(cases: Mapping[str, Case], event: Event) -> None:
    """Mark the proposal of a promoted skill as applied, where the skill is now."""
    data = data_of(event)[1]
    for case in cases.values():
        here = case.data.get("signal") or case.accepted.get("path") == data["path"]
        if case.status == IS_ACCEPTED and case.accepted.get("name") == data["name"] and here:
            case.status, case.decided = APPLIED, event
            case.accepted = {**case.accepted, "path": data["path"], "digest": data["digest"]}
