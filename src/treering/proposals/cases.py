"""Each proposal's way through the ledger: made, put into words, accepted or rejected, promoted; and made again."""

from __future__ import annotations

from treering.core.codec import data_of, decode
from treering.core.events import ACCEPTED, PROMOTED, PROPOSED, REJECTED, WORDED
from treering.core.ports import EventQuery
from treering.core.proposing import APPLIED, IS_ACCEPTED, IS_REJECTED, PENDING, Last, news

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from treering.core.events import Data, Draft, Event
    from treering.core.ports import Reader
    from treering.core.types import Context
    from treering.ledger import Ledger

DECISIONS = (PROPOSED, WORDED, ACCEPTED, REJECTED, PROMOTED)


class Case:
    """The events about one proposal, taken in the order of the fold."""

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
        """Where it stands, and what spoke for it when somebody decided."""
        if self.decided is None or self.status == PENDING:
            return Last(self.status, int(self.data.get("weight", 0)))
        return _turned_down(self.decided)._replace(status=self.status)


def cases(store: Reader, space: str, naming: str = "") -> dict[str, Case]:
    """All proposals by their ids, or the one of a name, in the order in which they were made."""
    return _read(store, space, naming)[0]


def known(store: Reader, space: str, naming: str = "") -> dict[str, Last]:
    """What is known of each proposal. A rejection outlives what it speaks of."""
    found, orphans = _read(store, space, naming)
    return {name: _turned_down(event) for name, event in orphans.items()} | {
        name: case.last for name, case in found.items()
    }


def _read(store: Reader, space: str, naming: str) -> tuple[dict[str, Case], dict[str, Event]]:
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
    """Make a proposal, unless it has been made; its id either way. Runs in a transaction."""
    fresh = newly(ledger.store, decided, context)
    if fresh is not None:
        ledger.commit(lambda: [fresh])
    return str(decode(decided.payload)["fingerprint"])


def newly(store: Reader, decided: Draft, context: Context) -> Draft | None:
    """A proposal as it would be made now, if it would."""
    data = decode(decided.payload)
    return news(decided, data, known(store, context.space, data["fingerprint"]).get(data["fingerprint"]), context)


def _promote(cases: Mapping[str, Case], event: Event) -> None:
    """A skill that was promoted is in effect, where it is now."""
    data = data_of(event)[1]
    for case in cases.values():
        here = case.data.get("signal") or case.accepted.get("path") == data["path"]
        if case.status == IS_ACCEPTED and case.accepted.get("name") == data["name"] and here:
            case.status, case.decided = APPLIED, event
            case.accepted = {**case.accepted, "path": data["path"], "digest": data["digest"]}
